//! How the subcommands of `hagane train` show their progress.

use std::fmt::Display;
use std::io::{Write, stdout};
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for [`show`], whose length is not known yet.
pub(super) fn bar() -> anyhow::Result<ProgressBar> {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}, {eta} left")?;
    Ok(ProgressBar::new(0).with_style(style))
}

/// Shows how much is done of how much, and of what. Without a terminal it prints a line instead.
pub(super) fn show(bar: &ProgressBar, done: usize, all: usize, what: String) {
    if bar.is_hidden() {
        eprintln!("{done} of {all} {what}");
    }
    bar.set_length(all as u64);
    bar.set_position(done as u64);
    bar.set_message(what);
}

/// Ends the bar and says how many positions a file or folder holds now.
pub(super) fn say_held(bar: &ProgressBar, held: impl Display, output: &Path) -> anyhow::Result<()> {
    bar.finish_and_clear();
    writeln!(stdout().lock(), "{held} positions in {}", output.display())?;
    Ok(())
}
