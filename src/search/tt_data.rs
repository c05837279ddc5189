//! What the transposition table knows of a node.

use crate::tt::{DEPTH_NONE, Entry};
use crate::types::{Bound, Depth, Move, Score};

/// The table's entry as the node sees it.
#[derive(Clone, Copy)]
pub(super) struct TtData {
    /// There is an entry.
    pub(super) hit: bool,
    /// The best move known, if it is legal here. At the root, the best root move.
    pub(super) mv: Option<Move>,
    /// That move is a capture.
    pub(super) capture: bool,
    /// Depth of the search that found `score`.
    pub(super) depth: Depth,
    /// Mates counted from the root; `None` where the entry holds no search.
    pub(super) score: Option<Score>,
    /// What `score` is.
    pub(super) bound: Option<Bound>,
    /// The static evaluation, not corrected.
    pub(super) eval: Option<Score>,
    /// The position was on a principal variation.
    pub(super) is_pv: bool,
}

impl TtData {
    /// The entry (if there is one) at a node `ply` plies from the root, without its move, which the node must test
    /// first.
    #[inline]
    pub(super) fn new(entry: Option<Entry>, ply: usize) -> Self {
        Self {
            hit: entry.is_some(),
            mv: None,
            capture: false,
            depth: entry.map_or(DEPTH_NONE, |entry| entry.depth),
            score: entry.and_then(|entry| entry.bound.map(|_| from_table(entry.score, ply))),
            bound: entry.and_then(|entry| entry.bound),
            eval: entry.and_then(|entry| entry.eval),
            is_pv: entry.is_some_and(|entry| entry.is_pv),
        }
    }

    /// Whether the score bounds the true value in the direction asked for: from below (`high`) or from above.
    #[inline]
    pub(super) fn bounds(&self, high: bool) -> bool {
        match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => high,
            Some(Bound::Upper) => !high,
            None => false,
        }
    }

    /// Whether the position has been tested for immediate wins: all that the table knows have been, but those in which
    /// quiescence stood pat at once.
    #[inline]
    pub(super) fn wins_tested(&self) -> bool {
        self.hit && (self.depth > DEPTH_NONE || self.bound.is_none())
    }

    /// Whether the position is worth at least the score.
    #[inline]
    pub(super) fn is_lower_bound(&self) -> bool {
        matches!(self.bound, Some(Bound::Lower | Bound::Exact))
    }
}

/// Mates are stored as distances from their node and used as distances from the root.
#[inline]
fn from_table(score: Score, ply: usize) -> Score {
    if score.is_win() {
        score - ply as i32
    } else if score.is_loss() {
        score + ply as i32
    } else {
        score
    }
}

/// A score as the table stores it: mates as distances from the node at `ply`.
#[inline]
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

    #[test]
    fn only_nodes_that_stood_pat_are_known_without_a_test_for_wins() {
        let tested = |depth, bound| {
            let score = Score(12);
            let entry = Entry { mv: None, score, bound, eval: Some(score), depth, is_pv: false };
            TtData::new(Some(entry), 0).wins_tested()
        };
        assert!(!TtData::new(None, 0).wins_tested());
        assert!(tested(DEPTH_NONE, None));
        assert!(!tested(DEPTH_NONE, Some(Bound::Lower)));
        assert!(tested(0, Some(Bound::Upper)) && tested(7, Some(Bound::Lower)));
    }
}
