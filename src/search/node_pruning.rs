//! Steps 9 to 11, 13 and 14 of [`negamax`](super::negamax): nodes whose value is settled before the move loop. All but
//! the null move also apply to a node with an excluded move; its window then asks whether the other moves come near
//! that move's score.

use crate::position::CheckInfo;
use crate::tt::Entry;
use crate::types::{Bound, Depth, Score};

use super::correction_history::CORRECTION_UNIT;
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

/// Reverse futility: how far above beta the evaluation must lie, the outlook included.
#[inline]
fn reverse_futility_margin(depth: Depth) -> i32 {
    p::reverse_futility_base() + p::reverse_futility() * depth
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

        // Step 10: reverse futility (static null move). The evaluation, with what speaks for the node besides, is so far
        // above beta that no search is likely to bring it down.
        if !node.tt_pv
            && depth < p::reverse_futility_depth()
            && eval >= beta - p::reverse_futility_below()
            && (tt.mv.is_none() || tt.capture)
            && !beta.is_decisive()
            && !eval.is_decisive()
            && eval + self.outlook(node) - reverse_futility_margin(depth) >= beta
        {
            let surplus = (eval - beta).max(0);
            return Some((Step::ReverseFutility, beta + surplus * p::reverse_futility_trust() / 96));
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

    /// What is known of a node besides its evaluation, in centipawns of it: how much more likely its search is to end
    /// above beta than the evaluation alone says. Most comes from the last move: one that was thought bad, and is
    /// searched late and reduced, is mostly refuted. `docs/search-log.md` says how the amounts were measured.
    #[inline]
    fn outlook(&self, node: &NodeInfo) -> i32 {
        let last = &self.stack[node.ss - 1];
        let correction = node.correction / CORRECTION_UNIT;
        p::when(node.improving, p::outlook_improving()) - p::when(node.opponent_worsening, p::outlook_worsening())
            + p::when(node.cut_node, p::outlook_cut_node())
            - p::when(node.tt.hit, p::outlook_known())
            + p::when(node.tt.capture, p::outlook_table_capture())
            + correction * p::outlook_correction() / 100
            - correction.abs() * p::outlook_uncertainty() / 100
            - last.stat_score * p::outlook_last_history() / 8192
            + (last.move_count as i32).min(p::outlook_number_limit()) * p::outlook_last_number()
            + node.prior_reduction * p::outlook_last_reduction()
            - p::when(node.prior_capture, p::outlook_captured())
            - p::when(last.in_check, p::outlook_evasion())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::search::node::{STACK_OFFSET, StackEntry};

    /// The outlook of a node of which something is known, and of its last move.
    fn outlook(know: impl Fn(&mut NodeInfo), know_last: impl Fn(&mut StackEntry)) -> i32 {
        let request = SearchRequest::for_tests(Position::startpos());
        let mut worker = Worker::new(0);
        know_last(&mut worker.stack[STACK_OFFSET]);
        let mut node = worker.open_node::<NonPv>(&request, 1, false);
        know(&mut node);
        worker.outlook(&node)
    }

    #[test]
    fn a_last_move_that_was_thought_bad_speaks_for_the_node() {
        let after = |know_last: &dyn Fn(&mut StackEntry)| outlook(|_| {}, know_last);
        let usual = after(&|_| {});
        assert_eq!(after(&|last| last.move_count = 20), usual + 20 * p::outlook_last_number());
        assert_eq!(after(&|last| last.move_count = 200), usual + 30 * p::outlook_last_number());
        assert_eq!(after(&|last| last.reduction = 4), usual + 4 * p::outlook_last_reduction());
        assert_eq!(after(&|last| last.stat_score = -8192), usual + p::outlook_last_history());
        assert_eq!(after(&|last| last.in_check = true), usual - p::outlook_evasion());
    }

    #[test]
    fn what_is_known_of_a_node_speaks_for_it_or_against() {
        let of = |know: &dyn Fn(&mut NodeInfo)| outlook(know, |_| {});
        let usual = of(&|_| {});
        assert_eq!(of(&|node| node.improving = true), usual + p::outlook_improving());
        assert_eq!(of(&|node| node.opponent_worsening = true), usual - p::outlook_worsening());
        assert_eq!(of(&|node| node.cut_node = true), usual + p::outlook_cut_node());
        assert_eq!(of(&|node| node.tt.hit = true), usual - p::outlook_known());
        assert_eq!(of(&|node| node.tt.capture = true), usual + p::outlook_table_capture());
        assert_eq!(of(&|node| node.prior_capture = true), usual - p::outlook_captured());
        let (once, size) = (p::outlook_correction(), p::outlook_uncertainty());
        assert_eq!(of(&|node| node.correction = 100 * CORRECTION_UNIT), usual + once - size);
        assert_eq!(of(&|node| node.correction = -100 * CORRECTION_UNIT), usual - once - size);
    }
}
