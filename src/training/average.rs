//! The mean of networks, weight by weight.
//!
//! Networks that were trained on from a common one err each in its own way; their mean errs less than any of them, at no
//! cost in play ("model soups", Wortsman et al. 2022; the mean along one run is "stochastic weight averaging", Izmailov
//! et al. 2018). Networks that began from different random weights have no useful mean.

use crate::nnue::embedded::{Parameters, StackParameters};

/// Why networks have no mean.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum AverageError {
    /// There is none to begin with.
    #[error("there is no network to average")]
    None,
    /// One is built differently from the first.
    #[error(
        "network number {0} has not the shape (width, layers, stacks, king zones) of the first one"
    )]
    Shape(usize),
    /// The output of one means something else than that of the first.
    #[error("network number {0} has another scale than the first one")]
    Scale(usize),
}

/// The mean of networks of one shape and scale, each number rounded to the nearest; a network that is there twice counts
/// twice.
///
/// # Errors
/// No network, or networks of different shapes or scales (numbers from 1, in the order given).
pub fn average(networks: &[Parameters], description: &str) -> Result<Parameters, AverageError> {
    let first = networks.first().ok_or(AverageError::None)?;
    let shape = |network: &Parameters| {
        let sizes = (network.l1, network.h1, network.h2, network.stacks.len());
        (sizes, network.zones, network.thresholds.clone())
    };
    for (index, network) in networks.iter().enumerate() {
        if shape(network) != shape(first) {
            return Err(AverageError::Shape(index + 1));
        }
        if network.centipawns != first.centipawns {
            return Err(AverageError::Scale(index + 1));
        }
    }
    let stack = |index: usize| {
        let of = |part: fn(&StackParameters) -> &Vec<i8>| {
            mean(networks, |network| part(&network.stacks[index]))
        };
        let biases = |part: fn(&StackParameters) -> &Vec<i32>| {
            mean(networks, |network| part(&network.stacks[index]))
        };
        StackParameters {
            first_biases: biases(|stack| &stack.first_biases),
            first_weights: of(|stack| &stack.first_weights),
            second_biases: biases(|stack| &stack.second_biases),
            second_weights: of(|stack| &stack.second_weights),
            output_bias: rounded(
                networks
                    .iter()
                    .map(|network| network.stacks[index].output_bias.into()),
                networks.len(),
            ),
            output_weights: of(|stack| &stack.output_weights),
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

/// The mean of one list of numbers over the networks.
fn mean<T>(networks: &[Parameters], numbers: impl Fn(&Parameters) -> &Vec<T>) -> Vec<T>
where
    T: Copy + Into<i64> + TryFrom<i64> + Default,
{
    let lists: Vec<&Vec<T>> = networks.iter().map(numbers).collect();
    (0..lists[0].len())
        .map(|at| rounded(lists.iter().map(|list| list[at].into()), lists.len()))
        .collect()
}

/// A sum divided by a count, rounded to the nearest; the mean of numbers of a type fits into the type.
fn rounded<T: TryFrom<i64> + Default>(numbers: impl Iterator<Item = i64>, count: usize) -> T {
    let mean = numbers.sum::<i64>() as f64 / count as f64;
    T::try_from(mean.round() as i64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::embedded::INPUTS;

    /// The smallest network, with one and the same number everywhere.
    fn filled(number: i8) -> Parameters {
        Parameters {
            l1: 64,
            h1: 8,
            h2: 8,
            centipawns: 360,
            zones: [0; 45],
            thresholds: Vec::new(),
            description: String::new(),
            biases: vec![number.into(); 64],
            weights: vec![number.into(); 64 * INPUTS],
            stacks: vec![StackParameters {
                first_biases: vec![number.into(); 8],
                first_weights: vec![number; 8 * 64],
                second_biases: vec![number.into(); 8],
                second_weights: vec![number; 8 * 16],
                output_bias: number.into(),
                output_weights: vec![number; 8],
            }],
        }
    }

    #[test]
    fn the_mean_is_that_of_every_number_rounded_to_the_nearest() {
        assert_eq!(average(&[filled(-5), filled(9)], ""), Ok(filled(2)));
        let twice = [filled(-127), filled(-127), filled(126)];
        assert_eq!(average(&twice, ""), Ok(filled(-43)));
        assert_eq!(average(&[filled(7)], ""), Ok(filled(7)));
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
        assert_eq!(average(&[], ""), Err(AverageError::None));
        let mut other = filled(1);
        other.thresholds = vec![3];
        other.stacks.push(other.stacks[0].clone());
        assert_eq!(
            average(&[filled(1), filled(1), other], ""),
            Err(AverageError::Shape(3))
        );
        let mut other = filled(1);
        other.centipawns = 600;
        assert_eq!(
            average(&[filled(1), other], ""),
            Err(AverageError::Scale(2))
        );
    }
}
