//! Problems from files and from the command line.

use std::path::Path;

use crate::position::Position;
use crate::record::{Document, FileFormat, Record, ends_moves};
use crate::types::Move;

/// A problem as it was given.
#[derive(Clone)]
pub struct Problem {
    /// Its name in the input, or file and line number.
    pub id: String,
    /// The position in SFEN; as given if it cannot be read.
    pub sfen: String,
    /// The position, or the error.
    pub position: Result<Position, String>,
    /// The solution that the input gives, word by word; empty if it gives none.
    pub stated: Vec<String>,
}

/// What was read.
#[derive(Default)]
pub struct Input {
    /// The problems, in order.
    pub problems: Vec<Problem>,
    /// What was odd about the files, one sentence each.
    pub warnings: Vec<String>,
}

impl Input {
    /// Adds the problems of a file.
    fn add_file(&mut self, argument: &str) -> Result<(), String> {
        let path = Path::new(argument);
        let name = path.file_name().map_or_else(|| argument.into(), |name| name.to_string_lossy());
        if let Some(FileFormat::Kif | FileFormat::Ki2 | FileFormat::Csa | FileFormat::Jkf) = FileFormat::of_path(path) {
            let document = Document::open(path).map_err(|error| format!("{argument}: {error}"))?;
            self.warnings.extend(document.warnings.iter().map(|warning| format!("{argument}: {warning}")));
            let many = document.games.len() > 1;
            let problem = |(number, game): (usize, &Record)| {
                let sfen = game.start.to_sfen();
                let id = if many { format!("{name}:{}", number + 1) } else { name.to_string() };
                let stated = game.moves_to(game.main_end()).iter().map(Move::to_string).collect();
                Problem { id, position: position(&sfen), sfen, stated }
            };
            self.problems.extend(document.games.iter().enumerate().map(problem));
            return Ok(());
        }
        let bytes = std::fs::read(path).map_err(|error| format!("{argument}: {error}"))?;
        if bytes.contains(&0) {
            return Err(format!("{argument}: this is no text file"));
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}');
        let numbered = |(number, text): (usize, &str)| line(text, &format!("{name}:{}", number + 1));
        self.problems.extend(text.lines().enumerate().filter_map(numbered));
        Ok(())
    }
}

/// The problems that the arguments of a command line name: files (SFEN or `position` lines; game records, whose start
/// is the problem), and positions, as one argument or word by word: an SFEN, or what follows `position` in USI. As in
/// `hagane check`, the moves of such a position lead to the problem.
///
/// # Errors
/// If an argument is neither, or if a file cannot be read or is not text.
pub fn read(arguments: &[String]) -> Result<Input, String> {
    let mut input = Input::default();
    let mut rest = arguments;
    let mut positions = 0;
    while let Some(first) = rest.first() {
        if Path::new(first).is_file() {
            input.add_file(first)?;
            rest = &rest[1..];
            continue;
        }
        let (words, others) = rest.split_at(words_of_position(rest));
        if words.is_empty() {
            return Err(format!("'{first}' is neither a file nor a position in SFEN"));
        }
        positions += 1;
        let text = words.join(" ");
        let text = text.trim();
        let text = if text.starts_with("position ") { text.to_owned() } else { format!("position {text}") };
        input.problems.extend(line(&text, &positions.to_string()));
        rest = others;
    }
    Ok(input)
}

/// How many of the arguments make up the position that they begin with; 0 if they begin with none.
fn words_of_position(arguments: &[String]) -> usize {
    let word = |at: usize| arguments.get(at).map_or("", |word| word.trim());
    let is_board = |text: &str| {
        text.matches('/').count() == 8 && text.chars().all(|c| c.is_ascii_digit() || "/+plnsgbrkPLNSGBRK".contains(c))
    };
    let begins = |text: &str| {
        matches!(text, "position" | "sfen" | "startpos") || text.contains(char::is_whitespace) || is_board(text)
    };
    let goes_on = |at: usize| !word(at).is_empty() && !begins(word(at)) && !Path::new(word(at)).is_file();
    let mut count = 0;
    if word(0).split_whitespace().count() > 1 {
        return if word(0).split_whitespace().count() >= 3 || word(0).contains("startpos") { 1 } else { 0 };
    }
    if word(count) == "position" {
        count += 1;
    }
    if word(count) == "startpos" {
        count += 1;
    } else {
        if word(count) == "sfen" {
            count += 1;
        }
        if !is_board(word(count)) {
            return 0;
        }
        // Side to move, hands, move number.
        let end = count + 4;
        count += 1;
        while count < end && goes_on(count) && word(count) != "moves" {
            count += 1;
        }
    }
    if word(count) == "moves" {
        count += 1;
        while goes_on(count) {
            count += 1;
        }
    }
    count
}

/// One line: `SFEN`, `sfen SFEN`, `SFEN<TAB>id`, `SFEN moves ...` (the moves being the solution), or
/// `position ... moves ...` (the moves leading to the problem). `None` for a blank line or one that begins with `#`.
fn line(text: &str, default_id: &str) -> Option<Problem> {
    let text = text.trim();
    if text.is_empty() || text.starts_with('#') {
        return None;
    }
    let (text, id) = match text.split_once('\t') {
        Some((text, id)) => (text.trim(), id.split('\t').next().unwrap_or_default().trim()),
        None => (text, default_id),
    };
    let id = if id.is_empty() { default_id } else { id };
    let (body, leads_on) = match text.strip_prefix("position ") {
        Some(body) => (body.trim(), true),
        None => (text, false),
    };
    let (start, moves) = body.split_once(" moves").unwrap_or((body, ""));
    let start = start.strip_prefix("sfen ").unwrap_or(start).trim();
    let mut result = if start == "startpos" { Ok(Position::startpos()) } else { position(start) };
    if leads_on {
        for word in moves.split_whitespace().take_while(|word| !ends_moves(word)) {
            result = result.and_then(|position| advance(position, word));
        }
    }
    let sfen = result.as_ref().map_or_else(|_| start.to_owned(), Position::to_sfen);
    let words = moves.split_whitespace().take_while(|word| !leads_on && !ends_moves(word));
    let stated = words.map(str::to_owned).collect();
    Some(Problem { id: id.to_owned(), sfen, position: result, stated })
}

fn position(sfen: &str) -> Result<Position, String> {
    Position::from_sfen(sfen).map_err(|error| error.to_string())
}

fn advance(mut position: Position, word: &str) -> Result<Position, String> {
    let mv: Move = word.parse().map_err(|error: crate::types::ParseMoveError| error.to_string())?;
    position.check_move(mv).map_err(|error| error.to_string())?;
    position.do_move(mv);
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_form_are_read() {
        let plain = line("7k1/9/7GP/9/9/9/9/9/9 b G 1", "x:1").unwrap();
        assert_eq!((plain.id.as_str(), plain.position.is_ok()), ("x:1", true));
        let named = line("sfen 7k1/9/7GP/9/9/9/9/9/9 b G 1\tfirst", "x:2").unwrap();
        assert_eq!(named.id, "first");
        let solved = line("7k1/9/7GP/9/9/9/9/9/9 b G 1 moves G*2b", "x").unwrap();
        assert_eq!(solved.sfen, plain.sfen);
        let led = line("position startpos moves 7g7f 3c3d", "x").unwrap();
        assert_eq!(led.position.unwrap().move_number(), 3);
        for end in ["resign", "rep_draw", "break", "timeout", "%TORYO", "投了"] {
            let ended = line(&format!("position sfen 7k1/9/7GP/9/9/9/9/9/9 b G 1 moves {end}"), "x").unwrap();
            assert!(ended.position.is_ok(), "{end}");
        }
        let wrong = line("position startpos moves 7g7e", "x").unwrap();
        assert!(wrong.position.err().unwrap().contains("7e"));
        assert!(line("# remark", "x").is_none() && line("  ", "x").is_none());
        assert!(line("9/9 b - 1", "x").unwrap().position.is_err());
        assert_eq!((solved.stated.len(), led_nowhere().stated.len()), (1, 0));
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert!(read(&words("no-such-file")).err().unwrap().contains("no-such-file"));
        let noise = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(noise.path(), b"4k4/9 b\0\x01\n").unwrap();
        let error = read(&[noise.path().to_str().unwrap().to_owned()]).err().unwrap();
        assert!(error.contains("no text file"), "{error}");
    }

    fn led_nowhere() -> Problem {
        line("position startpos moves 7g7f", "x").unwrap()
    }

    #[test]
    fn positions_are_taken_as_arguments_word_by_word() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let sfens = |arguments: &[String]| -> Vec<String> {
            let input = read(arguments).unwrap();
            input.problems.iter().map(|problem| problem.position.as_ref().unwrap().to_sfen()).collect()
        };
        let mate = "7k1/9/7GP/9/9/9/9/9/9 b G 1";
        let start = Position::startpos().to_sfen();
        for text in [mate, "7k1/9/7GP/9/9/9/9/9/9 b G", &format!("sfen {mate}"), &format!("position sfen {mate}")] {
            assert_eq!(sfens(&words(text)), [mate], "{text}");
            assert_eq!(sfens(&[text.to_owned()]), [mate], "{text}");
        }
        for text in ["startpos", "position startpos"] {
            assert_eq!(sfens(&words(text)), [start.as_str()], "{text}");
        }
        // Moves lead to the problem, however they are quoted.
        let led = line("position startpos moves 7g7f 3c3d", "x").unwrap().sfen;
        for text in ["startpos moves 7g7f 3c3d", "position startpos moves 7g7f 3c3d"] {
            assert_eq!(sfens(&words(text)), [led.as_str()], "{text}");
            assert_eq!(sfens(&[text.to_owned()]), [led.as_str()], "{text}");
        }
        // Several, and a file between them.
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), format!("{mate}\n")).unwrap();
        let mut arguments = words(&format!("startpos moves 7g7f 3c3d {mate}"));
        arguments.push(file.path().to_str().unwrap().to_owned());
        arguments.extend(words("startpos"));
        assert_eq!(sfens(&arguments), [led.as_str(), mate, mate, start.as_str()]);
        for text in ["7k1/9/7GP b G 1", "moves 7g7f", "sfen", "position", "b"] {
            assert!(read(&words(text)).is_err(), "{text}");
        }
    }
}
