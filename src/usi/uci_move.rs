//! Moves in UCI's notation: files `a` to `i` from Black's left, ranks 1 to 9 from Black's side, as on a chess board.
//!
//! 7g7f is `c3c4`, 8h2b+ is `b2h8+`, P*5e is `P@e5`.

use std::fmt;

use crate::types::{Move, ParseMoveError, PieceType, Square};

/// A move as UCI writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UciMove(pub(super) Move);

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mv = self.0;
        match (mv.dropped(), mv.from()) {
            (Some(kind), _) => write!(f, "{}@{}", kind.letter(), square(mv.to())),
            (None, Some(from)) => {
                write!(f, "{}{}{}", square(from), square(mv.to()), if mv.is_promotion() { "+" } else { "" })
            }
            (None, None) => Ok(()),
        }
    }
}

fn square(square: Square) -> String {
    format!("{}{}", char::from(b'a' + 8 - square.file()), 9 - square.rank())
}

/// Reads a move in either notation; the two have no text in common.
///
/// # Errors
/// The error of USI's notation.
pub(super) fn read_move(text: &str) -> Result<Move, ParseMoveError> {
    text.parse().or_else(|error| uci_move(text).ok_or(error))
}

/// UCI's notation. Drops may have `*` (cutechess reads it) and small letters; a `=` at the end, which XBoard writes,
/// says that the piece does not promote.
fn uci_move(text: &str) -> Option<Move> {
    let bytes = text.as_bytes();
    let (from, to, end) = (bytes.get(0..2)?, bytes.get(2..4)?, bytes.get(4..)?);
    let to = read_square(to)?;
    if let &[letter, b'@' | b'*'] = from {
        let kind = PieceType::from_letter(char::from(letter.to_ascii_uppercase()))?;
        return (kind != PieceType::King && end.is_empty()).then(|| Move::drop(kind, to));
    }
    let from = read_square(from)?;
    let promotes = match end {
        b"" | b"=" => false,
        b"+" => true,
        _ => return None,
    };
    (from != to).then(|| Move::board(from, to, promotes))
}

fn read_square(text: &[u8]) -> Option<Square> {
    match *text {
        [file @ b'a'..=b'i', rank @ b'1'..=b'9'] => Some(Square::new(b'i' - file, b'9' - rank)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_reads_back_in_both_notations() {
        for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
            let text = UciMove(mv).to_string();
            assert_eq!(read_move(&text), Ok(mv), "{text}");
            assert_eq!(read_move(&mv.to_string()), Ok(mv), "{mv}");
            assert!(text.parse::<Move>().is_err() && uci_move(&mv.to_string()).is_none(), "{mv} {text}");
        }
    }

    #[test]
    fn the_forms_that_clients_write() {
        let usi = |text: &str| read_move(text).map(|mv| mv.to_string());
        for (uci, expected) in [
            ("c3c4", "7g7f"),
            ("g7g6", "3c3d"),
            ("b2h8+", "8h2b+"),
            ("b2h8=", "8h2b"),
            ("P@e5", "P*5e"),
            ("p@e5", "P*5e"),
            ("P*e5", "P*5e"),
            ("a1a2", "9i9h"),
            ("i9i8", "1a1b"),
        ] {
            assert_eq!(usi(uci).as_deref(), Ok(expected));
        }
        for nonsense in ["", "c3", "c3c", "c3c3", "c3c4++", "c3c4x", "K@e5", "P@e5+", "P@e0", "j1a1", "@@e5", "0000"] {
            assert!(read_move(nonsense).is_err(), "{nonsense}");
        }
    }
}
