//! `hagane book convert`, `merge`, `sort`, `minimax`: of whole books a new one.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::output::{is_same_file, new_file, read_for, size, write};
use crate::bookmaker::{Collection, Collision, minimax};

/// Converts a book: .db, .ybb, Apery's .bin or ShogiGUI's .sbk to .db or .ybb
///
/// The new file is sorted; hands and moves stand in their usual order. What the new format cannot hold is told. The
/// positions of an Apery book, which has keys only, are found by playing from the start of the even game and of
/// handicaps.
#[derive(Args)]
pub(super) struct Convert {
    /// The book
    input: PathBuf,
    /// The new book: its ending says .db or .ybb
    output: PathBuf,
    /// Overwrites an existing file
    #[arg(long)]
    force: bool,
}

/// Sorts a .db, so that it can be searched on the fly
#[derive(Args)]
pub(super) struct Sort {
    /// The book
    input: PathBuf,
    /// The sorted book; by default the book itself
    output: Option<PathBuf>,
    /// Overwrites another existing file
    #[arg(long)]
    force: bool,
}

/// Puts several books into one
///
/// A position has the moves of all books. Where several have a move, the deeper search counts, among equals the book
/// named first.
#[derive(Args)]
pub(super) struct Merge {
    /// The books
    #[arg(required = true)]
    input: Vec<PathBuf>,
    /// The new book: its ending says .db or .ybb
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// What becomes of the counts of a move that several books have
    #[arg(long, value_enum, default_value_t = Counts::Keep)]
    counts: Counts,
    /// Overwrites an existing file
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Counts {
    /// That of the book whose move is taken
    Keep,
    /// Their sum
    Add,
}

/// Backs the values of a book up through its positions
///
/// Every move gets the value of the line that it leads to within the book; moves that the book does not list but that
/// lead into it are added. Lines that run in a circle are drawn; whoever gives check all along loses.
#[derive(Args)]
pub(super) struct Minimax {
    /// The book
    input: PathBuf,
    /// The new book: its ending says .db or .ybb
    output: PathBuf,
    /// Keeps of each position with known values only the moves that are at most so many centipawns worse than the best
    #[arg(long, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(i32).range(0..=100_000))]
    within: Option<i32>,
    /// Overwrites an existing file
    #[arg(long)]
    force: bool,
}

impl Convert {
    pub(super) fn run(self) -> anyhow::Result<()> {
        new_file(&self.output, self.force)?;
        finish(&self.output, &read_for(&self.input, &self.output)?)
    }
}

impl Sort {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let output = self.output.as_ref().unwrap_or(&self.input);
        new_file(output, self.force || is_same_file(&self.input, output))?;
        finish(output, &read_for(&self.input, output)?)
    }
}

impl Merge {
    pub(super) fn run(self) -> anyhow::Result<()> {
        new_file(&self.output, self.force)?;
        let rule = match self.counts {
            Counts::Keep => Collision::Deeper,
            Counts::Add => Collision::AddCounts,
        };
        let mut book = Collection::default();
        for input in &self.input {
            book.merge(read_for(input, &self.output)?, rule);
        }
        finish(&self.output, &book)
    }
}

impl Minimax {
    pub(super) fn run(self) -> anyhow::Result<()> {
        new_file(&self.output, self.force)?;
        finish(&self.output, &minimax::back_up(&read_for(&self.input, &self.output)?, self.within))
    }
}

fn finish(path: &Path, book: &Collection) -> anyhow::Result<()> {
    write(path, book)?;
    writeln!(stdout(), "{}: {}", path.display(), size(book))?;
    Ok(())
}
