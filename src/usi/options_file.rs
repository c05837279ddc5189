//! `engine_options.txt` beside the program: options for clients that offer none, in the format that YaneuraOu reads.
//!
//! One option a line, in any of these forms; lines that start with `#`, `;` or `//` are comments:
//!
//! ```text
//! Threads 4
//! USI_Hash=1024
//! option name EvalDir type string default eval
//! setoption name EvalDir value eval
//! ```

use std::path::PathBuf;
use std::{env, fs, io};

use super::command::{after_word, split_at_word};
use super::reader::decode;

/// The name of the file.
pub(super) const NAME: &str = "engine_options.txt";

/// The file beside the program, if there is one.
pub(super) fn read() -> Option<io::Result<String>> {
    let path: PathBuf = env::current_exe().ok()?.parent()?.join(NAME);
    path.is_file().then(|| fs::read(path).map(|bytes| decode(&bytes)))
}

/// The options of a file: line number, name, value.
pub(super) fn parse(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    let text = text.trim_start_matches('\u{feff}');
    (1..).zip(text.lines()).filter_map(|(number, line)| {
        let line = line.trim();
        let comment = line.is_empty() || ["#", ";", "//"].iter().any(|start| line.starts_with(start));
        (!comment).then(|| option(line)).map(|(name, value)| (number, name, value))
    })
}

fn option(line: &str) -> (&str, &str) {
    let (first, rest) = split(line, char::is_whitespace);
    match first {
        "option" => {
            let (name, rest) = split(after_word(rest, "name").unwrap_or(rest), char::is_whitespace);
            let value = after_word(rest, "default").unwrap_or_default();
            // What follows the default of a number or a choice is its range.
            let before = |word: &&str| split_at_word(value, word).map(|(before, _)| before);
            (name, ["min", "max", "var"].iter().filter_map(before).min_by_key(|before| before.len()).unwrap_or(value))
        }
        "setoption" => {
            let rest = after_word(rest, "name").unwrap_or(rest);
            split_at_word(rest, "value").unwrap_or((rest, ""))
        }
        _ => split(line, |letter: char| letter == '=' || letter.is_whitespace()),
    }
}

/// The text around the first separator; more separators and blanks at the seam are dropped.
fn split(text: &str, is_separator: impl Fn(char) -> bool) -> (&str, &str) {
    let at = text.find(&is_separator).unwrap_or(text.len());
    let (first, rest) = text.split_at(at);
    // `Threads = 4` has one equals sign and blanks around it.
    let rest = rest.trim_start();
    (first, rest.strip_prefix('=').filter(|_| is_separator('=')).unwrap_or(rest).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_line() {
        let text = "\u{feff}# comment\r\n\r\n; one more\n// and one\nThreads 4\r\nUSI_Hash=1024\nMultiPV = 3\n\
            EvalDir  my folder \noption name SlowMover type spin default 90 min 1 max 1000\n\
            option name EnteringKingRule type combo default TryRule var CSARule27 var TryRule\n\
            option name EvalFile type string default a b.bin\nsetoption name EvalDir value x = y\n\
            setoption Threads value 2\nClear_Hash\n";
        let options: Vec<_> = parse(text).collect();
        assert_eq!(
            options,
            [
                (5, "Threads", "4"),
                (6, "USI_Hash", "1024"),
                (7, "MultiPV", "3"),
                (8, "EvalDir", "my folder"),
                (9, "SlowMover", "90"),
                (10, "EnteringKingRule", "TryRule"),
                (11, "EvalFile", "a b.bin"),
                (12, "EvalDir", "x = y"),
                (13, "Threads", "2"),
                (14, "Clear_Hash", ""),
            ]
        );
    }
}
