//! `hagane tune`

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;
use indicatif::ProgressBar;

use super::bench::option;
use crate::engine::suite::{self, SuiteError, SuiteSettings};
use crate::platform::scheduling::processors;
use crate::search::params;
use crate::training::ranked::tuning::{self, Effect, TuningSettings};

/// Measures which way the search's margins should go (--features tune)
///
/// Each round moves all margins at once, up or down at random, and then all the other way, and measures what the chosen
/// moves lose. Rounds are appended to a file, so that the command may be stopped at any time. The table at the end says
/// how much more choices lose when a margin is larger.
#[derive(Args)]
#[command(hide = !cfg!(feature = "tune"))]
pub(super) struct Arguments {
    /// Positions whose moves have scores, as `train rank` writes them
    suite: PathBuf,
    /// The file of rounds, a line of JSON each
    #[arg(long, short)]
    output: PathBuf,
    /// Rounds in the file at the end
    #[arg(long, default_value_t = 1500)]
    rounds: usize,
    /// Positions of each round, each searched twice
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u16).range(1..))]
    positions: u16,
    /// Nodes of each search
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How far margins are moved, in their steps; those whose step is one (plies, counts, small weights) by one
    #[arg(long, default_value_t = 1.5)]
    width: f64,
    /// Size of the transposition table in MiB
    #[arg(long, default_value_t = 16)]
    hash: usize,
    /// An engine option, or a margin to begin from; may be given again
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option: Vec<(String, String)>,
    /// Positions searched in parallel [default: one for each processor]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Seed of directions and positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        ensure!(self.width.is_finite() && self.width > 0.0, "--width {}: it must be above 0", self.width);
        let text = std::fs::read_to_string(&self.suite).map_err(|error| SuiteError::File(self.suite.clone(), error))?;
        let problems = suite::parse(&text).with_context(|| self.suite.display().to_string())?;
        // An option of a margin would undo what the rounds set.
        let (margins, mut options): (Vec<_>, Vec<_>) = self
            .option
            .iter()
            .cloned()
            .partition(|(name, _)| cfg!(feature = "tune") && params::all().iter().any(|known| known.name == name));
        for (name, value) in &margins {
            let within = value.parse().is_ok_and(|value| params::set(name, value));
            ensure!(within, "--option {name}={value}: no value of this margin");
        }
        options.insert(0, ("USI_Hash".into(), self.hash.to_string()));
        let settings = TuningSettings {
            suite: SuiteSettings {
                nodes: self.nodes,
                threads: self.threads.map_or_else(processors, usize::from),
                options,
            },
            positions: usize::from(self.positions),
            rounds: self.rounds,
            width: self.width,
            seed: self.seed,
        };
        let bar = ProgressBar::new(self.rounds as u64);
        let rounds = tuning::run(&problems, &settings, &self.output, |done| {
            bar.set_position(done as u64);
        })?;
        bar.finish_and_clear();
        let lost = rounds.iter().flat_map(|round| round.lost).sum::<f64>();
        println!(
            "{} rounds; a choice loses {:.2} thousandths of a win",
            rounds.len(),
            1000.0 * lost / (2 * rounds.len().max(1)) as f64
        );
        println!("margin                          value  larger by     loses  ±");
        for effect in tuning::effects(&rounds) {
            println!("{}", row(&effect));
        }
        Ok(())
    }
}

fn row(effect: &Effect) -> String {
    format!(
        "{:<28} {:8.0} {:10.1} {:+9.3}  {:.3}",
        effect.name,
        effect.value,
        effect.width,
        1000.0 * effect.lost,
        1000.0 * effect.error
    )
}
