//! The main search: principal variation search (Marsland & Campbell 1982) with everything that makes it selective.
//!
//! The first move is searched with the full window, the others with an empty one, and again with the full one if they
//! prove better. The order of the steps is that of Stockfish and YaneuraOu; the code is our own. Window and scores are
//! from the side to move's view; `ply` counts from the root.

use crate::position::CheckInfo;
use crate::tt::Entry;
use crate::types::{Bound, Depth, MAX_DEPTH, MAX_PLY, Move, Score};

use super::counters::Step;
use super::history::piece_to;
use super::move_picker::MovePicker;
use super::move_pruning::{Pruning, Singular, late_move_count};
use super::node::{MoveInfo, MoveLoop, NodeInfo, NodeType, NonPv, Pv, STACK_OFFSET};
use super::params as p;
use super::request::SearchRequest;
use super::tt_data::{TtData, to_table};
use super::worker::Worker;

impl Worker {
    /// The value of a position searched to `depth` plies: exact within the window, a bound outside of it.
    ///
    /// `cut_node` says that a score above beta is expected. While the search is being stopped the value is meaningless.
    pub(super) fn negamax<N: NodeType>(
        &mut self,
        request: &SearchRequest,
        mut alpha: Score,
        mut beta: Score,
        mut depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        // Step 1: the horizon. Positions are evaluated only when they are quiet.
        if depth <= 0 {
            return self.quiescence::<N::Next>(request, alpha, beta, ply);
        }
        depth = depth.min(MAX_DEPTH);
        if N::PV {
            self.pv[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }

        if !N::ROOT {
            // Step 2: the end of the game by rule, or of the search.
            if self.stopped(request) {
                return Score::ZERO;
            }
            if let Some(score) = request.rules.decided(&self.position, ply) {
                return score;
            }
            if ply >= MAX_PLY {
                return if self.position.in_check() { Score::ZERO } else { self.evaluate(request) };
            }

            // Step 3: mate distance. No line from here is better than mating next or worse than being mated now, so a
            // shorter mate found elsewhere makes this node pointless.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 4: the table. A search of the same position that was deep enough decides the node.
        let mut node = self.open_node::<N>(request, ply, cut_node);
        let ss = node.ss;
        self.counters.add(Step::Node, depth);
        if self.stack[ss].in_check {
            self.counters.add(Step::InCheck, depth);
        }
        let excluded = self.stack[ss].excluded;
        if let (false, None, Some(score)) = (N::PV, excluded, node.tt.score)
            && node.tt.depth > depth - i32::from(score <= beta)
            && node.tt.bounds(score >= beta)
            && (cut_node == (score >= beta) || depth > p::tt_cutoff_depth())
        {
            if let (Some(mv), true) = (node.tt.mv, score >= beta) {
                self.update_after_tt_cutoff(&node, mv, depth);
            }
            self.counters.add(Step::TtCutoff, depth);
            return score;
        }

        // Steps 5 to 8: an immediate win, or else what the position is worth before any move is searched.
        let in_check = self.stack[ss].in_check;
        let checks = CheckInfo::new(&self.position);
        if !N::ROOT
            && excluded.is_none()
            && !node.tt.wins_tested()
            && let Some(score) = self.immediate_win::<N>(request, &checks, ply, depth)
        {
            self.counters.add(Step::ImmediateWin, depth);
            return score;
        }
        // Mates that are too long for the search to see (`pv_mates`).
        if !N::ROOT
            && excluded.is_none()
            && let Some(score) = self.mate_test::<N>(request, &node, depth)
        {
            return score;
        }
        self.static_eval(request, &mut node);
        if !in_check {
            self.update_from_eval_swing(&node);
            depth = self.hindsight(&node, depth);
        }

        // Steps 9 to 11: where the evaluation alone decides, no move needs to be searched.
        if !in_check {
            if let Some((step, score)) = self.prune_node::<N>(request, &node, alpha, beta, depth) {
                self.counters.add(step, depth);
                #[cfg(feature = "tune")]
                self.verify_node::<N>(request, &node, &checks, (step, score), MoveLoop::new(alpha, beta, depth));
                return score;
            }
            node.improving |= self.stack[ss].static_eval >= beta;
        }

        // Step 12: internal iterative reduction. Without a table move the order is a guess: search less deep, the next
        // visit will have a move (Ed Schröder's idea, in place of internal iterative deepening). The line of the last
        // iteration keeps its depth.
        let all_node = !N::PV && !cut_node;
        if !all_node
            && !self.stack[ss].follows_pv
            && depth >= p::iir_depth()
            && node.tt.mv.is_none()
            && node.prior_reduction <= p::iir_reduction()
            && !in_check
        {
            depth -= 1;
        }

        // Steps 13 and 14: ProbCut.
        if !N::ROOT
            && !beta.is_decisive()
            && let Some((step, score)) = self.probcut(request, &node, &checks, beta, depth)
        {
            self.counters.add(step, depth);
            #[cfg(feature = "tune")]
            self.verify_node::<N>(request, &node, &checks, (step, score), MoveLoop::new(alpha, beta, depth));
            return score;
        }

        self.search_moves::<N>(request, &node, &checks, MoveLoop::new(alpha, beta, depth))
    }

    /// Step 4: prepares the node's stack entry and asks the table. The table's move was found by its key alone, so it
    /// must prove legal.
    #[inline]
    pub(super) fn open_node<N: NodeType>(&mut self, request: &SearchRequest, ply: usize, cut_node: bool) -> NodeInfo {
        let ss = ply + STACK_OFFSET;
        let entry = request.table.probe(self.position.key());
        let mut tt = TtData::new(entry, ply);
        tt.mv = if N::ROOT {
            Some(self.root_moves[self.pv_index].mv)
        } else {
            entry.and_then(|entry| entry.mv).filter(|&mv| self.position.is_legal(mv))
        };
        tt.capture = tt.mv.is_some_and(|mv| self.position.is_capture(mv));

        let previous = &self.stack[ss - 1];
        let follows_pv =
            N::ROOT || previous.follows_pv && previous.mv.is_some_and(|mv| self.previous_pv.get(ply - 1) == Some(&mv));
        let prior_reduction = std::mem::take(&mut self.stack[ss - 1].reduction);
        self.stack[ss + 2].cutoff_count = 0;
        let stack_entry = &mut self.stack[ss];
        stack_entry.in_check = self.position.in_check();
        stack_entry.move_count = 0;
        stack_entry.stat_score = 0;
        stack_entry.tt_hit = tt.hit;
        stack_entry.follows_pv = follows_pv;
        if stack_entry.excluded.is_none() {
            stack_entry.tt_pv = N::PV || tt.is_pv;
        }
        NodeInfo {
            ply,
            ss,
            us: self.position.side_to_move(),
            cut_node,
            tt,
            tt_pv: stack_entry.tt_pv,
            correction: 0,
            raw_eval: None,
            eval: Score::ZERO,
            improving: false,
            opponent_worsening: false,
            prior_capture: self.position.last_captured().is_some(),
            prior_reduction,
            continuation: self.continuation_indices(ss),
        }
    }

    /// Steps 15 to 26: the value of a node that no earlier step has settled.
    #[inline]
    pub(super) fn search_moves<N: NodeType>(
        &mut self,
        request: &SearchRequest,
        node: &NodeInfo,
        checks: &CheckInfo,
        mut moves: MoveLoop,
    ) -> Score {
        let ss = node.ss;
        let (old_alpha, beta) = (moves.alpha, moves.beta);
        let excluded = self.stack[ss].excluded;
        let all_moves = request.rules.all_moves || N::ROOT && self.root_all_moves;

        // Step 15: the moves, one by one.
        let mut picker = MovePicker::main(self.stack[ss].in_check, node.tt.mv, &self.moves);
        while let Some(mv) = self.next_move(&mut picker, checks, &node.continuation, node.ply, all_moves) {
            if Some(mv) == excluded || N::ROOT && !self.is_searched_at_root(mv) {
                continue;
            }
            moves.move_count += 1;
            self.stack[ss].move_count = moves.move_count;
            if N::ROOT && self.id == 0 {
                self.report_current_move(request, moves.depth, mv, moves.move_count + self.pv_index);
            }
            let mut info = MoveInfo {
                mv,
                piece_to: piece_to(&self.position, mv),
                capture: self.position.is_capture(mv),
                gives_check: self.position.gives_check_by(checks, mv),
                loss: picker.loss(),
                number: moves.move_count,
            };
            let mut new_depth = moves.depth - 1;
            let mut reduction = self.base_reduction(node, &moves, info.number);

            self.prefetch_after(request, mv);

            // Step 16: pruning at low depth, once a move is known that does not lose.
            if !N::ROOT && !moves.best.is_loss() {
                // Late-move pruning: enough moves have been tried for this depth.
                if moves.move_count >= late_move_count(moves.depth, node.improving) {
                    let keep_checks = moves.depth <= p::late_check_depth() && !self.stack[ss].in_check;
                    let first = picker.skip_quiets(keep_checks);
                    if first && !self.stack[ss].in_check {
                        self.counters.add(Step::LateMoves, moves.depth);
                        #[cfg(feature = "tune")]
                        self.verify_late_moves::<N>(request, node, checks, &moves);
                    }
                }
                let reduced = new_depth - reduction / 1024;
                let pruning = if info.capture || info.gives_check {
                    self.prune_capture_or_check(node, &mut info, &moves, reduced)
                } else if N::PV && self.stack[ss].follows_pv {
                    Pruning::Search
                } else {
                    self.prune_quiet(node, &mut info, &moves, reduced)
                };
                match pruning {
                    Pruning::Search => {}
                    Pruning::Skip(step) => {
                        self.counters.add(step, moves.depth);
                        #[cfg(feature = "tune")]
                        self.verify_move::<N>(request, node, &info, &moves, step);
                        continue;
                    }
                    Pruning::SkipBelow(futility_value) => {
                        self.counters.add(Step::QuietFutility, moves.depth);
                        #[cfg(feature = "tune")]
                        self.verify_move::<N>(request, node, &info, &moves, Step::QuietFutility);
                        if moves.best <= futility_value && !moves.best.is_decisive() && !futility_value.is_win() {
                            moves.best = futility_value;
                        }
                        continue;
                    }
                }
            }

            // Step 17: extensions. A table move that is much better than all others is searched deeper.
            let extension = match self.extension::<N>(request, node, &info, &moves) {
                Singular::Extend(plies) => plies,
                Singular::MultiCut(value) => return value,
                Singular::Stopped => return Score::ZERO,
            };
            new_depth += extension;
            moves.depth += i32::from(extension > 0);

            // Step 18: make the move. Its history is read before, while the captured piece still stands.
            let nodes_before = self.nodes;
            self.stack[ss].stat_score = self.stat_score(node, &info);
            reduction += self.quiet_prospects(node, &mut info, &moves);
            self.do_move(request, ss, mv, info.capture);

            // Step 19: the reduction of this move.
            reduction += self.reduction_adjustment::<N>(node, &info, &moves);

            // Steps 20 to 22: search it.
            let score = self.search_move::<N>(request, node, &info, &moves, new_depth, reduction);
            self.undo_move();
            if self.stopped(request) {
                return Score::ZERO;
            }

            // Step 23: the result of a root move.
            if N::ROOT {
                self.record_root_move(&info, score, &moves, self.nodes - nodes_before);
            }

            // Step 24: is it the best move so far, and does it refute the position?
            if score > moves.best {
                moves.best = score;
                if score > moves.alpha {
                    moves.best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.update_pv(node.ply, mv);
                    }
                    if score >= beta {
                        self.counters.add(Step::FailHigh, moves.depth);
                        if info.number == 1 {
                            self.counters.add(Step::FirstFailHigh, moves.depth);
                        }
                        self.stack[ss].cutoff_count += i32::from(extension < 2 || N::PV);
                        break;
                    }
                    // Now that a good move is known, the others may be searched less deep.
                    if moves.depth > p::raised_alpha_min_depth()
                        && moves.depth < p::raised_alpha_max_depth()
                        && !score.is_decisive()
                    {
                        moves.depth -= p::raised_alpha_reduction();
                    }
                    moves.alpha = score;
                }
            }
            if Some(mv) != moves.best_move {
                if info.capture {
                    moves.captures.push(mv);
                } else {
                    moves.quiets.push(mv);
                }
            }
        }

        // Step 25: no move. The side to move is mated (shogi has no stalemate); with an excluded move, all others fail.
        if moves.move_count == 0 {
            return if excluded.is_some() { moves.alpha } else { Score::mated_in(node.ply) };
        }
        self.finish_node::<N>(request, node, &moves, old_alpha)
    }

    /// Steps 20 to 22: the value of the node after a move, which has been made. `new_depth` is the depth left after the
    /// move, extensions included.
    #[inline]
    pub(super) fn search_move<N: NodeType>(
        &mut self,
        request: &SearchRequest,
        node: &NodeInfo,
        info: &MoveInfo,
        moves: &MoveLoop,
        mut new_depth: Depth,
        mut reduction: i32,
    ) -> Score {
        let NodeInfo { ply, ss, .. } = *node;
        let MoveLoop { alpha, beta, best, depth, .. } = *moves;
        let mut score = Score::ZERO;
        if depth >= 2 && info.number > 1 {
            // Step 20: late moves are searched less deep, and again if they turn out well (late-move reductions).
            // Alternatives to the principal variation get a ply more.
            let d = (new_depth - reduction / 1024).clamp(1, (new_depth + 2).max(1)) + i32::from(N::PV);
            self.stack[ss].reduction = new_depth - d;
            let step = if N::PV {
                Step::ReductionPv
            } else if node.cut_node {
                Step::ReductionCut
            } else {
                Step::ReductionAll
            };
            self.counters.add_value(step, depth, new_depth - d);
            score = -self.negamax::<NonPv>(request, -alpha - 1, -alpha, d, ply + 1, true);
            self.stack[ss].reduction = 0;
            if score > alpha && !self.stopped(request) {
                self.counters.add(Step::ReducedFailHigh, depth);
                // Deeper where the result is far above the best so far, shallower where it hardly is.
                let deeper = d < new_depth && score > best + p::deeper_margin();
                let shallower = score < best + p::shallower_margin();
                new_depth += i32::from(deeper) - i32::from(shallower);
                if new_depth > d {
                    score = -self.negamax::<NonPv>(request, -alpha - 1, -alpha, new_depth, ply + 1, !node.cut_node);
                }
                let in_check = self.stack[ss].in_check;
                let bonus = p::reduced_success_bonus();
                self.history.update_continuation(&node.continuation, in_check, info.piece_to, bonus);
            }
        } else if !N::PV || info.number > 1 {
            // Step 21: a search of full depth with an empty window.
            if node.tt.mv.is_none() {
                reduction += p::full_search_no_move();
            }
            let d = new_depth
                - i32::from(reduction > p::full_search_reduced())
                - i32::from(reduction > p::full_search_reduced_more() && new_depth > 2);
            score = -self.negamax::<NonPv>(request, -alpha - 1, -alpha, d, ply + 1, !node.cut_node);
        }
        // Step 22: the full window for the first move of a principal variation, and for one that beats it.
        if N::PV && (info.number == 1 || score > alpha) {
            self.pv[ply + 1].clear();
            // A line that the table knows more deeply, or as decided, must not drop into quiescence.
            let decided = node.tt.depth > 0 && node.tt.score.is_some_and(Score::is_decisive);
            if Some(info.mv) == node.tt.mv && (node.tt.depth > 1 || decided) {
                new_depth = new_depth.max(1);
            }
            score = -self.negamax::<Pv>(request, -beta, -alpha, new_depth, ply + 1, false);
        }
        score
    }

    /// Step 26: learns from the node's result and stores it in the table. Returns the node's value.
    #[inline]
    fn finish_node<N: NodeType>(
        &mut self,
        request: &SearchRequest,
        node: &NodeInfo,
        moves: &MoveLoop,
        old_alpha: Score,
    ) -> Score {
        let NodeInfo { ply, ss, .. } = *node;
        let MoveLoop { alpha, beta, depth, mut best, best_move, .. } = *moves;
        if best >= beta && !best.is_decisive() && !alpha.is_decisive() {
            // A fail high by a wide margin at low depth cannot be trusted to its full extent.
            best = Score((best.0 * depth + beta.0) / (depth + 1));
        }
        if let (false, Some(mv)) = (N::ROOT, best_move) {
            let by_table = Some(mv) == node.tt.mv;
            self.update_table_record(if by_table { p::table_record_gain() } else { -p::table_record_loss() });
        }
        match best_move {
            Some(mv) => self.update_all_histories(node, mv, moves),
            None => self.update_after_fail_low(node, moves),
        }
        if best <= old_alpha {
            // A fail low below a principal variation means that the parent's move may belong to one.
            self.stack[ss].tt_pv |= self.stack[ss - 1].tt_pv;
        }
        if self.stack[ss].excluded.is_none() && !(N::ROOT && self.pv_index > 0) {
            let bound = if best >= beta {
                Bound::Lower
            } else if N::PV && best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry = Entry {
                mv: best_move,
                score: to_table(best, ply),
                bound: Some(bound),
                eval: node.raw_eval,
                depth,
                is_pv: self.stack[ss].tt_pv,
            };
            request.table.store(self.position.key(), entry);
        }
        self.update_correction_history(node, best, moves);
        best
    }

    /// Whether a move is among the root moves that are searched now.
    fn is_searched_at_root(&self, mv: Move) -> bool {
        self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv)
    }
}
