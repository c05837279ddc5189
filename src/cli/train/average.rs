//! `hagane train average`

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;

use super::arguments::description;
use crate::cli::file_arguments::expanded;
use crate::nnue::Network;
use crate::nnue::hagane_nn::{MOST_CENTIPAWNS, Parameters};
use crate::platform::files::write_whole;
use crate::training::average::{AverageError, average};

/// Writes the mean of networks that were trained from a common one
///
/// It often plays better than each of them.
#[derive(Args)]
pub(super) struct Average {
    /// Network files of our own format and of one shape
    #[arg(required = true)]
    networks: Vec<PathBuf>,
    /// A weight for each network, as in 5,3,2 [default: all alike]
    #[arg(long, value_delimiter = ',')]
    weights: Option<Vec<f64>>,
    /// What an output of 1.0 is worth in centipawns [default: as in the first]
    ///
    /// Smaller values widen the search's margins. The trainer writes 360, by which 600 win 73 % of the games that it
    /// learned from.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_CENTIPAWNS)))]
    centipawns: Option<u32>,
    /// The file to write
    #[arg(long, short)]
    output: PathBuf,
    /// Text that is stored in the file
    #[arg(long, default_value = "", value_parser = description)]
    description: String,
}

impl Average {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = expanded(&self.networks)?;
        let networks = files
            .iter()
            .map(|path| {
                let bytes = Network::bytes(path);
                let read = bytes.and_then(|bytes| Parameters::from_bytes(&bytes));
                read.with_context(|| path.display().to_string())
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        let weights = self.weights.as_deref();
        let mut mean = average(&networks, weights, &self.description).map_err(|error| match error {
            AverageError::Different { number, what } => {
                anyhow!("{} has another {what} than {}", files[number - 1].display(), files[0].display())
            }
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
