//! `hagane train fit`

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use super::arguments::{check_shares, description, pool};
use crate::cli::file_arguments::expanded;
use crate::nnue;
use crate::platform::files::write_whole;
use crate::platform::scheduling::processors;
use crate::training::data::record::Psv;
use crate::training::data::source;
use crate::training::fit::loss::{CUSTOMARY_SCALE, Power};
use crate::training::fit::network::Network;
use crate::training::fit::settings::FitSettings;
use crate::training::fit::shape::Shape;
use crate::training::fit::{self, Start, export, import};

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

/// Trains a network on the CPU
///
/// The learning rate rises and then falls to nothing; the network has the mean weights of the last quarter. May be
/// stopped at any time; --resume continues from the last checkpoint.
#[derive(Args)]
pub(super) struct Fit {
    /// Files, or folders with a manifest
    #[arg(required_unless_present = "resume")]
    sources: Vec<PathBuf>,
    /// The folder for network, checkpoint and loss curve
    #[arg(long, short)]
    output: PathBuf,
    /// Continue from the checkpoint in the output folder, with its settings
    #[arg(long)]
    resume: bool,
    /// Begin with the weights of a network file (eval/hagane.nn), not random ones
    #[arg(long, conflicts_with = "resume")]
    initial: Option<PathBuf>,
    /// The architecture
    #[arg(long, value_enum, default_value = "own")]
    architecture: Architecture,
    /// Width of the first layer, per perspective (own architecture) [default: 256, or that of --initial]
    #[arg(long)]
    width: Option<usize>,
    /// Seed of weights and order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Passes over the data
    #[arg(long, default_value_t = 2)]
    epochs: u32,
    /// Positions per batch
    #[arg(long, default_value_t = 16384)]
    batch: usize,
    /// Peak of the learning rate
    #[arg(long, default_value_t = 1e-3)]
    rate: f32,
    /// Positions over which the learning rate rises
    #[arg(long, default_value_t = 1_000_000)]
    warm_up: u64,
    /// Weight of scores against results, 0 to 1
    ///
    /// Where there is no result, or a draw, the score alone counts.
    #[arg(long, default_value_t = 0.8)]
    lambda: f32,
    /// Weight of later scores of the game in each position's score, 0 to 1
    #[arg(long, default_value_t = 0.0)]
    td_lambda: f32,
    /// Centipawns of the data's scores that mean winning 73 % of the games
    #[arg(long, default_value_t = CUSTOMARY_SCALE)]
    scale: f32,
    /// Power of the differences in the loss
    ///
    /// Low powers give less weight to labels that are far off. Where results count (--lambda), powers below 2 make
    /// values too large and powers above 2 too small.
    #[arg(long, value_enum, default_value = "2.5")]
    power: Exponent,
    /// Learning rate of rows shared by neighbouring squares, as a factor
    ///
    /// Of --rate; the squares within two files and ranks of a piece's square share a row with it. 0 for none (own
    /// architecture only).
    #[arg(long, default_value_t = 0.0)]
    factoriser: f32,
    /// Weight decay of the first layer's rows
    ///
    /// Each batch takes --rate times this off the rows that it touches. It keeps few positions from being learned by
    /// heart; a network that is learned on (--initial) would forget.
    #[arg(long, default_value_t = 0.0)]
    row_decay: f32,
    /// One game in this many is kept for validation, 0 for none
    #[arg(long, default_value_t = 50)]
    validation: u64,
    /// Positions that are shuffled at a time, 40 bytes each
    ///
    /// Half as many are kept for later epochs.
    #[arg(long, default_value_t = 50_000_000)]
    buffer: usize,
    /// Positions between two points of the loss curve
    #[arg(long, default_value_t = 1_000_000)]
    interval: u64,
    /// Threads; the network is the same for any number
    #[arg(long, default_value_t = processors())]
    threads: usize,
    /// Text that is stored in the network file
    #[arg(long, default_value = "", value_parser = description)]
    description: String,
}

impl Fit {
    pub(super) fn run(self) -> anyhow::Result<()> {
        pool(self.threads)?.install(|| self.fit())
    }

    fn settings(&self, initial: Option<&Network>) -> anyhow::Result<FitSettings> {
        check_shares(&[("--lambda", self.lambda), ("--td-lambda", self.td_lambda)])?;
        ensure!(self.scale > 0.0, "--scale must be above 0");
        ensure!((0.0..=100.0).contains(&self.factoriser), "--factoriser must be 0 to 100, not {}", self.factoriser);
        let taken = self.row_decay * self.rate;
        ensure!((0.0..1.0).contains(&taken), "--row-decay times --rate must be 0 to below 1, not {taken}");
        let shape = match self.architecture {
            Architecture::Own => Shape::own(self.width.or(initial.map(|network| network.shape.width)).unwrap_or(256)),
            Architecture::Halfkp => Shape::HALFKP,
        };
        let files = source::files(&expanded(&self.sources)?)?;
        if files.is_empty() {
            bail!("no finished shard in {}", self.sources[0].display());
        }
        let mut settings = FitSettings::new(shape, files);
        settings.seed = self.seed;
        settings.epochs = self.epochs;
        settings.batch = self.batch;
        settings.rate = self.rate;
        settings.warm_up = self.warm_up;
        settings.lambda = self.lambda;
        settings.td_lambda = self.td_lambda;
        settings.scale = self.scale;
        settings.power = self.power.into();
        settings.factoriser = self.factoriser;
        settings.row_decay = self.row_decay;
        settings.validation = self.validation;
        settings.buffer = self.buffer;
        settings.interval = self.interval;
        Ok(settings)
    }

    fn fit(self) -> anyhow::Result<()> {
        let (settings, from) = if self.resume {
            let (start, settings) = Start::resume(&self.output.join(fit::CHECKPOINT))?;
            (settings, Some(start))
        } else {
            let initial = self.initial.as_deref().map(initial).transpose()?;
            let settings = self.settings(initial.as_ref())?;
            if let (Some(network), Some(path)) = (&initial, &self.initial) {
                ensure!(
                    network.shape == settings.shape,
                    "{} holds a network of another architecture or width",
                    path.display()
                );
            }
            (settings, initial.map(Start::new))
        };
        let start = std::time::Instant::now();
        let resumed_at = from.as_ref().map_or(0, |start| start.place.seen);
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

/// The weights of a network file, for a run that begins.
fn initial(path: &Path) -> anyhow::Result<Network> {
    let bytes = nnue::Network::bytes(path).with_context(|| path.display().to_string())?;
    import::import(&bytes).with_context(|| path.display().to_string())
}

/// Says what came out: the losses of the trained and of the exported network.
fn report(
    path: &Path,
    file: &[u8],
    settings: &FitSettings,
    network: &mut Network,
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
    let blend = settings.blend();
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
