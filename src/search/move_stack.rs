//! The moves of all open nodes, with their ranks.

use std::ops::Range;

use crate::bitboard::Bitboard;
use crate::types::{Move, PieceType, Square};

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
    /// As long as the ranks; beyond `len` stand moves that have been given up.
    moves: Vec<Move>,
    ranks: Vec<i32>,
    len: usize,
}

impl MoveStack {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn push(&mut self, mv: Move, rank: i32) {
        let (moves, ranks) = self.room();
        (moves[0], ranks[0]) = (mv, rank);
        self.len += 1;
    }

    /// Appends the moves to each square of a set, with their ranks.
    #[inline(always)]
    pub(super) fn push_each(&mut self, to: Bitboard, mv: impl Fn(Square) -> Move, rank: impl Fn(Square) -> i32) {
        let (moves, ranks) = self.room();
        let mut count = 0;
        for square in to {
            (moves[count], ranks[count]) = (mv(square), rank(square));
            count += 1;
        }
        self.len += count;
    }

    /// The places of the next moves, one for each square of the board.
    #[inline(always)]
    fn room(&mut self) -> (&mut [Move; Square::COUNT], &mut [i32; Square::COUNT]) {
        if self.moves.len() < self.len + Square::COUNT {
            self.grow();
        }
        let (moves, ranks) = (&mut self.moves[self.len..], &mut self.ranks[self.len..]);
        let (Some(moves), Some(ranks)) = (moves.first_chunk_mut(), ranks.first_chunk_mut()) else {
            unreachable!("there is room for a move to each square")
        };
        (moves, ranks)
    }

    #[cold]
    fn grow(&mut self) {
        let len = 2 * self.moves.len() + Square::COUNT;
        self.moves.resize(len, Move::drop(PieceType::Pawn, Square::from_index_unchecked(0)));
        self.ranks.resize(len, 0);
    }

    #[inline]
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
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
        debug_assert!(range.end <= self.len);
        &mut self.ranks[range]
    }

    /// Swaps the highest ranked move of a range to its front (the first of several) and returns it.
    #[inline]
    pub(super) fn bring_best(&mut self, range: Range<usize>) -> Option<Ranked> {
        debug_assert!(range.end <= self.len);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_kept_when_the_stack_grows_and_given_up_ones_replaced() {
        let mut stack = MoveStack::default();
        let mut expected = Vec::new();
        let drop = |square| Move::drop(PieceType::Gold, square);
        for round in 0..40 {
            stack.push_each(Bitboard::FULL, drop, |square| round + square.index() as i32);
            expected.extend(Square::all().map(|square| (drop(square), round + square.index() as i32)));
            // A node below has been left.
            let len = expected.len() - 7;
            stack.truncate(len);
            stack.truncate(len + 3);
            expected.truncate(len);
            let mv = Move::drop(PieceType::Pawn, Square::from_index_unchecked(round as u8));
            stack.push(mv, -round);
            expected.push((mv, -round));
        }
        let moves: Vec<_> = (0..stack.len()).map(|at| (stack.mv(at), stack.rank(at))).collect();
        assert_eq!(moves, expected);
    }
}
