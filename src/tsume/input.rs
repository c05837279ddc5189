//! Problems from files and from the command line.

use std::path::Path;

use crate::position::Position;
use crate::record::{Document, FileFormat, ends_moves};
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
}

/// The problems of one argument: a file (SFEN or `position` lines; a game record, whose start is the problem), or else
/// an SFEN itself.
///
/// # Errors
/// If a file cannot be read or is not text.
pub fn read(argument: &str) -> Result<Vec<Problem>, String> {
    let path = Path::new(argument);
    if !path.is_file() {
        if argument.split_whitespace().count() < 3 {
            return Err(format!("'{argument}' is neither a file nor a position in SFEN"));
        }
        return Ok(line(argument, "1").into_iter().collect());
    }
    let name = path.file_name().map_or_else(|| argument.into(), |name| name.to_string_lossy());
    if let Some(FileFormat::Kif | FileFormat::Ki2 | FileFormat::Csa | FileFormat::Jkf) = FileFormat::of_path(path) {
        let document = Document::open(path).map_err(|error| format!("{argument}: {error}"))?;
        let many = document.games.len() > 1;
        let problem = |(number, game): (usize, &crate::record::Record)| {
            let sfen = game.start.to_sfen();
            let id = if many { format!("{name}:{}", number + 1) } else { name.to_string() };
            Problem { id, position: position(&sfen), sfen }
        };
        return Ok(document.games.iter().enumerate().map(problem).collect());
    }
    let bytes = std::fs::read(path).map_err(|error| format!("{argument}: {error}"))?;
    if bytes.contains(&0) {
        return Err(format!("{argument}: this is no text file"));
    }
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let numbered = |(number, text): (usize, &str)| line(text, &format!("{name}:{}", number + 1));
    Ok(text.lines().enumerate().filter_map(numbered).collect())
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
    Some(Problem { id: id.to_owned(), sfen, position: result })
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
        assert!(read("no-such-file").err().unwrap().contains("no-such-file"));
        let noise = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(noise.path(), b"4k4/9 b\0\x01\n").unwrap();
        let error = read(noise.path().to_str().unwrap()).err().unwrap();
        assert!(error.contains("no text file"), "{error}");
    }
}
