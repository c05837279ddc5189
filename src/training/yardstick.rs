//! How far a network's static values are from labels.
//!
//! Matches tell networks apart slowly: 300 games leave ±38 Elo. What networks expect of some thousand positions,
//! against what a thorough search expects of them, tells the networks of one line apart within seconds, well enough to
//! choose between settings of the trainer. What is chosen must then prove itself in a match. The same measure on a
//! search's values says what that search has to teach: no network learns more from labels than they are closer to the
//! truth than it is.

use std::path::PathBuf;

use super::fit::loss::expectation;
use super::placement::Placement;
use super::source::{self, SourceError};

/// Scales that are tried for a network's values.
const SCALES: std::ops::RangeInclusive<u16> = 300..=2000;
const SCALE_STEP: usize = 50;

/// Positions with what is to be expected of them.
#[derive(Default)]
pub struct Labels {
    positions: Vec<Placement>,
    expectations: Vec<f32>,
}

/// How a network's expectations differ from the labels'.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The scale of the network's values that suits the labels best.
    pub scale: u16,
    /// The mean squared difference at that scale.
    pub mean_square: f64,
    /// The correlation at that scale, -1..=1.
    pub correlation: f64,
}

impl Labels {
    /// Reads labelled positions. `scale` is that of their scores; larger scores than `largest` are left out.
    ///
    /// # Errors
    /// Files that cannot be read.
    pub fn read(paths: &[PathBuf], scale: f32, largest: i16) -> Result<Self, SourceError> {
        let mut labels = Self::default();
        for path in source::files(paths)? {
            source::read(&path, |labelled, _| {
                if labelled.score.unsigned_abs() <= largest.unsigned_abs() {
                    labels.push(labelled.position, f32::from(labelled.score), scale);
                }
            })?;
        }
        Ok(labels)
    }

    /// Adds a position with its label.
    pub(super) fn push(&mut self, position: Placement, score: f32, scale: f32) {
        self.positions.push(position);
        self.expectations.push(expectation(score, scale));
    }

    /// The positions, in the order in which [`Labels::distance`] takes their values.
    pub fn positions(&self) -> &[Placement] {
        &self.positions
    }

    /// What the labels expect (0..=1), in the same order.
    pub fn expectations(&self) -> &[f32] {
        &self.expectations
    }

    /// Compares values, in centipawns for the side to move, with the labels; `None` without labels.
    ///
    /// # Panics
    /// Where there are not as many values as positions.
    pub fn distance(&self, values: &[i32]) -> Option<Distance> {
        assert_eq!(values.len(), self.positions.len(), "a value a position");
        let (scale, mean_square) = SCALES
            .step_by(SCALE_STEP)
            .map(|scale| (scale, mean_square(&self.pairs(values, scale))))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .filter(|_| !values.is_empty())?;
        Some(Distance { scale, mean_square, correlation: correlation(&self.pairs(values, scale)) })
    }

    /// What values of a scale expect of each position, and what its label does.
    pub(super) fn pairs(&self, values: &[i32], scale: u16) -> Vec<[f64; 2]> {
        values
            .iter()
            .zip(&self.expectations)
            .map(|(&value, &label)| {
                let value = expectation(value as f32, f32::from(scale));
                [f64::from(value), f64::from(label)]
            })
            .collect()
    }
}

/// The mean squared difference of pairs.
fn mean_square(pairs: &[[f64; 2]]) -> f64 {
    let squares = pairs.iter().map(|pair| (pair[0] - pair[1]).powi(2));
    squares.sum::<f64>() / pairs.len() as f64
}

/// How well the numbers of pairs agree, -1..=1.
pub(super) fn correlation(pairs: &[[f64; 2]]) -> f64 {
    let count = pairs.len() as f64;
    let mean = |of: &dyn Fn(&[f64; 2]) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let means = [0, 1].map(|i| mean(&|pair| pair[i]));
    let product = |i: usize, j: usize| mean(&|pair| (pair[i] - means[i]) * (pair[j] - means[j]));
    product(0, 1) / (product(0, 0) * product(1, 1)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    const SCORES: std::ops::RangeInclusive<i32> = -10..=10;

    /// Labels of -1000 to 1000 for one and the same position.
    fn labels() -> Labels {
        let mut labels = Labels::default();
        for score in SCORES {
            let position = Placement::from(&Position::startpos());
            labels.push(position, score as f32 * 100.0, 600.0);
        }
        labels
    }

    /// The distance of the labels' scores, times a factor.
    fn distance(factor: i32) -> Distance {
        let values: Vec<i32> = SCORES.map(|score| score * 100 * factor).collect();
        labels().distance(&values).unwrap()
    }

    #[test]
    fn the_right_values_are_at_no_distance_at_their_own_scale() {
        let same = distance(1);
        assert_eq!(same.scale, 600);
        assert!(same.mean_square < 1e-9 && same.correlation > 0.9999, "{same:?}");
        let twice = distance(2);
        assert_eq!(twice.scale, 1200);
        assert!(twice.mean_square < 1e-9, "{twice:?}");
    }

    #[test]
    fn wrong_values_are_far_off() {
        let opposite = distance(-1);
        assert!(opposite.mean_square > 0.05 && opposite.correlation < -0.9, "{opposite:?}");
        assert_eq!(Labels::default().distance(&[]), None);
    }
}
