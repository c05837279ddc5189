//! `hagane book make`

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::super::check::read_position;
use super::super::ctrl_c::interrupt_on_ctrl_c;
use super::super::record::records_of;
use super::output::{encode, is_same_file, new_file, read, size, write};
use crate::bookmaker::from_records::{RecordCounts, RecordLimits};
use crate::bookmaker::make::{self, Growth, MakeProgress, MakeSettings};
use crate::bookmaker::{ExploreLimits, Root};
use crate::client::EngineSpec;
use crate::platform::wording::counted;
use crate::position::Position;
use crate::record::{Document, Handicap};

/// How often the progress is told where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// Makes a book: by searches, or of what was played
///
/// With --records the book has the moves of game records (KIF, KI2, CSA, JKF, USI lines) with their counts; how many of
/// the games were won stands in comments.
///
/// Otherwise a tree of positions grows from the start of the game, the most important ones first: those that good moves
/// lead to soonest. Every search is kept in the journal; after Ctrl-C or kill -9 the same command goes on, and with a
/// larger --positions it goes on with a finished book. The book is written every five minutes and at the end.
///
/// With --ends-of the positions are those where another book ends: the best value of a last move is often the luckiest,
/// and a search of the position after it says what it is worth. The new book has them besides all of the other one.
#[derive(Args)]
pub(super) struct Make {
    /// The book: a .db or .ybb
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Game records, or folders of them, whose moves make the book
    #[arg(long, value_name = "FILE", num_args = 1..)]
    records: Vec<PathBuf>,
    /// With --records: moves played less often are left out
    #[arg(long, default_value_t = 1, requires = "records")]
    least: u64,
    /// With --records: only moves of games that the mover did not lose
    #[arg(long, requires = "records")]
    winners: bool,
    /// A book whose ends are searched: the positions that its good moves lead to, and that it does not have
    #[arg(
        long,
        value_name = "BOOK",
        conflicts_with_all = ["records", "handicap_cost", "own_loss", "other_loss", "value", "plies", "ply_cost"]
    )]
    ends_of: Option<PathBuf>,
    /// With --ends-of: moves that are at most so many centipawns worse than the best are good
    #[arg(long, default_value_t = 12, requires = "ends_of", value_parser = clap::value_parser!(i32).range(0..=100_000))]
    within: i32,
    /// The journal of the searches; by default the book's name with .searches
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Positions of the book; with --ends-of, ends to search
    #[arg(long, default_value_t = 10_000)]
    positions: usize,
    /// Nodes for each position
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Best moves of each position
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=593))]
    multipv: u32,
    /// Engines at once
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=512))]
    engines: u32,
    /// The engine; by default this program
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<PathBuf>,
    /// USI options of the engine
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// Where the tree begins, besides the handicaps; by default the even game's start. Several may be given
    #[arg(long, value_name = "POSITION")]
    start: Vec<String>,
    /// Handicaps (手合割), such as 角落ち or 二枚落ち, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    handicap: Vec<String>,
    /// What the start of a handicap costs: the higher, the fewer positions of it
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(i32).range(0..=100_000))]
    handicap_cost: i32,
    /// The book's side follows moves that lose at most so many centipawns
    #[arg(long, default_value_t = ExploreLimits::default().own_loss, value_parser = clap::value_parser!(i32).range(0..=100_000))]
    own_loss: i32,
    /// The opponent's moves that lose at most so many centipawns are answered
    #[arg(long, default_value_t = ExploreLimits::default().other_loss, value_parser = clap::value_parser!(i32).range(0..=100_000))]
    other_loss: i32,
    /// A line ends where the value is so many centipawns away from the start's
    #[arg(long, default_value_t = ExploreLimits::default().value, value_parser = clap::value_parser!(i32).range(0..=100_000))]
    value: i32,
    /// A line ends after so many moves
    #[arg(long, default_value_t = ExploreLimits::default().plies)]
    plies: u32,
    /// What a move costs in centipawns lost: the higher, the broader the tree
    #[arg(long, default_value_t = ExploreLimits::default().ply_cost, value_parser = clap::value_parser!(i32).range(1..=100_000))]
    ply_cost: i32,
    /// Overwrites a book of other origin
    #[arg(long)]
    force: bool,
}

impl Make {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if !self.records.is_empty() {
            new_file(&self.output, self.force)?;
            return self.of_records();
        }
        // Whether a book that is there may be gone on with, its journal says.
        new_file(&self.output, self.force || self.journal().exists())?;
        let settings = self.settings()?;
        let interrupt = interrupt_on_ctrl_c()?;
        let bar = ProgressBar::new(self.positions as u64)
            .with_style(ProgressStyle::with_template("{wide_bar} {pos}/{len} positions, {msg}")?);
        let mut told = Instant::now();
        let book = make::run(&settings, &interrupt, |progress| {
            let text = left(&progress);
            bar.set_length(progress.goal as u64);
            bar.set_position(progress.positions as u64);
            bar.set_message(text.clone());
            if bar.is_hidden() && told.elapsed() >= LINE_INTERVAL {
                told = Instant::now();
                eprintln!("{} of {} positions, {text}", progress.positions, progress.goal);
            }
        })?;
        bar.finish_and_clear();
        writeln!(std::io::stdout(), "{}: {}", self.output.display(), size(&book))?;
        ensure!(!interrupt.has_fired(), "interrupted; the same command goes on from here");
        Ok(())
    }

    fn of_records(&self) -> anyhow::Result<()> {
        let limits = RecordLimits { plies: self.plies, least: self.least, winners: self.winners };
        let mut counts = RecordCounts::default();
        for (path, _) in records_of(&self.records)? {
            match Document::open(&path) {
                Ok(document) => document.games.iter().for_each(|game| counts.add_record(game, &limits)),
                Err(error) => eprintln!("{}: {error}", path.display()),
            }
        }
        let book = counts.book(&limits);
        write(&self.output, &book)?;
        let games = counted(counts.games(), "game", "games");
        writeln!(std::io::stdout(), "{}: {}, of {games}", self.output.display(), size(&book))?;
        Ok(())
    }

    fn settings(&self) -> anyhow::Result<MakeSettings> {
        let mut engine = match &self.engine {
            Some(path) => EngineSpec::new(path),
            None => EngineSpec::this_executable().context("the path of this program is not known")?,
        };
        engine = engine
            .with_preference("Threads", "1")
            .with_preference("USI_Hash", "64")
            .with_preference("USI_OwnBook", "false")
            .with_preference("USI_AnalyseMode", "true");
        for option in &self.option {
            let (name, value) =
                option.split_once('=').with_context(|| format!("--option {option} is not NAME=VALUE"))?;
            engine = engine.with_option(name, value);
        }
        let engine = engine.with_option("MultiPV", self.multipv.to_string());
        Ok(MakeSettings {
            engine,
            engines: self.engines as usize,
            nodes: self.nodes,
            lines: self.multipv as usize,
            positions: self.positions,
            growth: self.growth()?,
            journal: self.journal(),
            encode,
            output: self.output.clone(),
            overwrite: self.force,
        })
    }

    fn journal(&self) -> PathBuf {
        self.state.clone().unwrap_or_else(|| self.output.with_extension("searches"))
    }

    fn growth(&self) -> anyhow::Result<Growth> {
        if let Some(book) = &self.ends_of {
            // Gone on with, it would have other ends.
            ensure!(!is_same_file(book, &self.output), "{}: the new book needs another name", book.display());
            return Ok(Growth::Ends(self.roots()?, read(book)?, self.within));
        }
        let limits = ExploreLimits {
            own_loss: self.own_loss,
            other_loss: self.other_loss,
            value: self.value,
            plies: self.plies,
            ply_cost: self.ply_cost,
        };
        Ok(Growth::Tree(self.roots()?, limits))
    }

    fn roots(&self) -> anyhow::Result<Vec<Root>> {
        let mut roots = Vec::new();
        for text in &self.start {
            let position = read_position(std::slice::from_ref(text)).with_context(|| format!("--start {text}"))?;
            roots.push(Root { position, cost: 0 });
        }
        if roots.is_empty() {
            roots.push(Root { position: Position::startpos(), cost: 0 });
        }
        for name in &self.handicap {
            let handicap = Handicap::from_name(name).with_context(|| format!("'{name}' is no handicap"))?;
            let position = Position::from_board(&handicap.diagram(), 1)?;
            roots.push(Root { position, cost: self.handicap_cost });
        }
        Ok(roots)
    }
}

/// How fast it goes, and how long it will take.
fn left(progress: &MakeProgress) -> String {
    let rate = progress.searched as f64 / progress.elapsed.as_secs_f64().max(1e-9);
    let missing = progress.goal.saturating_sub(progress.positions) as f64;
    let left = Duration::try_from_secs_f64(missing / rate.max(1e-9)).unwrap_or(Duration::MAX);
    format!("{rate:.1} searches a second, {} left", HumanDuration(left))
}
