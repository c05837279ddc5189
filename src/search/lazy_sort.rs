//! Moves in the order of their ranks, sorted only as far as they are asked for.
//!
//! A node in shogi may have hundreds of quiet moves, most of them drops, but most nodes try only a few of them. So each
//! is selected when it is asked for; even where many are, the vector instructions that find the highest of a hundred
//! ranks are faster than sorting them once.

use std::ops::Range;

use super::move_stack::{MoveStack, Ranked};

/// Bits below a rank for the index of its move, so that moves of equal rank stay as they were generated.
const INDEX_BITS: u32 = 10;
const LAST_INDEX: i32 = (1 << INDEX_BITS) - 1;

/// A lazy, stable selection sort of a range of the move stack, best first.
#[derive(Default)]
pub(super) struct LazySort {
    range: Range<usize>,
    /// How many moves have been taken.
    taken: usize,
    /// The next one, if it has been found already.
    next: Option<Ranked>,
}

impl LazySort {
    /// The sort takes over the ranks of the range: each becomes a key with the index of its move in the low bits. Ranks
    /// must be below two million in absolute value.
    pub(super) fn new(moves: &mut MoveStack, range: Range<usize>) -> Self {
        // Counted upwards: the compiler makes vector instructions of it.
        for (index, rank) in moves.ranks_mut(range.clone()).iter_mut().enumerate() {
            *rank = (*rank << INDEX_BITS) + (LAST_INDEX - index as i32);
        }
        Self { range, taken: 0, next: None }
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

    fn find(&mut self, moves: &mut MoveStack) -> Ranked {
        let keys = moves.ranks_mut(self.range.clone());
        let key = highest(keys);
        let index = (LAST_INDEX - (key & LAST_INDEX)) as usize;
        // A selected move must not come again.
        keys[index] = i32::MIN;
        Ranked { mv: moves.mv(self.range.start + index), rank: key >> INDEX_BITS }
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
                given.push((ranked.mv, ranked.rank));
                order.take();
            }
            expected.sort_by_key(|&(_, rank)| Reverse(rank));
            assert_eq!(given, expected);
        }
    }
}
