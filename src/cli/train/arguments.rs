//! Arguments that several subcommands of `hagane train` have.

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;

use crate::nnue::hagane_nn::LONGEST_DESCRIPTION;
use crate::training::selfplay::player::EvaluationChoice;

pub(super) fn check_threads(threads: usize) -> anyhow::Result<()> {
    ensure!(threads > 0, "--threads must be at least 1");
    Ok(())
}

/// Refuses numbers that are no shares; each comes with its option.
pub(super) fn check_shares(shares: &[(&str, f32)]) -> anyhow::Result<()> {
    for (name, share) in shares {
        ensure!((0.0..=1.0).contains(share), "{name} must lie between 0 and 1");
    }
    Ok(())
}

/// Refuses a text that is too long for a network file.
pub(super) fn description(text: &str) -> Result<String, String> {
    if text.len() > LONGEST_DESCRIPTION as usize {
        let (length, limit) = (text.len(), LONGEST_DESCRIPTION);
        return Err(format!("{length} bytes; a network file holds {limit} at most"));
    }
    Ok(text.to_owned())
}

/// A rayon pool of so many threads.
pub(super) fn pool(threads: usize) -> anyhow::Result<rayon::ThreadPool> {
    check_threads(threads)?;
    let builder = rayon::ThreadPoolBuilder::new();
    Ok(builder.num_threads(threads).build()?)
}

/// What evaluates positions.
#[derive(Args)]
pub(super) struct Evaluation {
    /// The network that evaluates [default: the built-in one]
    #[arg(long)]
    network: Option<PathBuf>,
    /// The hand-crafted evaluation instead, for a first generation
    #[arg(long, conflicts_with = "network")]
    hand_crafted: bool,
}

impl Evaluation {
    pub(super) fn choice(&self) -> EvaluationChoice<'_> {
        match &self.network {
            Some(path) => EvaluationChoice::File(path),
            None if self.hand_crafted => EvaluationChoice::HandCrafted,
            None => EvaluationChoice::BuiltIn,
        }
    }
}
