//! Quiescence: captures and promotions until the position is quiet; every answer to a check.

use crate::evaluation::evaluate;
use crate::position::Generate;
use crate::tt::Entry;
use crate::types::{Bound, MAX_PLY, Score};

use super::move_picker::MovePicker;
use super::{Job, Worker};

impl Worker {
    /// The value of a position when only captures and promotions are played, and every move where the king is in check.
    pub(super) fn quiescence(
        &mut self,
        job: &Job,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        self.pv[ply].clear();
        self.seldepth = self.seldepth.max(ply);
        if let Some(score) = self.end_of_game(job, ply) {
            return score;
        }
        let in_check = self.position.in_check();
        if ply >= MAX_PLY {
            return if in_check {
                Score::ZERO
            } else {
                evaluate(&self.position)
            };
        }

        let key = self.position.key();
        let entry = job.table.probe(key);
        if let Some(score) = cut_by_table(entry, 0, alpha, beta, ply) {
            return score;
        }

        // The side to move need not capture: the static value is a lower bound of what it can have.
        let mut best = Score::mated_in(ply);
        if !in_check {
            best = entry
                .and_then(|entry| entry.eval)
                .unwrap_or_else(|| evaluate(&self.position));
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }

        let kind = if in_check {
            Generate::Legal
        } else {
            Generate::Captures
        };
        let table_move = entry.and_then(|entry| entry.mv);
        let mut picker =
            MovePicker::new(&self.position, kind, table_move, [None; 2], &self.history);
        while let Some(mv) = picker.next() {
            if !in_check && !self.position.see_ge(mv, 0) {
                continue;
            }
            self.position.do_move(mv);
            self.count_node(job);
            let score = -self.quiescence(job, -beta, -alpha, ply + 1);
            self.position.undo_move();
            if job.control.stopped() {
                return Score::ZERO;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.extend_pv(ply, mv);
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        best
    }
}

/// A score from the table that decides a node searched to `depth` within a window.
pub(super) fn cut_by_table(
    entry: Option<Entry>,
    depth: i32,
    alpha: Score,
    beta: Score,
    ply: usize,
) -> Option<Score> {
    let entry = entry.filter(|entry| entry.depth >= depth)?;
    let score = from_table(entry.score, ply);
    let decides = match entry.bound? {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    decides.then_some(score)
}

/// Mates are stored as distances from their node, and used as distances from the root.
pub(super) fn from_table(score: Score, ply: usize) -> Score {
    if score.is_win() {
        score - ply as i32
    } else if score.is_loss() {
        score + ply as i32
    } else {
        score
    }
}

/// The inverse of [`from_table`].
pub(super) fn to_table(score: Score, ply: usize) -> Score {
    if score.is_win() {
        score + ply as i32
    } else if score.is_loss() {
        score - ply as i32
    } else {
        score
    }
}
