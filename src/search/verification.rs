//! Sampled verification: how often pruning is wrong by the search's own judgement (feature `tune` only).
//!
//! One decision in N is searched again without the step, at the same depth: a node through its moves, a move with its
//! reduction. Decisions below are not sampled. A verification leaves its results in the table and the histories, so a
//! search with samples is not the same as one without.

use crate::position::CheckInfo;
use crate::types::{Depth, Score};

use super::counters::Step;
use super::history::piece_to;
use super::move_picker::MovePicker;
use super::move_pruning::Pruning;
use super::node::{MoveInfo, MoveLoop, NodeInfo, NodeType};
use super::request::SearchRequest;
use super::worker::Worker;

impl Worker {
    /// Verifies a node that a step has settled with `score`: its moves must fall on the same side of the window.
    pub(super) fn verify_node<N: NodeType>(
        &mut self,
        request: &SearchRequest,
        node: &NodeInfo,
        checks: &CheckInfo,
        (step, score): (Step, Score),
        moves: MoveLoop,
    ) {
        if !self.counters.begin_verification() {
            return;
        }
        let MoveLoop { alpha, beta, depth, .. } = moves;
        let entry = self.stack[node.ss];
        let value = self.search_moves::<N>(request, node, checks, moves);
        self.stack[node.ss] = entry;
        let wrong = if score >= beta { value < beta } else { value > alpha };
        self.counters.verified(step, depth, (!self.stopped(request)).then_some(wrong));
    }

    /// Verifies that a move that a step has pruned does not raise alpha.
    pub(super) fn verify_move<N: NodeType>(
        &mut self,
        request: &SearchRequest,
        node: &NodeInfo,
        info: &MoveInfo,
        moves: &MoveLoop,
        step: Step,
    ) {
        if !self.counters.begin_verification() {
            return;
        }
        let raises = self.raises_alpha::<N>(request, node, info, moves);
        self.counters.verified(step, moves.depth, (!self.stopped(request)).then_some(raises));
    }

    /// Verifies that no quiet move raises alpha that the late-move count leaves out; checks are not looked at.
    pub(super) fn verify_late_moves<N: NodeType>(
        &mut self,
        request: &SearchRequest,
        node: &NodeInfo,
        checks: &CheckInfo,
        moves: &MoveLoop,
    ) {
        if !self.counters.begin_verification() {
            return;
        }
        let mut picker = MovePicker::main(self.stack[node.ss].in_check, node.tt.mv, &self.moves);
        let (mut number, mut wrong) = (0, false);
        while let Some(mv) = self.next_move(&mut picker, checks, &node.continuation, node.ply, request.rules.all_moves)
        {
            number += 1;
            let mut info = MoveInfo {
                mv,
                piece_to: piece_to(&self.position, mv),
                capture: self.position.is_capture(mv),
                gives_check: self.position.gives_check_by(checks, mv),
                loss: picker.loss(),
                number,
            };
            // The moves up to this number have been tried; the picker gives them in the same order again.
            if number <= moves.move_count || info.capture || info.gives_check {
                continue;
            }
            let reduced = self.depth_after(node, moves, number);
            if matches!(self.prune_quiet(node, &mut info, moves, reduced), Pruning::Search)
                && self.raises_alpha::<N>(request, node, &info, moves)
            {
                wrong = true;
                break;
            }
            if self.stopped(request) {
                break;
            }
        }
        self.counters.verified(Step::LateMoves, moves.depth, (!self.stopped(request)).then_some(wrong));
    }

    /// The depth left after a move of this number and its reduction, as pruning sees it.
    fn depth_after(&self, node: &NodeInfo, moves: &MoveLoop, number: usize) -> Depth {
        moves.depth - 1 - self.base_reduction(node, moves, number) / 1024
    }

    /// Searches a move that has been pruned as if it had not been.
    fn raises_alpha<N: NodeType>(
        &mut self,
        request: &SearchRequest,
        node: &NodeInfo,
        info: &MoveInfo,
        moves: &MoveLoop,
    ) -> bool {
        let ss = node.ss;
        let entry = self.stack[ss];
        self.stack[ss].stat_score = self.stat_score(node, info);
        self.stack[ss].move_count = info.number;
        let mut reduction = self.base_reduction(node, moves, info.number);
        reduction += self.quiet_prospects(node, &mut { *info }, moves);
        self.do_move(request, ss, info.mv, info.capture);
        reduction += self.reduction_adjustment::<N>(node, info, moves);
        let score = self.search_move::<N>(request, node, info, moves, moves.depth - 1, reduction);
        self.undo_move();
        self.stack[ss] = entry;
        score > moves.alpha
    }
}
