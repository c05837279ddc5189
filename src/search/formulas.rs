//! The formulas by which the search prunes, reduces and extends, each with its name. Margins are centipawns, depths
//! plies, histories as [`history`](super::history) keeps them.

use crate::types::Depth;

use super::params as p;

/// Razoring: how far below alpha a static value must lie for the position to be given up.
#[inline(always)]
pub(super) fn razor_margin(depth: Depth) -> i32 {
    p::razor_base() + p::razor_square() * depth * depth
}

/// Reverse futility: how far above beta a static value must lie for the position to be taken as won.
#[inline(always)]
pub(super) fn reverse_futility_margin(depth: Depth, certain: bool, improving: bool, worsening: bool) -> i32 {
    let slope = p::reverse_futility() - i32::from(certain) * p::reverse_futility_certain();
    let spared =
        i32::from(improving) * p::reverse_futility_improving() * slope / 1024 + i32::from(worsening) * slope / 3;
    slope * depth - spared
}

/// Null move: how far below beta the static value may lie (a negative number: above it).
#[inline(always)]
pub(super) fn null_margin(depth: Depth) -> i32 {
    p::null_slope() * depth - p::null_base()
}

/// Null move: plies taken off the search after passing.
#[inline(always)]
pub(super) fn null_reduction(depth: Depth) -> Depth {
    p::null_reduction() / 16 + depth * 16 / p::null_depth_divisor()
}

/// ProbCut: how far above beta a capture must come out in a shallow search.
#[inline(always)]
pub(super) fn probcut_margin(improving: bool) -> i32 {
    p::probcut_margin() - if improving { p::probcut_improving() } else { 0 }
}

/// Late-move pruning: the number of moves after which quiet ones are not tried.
#[inline(always)]
pub(super) fn late_move_count(depth: Depth, improving: bool) -> usize {
    let count = p::late_moves_base() + p::late_moves_square() * depth * depth / 64;
    (if improving { count } else { count / 2 }) as usize
}

/// Futility of captures: what one may hope to win beside the captured piece.
#[inline(always)]
pub(super) fn capture_futility_margin(reduced: Depth, history: i32) -> i32 {
    p::capture_futility_base() + p::capture_futility_slope() * reduced + history * p::capture_futility_history() / 1024
}

/// The material that a capture or check may lose in exchanges.
#[inline(always)]
pub(super) fn capture_loss(depth: Depth, history: i32) -> i32 {
    (p::capture_see_slope() * depth + history / p::capture_see_history()).max(0)
}

/// Futility of quiet moves: what one may hope to win.
#[inline(always)]
pub(super) fn futility_margin(reduced: Depth, has_best: bool, above_alpha: bool) -> i32 {
    let base = if has_best { p::futility_base_best() } else { p::futility_base() };
    base + p::futility_slope() * reduced + i32::from(above_alpha) * p::futility_above_alpha()
}

/// The material that a quiet move may lose in exchanges.
#[inline(always)]
pub(super) fn quiet_loss(reduced: Depth) -> i32 {
    let reduced = reduced.max(0);
    p::quiet_see_square() * reduced * reduced
}

/// Singular extension: how far below the table's score the other moves must stay. `was_pv`: on a principal variation
/// once, but not now.
#[inline(always)]
pub(super) fn singular_margin(depth: Depth, was_pv: bool) -> i32 {
    let slope = p::singular_margin() + if was_pv { p::singular_margin_pv() } else { 0 };
    slope * depth / 64
}

/// Singular extension: how much further below they must stay for a second and for a third ply. `correction` as the
/// histories have it.
#[inline(always)]
pub(super) fn more_singular_margins(pv: bool, on_pv: bool, quiet: bool, correction: i32) -> [i32; 2] {
    let certainty = (correction / 230_000).abs();
    let double = p::double_margin() + if pv { p::double_margin_pv() } else { 0 }
        - if quiet { p::double_margin_quiet() } else { 0 };
    let triple = p::triple_margin() + if pv { p::triple_margin_pv() } else { 0 }
        - if quiet { p::triple_margin_quiet() } else { 0 }
        + if on_pv { p::triple_margin_on_pv() } else { 0 };
    [double - certainty, triple - certainty]
}

/// The late-move reduction's table: logarithms of depths and of move numbers, scaled.
pub(super) fn reduction_logarithms() -> [i32; 256] {
    let factor = f64::from(p::reduction_factor()) / 128.0;
    std::array::from_fn(|i| (factor * (i.max(1) as f64).ln()) as i32)
}
