//! The mean of networks, weight by weight.
//!
//! Networks that were trained from a common one err each in its own way; their mean often errs less than any of them,
//! at no cost in play ("model soups", Wortsman et al. 2022). Networks that began from different random weights have no
//! useful mean.

use crate::nnue::hagane_nn::{LayerStackParameters, Parameters};

/// Why networks have no mean.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum AverageError {
    /// There is none to begin with.
    #[error("there is no network to average")]
    Empty,
    /// One differs from the first in what must be common to all.
    #[error("network number {number} has another {what} than the first one")]
    Different {
        /// Which one, from 1.
        number: usize,
        /// What it is.
        what: &'static str,
    },
    /// The weights do not fit.
    #[error("the weights of {networks} networks must be as many numbers of at least 0, and not all 0")]
    Weights {
        /// How many networks there are.
        networks: usize,
    },
}

/// The weighted mean of networks of one shape. Without weights all count alike, and a network that is there twice
/// counts twice. Each number is rounded to the nearest, halves to the even one. The vectors must have the lengths that
/// their descriptions name, as those of a file have. What an output is worth in centipawns is not learned: it is the
/// first network's.
///
/// # Errors
/// No network, networks of different shapes, or weights that are too few, too many, negative, not finite or all 0.
pub fn average(
    networks: &[Parameters],
    weights: Option<&[f64]>,
    description: &str,
) -> Result<Parameters, AverageError> {
    let first = networks.first().ok_or(AverageError::Empty)?;
    for (index, network) in networks.iter().enumerate() {
        if let Some(what) = difference(network, first) {
            let number = index + 1;
            return Err(AverageError::Different { number, what });
        }
    }
    let alike = vec![1.0; networks.len()];
    let shares = weights.unwrap_or(&alike);
    let sum: f64 = shares.iter().sum();
    let negative = shares.iter().any(|&share| share < 0.0);
    if shares.len() != networks.len() || negative || !sum.is_finite() || sum <= 0.0 {
        let networks = networks.len();
        return Err(AverageError::Weights { networks });
    }
    let mean = Mean { networks, shares, sum };
    let stack = |index: usize| {
        let weights = |part: fn(&LayerStackParameters) -> &Vec<i8>| {
            mean.list(|network| part(&network.stacks[index]), |mean| mean as i8)
        };
        let biases = |part: fn(&LayerStackParameters) -> &Vec<i32>| {
            mean.list(|network| part(&network.stacks[index]), |mean| mean as i32)
        };
        LayerStackParameters {
            first_biases: biases(|stack| &stack.first_biases),
            first_weights: weights(|stack| &stack.first_weights),
            second_biases: biases(|stack| &stack.second_biases),
            second_weights: weights(|stack| &stack.second_weights),
            output_bias: mean.of(|network| network.stacks[index].output_bias.into()) as i32,
            output_weights: weights(|stack| &stack.output_weights),
        }
    };
    Ok(Parameters {
        description: description.to_owned(),
        biases: mean.list(|network| &network.biases, |mean| mean as i16),
        weights: mean.list(|network| &network.weights, |mean| mean as i16),
        stacks: (0..first.stacks.len()).map(stack).collect(),
        ..first.clone()
    })
}

/// What keeps two networks from having a mean.
fn difference(a: &Parameters, b: &Parameters) -> Option<&'static str> {
    let differs = [
        ("width", a.l1 != b.l1),
        ("first dense layer", a.h1 != b.h1),
        ("second dense layer", a.h2 != b.h2),
        ("number of stacks", a.stacks.len() != b.stacks.len()),
        ("choice of stacks by phase", a.thresholds != b.thresholds),
        ("sorting of king squares into zones", a.zones != b.zones),
    ];
    differs.into_iter().find_map(|(what, differs)| differs.then_some(what))
}

/// Networks with their shares in a mean.
struct Mean<'a> {
    networks: &'a [Parameters],
    shares: &'a [f64],
    /// Of the shares.
    sum: f64,
}

impl Mean<'_> {
    /// The mean of one number over the networks, rounded.
    fn of(&self, number: impl Fn(&Parameters) -> f64) -> f64 {
        let numbers = self.networks.iter().zip(self.shares);
        let sum: f64 = numbers.map(|(network, share)| share * number(network)).sum();
        (sum / self.sum).round_ties_even()
    }

    /// The mean of one list of numbers over the networks; `cast` is the cast to their type, which keeps to its limits.
    fn list<T: Copy + Into<f64>>(&self, numbers: impl Fn(&Parameters) -> &Vec<T>, cast: fn(f64) -> T) -> Vec<T> {
        (0..numbers(&self.networks[0]).len()).map(|at| cast(self.of(|network| numbers(network)[at].into()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::zoned::INPUTS;

    /// A small network whose parts all hold different numbers, from `number` up.
    fn filled(number: i8) -> Parameters {
        let stack = |number: i8| LayerStackParameters {
            first_biases: vec![i32::from(number) << 20; 8],
            first_weights: vec![number; 8 * 64],
            second_biases: vec![i32::from(number) << 21; 16],
            second_weights: vec![number + 1; 16 * 16],
            output_bias: i32::from(number) << 22,
            output_weights: vec![number + 2; 16],
        };
        Parameters {
            l1: 64,
            h1: 8,
            h2: 16,
            centipawns: 360,
            zones: [0; 45],
            thresholds: vec![3],
            description: String::new(),
            biases: vec![i16::from(number) << 7; 64],
            weights: vec![i16::from(number) << 8; 64 * INPUTS],
            stacks: vec![stack(number), stack(number + 5)],
        }
    }

    #[test]
    fn every_part_has_its_own_mean() {
        assert_eq!(average(&[filled(-5), filled(9)], None, ""), Ok(filled(2)));
        let many = [filled(-128), filled(-128), filled(117), filled(-1)];
        assert_eq!(average(&many, None, ""), Ok(filled(-35)));
        assert_eq!(average(&[filled(7)], None, ""), Ok(filled(7)));
    }

    #[test]
    fn weights_count_by_their_share() {
        let weighted = |a: i8, b: i8, weights: &[f64]| {
            average(&[filled(a), filled(b)], Some(weights), "").map(|mean| mean.weights[0] >> 8)
        };
        assert_eq!(weighted(10, 30, &[0.25, 0.75]), Ok(25));
        assert_eq!(weighted(10, 30, &[1.0, 3.0]), Ok(25));
        assert_eq!(weighted(10, 30, &[0.0, 1.0]), Ok(30));
        for weights in [&[1.0][..], &[1.0; 3], &[0.0, 0.0], &[2.0, -1.0], &[f64::NAN, 1.0]] {
            let error = AverageError::Weights { networks: 2 };
            assert_eq!(weighted(10, 30, weights), Err(error), "{weights:?}");
        }
    }

    #[test]
    fn halves_go_to_the_even_number() {
        let mean = |a: i8, b: i8| {
            let mean = average(&[filled(a), filled(b)], None, "").unwrap();
            mean.stacks[0].first_weights[0]
        };
        assert_eq!([mean(0, 1), mean(1, 2), mean(0, -1), mean(-1, -2)], [0, 2, 0, -2]);
    }

    #[test]
    fn the_mean_is_a_file_with_the_text_that_was_asked_for() {
        let mean = average(&[filled(1), filled(3)], None, "of two").unwrap();
        let read = Parameters::from_bytes(&mean.to_bytes()).unwrap();
        assert_eq!(read.description, "of two");
        assert_eq!(read.weights, filled(2).weights);
    }

    #[test]
    fn the_scale_is_that_of_the_first() {
        let mut other = filled(1);
        other.centipawns = 288;
        let scale = |networks: &[Parameters]| average(networks, None, "").map(|mean| mean.centipawns);
        assert_eq!(scale(&[filled(1), other.clone()]), Ok(360));
        assert_eq!(scale(&[other, filled(1)]), Ok(288));
    }

    #[test]
    fn what_does_not_fit_together_is_named() {
        assert_eq!(average(&[], None, ""), Err(AverageError::Empty));
        type Change = (&'static str, fn(&mut Parameters));
        let changes: [Change; 3] = [
            ("width", |network| network.l1 = 128),
            ("choice of stacks by phase", |network| {
                network.thresholds = vec![4];
            }),
            ("sorting of king squares into zones", |network| {
                network.zones[44] = 1;
            }),
        ];
        for (what, change) in changes {
            let mut other = filled(1);
            change(&mut other);
            let error = AverageError::Different { number: 3, what };
            assert_eq!(average(&[filled(1), filled(1), other], None, ""), Err(error));
        }
    }
}
