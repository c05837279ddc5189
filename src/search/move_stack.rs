//! The moves of all open nodes, with their ranks.

use std::ops::Range;

use crate::types::Move;

/// A move with its rank.
#[derive(Clone, Copy)]
pub(super) struct Ranked {
    pub(super) mv: Move,
    pub(super) rank: i32,
}

/// Moves of all open nodes, those of the deepest node last. Ranks have an array of their own, so that many can be
/// compared at a time (SIMD).
#[derive(Default)]
pub(super) struct MoveStack {
    moves: Vec<Move>,
    ranks: Vec<i32>,
}

impl MoveStack {
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    #[inline]
    pub(super) fn push(&mut self, mv: Move, rank: i32) {
        self.moves.push(mv);
        self.ranks.push(rank);
    }

    #[inline]
    pub(super) fn truncate(&mut self, len: usize) {
        self.moves.truncate(len);
        self.ranks.truncate(len);
    }

    #[inline]
    pub(super) fn mv(&self, at: usize) -> Move {
        self.moves[at]
    }

    #[inline]
    pub(super) fn rank(&self, at: usize) -> i32 {
        self.ranks[at]
    }

    #[inline]
    pub(super) fn set(&mut self, at: usize, ranked: Ranked) {
        self.moves[at] = ranked.mv;
        self.ranks[at] = ranked.rank;
    }

    /// The ranks of a range, to be changed.
    #[inline]
    pub(super) fn ranks_mut(&mut self, range: Range<usize>) -> &mut [i32] {
        &mut self.ranks[range]
    }

    /// Swaps the highest ranked move of a range to its front (the first of several) and returns it.
    #[inline]
    pub(super) fn bring_best(&mut self, range: Range<usize>) -> Option<Ranked> {
        let front = range.start;
        let (&first, rest) = self.ranks[range].split_first()?;
        let (mut best, mut rank) = (front, first);
        for (i, &other) in rest.iter().enumerate() {
            if other > rank {
                (best, rank) = (front + 1 + i, other);
            }
        }
        self.moves.swap(front, best);
        self.ranks.swap(front, best);
        let mv = self.moves[front];
        Some(Ranked { mv, rank })
    }
}
