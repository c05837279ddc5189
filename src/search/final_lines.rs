//! The best lines as they are reported when a search ends.

use std::sync::Arc;

use crate::types::{Bound, Depth, Score};

use super::node::{Pv, STACK_OFFSET};
use super::report::Line;
use super::request::SearchRequest;
use super::root_move::RootMove;
use super::worker::Worker;

/// Final lines with fewer moves are lengthened.
const MIN_MOVES: usize = 5;
/// The depth from which a short line is worth lengthening by a search.
const MIN_DEPTH: Depth = 6;
/// Depth of a search that lengthens a line.
const EXTENSION_DEPTH: Depth = 2;

impl Worker {
    /// The best lines for the last report, that of the move to be played first.
    ///
    /// Where the search was stopped within an iteration these are the lines of the last finished one, all of one depth.
    /// If the move to be played has changed since, its line comes first, flagged as a bound unless its score is exact.
    pub(super) fn final_lines(&mut self, request: &SearchRequest) -> Vec<Line> {
        request.node_counters[self.id].set(self.nodes);
        self.last_report = request.control.elapsed();
        let count = request.options.multi_pv.clamp(1, self.root_moves.len().max(1));
        let Some(played) = self.root_moves.first() else {
            return Vec::new();
        };
        let interrupted = self.completed_depth < self.root_depth;
        let is_newer = played.depth > self.completed_depth && played.score > -Score::INFINITE;
        let lines: Vec<RootMove> = match self.finished_lines.first() {
            Some(first) if interrupted => {
                let is_same = first.mv == played.mv;
                let best =
                    if is_same && !(count == 1 && is_newer && played.bound == Bound::Exact) { first } else { played };
                let others = self.finished_lines.iter().filter(|root| root.mv != played.mv);
                let depth = if count > 1 { first.depth } else { best.depth };
                std::iter::once(best).chain(others).take(count).map(|root| RootMove { depth, ..root.clone() }).collect()
            }
            _ => {
                let known = |root: &&RootMove| root.mv == played.mv || root.known_score() > -Score::INFINITE;
                self.root_moves.iter().take(count).filter(known).cloned().collect()
            }
        };
        let mut lines: Vec<Line> = (1..).zip(&lines).map(|(rank, root)| self.line(request, root, rank)).collect();
        for line in &mut lines {
            self.extend_from_table(request, line);
            if line.depth >= MIN_DEPTH && !line.score.is_decisive() {
                self.extend_by_search(request, line);
            }
        }
        lines
    }

    /// Lengthens a line by the moves that the table expects, up to its depth or to a repetition.
    fn extend_from_table(&self, request: &SearchRequest, line: &mut Line) {
        let mut position = request.position.clone();
        for &mv in &line.pv {
            position.do_move(mv);
        }
        while line.pv.len() < line.depth as usize && position.repetition().is_none() {
            let expected = request.table.probe(position.key()).and_then(|entry| entry.mv);
            let Some(mv) = expected.filter(|&mv| position.is_legal(mv)) else {
                return;
            };
            position.do_move(mv);
            line.pv.push(mv);
        }
    }

    /// Lengthens a line that is still short by small searches from its end: at a low depth, reductions and the table
    /// leave few moves of a principal variation.
    fn extend_by_search(&mut self, request: &SearchRequest, line: &mut Line) {
        // Counted apart: the node count stays, and there is no share of it for mate tests, which would outlast the clock.
        let nodes = std::mem::take(&mut self.nodes);
        let request = SearchRequest {
            node_counters: SearchRequest::node_counters(self.id + 1),
            ..SearchRequest::unlimited(
                request.position.clone(),
                request.rules.clone(),
                request.evaluator.clone(),
                Arc::clone(&request.table),
            )
        };
        let mut made = 0;
        while line.pv.len() < MIN_MOVES {
            for &mv in &line.pv[made..] {
                let ss = made + STACK_OFFSET;
                self.stack[ss].in_check = self.position.in_check();
                let capture = self.position.is_capture(mv);
                self.do_move(&request, ss, mv, capture);
                made += 1;
            }
            self.moves.truncate(0);
            self.stack[made + STACK_OFFSET].excluded = None;
            self.pv[made].clear();
            self.negamax::<Pv>(&request, -Score::INFINITE, Score::INFINITE, EXTENSION_DEPTH, made, false);
            if self.position.repetition().is_some() || self.pv[made].is_empty() {
                break;
            }
            line.pv.extend_from_slice(&self.pv[made]);
        }
        for _ in 0..made {
            self.undo_move();
        }
        self.nodes = nodes;
    }
}
