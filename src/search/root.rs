//! Iterative deepening at the root, aspiration windows, and what is reported.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::types::{Bound, Depth, MAX_DEPTH, Move, Score};

use super::params as p;
use super::report::{Line, Progress};
use super::{BASE, Root, RootMove, SearchRequest, Worker};

/// Root moves are reported one by one only when the search has taken this long.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);
/// They are not reported more often than this: hundreds of moves may take no time.
const CURRENT_MOVE_PAUSE: Duration = Duration::from_millis(50);
/// Something is reported at least this often.
const SIGN_OF_LIFE: Duration = Duration::from_secs(1);
/// Half the widest aspiration window in centipawns.
const WIDEST: i32 = 1200;

impl Worker {
    /// One iteration after the other until something ends the search.
    pub(super) fn deepen(&mut self, request: &SearchRequest) {
        let lines = request.options.multi_pv.clamp(1, self.root_moves.len().max(1));
        let mut reported = None;
        let mut last_best = None;
        self.pace.new_search(self.position.side_to_move());
        // The limit is the first worker's. One that helps would stand idle where it is ahead (Stockfish, too, lets it
        // go on).
        let deepest = if self.id == 0 { request.limits.depth } else { MAX_DEPTH };
        for depth in 1..=deepest {
            self.root_depth = depth;
            for root in &mut self.root_moves {
                root.previous_score = root.score;
            }
            self.pace.new_iteration();
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
            let best = &self.root_moves[0];
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
        if lines == 1 {
            self.turn_from_refuted();
        }
        if self.id == 0 {
            // The last word on the move that will be played, even where its iteration was cut short.
            self.root_moves[0].bound = Bound::Exact;
            self.report_lines(request);
            self.report_refutations(request);
            if self.completed_depth > 0 {
                self.pace.end_search(self.root_moves[0].known_score());
            }
        }
    }

    /// A search that is stopped when it has just seen its first move lose, and has not looked at others since, plays
    /// the most promising of those instead, with what was thought of it.
    fn turn_from_refuted(&mut self) {
        if !self.root_moves[0].score.is_loss() {
            return;
        }
        let hope = |root: &RootMove| {
            // A mean with a mate in it is no hope.
            let hopeless = Score(2 * root.average_score.0).is_loss();
            (!root.searched && !hopeless).then_some(root.average_score)
        };
        let best = (1..self.root_moves.len()).filter_map(|i| Some((hope(&self.root_moves[i])?, Reverse(i)))).max();
        if let Some((score, Reverse(i))) = best {
            self.root_moves[i].score = score;
            self.root_moves[i].answers.clear();
            self.root_moves[..=i].rotate_right(1);
        }
    }

    /// Whether the finished iteration is to be the last one.
    fn is_done(&mut self, request: &SearchRequest, depth: Depth, new_best: bool) -> bool {
        let best = &self.root_moves[0];
        let score = best.score;
        let effort = best.effort as f64 / self.nodes.max(1) as f64;
        let factor = self.pace.factor(depth, score, new_best, effort);
        if request.control.time_is_up(factor) {
            return true;
        }
        // One legal move needs no thought; of a mate there is nothing more to learn once it has been searched through.
        let mate_distance = Score::MATE.0 - score.0.abs();
        let nothing_left = self.root_moves.len() == 1 || score.is_decisive() && depth > 2 * mate_distance + 4;
        nothing_left && request.control.may_end_early()
    }

    /// Searches the root moves from `pv_index` on, first in a small window around the expected score, which grows on
    /// the side where the score falls out of it (aspiration windows).
    fn search_window(&mut self, request: &SearchRequest, depth: Depth) {
        let line = self.pv_index;
        let expected = self.root_moves[line].average_score;
        let mut delta = p::aspiration_window() + (self.id % 8) as i32;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= 4 && expected > -Score::INFINITE && !expected.is_decisive() {
            delta += (i64::from(expected.0) * i64::from(expected.0) / 12_000).min(200) as i32;
            alpha = (expected - delta).max(-Score::INFINITE);
            beta = (expected + delta).min(Score::INFINITE);
        }
        let mut failed_high = 0;
        loop {
            self.root_window = beta - alpha;
            self.moves.truncate(0);
            let adjusted = (depth - failed_high).max(1);
            self.frames[BASE].excluded = None;
            for root in &mut self.root_moves[line..] {
                root.searched = false;
            }
            let score = self.negamax::<Root>(request, alpha, beta, adjusted, 0, false);
            self.root_moves[line..].sort_by_key(|root| Reverse((root.score, root.previous_score)));
            if request.control.stopped() {
                return;
            }
            if score > alpha && score < beta {
                return;
            }
            if request.options.report_bounds
                && self.id == 0
                && request.options.multi_pv == 1
                && request.control.elapsed() > CURRENT_MOVE_AFTER
            {
                self.report_lines(request);
            }
            // A window that has grown wide is opened on the side where it failed.
            let open = delta > WIDEST;
            if score <= alpha {
                beta = Score((3 * alpha.0 + beta.0) / 4).max(alpha + 1);
                alpha = if open { -Score::INFINITE } else { (score - delta).max(-Score::INFINITE) };
                failed_high = 0;
            } else {
                beta = if open { Score::INFINITE } else { (score + delta).min(Score::INFINITE) };
                failed_high += 1;
            }
            delta += delta * p::aspiration_growth() / 100;
        }
    }

    /// Writes down what the search of a root move has given.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn note_root_move(
        &mut self,
        mv: crate::types::Move,
        move_count: usize,
        score: Score,
        alpha: Score,
        beta: Score,
        effort: u64,
        ply: usize,
    ) {
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else {
            return;
        };
        root.effort += effort;
        root.searched = true;
        root.average_score =
            if root.average_score > -Score::INFINITE { Score((root.average_score.0 + score.0) / 2) } else { score };
        if move_count > 1 && score <= alpha {
            // Not better than another: its place in the order stays.
            root.score = -Score::INFINITE;
            return;
        }
        root.score = score;
        root.seldepth = self.seldepth;
        root.bound = if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root.answers.clear();
        root.answers.extend_from_slice(&self.pv[ply + 1]);
        if move_count > 1 && self.pv_index == 0 {
            self.pace.best_move_changed();
        }
    }

    /// Reports the root move that is now searched.
    pub(super) fn report_current_move(&mut self, request: &SearchRequest, depth: Depth, mv: Move, number: usize) {
        let now = request.control.elapsed();
        if now > CURRENT_MOVE_AFTER && now >= self.last_current_move + CURRENT_MOVE_PAUSE {
            self.last_current_move = now;
            (request.listener)(Progress::CurrentMove { depth, mv, number });
        }
    }

    /// Reports the best lines; lines that this iteration has not reached come from the one before.
    pub(super) fn report_lines(&mut self, request: &SearchRequest) {
        let lines = request.options.multi_pv.clamp(1, self.root_moves.len().max(1));
        request.counters[self.id].0.store(self.nodes, Relaxed);
        self.last_report = request.control.elapsed();
        for (index, root) in self.root_moves.iter().take(lines).enumerate() {
            let fresh = root.score > -Score::INFINITE;
            let score = root.known_score();
            if score == -Score::INFINITE && index > 0 {
                continue;
            }
            let bound = if fresh { root.bound } else { Bound::Exact };
            if bound != Bound::Exact && !request.options.report_bounds {
                continue;
            }
            (request.listener)(Progress::Line(Line {
                depth: (if fresh { self.root_depth } else { self.root_depth - 1 }).max(1),
                seldepth: root.seldepth,
                multipv: index + 1,
                score: score.max(-Score::MATE),
                bound,
                nodes: request.nodes(),
                hashfull: request.table.hashfull(),
                time: self.last_report,
                pv: root.line(),
            }));
        }
    }

    /// In a long iteration, tells now and then that the search is alive, and, where asked for, in what line each thread
    /// is: the moves that led below frame `f`, up to a null move.
    pub(super) fn report_signs_of_life(&mut self, request: &SearchRequest, f: usize) {
        let now = request.control.elapsed();
        if self.id == 0 && now >= self.last_report + SIGN_OF_LIFE {
            self.report_lines(request);
        }
        if request.options.report_current_line && now >= self.last_current_line + SIGN_OF_LIFE {
            self.last_current_line = now;
            let line = self.frames[BASE..=f].iter().map_while(|frame| frame.mv);
            (request.listener)(Progress::CurrentLine { thread: self.id + 1, moves: line.collect() });
        }
    }

    /// Reports the answers to the root moves that proved worse, as far as the table knows them.
    fn report_refutations(&mut self, request: &SearchRequest) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    /// A worker before whom lie root moves with a score, a mean and whether this pass has been through them.
    fn worker(known: &[(Score, Score, bool)]) -> Worker {
        let mut worker = Worker::new(0);
        worker.root_moves = Position::startpos()
            .legal_moves()
            .iter()
            .zip(known)
            .map(|(&mv, &(score, average_score, searched))| RootMove { score, average_score, searched, ..mv.into() })
            .collect();
        worker
    }

    #[test]
    fn a_refuted_move_gives_way_to_the_most_promising_of_those_not_looked_at() {
        let (lost, none) = (Score::mated_in(8), -Score::INFINITE);
        let mut stopped = worker(&[
            (lost, Score(-100), true),
            (none, Score(-50), true),
            (none, Score(-300), false),
            (none, Score(-200), false),
            (none, none, false),
        ]);
        let hope = stopped.root_moves[3].mv;
        stopped.turn_from_refuted();
        let first = &stopped.root_moves[0];
        assert_eq!((first.mv, first.score), (hope, Score(-200)));
        assert_eq!(stopped.root_moves[1].score, lost);

        // Nothing better is to be had, or nothing is wrong.
        for known in [
            [(lost, none, true), (none, Score(-50), true)],
            [(lost, none, true), (none, Score((lost.0 - 80) / 2), false)],
            [(Score(-900), Score(-900), true), (none, Score(-50), false)],
        ] {
            let mut stopped = worker(&known);
            let first = stopped.root_moves[0].mv;
            stopped.turn_from_refuted();
            assert_eq!(stopped.root_moves[0].mv, first);
        }
    }
}
