//! Positions from text and as text (SFEN), within the rules.

use super::board::{quote, sfen_fields};
use super::{Board, Position, SfenError};

impl Position {
    /// The even game's start.
    pub fn startpos() -> Self {
        match Self::from_sfen(Self::STARTPOS) {
            Ok(position) => position,
            Err(error) => unreachable!("{error}"),
        }
    }

    /// Reads an SFEN: board, side to move, hands, and a move number that may be missing.
    ///
    /// Fields may be separated by any blanks or by `_`; hands may come in any order.
    ///
    /// # Errors
    /// The first fault, in words: of the text, or of the position ([`PositionError`](super::PositionError)).
    pub fn from_sfen(sfen: &str) -> Result<Self, SfenError> {
        let (board, number) = Board::from_sfen(sfen)?;
        if sfen_fields(sfen).nth(2).is_none() {
            return Err(SfenError::Missing(quote(sfen), "hands ('-' if empty)"));
        }
        // 0 is common in files that count from the position set up.
        Ok(Self::from_board(&board, number.max(1))?)
    }

    /// The position as an SFEN with its move number.
    pub fn to_sfen(&self) -> String {
        Board::from(self).to_sfen(self.move_number())
    }
}
