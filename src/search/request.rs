//! One search as its workers share it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use crate::clock::Budget;
use crate::position::Position;
use crate::tt::TranspositionTable;
use crate::types::Move;

use super::control::Control;
use super::evaluator::Evaluator;
use super::limits::{Limits, SearchOptions};
use super::report::Progress;
use super::rules::Rules;

/// Receives what a running search reports.
pub type Listener = Arc<dyn Fn(Progress) + Send + Sync>;

/// One worker's node count, on a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
pub struct NodeCounter(AtomicU64);

impl NodeCounter {
    /// Publishes the count for the other threads.
    pub(super) fn set(&self, nodes: u64) {
        self.0.store(nodes, Relaxed);
    }
}

/// One search, shared by its workers.
pub struct SearchRequest {
    /// The position to search, with the game that led to it.
    pub position: Position,
    /// The moves to choose from: legal, without duplicates.
    pub root_moves: Vec<Move>,
    /// What ends the search.
    pub limits: Limits,
    /// How many lines it looks for, and what it reports.
    pub options: SearchOptions,
    /// The rules beyond the moves.
    pub rules: Rules,
    /// The static evaluation.
    pub evaluator: Evaluator,
    /// The transposition table.
    pub table: Arc<TranspositionTable>,
    /// Stop, clock and ponder hits.
    pub control: Arc<Control>,
    /// Nodes by worker; its length is the number of workers.
    pub node_counters: Box<[NodeCounter]>,
    /// Receives the progress.
    pub listener: Listener,
}

impl SearchRequest {
    /// A search by one worker that nothing limits and nobody listens to, with no root moves yet.
    pub(super) fn unlimited(
        position: Position,
        rules: Rules,
        evaluator: Evaluator,
        table: Arc<TranspositionTable>,
    ) -> Self {
        Self {
            position,
            root_moves: Vec::new(),
            limits: Limits::default(),
            options: SearchOptions::default(),
            rules,
            evaluator,
            table,
            control: Arc::new(Control::new(Instant::now(), Budget::UNLIMITED, false, false)),
            node_counters: Self::node_counters(1),
            listener: Arc::new(|_| {}),
        }
    }

    /// A search of a position for tests: [`unlimited`](Self::unlimited), by the usual rules and the hand-crafted
    /// evaluation, with a small table.
    #[cfg(test)]
    pub(super) fn for_tests(position: Position) -> Self {
        use crate::position::EnteringKingRule;
        use crate::types::{Color, Score};
        let rules = Rules::new(EnteringKingRule::CSARule27, 0, Color::Black, Score::ZERO);
        let table = TranspositionTable::new(1).expect("a megabyte");
        Self::unlimited(position, rules, Evaluator::HandCrafted, Arc::new(table))
    }

    /// Counters for a number of workers.
    pub fn node_counters(workers: usize) -> Box<[NodeCounter]> {
        (0..workers.max(1)).map(|_| NodeCounter::default()).collect()
    }

    /// Nodes visited by all workers.
    pub fn nodes(&self) -> u64 {
        self.node_counters.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }
}
