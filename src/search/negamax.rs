//! Principal variation search (Marsland & Campbell 1982): the first move with the full window, the others with an empty
//! one, and again with the full one where they prove better.

use crate::position::Generate;
use crate::tt::Entry;
use crate::types::{Bound, Depth, MAX_PLY, Move, Score};

use super::move_picker::MovePicker;
use super::quiescence::{cut_by_table, to_table};
use super::{Job, Worker};

impl Worker {
    /// The score of a game that has ended here by rule, from the side to move's view.
    pub(super) fn end_of_game(&mut self, job: &Job, ply: usize) -> Option<Score> {
        if let Some(score) = job.rules.decided(&self.position, ply) {
            return Some(score);
        }
        // Declaring takes a turn: it is a mate on the next ply.
        self.position
            .declaration(job.rules.entering_king)
            .map(|_| Score::mate_in(ply + 1))
    }

    /// The line at `ply` is now `mv` and the line below it.
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.pv.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    /// The value of a position searched to `depth` plies, exact within the window and a bound outside of it.
    pub(super) fn negamax(
        &mut self,
        job: &Job,
        mut alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
    ) -> Score {
        if depth <= 0 {
            return self.quiescence(job, alpha, beta, ply);
        }
        self.pv[ply].clear();
        self.seldepth = self.seldepth.max(ply);
        if job.control.stopped() {
            return Score::ZERO;
        }
        if let Some(score) = self.end_of_game(job, ply) {
            return score;
        }
        if ply >= MAX_PLY {
            return Score::ZERO;
        }
        // A shorter mate than this cannot come from here.
        let alpha_mated = alpha.max(Score::mated_in(ply));
        if alpha_mated >= beta.min(Score::mate_in(ply + 1)) {
            return alpha_mated;
        }

        let is_pv = beta - alpha > 1;
        let key = self.position.key();
        let entry = job.table.probe(key);
        if let (false, Some(score)) = (is_pv, cut_by_table(entry, depth, alpha, beta, ply)) {
            return score;
        }

        let us = self.position.side_to_move();
        let kind = if job.rules.all_moves {
            Generate::LegalAll
        } else {
            Generate::Legal
        };
        let table_move = entry.and_then(|entry| entry.mv);
        let killers = self.frames[ply].killers;
        let mut picker = MovePicker::new(&self.position, kind, table_move, killers, &self.history);
        if picker.count() == 0 {
            return Score::mated_in(ply);
        }

        let old_alpha = alpha;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut quiets = Vec::new();
        let mut first = true;
        while let Some(mv) = picker.next() {
            let quiet = !self.position.is_capture(mv) && !mv.is_promotion();
            self.position.do_move(mv);
            self.count_node(job);
            job.table.prefetch(self.position.key());
            // A check must be answered: look one ply further.
            let below = depth - 1 + i32::from(self.position.in_check());
            let mut score = Score::ZERO;
            if !first {
                score = -self.negamax(job, -alpha - 1, -alpha, below, ply + 1);
            }
            if first || score > alpha && score < beta {
                score = -self.negamax(job, -beta, -alpha, below, ply + 1);
            }
            self.position.undo_move();
            if job.control.stopped() {
                return Score::ZERO;
            }
            first = false;
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    alpha = score;
                    self.extend_pv(ply, mv);
                    if score >= beta {
                        if quiet {
                            self.reward(mv, &quiets, depth, ply);
                        }
                        break;
                    }
                }
            }
            if quiet {
                quiets.push(mv);
            }
        }

        let bound = if best >= beta {
            Bound::Lower
        } else if best > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        job.table.store(
            key,
            Entry {
                mv: best_move,
                score: to_table(best, ply),
                bound: Some(bound),
                eval: None,
                depth,
                is_pv,
            },
        );
        debug_assert_eq!(us, self.position.side_to_move());
        best
    }

    /// A quiet move refuted the position: remember it, and that the quiet moves before it did not.
    fn reward(&mut self, mv: Move, failed: &[Move], depth: Depth, ply: usize) {
        let us = self.position.side_to_move();
        let bonus = (16 * depth * depth).min(1200);
        self.history.update_quiet(us, mv, bonus);
        for &failed in failed {
            self.history.update_quiet(us, failed, -bonus);
        }
        let killers = &mut self.frames[ply].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}
