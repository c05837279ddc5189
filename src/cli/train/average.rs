//! `hagane train average`

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;

use crate::nnue::Network;
use crate::nnue::embedded::{MOST_CENTIPAWNS, Parameters};
use crate::training::average::{AverageError, average};
use crate::training::shard::write_whole;

/// Writes the mean of networks that were trained on from a common one: it often plays better than each of them.
#[derive(Args)]
pub(super) struct Average {
    /// Network files of the engine's own kind and of one shape; a file named twice counts twice
    #[arg(required = true)]
    networks: Vec<PathBuf>,
    /// A weight for each network, as in 0.5,0.3,0.2; negative ones are allowed, and their sum is taken for 1
    #[arg(long, value_delimiter = ',', allow_negative_numbers = true)]
    weights: Option<Vec<f64>>,
    /// What an output of 1.0 is worth in centipawns: smaller values widen the search's margins. As in the first network
    /// where nothing is said; the trainer writes 360, by which 600 win 73 % of the games that it learned from
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_CENTIPAWNS)))]
    centipawns: Option<u32>,
    /// The file to write
    #[arg(long, short)]
    output: PathBuf,
    /// Text that is stored in the file
    #[arg(long, default_value = "", value_parser = super::description)]
    description: String,
}

impl Average {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let networks = self
            .networks
            .iter()
            .map(|path| {
                let bytes = Network::bytes(path);
                let read = bytes.and_then(|bytes| Parameters::from_bytes(&bytes));
                read.with_context(|| path.display().to_string())
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        let weights = self.weights.as_deref();
        let mut mean = average(&networks, weights, &self.description).map_err(|error| match error {
            AverageError::Different { number, what } => anyhow!(
                "{} has another {what} than {}",
                self.networks[number - 1].display(),
                self.networks[0].display()
            ),
            other => other.into(),
        })?;
        if let Some(centipawns) = self.centipawns {
            mean.centipawns = centipawns;
        }
        write_whole(&self.output, &mean.to_bytes()).with_context(|| self.output.display().to_string())?;
        writeln!(stdout().lock(), "the mean of {} networks in {}", networks.len(), self.output.display())?;
        Ok(())
    }
}
