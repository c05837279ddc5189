//! The trainer: from labelled positions to a network, on the CPU.
//!
//! Everything is reproducible to the bit: the order of the data and the initial weights come from the seed, sums run in
//! the same order on any number of threads, and a run continued from a checkpoint ends where an uninterrupted one does.

pub mod batch;
pub mod checkpoint;
pub mod curve;
pub mod data;
pub mod dense;
pub mod export;
pub mod factoriser;
pub mod import;
pub mod inputs;
pub mod loss;
pub mod network;
pub mod optimiser;
pub mod settings;
pub mod shape;
mod simd;
pub mod td_lambda;
pub mod transformer;
pub mod weight_average;

use std::path::{Path, PathBuf};

use self::batch::Batch;
use self::checkpoint::{Checkpoint, CheckpointError, Place};
use self::curve::Point;
use self::data::Data;
use self::network::{Network, Step};
use self::optimiser::learning_rate;
use self::settings::FitSettings;
use self::weight_average::WeightAverage;
use super::data::record::Psv;
use super::data::source::SourceError;
use crate::position::packed::PackError;

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
    /// The loss is no longer a number.
    #[error("the training diverged after {0} positions (the loss is no number): lower the learning rate")]
    Diverged(u64),
}

/// The state of a run after a batch, for its display.
#[derive(Clone, Copy, Debug)]
pub struct FitProgress {
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

/// Where a run begins or continues.
pub struct Start {
    /// The network.
    pub network: Network,
    /// The place in the data.
    pub place: Place,
    /// The mean of the weights so far.
    average: WeightAverage,
}

impl Start {
    /// The beginning of a run with some network.
    pub fn new(network: Network) -> Self {
        Self { network, place: Place::default(), average: WeightAverage::default() }
    }

    /// Continues a run from its checkpoint; returns its settings too.
    ///
    /// # Errors
    /// A file that cannot be read or is no checkpoint.
    pub fn resume(checkpoint: &Path) -> Result<(Self, FitSettings), CheckpointError> {
        let loaded = checkpoint::load(checkpoint)?;
        let Checkpoint { network, average, settings, place } = loaded;
        Ok((Self { network, place, average }, settings))
    }
}

/// The name of the checkpoint within the output folder.
pub const CHECKPOINT: &str = "checkpoint";
/// Points of the curve between two checkpoints.
const POINTS_PER_CHECKPOINT: usize = 10;

/// Trains a network, or continues from a checkpoint's network and place.
///
/// The network has the mean weights of the last quarter of the run ([`weight_average`]). Curve and checkpoints go to
/// `folder`. `progress` is called after every batch; when it returns false, the run saves its place and ends.
pub fn run(
    settings: &FitSettings,
    from: Option<Start>,
    folder: &Path,
    mut progress: impl FnMut(FitProgress) -> bool,
) -> Result<Fitted, FitError> {
    if let Some(problem) = settings.problem() {
        return Err(FitError::Settings(problem));
    }
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| FitError::Io { path, source }
    };
    std::fs::create_dir_all(folder).map_err(io(folder))?;
    let data = Data::new(settings);
    let checkpoint = folder.join(CHECKPOINT);
    let curve_path = folder.join("curve.csv");
    let validation = data.validation(settings.validation_positions)?;
    let Start { mut network, mut place, mut average } =
        from.unwrap_or_else(|| Start::new(Network::new(settings.shape, settings.seed)));
    // After a kill the curve may be ahead of the checkpoint.
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
            // A short last batch is learned only if it is not too small, or the only one.
            if records.len() < settings.batch / 4 && batches.len() > 1 {
                place.batches += 1;
                continue;
            }
            let within = place.batches as f32 / batches.len() as f32;
            let read = place.first_file as f32 + within * (filling.files_read - place.first_file) as f32;
            let done = (place.epoch as f32 + read / files) / settings.epochs as f32;
            let batch = Batch::new(records, &settings.shape, settings.blend())?;
            place.seen += records.len() as u64;
            let rate = learning_rate(settings.rate, done, place.seen, settings.warm_up);
            let FitSettings { decay, row_decay, factoriser, .. } = *settings;
            let loss = network.learn(&batch, Step { rate, decay, row_decay, limits: settings.limits(), factoriser });
            if !loss.is_finite() {
                return Err(FitError::Diverged(place.seen));
            }
            if done >= weight_average::BEGIN {
                average.add(&network);
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
            let go_on = progress(FitProgress { done, positions: place.seen, loss, point });
            if !go_on || point.is_some() && curve.len().is_multiple_of(POINTS_PER_CHECKPOINT) {
                checkpoint::save(&checkpoint, &network, &average, settings, place)?;
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
    checkpoint::save(&checkpoint, &network, &average, settings, place)?;
    average.apply(&mut network);
    network.clear_unseen_rows();
    Ok(Fitted { network: Some(network), curve, validation })
}

/// The mean loss over records; `None` without records.
pub fn mean_loss(network: &mut Network, settings: &FitSettings, records: &[Psv]) -> Result<Option<f64>, PackError> {
    let mut sum = 0.0;
    for records in records.chunks(16384) {
        let batch = Batch::new(records, &settings.shape, settings.blend())?;
        for ((output, terms), target) in network.outputs(&batch).into_iter().zip(&batch.terms).zip(&batch.targets) {
            sum += f64::from(settings.power.loss(output + terms, *target).0);
        }
    }
    Ok((!records.is_empty()).then(|| sum / records.len() as f64))
}
