//! A batch: problems solved in parallel, results kept.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use super::check;
use super::input::Problem;
use super::journal::Journal;
use super::result::ProblemResult;
use super::settings::SolveSettings;
use crate::mate::{MateLength, MateVerdict, Solver};
use crate::platform::sync::Mutex;

/// Why a batch ended early.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The file of results cannot be used.
    #[error("{0}: {1}")]
    Journal(PathBuf, io::Error),
    /// The system cannot start the threads.
    #[error("no threads for the work: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Solves problems in parallel and calls `each` with every result as it arrives, those of an earlier run first; returns
/// all results in the order of the input. `stop` ends the run early, without the problems not yet solved.
///
/// # Errors
/// If the journal or the threads fail; results until then are in the journal.
pub fn run(
    problems: &[Problem],
    work: &SolveSettings,
    stop: &AtomicBool,
    each: impl Fn(&ProblemResult) + Sync,
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
    rows.iter().flatten().for_each(&each);
    let journal = Mutex::new(journal);
    let failure = Mutex::new(None);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(work.jobs).build()?;
    pool.install(|| {
        // One problem at a time from the front: neighbours in a file are often equally hard.
        let todo = rows.par_iter_mut().zip(problems).with_max_len(1);
        todo.filter(|(row, _)| row.is_none()).for_each(|(row, problem)| {
            if stop.load(std::sync::atomic::Ordering::Relaxed) {
                return;
            }
            let Some(solved) = solve(problem, work, stop) else {
                return;
            };
            let mut journal = journal.lock();
            if let Some(Err(error)) = journal.as_mut().map(|journal| journal.add(&solved)) {
                *failure.lock() = Some(error);
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
                return;
            }
            each(&solved);
            drop(journal);
            *row = Some(solved);
        });
    });
    match (failure.into_inner(), &work.journal) {
        (Some(error), Some(path)) => Err(BatchError::Journal(path.clone(), error)),
        _ => Ok(rows.into_iter().flatten().collect()),
    }
}

/// Solves one problem; `None` if the batch was stopped meanwhile.
fn solve(problem: &Problem, work: &SolveSettings, stop: &AtomicBool) -> Option<ProblemResult> {
    let mut row = ProblemResult { id: problem.id.clone(), sfen: problem.sfen.clone(), ..ProblemResult::default() };
    let position = match &problem.position {
        Ok(position) => position,
        Err(why) => {
            row.verdict = "error".into();
            row.solution = why.clone();
            return Some(row);
        }
    };
    let mut settings = work.settings.clone();
    if work.check {
        settings.length = MateLength::Exact;
    }
    let mut solver = Solver::new(work.megabytes);
    let solution = solver.solve(position, &settings, stop, &mut |_| {});
    row.nodes = solution.nodes;
    row.ms = solution.time.as_secs_f64() * 1000.0;
    match solution.verdict {
        MateVerdict::Mate(mate) => {
            row.verdict = "mate".into();
            row.length = Some(mate.line.len());
            row.shortest = mate.shortest;
            row.solution = mate.line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            row.check = work
                .check
                .then(|| check::examine(&solver, position, &mate.line, mate.shortest, settings.count_interpositions));
        }
        MateVerdict::NoMate => row.verdict = "nomate".into(),
        // A stopped batch has not spent the limits on this one.
        MateVerdict::Unknown if stop.load(std::sync::atomic::Ordering::Relaxed) => return None,
        MateVerdict::Unknown => row.verdict = "unknown".into(),
    }
    if !row.answers(work) {
        row.asked = work.asked();
    }
    Some(row)
}
