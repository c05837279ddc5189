//! `hagane bench`

use std::io::{Write, stdout};

use clap::Args;

use crate::engine::bench::{self, Setup};

/// Searches fixed positions and prints nodes, speed and the fingerprint of the engine's play.
#[derive(Args)]
pub(super) struct Arguments {
    /// Plies to search in each position; the fingerprint is that of the default
    #[arg(long)]
    depth: Option<i32>,
    /// Search threads; with more than one the node count differs from run to run
    #[arg(long)]
    threads: Option<usize>,
    /// Size of the transposition table in MiB
    #[arg(long)]
    hash: Option<usize>,
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let usual = Setup::default();
        let setup = Setup {
            depth: self.depth.unwrap_or(usual.depth),
            threads: self.threads.unwrap_or(usual.threads),
            hash: self.hash.unwrap_or(usual.hash),
            positions: usual.positions,
        };
        let mut out = stdout().lock();
        let number_of_positions = setup.positions.len();
        let all = bench::run(&setup, |number, outcome| {
            // The figures of single positions are for watching; the result below must arrive.
            let _ = writeln!(out, "{number:2}/{number_of_positions}: {outcome}");
        })?;
        writeln!(out, "time: {} ms", all.time.as_millis())?;
        writeln!(out, "nps: {}", all.nps())?;
        writeln!(out, "Bench: {}", all.nodes)?;
        Ok(())
    }
}
