//! Analyses many files in parallel; can be interrupted at any time and resumed.

use super::Analyser;
use super::game_task::{Failure, GameTask};
use super::input_file::{FileOutcome, InputFile};
use super::plan::{AnalysisEvent, AnalysisPlan, FileJob};
use crate::client::{ClientError, EngineSpec, Interrupt};
use crate::platform::sync::Mutex;
use crate::platform::work_queue::WorkQueue;

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
    let queue = WorkQueue::new(files.iter().flat_map(GameTask::all_of));
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

/// Why the analysis ended early: the last engine failed.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct AnalysisError(String);

impl AnalysisError {
    fn new(spec: &EngineSpec, error: &dyn std::fmt::Display) -> Self {
        Self(format!("{}: {error}", spec.command()))
    }
}
