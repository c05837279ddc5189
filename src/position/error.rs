//! Why something is no position.

use crate::platform::wording::counted;
use crate::types::{Color, PieceType, Square};

/// Which rule a position breaks: one sentence that names piece and square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// More pieces of a kind than a set has.
    #[error("there are {1} {name}s, but a set has only {count}", name = .0.name(), count = .0.count_in_set())]
    TooMany(PieceType, u32),
    /// Two kings of a colour.
    #[error("{0} has two kings, on {1} and {2}")]
    TwoKings(Color, Square, Square),
    /// No king at all.
    #[error("there is no king on the board")]
    NoKing,
    /// A piece that could never move.
    #[error("{0}'s {name} on {2} could never move (dead-end square)", name = .1.name())]
    DeadEnd(Color, PieceType, Square),
    /// 二歩
    #[error("{0} has two unpromoted pawns on one file, on {1} and {2} (two pawns, nifu)")]
    TwoPawns(Color, Square, Square),
    /// The king of the side that is not to move could be captured.
    #[error("{0} is to move, but {1}'s king on {2} is in check from {3}")]
    CanCaptureKing(Color, Color, Square, Square),
}

/// Why a text is no position: one sentence that names the culprit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SfenError {
    /// A field is not there.
    #[error("the SFEN '{0}' lacks the {1}")]
    Missing(String, &'static str),
    /// Something follows the move number.
    #[error("the SFEN has '{0}' after its move number")]
    Trailing(String),
    /// The board has too few or too many ranks.
    #[error("the board '{0}' has {count}, not 9", count = counted(*.1, "rank", "ranks"))]
    Ranks(String, usize),
    /// A rank has too few or too many squares.
    #[error("rank {0} of the board, '{1}', has {2} squares instead of 9")]
    Squares(char, String, usize),
    /// A character of the board means nothing.
    #[error("'{1}' in rank {0} of the board is neither a piece nor a number of empty squares")]
    Piece(char, String),
    /// The side to move is neither `b` nor `w`.
    #[error("the side to move is '{0}' instead of b or w")]
    Side(String),
    /// The hands cannot be read.
    #[error("'{1}' in the hands '{0}' is neither a piece nor a count from 1 to 18 before one")]
    Hand(String, String),
    /// The move number is no number.
    #[error("the move number is '{0}' instead of a number")]
    MoveNumber(String),
    /// The text is read, but the position breaks a rule.
    #[error(transparent)]
    Position(#[from] PositionError),
}
