//! The moves at the root and what the search finds out about them.

use crate::types::{Bound, Depth, Move, Score};

use super::report::Line;

/// A move at the root with what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// The line expected after it.
    pub answers: Vec<Move>,
    /// Score in the running iteration; minus infinity where the move has not proved better than another.
    pub score: Score,
    /// Score in the previous iteration.
    pub previous_score: Score,
    /// Running average of its scores; the newest has half of the weight.
    pub average_score: Score,
    /// Running average of the squares of its scores, each with its score's sign.
    pub mean_square: i64,
    /// What `score` is.
    pub bound: Bound,
    /// The iteration that gave `answers` and the newest score other than minus infinity.
    pub depth: Depth,
    /// Deepest ply reached below it.
    pub seldepth: usize,
    /// Nodes spent on it in this search.
    pub effort: u64,
    /// Whether the running pass over the root moves has searched it.
    pub searched: bool,
}

impl From<Move> for RootMove {
    fn from(mv: Move) -> Self {
        Self {
            mv,
            answers: Vec::new(),
            score: -Score::INFINITE,
            previous_score: -Score::INFINITE,
            average_score: -Score::INFINITE,
            mean_square: 0,
            bound: Bound::Exact,
            depth: 0,
            seldepth: 0,
            effort: 0,
            searched: false,
        }
    }
}

impl RootMove {
    /// The newest score known, which may be that of the previous iteration.
    pub fn known_score(&self) -> Score {
        if self.score > -Score::INFINITE { self.score } else { self.previous_score }
    }

    /// The line that starts with the move.
    pub fn line(&self) -> Vec<Move> {
        [&[self.mv], self.answers.as_slice()].concat()
    }
}

/// What a worker has found.
#[derive(Clone, Debug)]
pub struct SearchOutcome {
    /// The root moves, best first.
    pub root_moves: Vec<RootMove>,
    /// The last finished iteration.
    pub depth: Depth,
    /// The final lines, the best first, which is that of the first root move.
    pub lines: Vec<Line>,
}
