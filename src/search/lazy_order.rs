//! Moves in the order of their ranks, found as far as they are asked for.
//!
//! In shogi a node has a hundred quiet moves and more, of which most nodes try a handful before they are cut off or prune
//! the rest. So the first few are selected one by one, and only a node that wants more pays for sorting them.

use std::cmp::Reverse;
use std::ops::Range;

use crate::types::Move;

/// So many moves are selected before the rest is sorted.
const SELECTED: usize = 10;
/// Bits below a rank for the place of its move: moves of the same rank stay as they were generated.
const PLACE_BITS: u32 = 10;
const LAST_PLACE: usize = (1 << PLACE_BITS) - 1;

/// A move with its rank.
#[derive(Clone, Copy)]
pub(super) struct Ranked {
    pub(super) mv: Move,
    pub(super) rank: i32,
}

/// Swaps the highest ranked move to the front, the first of several; `None` for no moves.
#[inline(always)]
pub(super) fn bring_best(moves: &mut [Ranked]) -> Option<Ranked> {
    let mut best = 0;
    for (i, ranked) in moves.iter().enumerate() {
        if ranked.rank > moves[best].rank {
            best = i;
        }
    }
    let found = *moves.get(best)?;
    moves.swap(0, best);
    Some(found)
}

/// How far a part of a list of moves is in order.
#[derive(Default)]
pub(super) struct LazyOrder {
    /// Moves before this are in order.
    ready: usize,
    /// When the rest is sorted.
    patience: usize,
    /// Moves from here on are ranked too low to be put in order.
    end: usize,
}

impl LazyOrder {
    /// An order of the moves in `range`, best first, as far as they are ranked at least `limit`; the others follow in any
    /// order. Until the moves are handed out their ranks belong to it. A rank is below two millions either way.
    pub(super) fn new(moves: &mut [Ranked], range: Range<usize>, limit: i32) -> Self {
        let mut end = range.start;
        for i in range.clone() {
            let Ranked { mv, rank } = moves[i];
            if rank >= limit {
                let place = (end - range.start).min(LAST_PLACE);
                let rank = (rank << PLACE_BITS) + (LAST_PLACE - place) as i32;
                moves[i] = moves[end];
                moves[end] = Ranked { mv, rank };
                end += 1;
            }
        }
        Self {
            ready: range.start,
            patience: range.start + SELECTED,
            end,
        }
    }

    /// The move at index `at`: one that was handed out before, or the next.
    #[inline(always)]
    pub(super) fn at(&mut self, moves: &mut [Ranked], at: usize) -> Ranked {
        if at >= self.ready && at < self.end {
            self.proceed(moves);
        }
        moves[at]
    }

    /// Puts one more move in order, or all.
    fn proceed(&mut self, moves: &mut [Ranked]) {
        let rest = &mut moves[self.ready..self.end];
        let proceeded = if self.ready < self.patience {
            bring_best(rest);
            1
        } else {
            rest.sort_unstable_by_key(|ranked| Reverse(ranked.rank));
            rest.len()
        };
        for ranked in &mut rest[..proceeded] {
            ranked.rank >>= PLACE_BITS;
        }
        self.ready += proceeded;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    /// The order is that of a stable sort of the moves above the limit; all others stand behind them.
    #[test]
    fn it_is_a_stable_sort() {
        // The position with the most legal moves there is; each stands for its place.
        let sfen = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
        let moves = Position::from_sfen(sfen).unwrap().legal_moves().to_vec();
        for seed in 0..400 {
            let scale = 1 + 5 * seed as i32;
            let limit = scale * (seed as i32 % 350 - 300);
            let pair = |ranked: &Ranked| (ranked.mv, ranked.rank);
            let before: Vec<Ranked> = moves[..seed]
                .iter()
                .enumerate()
                .map(|(i, &mv)| Ranked {
                    mv,
                    rank: scale * ((i * i * 7919 + seed * 104_729) % 601) as i32 - 300 * scale,
                })
                .collect();
            let mut moves = before.clone();
            let mut order = LazyOrder::new(&mut moves, 0..seed, limit);
            let given: Vec<_> = (0..seed)
                .map(|at| pair(&order.at(&mut moves, at)))
                .collect();

            let (mut high, mut low): (Vec<_>, Vec<_>) = before
                .iter()
                .map(pair)
                .partition(|&(_, rank)| rank >= limit);
            high.sort_by_key(|&(_, rank)| Reverse(rank));
            let (first, last) = given.split_at(high.len());
            assert_eq!(first, high);
            let mut last = last.to_vec();
            last.sort();
            low.sort();
            assert_eq!(last, low);
        }
    }
}
