//! Analyses many files in parallel; can be interrupted at any time and resumed.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{Analyser, Annotator, Budget, CommentStyle};
use crate::client::{ClientError, EngineSpec, Interrupt};
use crate::platform::sync::Mutex;
use crate::position::Position;
use crate::record::{Document, Encoding, FileFormat, NodeId, Record};

/// Interval at which a file under analysis is saved with what is done so far.
const SAVE_EVERY: Duration = Duration::from_secs(20);

/// Engine failures after which a game is given up.
const FAILURES: usize = 3;

/// Where an analysed file goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Overwrites the source.
    InPlace,
    /// Another file; if it already holds the same games, their analysis is continued.
    File(PathBuf),
    /// Not written; for reports only.
    Nowhere,
}

/// A file to analyse.
#[derive(Clone, Debug)]
pub struct FileJob {
    /// The file.
    pub source: PathBuf,
    /// Where the result goes.
    pub goal: Destination,
}

/// How files are analysed.
#[derive(Clone, Debug)]
pub struct AnalysisPlan {
    /// The engine.
    pub engine: EngineSpec,
    /// The search budget for each position.
    pub budget: Budget,
    /// Time for the engine's mate solver on each position; zero for none.
    pub mate: Duration,
    /// Number of best lines (MultiPV).
    pub lines: u32,
    /// The form of the comments.
    pub style: CommentStyle,
    /// Whether variations are analysed too.
    pub variations: bool,
    /// Games analysed in parallel.
    pub workers: usize,
    /// Whether files are overwritten even if something in them was not understood.
    pub force: bool,
}

/// Progress of an analysis; reported from several threads.
#[derive(Clone, Debug)]
pub enum AnalysisEvent {
    /// The number of positions to analyse, without those already done.
    Total(usize),
    /// A position has been analysed.
    Position,
    /// The engine has started; its name.
    Engine(String),
    /// Something that the user should know, one sentence.
    Warning(String),
}

/// The result for one file.
#[derive(Debug)]
pub struct FileOutcome {
    /// The job.
    pub job: FileJob,
    /// The commented games and the annotator that finds this analysis in them, or why the file was not analysed.
    pub result: Result<(Document, Annotator), String>,
    /// Positions analysed in this run.
    pub analyzed: usize,
    /// Positions analysed in an earlier run.
    pub skipped: usize,
    /// Engine failures; the position of each was skipped.
    pub failures: usize,
    /// What could not be analysed or saved, one sentence each.
    pub notes: Vec<String>,
    /// Search time, from `go` to the answer.
    pub search_time: Duration,
    /// Wall time of its games, without the engine's start-up.
    pub elapsed: Duration,
}

/// Analyses files; games run in parallel as the plan says, be they of one file or of several. The outcomes are in the
/// order of the jobs; after an interrupt, files that were not started are missing and the others are saved with what is
/// done.
///
/// # Errors
/// The engine cannot be started.
pub fn analyze_files(
    plan: &AnalysisPlan,
    jobs: Vec<FileJob>,
    interrupt: &Interrupt,
    progress: &(dyn Fn(AnalysisEvent) + Sync),
) -> Result<Vec<FileOutcome>, ClientError> {
    let first = start(plan, interrupt)?;
    let name = first.name().to_owned();
    progress(AnalysisEvent::Engine(name.clone()));
    for warning in first.warnings() {
        progress(AnalysisEvent::Warning(warning.clone()));
    }
    // Read everything first, so that the number of positions is known and bad files are reported at once.
    let files: Vec<InputFile> = jobs.into_iter().map(|job| InputFile::new(job, plan, &name)).collect();
    progress(AnalysisEvent::Total(files.iter().map(InputFile::positions).sum()));
    let tasks: VecDeque<GameTask> = files.iter().flat_map(InputFile::tasks).collect();
    let workers = plan.workers.clamp(1, tasks.len().max(1));
    let queue = Mutex::new(tasks);
    let spare = Mutex::new(Some(first));
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let mut analyser = spare.lock().take();
                let start = || start(plan, interrupt);
                while !interrupt.has_fired() {
                    let Some(task) = queue.lock().pop_front() else {
                        break;
                    };
                    match analyser.take().map_or_else(start, Ok) {
                        Ok(engine) => analyser = task.run(engine, &start, progress),
                        Err(error) => {
                            // Put the game back for a worker that still has an engine.
                            queue.lock().push_front(task);
                            *failure.lock() = Some(error);
                            break;
                        }
                    }
                }
                if let Some(analyser) = analyser {
                    analyser.quit();
                }
            });
        }
    });
    let left = queue.lock().len();
    let stopped = interrupt.has_fired();
    let outcomes = files.into_iter().filter_map(|file| file.finish(stopped)).collect();
    match failure.lock().take() {
        Some(error) if left > 0 && !stopped => Err(error),
        _ => Ok(outcomes),
    }
}

fn start(plan: &AnalysisPlan, interrupt: &Interrupt) -> Result<Analyser, ClientError> {
    Analyser::start(&plan.engine, plan.budget, plan.lines, plan.mate, interrupt)
}

/// A file that has been read, and the positions still to analyse.
struct InputFile {
    job: FileJob,
    /// Game numbers with the nodes to analyse.
    todo: Vec<(usize, Vec<NodeId>)>,
    skipped: usize,
    /// The annotator, or why the file is not analysed.
    annotator: Result<Annotator, String>,
    state: Mutex<FileState>,
}

/// State shared by the tasks of one file.
struct FileState {
    /// `None` if the file could not be read.
    document: Option<Document>,
    notes: Vec<String>,
    failures: usize,
    analyzed: usize,
    search_time: Duration,
    elapsed: Duration,
    /// Games not finished yet.
    games_left: usize,
    /// When the oldest unsaved analysis was added.
    unsaved_since: Option<Instant>,
}

/// A game to analyse.
struct GameTask<'a> {
    file: &'a InputFile,
    game: usize,
    nodes: &'a [NodeId],
}

impl InputFile {
    fn new(job: FileJob, plan: &AnalysisPlan, engine: &str) -> Self {
        let mut file = Self {
            job,
            todo: Vec::new(),
            skipped: 0,
            annotator: Err(String::new()),
            state: Mutex::new(FileState {
                document: None,
                notes: Vec::new(),
                failures: 0,
                analyzed: 0,
                search_time: Duration::ZERO,
                elapsed: Duration::ZERO,
                games_left: 0,
                unsaved_since: None,
            }),
        };
        file.annotator = file.load(plan, engine).map(|(document, annotator)| {
            let state = file.state.get_mut();
            state.document = Some(document);
            state.games_left = file.todo.len();
            annotator
        });
        file
    }

    fn positions(&self) -> usize {
        self.todo.iter().map(|(_, nodes)| nodes.len()).sum()
    }

    fn tasks(&self) -> impl Iterator<Item = GameTask<'_>> {
        self.todo.iter().map(|(game, nodes)| GameTask { file: self, game: *game, nodes })
    }

    fn load(&mut self, plan: &AnalysisPlan, engine: &str) -> Result<(Document, Annotator), String> {
        let source = &self.job.source;
        let mut document = Document::open(source).map_err(|error| error.to_string())?;
        if self.job.goal == Destination::InPlace {
            if document.malformed {
                return Err(
                    "it holds bytes that its encoding does not have, and would lose them when written".to_owned()
                );
            }
            if document.format == FileFormat::Usi {
                return Err("USI lines have no comments: the analysis needs another file to go to".to_owned());
            }
            refuse_to_overwrite(&document, plan)?;
        }
        if let Destination::File(target) = &self.job.goal {
            let format = FileFormat::of_path(target).unwrap_or(document.format);
            if format == FileFormat::Usi {
                return Err("USI lines have no comments: the analysis needs a file of another format".to_owned());
            }
            if target.exists() {
                let old = Document::open(target).map_err(|error| format!("{}: {error}", target.display()))?;
                if !same_games(&document, &old) {
                    return Err(format!("{} is there already and holds other games", target.display()));
                }
                document = old;
            } else if format != document.format {
                document.format = format;
                if format == FileFormat::Jkf {
                    document.encoding = Encoding::Utf8 { bom: false };
                }
            }
        }
        // The budget text identifies an analysis: whatever distinguishes two of them goes in.
        let mut budget = plan.budget.to_string();
        if plan.lines > 1 {
            budget.push_str(&format!(" multipv {}", plan.lines));
        }
        if !plan.mate.is_zero() {
            budget.push_str(&format!(" mate {}ms", plan.mate.as_millis()));
        }
        let annotator = Annotator {
            style: plan.style,
            // As the file's encoding stores it, so that a later run recognises it.
            engine: document.encoding.fit(engine.trim()).0,
            budget,
        };
        for (game, record) in document.games.iter().enumerate() {
            let (mut nodes, note) = positions_of(record, plan.variations);
            self.state.lock().notes.extend(note);
            let all = nodes.len();
            nodes.retain(|&id| !annotator.has_done(record, id));
            self.skipped += all - nodes.len();
            if !nodes.is_empty() {
                self.todo.push((game, nodes));
            }
        }
        Ok((document, annotator))
    }

    /// Saves what is unsaved and returns the outcome; `None` if an interrupt came before the file was started.
    fn finish(self, interrupted: bool) -> Option<FileOutcome> {
        let mut state = self.state.into_inner();
        if interrupted && state.analyzed == 0 && state.games_left > 0 {
            return None;
        }
        // The output file is written even if there was nothing to analyse.
        let missing = matches!(&self.job.goal, Destination::File(target) if !target.exists());
        if state.unsaved_since.is_some() || missing {
            state.save(&self.job);
        }
        let result = match (self.annotator, state.document) {
            (Ok(annotator), Some(document)) => Ok((document, annotator)),
            (Ok(_), None) => Err("it was not read".to_owned()),
            (Err(reason), _) => Err(reason),
        };
        Some(FileOutcome {
            job: self.job,
            result,
            analyzed: state.analyzed,
            skipped: self.skipped,
            failures: state.failures,
            notes: state.notes,
            search_time: state.search_time,
            elapsed: state.elapsed,
        })
    }
}

impl GameTask<'_> {
    /// Analyses the game and returns the engine if it still works. An engine that fails is restarted, and the position
    /// that it failed at is skipped.
    fn run(
        &self,
        mut analyser: Analyser,
        restart: &dyn Fn() -> Result<Analyser, ClientError>,
        progress: &(dyn Fn(AnalysisEvent) + Sync),
    ) -> Option<Analyser> {
        let begin = Instant::now();
        // Only comments change, so the engine can work on a copy while other games of the file go on.
        let record =
            (self.file.state.lock().document.as_ref()).and_then(|document| document.games.get(self.game).cloned())?;
        let mut nodes = self.nodes.iter();
        let mut failures = 0;
        let analyser = loop {
            let before = analyser.search_time();
            let result = self.analyse_nodes(&mut analyser, &record, &mut nodes, progress);
            self.file.state.lock().search_time += analyser.search_time() - before;
            let error = match result {
                Ok(()) => break Some(analyser),
                Err(ClientError::Interrupted) => break None,
                Err(error) => error,
            };
            let next = restart();
            failures += 1;
            let gives_up = failures == FAILURES || next.is_err();
            let reached = self.nodes.len() - nodes.len();
            let ply = reached.checked_sub(1).map_or(0, |at| record.ply(self.nodes[at]));
            let game = match self.file.todo.len() {
                0 | 1 => String::new(),
                _ => format!(" of game {}", self.game + 1),
            };
            let rest = match gives_up {
                true => "; the rest of the game is left out",
                false => "",
            };
            let note = format!("failed at move {ply}{game}: {error}{rest}");
            let mut state = self.file.state.lock();
            state.failures += 1;
            state.notes.push(note);
            drop(state);
            match next {
                Ok(engine) if !gives_up => analyser = engine,
                next => break next.ok(),
            }
        };
        let mut state = self.file.state.lock();
        state.elapsed += begin.elapsed();
        state.games_left -= 1;
        if state.games_left == 0 && state.unsaved_since.is_some() {
            state.save(&self.file.job);
        }
        analyser
    }

    /// Analyses the remaining nodes.
    fn analyse_nodes(
        &self,
        analyser: &mut Analyser,
        record: &Record,
        nodes: &mut std::slice::Iter<NodeId>,
        progress: &(dyn Fn(AnalysisEvent) + Sync),
    ) -> Result<(), ClientError> {
        let Ok(annotator) = &self.file.annotator else {
            return Ok(());
        };
        analyser.new_game()?;
        for &id in nodes {
            let Some(position) = position_at(record, id) else {
                continue;
            };
            let lines = analyser.analyse(&record.start.to_sfen(), &position)?;
            let mut state = self.file.state.lock();
            if let Some(document) = &mut state.document {
                annotator.write(&mut document.games[self.game], id, &lines);
            }
            state.analyzed += 1;
            let unsaved_since = *state.unsaved_since.get_or_insert_with(Instant::now);
            if unsaved_since.elapsed() > SAVE_EVERY {
                state.save(&self.file.job);
            }
            drop(state);
            progress(AnalysisEvent::Position);
        }
        Ok(())
    }
}

impl FileState {
    fn save(&mut self, job: &FileJob) {
        let Some(document) = &self.document else {
            return;
        };
        self.unsaved_since = None;
        let path: &Path = match &job.goal {
            Destination::InPlace => &job.source,
            Destination::File(path) => path,
            Destination::Nowhere => return,
        };
        if let Some(folder) = path.parent()
            && !folder.as_os_str().is_empty()
            && let Err(error) = std::fs::create_dir_all(folder)
        {
            self.notes.push(format!("{}: {error}", folder.display()));
        }
        match document.save(path) {
            Ok(losses) => {
                for loss in losses {
                    if !self.notes.contains(&loss) {
                        self.notes.push(loss);
                    }
                }
            }
            Err(error) => {
                let note = format!("{} was not written: {error}", path.display());
                self.notes.push(note);
            }
        }
    }
}

/// Refuses to overwrite a file in which something was not understood, unless the plan forces it.
fn refuse_to_overwrite(document: &Document, plan: &AnalysisPlan) -> Result<(), String> {
    match document.not_understood() {
        Some(warning) if !plan.force => Err(format!("{warning}; not overwritten (--force overwrites it all the same)")),
        _ => Ok(()),
    }
}

/// Whether two files hold the same games, comments aside.
fn same_games(a: &Document, b: &Document) -> bool {
    let moves = |record: &Record| record.moves_to(record.main_end());
    a.games.len() == b.games.len()
        && a.games.iter().zip(&b.games).all(|(a, b)| a.start.diagram == b.start.diagram && moves(a) == moves(b))
}

/// The nodes to analyse: the start position and every move, up to the first illegal one.
fn positions_of(record: &Record, variations: bool) -> (Vec<NodeId>, Option<String>) {
    let fouls = record.illegal_moves();
    if let Some(foul) = fouls.iter().find(|foul| foul.node == NodeId::ROOT) {
        return (Vec::new(), Some(format!("not analysed: {}", foul.reason)));
    }
    let main = record.main_line();
    let nodes: Vec<NodeId> = if variations { record.ids().collect() } else { main };
    let mut note = None;
    let nodes = nodes
        .into_iter()
        .filter(|&id| record.node(id).end().is_none())
        .filter(|&id| {
            let path = record.path(id);
            let foul = fouls.iter().find(|foul| path.contains(&foul.node));
            if let (Some(foul), None) = (foul, &note) {
                note = Some(format!("not analysed from move {} on: {}", record.ply(foul.node), foul.reason));
            }
            foul.is_none()
        })
        .collect();
    (nodes, note)
}

/// The position at a node, with its history.
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
