//! How far a network's static values are from labels.
//!
//! Matches tell networks apart slowly: 300 games leave ±38 Elo. What networks expect of some thousand positions, against
//! what a thorough search expects of them, tells the networks of one line apart within seconds, well enough to choose
//! between settings of the trainer. What is chosen must then prove itself in a match.

use std::path::PathBuf;

use super::fit::loss::expectation;
use super::placement::Placement;
use super::source::{self, SourceError};
use crate::nnue;
use crate::types::Color;

/// Scales that are tried for a network's values.
const SCALES: std::ops::RangeInclusive<u16> = 300..=2000;
const SCALE_STEP: usize = 50;

/// Positions with what is to be expected of them.
pub struct Labels {
    positions: Vec<(nnue::Placement, Color)>,
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
        let mut labels = Self {
            positions: Vec::new(),
            expectations: Vec::new(),
        };
        for path in source::files(paths)? {
            source::read(&path, |labelled, _| {
                if labelled.score.unsigned_abs() <= largest.unsigned_abs() {
                    labels.push(&labelled.position, f32::from(labelled.score), scale);
                }
            })?;
        }
        Ok(labels)
    }

    fn push(&mut self, position: &Placement, score: f32, scale: f32) {
        let placement = nnue::Placement {
            squares: position.board,
            hands: position.hands,
        };
        self.positions.push((placement, position.side));
        self.expectations.push(expectation(score, scale));
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Compares static values, in centipawns for the side to move, with the labels; `None` without labels.
    pub fn distance(&self, value: impl Fn(&nnue::Placement, Color) -> i32) -> Option<Distance> {
        let values: Vec<f32> = self
            .positions
            .iter()
            .map(|(placement, side)| value(placement, *side) as f32)
            .collect();
        SCALES
            .step_by(SCALE_STEP)
            .map(|scale| self.at_scale(&values, scale))
            .min_by(|a, b| a.mean_square.total_cmp(&b.mean_square))
            .filter(|_| !self.is_empty())
    }

    fn at_scale(&self, values: &[f32], scale: u16) -> Distance {
        let count = values.len() as f64;
        let (mut square, mut sums, mut squares, mut product) = (0.0, [0.0; 2], [0.0; 2], 0.0);
        for (&value, &label) in values.iter().zip(&self.expectations) {
            let pair = [
                f64::from(expectation(value, f32::from(scale))),
                f64::from(label),
            ];
            square += (pair[0] - pair[1]).powi(2);
            product += pair[0] * pair[1];
            for i in 0..2 {
                sums[i] += pair[i];
                squares[i] += pair[i] * pair[i];
            }
        }
        let variance = |i: usize| squares[i] / count - (sums[i] / count).powi(2);
        let covariance = product / count - sums[0] * sums[1] / (count * count);
        Distance {
            scale,
            mean_square: square / count,
            correlation: covariance / (variance(0) * variance(1)).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    /// Labels of -1000 to 1000 for one and the same position.
    fn labels() -> Labels {
        let position = Placement::from(&Position::startpos());
        let mut labels = Labels {
            positions: Vec::new(),
            expectations: Vec::new(),
        };
        for score in -10..=10 {
            labels.push(&position, score as f32 * 100.0, 600.0);
        }
        labels
    }

    /// Values in the labels' order, times a factor.
    fn ladder(factor: i32) -> impl Fn(&nnue::Placement, Color) -> i32 {
        let next = std::cell::Cell::new(-11);
        move |_, _| {
            next.set(next.get() + 1);
            next.get() * 100 * factor
        }
    }

    #[test]
    fn the_right_values_are_at_no_distance_at_their_own_scale() {
        let same = labels().distance(ladder(1)).unwrap();
        assert_eq!(same.scale, 600);
        assert!(
            same.mean_square < 1e-9 && same.correlation > 0.9999,
            "{same:?}"
        );
        let twice = labels().distance(ladder(2)).unwrap();
        assert_eq!(twice.scale, 1200);
        assert!(twice.mean_square < 1e-9, "{twice:?}");
    }

    #[test]
    fn wrong_values_are_far_off() {
        let opposite = labels().distance(ladder(-1)).unwrap();
        assert!(
            opposite.mean_square > 0.05 && opposite.correlation < -0.9,
            "{opposite:?}"
        );
        let none = Labels {
            positions: Vec::new(),
            expectations: Vec::new(),
        };
        assert_eq!(none.distance(|_, _| 0), None);
    }
}
