//! The factoriser: rows of the sparse layer that are shared by neighbouring squares.
//!
//! A piece is worth much the same two squares away, but each of its rows would have to learn that from its own few
//! positions. So every square has a shared row beside its own, which counts for all squares within two files and ranks:
//! an own row is the sum of up to 25 shared ones and what it learned itself. Idea: the factoriser of nnue-pytorch
//! (official-stockfish), whose shared rows belong to all king squares as these do to neighbouring squares.
//!
//! The shared rows' values are not stored, only their moments: each of their steps is added to the own rows at once.
//! That is the same, because nothing but steps changes them (no limit), and a decay of the own rows takes the same share
//! of both parts.

// Indexed loops over fixed widths are vectorised most reliably.
#![allow(clippy::needless_range_loop)]

use super::optimiser::{Update, adam_w};
use super::simd::{TILE, vectorised};

/// How many files and ranks away a neighbour may be.
const REACH: usize = 2;
/// Files of the board, and ranks.
const LINES: usize = 9;
/// The columns of a tile for one piece on all squares.
const PLANE: usize = LINES * LINES * TILE;

/// The moments of the shared rows of a tile.
pub struct SharedRows {
    /// First and second moments, piece after piece, square after square.
    pub moments: [Vec<f32>; 2],
}

impl SharedRows {
    /// The shared rows of so many pieces, each of one owner and kind; their moments begin at 0.
    pub fn new(pieces: usize) -> Self {
        Self { moments: [vec![0.0; pieces * PLANE], vec![0.0; pieces * PLANE]] }
    }

    /// The `step`-th step of the shared rows, counted from 1: it moves the own rows that they count for. `first_rows`
    /// gives the first row of each piece.
    ///
    /// All of them step in every batch, unlike own rows: with 25 squares hardly any is without a gradient.
    pub fn update(
        &mut self,
        first_rows: impl Iterator<Item = usize>,
        weights: &mut [f32],
        gradient: &[f32],
        rate: f32,
        step: u32,
    ) {
        let update = Update { rate, decay: 0.0, limit: f32::MAX, step };
        let [first, second] = &mut self.moments;
        let moments = first.chunks_exact_mut(PLANE).zip(second.chunks_exact_mut(PLANE));
        for (row, (first, second)) in first_rows.zip(moments) {
            let range = row * TILE..row * TILE + PLANE;
            let mut sums = around(&gradient[range.clone()]);
            let mut steps = vec![0.0; PLANE];
            adam_w(&mut steps, &mut sums, first, second, update);
            for (weight, step) in weights[range].iter_mut().zip(around(&steps)) {
                *weight += step;
            }
        }
    }
}

/// For each square the sum over the squares within reach.
fn around(plane: &[f32]) -> Vec<f32> {
    along(&along(plane, LINES), 1)
}

/// The same along files or along ranks: the square before and the one behind are `stride` apart.
fn along(plane: &[f32], stride: usize) -> Vec<f32> {
    let mut sums = vec![0.0f32; PLANE];
    vectorised(
        #[inline(always)]
        || {
            for square in 0..LINES * LINES {
                let line = square / stride % LINES;
                let start = square - line * stride;
                let sum = &mut sums[square * TILE..][..TILE];
                for near in line.saturating_sub(REACH)..=(line + REACH).min(LINES - 1) {
                    let values = &plane[(start + near * stride) * TILE..][..TILE];
                    for k in 0..TILE {
                        sum[k] += values[k];
                    }
                }
            }
        },
    );
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::random::Random;

    fn near(square: usize, other: usize) -> bool {
        (square / 9).abs_diff(other / 9) <= 2 && (square % 9).abs_diff(other % 9) <= 2
    }

    #[test]
    fn sums_reach_two_squares_far_and_not_around_the_edge() {
        for square in 0..81 {
            let mut plane = vec![0.0; PLANE];
            plane[square * TILE..][..TILE].fill(3.0);
            let sums = around(&plane);
            for other in 0..81 {
                let expected = if near(square, other) { 3.0 } else { 0.0 };
                assert_eq!(sums[other * TILE + 5], expected, "{square} {other}");
            }
        }
    }

    #[test]
    fn own_rows_are_the_sums_of_shared_ones_that_descend_by_themselves() {
        const RATE: f32 = 0.01;
        let mut random = Random::new(4);
        // Two pieces with a row of something else between them, and shared rows that are written out.
        let first_rows = [0, 82];
        let mut shared = SharedRows::new(2);
        let mut weights = vec![0.0; (82 + 81) * TILE];
        let mut written_out = [vec![0.0; PLANE], vec![0.0; PLANE]];
        let mut moments: [[Vec<f32>; 2]; 2] = std::array::from_fn(|_| [vec![0.0; PLANE], vec![0.0; PLANE]]);
        for step in 1..=5 {
            let gradient: Vec<f32> = weights.iter().map(|_| random.unit() - 0.5).collect();
            shared.update(first_rows.into_iter(), &mut weights, &gradient, RATE, step);
            for ((rows, [first, second]), at) in written_out.iter_mut().zip(&mut moments).zip(first_rows) {
                let mut sums = vec![0.0; PLANE];
                for square in 0..81 {
                    for other in (0..81).filter(|&other| near(square, other)) {
                        for k in 0..TILE {
                            sums[square * TILE + k] += gradient[(at + other) * TILE + k];
                        }
                    }
                }
                let update = Update { rate: RATE, decay: 0.0, limit: f32::MAX, step };
                adam_w(rows, &mut sums, first, second, update);
            }
        }
        for (rows, at) in written_out.iter().zip(first_rows) {
            for square in 0..81 {
                let sum: f32 = (0..81).filter(|&other| near(square, other)).map(|other| rows[other * TILE + 7]).sum();
                let weight = weights[(at + square) * TILE + 7];
                assert!((weight - sum).abs() < 1e-4, "{square}: {weight} {sum}");
            }
        }
        assert!(weights[81 * TILE..82 * TILE].iter().all(|&weight| weight == 0.0));
    }
}
