//! The mean of networks, weight by weight.
//!
//! Networks that were trained on from a common one err each in its own way; their mean often errs less than any of them, at
//! no cost in play; eval/README.md has the matches ("model soups", Wortsman et al. 2022; the mean along one run is "stochastic weight averaging", Izmailov
//! et al. 2018). Networks that began from different random weights have no useful mean.

use crate::nnue::embedded::{Parameters, StackParameters};

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
}

/// The mean of networks of one shape and scale; a network that is there twice counts twice. Each number is rounded to the
/// nearest, halves to the even one. The vectors must have the lengths that their descriptions name, as those of a file have.
///
/// # Errors
/// No network, or networks of different shapes or scales.
pub fn average(networks: &[Parameters], description: &str) -> Result<Parameters, AverageError> {
    let first = networks.first().ok_or(AverageError::Empty)?;
    for (index, network) in networks.iter().enumerate() {
        if let Some(what) = difference(network, first) {
            let number = index + 1;
            return Err(AverageError::Different { number, what });
        }
    }
    let stack = |index: usize| {
        let weights = |part: fn(&StackParameters) -> &Vec<i8>| {
            mean(networks, |network| part(&network.stacks[index]))
        };
        let biases = |part: fn(&StackParameters) -> &Vec<i32>| {
            mean(networks, |network| part(&network.stacks[index]))
        };
        StackParameters {
            first_biases: biases(|stack| &stack.first_biases),
            first_weights: weights(|stack| &stack.first_weights),
            second_biases: biases(|stack| &stack.second_biases),
            second_weights: weights(|stack| &stack.second_weights),
            output_bias: rounded(
                networks
                    .iter()
                    .map(|network| network.stacks[index].output_bias.into()),
                networks.len(),
            ),
            output_weights: weights(|stack| &stack.output_weights),
        }
    };
    Ok(Parameters {
        description: description.to_owned(),
        biases: mean(networks, |network| &network.biases),
        weights: mean(networks, |network| &network.weights),
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
        ("scale", a.centipawns != b.centipawns),
    ];
    differs
        .into_iter()
        .find_map(|(what, differs)| differs.then_some(what))
}

/// The mean of one list of numbers over the networks.
fn mean<T>(networks: &[Parameters], numbers: impl Fn(&Parameters) -> &Vec<T>) -> Vec<T>
where
    T: Copy + Into<i64> + TryFrom<i64>,
{
    let lists: Vec<&Vec<T>> = networks.iter().map(numbers).collect();
    (0..lists[0].len())
        .map(|at| rounded(lists.iter().map(|list| list[at].into()), lists.len()))
        .collect()
}

/// A sum divided by a count, rounded.
fn rounded<T: TryFrom<i64>>(numbers: impl Iterator<Item = i64>, count: usize) -> T {
    let mean = numbers.sum::<i64>() as f64 / count as f64;
    let mean = T::try_from(mean.round_ties_even() as i64).ok();
    mean.expect("a mean lies between its numbers")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::embedded::INPUTS;

    /// A small network whose parts all hold different numbers, from `number` up.
    fn filled(number: i8) -> Parameters {
        let stack = |number: i8| StackParameters {
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
        assert_eq!(average(&[filled(-5), filled(9)], ""), Ok(filled(2)));
        let many = [filled(-128), filled(-128), filled(117), filled(-1)];
        assert_eq!(average(&many, ""), Ok(filled(-35)));
        assert_eq!(average(&[filled(7)], ""), Ok(filled(7)));
    }

    #[test]
    fn halves_go_to_the_even_number() {
        let mean = |a: i8, b: i8| {
            let mean = average(&[filled(a), filled(b)], "").unwrap();
            mean.stacks[0].first_weights[0]
        };
        assert_eq!(
            [mean(0, 1), mean(1, 2), mean(0, -1), mean(-1, -2)],
            [0, 2, 0, -2]
        );
    }

    #[test]
    fn the_mean_is_a_file_with_the_text_that_was_asked_for() {
        let mean = average(&[filled(1), filled(3)], "of two").unwrap();
        let read = Parameters::from_bytes(&mean.to_bytes()).unwrap();
        assert_eq!(read.description, "of two");
        assert_eq!(read.weights, filled(2).weights);
    }

    #[test]
    fn what_does_not_fit_together_is_named() {
        assert_eq!(average(&[], ""), Err(AverageError::Empty));
        type Change = (&'static str, fn(&mut Parameters));
        let changes: [Change; 4] = [
            ("width", |network| network.l1 = 128),
            ("choice of stacks by phase", |network| {
                network.thresholds = vec![4];
            }),
            ("sorting of king squares into zones", |network| {
                network.zones[44] = 1;
            }),
            ("scale", |network| network.centipawns = 600),
        ];
        for (what, change) in changes {
            let mut other = filled(1);
            change(&mut other);
            let error = AverageError::Different { number: 3, what };
            assert_eq!(average(&[filled(1), filled(1), other], ""), Err(error));
        }
    }
}
