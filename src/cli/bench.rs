//! `hagane bench`

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;
use indicatif::ProgressBar;

use crate::engine::bench::{self, BenchSetup};
use crate::engine::suite::{self, SuiteError, SuiteSettings};
#[cfg(feature = "tune")]
use crate::search::counters;

/// Nodes for each position of a suite unless others are asked for.
const SUITE_NODES: u64 = 1_000_000;

/// Searches fixed positions and prints nodes, speed and a fingerprint of the play
///
/// With `--suite`, counts the best moves found and, where moves have scores there, what the engine's choices lose.
#[derive(Args)]
pub(super) struct Arguments {
    /// Plies to search in each position; the fingerprint is that of the default [default: 13]
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=246))]
    depth: Option<i32>,
    /// Search threads; with more than one the node count differs from run to run. For a suite: how many
    /// positions are searched side by side, each by one thread [default: 1]
    #[arg(long)]
    threads: Option<usize>,
    /// Size of the transposition table in MiB [default: 16; for a suite what the options say]
    #[arg(long)]
    hash: Option<usize>,
    /// A suite instead: a file with a JSON object {"sfen": ..., "bestmove": ...} per line, or as `train rank` writes
    /// them; the table is cleared before each position
    #[arg(long, value_name = "FILE", conflicts_with = "depth")]
    suite: Option<PathBuf>,
    /// Nodes for each position of the suite [default: 1000000]
    #[arg(long, requires = "suite", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// An engine option for the suite, such as EvalFile=nn.bin; may be given again
    #[arg(long, value_name = "NAME=VALUE", requires = "suite", value_parser = option)]
    option: Vec<(String, String)>,
    /// Print what the search did, by step and depth
    #[cfg(feature = "tune")]
    #[arg(long)]
    counters: bool,
    /// Print that, and verify one pruning decision in so many by searching without it (60 is a good number)
    #[cfg(feature = "tune")]
    #[arg(long, value_name = "EVERY", value_parser = clap::value_parser!(u64).range(1..))]
    verify: Option<u64>,
}

/// `NAME=VALUE`
pub(super) fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => Err("expected NAME=VALUE".to_owned()),
    }
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        #[cfg(feature = "tune")]
        counters::sample(self.verify.unwrap_or(0));
        self.run_searches()?;
        #[cfg(feature = "tune")]
        if self.counters || self.verify.is_some() {
            print!("{}", counters::Table(&counters::take()));
        }
        Ok(())
    }

    fn run_searches(&self) -> anyhow::Result<()> {
        if let Some(file) = &self.suite {
            return self.run_suite(file);
        }
        let usual = BenchSetup::default();
        let setup = BenchSetup {
            depth: self.depth.unwrap_or(usual.depth),
            threads: self.threads.unwrap_or(usual.threads),
            hash: self.hash.unwrap_or(usual.hash),
            positions: usual.positions,
        };
        let mut out = stdout().lock();
        let number_of_positions = setup.positions.len();
        let all = bench::run(&setup, |number, outcome| {
            // Progress only: a failure to print it is ignored, that of the result below is not.
            let _ = writeln!(out, "{number:2}/{number_of_positions}: {outcome}");
        })?;
        writeln!(out, "time: {} ms", all.time.as_millis())?;
        writeln!(out, "nps: {}", all.nps())?;
        writeln!(out, "Bench: {}", all.nodes)?;
        Ok(())
    }

    fn run_suite(&self, file: &Path) -> anyhow::Result<()> {
        let text = std::fs::read_to_string(file).map_err(|error| SuiteError::File(file.to_owned(), error))?;
        let problems = suite::parse(&text).with_context(|| file.display().to_string())?;
        ensure!(!problems.is_empty(), "{}: there is no position in it", file.display());
        let mut setup = SuiteSettings {
            nodes: self.nodes.unwrap_or(SUITE_NODES),
            threads: self.threads.unwrap_or(1),
            options: self.option.clone(),
        };
        if let Some(hash) = self.hash {
            setup.options.push(("USI_Hash".into(), hash.to_string()));
        }
        let bar = ProgressBar::new(problems.len() as u64);
        let mut found = 0;
        let mut losses = Vec::new();
        suite::run(&problems, &setup, |number, chosen| {
            let problem = &problems[number];
            found += usize::from(chosen == Some(problem.best));
            losses.extend(problem.loss(chosen));
            bar.inc(1);
            bar.set_message(found.to_string());
        })?;
        bar.finish_and_clear();
        let share = 100.0 * found as f64 / problems.len().max(1) as f64;
        println!("{found} of {} best moves found, {share:.1} %, {} nodes each", problems.len(), setup.nodes);
        if !losses.is_empty() {
            println!("{}", lost(&losses));
        }
        Ok(())
    }
}

/// The mean loss of the choices, with its standard error.
fn lost(losses: &[f64]) -> String {
    let count = losses.len() as f64;
    let mean = losses.iter().sum::<f64>() / count;
    let square = losses.iter().map(|loss| (loss - mean).powi(2)).sum::<f64>();
    let error = square.sqrt() / count;
    format!(
        "{:.2} ± {:.2} thousandths of a win lost by a choice, by the scores of {count} positions",
        1000.0 * mean,
        1000.0 * error
    )
}
