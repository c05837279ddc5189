//! What the main search makes of a single move: pruned, reduced, extended (steps 16, 17 and 19 of
//! [`negamax`](super::negamax)).

use crate::types::{Depth, Move, Score};

use super::formulas::{
    capture_futility_margin, capture_loss, futility_margin, more_singular_margins, quiet_loss, singular_margin,
};
use super::move_picker::gain;
use super::negamax::Here;
use super::params as p;
use super::{Node, NonPv, SearchRequest, Worker};

/// A move of a node, and what is known of it before it is made.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    pub(super) piece_to: usize,
    pub(super) noisy: bool,
    pub(super) gives_check: bool,
    /// How many moves of the node have been taken up, this one included.
    pub(super) number: usize,
}

/// What pruning says of a move.
pub(super) enum Verdict {
    Search,
    Skip,
    /// It is not worth more than this.
    SkipBelow(Score),
}

/// What the search of the other moves says of the table's move.
pub(super) enum Singular {
    /// It is to be searched so many plies deeper.
    Extend(Depth),
    /// Another move is good enough too: the node's value.
    Cut(Score),
    Stopped,
}

impl Worker {
    /// Late-move reduction before the adjustments of step 19, in 1/1024 ply: grows with the logarithms of depth and
    /// move number (Fruit's idea in Stockfish's shape).
    #[inline(always)]
    pub(super) fn reduction(&self, here: &Here, depth: Depth, move_count: usize, window: i32) -> i32 {
        let scale = self.reductions[depth as usize] * self.reductions[move_count.min(255)];
        let mut reduction = scale - window * p::reduction_window() / self.root_window.max(1);
        if !here.improving {
            reduction += scale * p::reduction_not_improving() / 512;
        }
        if here.on_pv {
            reduction += p::reduction_on_pv();
        }
        reduction + p::reduction_base()
    }

    /// Step 16 for captures and checks. `reduced` is the depth left after the reduction.
    #[inline(always)]
    pub(super) fn judge_noisy(
        &self,
        here: &Here,
        candidate: &Candidate,
        alpha: Score,
        depth: Depth,
        reduced: Depth,
    ) -> Verdict {
        let mv = candidate.mv;
        let history = self.history.capture(&self.position, mv);
        // Futility: not even the captured piece lifts the score to alpha.
        if !candidate.gives_check && reduced < 7 && !here.in_check {
            let hope = here.static_eval + capture_futility_margin(reduced, history) + gain(&self.position, mv);
            if hope <= alpha {
                return Verdict::Skip;
            }
        }
        // Captures and checks that lose too much material.
        if self.position.see_ge(mv, -capture_loss(depth, history)) { Verdict::Search } else { Verdict::Skip }
    }

    /// Step 16 for other moves.
    #[inline(always)]
    pub(super) fn judge_quiet(
        &self,
        here: &Here,
        candidate: &Candidate,
        alpha: Score,
        depth: Depth,
        mut reduced: Depth,
        has_best: bool,
    ) -> Verdict {
        // History: the move has been bad in such circumstances.
        let piece_to = candidate.piece_to;
        let mut history = self.history.continuation(here.rows[0], piece_to)
            + self.history.continuation(here.rows[1], piece_to)
            + self.history.structure(&here.keys, piece_to);
        if history < -p::history_pruning() * depth {
            return Verdict::Skip;
        }
        history += 2 * self.history.butterfly(here.us, candidate.mv);
        reduced += history / p::futility_history();
        // Futility: a quiet move will not lift the score to alpha.
        let hope = here.static_eval + futility_margin(reduced, has_best, here.static_eval > alpha);
        if !here.in_check && reduced < 11 && hope <= alpha {
            return Verdict::SkipBelow(hope);
        }
        // Quiet moves that lose material.
        if self.position.see_ge(candidate.mv, -quiet_loss(reduced)) { Verdict::Search } else { Verdict::Skip }
    }

    /// Step 17: is the table's move, which has reached `score`, the only good one? The others are searched with a bound
    /// somewhat below that score. If none reaches it, the move deserves more depth (singular extension: Anantharaman,
    /// Campbell & Hsu 1988; in Stockfish's form).
    pub(super) fn test_singular<N: Node>(
        &mut self,
        request: &SearchRequest,
        here: &Here,
        candidate: &Candidate,
        score: Score,
        beta: Score,
        depth: Depth,
    ) -> Singular {
        let f = here.f;
        let bound = score - singular_margin(depth, here.on_pv && !N::PV);
        self.frames[f].excluded = Some(candidate.mv);
        let half = (depth - 1) / 2;
        let value = self.negamax::<NonPv>(request, bound - 1, bound, half, here.ply, here.cut_node);
        self.frames[f].excluded = None;
        // The search of the same node has used its frame.
        self.frames[f].move_count = candidate.number;
        self.frames[f].in_check = here.in_check;
        if request.control.stopped() {
            return Singular::Stopped;
        }
        if value < bound {
            let [double, triple] = more_singular_margins(N::PV, here.on_pv, !here.known.noisy, here.correction);
            return Singular::Extend(1 + i32::from(value < bound - double) + i32::from(value < bound - triple));
        }
        if value >= beta && !value.is_decisive() {
            // Multi-cut: another move beats beta too, so one of them surely will (Björnsson & Marsland 2001).
            return Singular::Cut(value);
        }
        Singular::Extend(if score >= beta {
            // The table move is not the only one above beta: less of it will do.
            -p::singular_less_beta()
        } else if here.cut_node {
            -p::singular_less_cut()
        } else {
            0
        })
    }

    /// The record of a move, as far as it steers the reduction.
    #[inline(always)]
    pub(super) fn stat_score(&self, here: &Here, candidate: &Candidate) -> i32 {
        let mv = candidate.mv;
        if candidate.noisy {
            6 * gain(&self.position, mv) + self.history.capture(&self.position, mv) - 5000
        } else {
            2 * self.history.butterfly(here.us, mv)
                + self.history.continuation(here.rows[0], candidate.piece_to)
                + self.history.continuation(here.rows[1], candidate.piece_to)
                - 3200
        }
    }

    /// Step 19: what makes a move worth more or less depth than its number says, in 1/1024 ply. The move has been made.
    #[inline(always)]
    pub(super) fn adjustment<N: Node>(&self, here: &Here, candidate: &Candidate, alpha: Score, depth: Depth) -> i32 {
        let known = &here.known;
        let all_node = !N::PV && !here.cut_node;
        let given = |condition: bool, amount: i32| if condition { amount } else { 0 };
        let mut reduction = p::reduction_start()
            - p::reduction_number() * candidate.number as i32
            - (here.correction / (100 * p::reduction_correction())).abs();
        if here.on_pv {
            let deep = known.depth >= depth;
            reduction -= p::reduction_pv()
                + given(N::PV, p::reduction_pv_node())
                + given(known.score.is_some_and(|score| score > alpha), p::reduction_pv_score())
                + given(deep, p::reduction_pv_deep())
                + given(deep && here.cut_node, p::reduction_pv_cut());
        }
        if here.cut_node {
            reduction += p::reduction_cut_node() + given(known.mv.is_none(), p::reduction_cut_no_move());
        }
        reduction += given(known.noisy, p::reduction_table_capture());
        if self.frames[here.f + 1].cutoffs > 2 {
            reduction += p::reduction_cutoffs() + given(all_node, p::reduction_cutoffs_all());
        }
        reduction -= given(Some(candidate.mv) == known.mv, p::reduction_table_move());
        reduction - given(candidate.gives_check, p::reduction_check())
    }
}
