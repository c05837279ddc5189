//! What a worker reports while it searches.

use std::time::Duration;

use crate::types::{Bound, Depth, Move, Score};

use super::node::STACK_OFFSET;
use super::report::{Line, Progress};
use super::request::SearchRequest;
use super::root_move::RootMove;
use super::worker::Worker;

/// Root moves, and lines whose score is only a bound, are reported once the search has taken this long.
const DETAILS_AFTER: Duration = Duration::from_secs(3);
/// Least time between root moves reported: hundreds of them may take no time.
const CURRENT_MOVE_INTERVAL: Duration = Duration::from_millis(50);
/// In long iterations the best lines are repeated at this interval: GUIs show nodes and time only with a line.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

impl Worker {
    /// Reports the root move that is searched now.
    pub(super) fn report_current_move(&mut self, request: &SearchRequest, depth: Depth, mv: Move, number: usize) {
        let now = request.control.elapsed();
        if now > DETAILS_AFTER && now >= self.last_current_move + CURRENT_MOVE_INTERVAL {
            self.last_current_move = now;
            (request.listener)(Progress::CurrentMove { depth, mv, number });
        }
    }

    /// Reports the line of a fail high or low, where asked for, once the search has taken long.
    pub(super) fn report_bound(&mut self, request: &SearchRequest) {
        let options = &request.options;
        if options.report_bounds && self.id == 0 && options.multi_pv == 1 && request.control.elapsed() > DETAILS_AFTER {
            self.report_lines(request);
        }
    }

    /// Reports the best lines; lines that this iteration has not reached come from the previous one.
    pub(super) fn report_lines(&mut self, request: &SearchRequest) {
        let lines = request.options.multi_pv.clamp(1, self.root_moves.len().max(1));
        request.node_counters[self.id].set(self.nodes);
        self.last_report = request.control.elapsed();
        for (index, root) in self.root_moves.iter().take(lines).enumerate() {
            if root.known_score() == -Score::INFINITE && index > 0 {
                continue;
            }
            let line = self.line(request, root, index + 1);
            if line.bound == Bound::Exact || request.options.report_bounds {
                (request.listener)(Progress::Line(line));
            }
        }
    }

    /// A root move with its line and score, for a report.
    pub(super) fn line(&self, request: &SearchRequest, root: &RootMove, rank: usize) -> Line {
        let fresh = root.score > -Score::INFINITE;
        Line {
            depth: root.depth.max(1),
            seldepth: root.seldepth,
            multipv: rank,
            score: root.known_score().max(-Score::MATE),
            bound: if fresh { root.bound } else { Bound::Exact },
            nodes: request.nodes(),
            hashfull: request.table.hashfull(),
            time: self.last_report,
            pv: root.line(),
        }
    }

    /// In a long iteration, reports the best lines again and, where asked for, the line that each thread is searching:
    /// the moves down to stack entry `ss`, up to a null move.
    pub(super) fn report_long_iteration(&mut self, request: &SearchRequest, ss: usize) {
        let now = request.control.elapsed();
        if self.id == 0 && now >= self.last_report + REPORT_INTERVAL {
            self.report_lines(request);
        }
        if request.options.report_current_line && now >= self.last_current_line + REPORT_INTERVAL {
            self.last_current_line = now;
            let line = self.stack[STACK_OFFSET..=ss].iter().map_while(|entry| entry.mv);
            (request.listener)(Progress::CurrentLine { thread: self.id + 1, moves: line.collect() });
        }
    }

    /// Reports the answers to the root moves that proved worse, where the table knows them.
    pub(super) fn report_refutations(&mut self, request: &SearchRequest) {
        if !request.options.report_refutations {
            return;
        }
        for index in 1..self.root_moves.len() {
            let mv = self.root_moves[index].mv;
            self.position.do_move(mv);
            let answer = request
                .table
                .probe(self.position.key())
                .and_then(|entry| entry.mv)
                .filter(|&answer| self.position.is_legal(answer));
            self.position.undo_move();
            if let Some(answer) = answer {
                (request.listener)(Progress::Refutation { mv, line: vec![answer] });
            }
        }
    }
}
