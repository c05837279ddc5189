//! The results of games and of pairs as distributions, and the estimates made of them.

use serde::{Deserialize, Serialize};

/// Normalised Elo of one standard deviation a game: 800 / ln 10.
pub const NELO_SCALE: f64 = 347.435_585_522_601_46;
/// The 97.5 % point of the normal distribution: half the width of a 95 % interval.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Wins, losses and draws of one engine against others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Counts a game by its half points: 2, 1 or 0.
    pub fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points, 0 to 1; one half without games.
    pub fn score(&self) -> f64 {
        Distribution::new(&self.counts()).mean()
    }

    /// Counts from the worst result to the best.
    pub fn counts(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

/// Results of pairs: how many gave 0, ½, 1, 1½, 2 points.
pub type Pentanomial = [u64; 5];

/// Counts of equally spaced results from 0 (all lost) to 1 (all won), as a distribution.
#[derive(Clone, Copy, Debug)]
pub struct Distribution<'a> {
    counts: &'a [u64],
}

impl<'a> Distribution<'a> {
    /// Counts from the worst result to the best: three for games, five for pairs.
    pub fn new(counts: &'a [u64]) -> Self {
        Self { counts }
    }

    /// The number of results.
    pub fn total(&self) -> f64 {
        self.counts.iter().sum::<u64>() as f64
    }

    fn value(&self, index: usize) -> f64 {
        index as f64 / (self.counts.len() - 1) as f64
    }

    /// The mean score; one half without results.
    pub fn mean(&self) -> f64 {
        if self.total() == 0.0 {
            return 0.5;
        }
        let sum: f64 = (0..self.counts.len()).map(|i| self.counts[i] as f64 * self.value(i)).sum();
        sum / self.total()
    }

    /// The variance of one result.
    pub fn variance(&self) -> f64 {
        if self.total() == 0.0 {
            return 0.0;
        }
        let mean = self.mean();
        let sum: f64 = (0..self.counts.len()).map(|i| self.counts[i] as f64 * (self.value(i) - mean).powi(2)).sum();
        sum / self.total()
    }

    /// The standard error of the mean.
    pub fn standard_error(&self) -> f64 {
        if self.total() == 0.0 { f64::INFINITY } else { (self.variance() / self.total()).sqrt() }
    }
}

/// An estimate with the half width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// The value lies within this distance with 95 % probability.
    pub margin: f64,
}

/// Logistic Elo of a score; infinite for 0 and 1.
pub fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The score of a logistic Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Logistic Elo of a distribution of games or of pairs. The margin is half the distance between the Elo of the
/// interval's ends.
pub fn elo_estimate(counts: &[u64]) -> Estimate {
    let distribution = Distribution::new(counts);
    let (mean, half) = (distribution.mean(), Z95 * distribution.standard_error());
    if half.is_infinite() {
        return Estimate { value: 0.0, margin: f64::INFINITY };
    }
    let (low, high) = ((mean - half).max(0.0), (mean + half).min(1.0));
    Estimate {
        value: elo(mean),
        margin: if half == 0.0 && mean != 0.5 {
            // All results alike: the variance is not known at all.
            f64::INFINITY
        } else {
            (elo(high) - elo(low)) / 2.0
        },
    }
}

/// Normalised Elo of a distribution of games (three counts) or pairs (five counts).
pub fn nelo_estimate(counts: &[u64]) -> Estimate {
    let distribution = Distribution::new(counts);
    let games_per_result = if counts.len() == 5 { 2.0 } else { 1.0 };
    let total = distribution.total();
    if total == 0.0 {
        return Estimate { value: 0.0, margin: f64::INFINITY };
    }
    // A pair's score is the mean of two games: one game has twice its variance.
    let deviation = (games_per_result * distribution.variance()).sqrt();
    let difference = distribution.mean() - 0.5;
    Estimate {
        value: if difference == 0.0 { 0.0 } else { difference / deviation * NELO_SCALE },
        margin: Z95 * NELO_SCALE / (games_per_result * total).sqrt(),
    }
}

/// Likelihood of superiority: the probability that the true score is above one half.
pub fn los(counts: &[u64]) -> f64 {
    let distribution = Distribution::new(counts);
    let difference = distribution.mean() - 0.5;
    if difference == 0.0 {
        return 0.5;
    }
    normal_cdf(difference / distribution.standard_error())
}

/// The normal distribution function, with an absolute error below 2e-7 (Abramowitz and Stegun, 7.1.26).
fn normal_cdf(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let polynomial =
        t * (0.254_829_592 + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let tail = polynomial * (-z * z).exp() / 2.0;
    if x > 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64, relative: f64) {
        assert!((value - expected).abs() <= relative * expected.abs(), "{value} is not {expected}");
    }

    /// The figures that the fastchess project publishes in its tests (they agree with Fishtest's).
    #[test]
    fn published_examples_of_pairs() {
        for (counts, nelo, nelo_margin, elo, margin) in [
            ([34, 54, 31 + 32, 64, 75], 57.94, 28.28, 55.58, 27.65),
            ([332, 433, 457 + 41, 333, 334], -9.17, 10.96, -8.64, 10.33),
            ([7895, 8757, 5485 + 200, 568, 9999], -19.01, 2.65, -21.04, 2.95),
        ] {
            close(nelo_estimate(&counts).value, nelo, 0.01);
            close(nelo_estimate(&counts).margin, nelo_margin, 0.01);
            close(elo_estimate(&counts).value, elo, 0.01);
            close(elo_estimate(&counts).margin, margin, 0.01);
        }
        close(los(&[332, 433, 457 + 41, 333, 334]), 0.0505, 0.01);
    }

    #[test]
    fn published_examples_of_games() {
        for (counts, nelo, nelo_margin, los_percent) in
            [([89, 123, 76], -20.76, 40.13, 15.53), ([96, 111, 136], 49.77, 36.77, 99.60)]
        {
            close(nelo_estimate(&counts).value, nelo, 0.01);
            close(nelo_estimate(&counts).margin, nelo_margin, 0.01);
            close(los(&counts) * 100.0, los_percent, 0.001);
        }
        close(elo_estimate(&[96, 111, 136]).value, 40.70, 0.01);
        close(elo_estimate(&[96, 111, 136]).margin, 30.43, 0.01);
        close(nelo_estimate(&[356, 0, 34]).value, -508.44, 0.01);
    }

    #[test]
    fn the_edges_are_numbers_or_infinite_but_never_nan() {
        for counts in [[0; 5], [0, 0, 7, 0, 0], [0, 0, 0, 0, 3], [3, 0, 0, 0, 0]] {
            for estimate in [elo_estimate(&counts), nelo_estimate(&counts)] {
                assert!(!estimate.value.is_nan() && !estimate.margin.is_nan(), "{counts:?}");
            }
            assert!((0.0..=1.0).contains(&los(&counts)));
        }
        close(elo(score_of_elo(123.0)), 123.0, 1e-9);
        close(normal_cdf(1.959964), 0.975, 1e-6);
    }
}
