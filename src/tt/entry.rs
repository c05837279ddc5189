//! Entries of the table, and how they are packed.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::types::{Bound, Depth, Move, Score};

/// Depth of entries that hold no search: only a static evaluation, or, with a bound, that quiescence stood pat on it.
pub const DEPTH_NONE: Depth = -2;
/// Added to a depth to store it; 0 marks a free slot.
pub(super) const DEPTH_OFFSET: Depth = 3;
/// A generation's step in the byte that it shares with the bound and the PV mark.
pub(super) const GENERATION_STEP: u8 = 8;
/// The 16 bits that stand for "no static evaluation".
const NO_EVAL: i16 = i16::MIN;

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move found, if any. It may come from a colliding key: test it with `is_legal`.
    pub mv: Option<Move>,
    /// Score for the side to move, mates counted from this position (not from the root).
    pub score: Score,
    /// What `score` is; `None` where only the static evaluation is known.
    pub bound: Option<Bound>,
    /// Uncorrected static evaluation; `None` where it was not computed (in check).
    pub eval: Option<Score>,
    /// Depth of the search that found `score`.
    pub depth: Depth,
    /// Whether the position is or was on a principal variation.
    pub is_pv: bool,
}

#[derive(Default)]
pub(super) struct Slot {
    /// `key ^ data`.
    pub(super) check: AtomicU64,
    /// From the low end: move 16, score 16, evaluation 16, depth 8, generation 5 + PV 1 + bound 2.
    pub(super) data: AtomicU64,
}

const _: () = assert!(size_of::<Slot>() == 16);

impl Slot {
    #[inline]
    pub(super) fn write(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

#[inline]
pub(super) fn depth_code(data: u64) -> u8 {
    (data >> 48) as u8
}

/// How many searches ago the entry was written, modulo 32.
#[inline]
pub(super) fn age(data: u64, generation: u8) -> u8 {
    generation.wrapping_sub((data >> 56) as u8 & !(GENERATION_STEP - 1)) / GENERATION_STEP
}

pub(super) fn encode(entry: &Entry, mv: u16, generation: u8) -> u64 {
    let eval = entry.eval.map_or(NO_EVAL, |eval| eval.0 as i16);
    let depth = (entry.depth + DEPTH_OFFSET).clamp(1, 255) as u8;
    let bound = entry.bound.map_or(0, |bound| bound as u8);
    let mark = generation | u8::from(entry.is_pv) << 2 | bound;
    u64::from(mv)
        | u64::from(entry.score.0 as i16 as u16) << 16
        | u64::from(eval as u16) << 32
        | u64::from(depth) << 48
        | u64::from(mark) << 56
}

#[inline]
pub(super) fn decode(data: u64) -> Entry {
    let eval = (data >> 32) as i16;
    let mark = (data >> 56) as u8;
    Entry {
        mv: Move::from_bits(data as u16),
        score: Score(i32::from((data >> 16) as i16)),
        bound: match mark & 3 {
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Exact),
            _ => None,
        },
        eval: (eval != NO_EVAL).then_some(Score(i32::from(eval))),
        depth: i32::from(depth_code(data)) - DEPTH_OFFSET,
        is_pv: mark & 4 != 0,
    }
}
