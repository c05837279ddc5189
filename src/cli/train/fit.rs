//! `hagane train fit`

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use super::{check_shares, pool};
use crate::cli::processors;
use crate::nnue::{self, embedded::MAGIC};
use crate::training::fit::foresight::Foresight;
use crate::training::fit::loss::{CUSTOMARY_SCALE, Power};
use crate::training::fit::shape::Shape;
use crate::training::fit::{self, checkpoint, export, import};
use crate::training::record::Psv;
use crate::training::shard::write_whole;
use crate::training::source;

#[derive(Clone, Copy, ValueEnum)]
enum Architecture {
    /// Hagane's own: mirrored pieces on squares, products, eight stacks
    Own,
    /// HalfKP 256x2-32-32, written as nn.bin for other engines
    Halfkp,
}

#[derive(Clone, Copy, ValueEnum)]
enum Exponent {
    #[value(name = "1.5")]
    ThreeHalves,
    #[value(name = "2")]
    Two,
    #[value(name = "2.5")]
    FiveHalves,
}

impl From<Exponent> for Power {
    fn from(exponent: Exponent) -> Self {
        match exponent {
            Exponent::ThreeHalves => Self::ThreeHalves,
            Exponent::Two => Self::Two,
            Exponent::FiveHalves => Self::FiveHalves,
        }
    }
}

/// Trains a network on the CPU. May be stopped at any time; --resume goes on from the last checkpoint.
#[derive(Args)]
pub(super) struct Fit {
    /// Files, or folders with a manifest
    #[arg(required_unless_present = "resume")]
    sources: Vec<PathBuf>,
    /// The folder for network, checkpoint and loss curve
    #[arg(long, short)]
    output: PathBuf,
    /// Go on from the checkpoint in the output folder; all other settings are the checkpoint's
    #[arg(long)]
    resume: bool,
    /// Begin with the weights of another run's checkpoint, or of a network file of our own (eval/hagane.nn), instead of
    /// random ones
    #[arg(long, conflicts_with = "resume")]
    initial: Option<PathBuf>,
    /// The architecture
    #[arg(long, value_enum, default_value = "own")]
    architecture: Architecture,
    /// Width of the first layer, for one perspective (own architecture)
    #[arg(long, default_value_t = 256)]
    width: usize,
    /// Seed of weights and order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Times that the data is gone through
    #[arg(long, default_value_t = 2)]
    epochs: u32,
    /// Positions a batch
    #[arg(long, default_value_t = 16384)]
    batch: usize,
    /// Highest learning rate
    #[arg(long, default_value_t = 1e-3)]
    rate: f32,
    /// Learning rate at the end
    #[arg(long, default_value_t = 1e-5)]
    last_rate: f32,
    /// Positions over which the learning rate rises
    #[arg(long, default_value_t = 1_000_000)]
    warm_up: u64,
    /// Weight of scores against results, 0 to 1; a drawn game says nothing, there the score alone counts
    #[arg(long, default_value_t = 0.8)]
    lambda: f32,
    /// The same at the end [default: as at the beginning]
    #[arg(long)]
    last_lambda: Option<f32>,
    /// Weight of later scores of the game in each position's score, 0 to 1: shallow searches err less together. Eight
    /// weights with commas between them are those of the phases, from nothing in hand on
    #[arg(long, default_value = "0")]
    foresight: Foresight,
    /// Centipawns of the data's scores that mean winning 73 % of the games
    #[arg(long, default_value_t = CUSTOMARY_SCALE)]
    scale: f32,
    /// Power of the differences between expected and wanted results: low ones hear less of labels that are far off.
    /// Where results count (--lambda), powers below 2 make values too large and powers above 2 too small
    #[arg(long, value_enum, default_value = "2.5")]
    power: Exponent,
    /// Learning rate of the rows that a piece's squares within two files and ranks have in common, as a factor of
    /// --rate; a square has up to 25 of them, which add up. 0 for none (own architecture only)
    #[arg(long, default_value_t = 0.0)]
    neighbours: f32,
    /// Leave out scores above this
    #[arg(long, default_value_t = 20_000)]
    largest_score: i16,
    /// Learn positions in check too
    #[arg(long)]
    with_checks: bool,
    /// Learn positions whose best move captures or promotes too
    #[arg(long)]
    with_captures: bool,
    /// Share of the positions drawn in each epoch
    #[arg(long, default_value_t = 1.0)]
    keep: f32,
    /// One game in this many is kept for validation, 0 for none
    #[arg(long, default_value_t = 50)]
    validation: u64,
    /// Positions in memory at a time, 40 bytes each
    #[arg(long, default_value_t = 50_000_000)]
    buffer: usize,
    /// Positions between two points of the loss curve
    #[arg(long, default_value_t = 1_000_000)]
    interval: u64,
    /// Threads; the network is the same for any number
    #[arg(long, default_value_t = processors())]
    threads: usize,
    /// A sentence for the network file: who made it, of what
    #[arg(long, default_value = "", value_parser = super::description)]
    description: String,
}

impl Fit {
    pub(super) fn run(self) -> anyhow::Result<()> {
        pool(self.threads)?.install(|| self.fit())
    }

    fn settings(&self) -> anyhow::Result<fit::Settings> {
        check_shares(&[("--lambda", self.lambda), ("--keep", self.keep)])?;
        ensure!(self.scale > 0.0, "--scale must be above 0");
        ensure!((0.0..=100.0).contains(&self.neighbours), "--neighbours must be 0 to 100, not {}", self.neighbours);
        let shape = match self.architecture {
            Architecture::Own => Shape::own(self.width),
            Architecture::Halfkp => Shape::HALFKP,
        };
        let files = source::files(&self.sources)?;
        if files.is_empty() {
            bail!("no finished shard in {}", self.sources[0].display());
        }
        let mut settings = fit::Settings::new(shape, files);
        settings.seed = self.seed;
        settings.epochs = self.epochs;
        settings.batch = self.batch;
        settings.rate = (self.rate, self.last_rate);
        settings.warm_up = self.warm_up;
        settings.lambda = (self.lambda, self.last_lambda.unwrap_or(self.lambda));
        settings.foresight = self.foresight;
        settings.scale = self.scale;
        settings.power = self.power.into();
        settings.neighbours = self.neighbours;
        settings.filter.in_check = !self.with_checks;
        settings.filter.tactical = !self.with_captures;
        settings.filter.largest_score = self.largest_score;
        settings.filter.keep = self.keep;
        settings.validation = self.validation;
        settings.buffer = self.buffer;
        settings.interval = self.interval;
        Ok(settings)
    }

    fn fit(self) -> anyhow::Result<()> {
        let (settings, from) = if self.resume {
            let (network, settings, place) = checkpoint::load(&self.output.join(fit::CHECKPOINT))?;
            (settings, Some((network, place)))
        } else {
            let settings = self.settings()?;
            let from = match &self.initial {
                Some(path) => Some(initial(path, &settings)?),
                None => None,
            };
            (settings, from)
        };
        let start = std::time::Instant::now();
        let resumed_at = from.as_ref().map_or(0, |(_, place)| place.seen);
        let bar = ProgressBar::new(1000)
            .with_style(ProgressStyle::with_template("{wide_bar} {percent} %, {msg}, {eta} left")?);
        let mut positions = 0;
        let fitted = fit::run(&settings, from, &self.output, |progress| {
            positions = progress.positions - resumed_at;
            bar.set_position((1000.0 * progress.done) as u64);
            let rate = positions as f64 / start.elapsed().as_secs_f64();
            bar.set_message(format!("loss {:.5}, {rate:.0} positions/s", progress.loss));
            if let Some(point) = progress.point {
                let validation = point.validation.map_or("-".to_owned(), |loss| format!("{loss:.6}"));
                bar.suspend(|| {
                    eprintln!(
                        "{:>12} positions, epoch {}, rate {:.1e}, training {:.6}, validation {validation}, {rate:.0} positions/s",
                        point.positions, point.epoch, point.rate, point.training
                    );
                });
            }
            true
        })?;
        bar.finish_and_clear();
        let seconds = start.elapsed().as_secs_f64();
        let Some(mut network) = fitted.network else {
            return Ok(());
        };
        let file = export::export(&network, &self.description);
        let name = match settings.shape {
            Shape::HALFKP => "nn.bin",
            _ => "hagane.nn",
        };
        let path = self.output.join(name);
        write_whole(&path, &file).with_context(|| path.display().to_string())?;
        report(&path, &file, &settings, &mut network, &fitted.validation, positions, seconds)
    }
}

/// The weights of another run or of a network file, for a run that begins.
fn initial(path: &Path, settings: &fit::Settings) -> anyhow::Result<(fit::network::Network, checkpoint::Place)> {
    let bytes = nnue::Network::bytes(path).with_context(|| path.display().to_string())?;
    let network = if bytes.starts_with(MAGIC) {
        import::import(&bytes).with_context(|| path.display().to_string())?
    } else {
        let (mut network, _, _) = checkpoint::parse(path, &bytes)?;
        network.forget_moments();
        network
    };
    ensure!(network.shape == settings.shape, "{} holds a network of another architecture or width", path.display());
    Ok((network, checkpoint::Place::default()))
}

/// Says what came out: the losses of the trained and of the exported network.
fn report(
    path: &Path,
    file: &[u8],
    settings: &fit::Settings,
    network: &mut fit::network::Network,
    validation: &[Psv],
    positions: u64,
    seconds: f64,
) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    writeln!(
        out,
        "{positions} positions learned in {seconds:.1} s, {:.0} positions/s",
        positions as f64 / seconds.max(1e-9)
    )?;
    let blend = settings.blend_at(1.0);
    let float = fit::mean_loss(network, settings, validation)?;
    if let (Some(float), Some(check)) = (float, export::check(network, file, validation, blend)?) {
        writeln!(
            out,
            "validation loss {float:.6} ({} positions); exported integers {:.6}, on average {:.2} points apart",
            validation.len(),
            check.loss,
            check.difference
        )?;
    }
    writeln!(out, "{} ({} bytes)", path.display(), file.len())?;
    Ok(())
}
