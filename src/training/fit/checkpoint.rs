//! Checkpoints: all that a run needs to continue as if it had not been interrupted.
//!
//! A line of JSON (shape, settings, place in the data), then the numbers as they lie in memory, little-endian.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::dense::{Layout, Stack};
use super::factoriser::SharedRows;
use super::network::Network;
use super::settings::FitSettings;
use super::simd::TILE;
use super::weight_average::WeightAverage;
use crate::platform::files::write_whole;

/// The place a run has reached.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Place {
    /// The epoch, from 0.
    pub epoch: u32,
    /// Files of the epoch read before the buffer was filled.
    pub first_file: usize,
    /// Batches of that filling learned.
    pub batches: usize,
    /// Positions learned since the beginning.
    pub seen: u64,
    /// Sum of the training losses since the last line of the curve, and their number.
    pub loss: (f64, u64),
}

/// What a checkpoint holds.
pub struct Checkpoint {
    /// The network with the optimiser's state.
    pub network: Network,
    /// The mean of the weights so far.
    pub(super) average: WeightAverage,
    /// The settings of the run.
    pub settings: FitSettings,
    /// The place in the data.
    pub place: Place,
}

const VERSION: u32 = 2;

#[derive(Serialize, Deserialize)]
struct Header {
    hagane_checkpoint: u32,
    settings: FitSettings,
    place: Place,
    steps: u32,
    stack_steps: Vec<u32>,
    /// Whether the tiles have shared rows.
    shared_rows: bool,
    /// Batches whose weights were averaged.
    averaged: u32,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is something else, or damaged.
    #[error("{path}: not a checkpoint of this trainer: {what}")]
    Format {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
}

/// Writes a checkpoint whole.
pub(super) fn save(
    path: &Path,
    network: &Network,
    average: &WeightAverage,
    settings: &FitSettings,
    place: Place,
) -> Result<(), CheckpointError> {
    let header = Header {
        hagane_checkpoint: VERSION,
        settings: settings.clone(),
        place,
        steps: network.steps,
        stack_steps: network.stack_steps.clone(),
        shared_rows: network.tiles.iter().any(|tile| tile.shared_rows.is_some()),
        averaged: average.count,
    };
    let mut bytes = serde_json::to_vec(&header)
        .map_err(|error| CheckpointError::Format { path: path.to_owned(), what: error.to_string() })?;
    bytes.push(b'\n');
    let mut put = |numbers: &[f32]| bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    for tile in &network.tiles {
        put(&tile.weights);
        put(&tile.biases);
        tile.moments.iter().for_each(|moments| put(moments));
        tile.bias_moments.iter().for_each(|moments| put(moments));
        if let Some(shared) = &tile.shared_rows {
            shared.moments.iter().for_each(|moments| put(moments));
        }
    }
    for stack in &network.stacks {
        put(&stack.parameters);
        stack.moments.iter().for_each(|moments| put(moments));
    }
    put(&average.means);
    bytes.extend(network.row_steps.iter().flat_map(|steps| steps.to_le_bytes()));
    write_whole(path, &bytes).map_err(|source| CheckpointError::Io { path: path.to_owned(), source })
}

/// Reads a checkpoint.
pub fn load(path: &Path) -> Result<Checkpoint, CheckpointError> {
    let bytes = std::fs::read(path).map_err(|source| CheckpointError::Io { path: path.to_owned(), source })?;
    parse(path, &bytes)
}

/// Reads a checkpoint from its bytes; `path` is for the errors.
pub fn parse(path: &Path, bytes: &[u8]) -> Result<Checkpoint, CheckpointError> {
    let bad = |what: &str| CheckpointError::Format { path: path.to_owned(), what: what.to_owned() };
    let end = bytes.iter().position(|&byte| byte == b'\n').ok_or_else(|| bad("it has no header"))?;
    let header: Header = serde_json::from_slice(&bytes[..end]).map_err(|error| bad(&error.to_string()))?;
    if header.hagane_checkpoint != VERSION {
        return Err(bad("it is of another version"));
    }
    let shape = header.settings.shape;
    if let Some(problem) = shape.problem() {
        return Err(bad(&problem));
    }
    let mut network = Network::new(shape, 0);
    let mut words = bytes[end + 1..].as_chunks::<4>().0.iter();
    let mut missing = false;
    let mut get = |numbers: &mut [f32]| {
        for number in numbers {
            match words.next() {
                Some(word) => *number = f32::from_le_bytes(*word),
                None => missing = true,
            }
        }
    };
    for tile in &mut network.tiles {
        get(&mut tile.weights);
        let mut biases = [0.0; TILE];
        get(&mut biases);
        tile.biases = biases;
        tile.moments.iter_mut().for_each(|moments| get(moments));
        tile.bias_moments.iter_mut().for_each(|moments| get(moments));
        if header.shared_rows {
            let mut shared = SharedRows::new(shape.inputs.pieces().len());
            shared.moments.iter_mut().for_each(|moments| get(moments));
            tile.shared_rows = Some(shared);
        }
    }
    let layout = Layout::of(&shape);
    for stack in &mut network.stacks {
        let mut parameters = vec![0.0; layout.size()];
        let mut moments = [parameters.clone(), parameters.clone()];
        get(&mut parameters);
        moments.iter_mut().for_each(|moments| get(moments));
        *stack = Stack::with(layout, shape.grid(), parameters, moments);
    }
    let mut average = WeightAverage { count: header.averaged, means: Vec::new() };
    if average.count > 0 {
        average.means = vec![0.0; network.parameters().map(<[f32]>::len).sum()];
        get(&mut average.means);
    }
    for steps in &mut network.row_steps {
        match words.next() {
            Some(word) => *steps = u32::from_le_bytes(*word),
            None => missing = true,
        }
    }
    if missing || words.next().is_some() || header.stack_steps.len() != shape.stacks {
        return Err(bad("its length is wrong"));
    }
    network.steps = header.steps;
    network.stack_steps = header.stack_steps;
    Ok(Checkpoint { network, average, settings: header.settings, place: header.place })
}
