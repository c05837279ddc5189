//! YaneuraOu's text format (`#YANEURAOU-DB2016 1.00`), line by line.
//!
//! ```text
//! #YANEURAOU-DB2016 1.00
//! sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
//! 7g7f 8c8d 35 18 1234         move, expected answer, value, depth, count
//! 2g2f none 30 18
//! ```
//!
//! A move's line may end after any field. `none` stands for what is not known. Lines that begin with `#` or `//` are
//! comments. The move number of a position may be missing.

use std::fmt::{self, Write};

use super::BookMove;
use crate::position::packed::{self, Code, PackError};
use crate::position::{Board, SfenError};
use crate::types::Move;

/// The first line of a file.
pub const HEADER: &str = "#YANEURAOU-DB2016 1.00";
/// How the first line of a file begins, whatever the version.
pub(super) const HEADER_START: &str = "#YANEURAOU-DB2016";

/// A position as the key of a book: YaneuraOu's PackedSfen.
pub type Key = [u8; 32];

/// One line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DbLine<'a> {
    /// A comment, with its mark.
    Comment(&'a str),
    /// Nothing.
    Blank,
    /// The SFEN of a position; the moves after it are its.
    Position(&'a str),
    /// A move of the last position.
    Move(BookMove),
    /// None of these: the word that is not understood.
    Unknown(&'a str),
}

impl<'a> DbLine<'a> {
    /// Reads a line, with or without its end.
    pub fn read(line: &'a str) -> Self {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            return Self::Blank;
        }
        if line.starts_with('#') || line.starts_with("//") {
            return Self::Comment(line);
        }
        if let Some(sfen) = line.strip_prefix("sfen ") {
            return Self::Position(sfen.trim_start());
        }
        match read_move(line) {
            Ok(entry) => Self::Move(entry),
            Err(word) => Self::Unknown(word),
        }
    }
}

/// A number that may be unknown (`none`) or missing.
fn number<T: std::str::FromStr>(word: Option<&str>, missing: T) -> Result<Option<T>, &str> {
    match word {
        None => Ok(Some(missing)),
        Some("none" | "None") => Ok(None),
        Some(word) => word.parse().map(Some).map_err(|_| word),
    }
}

fn read_move(line: &str) -> Result<BookMove, &str> {
    let mut words = line.split_ascii_whitespace();
    let first = words.next().unwrap_or_default();
    let mv: Move = first.parse().map_err(|_| first)?;
    let reply = match words.next() {
        None | Some("none" | "None" | "resign") => None,
        Some(word) => Some(word.parse().map_err(|_| word)?),
    };
    let value = number(words.next(), 0)?;
    let depth = number(words.next(), 0)?;
    let count = number(words.next(), 1)?.unwrap_or(1);
    Ok(BookMove { mv, reply, value, depth, count })
}

/// The board of a position's SFEN and its move number, `None` where it has none.
pub fn read_sfen(sfen: &str) -> Result<(Board, Option<u16>), SfenError> {
    let (board, number) = Board::from_sfen(sfen)?;
    let has_number = sfen.split_ascii_whitespace().nth(3).is_some();
    Ok((board, has_number.then(|| u16::try_from(number).unwrap_or(u16::MAX))))
}

/// The key of a board; `None` for one that no set of pieces can make.
pub fn key(board: &Board) -> Option<Key> {
    packed::pack(board, Code::PackedSfen).ok()
}

/// The board of a key.
///
/// # Errors
/// The bytes are no position.
pub fn board(key: &Key) -> Result<Board, PackError> {
    packed::unpack(key, Code::PackedSfen)
}

/// The move as a line of the format, without its end. What is unknown is written `none`.
pub fn move_line(entry: &BookMove) -> String {
    fn or_none<T: fmt::Display>(line: &mut String, value: Option<T>) {
        // Writing to a String cannot fail.
        let _ = match value {
            Some(value) => write!(line, " {value}"),
            None => write!(line, " none"),
        };
    }
    let mut line = entry.mv.to_string();
    or_none(&mut line, entry.reply);
    or_none(&mut line, entry.value);
    or_none(&mut line, entry.depth);
    // A count of 1 is what a line without one means.
    if entry.count != 1 {
        or_none(&mut line, Some(entry.count));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(line: &str) -> BookMove {
        match DbLine::read(line) {
            DbLine::Move(entry) => entry,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_move_may_end_after_any_field() {
        let bare = BookMove::bare("7g7f".parse().unwrap());
        let reply = Some("8c8d".parse().unwrap());
        assert_eq!(entry("7g7f"), bare);
        assert_eq!(entry("7g7f none\r\n"), bare);
        assert_eq!(entry("7g7f 8c8d"), BookMove { reply, ..bare });
        assert_eq!(entry("7g7f 8c8d -35"), BookMove { reply, value: Some(-35), ..bare });
        assert_eq!(entry(" 7g7f\tresign  35 18 "), BookMove { value: Some(35), depth: Some(18), ..bare });
        let all = BookMove { reply, value: Some(35), depth: Some(18), count: 1234, ..bare };
        assert_eq!(entry("7g7f 8c8d 35 18 1234 and more"), all);
        let unknown = BookMove { value: None, depth: None, count: 3, ..bare };
        assert_eq!(entry("7g7f None none none 3"), unknown);
        for written in [bare, all, unknown] {
            assert_eq!(entry(&move_line(&written)), written);
        }
    }

    #[test]
    fn other_lines_are_told_apart() {
        assert_eq!(DbLine::read("\u{feff}#YANEURAOU-DB2016 1.00\r\n"), DbLine::Comment("#YANEURAOU-DB2016 1.00"));
        assert_eq!(DbLine::read("// a word"), DbLine::Comment("// a word"));
        assert_eq!(DbLine::read(" \r\n"), DbLine::Blank);
        assert_eq!(DbLine::read("sfen 9/9 b -\r\n"), DbLine::Position("9/9 b -"));
        for (line, word) in [("joho", "joho"), ("7g7f 8c", "8c"), ("7g7f none 3.5", "3.5"), ("7g7f none 1 -2", "-2")] {
            assert_eq!(DbLine::read(line), DbLine::Unknown(word));
        }
        assert_eq!(read_sfen("9/9/9/9/9/9/9/9/9 b -").unwrap().1, None);
        assert_eq!(read_sfen("9/9/9/9/9/9/9/9/9 b - 17").unwrap().1, Some(17));
    }
}
