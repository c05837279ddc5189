//! `hagane train`

mod average;
mod convert;
mod fit;
mod generate;
mod label;
mod rank;
mod stats;

use std::fmt::Display;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

use self::average::Average;
use self::convert::Convert;
use self::fit::Fit;
use self::generate::Generate;
use self::label::Label;
use self::rank::Rank;
use self::stats::Stats;
use super::processors;
use crate::nnue::hagane_nn::LONGEST_DESCRIPTION;
use crate::training::selfplay::player::EvaluationChoice;

/// Makes networks: generate -> label -> fit -> average
#[derive(Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Generate(Generate),
    Label(Label),
    Fit(Fit),
    Average(Average),
    Convert(Convert),
    Stats(Stats),
    Rank(Rank),
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Generate(arguments) => arguments.run(),
            Command::Label(arguments) => arguments.run(),
            Command::Fit(arguments) => arguments.run(),
            Command::Average(arguments) => arguments.run(),
            Command::Convert(arguments) => arguments.run(),
            Command::Stats(arguments) => arguments.run(),
            Command::Rank(arguments) => arguments.run(),
        }
    }
}

fn check_threads(threads: usize) -> anyhow::Result<()> {
    ensure!(threads > 0, "--threads must be at least 1");
    Ok(())
}

/// Refuses numbers that are no shares; each comes with its option.
fn check_shares(shares: &[(&str, f32)]) -> anyhow::Result<()> {
    for (name, share) in shares {
        ensure!((0.0..=1.0).contains(share), "{name} must lie between 0 and 1");
    }
    Ok(())
}

/// Refuses a text that is too long for a network file.
fn description(text: &str) -> Result<String, String> {
    if text.len() > LONGEST_DESCRIPTION as usize {
        let (length, limit) = (text.len(), LONGEST_DESCRIPTION);
        return Err(format!("{length} bytes; a network file holds {limit} at most"));
    }
    Ok(text.to_owned())
}

/// A rayon pool of so many threads.
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

/// Shows how much is done of how much, and of what. Without a terminal it prints a line instead.
fn show(bar: &ProgressBar, done: usize, all: usize, what: String) {
    if bar.is_hidden() {
        eprintln!("{done} of {all} {what}");
    }
    bar.set_length(all as u64);
    bar.set_position(done as u64);
    bar.set_message(what);
}

/// Ends the bar and says how many positions a file or folder holds now.
fn say_held(bar: &ProgressBar, held: impl Display, output: &Path) -> anyhow::Result<()> {
    bar.finish_and_clear();
    writeln!(stdout().lock(), "{held} positions in {}", output.display())?;
    Ok(())
}

/// What evaluates positions.
#[derive(Args)]
struct Evaluation {
    /// The network that evaluates [default: the built-in one]
    #[arg(long)]
    network: Option<PathBuf>,
    /// The hand-crafted evaluation instead, for a first generation
    #[arg(long, conflicts_with = "network")]
    hand_crafted: bool,
}

impl Evaluation {
    fn choice(&self) -> EvaluationChoice<'_> {
        match &self.network {
            Some(path) => EvaluationChoice::File(path),
            None if self.hand_crafted => EvaluationChoice::HandCrafted,
            None => EvaluationChoice::BuiltIn,
        }
    }
}
