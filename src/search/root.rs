//! Iterative deepening at the root, with aspiration windows.

use std::cmp::Reverse;

use crate::types::{Bound, Depth, MAX_DEPTH, Score};

use super::node::{MoveInfo, MoveLoop, Root, STACK_OFFSET};
use super::params as p;
use super::report::{Line, Progress};
use super::request::SearchRequest;
use super::root_move::RootMove;
use super::worker::Worker;

impl Worker {
    /// Iterative deepening: one iteration after the other until something ends the search. Returns the
    /// final lines.
    pub(super) fn deepen(&mut self, request: &SearchRequest) -> Vec<Line> {
        let lines = request.options.multi_pv.clamp(1, self.root_moves.len().max(1));
        let mut reported = None;
        let mut last_best = None;
        self.time_manager.new_search(self.position.side_to_move());
        self.previous_pv.clear();
        // The depth limit binds worker 0 only: a helper that is ahead would stand idle (Stockfish does the same).
        let deepest = if self.id == 0 { request.limits.depth } else { MAX_DEPTH };
        for depth in 1..=deepest {
            self.root_depth = depth;
            for root in &mut self.root_moves {
                root.previous_score = root.score;
            }
            self.time_manager.new_iteration();
            self.lead_with_mate(request);
            for line in 0..lines {
                self.pv_index = line;
                self.seldepth = 0;
                self.search_window(request, depth);
                // Lines found so far stay sorted among themselves.
                self.root_moves[..=line].sort_by_key(|root| Reverse(root.score));
                if request.control.stopped() {
                    break;
                }
            }
            if request.control.stopped() {
                break;
            }
            self.completed_depth = depth;
            self.finished_lines.clear();
            self.finished_lines.extend_from_slice(&self.root_moves[..lines.min(self.root_moves.len())]);
            let best = &self.root_moves[0];
            self.previous_pv = best.line();
            let new_best = last_best.is_some_and(|last| last != best.mv);
            last_best = Some(best.mv);
            if self.id != 0 {
                continue;
            }
            let now = request.control.elapsed();
            if reported.is_none_or(|last| now >= last + request.options.report_interval) {
                self.report_lines(request);
                reported = Some(now);
            }
            if self.is_done(request, depth, new_best) {
                break;
            }
        }
        // Too late for another iteration.
        self.begins_anew = false;
        if lines == 1 {
            self.replace_refuted();
        }
        let final_lines = self.final_lines(request);
        if self.id == 0 {
            for line in &final_lines {
                (request.listener)(Progress::Line(line.clone()));
            }
            self.report_refutations(request);
            if self.completed_depth > 0 {
                self.time_manager.end_search(self.root_moves[0].known_score());
            }
        }
        final_lines
    }

    /// Puts a root move that begins a mate first.
    fn lead_with_mate(&mut self, request: &SearchRequest) {
        if self.id == 0
            && let Some(mv) = self.root_mate(request)
            && let Some(i) = self.root_moves.iter().position(|root| root.mv == mv)
        {
            self.root_moves[..=i].rotate_right(1);
        }
    }

    /// If the search was stopped just after its first move turned out to lose, plays the most promising move that this
    /// pass has not searched, with its average score: even an untested move is better than a lost one.
    fn replace_refuted(&mut self) {
        if !self.root_moves[0].score.is_loss() {
            return;
        }
        let usable_average = |root: &RootMove| {
            // An average that includes a mate score is unusable.
            let usable = !Score(2 * root.average_score.0).is_loss();
            (!root.searched && usable).then_some(root.average_score)
        };
        let best =
            (1..self.root_moves.len()).filter_map(|i| Some((usable_average(&self.root_moves[i])?, Reverse(i)))).max();
        if let Some((score, Reverse(i))) = best {
            // Not searched in this iteration, so at best what it was.
            self.root_moves[i].score = score;
            self.root_moves[i].bound = Bound::Upper;
            self.root_moves[i].answers.clear();
            self.root_moves[..=i].rotate_right(1);
        }
    }

    /// Whether the finished iteration is to be the last one.
    fn is_done(&mut self, request: &SearchRequest, depth: Depth, new_best: bool) -> bool {
        let best = &self.root_moves[0];
        let score = best.score;
        let effort = best.effort as f64 / self.nodes.max(1) as f64;
        let factor = self.time_manager.factor(depth, score, new_best, effort);
        if request.control.time_is_up(factor) {
            return true;
        }
        // One legal move needs no thought, and a mate searched to more than twice its length will not get shorter.
        let mate_distance = Score::MATE.0 - score.0.abs();
        let mate = score.is_decisive() && depth > 2 * mate_distance + 4;
        // Nodes are a measure of effort, not a wish for depth: a mate found ends a search of so many nodes, too.
        let by_nodes = request.limits.nodes < u64::MAX && request.options.multi_pv == 1;
        let nothing_left = self.root_moves.len() == 1 || mate;
        nothing_left && request.control.may_end_early(mate && by_nodes)
    }

    /// Searches the root moves from `pv_index` on, first in a small window around the expected score, which grows on
    /// the side where the score falls out of it (aspiration windows).
    fn search_window(&mut self, request: &SearchRequest, depth: Depth) {
        let line = self.pv_index;
        let expected = self.root_moves[line].average_score;
        // Workers with windows of different size search different trees.
        let mut delta = p::aspiration_window() + (self.id % 8) as i32;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= p::aspiration_depth() && expected > -Score::INFINITE && !expected.is_decisive() {
            let growth = self.root_moves[line].mean_square.abs() / i64::from(p::aspiration_average());
            delta += growth.min(i64::from(p::aspiration_widest())) as i32;
            alpha = (expected - delta).max(-Score::INFINITE);
            beta = (expected + delta).min(Score::INFINITE);
        }
        let mut failed_high = 0;
        loop {
            self.root_window = beta - alpha;
            self.moves.truncate(0);
            // After a fail high a shallower search confirms it sooner (Stockfish).
            let adjusted = (depth - failed_high).max(1);
            self.stack[STACK_OFFSET].excluded = None;
            for root in &mut self.root_moves[line..] {
                root.searched = false;
            }
            let score = self.negamax::<Root>(request, alpha, beta, adjusted, 0, false);
            self.root_moves[line..].sort_by_key(|root| Reverse((root.score, root.previous_score)));
            if request.control.stopped() {
                return;
            }
            if std::mem::take(&mut self.begins_anew) {
                self.lead_with_mate(request);
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
                continue;
            }
            if score > alpha && score < beta {
                return;
            }
            self.report_bound(request);
            // A window that has grown wide is opened on the side where it failed.
            let open = delta > p::aspiration_widest();
            if score <= alpha {
                beta = alpha;
                alpha = if open { -Score::INFINITE } else { (score - delta).max(-Score::INFINITE) };
                failed_high = 0;
            } else {
                alpha = alpha.max(beta - delta);
                beta = if open { Score::INFINITE } else { (score + delta).min(Score::INFINITE) };
                failed_high += 1;
            }
            delta += delta * p::aspiration_growth() / 100;
        }
    }

    /// Step 23 of [`negamax`](super::negamax): records what the search of a root move has found.
    pub(super) fn record_root_move(&mut self, info: &MoveInfo, score: Score, moves: &MoveLoop, effort: u64) {
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == info.mv) else {
            return;
        };
        root.effort += effort;
        root.searched = true;
        let square = i64::from(score.0) * i64::from(score.0.abs());
        if root.average_score > -Score::INFINITE {
            root.average_score = Score((root.average_score.0 + score.0) / 2);
            root.mean_square = (root.mean_square + square) / 2;
        } else {
            root.average_score = score;
            root.mean_square = square;
        }
        if info.number > 1 && score <= moves.alpha {
            // Not better than another move: its place in the order stays.
            root.score = -Score::INFINITE;
            return;
        }
        root.score = score;
        root.depth = self.root_depth;
        root.seldepth = self.seldepth;
        root.bound = if score >= moves.beta {
            Bound::Lower
        } else if score <= moves.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root.answers.clear();
        root.answers.extend_from_slice(&self.pv[1]);
        if info.number > 1 && self.pv_index == 0 {
            self.time_manager.best_move_changed();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    /// A worker whose root moves have a score, an average score and whether this pass has searched them.
    fn worker(moves: &[(Score, Score, bool)]) -> Worker {
        let mut worker = Worker::new(0);
        worker.root_moves = Position::startpos()
            .legal_moves()
            .iter()
            .zip(moves)
            .map(|(&mv, &(score, average_score, searched))| RootMove { score, average_score, searched, ..mv.into() })
            .collect();
        worker
    }

    #[test]
    fn a_refuted_move_gives_way_to_the_most_promising_of_those_not_searched() {
        let (lost, none) = (Score::mated_in(8), -Score::INFINITE);
        let mut stopped = worker(&[
            (lost, Score(-100), true),
            (none, Score(-50), true),
            (none, Score(-300), false),
            (none, Score(-200), false),
            (none, none, false),
        ]);
        let hope = stopped.root_moves[3].mv;
        stopped.replace_refuted();
        let first = &stopped.root_moves[0];
        assert_eq!((first.mv, first.score), (hope, Score(-200)));
        assert_eq!(stopped.root_moves[1].score, lost);

        // No other move is usable, or the first one does not lose.
        for known in [
            [(lost, none, true), (none, Score(-50), true)],
            [(lost, none, true), (none, Score((lost.0 - 80) / 2), false)],
            [(Score(-900), Score(-900), true), (none, Score(-50), false)],
        ] {
            let mut stopped = worker(&known);
            let first = stopped.root_moves[0].mv;
            stopped.replace_refuted();
            assert_eq!(stopped.root_moves[0].mv, first);
        }
    }
}
