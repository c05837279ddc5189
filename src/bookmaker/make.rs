//! A book by own search: engines search the positions of a tree, best first.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::Collection;
use super::ends::Ends;
use super::explore::{ExploreLimits, Explorer, Root};
use super::search_journal::{self, Head, SearchEntry, SearchJournalError};
use super::searcher::{SearchedMove, Searcher};
use super::tree::{Task, Tree};
use crate::client::{ClientError, EngineSpec, Interrupt};
use crate::platform::line_journal::LineJournalError;

/// How often the caller hears how far it is, and may write the book.
const INTERVAL: Duration = Duration::from_secs(10);

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
    /// The caller cannot go on.
    #[error(transparent)]
    Caller(#[from] std::io::Error),
}

/// A position for an engine, and the answer.
type Done = (Task, Result<Vec<SearchedMove>, ClientError>);

/// Makes a book until it has its positions or nothing is left to follow, or until the interrupt fires: what there is
/// then is the book. `each` hears from time to time how far it is and what the book would be now.
///
/// # Errors
/// The first failure of an engine or of the journal; finished searches are in the journal.
pub fn run(
    settings: &MakeSettings,
    interrupt: &Interrupt,
    mut each: impl FnMut(MakeProgress, &dyn Fn() -> Collection) -> std::io::Result<()>,
) -> Result<Collection, MakeError> {
    let start = || Searcher::start(&settings.engine, settings.nodes, settings.lines, interrupt);
    let first = start()?;
    if let Some(refusal) = first.refused_options().first() {
        return Err(MakeError::Refused(refusal.clone()));
    }
    let head = Head { version: 1, engine: first.name().to_owned(), nodes: settings.nodes, lines: settings.lines };
    let (mut journal, earlier) = search_journal::open(&settings.journal, &head)?;
    let mut tree: Box<dyn Tree> = match &settings.growth {
        Growth::Tree(roots, limits) => Box::new(Explorer::new(limits.clone(), roots)),
        Growth::Ends(roots, book, within) => {
            let starts = roots.iter().map(|root| root.position.clone()).collect();
            Box::new(Ends::new(book.clone(), starts, *within))
        }
    };
    for entry in earlier {
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
        run.until_done(
            settings,
            |entry| {
                let append = journal.append(entry);
                append.map_err(|error| journal_error(&settings.journal, error))
            },
            &mut each,
        )
    })?;
    Ok(tree.book())
}

fn journal_error(path: &Path, error: std::io::Error) -> MakeError {
    SearchJournalError::Lines(path.to_owned(), LineJournalError::Io(error)).into()
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
        mut keep: impl FnMut(&SearchEntry) -> Result<(), MakeError>,
        each: &mut impl FnMut(MakeProgress, &dyn Fn() -> Collection) -> std::io::Result<()>,
    ) -> Result<(), MakeError> {
        let begin = Instant::now();
        let mut told = begin;
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
            keep(&entry)?;
            self.tree.finish(&task, entry.moves);
            self.progress.searched += 1;
            self.progress.positions = self.tree.positions();
            self.progress.goal = self.tree.goal(settings.positions);
            self.progress.elapsed = begin.elapsed();
            if told.elapsed() >= INTERVAL {
                told = Instant::now();
                let tree = &*self.tree;
                each(self.progress, &|| tree.book())?;
            }
        }
    }
}
