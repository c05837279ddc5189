//! `hagane train convert`

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;

use crate::cli::file_arguments::expanded;
use crate::training::data::convert::convert;

/// Converts training data between formats
///
/// The extensions of the names tell the formats: .shard, .psv or .bin (PackedSfenValue), .hcpe.
#[derive(Args)]
pub(super) struct Convert {
    /// Files, or folders with a manifest
    #[arg(required = true)]
    sources: Vec<PathBuf>,
    /// The file to write
    #[arg(long, short)]
    output: PathBuf,
}

impl Convert {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let converted = convert(&expanded(&self.sources)?, &self.output)?;
        let mut out = stdout().lock();
        writeln!(out, "{} positions written to {}", converted.positions, self.output.display())?;
        if converted.left_out > 0 {
            writeln!(
                out,
                "{} positions left out: the format cannot hold them, or they have no legal best move",
                converted.left_out
            )?;
        }
        Ok(())
    }
}
