//! What the trainer minimises: the difference between expected results, to a power.
//!
//! Idea: nnue-pytorch (official-stockfish), which found powers above 2 better than cross entropy: clear mistakes weigh
//! more, noise less. That is so as long as there are clear mistakes. What a good network misses is mostly tactics,
//! which only a search finds: rare, large and not to be learned, so that a low power learns more from as many labels.

use serde::{Deserialize, Serialize};

use crate::types::Score;

/// The value at which a network made here expects to win 73 % of the games, whatever the scores that it learned from:
/// 600 is custom in shogi (Ponanza's constant). What the search's margins suit may be less: a network's file says what
/// an output is worth in play (`hagane train average --centipawns`), and learning does not look at it.
pub const CUSTOMARY_SCALE: f32 = Score::CUSTOMARY_SCALE as f32;

/// The points that one unit of a network's output means: 0.6 of the logistic's unit, as in the networks whose unit was
/// 600 points where 1000 won 73 %. So they can be learned on.
pub const POINTS_PER_UNIT: f32 = 360.0;

/// The logistic function, written out because the C library's exponential differs from machine to machine.
#[inline(always)]
pub fn logistic(x: f32) -> f32 {
    // 2^y by splitting y into a whole and a fraction in -0.5..=0.5, and seven terms of the series.
    let y = -(x.clamp(-80.0, 80.0) as f64) * std::f64::consts::LOG2_E;
    let whole = (y + 0.5).floor();
    let z = (y - whole) * std::f64::consts::LN_2;
    let mut sum = 1.0;
    let mut term = 8;
    while term > 0 {
        sum = 1.0 + sum * z / term as f64;
        term -= 1;
    }
    let power = f64::from_bits(((whole as i64 + 1023) as u64) << 52);
    (1.0 / (1.0 + sum * power)) as f32
}

/// The expected result (0..=1) of a score in points, with the scale that our scores have against results.
#[inline(always)]
pub fn expectation(points: f32, scale: f32) -> f32 {
    logistic(points / scale)
}

/// The score of an expected result: the inverse of [`expectation`], within what a record's score can hold.
pub fn points(expectation: f32, scale: f32) -> f32 {
    let odds = f64::from(expectation) / (1.0 - f64::from(expectation));
    (f64::from(scale) * odds.ln()).clamp(-32_000.0, 32_000.0) as f32
}

/// The power of differences: those that need no more than a square root, which all machines round alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Power {
    /// 1.5, for labels that are noisy at the edges.
    ThreeHalves,
    /// 2
    Two,
    /// 2.5
    #[default]
    FiveHalves,
}

impl Power {
    /// The loss of one position and its derivative by the network's output (in units).
    #[inline(always)]
    pub fn loss(self, output: f32, target: f32) -> (f32, f32) {
        const SLOPE: f32 = POINTS_PER_UNIT / CUSTOMARY_SCALE;
        let predicted = logistic(output * SLOPE);
        let difference = predicted - target;
        let size = difference.abs();
        let root = size.sqrt();
        let (value, by_size) = match self {
            Self::ThreeHalves => (size * root, 1.5 * root),
            Self::Two => (size * size, 2.0 * size),
            Self::FiveHalves => (size * size * root, 2.5 * size * root),
        };
        let by_prediction = by_size * difference.signum();
        (value, by_prediction * predicted * (1.0 - predicted) * SLOPE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logistic_agrees_with_the_library() {
        for i in -4000..4000 {
            let x = i as f32 / 50.0;
            let expected = (1.0 / (1.0 + (-(x as f64)).exp())) as f32;
            assert!((logistic(x) - expected).abs() <= 1e-7, "{x}");
        }
    }

    #[test]
    fn points_undo_the_expectation() {
        for score in [-3000.0, -350.0, 0.0, 12.0, 2500.0] {
            assert!((points(expectation(score, 700.0), 700.0) - score).abs() < 1.0);
        }
        assert_eq!(points(1.0, 700.0), 32_000.0);
        assert_eq!(points(0.0, 700.0), -32_000.0);
    }

    #[test]
    fn the_derivative_is_the_difference_quotient() {
        for power in [Power::ThreeHalves, Power::Two, Power::FiveHalves] {
            for (output, target) in [(0.3, 0.9), (-1.2, 0.1), (0.0, 0.51), (2.0, 0.0)] {
                let step = 1e-2f32;
                let loss = |output| power.loss(output, target).0;
                let quotient = (loss(output + step) - loss(output - step)) / (2.0 * step);
                let (_, slope) = power.loss(output, target);
                assert!((quotient - slope).abs() < 1e-3, "{power:?} {output} {target}: {quotient} {slope}");
            }
        }
    }
}
