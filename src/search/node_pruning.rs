//! Steps 9 to 11, 13 and 14 of [`negamax`](super::negamax): nodes whose value is settled before the move loop. All but
//! the null move also apply to a node with an excluded move; its window then asks whether the other moves come near
//! that move's score.

use crate::position::CheckInfo;
use crate::tt::Entry;
use crate::types::{Bound, Depth, Score};

use super::counters::Step;
use super::move_picker::MovePicker;
use super::node::{NodeInfo, NodeType, NonPv};
use super::params as p;
use super::request::SearchRequest;
use super::tt_data::to_table;
use super::worker::Worker;

/// Razoring: how far below alpha the evaluation must lie.
#[inline]
fn razor_margin(depth: Depth) -> i32 {
    p::razor_base() + p::razor_square() * depth * depth
}

/// Reverse futility: how far above beta the evaluation must lie. `unknown`: the table does not know the position.
#[inline]
fn reverse_futility_margin(depth: Depth, unknown: bool, improving: bool, opponent_worsening: bool) -> i32 {
    let slope = p::reverse_futility() - i32::from(unknown) * p::reverse_futility_certain();
    let spared = i32::from(improving) * p::reverse_futility_improving() * slope / 1024
        + i32::from(opponent_worsening) * slope / p::reverse_futility_worsening();
    slope * depth - spared
}

/// Null move: how far below beta the static evaluation may lie (a negative number: above it).
#[inline]
fn null_margin(depth: Depth, improving: bool) -> i32 {
    p::null_slope() * depth + i32::from(improving) * p::null_improving() - p::null_base()
}

/// Null move: plies taken off the search after passing.
#[inline]
fn null_reduction(depth: Depth) -> Depth {
    p::null_reduction() / 16 + depth * 16 / p::null_depth_divisor()
}

/// ProbCut: how far above beta a capture must come out in a shallow search.
#[inline]
fn probcut_margin(improving: bool) -> i32 {
    p::probcut_margin() - if improving { p::probcut_improving() } else { 0 }
}

impl Worker {
    /// Steps 9 to 11: the step that settles a node, not in check, without its moves, and the value; `None` where they
    /// must be searched. While the search is being stopped the value is meaningless.
    #[inline]
    pub(super) fn prune_node<N: NodeType>(
        &mut self,
        request: &SearchRequest,
        node: &NodeInfo,
        alpha: Score,
        beta: Score,
        depth: Depth,
    ) -> Option<(Step, Score)> {
        let tt = &node.tt;
        let eval = node.eval;
        let (entry, previous) = (&self.stack[node.ss], &self.stack[node.ss - 1]);

        // Step 9: razoring. The evaluation is hopelessly below alpha: only captures could change that.
        if !N::PV && !alpha.is_decisive() && eval < alpha - razor_margin(depth) {
            return Some((Step::Razoring, self.quiescence::<NonPv>(request, alpha, beta, node.ply)));
        }

        // Step 10: reverse futility (static null move). The evaluation is so far above beta that no shallow search is
        // likely to bring it down.
        let margin = reverse_futility_margin(depth, !tt.hit, node.improving, node.opponent_worsening)
            + (node.correction / (1000 * p::reverse_futility_correction())).abs();
        if !node.tt_pv
            && depth < p::reverse_futility_depth()
            && eval - margin >= beta
            && eval >= beta
            && (tt.mv.is_none() || tt.capture)
            && !beta.is_loss()
            && !eval.is_win()
        {
            return Some((Step::ReverseFutility, beta + (eval - beta) * p::reverse_futility_trust() / 96));
        }

        // Step 11: null move. If passing leaves us above beta, a move will too. Deep results are verified because of
        // zugzwang, which is rare in shogi (Donninger 1993; verification as in Stockfish).
        if node.cut_node
            && entry.excluded.is_none()
            && previous.mv.is_some()
            && entry.static_eval >= beta - null_margin(depth, node.improving)
            && node.ply >= self.null_min_ply
            && !beta.is_loss()
        {
            return self.null_move(request, node, beta, depth).map(|score| (Step::NullMove, score));
        }
        None
    }

    /// The value of a node where passing is good enough.
    fn null_move(&mut self, request: &SearchRequest, node: &NodeInfo, beta: Score, depth: Depth) -> Option<Score> {
        let ply = node.ply;
        let reduced = depth - null_reduction(depth);
        let entry = &mut self.stack[node.ss];
        entry.mv = None;
        entry.piece_to = 0;
        entry.row = 0;
        self.position.do_null_move();
        request.table.prefetch(self.position.key());
        let score = -self.negamax::<NonPv>(request, -beta, -beta + 1, reduced, ply + 1, false);
        self.position.undo_null_move();
        if self.stopped(request) {
            return Some(Score::ZERO);
        }
        if score < beta || score.is_win() {
            return None;
        }
        if self.null_min_ply > 0 || depth < p::null_verify_depth() {
            return Some(score);
        }
        // The same node is searched again, so its stack entry holds a fresh static evaluation afterwards (as in
        // Stockfish).
        self.null_min_ply = ply + (p::null_verify_plies() * reduced / 4).max(1) as usize;
        let verified = self.negamax::<NonPv>(request, beta - 1, beta, reduced, ply, false);
        self.null_min_ply = 0;
        (verified >= beta).then_some(score)
    }

    /// Steps 13 and 14. While the search is being stopped the value is meaningless.
    #[inline]
    pub(super) fn probcut(
        &mut self,
        request: &SearchRequest,
        node: &NodeInfo,
        checks: &CheckInfo,
        beta: Score,
        depth: Depth,
    ) -> Option<(Step, Score)> {
        let tt = &node.tt;

        // Step 13: ProbCut. A capture that beats a raised beta in a shallow search is likely to beat beta in a deep one
        // (Buro 1995).
        if !self.stack[node.ss].in_check && depth >= p::probcut_depth() {
            let raised = beta + probcut_margin(node.improving);
            if tt.score.is_none_or(|score| score >= raised) {
                if let Some(score) = self.probcut_captures(request, node, checks, raised, beta, depth) {
                    return Some((Step::ProbCut, score));
                }
                if self.stopped(request) {
                    return Some((Step::ProbCut, Score::ZERO));
                }
            }
        }

        // Step 14: small ProbCut. The table's score alone is enough where it is far above beta.
        let raised = beta + p::probcut_table_margin();
        tt.score
            .filter(|&score| {
                tt.is_lower_bound()
                    && tt.depth >= depth - p::probcut_table_depth()
                    && score >= raised
                    && !score.is_decisive()
            })
            .map(|_| (Step::SmallProbCut, raised))
    }

    /// A value of at least `raised`, which is above `beta`, if some capture reaches it. `None` also when stopped.
    fn probcut_captures(
        &mut self,
        request: &SearchRequest,
        node: &NodeInfo,
        checks: &CheckInfo,
        raised: Score,
        beta: Score,
        depth: Depth,
    ) -> Option<Score> {
        let NodeInfo { ply, ss, .. } = *node;
        let excluded = self.stack[ss].excluded;
        let threshold = raised - self.stack[ss].static_eval;
        let reduced = (depth - p::probcut_reduction()).max(0);
        let mut picker = MovePicker::probcut(&self.position, node.tt.mv, threshold, &self.moves);
        while let Some(mv) = self.next_move(&mut picker, checks, &node.continuation, ply, false) {
            if Some(mv) == excluded {
                continue;
            }
            self.prefetch_after(request, mv);
            self.do_move(request, ss, mv, true);
            let mut score = -self.quiescence::<NonPv>(request, -raised, -raised + 1, ply + 1);
            if score >= raised && reduced > 0 {
                score = -self.negamax::<NonPv>(request, -raised, -raised + 1, reduced, ply + 1, !node.cut_node);
            }
            self.undo_move();
            if self.stopped(request) {
                return None;
            }
            if score >= raised {
                if excluded.is_none() {
                    let entry = Entry {
                        mv: Some(mv),
                        score: to_table(score, ply),
                        bound: Some(Bound::Lower),
                        eval: node.raw_eval,
                        depth: reduced + 1,
                        is_pv: node.tt_pv,
                    };
                    request.table.store(self.position.key(), entry);
                }
                // A mate found by so shallow a search is left to the moves.
                if !score.is_decisive() {
                    return Some(score - (raised - beta));
                }
            }
        }
        None
    }
}
