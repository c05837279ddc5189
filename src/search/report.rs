//! What a running search reports to its caller, as values without text.

use std::time::Duration;

use crate::types::{Bound, Depth, Move, Score};

/// One principal variation with its score: the content of an `info ... pv` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Nominal depth of the iteration, in plies.
    pub depth: Depth,
    /// Deepest ply that this iteration reached, in plies from the root.
    pub seldepth: usize,
    /// Rank among the lines of one report, from 1 for the best.
    pub multipv: usize,
    /// The score for the side to move.
    pub score: Score,
    /// `Exact` for a finished line; `Lower` or `Upper` if the score fell outside its window.
    pub bound: Bound,
    /// Nodes visited by all threads since the search began.
    pub nodes: u64,
    /// Share of the transposition table in use, in permille.
    pub hashfull: u32,
    /// Time since the search began.
    pub time: Duration,
    /// The line, all moves legal. Empty only where there is no legal move.
    pub pv: Vec<Move>,
}

impl Line {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}

/// A message of a running search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A principal variation.
    Line(Line),
    /// The root move being searched.
    CurrentMove {
        /// Depth of the iteration.
        depth: Depth,
        /// The move.
        mv: Move,
        /// Its number among the root moves, from 1.
        number: usize,
    },
    /// The line that a thread is searching (only where asked for).
    CurrentLine {
        /// Number of the thread, from 1.
        thread: usize,
        /// The moves from the root.
        moves: Vec<Move>,
    },
    /// The answer that refutes a root move (only where asked for).
    Refutation {
        /// The root move.
        mv: Move,
        /// The refuting line after it, the answer first.
        line: Vec<Move>,
    },
}
