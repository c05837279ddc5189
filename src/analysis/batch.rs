//! Many files, several at a time; interrupted at will and taken up again.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::{Annotator, Budget, Style, Thinker};
use crate::client::{ClientError, EngineSpec, Interrupt};
use crate::position::Position;
use crate::record::{Document, Encoding, Format, NodeId, Record};

/// After so long a file that is being analysed is written with what is done.
const SAVE_EVERY: Duration = Duration::from_secs(20);

/// Where an analysed file goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Into its own place.
    InPlace,
    /// Into another file; the analysis goes on there where it holds the same games already.
    File(PathBuf),
    /// Nowhere: for reports only.
    Nowhere,
}

/// A file to analyse.
#[derive(Clone, Debug)]
pub struct Job {
    /// The file.
    pub source: PathBuf,
    /// Where the result goes.
    pub goal: Goal,
}

/// How files are analysed.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The engine.
    pub engine: EngineSpec,
    /// The effort for each position.
    pub budget: Budget,
    /// Time for the engine's mate solver on each position; zero for none.
    pub mate: Duration,
    /// How many best lines are asked for.
    pub lines: u32,
    /// How thoughts are written.
    pub style: Style,
    /// Whether variations are analysed too.
    pub variations: bool,
    /// Games at a time.
    pub workers: usize,
}

/// What happens while files are analysed; told from several threads.
#[derive(Clone, Debug)]
pub enum Event {
    /// So many positions are to be analysed in all, besides those that are done.
    Total(usize),
    /// One more position is done.
    Position,
    /// An engine runs under this name.
    Engine(String),
}

/// What became of a file.
#[derive(Debug)]
pub struct FileOutcome {
    /// The job.
    pub job: Job,
    /// The games with their comments, and how to find this analysis in them; or why there are none.
    pub result: Result<(Document, Annotator), String>,
    /// Positions analysed now.
    pub analyzed: usize,
    /// Positions that had been analysed before.
    pub skipped: usize,
    /// What could not be analysed or written, one sentence each.
    pub notes: Vec<String>,
    /// Time between `go` and the answers.
    pub thinking: Duration,
    /// Time that the file took in all, without the engine's start.
    pub elapsed: Duration,
}

/// Analyses files. The outcomes come in the order of the jobs; after an interrupt those that were not reached are
/// missing, and what was done of the others is written.
///
/// # Errors
/// Where the engine cannot be started.
pub fn analyze_files(
    plan: &Plan,
    jobs: Vec<Job>,
    interrupt: &Interrupt,
    progress: &(dyn Fn(Event) + Sync),
) -> Result<Vec<FileOutcome>, ClientError> {
    let workers = plan.workers.clamp(1, jobs.len().max(1));
    let first = start(plan, interrupt)?;
    let name = first.name().to_owned();
    progress(Event::Engine(name.clone()));
    // Everything is read first: the number of positions is known, and bad files are told at once.
    let loaded: Vec<_> = jobs
        .into_iter()
        .map(|job| Loaded::new(job, plan, &name))
        .collect();
    progress(Event::Total(loaded.iter().map(Loaded::positions).sum()));
    let total = loaded.len();
    let queue = Mutex::new(
        loaded
            .into_iter()
            .enumerate()
            .collect::<std::collections::VecDeque<_>>(),
    );
    let outcomes = Mutex::new(Vec::with_capacity(total));
    let spare = Mutex::new(Some(first));
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let engine = lock(&spare).take();
                let mut thinker = engine;
                loop {
                    if interrupt.has_fired() {
                        break;
                    }
                    let Some((index, file)) = lock(&queue).pop_front() else {
                        break;
                    };
                    if thinker.is_none() && file.positions() > 0 {
                        match start(plan, interrupt) {
                            Ok(engine) => thinker = Some(engine),
                            Err(error) => {
                                // The file is left to the workers that have an engine.
                                lock(&queue).push_front((index, file));
                                *lock(&failure) = Some(error);
                                break;
                            }
                        }
                    }
                    let (outcome, healthy) = file.run(thinker.as_mut(), progress);
                    if !healthy {
                        thinker = None;
                    }
                    lock(&outcomes).push((index, outcome));
                }
                if let Some(thinker) = thinker {
                    thinker.quit();
                }
            });
        }
    });
    let mut outcomes = outcomes
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    outcomes.sort_by_key(|&(index, _)| index);
    let left = lock(&queue).len();
    if let Some(error) = lock(&failure).take()
        && left > 0
        && !interrupt.has_fired()
    {
        return Err(error);
    }
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn start(plan: &Plan, interrupt: &Interrupt) -> Result<Thinker, ClientError> {
    Thinker::start(&plan.engine, plan.budget, plan.lines, plan.mate, interrupt)
}

/// A file that was read, with what is left to do.
struct Loaded {
    job: Job,
    result: Result<(Document, Annotator), String>,
    /// Game and node of what is to be analysed.
    todo: Vec<(usize, NodeId)>,
    skipped: usize,
    notes: Vec<String>,
}

impl Loaded {
    fn new(job: Job, plan: &Plan, engine: &str) -> Self {
        let mut loaded = Self {
            job,
            result: Err(String::new()),
            todo: Vec::new(),
            skipped: 0,
            notes: Vec::new(),
        };
        loaded.result = loaded.load(plan, engine);
        loaded
    }

    fn positions(&self) -> usize {
        self.todo.len()
    }

    fn load(&mut self, plan: &Plan, engine: &str) -> Result<(Document, Annotator), String> {
        let source = &self.job.source;
        let mut document = Document::open(source).map_err(|error| error.to_string())?;
        if self.job.goal == Goal::InPlace {
            if document.malformed {
                return Err("it holds bytes that its encoding does not have, and would lose them when written".to_owned());
            }
            if document.format == Format::Usi {
                return Err(
                    "USI lines have no comments: the analysis needs another file to go to"
                        .to_owned(),
                );
            }
        }
        if let Goal::File(target) = &self.job.goal {
            let format = Format::of_path(target).unwrap_or(document.format);
            if format == Format::Usi {
                return Err(
                    "USI lines have no comments: the analysis needs a file of another format"
                        .to_owned(),
                );
            }
            if target.exists() {
                let old = Document::open(target)
                    .map_err(|error| format!("{}: {error}", target.display()))?;
                if !same_games(&document, &old) {
                    return Err(format!(
                        "{} is there already and holds other games",
                        target.display()
                    ));
                }
                document = old;
            } else if format != document.format {
                document.format = format;
                if format == Format::Jkf {
                    document.encoding = Encoding::Utf8 { bom: false };
                }
            }
        }
        // The budget names all that decides whether two analyses are the same.
        let mut budget = plan.budget.to_string();
        if plan.lines > 1 {
            budget.push_str(&format!(" multipv {}", plan.lines));
        }
        if !plan.mate.is_zero() {
            budget.push_str(&format!(" mate {}ms", plan.mate.as_millis()));
        }
        let annotator = Annotator {
            style: plan.style,
            // As the file will hold it, so that it is found again.
            engine: document.encoding.fit(engine.trim()).0,
            budget,
        };
        for (game, record) in document.games.iter().enumerate() {
            let (nodes, note) = positions_of(record, plan.variations);
            self.notes.extend(note);
            for id in nodes {
                if annotator.has_done(record, id) {
                    self.skipped += 1;
                } else {
                    self.todo.push((game, id));
                }
            }
        }
        Ok((document, annotator))
    }

    /// Does what is left; the engine is healthy afterwards, or not.
    fn run(
        mut self,
        thinker: Option<&mut Thinker>,
        progress: &(dyn Fn(Event) + Sync),
    ) -> (FileOutcome, bool) {
        let start = Instant::now();
        let mut analyzed = 0;
        let mut thinking = Duration::ZERO;
        let mut healthy = true;
        let mut notes = std::mem::take(&mut self.notes);
        if let Ok((document, annotator)) = &mut self.result
            && let Some(thinker) = thinker
        {
            let before = thinker.thinking();
            let mut saved = Instant::now();
            let mut game_at = usize::MAX;
            for &(game, id) in &self.todo {
                let record = &mut document.games[game];
                let Some(position) = position_at(record, id) else {
                    continue;
                };
                let result = if game == game_at {
                    Ok(())
                } else {
                    thinker.new_game()
                };
                game_at = game;
                let result =
                    result.and_then(|()| thinker.think(&record.start.to_sfen(), &position));
                match result {
                    Ok(thoughts) => annotator.write(record, id, &thoughts),
                    Err(error) => {
                        if error != ClientError::Interrupted {
                            notes.push(format!("stopped after {analyzed} positions: {error}"));
                        }
                        healthy = false;
                        break;
                    }
                }
                analyzed += 1;
                progress(Event::Position);
                if saved.elapsed() > SAVE_EVERY {
                    save(&self.job, document, &mut notes);
                    saved = Instant::now();
                }
            }
            thinking = thinker.thinking() - before;
            let target_missing = matches!(&self.job.goal, Goal::File(target) if !target.exists());
            if analyzed > 0 || target_missing {
                save(&self.job, document, &mut notes);
            }
        } else if let (Ok((document, _)), Goal::File(target)) = (&self.result, &self.job.goal)
            && !target.exists()
        {
            save(&self.job, document, &mut notes);
        }
        let outcome = FileOutcome {
            job: self.job,
            result: self.result,
            analyzed,
            skipped: self.skipped,
            notes,
            thinking,
            elapsed: start.elapsed(),
        };
        (outcome, healthy)
    }
}

fn save(job: &Job, document: &Document, notes: &mut Vec<String>) {
    let path: &Path = match &job.goal {
        Goal::InPlace => &job.source,
        Goal::File(path) => path,
        Goal::Nowhere => return,
    };
    if let Some(folder) = path.parent()
        && !folder.as_os_str().is_empty()
        && let Err(error) = std::fs::create_dir_all(folder)
    {
        notes.push(format!("{}: {error}", folder.display()));
    }
    match document.save(path) {
        Ok(losses) => {
            for loss in losses {
                if !notes.contains(&loss) {
                    notes.push(loss);
                }
            }
        }
        Err(error) => notes.push(format!("{} was not written: {error}", path.display())),
    }
}

/// Whether two files hold the same games, whatever their comments.
fn same_games(a: &Document, b: &Document) -> bool {
    let moves = |record: &Record| record.moves_to(record.main_end());
    a.games.len() == b.games.len()
        && a.games
            .iter()
            .zip(&b.games)
            .all(|(a, b)| a.start.diagram == b.start.diagram && moves(a) == moves(b))
}

/// The nodes with positions to analyse: the start and every move, as far as the rules are kept.
fn positions_of(record: &Record, variations: bool) -> (Vec<NodeId>, Option<String>) {
    let fouls = record.fouls();
    if let Some(foul) = fouls.iter().find(|foul| foul.node == NodeId::ROOT) {
        return (Vec::new(), Some(format!("not analysed: {}", foul.reason)));
    }
    let main = record.main_line();
    let nodes: Vec<NodeId> = if variations {
        record.ids().collect()
    } else {
        main
    };
    let mut note = None;
    let nodes = nodes
        .into_iter()
        .filter(|&id| record.node(id).end().is_none())
        .filter(|&id| {
            let path = record.path(id);
            let foul = fouls.iter().find(|foul| path.contains(&foul.node));
            if let (Some(foul), None) = (foul, &note) {
                note = Some(format!(
                    "not analysed from move {} on: {}",
                    record.ply(foul.node),
                    foul.reason
                ));
            }
            foul.is_none()
        })
        .collect();
    (nodes, note)
}

/// The position at a node with its history.
pub(super) fn position_at(record: &Record, id: NodeId) -> Option<Position> {
    let mut position = record.start_position().ok()?;
    for mv in record.moves_to(id) {
        if !position.is_legal(mv) {
            return None;
        }
        position.do_move(mv);
    }
    Some(position)
}
