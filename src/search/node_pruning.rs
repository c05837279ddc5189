//! Steps 9 to 11 of [`negamax`](super::negamax): nodes that are given up, or taken as won, before their moves are
//! looked at. They hold with a move excluded too: the window then asks whether the others come near that move's score.

use crate::types::{Depth, Score};

use super::formulas::{null_margin, null_reduction, razor_margin, reverse_futility_margin};
use super::negamax::Here;
use super::params as p;
use super::{Node, NonPv, SearchRequest, Worker};

impl Worker {
    /// The value of a node, not in check, that is settled without its moves; `None` where they must be searched. While
    /// the search is being stopped the value means nothing.
    #[inline(always)]
    pub(super) fn judge_node<N: Node>(
        &mut self,
        request: &SearchRequest,
        here: &Here,
        alpha: Score,
        beta: Score,
        depth: Depth,
    ) -> Option<Score> {
        let known = &here.known;
        let eval = here.eval;

        // Step 9: razoring. Hopelessly below alpha: see whether captures change that.
        if !N::PV && !alpha.is_decisive() && eval < alpha - razor_margin(depth) && p::keeps(9) {
            return Some(self.quiescence::<NonPv>(request, alpha, beta, here.ply));
        }

        // Step 10: reverse futility (static null move). So far above beta that no shallow search is needed.
        let surely_cut = here.cut_node && !known.hit;
        let margin = reverse_futility_margin(depth, surely_cut, here.improving, here.worsening)
            + here.previous.stat_score / p::reverse_futility_history()
            + (here.correction / (1000 * p::reverse_futility_correction())).abs();
        if !here.on_pv
            && depth < p::reverse_futility_depth()
            && eval - margin >= beta
            && eval >= beta
            && (known.mv.is_none() || known.noisy)
            && !beta.is_loss()
            && !eval.is_win()
            && p::keeps(10)
        {
            return Some(beta + (eval - beta) * p::reverse_futility_trust() / 96);
        }

        // Step 11: null move. If passing still leaves us above beta, a move will too; deep ones are verified because of
        // zugzwang, which shogi hardly knows (Donninger 1993; verification after Stockfish).
        if here.cut_node
            && here.excluded.is_none()
            && here.previous.mv.is_some()
            && here.static_eval >= beta - null_margin(depth)
            && eval >= beta
            && here.ply >= self.null_from_ply
            && !beta.is_loss()
            && p::keeps(11)
        {
            return self.null_move(request, here, beta, depth);
        }
        None
    }

    /// The value of a node where passing is good enough.
    fn null_move(&mut self, request: &SearchRequest, here: &Here, beta: Score, depth: Depth) -> Option<Score> {
        let Here { ply, f, .. } = *here;
        let reduced = depth - null_reduction(depth);
        self.frames[f].mv = None;
        self.frames[f].piece_to = 0;
        self.frames[f].row = 0;
        self.position.do_null_move();
        request.table.prefetch(self.position.key());
        let score = -self.negamax::<NonPv>(request, -beta, -beta + 1, reduced, ply + 1, false);
        self.position.undo_null_move();
        if request.control.stopped() {
            return Some(Score::ZERO);
        }
        if score < beta || score.is_win() {
            return None;
        }
        if self.null_from_ply > 0 || depth < 16 {
            return Some(score);
        }
        self.null_from_ply = ply + (3 * reduced / 4).max(1) as usize;
        let verified = self.negamax::<NonPv>(request, beta - 1, beta, reduced, ply, false);
        self.null_from_ply = 0;
        (verified >= beta).then_some(score)
    }
}
