//! `hagane train judge`

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;

use super::check_shares;
use crate::training::thinker;
use crate::training::verdict::Games;

/// Asks games that no network has learned from how much of the way from one network to others they want: deep games judge
/// what cheap ones taught within seconds. Positions with values above 1500 are left out.
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
    /// Weight of scores against results, 0 to 1
    #[arg(long, default_value_t = 1.0)]
    lambda: f32,
    /// Weight of later scores of the game in each position's score, 0 to 1
    #[arg(long, default_value_t = 0.9)]
    foresight: f32,
}

impl Judge {
    pub(super) fn run(self) -> anyhow::Result<()> {
        check_shares(&[("--lambda", self.lambda), ("--foresight", self.foresight)])?;
        let games = Games::read(&self.games, self.lambda, self.foresight)?;
        ensure!(
            !games.positions().is_empty(),
            "--games: there is no quiet position with a score"
        );
        let values = |path: &PathBuf| -> anyhow::Result<Vec<i32>> {
            let (evaluator, _) = thinker::evaluation(Some(path))?;
            Ok(thinker::values(&evaluator, games.positions(), 0)?)
        };
        let from = values(&self.from)?;
        let mut out = stdout().lock();
        writeln!(
            out,
            "{} positions of {} games",
            games.positions().len(),
            games.count()
        )?;
        writeln!(out, "length   wanted share    worth    network")?;
        for path in &self.networks {
            match games.verdict(&from, &values(path)?) {
                Some(verdict) => {
                    let (share, deviation) = verdict.share;
                    writeln!(
                        out,
                        "{:.5}  {share:6.3} ±{deviation:.3}  {:.6}  {}",
                        verdict.length,
                        verdict.worth,
                        path.display()
                    )?;
                }
                None => writeln!(
                    out,
                    "no way: its values are the first one's  {}",
                    path.display()
                )?,
            }
        }
        Ok(())
    }
}
