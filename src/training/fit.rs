//! The CPU trainer: from labelled positions to a network.
//!
//! Everything is reproducible to the bit: the order of the data and the initial weights come from the seed, sums run in
//! the same order on any number of threads, and a run continued from a checkpoint ends where an uninterrupted one does.

pub mod batch;
pub mod checkpoint;
pub mod curve;
pub mod data;
pub mod dense;
pub mod export;
pub mod foresight;
pub mod import;
pub mod inputs;
pub mod loss;
pub mod neighbours;
pub mod network;
pub mod optimiser;
pub mod shape;
mod simd;
pub mod transformer;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use self::batch::{Batch, Blend};
use self::checkpoint::{CheckpointError, Place};
use self::curve::Point;
use self::data::{Data, Filter};
use self::foresight::Foresight;
use self::loss::Power;
use self::network::{Lesson, Network};
use self::optimiser::learning_rate;
use self::shape::Shape;
use super::packed::PackError;
use super::record::Psv;
use super::source::SourceError;

/// How a network is trained. Everything that changes its weights is in here.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The architecture.
    pub shape: Shape,
    /// The files, see [`super::source::files`].
    pub files: Vec<PathBuf>,
    /// The seed of weights and order.
    pub seed: u64,
    /// How often the data is gone through.
    pub epochs: u32,
    /// Positions a batch.
    pub batch: usize,
    /// The learning rate at its highest and at the end.
    pub rate: (f32, f32),
    /// Positions over which the learning rate rises.
    pub warm_up: u64,
    /// Weight decay of the dense layers.
    pub decay: f32,
    /// The weight of scores against results, at the beginning and at the end.
    pub lambda: (f32, f32),
    /// The weight of later scores of the game in a position's, 0 for none (see [`foresight`]).
    #[serde(default)]
    pub foresight: Foresight,
    /// The scale of the data's scores against results: a score of this much means winning in 73 % of the games. The
    /// network's own values have [`loss::CUSTOMARY_SCALE`] all the same.
    pub scale: f32,
    /// The power of differences in the loss.
    #[serde(default)]
    pub power: Power,
    /// The learning rate of the common rows of neighbouring squares as a factor of the others', 0 for none (see
    /// [`neighbours`]).
    #[serde(default)]
    pub neighbours: f32,
    /// Which positions are learned.
    pub filter: Filter,
    /// One game in this many is kept for validation, 0 for none.
    pub validation: u64,
    /// Validation positions at most.
    pub validation_positions: usize,
    /// Positions in memory at a time, 40 bytes each.
    pub buffer: usize,
    /// Positions between two points of the curve.
    pub interval: u64,
}

impl Settings {
    /// Reasonable settings for some tens of millions of positions.
    pub fn new(shape: Shape, files: Vec<PathBuf>) -> Self {
        Self {
            shape,
            files,
            seed: 1,
            epochs: 2,
            batch: 16384,
            rate: (1e-3, 1e-5),
            warm_up: 1_000_000,
            decay: 0.01,
            lambda: (0.8, 0.8),
            foresight: Foresight::NONE,
            scale: loss::CUSTOMARY_SCALE,
            power: Power::default(),
            neighbours: 0.0,
            filter: Filter::default(),
            validation: 50,
            validation_positions: 500_000,
            buffer: 50_000_000,
            interval: 1_000_000,
        }
    }

    /// What the hidden and the output weights are cut to, so that the exported integers hold them.
    fn limits(&self) -> (f32, f32) {
        const LARGEST: f32 = 127.0;
        let (hidden, output) = self.shape.grid();
        (LARGEST / hidden, LARGEST / output)
    }

    /// How targets are made when this much of the run is done, 0..=1.
    pub fn blend_at(&self, progress: f32) -> Blend {
        Blend {
            lambda: self.lambda.0 + (self.lambda.1 - self.lambda.0) * progress,
            scale: self.scale,
            power: self.power,
        }
    }
}

/// Why training ended without a network.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// A file cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A checkpoint cannot be read or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A position cannot be unpacked.
    #[error(transparent)]
    Position(#[from] PackError),
    /// A file of the output folder cannot be written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The settings cannot be used.
    #[error("{0}")]
    Settings(String),
    /// The loss is no number any more.
    #[error("the training diverged after {0} positions (the loss is no number): lower the learning rate")]
    Diverged(u64),
}

/// What the caller's display is told after every batch.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The share of the run that is done, 0..=1.
    pub done: f32,
    /// Positions learned since the beginning.
    pub positions: u64,
    /// The batch's mean loss.
    pub loss: f64,
    /// A new point of the curve.
    pub point: Option<Point>,
}

/// The outcome of a run.
pub struct Fitted {
    /// The trained network; `None` where the display ended the run (the checkpoint continues it).
    pub network: Option<Network>,
    /// The points of the curve.
    pub curve: Vec<Point>,
    /// The validation positions.
    pub validation: Vec<Psv>,
}

/// The name of the checkpoint within the output folder.
pub const CHECKPOINT: &str = "checkpoint";
/// Points of the curve between two checkpoints.
const POINTS_PER_CHECKPOINT: usize = 10;

/// Trains a network, or continues from a checkpoint's network and place.
///
/// Curve and checkpoints go to `folder`. After every batch `progress` is called; when it returns false, the run saves
/// its place and ends.
pub fn run(
    settings: &Settings,
    from: Option<(Network, Place)>,
    folder: &Path,
    mut progress: impl FnMut(Progress) -> bool,
) -> Result<Fitted, FitError> {
    if let Some(problem) = settings.shape.problem() {
        return Err(FitError::Settings(problem));
    }
    if settings.batch == 0 || settings.files.is_empty() {
        return Err(FitError::Settings("there is nothing to learn: no file, or a batch of 0".to_owned()));
    }
    if settings.neighbours > 0.0 && settings.shape.inputs.pieces().len() == 0 {
        return Err(FitError::Settings(
            "neighbouring squares have common rows in the own architecture only".to_owned(),
        ));
    }
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| FitError::Io { path, source }
    };
    std::fs::create_dir_all(folder).map_err(io(folder))?;
    let data = Data {
        files: settings.files.clone(),
        filter: settings.filter,
        validation: settings.validation,
        buffer: settings.buffer,
        seed: settings.seed,
        foresight: (settings.foresight, settings.scale),
    };
    let checkpoint = folder.join(CHECKPOINT);
    let curve_path = folder.join("curve.csv");
    let validation = data.validation(settings.validation_positions)?;
    let (mut network, mut place) = match from {
        Some((network, place)) => (network, place),
        None => (Network::new(settings.shape, settings.seed), Place::default()),
    };
    // After a kill the table may be ahead of the checkpoint.
    let mut curve: Vec<Point> = match std::fs::read_to_string(&curve_path) {
        Ok(text) => text.lines().filter_map(Point::from_csv).collect(),
        Err(_) => Vec::new(),
    };
    curve.retain(|point| point.positions <= place.seen);

    let files = settings.files.len() as f32;
    while place.epoch < settings.epochs {
        let Some(filling) = data.fill(place.epoch, place.first_file)? else {
            place = Place { epoch: place.epoch + 1, first_file: 0, batches: 0, ..place };
            continue;
        };
        let batches: Vec<&[Psv]> = filling.records.chunks(settings.batch).collect();
        for records in batches.iter().skip(place.batches) {
            // What is left over is learned only if there is enough of it to trust, or nothing else.
            if records.len() < settings.batch / 4 && batches.len() > 1 {
                place.batches += 1;
                continue;
            }
            let within = place.batches as f32 / batches.len() as f32;
            let read = place.first_file as f32 + within * (filling.files_read - place.first_file) as f32;
            let done = (place.epoch as f32 + read / files) / settings.epochs as f32;
            let batch = Batch::new(records, &settings.shape, settings.blend_at(done))?;
            place.seen += records.len() as u64;
            let rate = learning_rate(settings.rate.0, settings.rate.1, done, place.seen, settings.warm_up);
            let (decay, limits, neighbours) = (settings.decay, settings.limits(), settings.neighbours);
            let loss = network.learn(&batch, Lesson { rate, decay, limits, neighbours });
            if !loss.is_finite() {
                return Err(FitError::Diverged(place.seen));
            }
            place.batches += 1;
            place.loss.0 += loss * records.len() as f64;
            place.loss.1 += records.len() as u64;
            let point = if place.loss.1 >= settings.interval {
                let training = place.loss.0 / place.loss.1 as f64;
                place.loss = (0.0, 0);
                let validation = mean_loss(&mut network, settings, &validation)?;
                let epoch = place.epoch + 1;
                let point = Point { positions: place.seen, epoch, rate, training, validation };
                curve.push(point);
                curve::write(&curve_path, &curve).map_err(io(&curve_path))?;
                Some(point)
            } else {
                None
            };
            let go_on = progress(Progress { done, positions: place.seen, loss, point });
            if !go_on || point.is_some() && curve.len().is_multiple_of(POINTS_PER_CHECKPOINT) {
                checkpoint::save(&checkpoint, &network, settings, place)?;
            }
            if !go_on {
                return Ok(Fitted { network: None, curve, validation });
            }
        }
        place.first_file = filling.files_read;
        place.batches = 0;
    }
    if place.seen == 0 {
        return Err(FitError::Settings("the filters left no position to learn".to_owned()));
    }
    curve::write(&curve_path, &curve).map_err(io(&curve_path))?;
    checkpoint::save(&checkpoint, &network, settings, place)?;
    network.clear_unseen_rows();
    Ok(Fitted { network: Some(network), curve, validation })
}

/// The mean loss over records, with the weight of scores that the run ends with; `None` without records.
pub fn mean_loss(network: &mut Network, settings: &Settings, records: &[Psv]) -> Result<Option<f64>, PackError> {
    let mut sum = 0.0;
    for records in records.chunks(16384) {
        let batch = Batch::new(records, &settings.shape, settings.blend_at(1.0))?;
        for (output, target) in network.outputs(&batch).into_iter().zip(&batch.targets) {
            sum += f64::from(settings.power.loss(output, *target).0);
        }
    }
    Ok((!records.is_empty()).then(|| sum / records.len() as f64))
}
