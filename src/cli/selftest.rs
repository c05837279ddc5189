//! `hagane selftest`: the rules of `hagane doctor`, one check a line.

use std::io::{Write, stdout};

use anyhow::ensure;
use clap::Args;

use crate::doctor;

/// Verifies the rules on this machine (also: doctor --rules)
///
/// Published perft figures, and the rules that engines get wrong.
#[derive(Args)]
pub(super) struct Arguments {
    /// Also the deeper figures: several minutes
    #[arg(long)]
    long: bool,
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<()> {
        print_checks(self.long)
    }
}

/// Runs the checks and prints a line for each.
pub(super) fn print_checks(long: bool) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    let mut failed = 0;
    let mut total = 0;
    for check in doctor::checks(long) {
        total += 1;
        match check.run() {
            Ok(()) => writeln!(out, "ok      {}", check.name)?,
            Err(why) => {
                failed += 1;
                writeln!(out, "FAILED  {}: {why}", check.name)?;
            }
        }
        out.flush()?;
    }
    ensure!(failed == 0, "{failed} of {total} checks failed");
    writeln!(out, "all {total} checks passed")?;
    Ok(())
}
