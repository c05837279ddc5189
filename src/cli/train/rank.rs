//! `hagane train rank`

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;

use super::super::processors;
use super::{Evaluation, bar, pool, say_held, show};
use crate::training::generate;
use crate::training::ranking::{Choice, rank};
use crate::training::thinker::{self, Searcher};

/// Searches positions of games with several lines and writes the scores of their best moves, a line of JSON a position:
/// {"sfen": ..., "moves": {"7g7f": 35, ...}}. `compare --ranked` asks networks how far they agree. May be stopped at
/// any time; the same command goes on where it stopped.
#[derive(Args)]
pub(super) struct Rank {
    /// Files or folders of games
    #[arg(required = true)]
    sources: Vec<PathBuf>,
    /// The file to write (.jsonl)
    #[arg(long, short)]
    output: PathBuf,
    /// Positions, chosen by chance; none is in check
    #[arg(long, default_value_t = 2000)]
    positions: usize,
    /// Best moves of each that get a score
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u16).range(2..=593))]
    moves: u16,
    /// Nodes of the search of a position: the iteration in which they are reached is finished
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
        let (evaluator, name) = thinker::evaluation(self.evaluation.valuer())?;
        let search = generate::Settings { nodes: self.nodes, hash: 16, ..generate::Settings::default() };
        let choice = Choice {
            positions: self.positions,
            largest_score: self.largest_score,
            moves: usize::from(self.moves),
            seed: self.seed,
        };
        let by = format!("{} moves, {} nodes, {name}", self.moves, self.nodes);
        let bar = bar()?;
        let each = |done, all| show(&bar, done, all, "positions".to_owned());
        let searcher = || Searcher::new(&search, evaluator.clone());
        let held = pool(self.threads)?.install(|| rank(&self.sources, &choice, &by, &self.output, searcher, each))?;
        say_held(&bar, held, &self.output)
    }
}
