//! The sequential probability ratio test on pairs of games: stops as soon as the results distinguish two hypotheses.
//!
//! The generalised test (GSPRT) compares the maximum-likelihood distributions under either hypothesis on the strength.
//! Source of the method: Michel Van den Bergh, "A Practical Introduction to the GSPRT" and "Normalized Elo" (the theory
//! behind Fishtest).

use serde::{Deserialize, Serialize};

use super::distribution::{NELO_SCALE, Pentanomial, score_of_elo};

/// The unit of the hypotheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Ordinary Elo.
    #[default]
    Logistic,
    /// Normalised Elo: the length of the test does not depend on the share of draws.
    #[serde(alias = "normalised")]
    Normalized,
}

/// A test between two hypotheses on the first engine's advantage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sprt {
    /// The advantage under the null hypothesis.
    pub elo0: f64,
    /// The advantage under the alternative.
    pub elo1: f64,
    /// The probability of accepting H1 if H0 holds.
    pub alpha: f64,
    /// The probability of accepting H0 if H1 holds.
    pub beta: f64,
    /// The unit of the two advantages.
    pub model: Model,
}

impl Default for Sprt {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Logistic }
    }
}

/// The result of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// The null hypothesis is accepted: no gain.
    H0,
    /// The alternative is accepted: a gain.
    H1,
}

/// The scores of the pair results.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// Count given to results that never occurred, so that the likelihood stays finite (as in Fishtest).
const UNSEEN: f64 = 1e-3;

impl Sprt {
    /// Checks the parameters.
    ///
    /// # Errors
    /// One sentence.
    pub fn validate(&self) -> Result<(), String> {
        let probability = |name: &str, p: f64| {
            if p > 0.0 && p < 0.5 { Ok(()) } else { Err(format!("sprt: {name}={p} is not between 0 and 0.5")) }
        };
        probability("alpha", self.alpha)?;
        probability("beta", self.beta)?;
        if !(self.elo0.is_finite() && self.elo1.is_finite()) || self.elo0 >= self.elo1 {
            return Err(format!("sprt: elo0={} is not below elo1={}", self.elo0, self.elo1));
        }
        Ok(())
    }

    /// The bounds of the log-likelihood ratio: at the lower H0 is accepted, at the upper H1 (Wald).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0 after the given pairs.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = pairs.map(|count| (count as f64).max(UNSEEN));
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let likeliest = |elo: f64| match self.model {
            Model::Logistic => with_mean(&observed, score_of_elo(elo)),
            // A pair's deviation is 1/√2 of a game's: its t-value √2 times.
            Model::Normalized => with_t_value(&observed, elo / NELO_SCALE * 2f64.sqrt()),
        };
        let (under0, under1) = (likeliest(self.elo0), likeliest(self.elo1));
        let gain: f64 = (0..5).map(|i| observed[i] * (under1[i] / under0[i]).ln()).sum();
        total * gain
    }

    /// The decision at a log-likelihood ratio, if there is one.
    pub fn decide(&self, llr: f64) -> Option<Decision> {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Some(Decision::H1)
        } else if llr <= lower {
            Some(Decision::H0)
        } else {
            None
        }
    }
}

/// The likeliest distribution, given the observed one, whose mean is `mean`.
///
/// By Lagrange's multiplier it has the weights `p / (1 + x (score - mean))`, with the `x` that makes their mean right.
fn with_mean(observed: &[f64; 5], mean: f64) -> [f64; 5] {
    tilt(observed, &SCORES.map(|score| score - mean))
}

/// The likeliest distribution whose t-value, (mean - ½) / deviation, is `t`.
///
/// The constraint is linear in the weights once the mean and the deviation on its right side are known, so a fixed
/// point is sought: each round tilts along the constraint's gradient at the last distribution.
fn with_t_value(observed: &[f64; 5], t: f64) -> [f64; 5] {
    let mut weights = [0.2; 5];
    for _ in 0..50 {
        let mean: f64 = (0..5).map(|i| weights[i] * SCORES[i]).sum();
        let variance: f64 = (0..5).map(|i| weights[i] * (SCORES[i] - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        // mean - ½ - t·deviation, with the deviation to first order: (variance' + variance) / (2 deviation).
        let constraint =
            SCORES.map(|score| score - 0.5 - t * deviation * (1.0 + ((score - mean) / deviation).powi(2)) / 2.0);
        let next = tilt(observed, &constraint);
        let change = (0..5).map(|i| (next[i] - weights[i]).abs()).fold(0.0, f64::max);
        weights = next;
        if change < 1e-10 {
            break;
        }
    }
    weights
}

/// The weights `observed / (1 + x values)` under which the mean of `values` is 0.
///
/// `values` must have both signs. The mean falls steadily in `x` between the two poles; Newton's steps, kept inside
/// the bracket by halving, find its root.
fn tilt(observed: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    let largest = values.iter().fold(f64::MIN, |a, &b| a.max(b));
    let smallest = values.iter().fold(f64::MAX, |a, &b| a.min(b));
    if largest <= 0.0 || smallest >= 0.0 {
        return *observed;
    }
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    let mut x = 0.0;
    for _ in 0..100 {
        let (mut mean, mut slope) = (0.0, 0.0);
        for (p, value) in observed.iter().zip(values) {
            let ratio = value / (1.0 + x * value);
            mean += p * ratio;
            slope -= p * ratio * ratio;
        }
        if mean > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - mean / slope;
        let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
        let step = (next - x).abs();
        x = next;
        if step <= 1e-13 * (high - low).max(1e-3) {
            break;
        }
    }
    let mut weights = *observed;
    for (weight, value) in weights.iter_mut().zip(values) {
        *weight /= 1.0 + x * value;
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt { elo0, elo1, model, ..Sprt::default() }
    }

    /// Figures published by fastchess (its tests) and OpenBench (the example in its statistics module).
    #[test]
    fn published_examples() {
        for (pairs, elo0, elo1, model, expected) in [
            ([365, 16618, 36029 + 200, 16974, 390], 0.0, 2.0, Model::Normalized, 2.25),
            ([127, 4883, 10311 + 401, 5150, 104], -1.75, 0.25, Model::Normalized, 3.01),
            ([223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5, Model::Logistic, -3.07),
            ([871, 26175, 55003 + 980, 26678, 821], 0.0, 2.0, Model::Logistic, -4.98),
        ] {
            let llr = test(elo0, elo1, model).llr(&pairs);
            assert!((llr - expected).abs() < 0.01 * expected.abs(), "{llr} is not {expected}");
        }
        let llr = test(0.5, 2.5, Model::Normalized).llr(&[39, 8843, 26675, 9240, 44]);
        assert!((llr - 2.941675).abs() < 1e-5, "{llr}");
        // Nothing but wins: under H0 and H1 alike the rest of the weight lies on the opposite result, so the ratio is
        // nearly ln(mean1 / mean0) a pair. (fastchess's own figure for it, 2.94, comes of ending the iteration early.)
        let llr = test(0.0, 5.0, Model::Normalized).llr(&[0, 0, 0, 0, 104]);
        let mean1 = 0.5 + 5.0 / NELO_SCALE * 2f64.sqrt() * 0.5;
        assert!((llr - 104.0 * (mean1 / 0.5f64).ln()).abs() < 0.05, "{llr}");
    }

    #[test]
    fn constraints_are_met() {
        let observed = [0.05, 0.2, 0.4, 0.25, 0.1];
        let sum = |p: &[f64; 5]| p.iter().sum::<f64>();
        let mean = |p: &[f64; 5]| (0..5).map(|i| p[i] * SCORES[i]).sum::<f64>();
        for target in [0.3, 0.5, 0.55, 0.8] {
            let p = with_mean(&observed, target);
            assert!((sum(&p) - 1.0).abs() < 1e-9 && (mean(&p) - target).abs() < 1e-9);
        }
        for t in [-0.5, 0.0, 0.03, 0.4] {
            let p = with_t_value(&observed, t);
            let deviation = (0..5).map(|i| p[i] * (SCORES[i] - mean(&p)).powi(2)).sum::<f64>().sqrt();
            assert!((sum(&p) - 1.0).abs() < 1e-8, "{t}");
            assert!(((mean(&p) - 0.5) / deviation - t).abs() < 1e-7, "{t}");
        }
    }

    #[test]
    fn bounds_and_decisions() {
        let sprt = Sprt::default();
        let (lower, upper) = sprt.bounds();
        assert!((lower + 2.944).abs() < 1e-3 && (upper - 2.944).abs() < 1e-3);
        assert_eq!(sprt.decide(-2.95), Some(Decision::H0));
        assert_eq!(sprt.decide(0.0), None);
        assert_eq!(sprt.decide(2.95), Some(Decision::H1));
        assert_eq!(sprt.llr(&[0; 5]), 0.0);
        assert!(Sprt { alpha: 0.7, ..sprt }.validate().is_err());
        assert!(Sprt { elo0: 5.0, ..sprt }.validate().is_err());
    }

    /// The share of wrong decisions over `matches` simulated matches at exactly the strength of each hypothesis.
    fn error_rates(sprt: &Sprt, matches: u32, seed: u64) -> (f64, f64) {
        // A plausible pentanomial, tilted to each hypothesis.
        let base = [0.06, 0.22, 0.42, 0.23, 0.07];
        let mut random = crate::platform::random::Random::new(seed);
        let mut wrong = |elo: f64, truth: Decision| {
            let p = match sprt.model {
                Model::Logistic => with_mean(&base, score_of_elo(elo)),
                Model::Normalized => with_t_value(&base, elo / NELO_SCALE * 2f64.sqrt()),
            };
            let errors = (0..matches)
                .filter(|_| {
                    let mut pairs = [0; 5];
                    loop {
                        let mut draw = f64::from(random.unit());
                        let result = p
                            .iter()
                            .position(|&weight| {
                                draw -= weight;
                                draw < 0.0
                            })
                            .unwrap_or(4);
                        pairs[result] += 1;
                        if let Some(decision) = sprt.decide(sprt.llr(&pairs)) {
                            return decision != truth;
                        }
                    }
                })
                .count();
            errors as f64 / f64::from(matches)
        };
        (wrong(sprt.elo0, Decision::H0), wrong(sprt.elo1, Decision::H1))
    }

    /// 2,000 matches: the standard error of a rate is 0.5 %.
    #[test]
    fn error_rates_of_a_short_simulation() {
        let sprt = test(0.0, 40.0, Model::Logistic);
        let (alpha, beta) = error_rates(&sprt, 2000, 1);
        assert!((alpha - 0.05).abs() < 0.02 && (beta - 0.05).abs() < 0.02, "{alpha} {beta}");
    }

    /// 10,000 matches each way, within 1 % of alpha and beta, in both units.
    #[test]
    #[ignore = "takes a minute or two"]
    fn error_rates_of_ten_thousand_matches() {
        for (model, seed) in [(Model::Logistic, 2), (Model::Normalized, 3)] {
            let sprt = test(0.0, 15.0, model);
            let (alpha, beta) = error_rates(&sprt, 10_000, seed);
            println!("{model:?}: alpha {alpha:.4} beta {beta:.4}");
            assert!((alpha - 0.05).abs() < 0.01 && (beta - 0.05).abs() < 0.01, "{alpha} {beta}");
        }
    }
}
