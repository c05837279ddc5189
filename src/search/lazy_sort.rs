//! Moves in the order of their ranks, sorted only as far as they are asked for.
//!
//! A node in shogi may have hundreds of quiet moves, most of them drops, but most nodes try only a few of them. So each
//! is selected when it is asked for; even where many are, the vector instructions that find the highest of a hundred
//! ranks are faster than sorting them once.

use std::ops::Range;

use crate::types::Move;

use super::move_stack::{MoveStack, Ranked};

/// Bits below a rank for the index of its move, so that moves of equal rank stay as they were generated.
const INDEX_BITS: u32 = 10;
const LAST_INDEX: i32 = (1 << INDEX_BITS) - 1;
/// The bit above the index is set until the move is put back.
const FRESH: i32 = 1 << INDEX_BITS;
const LOW_BITS: u32 = INDEX_BITS + 1;
/// The key of a move that must not come again.
const TAKEN: i32 = i32::MIN;

/// A lazy, stable selection sort of a range of the move stack, best first.
#[derive(Default)]
pub(super) struct LazySort {
    range: Range<usize>,
    /// How many moves have been taken.
    taken: usize,
    /// The next one, if it has been found already.
    next: Option<Ranked>,
    /// Its index in the range.
    index: usize,
    /// Whether it has been put back before.
    put_back: bool,
}

impl LazySort {
    /// The sort takes over the ranks of the range: each becomes a key with the index of its move in the low bits. Ranks
    /// must be below a million in absolute value.
    pub(super) fn new(moves: &mut MoveStack, range: Range<usize>) -> Self {
        // Counted upwards: the compiler makes vector instructions of it.
        for (index, rank) in moves.ranks_mut(range.clone()).iter_mut().enumerate() {
            *rank = (*rank << LOW_BITS) + FRESH + (LAST_INDEX - index as i32);
        }
        Self { range, taken: 0, next: None, index: 0, put_back: false }
    }

    /// The best move that has not been taken.
    #[inline]
    pub(super) fn peek(&mut self, moves: &mut MoveStack) -> Option<Ranked> {
        if self.next.is_none() && self.taken < self.range.len() {
            self.next = Some(self.find(moves));
        }
        self.next
    }

    /// Takes the move that was peeked at.
    #[inline]
    pub(super) fn take(&mut self) {
        self.next = None;
        self.taken += 1;
    }

    /// Whether a move has been taken.
    pub(super) fn has_taken(&self, moves: &MoveStack, mv: Move) -> bool {
        let taken = self.range.clone().any(|at| moves.mv(at) == mv && moves.rank(at) == TAKEN);
        taken && self.next.is_none_or(|peeked| peeked.mv != mv)
    }

    /// Whether the move that was peeked at has been put back before.
    #[inline]
    pub(super) fn was_put_back(&self) -> bool {
        self.put_back
    }

    /// Puts the move that was peeked at back, with a lower rank.
    #[inline]
    pub(super) fn put_back(&mut self, moves: &mut MoveStack, rank: i32) {
        self.next = None;
        moves.ranks_mut(self.range.clone())[self.index] = (rank << LOW_BITS) + (LAST_INDEX - self.index as i32);
    }

    fn find(&mut self, moves: &mut MoveStack) -> Ranked {
        let keys = moves.ranks_mut(self.range.clone());
        let key = highest(keys);
        let index = (LAST_INDEX - (key & LAST_INDEX)) as usize;
        keys[index] = TAKEN;
        (self.index, self.put_back) = (index, key & FRESH == 0);
        Ranked { mv: moves.mv(self.range.start + index), rank: key >> LOW_BITS }
    }
}

/// The highest of some keys.
#[inline]
fn highest(keys: &[i32]) -> i32 {
    #[inline(always)]
    fn plain(keys: &[i32]) -> i32 {
        keys.iter().copied().max().unwrap_or(i32::MIN)
    }
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn avx2(keys: &[i32]) -> i32 {
            plain(keys)
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2, as just asked.
            return unsafe { avx2(keys) };
        }
    }
    plain(keys)
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;
    use crate::position::Position;

    #[test]
    fn it_is_a_stable_sort() {
        // The position with the most legal moves known; each stands for its index.
        let sfen = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
        let moves = Position::from_sfen(sfen).unwrap().legal_moves().to_vec();
        for seed in 0..400 {
            let scale = 1 + 5 * seed as i32;
            let rank = |i: usize| scale * ((i * i * 7919 + seed * 104_729) % 601) as i32 - 300 * scale;
            let mut expected: Vec<_> = (0..seed).map(|i| (moves[i], rank(i))).collect();
            let mut stack = MoveStack::default();
            // Other nodes' moves before and after must not be touched.
            stack.push(moves[0], i32::MAX);
            for &(mv, rank) in &expected {
                stack.push(mv, rank);
            }
            stack.push(moves[0], i32::MAX);
            let mut order = LazySort::new(&mut stack, 1..1 + seed);
            let mut given = Vec::new();
            while let Some(ranked) = order.peek(&mut stack) {
                assert_eq!(order.peek(&mut stack).map(|again| again.mv), Some(ranked.mv));
                assert!(!order.has_taken(&stack, ranked.mv));
                given.push((ranked.mv, ranked.rank));
                order.take();
                assert!(order.has_taken(&stack, ranked.mv));
            }
            expected.sort_by_key(|&(_, rank)| Reverse(rank));
            assert_eq!(given, expected);
        }
    }

    #[test]
    fn a_move_that_is_put_back_comes_by_its_new_rank() {
        let moves = Position::startpos().legal_moves().to_vec();
        let mut stack = MoveStack::default();
        for (&mv, rank) in moves.iter().zip([30, -50, 20, 10]) {
            stack.push(mv, rank);
        }
        let mut order = LazySort::new(&mut stack, 0..4);
        let mut given = Vec::new();
        while let Some(ranked) = order.peek(&mut stack) {
            if ranked.rank >= 20 && !order.was_put_back() {
                order.put_back(&mut stack, ranked.rank - 20);
                continue;
            }
            given.push((ranked.mv, ranked.rank, order.was_put_back()));
            order.take();
        }
        // Of equal ranks, one that was not put back comes first.
        let expected = [(3, 10, false), (0, 10, true), (2, 0, true), (1, -50, false)];
        assert_eq!(given, expected.map(|(i, rank, back)| (moves[i], rank, back)));
    }
}
