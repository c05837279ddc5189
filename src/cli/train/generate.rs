//! `hagane train generate`

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::arguments::{Evaluation, check_shares, check_threads};
use crate::platform::scheduling::processors;
use crate::training::data::manifest::{GenerateSettings, Manifest, StartShares};
use crate::training::selfplay::generate::{self, GenerateProgress};
use crate::training::selfplay::player::{self, Player, PlayerError, SearchPlayer, SearchSettings};

/// Seconds between two lines of progress where there is no terminal.
const LINE_SECONDS: f64 = 60.0;

/// Plays games of the engine against itself into a folder
///
/// May be stopped at any time (Ctrl-C); the same command continues where it stopped.
#[derive(Args)]
pub(super) struct Generate {
    /// The folder for the shards
    folder: PathBuf,
    /// Games in all
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    /// Nodes per move: the iteration that reaches them is finished
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    #[command(flatten)]
    evaluation: Evaluation,
    /// Threads, each with a game of its own; the games are the same for any number
    #[arg(long, default_value_t = processors())]
    threads: usize,
    /// Seed of the start positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Transposition table of a game in MB
    #[arg(long, default_value_t = 4)]
    hash: usize,
    /// Games per shard
    #[arg(long, default_value_t = 500)]
    shard: u64,
    /// A folder of earlier games to branch off from
    #[arg(long)]
    earlier: Option<PathBuf>,
    /// Share of games that branch off from an even position of earlier ones
    #[arg(long, default_value_t = 0.2)]
    branch_off: f32,
    /// Share of handicap games
    #[arg(long, default_value_t = 0.05)]
    handicap: f32,
    /// Share of games with entered kings
    #[arg(long, default_value_t = 0.05)]
    entering_king: f32,
    /// Share of games that begin with sound moves
    ///
    /// 2 to 28 moves that lose little. The games that no share names begin with random moves.
    #[arg(long, default_value_t = 0.0)]
    sound: f32,
    /// Share of games that begin with both kings castled
    #[arg(long, default_value_t = 0.0)]
    castles: f32,
    /// Centipawns ahead for six plies that decide a game
    #[arg(long, default_value_t = 1800)]
    decided: i32,
    /// Share of games that are played to the end instead
    #[arg(long, default_value_t = 0.25)]
    to_the_end: f32,
}

impl Generate {
    fn settings(&self) -> anyhow::Result<GenerateSettings> {
        check_threads(self.threads)?;
        ensure!(self.nodes > 0, "--nodes must be at least 1");
        ensure!(self.games > 0, "--games must be at least 1");
        ensure!(self.shard > 0, "--shard must be at least 1");
        check_shares(&[
            ("--branch-off", self.branch_off),
            ("--handicap", self.handicap),
            ("--entering-king", self.entering_king),
            ("--sound", self.sound),
            ("--castles", self.castles),
            ("--to-the-end", self.to_the_end),
        ])?;
        Ok(GenerateSettings {
            seed: self.seed,
            nodes: self.nodes,
            hash: self.hash,
            games_per_shard: self.shard,
            shares: StartShares {
                branch_off: self.branch_off,
                handicap: self.handicap,
                entering_king: self.entering_king,
                sound: self.sound,
                castles: self.castles,
            },
            earlier: self.earlier.clone(),
            decided: self.decided,
            to_the_end: self.to_the_end,
            ..GenerateSettings::default()
        })
    }

    pub(super) fn run(self) -> anyhow::Result<()> {
        let settings = self.settings()?;
        let search = SearchSettings { nodes: settings.nodes, hash: settings.hash, longest: settings.longest };
        let (evaluator, evaluation) = player::evaluation(self.evaluation.choice())?;
        let players = (0..self.threads)
            .map(|_| Ok(Box::new(SearchPlayer::new(search, evaluator.clone())?) as Box<dyn Player>))
            .collect::<Result<_, PlayerError>>()?;
        let bar = ProgressBar::new(self.games)
            .with_style(ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {msg}, {eta} left")?);
        let mut last = GenerateProgress::default();
        let mut printed = 0.0;
        let manifest = generate::run(&self.folder, self.games, &settings, &evaluation, players, |progress| {
            last = progress;
            let text = format!(
                "{:.0} positions/s, {:.0} nodes/s",
                progress.positions as f64 / progress.seconds.max(1e-9),
                progress.nodes as f64 / progress.seconds.max(1e-9)
            );
            if bar.is_hidden() && progress.seconds >= printed + LINE_SECONDS {
                printed = progress.seconds;
                eprintln!("{} of {} games, {text}", progress.games, self.games);
            }
            bar.set_position(progress.games);
            bar.set_message(text);
            true
        })?;
        bar.finish_and_clear();
        self.report(&manifest, &last)
    }

    /// Says what the folder holds and how fast this run was.
    fn report(&self, manifest: &Manifest, last: &GenerateProgress) -> anyhow::Result<()> {
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
