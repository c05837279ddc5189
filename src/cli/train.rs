//! `hagane train`

mod average;
mod compare;
mod fit;
mod judge;
mod leaves;
mod rank;
mod vary;

use std::fmt::Display;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::ensure;
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

use self::average::Average;
use self::compare::Compare;
use self::fit::Fit;
use self::judge::Judge;
use self::leaves::Leaves;
use self::rank::Rank;
use self::vary::Vary;
use super::processors;
use crate::nnue::embedded::LONGEST_DESCRIPTION;
use crate::training::convert::convert;
use crate::training::generate::{self, Thinker};
use crate::training::stats;
use crate::training::thinker::{self, Searcher};

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
    Leaves(Leaves),
    Fit(Fit),
    Average(Average),
    Compare(Compare),
    Judge(Judge),
    Rank(Rank),
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Generate(arguments) => arguments.run(),
            Command::Convert(arguments) => arguments.run(),
            Command::Stats(arguments) => arguments.run(),
            Command::Vary(arguments) => arguments.run(),
            Command::Leaves(arguments) => arguments.run(),
            Command::Fit(arguments) => arguments.run(),
            Command::Average(arguments) => arguments.run(),
            Command::Compare(arguments) => arguments.run(),
            Command::Judge(arguments) => arguments.run(),
            Command::Rank(arguments) => arguments.run(),
        }
    }
}

fn check_threads(threads: usize) -> anyhow::Result<()> {
    ensure!(threads > 0, "--threads must be at least 1");
    Ok(())
}

/// Refuses a text that no network file may hold.
fn description(text: &str) -> Result<String, String> {
    if text.len() > LONGEST_DESCRIPTION as usize {
        let (length, limit) = (text.len(), LONGEST_DESCRIPTION);
        return Err(format!("{length} bytes; a network file holds {limit} at most"));
    }
    Ok(text.to_owned())
}

/// So many threads for rayon.
fn pool(threads: usize) -> anyhow::Result<rayon::ThreadPool> {
    check_threads(threads)?;
    let builder = rayon::ThreadPoolBuilder::new();
    Ok(builder.num_threads(threads).build()?)
}

/// A bar for [`show`], whose length is not known yet.
fn bar() -> anyhow::Result<ProgressBar> {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}, {eta} left")?;
    Ok(ProgressBar::new(0).with_style(style))
}

/// Shows how much is done of how much, and of what. Without a terminal a line takes the bar's place.
fn show(bar: &ProgressBar, done: usize, all: usize, what: String) {
    if bar.is_hidden() {
        eprintln!("{done} of {all} {what}");
    }
    bar.set_length(all as u64);
    bar.set_position(done as u64);
    bar.set_message(what);
}

/// Shows how many files are done, and how many positions a second that makes from now on.
fn files_shown(bar: &ProgressBar) -> impl Fn(usize, usize, u64) {
    let start = Instant::now();
    move |done, all, positions| {
        let rate = positions as f64 / start.elapsed().as_secs_f64();
        let what = format!("files, {positions} positions, {rate:.0} positions/s");
        show(bar, done, all, what);
    }
}

/// Ends the bar and says how many positions a file or folder holds now.
fn say_held(bar: &ProgressBar, held: impl Display, output: &Path) -> anyhow::Result<()> {
    bar.finish_and_clear();
    writeln!(stdout().lock(), "{held} positions in {}", output.display())?;
    Ok(())
}

/// Refuses numbers that are no shares; each comes with its option.
fn check_shares(shares: &[(&str, f32)]) -> anyhow::Result<()> {
    for (name, share) in shares {
        ensure!((0.0..=1.0).contains(share), "{name} must lie between 0 and 1");
    }
    Ok(())
}

/// Who values the positions.
#[derive(Args)]
struct Evaluation {
    /// The network that evaluates [default: the one built in]
    #[arg(long)]
    network: Option<PathBuf>,
    /// The evaluation made by hand instead, for a first generation
    #[arg(long, conflicts_with = "network")]
    by_hand: bool,
}

impl Evaluation {
    fn valuer(&self) -> thinker::Valuer<'_> {
        match &self.network {
            Some(path) => thinker::Valuer::File(path),
            None if self.by_hand => thinker::Valuer::HandCrafted,
            None => thinker::Valuer::BuiltIn,
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
    #[command(flatten)]
    evaluation: Evaluation,
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
    /// Share of the games that begin in the midst of earlier ones, in even positions
    #[arg(long, default_value_t = 0.0)]
    middles: f32,
    /// A game is decided when one side has been ahead by this many centipawns for six plies
    #[arg(long, default_value_t = 1800)]
    decided: i32,
    /// Share of the games that is played to the end instead
    #[arg(long, default_value_t = 0.25)]
    to_the_end: f32,
    /// Nodes of a mate search before each move, 0 for none: a mate that is proven ends the game
    #[arg(long, default_value_t = 0)]
    mates: u64,
    /// Write positions of the searches' trees to records (.psv) beside each shard, which fit takes by their names:
    /// those that were looked at so many plies deep, 0 for none
    #[arg(long, default_value_t = 0)]
    tree: i32,
    /// Share of the moves whose trees are read
    #[arg(long, default_value_t = 0.4)]
    tree_share: f32,
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
            ("--middles", self.middles),
            ("--to-the-end", self.to_the_end),
            ("--tree-share", self.tree_share),
        ])?;
        ensure!(self.middles == 0.0 || self.earlier.is_some(), "--middles needs earlier games (--earlier FOLDER)");
        ensure!(self.tree >= 0, "--tree must be at least 0");
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
                middles: self.middles,
            },
            earlier: self.earlier,
            decided: self.decided,
            to_the_end: self.to_the_end,
            mates: self.mates,
            harvest: crate::training::harvest::Settings { least: self.tree, share: self.tree_share },
            ..generate::Settings::default()
        };
        let (evaluator, evaluation) = thinker::evaluation(self.evaluation.valuer())?;
        let thinkers = (0..self.threads)
            .map(|_| Ok(Box::new(Searcher::new(&settings, evaluator.clone())?) as Box<dyn Thinker>))
            .collect::<Result<_, generate::GenerateError>>()?;
        let bar = ProgressBar::new(self.games)
            .with_style(ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {msg}, {eta} left")?);
        let mut last = generate::Progress::default();
        let mut logged = 0.0;
        let manifest = generate::run(&self.folder, self.games, &settings, &evaluation, thinkers, |progress| {
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
        })?;
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
        writeln!(out, "{} positions written to {}", converted.positions, self.output.display())?;
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
