//! `hagane train label`

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::arguments::{Evaluation, check_shares, pool};
use super::progress::{bar, say_held, show};
use crate::cli::file_arguments::expanded;
use crate::platform::scheduling::processors;
use crate::training::label::output::LabelSettings;
use crate::training::label::{Labeller, label};
use crate::training::selfplay::player::{self, PlayerError, SearchPlayer, SearchSettings};

/// Nodes of the search that finds the moves that a varied position forces.
const QUICK_NODES: u64 = 16;
/// A game is a draw after this many plies.
const LONGEST: usize = 320;

/// Labels positions of games by searches, to relabel them or to vary them
///
/// The positions as they are keep their games' results and are read like games; those varied by random moves have no
/// result. May be stopped at any time; the same command continues where it stopped.
#[derive(Args)]
pub(super) struct Label {
    /// Shards, or folders with a manifest
    #[arg(required = true)]
    sources: Vec<PathBuf>,
    /// The folder to write to: a file (.psv) for each shard
    #[arg(long, short)]
    output: PathBuf,
    /// Share of the games' positions that are labelled
    #[arg(long, default_value_t = 1.0)]
    share: f32,
    /// Vary each position by up to so many random moves
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=10))]
    random_moves: u8,
    /// Nodes of each search: the iteration that reaches them is finished
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Also label the positions of the search trees that were searched this deep
    ///
    /// In plies; 0 for none (TreeStrap).
    #[arg(long, value_name = "DEPTH", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..=100))]
    tree_strap: i32,
    #[command(flatten)]
    evaluation: Evaluation,
    /// Transposition table of a thread in MB
    #[arg(long, default_value_t = 1)]
    hash: usize,
    /// Threads; the labels are the same for any number
    #[arg(long, default_value_t = processors())]
    threads: usize,
    /// Seed of the choice of positions and of random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Label {
    pub(super) fn run(self) -> anyhow::Result<()> {
        check_shares(&[("--share", self.share)])?;
        let (evaluator, evaluation) = player::evaluation(self.evaluation.choice())?;
        let settings = LabelSettings {
            seed: self.seed,
            share: self.share,
            random_moves: usize::from(self.random_moves),
            nodes: self.nodes,
            hash: self.hash,
            tree_strap: self.tree_strap,
            evaluation,
        };
        let player =
            |nodes| SearchPlayer::new(SearchSettings { nodes, hash: self.hash, longest: LONGEST }, evaluator.clone());
        let labeller = || -> Result<_, PlayerError> { Ok(Labeller::new(player(QUICK_NODES)?, player(self.nodes)?)) };
        let bar = bar()?;
        let start = Instant::now();
        let each = |done, all, positions: u64| {
            let rate = positions as f64 / start.elapsed().as_secs_f64();
            show(&bar, done, all, format!("files, {positions} positions, {rate:.0} positions/s"));
        };
        let sources = expanded(&self.sources)?;
        let held = pool(self.threads)?.install(|| label(&sources, &settings, &self.output, labeller, each))?;
        say_held(&bar, held, &self.output)
    }
}
