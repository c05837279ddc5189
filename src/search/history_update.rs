//! What the histories learn from the result of a node.

use crate::types::{Depth, Move, Score};

use super::history::{bonus, malus};
use super::node::{MoveLoop, NodeInfo};
use super::params as p;
use super::worker::Worker;

impl Worker {
    /// Step 4: a table cut-off. The refutation that the table knows gets a bonus as if it had been searched: otherwise
    /// its history would fade while it goes on refuting.
    #[inline]
    pub(super) fn update_after_tt_cutoff(&mut self, node: &NodeInfo, mv: Move, depth: Depth) {
        if !node.tt.capture {
            self.update_quiet_histories(node, mv, bonus(depth).min(p::tt_cutoff_bonus_limit()));
        }
        if self.stack[node.ss - 1].move_count as i32 <= p::tt_cutoff_early_moves() && !node.prior_capture {
            self.update_previous_continuation(node.ss, -p::tt_cutoff_malus());
        }
    }

    /// Step 7: how the opponent's last quiet move changed the evaluation tells how good it was before any search of it
    /// has ended (Stockfish).
    #[inline]
    pub(super) fn update_from_eval_swing(&mut self, node: &NodeInfo) {
        let (entry, previous) = (&self.stack[node.ss], &self.stack[node.ss - 1]);
        if let (Some(mv), false, false) = (previous.mv, previous.in_check, node.prior_capture) {
            let swing = (-p::swing_factor() * (previous.static_eval.0 + entry.static_eval.0))
                .clamp(-p::swing_min(), p::swing_max())
                + p::swing_offset();
            self.history.update_butterfly(!node.us, mv, swing * p::swing_butterfly() / 240);
            if !entry.tt_hit {
                self.history.update_pawn(self.keys.current(), previous.piece_to, swing * p::swing_pawn() / 240);
            }
        }
    }

    /// Step 26: `mv` was best. It gains; what was tried before it loses, and so does the opponent's previous move if it
    /// was the first one tried.
    pub(super) fn update_all_histories(&mut self, node: &NodeInfo, mv: Move, moves: &MoveLoop) {
        let tt_bonus = if node.tt.mv == Some(mv) { p::bonus_tt_move() } else { 0 };
        let bonus = bonus(moves.depth) + tt_bonus + self.stack[node.ss - 1].stat_score / p::bonus_previous();
        let malus = malus(moves.depth);
        if self.position.is_capture(mv) {
            self.history.update_capture(&self.position, mv, bonus * p::bonus_capture() / 240);
        } else {
            self.update_quiet_histories(node, mv, bonus * p::bonus_quiet() / 240);
            let mut quiet_malus = malus * p::malus_quiet() / 1024;
            for tried in moves.quiets.iter() {
                quiet_malus = quiet_malus * p::malus_decay() / 1024;
                self.update_quiet_histories(node, tried, -quiet_malus);
            }
        }
        for tried in moves.captures.iter() {
            self.history.update_capture(&self.position, tried, -malus * p::malus_capture() / 240);
        }
        let previous = &self.stack[node.ss - 1];
        if previous.move_count == 1 + usize::from(previous.tt_hit) && !node.prior_capture {
            self.update_previous_continuation(node.ss, -malus * p::malus_previous() / 240);
        }
    }

    /// Step 26: all moves failed, so the opponent's previous move was a good one.
    pub(super) fn update_after_fail_low(&mut self, node: &NodeInfo, moves: &MoveLoop) {
        let (entry, previous) = (&self.stack[node.ss], &self.stack[node.ss - 1]);
        let Some(mv) = previous.mv else { return };
        if node.prior_capture {
            let captured = self.position.last_captured();
            self.history.update_capture_made(previous.piece_to, captured, p::prior_capture_bonus());
            return;
        }
        let below = !entry.in_check && moves.best <= entry.static_eval - p::prior_below_margin();
        let surprised = !previous.in_check && moves.best <= -previous.static_eval - p::prior_surprise_margin();
        let scale = (-previous.stat_score / p::prior_stat_score()
            + (p::prior_depth() * moves.depth).min(p::prior_depth_limit())
            + p::when(previous.move_count as i32 > p::prior_late_moves(), p::prior_late())
            + p::when(below, p::prior_below())
            + p::when(surprised, p::prior_surprise())
            - p::prior_offset())
        .max(0);
        let bonus =
            (p::prior_bonus_slope() * moves.depth - p::prior_bonus_offset()).min(p::prior_bonus_limit()) * scale;
        let piece_to = previous.piece_to;
        self.update_previous_continuation(node.ss, bonus / p::prior_continuation());
        self.history.update_butterfly(!node.us, mv, bonus / p::prior_butterfly());
        self.history.update_pawn(self.keys.current(), piece_to, bonus / p::prior_pawn());
    }

    /// Step 26: the search found `best`, so by that much the static evaluation was off, unless a capture explains the
    /// difference.
    pub(super) fn update_correction_history(&mut self, node: &NodeInfo, best: Score, moves: &MoveLoop) {
        let entry = &self.stack[node.ss];
        let best_move = moves.best_move;
        let quiet = best_move.is_none_or(|mv| !self.position.is_capture(mv));
        if entry.in_check || !quiet || (best > entry.static_eval) != best_move.is_some() {
            return;
        }
        let divisor = if best_move.is_some() { p::correction_error_best() } else { p::correction_error_none() };
        let error = (best - entry.static_eval) * moves.depth / divisor;
        let (last, earlier) = self.moves_before(node.ss);
        self.corrections.update(&self.position, self.keys.current(), last, earlier, error);
    }

    /// Bonus or malus for a quiet move of the node.
    fn update_quiet_histories(&mut self, node: &NodeInfo, mv: Move, bonus: i32) {
        let in_check = self.stack[node.ss].in_check;
        let (keys, rows) = (self.keys.current(), &node.continuation);
        self.history.update_quiet(&self.position, keys, rows, in_check, node.ply, mv, bonus);
    }

    /// Bonus or malus for the quiet move that led to the node of stack entry `ss`.
    fn update_previous_continuation(&mut self, ss: usize, bonus: i32) {
        let previous = &self.stack[ss - 1];
        if previous.piece_to != 0 {
            let rows = self.continuation_indices(ss - 1);
            self.history.update_continuation(&rows, previous.in_check, previous.piece_to, bonus);
        }
    }
}
