//! The sparse first layer: rows of weights added up for the active features.
//!
//! The columns are cut into tiles that lie apart in memory, so that a tile's 64 columns of all rows stay in the
//! second-level cache while a group of positions passes, and so that each thread updates whole tiles: no gradient is
//! shared, and the sums run in the same order whatever the number of threads.

// Indexed loops over fixed widths are vectorised most reliably.
#![allow(clippy::needless_range_loop)]

use std::ops::Range;

use super::factoriser::SharedRows;
use super::inputs::Inputs;
use super::optimiser::{Update, adam_w};
use super::simd::{TILE, vectorised};
use crate::platform::random::Random;

/// The features of a group of positions: for each, both perspectives' rows in turn, `stride` each.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    /// Row numbers; unused places hold the number of the zero row, which is one past the last.
    pub rows: &'a [u32],
    /// Places per perspective.
    pub stride: usize,
}

/// 64 columns of the layer with their state of training.
pub struct Tile {
    /// Row after row, the zero row last.
    pub weights: Vec<f32>,
    /// The biases.
    pub biases: [f32; TILE],
    /// First and second moments of the weights.
    pub moments: [Vec<f32>; 2],
    /// First and second moments of the biases.
    pub bias_moments: [[f32; TILE]; 2],
    /// The rows shared by neighbouring squares; `None` before their first step.
    pub shared_rows: Option<SharedRows>,
    gradient: Vec<f32>,
    bias_gradient: [f32; TILE],
}

impl Tile {
    /// A tile for `rows` features with one bias and weights of zero, but random ones within ±`spread` in the rows
    /// of a range.
    pub fn new(rows: usize, random_rows: Range<usize>, spread: f32, bias: f32, random: &mut Random) -> Self {
        let mut weights = vec![0.0; (rows + 1) * TILE];
        for weight in &mut weights[random_rows.start * TILE..random_rows.end * TILE] {
            *weight = (2.0 * random.unit() - 1.0) * spread;
        }
        let zeros = vec![0.0; weights.len()];
        Self {
            weights,
            biases: [bias; TILE],
            moments: [zeros.clone(), zeros.clone()],
            bias_moments: [[0.0; TILE]; 2],
            shared_rows: None,
            gradient: zeros,
            bias_gradient: [0.0; TILE],
        }
    }

    /// Adds up the rows: `sums` gets 64 values per perspective of each position.
    pub fn forward(&self, features: Rows, sums: &mut [f32]) {
        vectorised(
            #[inline(always)]
            || {
                let groups = features.rows.chunks_exact(features.stride);
                for (rows, sum) in groups.zip(sums.as_chunks_mut::<TILE>().0) {
                    let mut total = self.biases;
                    for &row in rows {
                        let weights: &[f32] = &self.weights[row as usize * TILE..][..TILE];
                        for k in 0..TILE {
                            total[k] += weights[k];
                        }
                    }
                    *sum = total;
                }
            },
        );
    }

    /// Adds the derivatives by the sums to the gradient of the rows that made them.
    pub fn backward(&mut self, features: Rows, by_sums: &[f32]) {
        vectorised(
            #[inline(always)]
            || {
                let groups = features.rows.chunks_exact(features.stride);
                for (rows, by_sum) in groups.zip(by_sums.as_chunks::<TILE>().0) {
                    let by_sum = *by_sum;
                    for k in 0..TILE {
                        self.bias_gradient[k] += by_sum[k];
                    }
                    for &row in rows {
                        let gradient: &mut [f32] = &mut self.gradient[row as usize * TILE..][..TILE];
                        for k in 0..TILE {
                            gradient[k] += by_sum[k];
                        }
                    }
                }
            },
        );
    }

    /// One step of the rows shared by neighbouring squares, before [`Tile::update`], which clears the gradient.
    pub fn update_shared_rows(&mut self, inputs: &Inputs, rate: f32, step: u32) {
        let pieces = inputs.pieces();
        self.shared_rows.get_or_insert_with(|| SharedRows::new(pieces.len())).update(
            pieces,
            &mut self.weights,
            &self.gradient,
            rate,
            step,
        );
    }

    /// One step of the optimiser on the rows that the batch touched; `touched` gives row and step count.
    pub fn update(&mut self, touched: &[(u32, u32)], update: Update) {
        let [first, second] = &mut self.moments;
        for &(row, step) in touched {
            let range = row as usize * TILE..(row as usize + 1) * TILE;
            adam_w(
                &mut self.weights[range.clone()],
                &mut self.gradient[range.clone()],
                &mut first[range.clone()],
                &mut second[range],
                Update { step, ..update },
            );
        }
        // The zero row collects the gradient of unused places; it stays zero.
        let zero_row = self.gradient.len() - TILE;
        self.gradient[zero_row..].fill(0.0);
        let [first, second] = &mut self.bias_moments;
        adam_w(&mut self.biases, &mut self.bias_gradient, first, second, Update { decay: 0.0, ..update });
    }
}
