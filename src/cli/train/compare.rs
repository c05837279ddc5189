//! `hagane train compare`

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;

use crate::training::fit::loss::CUSTOMARY_SCALE;
use crate::training::ranking::Ranking;
use crate::training::thinker;
use crate::training::yardstick::Labels;

/// Compares networks' static values with labelled positions, for example with those of `train vary --nodes 4000`, or
/// with ranked moves.
#[derive(Args)]
pub(super) struct Compare {
    /// Network files
    #[arg(required = true)]
    networks: Vec<PathBuf>,
    /// Files or folders of labelled positions
    #[arg(long, required_unless_present = "ranked", num_args = 1..)]
    labels: Vec<PathBuf>,
    /// Files of positions whose best moves have scores, from `train rank`. Within: how well values agree on the moves
    /// of a position (correlation of expectations, about their mean); between: on the means of positions
    #[arg(long, conflicts_with = "labels", num_args = 1..)]
    ranked: Vec<PathBuf>,
    /// Centipawns of the labels that mean winning 73 % of the games
    #[arg(long, default_value_t = CUSTOMARY_SCALE)]
    label_scale: f32,
    /// Leave out labels with scores above this
    #[arg(long, default_value_t = 2500, conflicts_with = "ranked")]
    largest_score: i16,
    /// Compare the values of searches of so many nodes instead, 0 for static values
    #[arg(long, default_value_t = 0)]
    nodes: u64,
}

impl Compare {
    pub(super) fn run(self) -> anyhow::Result<()> {
        ensure!(self.label_scale > 0.0, "--label-scale must be above 0");
        match self.ranked.is_empty() {
            true => self.with_labels(),
            false => self.with_ranked(),
        }
    }

    fn with_labels(&self) -> anyhow::Result<()> {
        let labels = Labels::read(&self.labels, self.label_scale, self.largest_score)?;
        let mut out = stdout().lock();
        writeln!(out, "{} positions", labels.positions().len())?;
        writeln!(out, "mean square  correlation  scale  network")?;
        for path in &self.networks {
            let values = thinker::network_values(path, labels.positions(), self.nodes)?;
            let distance = labels.distance(&values).context("there is no labelled position")?;
            writeln!(
                out,
                "{:11.5}  {:11.4}  {:5}  {}",
                distance.mean_square,
                distance.correlation,
                distance.scale,
                path.display()
            )?;
        }
        Ok(())
    }

    fn with_ranked(&self) -> anyhow::Result<()> {
        let ranking = Ranking::read(&self.ranked, self.label_scale)?;
        let mut out = stdout().lock();
        writeln!(out, "{} moves of {} positions", ranking.positions().len(), ranking.roots())?;
        writeln!(out, "within  between  mean square  scale  network")?;
        for path in &self.networks {
            let values = thinker::network_values(path, ranking.positions(), self.nodes)?;
            let agreement = ranking.agreement(&values).context("there is no ranked position")?;
            writeln!(
                out,
                "{:6.4}  {:7.4}  {:11.5}  {:5}  {}",
                agreement.within,
                agreement.between,
                agreement.distance.mean_square,
                agreement.distance.scale,
                path.display()
            )?;
        }
        Ok(())
    }
}
