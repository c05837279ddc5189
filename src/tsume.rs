//! Mate problems by the file: solved side by side, examined, reported.

pub mod check;
mod input;
mod journal;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::mate::{Length, Settings, Solver, Verdict};
use crate::platform::sync::Mutex;

pub use input::{Problem, read};
pub use journal::Journal;

/// How to solve.
#[derive(Clone, Debug)]
pub struct Work {
    /// Limits and length for each problem.
    pub settings: Settings,
    /// Table of each problem in MiB.
    pub megabytes: usize,
    /// Problems at once.
    pub jobs: usize,
    /// Examine soundness too; the length is then proven.
    pub check: bool,
    /// Where results are kept and taken from.
    pub journal: Option<PathBuf>,
}

/// The result of one problem.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What the input calls it.
    pub id: String,
    /// The position.
    pub sfen: String,
    /// `mate`, `nomate`, `unknown` or `error`.
    pub verdict: String,
    /// Plies of the mate.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub length: Option<usize>,
    /// Whether the length is proven to be the shortest.
    #[serde(default)]
    pub shortest: bool,
    /// Nodes searched.
    pub nodes: u64,
    /// Milliseconds taken.
    pub ms: f64,
    /// The moves in USI, or what is wrong with the input.
    #[serde(default)]
    pub solution: String,
    /// What the examination found.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub check: Option<check::Report>,
    /// What was asked, where it was not reached: with the same limits another try would come to the same.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub asked: String,
}

impl Row {
    /// Whether the row answers what is asked now, or is all that the same limits gave before.
    fn answers(&self, work: &Work) -> bool {
        let reached = match self.verdict.as_str() {
            "mate" => {
                let proven = self.shortest || work.settings.length != Length::Exact;
                proven && (self.check.is_some() || !work.check)
            }
            "unknown" => false,
            _ => true,
        };
        reached || self.asked == work.asked()
    }
}

impl Work {
    /// What is asked of each problem, in words.
    fn asked(&self) -> String {
        let Settings { nodes, time, threads, length, count_interpositions: _ } = &self.settings;
        let limit = |limit: Option<String>| limit.unwrap_or_else(|| "any".to_owned());
        format!(
            "{length:?}, check {}, nodes {}, seconds {}, threads {threads}, {} MiB",
            self.check,
            limit(nodes.map(|nodes| nodes.to_string())),
            limit(time.map(|time| time.as_secs_f64().to_string())),
            self.megabytes
        )
    }
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The journal cannot be used.
    #[error("{0}: {1}")]
    Journal(PathBuf, io::Error),
    /// The system refuses the threads.
    #[error("no threads for the work: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Solves problems side by side and hands each result on as it is there, those of an earlier run first; returns all
/// results in the order of the input. `stop` ends the run early, without the problems not yet solved.
///
/// # Errors
/// Where the journal or the threads fail; what was solved before is in the journal.
pub fn run(
    problems: &[Problem],
    work: &Work,
    stop: &AtomicBool,
    each: impl Fn(&Row) + Sync,
) -> Result<Vec<Row>, RunError> {
    let journal = match &work.journal {
        Some(path) => Some(Journal::open(path).map_err(|error| RunError::Journal(path.clone(), error))?),
        None => None,
    };
    let mut rows: Vec<Option<Row>> = problems
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
        // One problem at a time from the front: neighbours in a file are often alike hard.
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
        (Some(error), Some(path)) => Err(RunError::Journal(path.clone(), error)),
        _ => Ok(rows.into_iter().flatten().collect()),
    }
}

/// Solves one problem; `None` where the run was stopped meanwhile.
fn solve(problem: &Problem, work: &Work, stop: &AtomicBool) -> Option<Row> {
    let mut row = Row { id: problem.id.clone(), sfen: problem.sfen.clone(), ..Row::default() };
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
        settings.length = Length::Exact;
    }
    let mut solver = Solver::new(work.megabytes);
    let solution = solver.solve(position, &settings, stop, &mut |_| {});
    row.nodes = solution.nodes;
    row.ms = solution.time.as_secs_f64() * 1000.0;
    match solution.verdict {
        Verdict::Mate(mate) => {
            row.verdict = "mate".into();
            row.length = Some(mate.line.len());
            row.shortest = mate.shortest;
            row.solution = mate.line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            row.check = work.check.then(|| check::examine(&solver, position, &mate.line, mate.shortest));
        }
        Verdict::NoMate => row.verdict = "nomate".into(),
        // A run that was broken off has not tried this one to the end.
        Verdict::Unknown if stop.load(std::sync::atomic::Ordering::Relaxed) => return None,
        Verdict::Unknown => row.verdict = "unknown".into(),
    }
    if !row.answers(work) {
        row.asked = work.asked();
    }
    Some(row)
}
