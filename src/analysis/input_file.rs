//! A file under analysis: read, with the positions that are still to do, and saved again.

use std::path::Path;
use std::time::{Duration, Instant};

use super::Annotator;
use super::plan::{AnalysisPlan, Destination, FileJob};
use crate::platform::sync::Mutex;
use crate::record::{Document, Encoding, FileFormat, NodeId, Record};

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

/// A file that has been read, and the positions still to analyse.
pub(super) struct InputFile {
    pub(super) job: FileJob,
    /// Game numbers with the nodes to analyse.
    pub(super) todo: Vec<(usize, Vec<NodeId>)>,
    skipped: usize,
    /// The annotator, or why the file is not analysed.
    pub(super) annotator: Result<Annotator, String>,
    pub(super) state: Mutex<FileState>,
}

/// State shared by the tasks of one file.
pub(super) struct FileState {
    /// `None` if the file could not be read.
    pub(super) document: Option<Document>,
    pub(super) notes: Vec<String>,
    /// Why the last attempt to write the file failed.
    unwritten: Option<String>,
    pub(super) failures: usize,
    pub(super) analyzed: usize,
    pub(super) search_time: Duration,
    pub(super) elapsed: Duration,
    /// Games not finished yet.
    pub(super) games_left: usize,
    /// When the oldest unsaved analysis was added.
    pub(super) unsaved_since: Option<Instant>,
}

impl InputFile {
    pub(super) fn new(job: FileJob, plan: &AnalysisPlan, engine: &str) -> Self {
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

    pub(super) fn positions(&self) -> usize {
        self.todo.iter().map(|(_, nodes)| nodes.len()).sum()
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
    pub(super) fn finish(self, interrupted: bool) -> Option<FileOutcome> {
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

impl FileState {
    /// Writes the file; where that fails it is tried again with later results and at the end: a viewer may have it open.
    pub(super) fn save(&mut self, job: &FileJob) {
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
