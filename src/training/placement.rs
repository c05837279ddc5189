//! What stands where, without the rules: the common ground of the record formats and the trainer's inputs.

use crate::position::Position;
use crate::types::{Color, Hand, Piece, PieceType, Square};

/// The pieces on the board and in the hands, and the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The piece on each square, by [`Square::index`].
    pub board: [Option<Piece>; 81],
    /// The hands, by [`Color::index`].
    pub hands: [Hand; 2],
    /// The side to move.
    pub side: Color,
}

impl Placement {
    /// An empty board, empty hands, Black to move.
    pub const EMPTY: Self = Self { board: [None; 81], hands: [Hand::EMPTY; 2], side: Color::Black };

    /// The square of a side's king.
    pub fn king(&self, color: Color) -> Option<Square> {
        let king = Some(Piece::new(color, PieceType::King));
        let index = self.board.iter().position(|&piece| piece == king)?;
        Square::from_index(index)
    }

    /// Every piece on the board with its square.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| Some((square, self.board[square.index()]?)))
    }

    /// The first three fields of an SFEN: board, side to move, hands.
    pub fn to_sfen(&self) -> String {
        use std::fmt::Write;
        let mut text = String::with_capacity(100);
        for rank in 0..9 {
            if rank > 0 {
                text.push('/');
            }
            let mut empty = 0;
            for file in (0..9).rev() {
                match self.board[file * 9 + rank] {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            let _ = write!(text, "{empty}");
                            empty = 0;
                        }
                        let _ = write!(text, "{piece}");
                    }
                }
            }
            if empty > 0 {
                let _ = write!(text, "{empty}");
            }
        }
        text.push_str(if self.side == Color::Black { " b " } else { " w " });
        if self.hands.iter().all(|hand| hand.is_empty()) {
            text.push('-');
        } else {
            let _ = write!(text, "{}", self.hands[0]);
            text.push_str(&self.hands[1].to_string().to_ascii_lowercase());
        }
        text
    }
}

impl From<&Position> for Placement {
    fn from(position: &Position) -> Self {
        let mut placement = Self::EMPTY;
        for square in position.occupied() {
            placement.board[square.index()] = position.piece_on(square);
        }
        placement.hands = Color::ALL.map(|color| position.hand(color));
        placement.side = position.side_to_move();
        placement
    }
}
