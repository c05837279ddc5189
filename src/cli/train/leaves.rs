//! `hagane train leaves`

use std::path::PathBuf;

use clap::Args;

use super::super::processors;
use super::{Evaluation, bar, files_shown, pool, say_held};
use crate::training::generate;
use crate::training::leaf::{self, Finder, leaves};
use crate::training::thinker::{self, Searcher};

/// Searches the positions of games anew and puts the ends of their principal variations in their place, with the scores
/// and results of the games: what the games say beyond such searches. A position whose line leads nowhere quiet stays
/// itself. `fit` and `judge` take the folder as games. May be stopped at any time; the same command goes on where it
/// stopped.
#[derive(Args)]
pub(super) struct Leaves {
    /// Shards, or folders with a manifest
    #[arg(required = true)]
    sources: Vec<PathBuf>,
    /// The folder to write to: a file (.psv) for each shard
    #[arg(long, short)]
    output: PathBuf,
    /// Nodes of the search of a position: the iteration in which they are reached is finished
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    evaluation: Evaluation,
    /// Threads; the positions are the same for any number
    #[arg(long, default_value_t = processors())]
    threads: usize,
}

impl Leaves {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let (evaluator, evaluation) = thinker::evaluation(self.evaluation.valuer())?;
        let search = generate::Settings { nodes: self.nodes, hash: 1, ..generate::Settings::default() };
        let settings = leaf::Settings { nodes: self.nodes, evaluation };
        let finder = || -> Result<_, generate::GenerateError> {
            Ok(Finder { thinker: Searcher::new(&search, evaluator.clone())?, evaluator: evaluator.clone() })
        };
        let bar = bar()?;
        let each = files_shown(&bar);
        let held = pool(self.threads)?.install(|| leaves(&self.sources, &settings, &self.output, finder, each))?;
        say_held(&bar, held, &self.output)
    }
}
