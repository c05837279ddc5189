//! `hagane train stats`

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;

use crate::cli::file_arguments::expanded;
use crate::training::data::stats;

/// Counts what is in training data
#[derive(Args)]
pub(super) struct Stats {
    /// Files, or folders with a manifest
    #[arg(required = true)]
    sources: Vec<PathBuf>,
}

impl Stats {
    pub(super) fn run(self) -> anyhow::Result<()> {
        write!(stdout().lock(), "{}", stats::collect(&expanded(&self.sources)?)?)?;
        Ok(())
    }
}
