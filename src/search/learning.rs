//! What the histories learn from the result of a node.

use crate::types::{Depth, Move, Score};

use super::Worker;
use super::history::{bonus, malus};
use super::move_picker::is_noisy;
use super::negamax::Here;

/// Quiet moves and captures remembered for the malus when another move proves best.
const REMEMBERED: usize = 32;

/// A list of moves that proved worse.
pub(super) struct Tried {
    moves: [Option<Move>; REMEMBERED],
    len: usize,
}

impl Tried {
    pub(super) const fn new() -> Self {
        Self { moves: [None; REMEMBERED], len: 0 }
    }

    pub(super) fn push(&mut self, mv: Move) {
        if self.len < REMEMBERED {
            self.moves[self.len] = Some(mv);
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().flatten().copied()
    }
}

impl Worker {
    /// A move was best: it gains, what was tried before it loses, and so does the opponent's move if it was its first.
    pub(super) fn learn_from_best(
        &mut self,
        here: &Here,
        mv: Move,
        depth: Depth,
        move_count: usize,
        quiets: &Tried,
        captures: &Tried,
    ) {
        let first = here.known.mv == Some(mv);
        let bonus = bonus(depth) + if first { 370 } else { 0 };
        let malus = (malus(depth) - 16 * move_count as i32).max(0);
        if is_noisy(&self.position, mv) {
            self.history.update_capture(&self.position, mv, bonus * 3 / 2);
        } else {
            self.teach_quiet(here.f, here.ply, mv, bonus * 7 / 8);
            for tried in quiets.iter() {
                self.teach_quiet(here.f, here.ply, tried, -malus);
            }
        }
        for tried in captures.iter() {
            self.history.update_capture(&self.position, tried, -malus * 4 / 3);
        }
        let previous = &here.previous;
        if previous.move_count == 1 + usize::from(previous.hit) && !here.prior_capture {
            self.teach_previous(here.f, -malus * 3 / 5);
        }
    }

    /// All our moves failed: the opponent's move was a good one.
    pub(super) fn learn_from_failure(&mut self, here: &Here, best: Score, depth: Depth) {
        let previous = &here.previous;
        let Some(mv) = previous.mv else { return };
        if here.prior_capture {
            let captured = self.position.last_captured();
            self.history.update_capture_made(previous.piece_to, captured, 1080);
            return;
        }
        let far_below = !here.in_check && best <= here.static_eval - 92;
        let feared = !previous.in_check && best <= -previous.static_eval - 70;
        let scale = (-previous.stat_score / 104
            + (63 * depth).min(500)
            + if previous.move_count > 8 { 180 } else { 0 }
            + if far_below { 140 } else { 0 }
            + if feared { 150 } else { 0 }
            - 228)
            .max(0);
        let bonus = (144 * depth - 92).min(1365) * scale;
        self.teach_previous(here.f, bonus / 80);
        self.history.update_butterfly(!here.us, mv, bonus / 150);
        self.history.update_structure(&here.keys, previous.piece_to, bonus / 28);
    }

    /// The search found `best`: by so much the static evaluation was off, if no capture explains the difference.
    pub(super) fn learn_correction(&mut self, here: &Here, best: Score, best_move: Option<Move>, depth: Depth) {
        let quiet = best_move.is_none_or(|mv| !self.position.is_capture(mv));
        if here.in_check || !quiet || best.is_decisive() || (best > here.static_eval) != best_move.is_some() {
            return;
        }
        let error = (best - here.static_eval) * depth / if best_move.is_some() { 10 } else { 8 };
        let (last, before) = (here.previous.piece_to, self.frames[here.f - 2].piece_to);
        self.history.update_correction(&self.position, &here.keys, last, before, error);
    }

    /// A quiet move of the node at frame `f` was good (or bad).
    pub(super) fn teach_quiet(&mut self, f: usize, ply: usize, mv: Move, bonus: i32) {
        let rows = self.rows(f);
        let keys = self.keys.now();
        let in_check = self.frames[f].in_check;
        self.history.update_quiet(&self.position, &keys, &rows, in_check, ply, mv, bonus);
    }

    /// The quiet move that led to the node at frame `f` was good (or bad).
    pub(super) fn teach_previous(&mut self, f: usize, bonus: i32) {
        let piece_to = self.frames[f - 1].piece_to;
        if piece_to != 0 {
            let rows = self.rows(f - 1);
            let in_check = self.frames[f - 1].in_check;
            self.history.update_continuation(&rows, in_check, piece_to, bonus);
        }
    }
}
