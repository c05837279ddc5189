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

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Nothing is known.
    const NONE: Self = Self { value: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// Half the width of the interval.
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// A distribution with a weak prior, for what few or one-sided results cannot tell: one virtual result, half of it lost
/// and half of it won. So no variance is 0; over many results it does not matter.
struct WithPrior {
    mean: f64,
    variance: f64,
    /// The mean of the real results, but never quite 0 or 1.
    score: f64,
    /// The number of games without draws that would tell as much: a win or a loss has the variance `mean (1 - mean)`.
    trials: f64,
}

impl WithPrior {
    fn new(distribution: &Distribution) -> Self {
        let total = distribution.total() + 1.0;
        let mean = (distribution.mean() * distribution.total() + 0.5) / total;
        // The spread of the real results around their mean and of the virtual ones around one half, moved to `mean`.
        let around = (distribution.variance() * distribution.total() + 0.25) / total;
        let difference = distribution.mean() - 0.5;
        let variance = around + difference * difference * (total - 1.0) / (total * total);
        let least = 0.25 / total;
        Self {
            mean,
            variance,
            score: distribution.mean().clamp(least, 1.0 - least),
            trials: distribution.total() * mean * (1.0 - mean) / variance,
        }
    }

    /// The 95 % interval of the true score: Wilson's, which stays between 0 and 1 and is not symmetric.
    fn interval(&self) -> (f64, f64) {
        let share = Z95 * Z95 / self.trials;
        let center = (self.score + share / 2.0) / (1.0 + share);
        let spread = self.score * (1.0 - self.score) / self.trials + share / (4.0 * self.trials);
        let half = Z95 * spread.sqrt() / (1.0 + share);
        (center - half, center + half)
    }
}

/// Logistic Elo of a score; infinite for 0 and 1.
pub fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The score of a logistic Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Logistic Elo of a distribution of games or of pairs, with the Elo of the interval's ends.
pub fn elo_estimate(counts: &[u64]) -> Estimate {
    let distribution = Distribution::new(counts);
    if distribution.total() == 0.0 {
        return Estimate::NONE;
    }
    let prior = WithPrior::new(&distribution);
    let (low, high) = prior.interval();
    Estimate { value: elo(prior.score), low: elo(low), high: elo(high) }
}

/// Normalised Elo of a distribution of games (three counts) or pairs (five counts).
pub fn nelo_estimate(counts: &[u64]) -> Estimate {
    let distribution = Distribution::new(counts);
    let games_per_result = if counts.len() == 5 { 2.0 } else { 1.0 };
    let total = distribution.total();
    if total == 0.0 {
        return Estimate::NONE;
    }
    let (mut mean, mut variance) = (distribution.mean(), distribution.variance());
    if variance == 0.0 {
        let prior = WithPrior::new(&distribution);
        (mean, variance) = (prior.mean, prior.variance);
    }
    // A pair's score is the mean of two games: one game has twice its variance.
    let value = (mean - 0.5) / (games_per_result * variance).sqrt() * NELO_SCALE;
    let margin = Z95 * NELO_SCALE / (games_per_result * total).sqrt();
    Estimate { value, low: value - margin, high: value + margin }
}

/// Fewer results than these do not show their own variance.
const FEW: f64 = 30.0;

/// Likelihood of superiority: the probability that the true score is above one half.
pub fn los(counts: &[u64]) -> f64 {
    let distribution = Distribution::new(counts);
    if distribution.mean() == 0.5 {
        return 0.5;
    }
    if distribution.total() < FEW || distribution.variance() == 0.0 {
        let prior = WithPrior::new(&distribution);
        return normal_cdf((prior.score - 0.5) / (0.25 / prior.trials).sqrt());
    }
    normal_cdf((distribution.mean() - 0.5) / distribution.standard_error())
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
            close(nelo_estimate(&counts).margin(), nelo_margin, 0.01);
            close(elo_estimate(&counts).value, elo, 0.01);
            close(elo_estimate(&counts).margin(), margin, 0.01);
        }
        close(los(&[332, 433, 457 + 41, 333, 334]), 0.0505, 0.01);
    }

    #[test]
    fn published_examples_of_games() {
        for (counts, nelo, nelo_margin, los_percent) in
            [([89, 123, 76], -20.76, 40.13, 15.53), ([96, 111, 136], 49.77, 36.77, 99.60)]
        {
            close(nelo_estimate(&counts).value, nelo, 0.01);
            close(nelo_estimate(&counts).margin(), nelo_margin, 0.01);
            close(los(&counts) * 100.0, los_percent, 0.001);
        }
        close(elo_estimate(&[96, 111, 136]).value, 40.70, 0.01);
        close(elo_estimate(&[96, 111, 136]).margin(), 30.43, 0.01);
        close(nelo_estimate(&[356, 0, 34]).value, -508.44, 0.01);
    }

    #[test]
    fn one_sided_results_have_finite_intervals() {
        for counts in [[0; 5], [0, 0, 7, 0, 0], [0, 0, 0, 0, 3], [3, 0, 0, 0, 0]] {
            for estimate in [elo_estimate(&counts), nelo_estimate(&counts)] {
                assert!(!estimate.value.is_nan() && !estimate.margin().is_nan(), "{counts:?}");
                let is_known = counts != [0; 5];
                assert_eq!((estimate.value.is_finite(), estimate.margin().is_finite()), (true, is_known), "{counts:?}");
            }
            assert!((0.0..=1.0).contains(&los(&counts)));
        }
        // 56 wins, 2 draws, 2 losses.
        let estimate = elo_estimate(&[2, 2, 56]);
        close(estimate.value, elo(57.0 / 60.0), 1e-9);
        assert!(estimate.low > 300.0 && estimate.high < 1000.0, "{estimate:?}");
        // Two pairs show little, whatever they are.
        for counts in [[0, 0, 0, 0, 2], [0, 0, 2, 0, 0], [0, 0, 0, 1, 1], [2, 0, 0, 0, 0]] {
            let estimate = elo_estimate(&counts);
            assert!(estimate.margin() > 150.0 && estimate.margin() < 800.0, "{counts:?}: {estimate:?}");
            assert!(estimate.low < 0.0 && estimate.high > 0.0, "{counts:?}: {estimate:?}");
            assert!((0.05..0.95).contains(&los(&counts)), "{counts:?}: {}", los(&counts));
        }
        close(elo(score_of_elo(123.0)), 123.0, 1e-9);
        close(normal_cdf(1.959964), 0.975, 1e-6);
    }

    /// The interval contains the true Elo in about 95 of 100 short matches, also where one side wins nearly all.
    #[test]
    fn intervals_cover_what_they_say() {
        let mut random = crate::platform::random::Random::new(7);
        for (loss, draw, pairs) in [(0.35, 0.3, 5), (0.05, 0.05, 5), (0.35, 0.3, 30), (0.03, 0.03, 30), (0.2, 0.1, 200)]
        {
            let truth = elo(1.0 - loss - draw / 2.0);
            let matches = 2000;
            let covered = (0..matches).filter(|_| {
                let mut counts = [0; 5];
                for _ in 0..pairs {
                    let mut half_points = || {
                        let unit = f64::from(random.unit());
                        if unit < loss {
                            0
                        } else if unit < loss + draw {
                            1
                        } else {
                            2
                        }
                    };
                    counts[half_points() + half_points()] += 1;
                }
                let estimate = elo_estimate(&counts);
                assert!(estimate.low <= estimate.value && estimate.value <= estimate.high, "{counts:?}");
                (estimate.low..=estimate.high).contains(&truth)
            });
            let share = covered.count() as f64 / f64::from(matches);
            println!("{pairs} pairs, {loss} lost, {draw} drawn: {share:.3} covered");
            assert!(share > 0.93, "{pairs} pairs, {loss}, {draw}: {share}");
        }
    }
}
