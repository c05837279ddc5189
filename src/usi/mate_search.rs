//! `go mate`: runs the mate solver on a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{io, thread};

use crossbeam_channel::Sender;

use super::CheckMate;
use super::event::Event;
use crate::mate::{self, FutileInterpositions, MateLength, MateVerdict};
use crate::position::Position;
use crate::search::Limits;

/// Options of the mate solver.
pub(super) struct MateOptions {
    /// Threads.
    pub(super) threads: usize,
    /// Size of the table in MiB, see [`table_size`].
    pub(super) megabytes: usize,
    /// How much the length of the mate matters.
    pub(super) length: MateLength,
    /// The interpositions that may be futile.
    pub(super) futile: FutileInterpositions,
    /// How much before the time limit the answer must be sent.
    pub(super) delay: Duration,
}

/// The least size of the table in MiB.
const LEAST_TABLE: usize = 64;

/// The size in MiB of the mate solver's table beside that of the search, which has `hash`: the same, unless both (three
/// tables for exact lengths) take more than seven eighths of the machine's memory. Linux promises more than it has, and
/// kills the engine that fills it.
pub(super) fn table_size(hash: usize, length: MateLength, memory: Option<u64>) -> usize {
    let tables = if length == MateLength::Exact { 2 } else { 1 };
    let room = memory.map_or(usize::MAX, |memory| (memory as usize / 8 * 7).saturating_sub(hash) / tables);
    hash.min(room.max(LEAST_TABLE))
}

/// Solves on a new thread; exactly one [`Event::Mate`] follows, at the latest soon after `stop` is set.
pub(super) fn spawn(
    position: &Position,
    limits: Limits,
    options: MateOptions,
    stop: Arc<AtomicBool>,
    events: Sender<Event>,
) -> io::Result<()> {
    let position = position.clone();
    let settings = mate::MateSettings {
        nodes: (limits.nodes < u64::MAX).then_some(limits.nodes),
        time: limits.clocks.move_time.map(|time| time.saturating_sub(options.delay.min(time / 10))),
        threads: options.threads,
        length: options.length,
        futile: options.futile,
    };
    let solve = move || {
        let reports = events.clone();
        let mut report = move |progress: &mate::MateProgress| drop(reports.send(Event::MateProgress(progress.clone())));
        // The client gets an answer even if the solver panics.
        let mut solver = None;
        let solution = catch_unwind(AssertUnwindSafe(|| {
            solver.insert(mate::Solver::new(options.megabytes)).solve(&position, &settings, &stop, &mut report)
        }));
        let answer = match solution.map(|solution| solution.verdict) {
            // Mated already: there is no move to show, and `checkmate` without a move would confuse clients.
            Ok(MateVerdict::Mate(mate)) if mate.line.is_empty() => CheckMate::NoMate,
            Ok(MateVerdict::Mate(mate)) => CheckMate::Moves(mate.line),
            Ok(MateVerdict::NoMate) => CheckMate::NoMate,
            Ok(MateVerdict::Unknown) => CheckMate::Timeout,
            Err(_) => {
                log::error!("the mate solver failed");
                CheckMate::Timeout
            }
        };
        // Fails only if the session has ended.
        drop(events.send(Event::Mate(answer)));
        // A large table takes a while to free: not before the answer.
        drop(solver);
    };
    thread::Builder::new().name("go mate".into()).spawn(solve).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_fit_the_memory() {
        let size = |hash, length| table_size(hash, length, Some(24_000));
        assert_eq!(size(1024, MateLength::First), 1024);
        assert_eq!(size(1024, MateLength::Exact), 1024);
        assert_eq!(size(16_000, MateLength::First), 5000);
        assert_eq!(size(16_000, MateLength::Exact), 2500);
        assert_eq!(size(50_000, MateLength::Exact), LEAST_TABLE);
        assert_eq!(size(16, MateLength::Exact), 16);
        assert_eq!(table_size(50_000, MateLength::Exact, None), 50_000);
    }
}
