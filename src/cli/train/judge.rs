//! `hagane train judge`

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::check_shares;
use crate::training::fit::foresight::Foresight;
use crate::training::fit::inputs::PHASES;
use crate::training::thinker;
use crate::training::verdict::{Games, Mean, Verdict, VerdictError};

/// Asks games that no network has learned from how much of the way from one network to others they want: so deep games
/// judge what cheap ones taught. What followed is written as the first network's expectation, to some scale and with
/// some worth of the turn, and a share of the way to the other's. Only quiet positions count of which the first
/// network's value is 1500 at most.
///
/// length: mean square of the way. share: 1 is all of it, below 0.5 the other network errs more than the first; ± one
/// standard deviation, over games. worth: by how much that share lowers the mean square of what is still unexplained.
#[derive(Args)]
pub(super) struct Judge {
    /// The network from which the ways go
    from: PathBuf,
    /// The networks to which they go
    #[arg(required = true)]
    networks: Vec<PathBuf>,
    /// Files or folders of games
    #[arg(long, required = true, num_args = 1..)]
    games: Vec<PathBuf>,
    /// Weight of scores against results, 0 to 1; a drawn game says nothing, there the score alone counts
    #[arg(long, default_value_t = 1.0)]
    lambda: f32,
    /// Weight of later scores of the game in each position's score, 0 to 1; eight with commas between them are those of
    /// the phases
    #[arg(long, default_value = "0.9")]
    foresight: Foresight,
    /// Judge each phase too: by pieces in hand and promoted pieces, two a phase
    #[arg(long)]
    phases: bool,
    /// Judge all ways together: which weights the first network and each of the others should have in a mean (train
    /// average), and what that is worth, by games whose weights are found without them
    #[arg(long, conflicts_with = "phases")]
    together: bool,
}

impl Judge {
    pub(super) fn run(self) -> anyhow::Result<()> {
        check_shares(&[("--lambda", self.lambda)])?;
        let games = Games::read(&self.games, self.lambda, self.foresight)?;
        let values = |path: &PathBuf| thinker::network_values(path, games.positions(), 0);
        let from = values(&self.from)?;
        if self.together {
            let to = self.networks.iter().map(values);
            let to = to.collect::<Result<Vec<_>, _>>()?;
            return self.mean(&games.mean(&from, &to)?);
        }
        let phases = if self.phases { PHASES } else { 0 };
        let mut out = stdout().lock();
        writeln!(out, "length   share           worth      network")?;
        for path in &self.networks {
            let name = path.display().to_string();
            let to = values(path)?;
            writeln!(out, "{}", line(games.verdict(&from, &to, None), &name)?)?;
            for phase in 0..phases {
                let name = format!("{name}, phase {phase}");
                // Of a few games some phases may be missing.
                let said = line(games.verdict(&from, &to, Some(phase)), &name);
                writeln!(out, "{}", said.unwrap_or_else(|error| format!("{error:#}")))?;
            }
        }
        Ok(())
    }

    /// Says what mean the games want.
    fn mean(&self, mean: &Mean) -> anyhow::Result<()> {
        let mut out = stdout().lock();
        writeln!(out, "weight  network")?;
        let first = 1.0 - mean.shares.iter().sum::<f64>();
        let networks = [&self.from].into_iter().chain(&self.networks);
        for (path, weight) in networks.zip([first].iter().chain(&mean.shares)) {
            writeln!(out, "{weight:6.3}  {}", path.display())?;
        }
        writeln!(out, "worth {:.6} ({} positions of {} games)", mean.worth, mean.positions, mean.games)?;
        Ok(())
    }
}

/// What is said of a way by this name.
fn line(verdict: Result<Verdict, VerdictError>, name: &str) -> anyhow::Result<String> {
    match verdict {
        Ok(verdict) => Ok(format!(
            "{:.5}  {:6.3} ±{:.3}  {:9.6}  {name} ({} positions of {} games)",
            verdict.length, verdict.share, verdict.deviation, verdict.worth, verdict.positions, verdict.games
        )),
        Err(error @ VerdictError::NoWay) => Ok(format!("{error}  {name}")),
        Err(error) => Err(error).context(name.to_owned()),
    }
}
