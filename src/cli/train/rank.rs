//! `hagane train rank`

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;

use super::arguments::{Evaluation, pool};
use super::progress::{bar, say_held, show};
use crate::cli::file_arguments::expanded;
use crate::platform::scheduling::processors;
use crate::training::ranked::ranking::{PositionChoice, rank};
use crate::training::selfplay::player::{self, SearchPlayer, SearchSettings};

/// Writes a suite of positions with the scores of their best moves
///
/// Searches positions of games with several lines; one line of JSON per position: {"sfen": ..., "moves": {"7g7f": 35,
/// ...}}. `bench --suite` says what the engine's choices lose by such scores. May be stopped at any time; the same
/// command continues where it stopped.
#[derive(Args)]
pub(super) struct Rank {
    /// Files or folders of games
    #[arg(required = true)]
    sources: Vec<PathBuf>,
    /// The file to write (.jsonl)
    #[arg(long, short)]
    output: PathBuf,
    /// Positions, chosen at random; none is in check
    #[arg(long, default_value_t = 2000)]
    positions: usize,
    /// Best moves of each that get a score
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u16).range(2..=593))]
    moves: u16,
    /// Nodes of each search: the iteration that reaches them is finished
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Leave out positions with scores above this
    #[arg(long, default_value_t = 700)]
    largest_score: u16,
    #[command(flatten)]
    evaluation: Evaluation,
    /// Threads; the scores are the same for any number
    #[arg(long, default_value_t = processors())]
    threads: usize,
    /// Seed of the choice
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Rank {
    pub(super) fn run(self) -> anyhow::Result<()> {
        ensure!(self.positions > 0, "--positions must be at least 1");
        let (evaluator, name) = player::evaluation(self.evaluation.choice())?;
        let search = SearchSettings { nodes: self.nodes, hash: 16, longest: 320 };
        let choice = PositionChoice {
            positions: self.positions,
            largest_score: self.largest_score,
            moves: usize::from(self.moves),
            seed: self.seed,
        };
        let by = format!("{} moves, {} nodes, {name}", self.moves, self.nodes);
        let bar = bar()?;
        let each = |done, all| show(&bar, done, all, "positions".to_owned());
        let player = || SearchPlayer::new(search, evaluator.clone());
        let sources = expanded(&self.sources)?;
        let held = pool(self.threads)?.install(|| rank(&sources, &choice, &by, &self.output, player, each))?;
        say_held(&bar, held, &self.output)
    }
}
