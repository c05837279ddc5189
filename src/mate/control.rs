//! When a search has to stop, and when it reports its progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::types::Move;

/// The limits of a search, shared by its workers.
pub(super) struct MateControl<'a> {
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    node_limit: AtomicU64,
    nodes: AtomicU64,
    /// One worker has decided the position; the others stop.
    done: AtomicBool,
}

impl<'a> MateControl<'a> {
    /// Limits: a flag set by another thread, a point in time, a number of nodes.
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

    /// Lowers the node limit.
    pub(super) fn lower_node_limit(&self, nodes: u64) {
        self.node_limit.fetch_min(nodes, Ordering::Relaxed);
    }

    /// Allows so many nodes more.
    pub(super) fn allow(&self, nodes: u64) {
        self.node_limit.store(self.nodes().saturating_add(nodes), Ordering::Relaxed);
    }

    /// Tells the other workers to stop, or allows all of them to search again.
    pub(super) fn set_done(&self, done: bool) {
        self.done.store(done, Ordering::Relaxed);
    }
}

/// How far a search is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MateProgress {
    /// Nodes searched so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in per mille.
    pub hashfull: u32,
    /// Plies of the shortest mate found so far.
    pub mate: Option<usize>,
    /// The mate found so far, or else the line being searched.
    pub line: Vec<Move>,
}

/// Time between two reports.
const INTERVAL: Duration = Duration::from_millis(250);

/// Reports the progress of a search a few times a second.
pub(super) struct Reporter<'a> {
    progress: &'a mut (dyn FnMut(&MateProgress) + Send),
    begin: Instant,
    next: Instant,
    mate: Option<Vec<Move>>,
}

impl<'a> Reporter<'a> {
    /// Reports to `progress`; times count from `begin`.
    pub(super) fn new(progress: &'a mut (dyn FnMut(&MateProgress) + Send), begin: Instant) -> Self {
        Self { progress, begin, next: begin + INTERVAL, mate: None }
    }

    /// Whether a report is due.
    pub(super) fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    /// Reports the best mate so far at once.
    pub(super) fn found(&mut self, mate: &[Move], nodes: u64, hashfull: u32) {
        self.mate = Some(mate.to_vec());
        self.report(nodes, hashfull, Vec::new());
    }

    /// Reports the best mate if there is one, otherwise the line being searched.
    pub(super) fn report(&mut self, nodes: u64, hashfull: u32, line: Vec<Move>) {
        self.next = Instant::now() + INTERVAL;
        let mate = self.mate.as_ref().map(Vec::len);
        let line = self.mate.clone().unwrap_or(line);
        (self.progress)(&MateProgress { nodes, time: self.begin.elapsed(), hashfull, mate, line });
    }
}
