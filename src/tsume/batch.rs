//! A batch: problems solved in parallel, results kept.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::check::Solved;
use super::input::Problem;
use super::journal::Journal;
use super::remote::Crew;
use super::result::ProblemResult;
use super::settings::SolveSettings;
use crate::mate::{MateLength, MateProgress, MateVerdict, Solver};
use crate::platform::sync::Mutex;
use crate::types::Move;

/// Why a batch ended early.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The file of results cannot be used.
    #[error("{0}: {1}")]
    Journal(PathBuf, io::Error),
    /// The system cannot start the threads.
    #[error("no threads for the work: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Problems are left, but no engine.
    #[error("{0}")]
    Engine(String),
}

/// Hears of a batch while it runs; called from several threads.
pub trait BatchObserver: Sync {
    /// How far the search of a problem is, a few times a second.
    fn progress(&self, number: usize, progress: &MateProgress);

    /// The result of a problem, once for each; `number` is its place in the input.
    fn result(&self, number: usize, result: &ProblemResult);

    /// An engine failed, one sentence.
    fn warning(&self, text: &str);
}

/// Solves problems in parallel and tells `observer` every result as it arrives, those of an earlier run first; returns
/// all results in the order of the input. `stop` ends the run early: problems being solved give what is known of them,
/// the others nothing.
///
/// # Errors
/// If the journal or the threads fail; results until then are in the journal.
pub fn run(
    problems: &[Problem],
    work: &SolveSettings,
    stop: &AtomicBool,
    observer: &impl BatchObserver,
) -> Result<Vec<ProblemResult>, BatchError> {
    let journal = match &work.journal {
        Some(path) => Some(Journal::open(path).map_err(|error| BatchError::Journal(path.clone(), error))?),
        None => None,
    };
    let mut rows: Vec<Option<ProblemResult>> = problems
        .iter()
        .map(|problem| {
            let row = journal.as_ref()?.find(&problem.id, &problem.sfen)?;
            row.answers(work).then(|| row.clone())
        })
        .collect();
    for (number, row) in rows.iter().enumerate() {
        if let Some(row) = row {
            observer.result(number, row);
        }
    }
    let journal = Mutex::new(journal);
    let failure = Mutex::new(None);
    // Keeps a result and tells it; whether the batch goes on.
    let keep = |number: usize, solved: &ProblemResult| {
        let mut journal = journal.lock();
        // What a stop cut short was not given its limits: the next run solves it again.
        if solved.answers(work)
            && let Some(Err(error)) = journal.as_mut().map(|journal| journal.add(solved))
        {
            *failure.lock() = Some(error);
            stop.store(true, Ordering::Relaxed);
            return false;
        }
        observer.result(number, solved);
        true
    };
    if work.engines.is_empty() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(work.jobs).build()?;
        // A solver for each problem would spend one part in fifteen of the time on new memory.
        let solvers: Mutex<Vec<Solver>> = Mutex::new(Vec::new());
        pool.install(|| {
            // One problem at a time from the front: neighbours in a file are often equally hard.
            let todo = rows.iter_mut().zip(problems).enumerate().filter(|(_, (row, _))| row.is_none());
            todo.par_bridge().for_each(|(number, (row, problem))| {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let kept = solvers.lock().pop();
                let mut solver = match kept {
                    Some(mut solver) => {
                        solver.clear();
                        solver
                    }
                    None => Solver::new(work.megabytes),
                };
                let mut progress = |progress: &MateProgress| observer.progress(number, progress);
                let solved = solve(problem, work, &mut solver, stop, &mut progress);
                solvers.lock().push(solver);
                *row = keep(number, &solved).then_some(solved);
            });
        });
    } else {
        let todo = rows.iter().zip(problems).enumerate().filter(|(_, (row, _))| row.is_none());
        let todo = todo.map(|(number, (_, problem))| (number, problem)).collect();
        let new = Mutex::new(Vec::new());
        let take = |number: usize, solved: ProblemResult| {
            let goes_on = keep(number, &solved);
            if goes_on {
                new.lock().push((number, solved));
            }
            goes_on
        };
        let crew = Crew { work, stop, take: &take, warn: &|text| observer.warning(&text) };
        let left = crew.solve(todo);
        for (number, row) in new.into_inner() {
            rows[number] = Some(row);
        }
        if let Some(why) = left {
            return Err(BatchError::Engine(why));
        }
    }
    match (failure.into_inner(), &work.journal) {
        (Some(error), Some(path)) => Err(BatchError::Journal(path.clone(), error)),
        _ => Ok(rows.into_iter().flatten().collect()),
    }
}

fn usi(line: &[Move]) -> String {
    line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Solves one problem, as far as the limits and `stop` allow.
fn solve(
    problem: &Problem,
    work: &SolveSettings,
    solver: &mut Solver,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(&MateProgress) + Send),
) -> ProblemResult {
    let mut settings = work.settings.clone();
    let mut row = ProblemResult::unsolved(problem, work);
    let Ok(position) = &problem.position else {
        return row;
    };
    if work.check {
        settings.length = MateLength::Exact;
    }
    let solution = solver.solve(position, &settings, stop, progress);
    row.nodes = solution.nodes;
    row.ms = solution.time.as_secs_f64() * 1000.0;
    match solution.verdict {
        MateVerdict::Mate(mate) => {
            row.verdict = "mate".into();
            row.length = Some(mate.line.len());
            row.shortest = mate.shortest;
            row.solution = usi(&mate.line);
            let solved = Solved {
                position,
                solution: &mate.line,
                shortest: mate.shortest,
                stated: &problem.stated,
                futile: settings.futile,
                variations: work.variations,
            };
            if work.check
                && let Some(checked) = solved.check(solver, stop)
            {
                row.solution = usi(&checked.answer);
                row.check = Some(checked.soundness);
                row.variations =
                    work.variations.then(|| checked.variations.lines.iter().map(|line| usi(line)).collect());
                row.variations_cut = checked.variations.cut;
            }
        }
        MateVerdict::NoMate => row.verdict = "nomate".into(),
        MateVerdict::Unknown => row.verdict = "unknown".into(),
    }
    if !row.answers(work) && !stop.load(Ordering::Relaxed) {
        row.asked = work.asked();
    }
    row
}
