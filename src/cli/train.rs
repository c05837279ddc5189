//! `hagane train`

mod average;
mod fit;

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use self::average::Average;
use self::fit::Fit;
use super::processors;
use crate::position::Position;
use crate::training::convert::convert;
use crate::training::fit::loss::CUSTOMARY_SCALE;
use crate::training::generate::{self, Thinker};
use crate::training::placement::Placement;
use crate::training::stats;
use crate::training::thinker::{self, Searcher};
use crate::training::tree::Tree;
use crate::training::variation::{self, Handmade, Judge, Searched, vary};
use crate::training::yardstick::Labels;
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
    Average(Average),
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
            Command::Average(arguments) => arguments.run(),
            Command::Compare(arguments) => arguments.run(),
        }
    }
}

fn check_threads(threads: usize) -> anyhow::Result<()> {
    ensure!(threads > 0, "--threads must be at least 1");
    Ok(())
}

/// So many threads for rayon.
fn pool(threads: usize) -> anyhow::Result<rayon::ThreadPool> {
    check_threads(threads)?;
    let builder = rayon::ThreadPoolBuilder::new();
    Ok(builder.num_threads(threads).build()?)
}

/// Refuses numbers that are no shares; each comes with its option.
fn check_shares(shares: &[(&str, f32)]) -> anyhow::Result<()> {
    for (name, share) in shares {
        ensure!(
            (0.0..=1.0).contains(share),
            "{name} must lie between 0 and 1"
        );
    }
    Ok(())
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
    /// Share of games that begin with 2 to 28 moves that lose little, instead of random ones
    #[arg(long, default_value_t = 0.0)]
    sound: f32,
    /// Share of games that begin with both kings in castles
    #[arg(long, default_value_t = 0.0)]
    castles: f32,
    /// A game is decided when one side has been ahead by this many centipawns for six plies
    #[arg(long, default_value_t = 1800)]
    decided: i32,
    /// Share of the games that is played to the end instead
    #[arg(long, default_value_t = 0.25)]
    to_the_end: f32,
}

impl Generate {
    fn run(self) -> anyhow::Result<()> {
        check_threads(self.threads)?;
        ensure!(self.nodes > 0, "--nodes must be at least 1");
        ensure!(self.games > 0, "--games must be at least 1");
        ensure!(self.shard > 0, "--shard must be at least 1");
        check_shares(&[
            ("--own-games", self.own_games),
            ("--handicap", self.handicap),
            ("--entering-king", self.entering_king),
            ("--sound", self.sound),
            ("--castles", self.castles),
            ("--to-the-end", self.to_the_end),
        ])?;
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
                sound: self.sound,
                castles: self.castles,
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
    /// Also take the positions of each search's tree that were searched at least so many plies deep; 0 for none
    #[arg(long, default_value_t = 0, requires = "nodes", value_parser = clap::value_parser!(i32).range(0..=100))]
    tree: i32,
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
        check_shares(&[("--share", self.share)])?;
        ensure!(
            self.tree == 0 || self.nodes > 0,
            "--tree needs searches: give --nodes more than 0"
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
                tree: Tree::default(),
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
            tree: self.tree,
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
        let held = pool(self.threads)?
            .install(|| vary(&self.sources, &settings, &self.output, judge, show))?;
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
    #[arg(long, default_value_t = CUSTOMARY_SCALE)]
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
