//! What a caller asks of a search: limits and options.

use std::time::{Duration, Instant};

use crate::clock::Clocks;
use crate::types::{Depth, MAX_DEPTH, Move};

/// Everything that `go` says: the only kind of limits, from the line to the workers.
///
/// ```text
/// "go btime 60000 ..."                  usi: one line
///   └► Command::Go(Limits)              parsed
///        └► Engine::go(Limits)          with the position and the options of that moment
///             └► SearchRequest          what all workers of the search share: `limits` with the bounds of the options
///                                       DepthLimit and NodesLimit, `Control` with the time that `clocks` allow
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The clocks.
    pub clocks: Clocks,
    /// When `go` arrived: the clock has run since then. `None` means now.
    pub received: Option<Instant>,
    /// Search until `stop`, whatever is found.
    pub infinite: bool,
    /// Search on the opponent's time: report no move before `ponderhit` or `stop`.
    pub ponder: bool,
    /// Deepest iteration, in plies.
    pub depth: Depth,
    /// Most nodes, all workers together.
    pub nodes: u64,
    /// Root moves to consider; empty for all.
    pub search_moves: Vec<Move>,
    /// The answer is a move wherever there is one: no resignation, no declaration of a win. UCI has no words for them.
    pub move_only: bool,
}

/// No limit at all.
impl Default for Limits {
    fn default() -> Self {
        Self {
            clocks: Clocks::default(),
            received: None,
            infinite: false,
            ponder: false,
            depth: MAX_DEPTH,
            nodes: u64::MAX,
            search_moves: Vec::new(),
            move_only: false,
        }
    }
}

/// How many lines a search looks for, and which of its findings it reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// Number of best lines.
    pub multi_pv: usize,
    /// Least time between the reports of two finished iterations; the last one is always reported.
    pub report_interval: Duration,
    /// Report scores outside the aspiration window too.
    pub report_bounds: bool,
    /// Report the answers that refute root moves.
    pub report_refutations: bool,
    /// Report the line that each worker is searching.
    pub report_current_line: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            report_interval: Duration::ZERO,
            report_bounds: false,
            report_refutations: false,
            report_current_line: false,
        }
    }
}
