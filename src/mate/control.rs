//! When a search has to stop, and when it has to say how far it is.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::solver::Progress;
use crate::types::Move;

/// The limits of a search, shared by its workers.
pub(super) struct Control<'a> {
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    node_limit: AtomicU64,
    nodes: AtomicU64,
    /// One worker is done, the others need not go on.
    done: AtomicBool,
}

impl<'a> Control<'a> {
    /// Limits: a flag raised from outside, a point in time, a number of nodes.
    pub(super) fn new(stop: &'a AtomicBool, deadline: Option<Instant>, node_limit: Option<u64>) -> Self {
        Self {
            stop,
            deadline,
            node_limit: AtomicU64::new(node_limit.unwrap_or(u64::MAX)),
            nodes: AtomicU64::new(0),
            done: AtomicBool::new(false),
        }
    }

    /// Counts nodes.
    pub(super) fn count(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Whether a limit is reached.
    pub(super) fn is_exhausted(&self) -> bool {
        self.nodes() >= self.node_limit.load(Ordering::Relaxed)
            || self.stop.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether a worker has to stop.
    pub(super) fn must_stop(&self) -> bool {
        self.done.load(Ordering::Relaxed) || self.is_exhausted()
    }

    /// Nodes counted so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Lowers the limit of nodes.
    pub(super) fn restrict(&self, nodes: u64) {
        self.node_limit.fetch_min(nodes, Ordering::Relaxed);
    }

    /// Sends the other workers home, or lets all work again.
    pub(super) fn set_done(&self, done: bool) {
        self.done.store(done, Ordering::Relaxed);
    }
}

/// Between two reports.
const INTERVAL: Duration = Duration::from_millis(250);

/// Says a few times a second how far a search is.
pub(super) struct Reporter<'a> {
    progress: &'a mut (dyn FnMut(&Progress) + Send),
    begin: Instant,
    next: Instant,
    mate: Option<Vec<Move>>,
}

impl<'a> Reporter<'a> {
    /// Reports to `progress`; times count from `begin`.
    pub(super) fn new(progress: &'a mut (dyn FnMut(&Progress) + Send), begin: Instant) -> Self {
        Self { progress, begin, next: begin + INTERVAL, mate: None }
    }

    /// Whether a report is due.
    pub(super) fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    /// The best mate so far, to be reported at once.
    pub(super) fn found(&mut self, mate: &[Move], nodes: u64, hashfull: u32) {
        self.mate = Some(mate.to_vec());
        self.report(nodes, hashfull, Vec::new());
    }

    /// Reports: the mate if there is one, or else the line just searched.
    pub(super) fn report(&mut self, nodes: u64, hashfull: u32, line: Vec<Move>) {
        self.next = Instant::now() + INTERVAL;
        let mate = self.mate.as_ref().map(Vec::len);
        let line = self.mate.clone().unwrap_or(line);
        (self.progress)(&Progress { nodes, time: self.begin.elapsed(), hashfull, mate, line });
    }
}
