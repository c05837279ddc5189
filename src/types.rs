//! The words every other layer speaks: colours, squares, pieces, hands, moves and scores.
//!
//! Nothing here knows a board; everything is `Copy`, small, and depends on the standard library alone.

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
pub use square::{ParseSquareError, Square};
