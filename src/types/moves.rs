//! Moves.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use super::{PieceType, Square};

/// A move in 16 bits: destination (bits 0-6), origin square or `81 +` dropped kind (bits 7-13), promotion (bit 14).
///
/// The moving and the captured piece are not stored: the position knows them. `Option<Move>` is 16 bits too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

/// The error for text that is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a move (expected 7g7f, 8h2b+ or P*5e)")]
pub struct ParseMoveError(pub String);

const PROMOTE: u16 = 1 << 14;

impl Move {
    /// A move on the board; the squares must differ.
    #[inline(always)]
    pub const fn board(from: Square, to: Square, promote: bool) -> Self {
        debug_assert!(from.index() != to.index());
        Self::from_code(to.index() as u16 | (from.index() as u16) << 7 | (promote as u16) << 14)
    }

    /// A drop (駒打ち) of a kind from the hand.
    #[inline(always)]
    pub const fn drop(kind: PieceType, to: Square) -> Self {
        debug_assert!((kind as u16) < 8);
        Self::from_code(to.index() as u16 | (80 + kind as u16) << 7)
    }

    #[inline(always)]
    const fn from_code(code: u16) -> Self {
        match NonZeroU16::new(code) {
            Some(code) => Self(code),
            // Only a move from 1a to 1a has the code 0.
            None => unreachable!(),
        }
    }

    /// The 16 bits, never 0.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move with the given 16 bits, or `None` where no move has them.
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let (to, from) = (bits & 127, bits >> 7 & 127);
        let on_board = from < 81 && from != to;
        let from_hand = from > 80 && from < 88 && bits & PROMOTE == 0;
        if to < 81 && bits >> 15 == 0 && (on_board || from_hand) {
            match NonZeroU16::new(bits) {
                Some(code) => Some(Self(code)),
                None => None,
            }
        } else {
            None
        }
    }

    /// The destination.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index_unchecked((self.0.get() & 127) as u8)
    }

    /// The origin, `None` for a drop.
    #[inline(always)]
    pub const fn from(self) -> Option<Square> {
        let from = self.0.get() >> 7 & 127;
        if from < 81 { Some(Square::from_index_unchecked(from as u8)) } else { None }
    }

    /// The kind dropped, `None` for a move on the board.
    #[inline(always)]
    pub const fn dropped(self) -> Option<PieceType> {
        let from = self.0.get() >> 7 & 127;
        if from > 80 { PieceType::from_index(from as usize - 80) } else { None }
    }

    /// Whether the move is a drop.
    #[inline(always)]
    pub const fn is_drop(self) -> bool {
        (self.0.get() >> 7 & 127) > 80
    }

    /// Whether the piece promotes (成).
    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.0.get() & PROMOTE != 0
    }

    /// The same move with the left and right sides of the board exchanged.
    pub const fn mirror(self) -> Self {
        match (self.from(), self.dropped()) {
            (None, Some(kind)) => Self::drop(kind, self.to().mirror()),
            (Some(from), _) => Self::board(from.mirror(), self.to().mirror(), self.is_promotion()),
            (None, None) => unreachable!(),
        }
    }

    /// The same move of the other colour, on the board turned by 180 degrees.
    pub const fn rotate(self) -> Self {
        match (self.from(), self.dropped()) {
            (None, Some(kind)) => Self::drop(kind, self.to().rotate()),
            (Some(from), _) => Self::board(from.rotate(), self.to().rotate(), self.is_promotion()),
            (None, None) => unreachable!(),
        }
    }
}

/// USI: `7g7f`, `8h2b+`, `P*5e`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.dropped(), self.from()) {
            (Some(kind), _) => write!(f, "{}*{}", kind.letter(), self.to()),
            (None, Some(from)) => {
                write!(f, "{from}{}{}", self.to(), if self.is_promotion() { "+" } else { "" })
            }
            (None, None) => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads the USI form. Only the syntax is checked; whether the move is legal is up to the position.
impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let error = || ParseMoveError(text.to_owned());
        if !text.is_ascii() || text.len() < 4 {
            return Err(error());
        }
        let to: Square = text[2..4].parse().map_err(|_| error())?;
        if let [letter @ b'A'..=b'Z', b'*', _, _] = *text.as_bytes() {
            return match PieceType::from_letter(letter as char) {
                Some(kind) if kind != PieceType::King => Ok(Self::drop(kind, to)),
                _ => Err(error()),
            };
        }
        let from: Square = text[0..2].parse().map_err(|_| error())?;
        if from == to {
            return Err(error());
        }
        match &text[4..] {
            "" => Ok(Self::board(from, to, false)),
            "+" => Ok(Self::board(from, to, true)),
            _ => Err(error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_reads_back_from_text_and_bits() {
        for to in Square::all() {
            for kind in PieceType::HAND {
                check(Move::drop(kind, to));
            }
            for from in Square::all().filter(|&from| from != to) {
                check(Move::board(from, to, false));
                check(Move::board(from, to, true));
            }
        }
        fn check(mv: Move) {
            assert_eq!(mv.to_string().parse(), Ok(mv));
            assert_eq!(Move::from_bits(mv.bits()), Some(mv));
            assert_eq!(mv.mirror().mirror(), mv);
            assert_eq!(mv.rotate().rotate(), mv);
        }
    }

    #[test]
    fn only_moves_have_bits() {
        let mut count = 0;
        for bits in 0..=u16::MAX {
            if let Some(mv) = Move::from_bits(bits) {
                assert_eq!(mv.to_string().parse(), Ok(mv));
                count += 1;
            }
        }
        assert_eq!(count, 81 * 80 * 2 + 81 * 7);
    }

    #[test]
    fn nonsense_is_refused_with_its_text() {
        for text in ["", "7g", "7g7", "7g7f++", "7g7g", "K*5e", "p*5e", "P*0a", "resign", "7g7f ", "7g7fé"] {
            assert_eq!(text.parse::<Move>(), Err(ParseMoveError(text.to_owned())));
        }
    }
}
