//! Moves in the order of their ranks, found as far as they are asked for.
//!
//! In shogi a node has a hundred quiet moves and more, of which most nodes try a handful before they are cut off or
//! prune the rest. So the first few are selected one by one, and only a node that wants more pays for sorting them.

use std::cmp::Reverse;
use std::ops::Range;

use super::move_stack::{MoveStack, Ranked};

/// So many moves are selected before the rest is sorted.
const SELECTED: usize = 10;
/// Bits below a rank for the place of its move: moves of the same rank stay as they were generated.
const PLACE_BITS: u32 = 10;
const LAST_PLACE: i32 = (1 << PLACE_BITS) - 1;

/// An order of a part of the moves, best first; moves of one rank come as they were generated.
#[derive(Default)]
pub(super) struct LazySort {
    part: Range<usize>,
    /// So many moves have been taken.
    taken: usize,
    /// The next one, where it has been found already.
    next: Option<Ranked>,
}

impl LazySort {
    /// From now on the ranks of the part belong to the order. A rank is below two millions either way.
    pub(super) fn new(moves: &mut MoveStack, part: Range<usize>) -> Self {
        for (rank, place) in moves.ranks_mut(part.clone()).iter_mut().zip((0..=LAST_PLACE).rev()) {
            *rank = (*rank << PLACE_BITS) + place;
        }
        Self { part, taken: 0, next: None }
    }

    /// The best move that has not been taken.
    #[inline(always)]
    pub(super) fn peek(&mut self, moves: &mut MoveStack) -> Option<Ranked> {
        if self.next.is_none() && self.taken < self.part.len() {
            self.next = Some(self.find(moves));
        }
        self.next
    }

    /// Takes the move that was peeked at.
    #[inline(always)]
    pub(super) fn take(&mut self) {
        self.next = None;
        self.taken += 1;
    }

    fn find(&mut self, moves: &mut MoveStack) -> Ranked {
        let keys = moves.ranks_mut(self.part.clone());
        let key = if self.taken < SELECTED {
            let best = keys.iter().copied().max().unwrap_or(i32::MIN);
            // What is selected never comes again: when the rest is sorted, it comes after all others.
            keys[(LAST_PLACE - (best & LAST_PLACE)) as usize] = i32::MIN;
            best
        } else {
            if self.taken == SELECTED {
                keys.sort_unstable_by_key(|&key| Reverse(key));
            }
            keys[self.taken - SELECTED]
        };
        let place = (LAST_PLACE - (key & LAST_PLACE)) as usize;
        Ranked { mv: moves.mv(self.part.start + place), rank: key >> PLACE_BITS }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn it_is_a_stable_sort() {
        // The position with the most legal moves there is; each stands for its place.
        let sfen = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
        let moves = Position::from_sfen(sfen).unwrap().legal_moves().to_vec();
        for seed in 0..400 {
            let scale = 1 + 5 * seed as i32;
            let rank = |i: usize| scale * ((i * i * 7919 + seed * 104_729) % 601) as i32 - 300 * scale;
            let mut expected: Vec<_> = (0..seed).map(|i| (moves[i], rank(i))).collect();
            let mut stack = MoveStack::default();
            // Other nodes' moves before and after are not touched.
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
