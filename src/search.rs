//! Alpha-beta search: worker threads that share a transposition table.
//!
//! A [`Job`] is one search; every thread runs a [`Worker`] on it (Lazy SMP: they talk to one another through the table
//! alone). The first worker, number 0, keeps the clock and reports.

mod control;
mod history;
mod move_picker;
mod negamax;
mod quiescence;
mod report;
mod root;
mod rules;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::position::Position;
use crate::tt::TranspositionTable;
use crate::types::{Bound, Depth, MAX_PLY, Move, Score};

pub use control::Control;
pub use report::{Choice, Line, Progress};
pub use rules::Rules;

use history::History;

/// Receives what a running search reports.
pub type Listener = Arc<dyn Fn(Progress) + Send + Sync>;

/// What bounds a search besides the clock, and what it reports.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Deepest iteration, in plies.
    pub depth: Depth,
    /// Nodes at most, all workers together.
    pub nodes: u64,
    /// How many best lines are wanted.
    pub multi_pv: usize,
    /// Reports of finished iterations are at least this far apart (the last one is always made).
    pub report_interval: std::time::Duration,
    /// Report lines that left the window too.
    pub report_bounds: bool,
    /// Report the answers that refute root moves.
    pub report_refutations: bool,
    /// Report the line each worker is in.
    pub report_current_line: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: MAX_PLY as Depth - 1,
            nodes: u64::MAX,
            multi_pv: 1,
            report_interval: std::time::Duration::ZERO,
            report_bounds: false,
            report_refutations: false,
            report_current_line: false,
        }
    }
}

/// One worker's node count, on a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
pub struct Counter(AtomicU64);

/// One search, shared by its workers.
pub struct Job {
    /// The position to search, with the game that led to it.
    pub position: Position,
    /// The moves to choose from, legal and without doubles.
    pub root_moves: Vec<Move>,
    /// What ends the search besides the clock.
    pub limits: Limits,
    /// The rules beyond the moves.
    pub rules: Rules,
    /// The table.
    pub table: Arc<TranspositionTable>,
    /// The switches.
    pub control: Arc<Control>,
    /// Nodes by worker; its length is the number of workers.
    pub counters: Box<[Counter]>,
    /// Who hears of the progress.
    pub listener: Listener,
}

impl Job {
    /// Counters for a number of workers.
    pub fn counters(workers: usize) -> Box<[Counter]> {
        (0..workers.max(1)).map(|_| Counter::default()).collect()
    }

    /// Nodes visited by all workers.
    pub fn nodes(&self) -> u64 {
        self.counters
            .iter()
            .map(|counter| counter.0.load(Relaxed))
            .sum()
    }
}

/// A move at the root with what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The line that the move begins.
    pub pv: Vec<Move>,
    /// Score in the running iteration; minus infinity where it has not been found better than another move.
    pub score: Score,
    /// Score in the iteration before.
    pub previous_score: Score,
    /// What `score` is.
    pub bound: Bound,
    /// Deepest ply reached below it.
    pub seldepth: usize,
    /// Nodes spent on it in this search.
    pub effort: u64,
}

impl From<Move> for RootMove {
    fn from(mv: Move) -> Self {
        Self {
            pv: vec![mv],
            score: -Score::INFINITE,
            previous_score: -Score::INFINITE,
            bound: Bound::Exact,
            seldepth: 0,
            effort: 0,
        }
    }
}

impl RootMove {
    /// The newest score known, which may be that of the iteration before.
    pub fn known_score(&self) -> Score {
        if self.score > -Score::INFINITE {
            self.score
        } else {
            self.previous_score
        }
    }

    /// The move itself.
    pub fn mv(&self) -> Move {
        self.pv[0]
    }
}

/// What a worker has found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The root moves, best first.
    pub root_moves: Vec<RootMove>,
    /// The last iteration that was finished.
    pub depth: Depth,
}

/// What a node knows of itself and its children; one a ply.
#[derive(Clone, Default)]
struct Frame {
    killers: [Option<Move>; 2],
}

/// A search thread's own memory. It learns from search to search until [`Worker::forget`].
pub struct Worker {
    id: usize,
    position: Position,
    nodes: u64,
    seldepth: usize,
    root_moves: Vec<RootMove>,
    completed_depth: Depth,
    frames: Vec<Frame>,
    /// Triangular table of principal variations, one row a ply.
    pv: Vec<Vec<Move>>,
    history: Box<History>,
}

impl Worker {
    /// A worker that has learnt nothing. Number 0 keeps the clock and reports.
    pub fn new(id: usize) -> Self {
        Self {
            id,
            position: Position::startpos(),
            nodes: 0,
            seldepth: 0,
            root_moves: Vec::new(),
            completed_depth: 0,
            frames: vec![Frame::default(); MAX_PLY + 8],
            pv: vec![Vec::new(); MAX_PLY + 8],
            history: History::new(),
        }
    }

    /// Forgets what it learnt, before another game.
    pub fn forget(&mut self) {
        self.history.clear();
    }

    /// Searches until the job's limits, its clock or its control end it.
    pub fn search(&mut self, job: &Job) -> Outcome {
        self.position = job.position.clone();
        self.nodes = 0;
        self.root_moves = job.root_moves.iter().copied().map(RootMove::from).collect();
        self.completed_depth = 0;
        self.frames.fill(Frame::default());
        self.deepen(job);
        job.counters[self.id].0.store(self.nodes, Relaxed);
        Outcome {
            root_moves: self.root_moves.clone(),
            depth: self.completed_depth,
        }
    }

    /// Counts a node and looks at limits and clock now and then.
    #[inline(always)]
    fn count_node(&mut self, job: &Job) {
        self.nodes += 1;
        if self.nodes & 255 == 0 {
            job.counters[self.id].0.store(self.nodes, Relaxed);
            if self.id == 0 {
                job.control.check_clock();
                if job.counters.len() > 1 && job.nodes() >= job.limits.nodes {
                    job.control.halt();
                }
            }
        }
        if self.nodes >= job.limits.nodes {
            job.control.halt();
        }
    }
}
