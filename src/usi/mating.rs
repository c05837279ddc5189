//! `go mate`: the mate solver beside the loop.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{io, thread};

use crossbeam_channel::Sender;

use super::{CheckMate, Event};
use crate::mate::{self, Length, Verdict};
use crate::position::Position;
use crate::search::Limits;

/// What the solver may use.
pub(super) struct Means {
    /// Workers.
    pub(super) threads: usize,
    /// Size of its table.
    pub(super) megabytes: usize,
    /// How much the length of the mate matters: the value of the option MateLength.
    pub(super) length: &'static str,
    /// Whether futile interpositions count.
    pub(super) count_interpositions: bool,
    /// How much earlier than its limit the answer has to leave.
    pub(super) delay: Duration,
}

/// Solves on a thread of its own; exactly one [`Event::Mate`] follows, soon after `stop` is set at the latest.
pub(super) fn spawn(
    position: &Position,
    limits: Limits,
    means: Means,
    stop: Arc<AtomicBool>,
    events: Sender<Event>,
) -> io::Result<()> {
    let position = position.clone();
    let settings = mate::Settings {
        nodes: (limits.nodes < u64::MAX).then_some(limits.nodes),
        time: limits.clocks.move_time.map(|time| time.saturating_sub(means.delay.min(time / 10))),
        threads: means.threads,
        length: match means.length {
            "First" => Length::First,
            "Exact" => Length::Exact,
            _ => Length::Short,
        },
        count_interpositions: means.count_interpositions,
    };
    let solve = move || {
        let reports = events.clone();
        let mut report = move |progress: &mate::Progress| drop(reports.send(Event::MateProgress(progress.clone())));
        // Whatever happens in there: the client is owed an answer.
        let mut solver = None;
        let solution = catch_unwind(AssertUnwindSafe(|| {
            solver.insert(mate::Solver::new(means.megabytes)).solve(&position, &settings, &stop, &mut report)
        }));
        let answer = match solution.map(|solution| solution.verdict) {
            // Mated already: there is no move to show, and a bare word would confuse clients.
            Ok(Verdict::Mate(mate)) if mate.line.is_empty() => CheckMate::NoMate,
            Ok(Verdict::Mate(mate)) => CheckMate::Moves(mate.line),
            Ok(Verdict::NoMate) => CheckMate::NoMate,
            Ok(Verdict::Unknown) => CheckMate::Timeout,
            Err(_) => {
                log::error!("the mate solver failed");
                CheckMate::Timeout
            }
        };
        // A session that has ended does not hear it.
        drop(events.send(Event::Mate(answer)));
        // A large table takes its time to be given back: not before the answer.
        drop(solver);
    };
    thread::Builder::new().name("go mate".into()).spawn(solve).map(|_| ())
}
