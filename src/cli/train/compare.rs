//! `hagane train compare`

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;

use crate::training::fit::loss::CUSTOMARY_SCALE;
use crate::training::thinker;
use crate::training::yardstick::Labels;

/// Compares networks' static values with labelled positions, for example with those of `train vary --nodes 4000`.
#[derive(Args)]
pub(super) struct Compare {
    /// Network files
    #[arg(required = true)]
    networks: Vec<PathBuf>,
    /// Files or folders of labelled positions
    #[arg(long, required = true, num_args = 1..)]
    labels: Vec<PathBuf>,
    /// Centipawns of the labels that mean winning 73 % of the games
    #[arg(long, default_value_t = CUSTOMARY_SCALE)]
    label_scale: f32,
    /// Leave out scores above this
    #[arg(long, default_value_t = 2500)]
    largest_score: i16,
    /// Compare the values of searches of so many nodes instead, 0 for static values
    #[arg(long, default_value_t = 0)]
    nodes: u64,
}

impl Compare {
    pub(super) fn run(self) -> anyhow::Result<()> {
        ensure!(self.label_scale > 0.0, "--label-scale must be above 0");
        let labels = Labels::read(&self.labels, self.label_scale, self.largest_score)?;
        let mut out = stdout().lock();
        writeln!(out, "{} positions", labels.positions().len())?;
        writeln!(out, "mean square  correlation  scale  network")?;
        for path in &self.networks {
            let values = thinker::network_values(path, labels.positions(), self.nodes)?;
            let distance = labels
                .distance(&values)
                .context("there is no labelled position")?;
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
}
