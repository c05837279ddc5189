//! What each piece contributes to an evaluation: the value with it less the value without it.

use std::fmt;

use super::network::Network;
use crate::position::{Board, Position};
use crate::types::{Color, Hand, Piece, PieceType, Square};

/// The share of one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// Where it stands; `None` in hand.
    pub square: Option<Square>,
    /// The piece, with its owner.
    pub piece: Piece,
    /// How much higher Black's value is than without the piece; `None` for a king, without which there is no value. For
    /// pieces in hand: than without one of them.
    pub value: Option<i32>,
}

/// An evaluation by pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The value from the side to move's view.
    pub value: i32,
    /// The side to move.
    pub side: Color,
    /// Pieces on the board by square, then kinds in hand.
    pub contributions: Vec<Contribution>,
    hands: [Hand; 2],
}

impl Network {
    /// The value of a position and what each piece contributes.
    pub fn explain(&self, position: &Position) -> Explanation {
        let side = position.side_to_move();
        let sign = if side == Color::Black { 1 } else { -1 };
        let mut board = Board::from(position);
        let value = self.evaluate_board(&board);
        let mut contributions = Vec::new();
        for (square, piece) in Board::from(position).pieces() {
            let share = (piece.piece_type() != PieceType::King).then(|| {
                board.set(square, None);
                let without = self.evaluate_board(&board);
                board.set(square, Some(piece));
                sign * (value - without)
            });
            contributions.push(Contribution { square: Some(square), piece, value: share });
        }
        let hands = Color::ALL.map(|color| position.hand(color));
        for color in Color::ALL {
            for (kind, count) in Board::from(position).held(color) {
                board.set_hand(color, kind, count - 1);
                let without = self.evaluate_board(&board);
                board.set_hand(color, kind, count);
                contributions.push(Contribution {
                    square: None,
                    piece: Piece::new(color, kind),
                    value: Some(sign * (value - without)),
                });
            }
        }
        Explanation { value, side, contributions, hands }
    }
}

/// A board with each piece above its share, then the hands, then the value. Shares are from Black's view.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = |square| self.contributions.iter().find(|share| share.square == Some(square));
        let rule = |f: &mut fmt::Formatter<'_>| writeln!(f, "+{}", "-------+".repeat(9));
        writeln!(f, "What each piece adds to Black's value (the value without it, subtracted):")?;
        for file in (1..=9).rev() {
            write!(f, "    {file}   ")?;
        }
        writeln!(f)?;
        for rank in 0..9 {
            rule(f)?;
            let row = || (0..9).rev().map(|file| on(Square::new(file, rank)));
            for share in row() {
                let piece = share.map_or(String::new(), |share| share.piece.to_string());
                write!(f, "|{piece:^7}")?;
            }
            writeln!(f, "| {}", (b'a' + rank) as char)?;
            for share in row() {
                let value = share.and_then(|share| share.value).map_or(String::new(), |v| format!("{v:+}"));
                write!(f, "|{value:^7}")?;
            }
            writeln!(f, "|")?;
        }
        rule(f)?;
        for color in Color::ALL {
            let held: Vec<_> = (self.contributions.iter())
                .filter(|share| share.square.is_none() && share.piece.color() == color)
                .map(|share| {
                    let count = self.hands[color.index()].count(share.piece.piece_type());
                    format!("{count} {} ({:+} each)", share.piece, share.value.unwrap_or(0))
                })
                .collect();
            let held = if held.is_empty() { "none".to_owned() } else { held.join(", ") };
            writeln!(f, "{color} in hand: {held}")?;
        }
        write!(f, "value {} for {}, the side to move", self.value, self.side)
    }
}
