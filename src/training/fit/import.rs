//! From a network file of our own back to trainable numbers: the inverse of [`super::export`] except for rounding. The
//! optimiser starts afresh.

use super::dense::{Layout, Stack};
use super::export::OWN_ONE;
use super::network::{Network, SEEN};
use super::shape::{ACTIVATION_ONE, Shape};
use super::simd::TILE;
use crate::nnue::NetworkError;
use crate::nnue::hagane_nn::{LayerStackParameters, Parameters};

/// Why a network file cannot be trained further.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It is not a network of our own.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The trainer has no such architecture.
    #[error("the trainer cannot continue a network with {0}")]
    Shape(String),
}

/// The network of a file's bytes.
///
/// # Errors
/// Bytes that are no network of our own, or one that the trainer could not have made.
pub fn import(file: &[u8]) -> Result<Network, ImportError> {
    let parameters = Parameters::from_bytes(file)?;
    let shape = shape(&parameters).map_err(ImportError::Shape)?;
    let mut network = Network::new(shape, 0);
    for (index, tile) in network.tiles.iter_mut().enumerate() {
        let columns = index * TILE..(index + 1) * TILE;
        let float = |&value: &i16| f32::from(value) / OWN_ONE;
        for (bias, value) in tile.biases.iter_mut().zip(&parameters.biases[columns.clone()]) {
            *bias = float(value);
        }
        let rows = parameters.weights.chunks_exact(shape.width);
        for (weights, row) in tile.weights.chunks_exact_mut(TILE).zip(rows) {
            for (weight, value) in weights.iter_mut().zip(&row[columns.clone()]) {
                *weight = float(value);
            }
        }
    }
    network.stacks = parameters.stacks.iter().map(|stack| dense(stack, &shape)).collect();
    network.row_steps.fill(SEEN);
    Ok(network)
}

/// The trainer's name for an architecture, or what it does not have.
fn shape(parameters: &Parameters) -> Result<Shape, String> {
    let shape = Shape::own(parameters.l1);
    if let Some(problem) = shape.problem() {
        return Err(problem);
    }
    for (what, fits) in [
        ("king zones", parameters.zones == [0; 45]),
        ("other dense layers", (parameters.h1, parameters.h2) == (shape.hidden, Shape::SECOND)),
        ("other phases", shape.thresholds().eq(parameters.thresholds.iter().copied())),
    ] {
        if !fits {
            return Err(what.to_owned());
        }
    }
    Ok(shape)
}

/// A stack in floating point.
fn dense(stack: &LayerStackParameters, shape: &Shape) -> Stack {
    let layout = Layout::of(shape);
    let (hidden, output) = shape.grid();
    let mut parameters = vec![0.0; layout.size()];
    // The file's weights lie output by output, the trainer's input by input.
    let mut turn = |first: usize, weights: &[i8], inputs: usize, outputs: usize| {
        for (o, row) in weights.chunks_exact(inputs).enumerate() {
            for (i, &weight) in row.iter().enumerate() {
                parameters[first + i * outputs + o] = f32::from(weight) / hidden;
            }
        }
    };
    turn(0, &stack.first_weights, layout.inputs, layout.hidden);
    turn(layout.weights2(), &stack.second_weights, Shape::SECOND, Shape::SECOND);
    let mut put = |first: usize, values: &mut dyn Iterator<Item = f32>| {
        for (parameter, value) in parameters[first..].iter_mut().zip(values) {
            *parameter = value;
        }
    };
    let bias = |&value: &i32| value as f32 / (hidden * ACTIVATION_ONE);
    put(layout.biases1(), &mut stack.first_biases.iter().map(bias));
    put(layout.biases2(), &mut stack.second_biases.iter().map(bias));
    let last = |&value: &i8| f32::from(value) / output;
    put(layout.weights3(), &mut stack.output_weights.iter().map(last));
    parameters[layout.bias3()] = stack.output_bias as f32 / (output * ACTIVATION_ONE);
    let moments = [vec![0.0; layout.size()], vec![0.0; layout.size()]];
    Stack::with(layout, shape.grid(), parameters, moments)
}
