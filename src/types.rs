//! Basic types that all other modules use: colours, squares, pieces, hands, moves and scores.
//!
//! None of them refers to a board; all are small and `Copy` and depend on the standard library alone.

mod color;
mod hand;
mod moves;
mod piece;
mod score;
mod square;

pub use color::Color;
pub use hand::Hand;
pub use moves::{Move, ParseMoveError};
pub use piece::{ParsePieceError, Piece, PieceType};
pub use score::{Bound, Depth, MAX_DEPTH, MAX_PLY, Score, ScoreKind};
pub use square::{BySquare, ParseSquareError, Square};
