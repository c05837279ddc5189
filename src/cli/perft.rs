//! `hagane perft`

use std::io::{Write, stdout};
use std::time::Instant;

use anyhow::ensure;
use clap::Args;

use crate::position::perft_divide;

use super::check::read_position;

/// Counts the lines of legal moves of a length
///
/// For each first move and in total, on all cores.
#[derive(Args)]
pub(super) struct Arguments {
    /// Length of the lines in plies
    depth: u32,
    /// The position: an SFEN or `startpos moves ...` (default: the usual starting position)
    position: Vec<String>,
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        ensure!(self.depth >= 1, "the depth must be at least 1");
        let position = read_position(&self.position)?;
        let start = Instant::now();
        let counts = perft_divide(&position, self.depth);
        let seconds = start.elapsed().as_secs_f64();
        let nodes: u64 = counts.iter().map(|(_, nodes)| nodes).sum();
        let mut out = stdout().lock();
        for (mv, nodes) in counts {
            writeln!(out, "{mv}: {nodes}")?;
        }
        writeln!(out, "{nodes} nodes in {seconds:.3} s, {:.0} nodes a second", nodes as f64 / seconds.max(1e-9))?;
        Ok(())
    }
}
