//! What a piece on one square teaches about the squares around it.
//!
//! A piece is worth much the same two squares further on, but each of its rows in the sparse layer would have to find that
//! out from its own few positions. So what a row learns is also learned by its neighbours: beside each row stands a second
//! one, unseen, which is added to all rows of the same piece within two files and ranks. The optimiser moves both; on the
//! way forward, and in the exported file, there are only the sums. Idea: the factoriser of nnue-pytorch
//! (official-stockfish), whose common rows belong to all kings as these do to neighbouring squares.

// Loops over fixed widths become vector instructions most surely with their index.
#![allow(clippy::needless_range_loop)]

use super::optimiser::{Update, adam_w};
use super::simd::vectorised;
use super::transformer::TILE;

/// How many files and ranks away a neighbour may be.
const REACH: usize = 2;
/// Files of the board, and ranks.
const LINES: usize = 9;
/// The columns of a tile for one piece on all squares.
const PLANE: usize = LINES * LINES * TILE;

/// The optimiser's averages for the unseen rows of a tile.
pub struct Neighbours {
    /// First and second moments, piece after piece, square after square.
    pub moments: [Vec<f32>; 2],
}

impl Neighbours {
    /// Averages for so many pieces on squares, each of one owner and kind; they begin with nothing.
    pub fn new(pieces: usize) -> Self {
        Self {
            moments: [vec![0.0; pieces * PLANE], vec![0.0; pieces * PLANE]],
        }
    }

    /// One step of the unseen rows, which moves the rows that they are added to. `rows` gives the first row of each piece.
    pub fn update(
        &mut self,
        rows: impl Iterator<Item = usize>,
        weights: &mut [f32],
        gradient: &[f32],
        update: Update,
    ) {
        let [first, second] = &mut self.moments;
        let moments = first
            .chunks_exact_mut(PLANE)
            .zip(second.chunks_exact_mut(PLANE));
        for (row, (first, second)) in rows.zip(moments) {
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

    /// A plane with `value` on one square.
    fn on(square: usize, value: f32) -> Vec<f32> {
        let mut plane = vec![0.0; PLANE];
        plane[square * TILE..][..TILE].fill(value);
        plane
    }

    #[test]
    fn sums_reach_two_squares_far_and_not_around_the_edge() {
        for square in 0..81 {
            let sums = around(&on(square, 3.0));
            for other in 0..81 {
                let apart = |line: fn(usize) -> usize| line(square).abs_diff(line(other));
                let near = apart(|square| square / 9) <= 2 && apart(|square| square % 9) <= 2;
                let expected = if near { 3.0 } else { 0.0 };
                assert_eq!(sums[other * TILE + 5], expected, "{square} {other}");
            }
        }
    }

    #[test]
    fn a_row_moves_its_neighbours_and_no_other_piece() {
        let mut neighbours = Neighbours::new(2);
        // Two pieces with a row of something else between them.
        let second = 81 + 1;
        let mut weights = vec![0.0; (second + 81) * TILE];
        let mut gradient = weights.clone();
        gradient[second * TILE..].copy_from_slice(&on(40, 1.0));
        let update = Update {
            rate: 0.5,
            decay: 0.0,
            limit: f32::MAX,
            step: 1,
        };
        neighbours.update([0, second].into_iter(), &mut weights, &gradient, update);
        assert!(weights[..second * TILE].iter().all(|&weight| weight == 0.0));
        let moved = |square: usize| weights[(second + square) * TILE];
        // Adam's first step is the rate for every row that has a gradient: 25 of them around square 40.
        assert!((moved(40) + 25.0 * 0.5).abs() < 1e-3, "{}", moved(40));
        // Four files away one file of five squares is shared.
        assert!((moved(40 + 36) + 5.0 * 0.5).abs() < 1e-3);
        assert_eq!(moved(0), -0.5);
    }
}
