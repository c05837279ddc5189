//! Iterative deepening at the root, and what it reports.

use std::time::Duration;

use crate::types::{Bound, Depth, Score};

use super::report::{Line, Progress};
use super::{Job, Worker};

/// Root moves are reported one by one only when the search has taken this long.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

impl Worker {
    /// One iteration after the other until something ends the search.
    pub(super) fn deepen(&mut self, job: &Job) {
        let lines = job.limits.multi_pv.clamp(1, self.root_moves.len().max(1));
        let mut last_report = None;
        for depth in 1..=job.limits.depth {
            for root in &mut self.root_moves {
                root.previous_score = root.score;
            }
            // Lazy SMP: every other helper is one ply ahead.
            let depth = depth + (self.id & 1) as Depth;
            self.seldepth = 0;
            for line in 0..lines {
                self.search_root(job, depth, line);
                self.root_moves[line..].sort_by_key(|root| std::cmp::Reverse(root.score));
                self.root_moves[..=line].sort_by_key(|root| std::cmp::Reverse(root.score));
                if job.control.stopped() {
                    break;
                }
            }
            if job.control.stopped() {
                break;
            }
            self.completed_depth = depth;
            if self.id == 0 {
                let now = job.control.elapsed();
                if last_report.is_none_or(|last| now >= last + job.limits.report_interval) {
                    self.report_lines(job, lines);
                    last_report = Some(now);
                }
                let nothing_left = self.root_moves.len() == 1
                    || lines == 1
                        && self.root_moves[0].score.is_decisive()
                        && depth > 2 * (Score::MATE.0 - self.root_moves[0].score.0.abs());
                if job.control.time_is_up(1.0) || nothing_left && job.control.may_end_early() {
                    break;
                }
            }
        }
        if self.id == 0 {
            self.report_lines(job, lines);
        }
    }

    /// Searches the root moves from the `line`-th on.
    fn search_root(&mut self, job: &Job, depth: Depth, line: usize) {
        let mut alpha = -Score::INFINITE;
        let beta = Score::INFINITE;
        for root in &mut self.root_moves[line..] {
            root.score = -Score::INFINITE;
        }
        for index in line..self.root_moves.len() {
            let mv = self.root_moves[index].mv();
            if self.id == 0 && job.control.elapsed() > CURRENT_MOVE_AFTER {
                (job.listener)(Progress::CurrentMove {
                    depth,
                    mv,
                    number: index + 1,
                });
            }
            let before = self.nodes;
            self.position.do_move(mv);
            self.count_node(job);
            let mut score = Score::ZERO;
            if index > line {
                score = -self.negamax(job, -alpha - 1, -alpha, depth - 1, 1);
            }
            if index == line || score > alpha {
                score = -self.negamax(job, -beta, -alpha, depth - 1, 1);
            }
            self.position.undo_move();
            let effort = self.nodes - before;
            let root = &mut self.root_moves[index];
            root.effort += effort;
            if job.control.stopped() {
                if index == line {
                    // Nothing new is known: the iteration before stands.
                    root.score = root.previous_score;
                }
                return;
            }
            if index == line || score > alpha {
                root.score = score;
                root.seldepth = self.seldepth;
                root.pv.truncate(1);
                root.pv.extend_from_slice(&self.pv[1]);
                alpha = score;
            }
        }
    }

    /// Reports the best lines.
    pub(super) fn report_lines(&self, job: &Job, lines: usize) {
        job.counters[self.id]
            .0
            .store(self.nodes, std::sync::atomic::Ordering::Relaxed);
        for (index, root) in self.root_moves.iter().take(lines).enumerate() {
            (job.listener)(Progress::Line(Line {
                depth: self.completed_depth.max(1),
                seldepth: root.seldepth,
                multipv: index + 1,
                score: root.known_score(),
                bound: Bound::Exact,
                nodes: job.nodes(),
                hashfull: job.table.hashfull(),
                time: job.control.elapsed(),
                pv: root.pv.clone(),
            }));
        }
    }
}
