//! How a network is trained.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::batch::Blend;
use super::loss::{CUSTOMARY_SCALE, Power};
use super::shape::Shape;

/// How a network is trained. Everything that changes its weights is in here.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FitSettings {
    /// The architecture.
    pub shape: Shape,
    /// The files, see [`files`](crate::training::data::source::files).
    pub files: Vec<PathBuf>,
    /// The seed of weights and order.
    pub seed: u64,
    /// Passes over the data.
    pub epochs: u32,
    /// Positions per batch.
    pub batch: usize,
    /// The peak of the learning rate.
    pub rate: f32,
    /// Positions over which the learning rate rises.
    pub warm_up: u64,
    /// Weight decay of the dense layers.
    pub decay: f32,
    /// Weight decay of the sparse layer's rows, in the batches that touch them.
    #[serde(default)]
    pub row_decay: f32,
    /// The weight of scores against results.
    pub lambda: f32,
    /// The weight of later scores of the game in a position's, 0 for none (see [`td_lambda`](super::td_lambda)).
    pub td_lambda: f32,
    /// The scale of the data's scores against results: a score of this much means winning 73 % of the games. The
    /// network's own values have [`CUSTOMARY_SCALE`] all the same.
    pub scale: f32,
    /// The power of differences in the loss.
    pub power: Power,
    /// The learning rate of the rows shared by neighbouring squares as a factor of the others', 0 for none (see
    /// [`factoriser`](super::factoriser)).
    pub factoriser: f32,
    /// One game in this many is kept for validation, 0 for none.
    pub validation: u64,
    /// Validation positions at most.
    pub validation_positions: usize,
    /// Positions that are shuffled at a time, 40 bytes each; half as many are kept for later epochs.
    pub buffer: usize,
    /// Positions between two points of the curve.
    pub interval: u64,
}

impl FitSettings {
    /// Reasonable settings for some tens of millions of positions.
    pub fn new(shape: Shape, files: Vec<PathBuf>) -> Self {
        Self {
            shape,
            files,
            seed: 1,
            epochs: 2,
            batch: 16384,
            rate: 1e-3,
            warm_up: 1_000_000,
            decay: 0.01,
            row_decay: 0.0,
            lambda: 0.8,
            td_lambda: 0.0,
            scale: CUSTOMARY_SCALE,
            power: Power::default(),
            factoriser: 0.0,
            validation: 50,
            validation_positions: 500_000,
            buffer: 50_000_000,
            interval: 1_000_000,
        }
    }

    /// The limits of hidden and output weights, so that the exported integers can hold them.
    pub(super) fn limits(&self) -> (f32, f32) {
        const LARGEST: f32 = 127.0;
        let (hidden, output) = self.shape.grid();
        (LARGEST / hidden, LARGEST / output)
    }

    /// How targets are made.
    pub fn blend(&self) -> Blend {
        Blend { lambda: self.lambda, scale: self.scale, power: self.power }
    }

    /// Why the settings cannot be used, if they cannot.
    pub(super) fn problem(&self) -> Option<String> {
        if let Some(problem) = self.shape.problem() {
            return Some(problem);
        }
        if self.batch == 0 || self.files.is_empty() {
            return Some("there is nothing to learn: no file, or a batch of 0".to_owned());
        }
        if self.factoriser > 0.0 && self.shape.inputs.pieces().len() == 0 {
            return Some("neighbouring squares share rows in the own architecture only".to_owned());
        }
        None
    }
}
