//! A search from `go` to its `bestmove`, shared by the facade and the leader.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use super::options::EngineOptions;
use super::strength::Level;
use crate::position::{Generate, MoveList, Position};
use crate::search::{Control, Limits, Line, Rules, SearchOptions};
use crate::types::{Bound, Color, MAX_DEPTH, Move, Score};

/// What was asked for, and its state.
pub(super) struct OngoingSearch {
    pub(super) control: Arc<Control>,
    pub(super) limits: Limits,
    pub(super) position: Position,
    /// The options as they were at `go`.
    pub(super) options: EngineOptions,
    /// The colour that the engine plays.
    pub(super) us: Color,
    /// Its progress is not reported.
    pub(super) silent: bool,
    cancelled: AtomicBool,
    finished: AtomicBool,
}

impl OngoingSearch {
    pub(super) fn new(
        control: Control,
        limits: Limits,
        position: Position,
        us: Color,
        options: EngineOptions,
        silent: bool,
    ) -> Self {
        Self {
            control: Arc::new(control),
            limits,
            position,
            options,
            us,
            silent,
            cancelled: AtomicBool::new(false),
            finished: AtomicBool::new(false),
        }
    }

    /// Ends the search; its move will not be reported.
    pub(super) fn cancel(&self) {
        self.cancelled.store(true, SeqCst);
        self.control.stop();
    }

    /// Whether the caller has cancelled the search.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(SeqCst)
    }

    /// The move is known and about to be reported.
    pub(super) fn finish(&self) {
        self.finished.store(true, SeqCst);
    }

    pub(super) fn is_finished(&self) -> bool {
        self.finished.load(SeqCst)
    }

    /// The level to play at; none in an analysis.
    pub(super) fn level(&self) -> Option<Level> {
        if self.limits.infinite { None } else { self.options.playing_level() }
    }

    /// A line for a result that needs no search: a declaration, a mate on the board, a move of the book.
    pub(super) fn line_without_search(&self, score: Score, pv: Vec<Move>) -> Line {
        Line {
            depth: 1,
            seldepth: 1,
            multipv: 1,
            score,
            bound: Bound::Exact,
            nodes: 0,
            hashfull: 0,
            time: self.control.elapsed(),
            pv,
        }
    }

    /// The legal moves, or those of them that were asked for.
    pub(super) fn root_moves(&self) -> Vec<Move> {
        let mut wanted: Vec<Move> = Vec::new();
        for &mv in &self.limits.search_moves {
            // A pointless non-promotion that is asked for by name is searched too.
            if self.position.is_legal(mv) && !wanted.contains(&mv) {
                wanted.push(mv);
            }
        }
        if !wanted.is_empty() {
            return wanted;
        }
        let mut list = MoveList::new();
        let kind = if self.options.generate_all_legal_moves { Generate::LegalAll } else { Generate::Legal };
        self.position.generate(kind, &mut list);
        list.to_vec()
    }

    /// The limits of `go`, tightened by those of the options.
    pub(super) fn limits_with_options(&self) -> Limits {
        let mut limits = self.limits.clone();
        limits.depth = limits.depth.min(self.options.depth_limit.unwrap_or(MAX_DEPTH)).clamp(1, MAX_DEPTH);
        limits.nodes = limits.nodes.min(self.options.nodes_limit.unwrap_or(u64::MAX)).max(1);
        limits
    }

    pub(super) fn search_options(&self) -> SearchOptions {
        let options = &self.options;
        let every_line = options.consideration_mode || options.analyse_mode;
        SearchOptions {
            multi_pv: options.multi_pv,
            report_interval: if every_line { Duration::ZERO } else { options.pv_interval },
            report_bounds: options.output_fail_lh_pv,
            report_refutations: options.show_refutations,
            report_current_line: options.show_curr_line,
        }
    }

    pub(super) fn rules(&self) -> Rules {
        let options = &self.options;
        let draw = match self.us {
            Color::Black => options.draw_value_black,
            Color::White => options.draw_value_white,
        };
        let rules = Rules::new(options.entering_king_rule, options.max_moves_to_draw, self.us, draw.clamp_eval());
        Rules { all_moves: options.generate_all_legal_moves, ..rules }
    }
}
