//! Analyses many files in parallel; can be interrupted at any time and resumed.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{Analyser, Annotator, Budget, CommentStyle};
use crate::client::{ClientError, EngineSpec, Interrupt};
use crate::platform::sync::Mutex;
use crate::platform::work_queue::WorkQueue;
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
    /// The engines, which share the games. All must be the same program in the same version, be it on other machines.
    pub engines: Vec<EngineSpec>,
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
    /// Games that each engine analyses in parallel, as so many processes.
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
    /// Whether the file that it should go to holds all of it.
    pub written: bool,
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
/// No engine can be started, or none is left for the work.
pub fn analyze_files(
    plan: &AnalysisPlan,
    jobs: Vec<FileJob>,
    interrupt: &Interrupt,
    progress: &(dyn Fn(AnalysisEvent) + Sync),
) -> Result<Vec<FileOutcome>, AnalysisError> {
    let (place, first) = first_engine(plan, interrupt, progress)?;
    let engines = &plan.engines[place..];
    let name = first.name().to_owned();
    progress(AnalysisEvent::Engine(name.clone()));
    for warning in first.warnings() {
        progress(AnalysisEvent::Warning(warning.clone()));
    }
    // Read everything first, so that the number of positions is known and bad files are reported at once.
    let files: Vec<InputFile> = jobs.into_iter().map(|job| InputFile::new(job, plan, &name)).collect();
    progress(AnalysisEvent::Total(files.iter().map(InputFile::positions).sum()));
    let queue = WorkQueue::new(files.iter().flat_map(InputFile::tasks));
    let most = queue.waiting().max(1);
    // The second worker of an engine comes after the first of each: few games are spread over all engines.
    let workers = (0..plan.workers.max(1)).flat_map(|_| engines).take(most);
    let mut first = Some(first);
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for spec in workers {
            // The first one's engine runs already.
            let analyser = first.take();
            let (queue, failure, name) = (&queue, &failure, &name);
            scope.spawn(move || {
                let worker = Worker { plan, spec, name, interrupt, progress, failure };
                worker.work(queue, analyser);
            });
        }
    });
    let left = queue.waiting();
    let stopped = interrupt.has_fired();
    let outcomes = files.into_iter().filter_map(|file| file.finish(stopped)).collect();
    match failure.into_inner() {
        Some(error) if left > 0 && !stopped => Err(error),
        _ => Ok(outcomes),
    }
}

/// The first engine that can be started, with its place; those before it are not used.
fn first_engine(
    plan: &AnalysisPlan,
    interrupt: &Interrupt,
    progress: &(dyn Fn(AnalysisEvent) + Sync),
) -> Result<(usize, Analyser), AnalysisError> {
    let mut failure = AnalysisError("there is no engine".to_owned());
    for (place, spec) in plan.engines.iter().enumerate() {
        match start(plan, spec, interrupt) {
            Ok(analyser) => return Ok((place, analyser)),
            Err(error) => failure = AnalysisError::new(spec, &error),
        }
        if interrupt.has_fired() {
            break;
        }
        if plan.engines.len() > 1 {
            progress(AnalysisEvent::Warning(format!("{failure}; it is not used")));
        }
    }
    Err(failure)
}

fn start(plan: &AnalysisPlan, spec: &EngineSpec, interrupt: &Interrupt) -> Result<Analyser, ClientError> {
    Analyser::start(spec, plan.budget, plan.lines, plan.mate, interrupt)
}

/// One of the workers: an engine that takes game after game.
struct Worker<'a> {
    plan: &'a AnalysisPlan,
    spec: &'a EngineSpec,
    /// What the first engine calls itself: its name stands in the comments of all.
    name: &'a str,
    interrupt: &'a Interrupt,
    progress: &'a (dyn Fn(AnalysisEvent) + Sync),
    failure: &'a Mutex<Option<AnalysisError>>,
}

impl Worker<'_> {
    fn work<'a>(&self, queue: &WorkQueue<GameTask<'a>>, mut analyser: Option<Analyser>) {
        while let Some(mut task) = queue.take() {
            if self.interrupt.has_fired() {
                queue.give_back(task);
                queue.close();
                break;
            }
            let engine = analyser.take().map_or_else(|| self.start(), Ok);
            match engine.and_then(|engine| task.run(engine, &|| self.start(), self.progress)) {
                Ok(engine) => {
                    queue.done();
                    analyser = Some(engine);
                }
                Err(Failure::Interrupted) => {
                    queue.done();
                    queue.close();
                    break;
                }
                // The game goes to a worker whose engine still works.
                Err(Failure::Engine(error)) => {
                    queue.give_back(task);
                    let error = AnalysisError::new(self.spec, &error);
                    if self.plan.engines.len() > 1 {
                        (self.progress)(AnalysisEvent::Warning(format!("{error}; its work goes to the others")));
                    }
                    *self.failure.lock() = Some(error);
                    break;
                }
            }
        }
        if let Some(analyser) = analyser {
            analyser.quit();
        }
    }

    /// Starts the engine; one of another name would write comments that are not its own.
    fn start(&self) -> Result<Analyser, Failure> {
        let analyser = start(self.plan, self.spec, self.interrupt)?;
        if analyser.name() == self.name {
            return Ok(analyser);
        }
        let error = format!("the engine calls itself '{}', not '{}' as the first one", analyser.name(), self.name);
        analyser.quit();
        Err(Failure::Engine(error))
    }
}

/// Why a game was not analysed to its end.
enum Failure {
    /// The interrupt fired.
    Interrupted,
    /// The engine failed and could not be started again.
    Engine(String),
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Interrupted => Self::Interrupted,
            error => Self::Engine(error.to_string()),
        }
    }
}

/// Why the analysis ended early: the last engine failed.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct AnalysisError(String);

impl AnalysisError {
    fn new(spec: &EngineSpec, error: &dyn std::fmt::Display) -> Self {
        Self(format!("{}: {error}", spec.command()))
    }
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
    /// Why the last attempt to write the file failed.
    unwritten: Option<String>,
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
    /// The game before the analysis, once it has begun.
    base: Option<Record>,
    /// How many of the nodes have been counted as analysed.
    counted: usize,
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
                unwritten: None,
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
        self.todo.iter().map(|(game, nodes)| GameTask { file: self, game: *game, nodes, base: None, counted: 0 })
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
        let written = state.unwritten.is_none();
        state.notes.extend(state.unwritten);
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
            written,
            search_time: state.search_time,
            elapsed: state.elapsed,
        })
    }
}

impl GameTask<'_> {
    /// Analyses the game and returns the engine if it still works. An engine that fails is restarted, and the position
    /// that it failed at is skipped. One that cannot be restarted leaves the game to another, which begins it anew: its
    /// results are then those that a single engine would have had.
    fn run(
        &mut self,
        mut analyser: Analyser,
        restart: &dyn Fn() -> Result<Analyser, Failure>,
        progress: &(dyn Fn(AnalysisEvent) + Sync),
    ) -> Result<Analyser, Failure> {
        let begin = Instant::now();
        // Only comments change, so the engine can work on a copy while other games of the file go on.
        if self.base.is_none() {
            let state = self.file.state.lock();
            self.base = state.document.as_ref().and_then(|document| document.games.get(self.game).cloned());
        }
        let Some(record) = self.base.take() else {
            return Ok(analyser);
        };
        let mut nodes = self.nodes.iter();
        let mut notes = Vec::new();
        let outcome = loop {
            let before = analyser.search_time();
            let result = self.analyse_nodes(&mut analyser, &record, &mut nodes, progress);
            self.file.state.lock().search_time += analyser.search_time() - before;
            let error = match result {
                Ok(()) => break Ok(analyser),
                Err(ClientError::Interrupted) => break Err(Failure::Interrupted),
                Err(error) => error,
            };
            analyser = match restart() {
                Ok(analyser) => analyser,
                Err(Failure::Interrupted) => break Err(Failure::Interrupted),
                // What made it fail first tells more than that it is gone.
                Err(_) => break Err(error.into()),
            };
            let gives_up = notes.len() + 1 == FAILURES;
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
            notes.push(format!("failed at move {ply}{game}: {error}{rest}"));
            if gives_up {
                break Ok(analyser);
            }
        };
        self.base = Some(record);
        let mut state = self.file.state.lock();
        state.elapsed += begin.elapsed();
        if !matches!(outcome, Err(Failure::Engine(_))) {
            state.failures += notes.len();
            state.notes.append(&mut notes);
            state.games_left -= 1;
            if state.games_left == 0 && state.unsaved_since.is_some() {
                state.save(&self.file.job);
            }
        }
        drop(state);
        outcome
    }

    /// Analyses the remaining nodes.
    fn analyse_nodes(
        &mut self,
        analyser: &mut Analyser,
        record: &Record,
        nodes: &mut std::slice::Iter<NodeId>,
        progress: &(dyn Fn(AnalysisEvent) + Sync),
    ) -> Result<(), ClientError> {
        let Ok(annotator) = &self.file.annotator else {
            return Ok(());
        };
        analyser.new_game()?;
        while let Some(&id) = nodes.next() {
            let Some(position) = position_at(record, id) else {
                continue;
            };
            let lines = analyser.analyse(&record.start.to_sfen(), &position)?;
            let mut state = self.file.state.lock();
            if let Some(document) = &mut state.document {
                let game = &mut document.games[self.game];
                // Where another engine has been before, its lines go.
                game.node_mut(id).comments.clone_from(&record.node(id).comments);
                annotator.write(game, id, &lines);
            }
            let reached = self.nodes.len() - nodes.len();
            let is_new = reached > self.counted;
            self.counted = self.counted.max(reached);
            state.analyzed += usize::from(is_new);
            let unsaved_since = *state.unsaved_since.get_or_insert_with(Instant::now);
            if unsaved_since.elapsed() > SAVE_EVERY {
                state.save(&self.file.job);
            }
            drop(state);
            if is_new {
                progress(AnalysisEvent::Position);
            }
        }
        Ok(())
    }
}

impl FileState {
    /// Writes the file; where that fails it is tried again with later results and at the end: a viewer may have it open.
    fn save(&mut self, job: &FileJob) {
        let Some(document) = &self.document else {
            return;
        };
        let path: &Path = match &job.goal {
            Destination::InPlace => &job.source,
            Destination::File(path) => path,
            Destination::Nowhere => return,
        };
        match save(document, path) {
            Ok(losses) => {
                self.unwritten = None;
                self.unsaved_since = None;
                for loss in losses {
                    if !self.notes.contains(&loss) {
                        self.notes.push(loss);
                    }
                }
            }
            Err(error) => {
                self.unwritten = Some(format!("{} was not written: {error}", path.display()));
                self.unsaved_since = Some(Instant::now());
            }
        }
    }
}

/// Writes a document, in a new folder if need be.
fn save(document: &Document, path: &Path) -> std::io::Result<Vec<String>> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    document.save(path)
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
