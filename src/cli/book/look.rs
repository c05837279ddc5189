//! `hagane book info`, `probe`, `check`: what a book holds.

use std::fmt::Display;
use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;

use super::super::check::read_position;
use super::output::read_quietly;
use crate::book::choice::{ChoiceLimits, judge};
use crate::book::{Book, BookFormat, Lookup, move_line};
use crate::bookmaker::{Range, Summary, check};
use crate::platform::wording::counted;
use crate::types::Color;

/// Says what a book is: format, positions, moves, move numbers
#[derive(Args)]
pub(super) struct Info {
    /// The book
    file: PathBuf,
}

/// Shows what a book has for a position, and which of its moves the engine would play
///
/// A line for each move, the best first: move, expected answer, value, depth and count as in a .db, its share of the
/// position's count, and the chance to be played, or the option that rules it out.
#[derive(Args)]
pub(super) struct Probe {
    /// The book
    file: PathBuf,
    /// An SFEN, or what follows `position` in USI; by default the start
    position: Vec<String>,
    /// As the option BookEvalDiff
    #[arg(long, default_value_t = ChoiceLimits::default().eval_diff)]
    diff: i32,
    /// As the option BookEvalBlackLimit
    #[arg(long, default_value_t = ChoiceLimits::default().eval_limit[0], allow_hyphen_values = true)]
    black_limit: i32,
    /// As the option BookEvalWhiteLimit
    #[arg(long, default_value_t = ChoiceLimits::default().eval_limit[1], allow_hyphen_values = true)]
    white_limit: i32,
    /// As the option BookDepthLimit
    #[arg(long, default_value_t = 0)]
    depth_limit: u32,
    /// As the option NarrowBook
    #[arg(long)]
    narrow: bool,
    /// As the option ConsiderBookMoveCount
    #[arg(long)]
    by_count: bool,
    /// As IgnoreBookPly=false: the move number must be the book's
    #[arg(long)]
    ply: bool,
    /// As FlippedBook=false: not with the colours exchanged
    #[arg(long)]
    not_flipped: bool,
    /// As the option BookOnTheFly
    #[arg(long)]
    on_the_fly: bool,
}

/// Checks a book by the rules: positions, moves, answers, duplicates
#[derive(Args)]
pub(super) struct Check {
    /// The book
    file: PathBuf,
}

impl Info {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let format = BookFormat::detect(&self.file).with_context(|| self.file.display().to_string())?;
        let summary = Summary::read(&self.file).with_context(|| self.file.display().to_string())?;
        let mut out = stdout().lock();
        writeln!(out, "file        {}", self.file.display())?;
        writeln!(out, "format      {}", format.name())?;
        writeln!(out, "bytes       {}", std::fs::metadata(&self.file)?.len())?;
        writeln!(out, "positions   {}", summary.positions)?;
        writeln!(out, "moves       {}", summary.moves)?;
        let [black, white] = summary.sides;
        writeln!(out, "to move     {} {black}, {} {white}", Color::Black, Color::White)?;
        let ranges = [
            ("move number", text(summary.plies)),
            ("values     ", text(summary.values)),
            ("depths     ", text(summary.depths)),
        ];
        for (name, range) in ranges {
            range.map_or(Ok(()), |range| writeln!(out, "{name} {range}"))?;
        }
        for comment in &summary.comments {
            writeln!(out, "comment     {comment}")?;
        }
        if let (count, Some(fault)) = summary.faults {
            let count = counted(count, "fault", "faults");
            writeln!(out, "left out    {count}, the first: line {}: {}", fault.number, fault.what)?;
        }
        Ok(())
    }
}

fn text<T: Display>(range: Range<T>) -> Option<String> {
    range.map(|(least, most)| format!("{least} to {most}"))
}

impl Probe {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let position = read_position(&self.position)?;
        let book = Book::open(&self.file, self.on_the_fly).with_context(|| self.file.display().to_string())?;
        let lookup = Lookup { ignore_ply: !self.ply, flipped: !self.not_flipped };
        let moves = book.probe(&position, lookup).with_context(|| self.file.display().to_string())?;
        let limits = ChoiceLimits {
            eval_diff: self.diff,
            eval_limit: [self.black_limit, self.white_limit],
            depth_limit: self.depth_limit,
            narrow: self.narrow,
            by_count: self.by_count,
        };
        let mut out = stdout().lock();
        writeln!(out, "sfen {}", position.to_sfen())?;
        if moves.is_empty() {
            writeln!(out, "not in the book")?;
        }
        let total: u64 = moves.iter().filter(|entry| position.is_legal(entry.mv)).map(|entry| entry.count).sum();
        for candidate in judge(&position, &moves, &limits) {
            let share = candidate.entry.count as f64 * 100.0 / total.max(1) as f64;
            let verdict = match candidate.rejection {
                Some(rejection) => format!("no: {rejection}"),
                None => format!("played {:.0}%", candidate.chance * 100.0),
            };
            writeln!(out, "{}\tcount {share:.2}%\t{verdict}", move_line(&candidate.entry))?;
        }
        Ok(())
    }
}

impl Check {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let (book, left_out) = read_quietly(&self.file)?;
        let findings = check::check(&book, &left_out);
        let mut out = stdout().lock();
        for fault in &findings.faults {
            writeln!(out, "{fault}")?;
        }
        let positions = counted(book.len(), "position", "positions");
        writeln!(out, "{}: {positions}, {} of them sound", self.file.display(), findings.sound)?;
        let faults = counted(findings.faults.len(), "fault", "faults");
        ensure!(findings.faults.is_empty(), "{}: {faults}", self.file.display());
        Ok(())
    }
}
