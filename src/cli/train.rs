//! `hagane train`

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::{Args, Subcommand, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use super::processors;
use crate::position::Position;
use crate::training::convert::convert;
use crate::training::fit::batch::Blend;
use crate::training::fit::shape::Shape;
use crate::training::fit::{self, checkpoint, export};
use crate::training::generate::{self, Thinker};
use crate::training::placement::Placement;
use crate::training::shard::write_whole;
use crate::training::thinker::{self, Searcher};
use crate::training::variation::{self, Handmade, Judge, Searched, vary};
use crate::training::yardstick::Labels;
use crate::training::{source, stats};
use crate::types::Score;

/// Makes networks: self-play games, their conversion and statistics, and the training itself.
#[derive(Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Generate(Generate),
    Convert(Convert),
    Stats(Stats),
    Vary(Vary),
    Fit(Fit),
    Compare(Compare),
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Generate(arguments) => arguments.run(),
            Command::Convert(arguments) => arguments.run(),
            Command::Stats(arguments) => arguments.run(),
            Command::Vary(arguments) => arguments.run(),
            Command::Fit(arguments) => arguments.run(),
            Command::Compare(arguments) => arguments.run(),
        }
    }
}

/// Plays games of the engine against itself into a folder. May be stopped at any time (Ctrl-C); the same command goes
/// on where it stopped.
#[derive(Args)]
struct Generate {
    /// The folder for the shards
    folder: PathBuf,
    /// Games in all
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    /// Nodes a move: the iteration in which they are reached is finished
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    /// The network that evaluates [default: the evaluation made by hand]
    #[arg(long)]
    network: Option<PathBuf>,
    /// Deepest iteration, 0 for no limit
    #[arg(long, default_value_t = 0)]
    depth: i32,
    /// Threads, each with a game of its own; the games are the same for any number
    #[arg(long, default_value_t = processors())]
    threads: usize,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Transposition table of a game in MB
    #[arg(long, default_value_t = 4)]
    hash: usize,
    /// Games a shard
    #[arg(long, default_value_t = 500)]
    shard: u64,
    /// A folder of earlier games to branch off from
    #[arg(long)]
    earlier: Option<PathBuf>,
    /// Share of the games that branch off from earlier ones
    #[arg(long, default_value_t = 0.2)]
    own_games: f32,
    /// Share of handicap games
    #[arg(long, default_value_t = 0.05)]
    handicap: f32,
    /// Share of games with entered kings
    #[arg(long, default_value_t = 0.05)]
    entering_king: f32,
    /// A game is decided when one side has been ahead by this many centipawns for six plies
    #[arg(long, default_value_t = 3000)]
    decided: i32,
    /// Share of the games that is played to the end instead
    #[arg(long, default_value_t = 0.25)]
    to_the_end: f32,
}

impl Generate {
    fn run(self) -> anyhow::Result<()> {
        ensure!(self.threads > 0, "--threads must be at least 1");
        ensure!(self.nodes > 0, "--nodes must be at least 1");
        ensure!(self.games > 0, "--games must be at least 1");
        ensure!(self.shard > 0, "--shard must be at least 1");
        for (name, share) in [
            ("--own-games", self.own_games),
            ("--handicap", self.handicap),
            ("--entering-king", self.entering_king),
            ("--to-the-end", self.to_the_end),
        ] {
            ensure!(
                (0.0..=1.0).contains(&share),
                "{name} must lie between 0 and 1"
            );
        }
        let settings = generate::Settings {
            seed: self.seed,
            nodes: self.nodes,
            depth: self.depth,
            hash: self.hash,
            games_per_shard: self.shard,
            shares: crate::training::opening::Shares {
                own_games: self.own_games,
                handicap: self.handicap,
                entering_king: self.entering_king,
            },
            earlier: self.earlier,
            decided: self.decided,
            to_the_end: self.to_the_end,
            ..generate::Settings::default()
        };
        let (evaluator, evaluation) = thinker::evaluation(self.network.as_deref())?;
        let thinkers = (0..self.threads)
            .map(|_| Ok(Box::new(Searcher::new(&settings, evaluator.clone())?) as Box<dyn Thinker>))
            .collect::<Result<_, generate::GenerateError>>()?;
        let bar = ProgressBar::new(self.games).with_style(ProgressStyle::with_template(
            "{wide_bar} {pos}/{len} games, {msg}, {eta} left",
        )?);
        let mut last = generate::Progress::default();
        let mut logged = 0.0;
        let manifest = generate::run(
            &self.folder,
            self.games,
            &settings,
            &evaluation,
            thinkers,
            |progress| {
                last = progress;
                let text = format!(
                    "{:.0} positions/s, {:.0} nodes/s",
                    progress.positions as f64 / progress.seconds.max(1e-9),
                    progress.nodes as f64 / progress.seconds.max(1e-9)
                );
                // Without a terminal a line now and then takes the bar's place.
                if bar.is_hidden() && progress.seconds >= logged + 60.0 {
                    logged = progress.seconds;
                    eprintln!("{} of {} games, {text}", progress.games, self.games);
                }
                bar.set_position(progress.games);
                bar.set_message(text);
                true
            },
        )?;
        bar.finish_and_clear();
        let (games, positions) = manifest.totals();
        let bytes: u64 = manifest.shards.iter().map(|entry| entry.bytes).sum();
        let mut out = stdout().lock();
        writeln!(
            out,
            "{games} games, {positions} positions, {bytes} bytes ({:.2} a position) in {}",
            bytes as f64 / positions.max(1) as f64,
            self.folder.display()
        )?;
        if last.seconds > 0.0 {
            writeln!(
                out,
                "this run: {} positions and {} nodes in {:.1} s, {:.0} positions/s, {:.0} nodes/s",
                last.positions,
                last.nodes,
                last.seconds,
                last.positions as f64 / last.seconds,
                last.nodes as f64 / last.seconds
            )?;
        }
        Ok(())
    }
}

/// Converts training data; the endings of the names tell the formats: .shard, .psv or .bin (PackedSfenValue), .hcpe.
#[derive(Args)]
struct Convert {
    /// Files, or folders with a manifest
    #[arg(required = true)]
    sources: Vec<PathBuf>,
    /// The file to write
    #[arg(long, short)]
    output: PathBuf,
}

impl Convert {
    fn run(self) -> anyhow::Result<()> {
        let converted = convert(&self.sources, &self.output)?;
        let mut out = stdout().lock();
        writeln!(
            out,
            "{} positions written to {}",
            converted.positions,
            self.output.display()
        )?;
        if converted.left_out > 0 {
            writeln!(
                out,
                "{} positions left out: the format cannot hold them, or they have no legal best move",
                converted.left_out
            )?;
        }
        Ok(())
    }
}

/// Counts what is in training data.
#[derive(Args)]
struct Stats {
    /// Files, or folders with a manifest
    #[arg(required = true)]
    sources: Vec<PathBuf>,
}

impl Stats {
    fn run(self) -> anyhow::Result<()> {
        write!(stdout().lock(), "{}", stats::collect(&self.sources)?)?;
        Ok(())
    }
}

/// Makes positions that games do not show: those of games after up to two random moves, with the value of the evaluation
/// made by hand (for a first network: train on them with --lambda 1 --with-checks, then go on with games) or of a search
/// (--nodes). May be stopped at any time; the same command goes on where it stopped.
#[derive(Args)]
struct Vary {
    /// Shards, or folders with a manifest
    #[arg(required = true)]
    sources: Vec<PathBuf>,
    /// The folder to write to: a file (.psv) for each shard
    #[arg(long, short)]
    output: PathBuf,
    /// Share of the games' positions that are varied
    #[arg(long, default_value_t = 1.0)]
    share: f32,
    /// Variations of each of them
    #[arg(long, default_value_t = 4)]
    copies: usize,
    /// Nodes of the search that values a position, 0 for the static value of the evaluation made by hand
    #[arg(long, default_value_t = 0)]
    nodes: u64,
    /// The network that evaluates in the search [default: the evaluation made by hand]
    #[arg(long, requires = "nodes")]
    network: Option<PathBuf>,
    /// Threads; the positions are the same for any number
    #[arg(long, default_value_t = processors())]
    threads: usize,
    /// Seed of the random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Vary {
    fn run(self) -> anyhow::Result<()> {
        ensure!(self.threads > 0, "--threads must be at least 1");
        ensure!(
            (0.0..=1.0).contains(&self.share),
            "--share must lie between 0 and 1"
        );
        let search = generate::Settings {
            nodes: self.nodes,
            hash: 1,
            ..generate::Settings::default()
        };
        let (evaluator, evaluation) = thinker::evaluation(self.network.as_deref())?;
        let glance = generate::Settings {
            nodes: 16,
            ..search.clone()
        };
        let searched = || -> Result<_, generate::GenerateError> {
            Ok(Searched {
                quick: Searcher::new(&glance, evaluator.clone())?,
                thorough: Searcher::new(&search, evaluator.clone())?,
            })
        };
        let judge = || -> Result<Box<dyn Judge>, generate::GenerateError> {
            Ok(match self.nodes {
                0 => Box::new(Handmade),
                _ => Box::new(searched()?),
            })
        };
        let settings = variation::Settings {
            seed: self.seed,
            share: self.share,
            copies: self.copies,
            nodes: self.nodes,
            evaluation,
        };
        let bar = ProgressBar::new(0).with_style(ProgressStyle::with_template(
            "{wide_bar} {pos}/{len} files, {msg}, {eta} left",
        )?);
        let start = std::time::Instant::now();
        let show = |done: usize, all: usize, positions: u64| {
            let rate = positions as f64 / start.elapsed().as_secs_f64();
            let text = format!("{positions} positions, {rate:.0} positions/s");
            // Without a terminal a line takes the bar's place.
            if bar.is_hidden() {
                eprintln!("{done} of {all} files, {text}");
            }
            bar.set_length(all as u64);
            bar.set_position(done as u64);
            bar.set_message(text);
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()?;
        let held = pool.install(|| vary(&self.sources, &settings, &self.output, judge, show))?;
        bar.finish_and_clear();
        writeln!(
            stdout().lock(),
            "{held} positions in {}",
            self.output.display()
        )?;
        Ok(())
    }
}

/// Compares networks' static values with labelled positions, for example with those of `train vary --nodes 4000`.
#[derive(Args)]
struct Compare {
    /// Network files
    #[arg(required = true)]
    networks: Vec<PathBuf>,
    /// Files or folders of labelled positions
    #[arg(long, required = true, num_args = 1..)]
    labels: Vec<PathBuf>,
    /// Centipawns of the labels that mean winning 73 % of the games
    #[arg(long, default_value_t = 600.0)]
    label_scale: f32,
    /// Leave out scores above this
    #[arg(long, default_value_t = 2500)]
    largest_score: i16,
    /// Compare the values of searches of so many nodes instead, 0 for static values
    #[arg(long, default_value_t = 0)]
    nodes: u64,
}

impl Compare {
    fn run(self) -> anyhow::Result<()> {
        ensure!(self.label_scale > 0.0, "--label-scale must be above 0");
        let labels = Labels::read(&self.labels, self.label_scale, self.largest_score)?;
        ensure!(
            !labels.positions().is_empty(),
            "there is no labelled position"
        );
        let mut out = stdout().lock();
        writeln!(out, "{} positions", labels.positions().len())?;
        writeln!(out, "mean square  correlation  scale  network")?;
        for path in &self.networks {
            let values = self.values(path, labels.positions())?;
            let distance = labels
                .distance(&values)
                .context("there is no labelled position")?;
            writeln!(
                out,
                "{:11.5}  {:11.4}  {:5}  {}",
                distance.mean_square,
                distance.correlation,
                distance.scale,
                path.display()
            )?;
        }
        Ok(())
    }

    /// What a network says of positions, by itself or as the evaluation of a search.
    fn values(&self, path: &Path, positions: &[Placement]) -> anyhow::Result<Vec<i32>> {
        let (evaluator, _) = thinker::evaluation(Some(path))?;
        let settings = generate::Settings {
            nodes: self.nodes,
            hash: 1,
            ..generate::Settings::default()
        };
        let chunks: Vec<Vec<i32>> = positions
            .par_chunks(256)
            .map(|chunk| {
                let mut searcher = Searcher::new(&settings, evaluator.clone())?;
                chunk
                    .iter()
                    .map(|placement| {
                        let position = Position::from_sfen(&placement.to_sfen())
                            .with_context(|| placement.to_sfen())?;
                        if self.nodes == 0 {
                            return Ok(evaluator.evaluate(&position).0);
                        }
                        searcher.new_game();
                        let thought = searcher.think(&position);
                        Ok(thought.map_or(-Score::MATE.0, |(_, score)| score.0))
                    })
                    .collect()
            })
            .collect::<anyhow::Result<_>>()?;
        Ok(chunks.concat())
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Architecture {
    /// Hagane's own: mirrored pieces on squares, products, eight stacks
    Own,
    /// HalfKP 256x2-32-32, written as nn.bin for other engines
    Halfkp,
}

/// Trains a network on the CPU. May be stopped at any time; --resume goes on from the last checkpoint.
#[derive(Args)]
struct Fit {
    /// Files, or folders with a manifest
    #[arg(required_unless_present = "resume")]
    sources: Vec<PathBuf>,
    /// The folder for network, checkpoint and loss curve
    #[arg(long, short)]
    output: PathBuf,
    /// Go on from the checkpoint in the output folder; all other settings are the checkpoint's
    #[arg(long)]
    resume: bool,
    /// Begin with the weights of another run's checkpoint instead of random ones
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
    /// Weight of later scores of the game in each position's score, 0 to 1: shallow searches err less together
    #[arg(long, default_value_t = 0.0)]
    foresight: f32,
    /// Centipawns that mean winning 73 % of the games
    #[arg(long, default_value_t = 1000.0)]
    scale: f32,
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
    #[arg(long, default_value = "")]
    description: String,
}

impl Fit {
    fn run(self) -> anyhow::Result<()> {
        ensure!(self.threads > 0, "--threads must be at least 1");
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()?;
        pool.install(|| self.fit())
    }

    fn settings(&self) -> anyhow::Result<fit::Settings> {
        for (name, value) in [
            ("--lambda", self.lambda),
            ("--foresight", self.foresight),
            ("--keep", self.keep),
        ] {
            ensure!(
                (0.0..=1.0).contains(&value),
                "{name} must lie between 0 and 1"
            );
        }
        ensure!(self.scale > 0.0, "--scale must be above 0");
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
        let bar = ProgressBar::new(1000).with_style(ProgressStyle::with_template(
            "{wide_bar} {percent} %, {msg}, {eta} left",
        )?);
        let mut positions = 0;
        let fitted = fit::run(&settings, from, &self.output, |progress| {
            positions = progress.positions - resumed_at;
            bar.set_position((1000.0 * progress.done) as u64);
            let rate = positions as f64 / start.elapsed().as_secs_f64();
            bar.set_message(format!("loss {:.5}, {rate:.0} positions/s", progress.loss));
            if let Some(point) = progress.point {
                let validation = point
                    .validation
                    .map_or("-".to_owned(), |loss| format!("{loss:.6}"));
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
        report(
            &path,
            &file,
            &settings,
            &mut network,
            &fitted.validation,
            positions,
            seconds,
        )
    }
}

/// The weights of another run, for a run that begins.
fn initial(
    path: &Path,
    settings: &fit::Settings,
) -> anyhow::Result<(fit::network::Network, checkpoint::Place)> {
    let (mut network, _, _) = checkpoint::load(path)?;
    ensure!(
        network.shape == settings.shape,
        "{} holds a network of another architecture or width",
        path.display()
    );
    network.forget_moments();
    Ok((network, checkpoint::Place::default()))
}

/// Says what came out: the losses of the trained and of the exported network.
fn report(
    path: &Path,
    file: &[u8],
    settings: &fit::Settings,
    network: &mut fit::network::Network,
    validation: &[crate::training::record::Psv],
    positions: u64,
    seconds: f64,
) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    writeln!(
        out,
        "{positions} positions learned in {seconds:.1} s, {:.0} positions/s",
        positions as f64 / seconds.max(1e-9)
    )?;
    let blend = Blend {
        lambda: settings.lambda.1,
        scale: settings.scale,
    };
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
