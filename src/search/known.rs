//! What the transposition table knows of a node.

use crate::tt::{DEPTH_NONE, Entry};
use crate::types::{Bound, Depth, Move, Score};

/// The table's entry of a node, as the node sees it.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// The table has the position at all.
    pub(super) hit: bool,
    /// The best move known, where it proved legal. At the root it is the best root move.
    pub(super) mv: Option<Move>,
    /// That move is a capture or a promotion of a pawn.
    pub(super) noisy: bool,
    /// How deep `score` was searched.
    pub(super) depth: Depth,
    /// With mates counted from the root; `None` where no search has left one.
    pub(super) score: Option<Score>,
    /// What `score` is.
    pub(super) bound: Option<Bound>,
    /// The static evaluation, not corrected.
    pub(super) eval: Option<Score>,
    /// The position was on a principal variation.
    pub(super) was_pv: bool,
}

impl Known {
    /// The entry (if there is one) at a node so many plies from the root. Its move is left for the node to test.
    #[inline(always)]
    pub(super) fn new(entry: Option<Entry>, ply: usize) -> Self {
        Self {
            hit: entry.is_some(),
            mv: None,
            noisy: false,
            depth: entry.map_or(DEPTH_NONE, |entry| entry.depth),
            score: entry.and_then(|entry| entry.bound.map(|_| from_table(entry.score, ply))),
            bound: entry.and_then(|entry| entry.bound),
            eval: entry.and_then(|entry| entry.eval),
            was_pv: entry.is_some_and(|entry| entry.is_pv),
        }
    }

    /// Whether the score says something about values that are high (at least or above some bar), or low.
    #[inline(always)]
    pub(super) fn bounds(&self, high: bool) -> bool {
        match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => high,
            Some(Bound::Upper) => !high,
            None => false,
        }
    }

    /// Whether the position is worth at least the score.
    #[inline(always)]
    pub(super) fn is_lower_bound(&self) -> bool {
        matches!(self.bound, Some(Bound::Lower | Bound::Exact))
    }
}

/// Mates are stored as distances from their node, and used as distances from the root.
#[inline(always)]
fn from_table(score: Score, ply: usize) -> Score {
    if score.is_win() {
        score - ply as i32
    } else if score.is_loss() {
        score + ply as i32
    } else {
        score
    }
}

/// A score as the table keeps it: mates as distances from the node at `ply`.
#[inline(always)]
pub(super) fn to_table(score: Score, ply: usize) -> Score {
    if score.is_win() {
        score + ply as i32
    } else if score.is_loss() {
        score - ply as i32
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_from_the_node_in_the_table_and_from_the_root_outside() {
        for score in [Score::mate_in(9), Score::mated_in(8), Score(123)] {
            let stored = to_table(score, 5);
            assert_eq!(from_table(stored, 5), score);
        }
        assert_eq!(to_table(Score::mate_in(9), 5), Score::mate_in(4));
        assert_eq!(to_table(Score::mated_in(8), 5), Score::mated_in(3));
    }
}
