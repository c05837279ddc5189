//! Export: from the trained numbers to the integers of network files.

use rayon::prelude::*;

use super::batch::Blend;
use super::dense::Stack;
use super::inputs::Inputs;
use super::loss::POINTS_PER_UNIT;
use super::network::Network;
use super::shape::{ACTIVATION_ONE, Grid, Shape};
use super::simd::TILE;
use crate::nnue;
use crate::nnue::hagane_nn::{LayerStackParameters, Parameters};
use crate::position::packed::PackError;
use crate::training::data::record::Psv;

/// What 1.0 is in an accumulator of our own networks.
pub(super) const OWN_ONE: f32 = 255.0;
/// BonaPieces of HalfKP.
const BONA_PIECES: usize = 1548;
const SECOND: usize = Shape::SECOND;

/// The network file: our own format, or nn.bin for HalfKP. `description` is stored in it.
pub fn export(network: &Network, description: &str) -> Vec<u8> {
    match network.shape.inputs {
        Inputs::PieceSquare => own(network, description).to_bytes(),
        Inputs::HalfKp => halfkp(network, description),
    }
}

/// The numbers of our own format.
fn own(network: &Network, description: &str) -> Parameters {
    let shape = network.shape;
    let (biases, weights) = transformer(network, OWN_ONE, shape.inputs.rows(), |_, value| value);
    Parameters {
        l1: shape.width,
        h1: shape.hidden,
        h2: SECOND,
        centipawns: POINTS_PER_UNIT as u32,
        zones: [0; 45],
        thresholds: shape.thresholds().collect(),
        description: description.to_owned(),
        biases,
        weights,
        stacks: network.stacks.iter().map(|stack| dense(stack, shape.grid())).collect(),
    }
}

/// The sparse layer as integers, row by row; `complete` adds to a value what other rows contribute to it.
fn transformer(
    network: &Network,
    one: f32,
    rows: usize,
    complete: impl Fn((usize, usize, usize), f32) -> f32,
) -> (Vec<i16>, Vec<i16>) {
    let round = |value: f32| (value * one).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16;
    let biases = network.tiles.iter().flat_map(|tile| tile.biases).map(round).collect();
    let mut weights = Vec::with_capacity(rows * network.shape.width);
    for row in 0..rows {
        for (index, tile) in network.tiles.iter().enumerate() {
            for (column, &value) in tile.weights[row * TILE..][..TILE].iter().enumerate() {
                weights.push(round(complete((row, index, column), value)));
            }
        }
    }
    (biases, weights)
}

/// A stack as integers.
fn dense(stack: &Stack, (hidden, output): Grid) -> LayerStackParameters {
    let layout = stack.layout;
    let wide = |value: f32, one: f32| (value * one).round() as i32;
    let narrow = |value: f32, one: f32| (value * one).round().clamp(-127.0, 127.0) as i8;
    let p = &stack.parameters;
    // The trainer's weights lie input by input, the file's output by output.
    let turned = |first: usize, inputs: usize, outputs: usize| -> Vec<i8> {
        (0..outputs)
            .flat_map(|o| (0..inputs).map(move |i| first + i * outputs + o))
            .map(|at| narrow(p[at], hidden))
            .collect()
    };
    let bias = |range: std::ops::Range<usize>| -> Vec<i32> {
        p[range].iter().map(|&value| wide(value, hidden * ACTIVATION_ONE)).collect()
    };
    LayerStackParameters {
        first_biases: bias(layout.biases1()..layout.weights2()),
        first_weights: turned(0, layout.inputs, layout.hidden),
        second_biases: bias(layout.biases2()..layout.weights3()),
        second_weights: turned(layout.weights2(), SECOND, SECOND),
        output_bias: wide(p[layout.bias3()], output * ACTIVATION_ONE),
        output_weights: p[layout.weights3()..layout.bias3()].iter().map(|&value| narrow(value, output)).collect(),
    }
}

/// A HalfKP 256x2-32-32 network as nn.bin, for FV_SCALE 16.
fn halfkp(network: &Network, description: &str) -> Vec<u8> {
    // The row shared by all king squares is part of the row of each.
    let shared = |(row, tile, column): (usize, usize, usize), value: f32| {
        let common = 81 * BONA_PIECES + row % BONA_PIECES;
        value + network.tiles[tile].weights[common * TILE + column]
    };
    let (biases, weights) = transformer(network, ACTIVATION_ONE, 81 * BONA_PIECES, shared);
    let stack = dense(&network.stacks[0], network.shape.grid());
    let architecture = nnue::Architecture {
        features: nnue::FeatureKind::HalfKp,
        family: nnue::Family::Plain,
        l1: network.shape.width,
        h1: network.shape.hidden,
        h2: SECOND,
        stacks: 1,
    };
    // Other engines look for the architecture in the text.
    let (width, both) = (network.shape.width, 2 * network.shape.width);
    let text = format!(
        "Features=HalfKP(Friend)[125388->{width}x2],Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32]\
         (ClippedReLU[32](AffineTransform[32<-{both}](InputSlice[{both}(0:{both})]))))){}{description}",
        if description.is_empty() { "" } else { "," }
    );
    let mut out = Vec::new();
    for word in [0x7AF3_2F16, architecture.file_hash(), text.len() as u32] {
        out.extend_from_slice(&word.to_le_bytes());
    }
    out.extend_from_slice(text.as_bytes());
    out.extend_from_slice(&architecture.transformer_hash().to_le_bytes());
    out.extend(biases.iter().chain(&weights).flat_map(|value| value.to_le_bytes()));
    out.extend_from_slice(&architecture.stack_hash().to_le_bytes());
    stack.write(&mut out);
    out
}

/// How well the exported integers do, computed by the engine's own plain inference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Check {
    /// Mean loss of the integer network.
    pub loss: f64,
    /// Mean absolute difference from the floating-point network's values, in points.
    pub difference: f64,
}

/// Evaluates records with the exported file and compares with the trained network. `None` without records.
pub fn check(network: &mut Network, file: &[u8], records: &[Psv], blend: Blend) -> Result<Option<Check>, CheckError> {
    if records.is_empty() {
        return Ok(None);
    }
    let exported = nnue::Network::from_bytes(file)?;
    let (mut loss_sum, mut difference) = (0.0, 0.0);
    for records in records.chunks(4096) {
        let batch = super::batch::Batch::new(records, &network.shape, blend)?;
        let outputs = network.outputs(&batch);
        let values: Vec<i32> = records
            .par_iter()
            .map(|record| {
                let board = record.position()?;
                Ok(exported.evaluate_board(&board))
            })
            .collect::<Result<_, PackError>>()?;
        let labels = batch.terms.iter().zip(&batch.targets);
        for ((output, &origin), (&terms, &target)) in outputs.iter().zip(&batch.origin).zip(labels) {
            let value = values[origin as usize] as f32;
            loss_sum += f64::from(blend.power.loss(value / POINTS_PER_UNIT + terms, target).0);
            difference += f64::from((value - output * POINTS_PER_UNIT).abs());
        }
    }
    let count = records.len() as f64;
    Ok(Some(Check { loss: loss_sum / count, difference: difference / count }))
}

/// Why an exported network cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The engine does not load it.
    #[error("the exported network does not load: {0}")]
    Network(#[from] nnue::NetworkError),
    /// A record cannot be unpacked.
    #[error(transparent)]
    Position(#[from] PackError),
}
