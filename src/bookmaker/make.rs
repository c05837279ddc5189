//! A book by own search: engines search the positions of a tree, best first.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use serde::Serialize;

use super::Collection;
use super::ends::Ends;
use super::explore::{ExploreLimits, Explorer, Root};
use super::search_journal::{self, Head, SearchEntry, SearchJournalError, WrittenEntry};
use super::searcher::{SearchedMove, Searcher};
use super::tree::{Task, Tree};
use crate::client::{ClientError, EngineSpec, Interrupt};
use crate::platform::files::write_whole;
use crate::platform::line_journal::{LineJournal, LineJournalError};

/// How often the caller hears how far it is.
const TELL_INTERVAL: Duration = Duration::from_secs(10);
/// How often the book is written while it grows.
const WRITE_INTERVAL: Duration = Duration::from_secs(300);

/// Which positions a book is made of.
pub enum Growth {
    /// A tree from its roots.
    Tree(Vec<Root>, ExploreLimits),
    /// A book and the positions at its ends, where it is played from the roots with moves that are at most so many
    /// centipawns worse than the best.
    Ends(Vec<Root>, Collection, i32),
}

/// How a book is made.
pub struct MakeSettings {
    /// The engine; each runs with the options that it names.
    pub engine: EngineSpec,
    /// How many search at once.
    pub engines: usize,
    /// Nodes for each position.
    pub nodes: u64,
    /// Best moves of each position.
    pub lines: usize,
    /// Positions of the book, or searched ends.
    pub positions: usize,
    /// Which positions are searched.
    pub growth: Growth,
    /// The journal of the searches.
    pub journal: PathBuf,
    /// The file of the book.
    pub output: PathBuf,
    /// The bytes of that file.
    pub encode: fn(&Path, &Collection) -> Vec<u8>,
    /// Whether a file that is not as the journal's runs left it is overwritten.
    pub overwrite: bool,
}

/// How far it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MakeProgress {
    /// Positions in the book, or searched ends.
    pub positions: usize,
    /// How many there will be.
    pub goal: usize,
    /// Positions searched in this run.
    pub searched: usize,
    /// Time of this run.
    pub elapsed: Duration,
}

/// Why a book cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// The journal.
    #[error(transparent)]
    Journal(#[from] SearchJournalError),
    /// An engine.
    #[error("the engine {0}")]
    Client(#[from] ClientError),
    /// The engine does not take a setting.
    #[error("the engine does not do what is asked for: {0}")]
    Refused(String),
    /// The file of the book is somebody else's work, if only in part.
    #[error("{0} is not as a run of this journal left it; --force overwrites it")]
    Foreign(PathBuf),
    /// The file of the book cannot be read or written.
    #[error("{0}: {1}")]
    Output(PathBuf, std::io::Error),
}

/// A position for an engine, and the answer.
type Done = (Task, Result<Vec<SearchedMove>, ClientError>);

/// Makes a book until it has its positions or nothing is left to follow, or until the interrupt fires: what there is
/// then is the book. It is written from time to time and at the end. `tell` hears how far it is.
///
/// # Errors
/// The first failure of an engine or of a file; finished searches are in the journal.
pub fn run(
    settings: &MakeSettings,
    interrupt: &Interrupt,
    mut tell: impl FnMut(MakeProgress),
) -> Result<Collection, MakeError> {
    let start = || Searcher::start(&settings.engine, settings.nodes, settings.lines, interrupt);
    let first = start()?;
    if let Some(refusal) = first.refused_options().first() {
        return Err(MakeError::Refused(refusal.clone()));
    }
    let head = Head { version: 1, engine: first.name().to_owned(), nodes: settings.nodes, lines: settings.lines };
    let (journal, earlier) = search_journal::open(&settings.journal, &head)?;
    let mut kept = Kept { settings, journal, written: earlier.written };
    kept.may_write()?;
    let mut tree: Box<dyn Tree> = match &settings.growth {
        Growth::Tree(roots, limits) => Box::new(Explorer::new(limits.clone(), roots)),
        Growth::Ends(roots, book, within) => {
            let starts = roots.iter().map(|root| root.position.clone()).collect();
            Box::new(Ends::new(book.clone(), starts, *within))
        }
    };
    for entry in earlier.searches {
        tree.remember(&entry.sfen, entry.moves);
    }
    let (tasks, todo) = unbounded::<Task>();
    let (done, results) = unbounded::<Done>();
    let mut searchers = vec![first];
    for _ in 1..settings.engines {
        searchers.push(start()?);
    }
    std::thread::scope(|scope| {
        let idle = searchers.len();
        for searcher in searchers {
            let (todo, done) = (todo.clone(), done.clone());
            scope.spawn(move || work(searcher, &todo, &done));
        }
        let mut run = Run { tree: &mut *tree, tasks, results, idle, progress: MakeProgress::default() };
        run.until_done(settings, &mut kept, &mut tell)
    })?;
    let book = tree.book();
    kept.write(&book)?;
    Ok(book)
}

/// What is on disk.
struct Kept<'a> {
    settings: &'a MakeSettings,
    journal: LineJournal,
    /// The books that this run or an earlier one has written.
    written: Vec<WrittenEntry>,
}

impl Kept<'_> {
    /// Whether the book's file is new or one of those that were written.
    fn may_write(&self) -> Result<(), MakeError> {
        let path = &self.settings.output;
        match std::fs::read(path) {
            Ok(bytes) if self.settings.overwrite || self.written.contains(&WrittenEntry::of(&bytes)) => Ok(()),
            Ok(_) => Err(MakeError::Foreign(path.clone())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(MakeError::Output(path.clone(), error)),
        }
    }

    fn append(&mut self, entry: &impl Serialize) -> Result<(), MakeError> {
        self.journal.append(entry).map_err(|error| {
            SearchJournalError::Lines(self.settings.journal.clone(), LineJournalError::Io(error)).into()
        })
    }

    /// The journal knows of the book before it is there: a kill between the two leaves one that is known.
    fn write(&mut self, book: &Collection) -> Result<(), MakeError> {
        self.may_write()?;
        let path = &self.settings.output;
        let bytes = (self.settings.encode)(path, book);
        let entry = WrittenEntry::of(&bytes);
        self.append(&entry)?;
        self.written.push(entry);
        write_whole(path, &bytes).map_err(|error| MakeError::Output(path.clone(), error))
    }
}

/// Searches what comes until no more can come.
fn work(mut searcher: Searcher, todo: &Receiver<Task>, done: &Sender<Done>) {
    for task in todo {
        let moves = searcher.search(&task.sfen, &task.position);
        let failed = moves.is_err();
        if done.send((task, moves)).is_err() || failed {
            break;
        }
    }
    searcher.quit();
}

struct Run<'a> {
    tree: &'a mut dyn Tree,
    tasks: Sender<Task>,
    results: Receiver<Done>,
    /// Engines without a task.
    idle: usize,
    progress: MakeProgress,
}

impl Run<'_> {
    fn until_done(
        &mut self,
        settings: &MakeSettings,
        kept: &mut Kept<'_>,
        tell: &mut impl FnMut(MakeProgress),
    ) -> Result<(), MakeError> {
        let begin = Instant::now();
        let (mut told, mut written) = (begin, begin);
        let engines = self.idle;
        loop {
            while self.idle > 0
                && let Some(task) = self.tree.next(settings.positions)
            {
                self.idle -= 1;
                // Fails only where all engines have failed, which their results say.
                let _ = self.tasks.send(task);
            }
            if self.idle == engines {
                return Ok(());
            }
            let Ok((task, moves)) = self.results.recv() else {
                return Ok(());
            };
            let moves = match moves {
                Ok(moves) => moves,
                Err(ClientError::Interrupted) => return Ok(()),
                Err(error) => return Err(error.into()),
            };
            self.idle += 1;
            let entry = SearchEntry { sfen: task.sfen.clone(), moves };
            kept.append(&entry)?;
            self.tree.finish(&task, entry.moves);
            self.progress.searched += 1;
            self.progress.positions = self.tree.positions();
            self.progress.goal = self.tree.goal(settings.positions);
            self.progress.elapsed = begin.elapsed();
            if told.elapsed() >= TELL_INTERVAL {
                told = Instant::now();
                tell(self.progress);
            }
            if written.elapsed() >= WRITE_INTERVAL {
                kept.write(&self.tree.book())?;
                written = Instant::now();
            }
        }
    }
}
