//! The main search: principal variation search (Marsland & Campbell 1982) with everything that makes it selective.
//!
//! The first move is searched with the full window, the others with an empty one, and again with the full one where
//! they prove better. The steps follow the order that Stockfish and YaneuraOu have found; the code is our own. Window
//! and scores are from the side to move's view; `ply` counts from the root.

use crate::position::CheckInfo;
use crate::tt::Entry;
use crate::types::{Bound, Color, Depth, MAX_DEPTH, MAX_PLY, Move, Score};

use super::estimate::hindsight;
use super::formulas::late_move_count;
use super::history::{Rows, bonus, piece_to};
use super::keys::Keys;
use super::known::{Known, to_table};
use super::learning::Tried;
use super::move_picker::{MovePicker, View, is_noisy};
use super::params as p;
use super::selectivity::{Candidate, Singular, Verdict};
use super::{BASE, Frame, Node, NonPv, Pv, SearchRequest, Worker};

/// What the steps of one node share.
#[derive(Clone, Copy)]
pub(super) struct Here {
    pub(super) ply: usize,
    /// Its frame.
    pub(super) f: usize,
    pub(super) us: Color,
    /// A value above beta is expected.
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    /// It is or was on a principal variation.
    pub(super) on_pv: bool,
    pub(super) known: Known,
    pub(super) keys: Keys,
    /// What was learnt of the static evaluation's errors here, see
    /// [`History::correction`](super::history::History::correction).
    pub(super) correction: i32,
    /// The static evaluation as the evaluator gives it, where it was asked.
    pub(super) raw_eval: Option<Score>,
    /// Corrected; in check, that of two plies before.
    pub(super) static_eval: Score,
    /// The best estimate: the static one, or the table's score where that says more.
    pub(super) eval: Score,
    /// The side to move is better off than at its last turn.
    pub(super) improving: bool,
    /// The opponent is worse off than it thought.
    pub(super) worsening: bool,
    /// The frame above.
    pub(super) previous: Frame,
    /// The move that led here took a piece.
    pub(super) prior_capture: bool,
    /// The move left out of this node's search.
    pub(super) excluded: Option<Move>,
    /// The rows of continuation history.
    pub(super) rows: Rows,
}

/// How a move of a node is to be searched.
#[derive(Clone, Copy)]
struct Plan {
    alpha: Score,
    beta: Score,
    /// The best value so far.
    best: Score,
    /// Plies left at the node.
    depth: Depth,
    /// Plies left after the move, extensions counted.
    new_depth: Depth,
    /// What the reduction takes off them, in 1/1024 ply.
    reduction: i32,
}

impl Worker {
    /// The line at `ply` is now `mv` and the line below it.
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.pv.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    /// The value of a position searched to `depth` plies: exact within the window, a bound outside of it.
    ///
    /// `cut_node` says that a value above beta is expected. While the search is being stopped the value means nothing.
    pub(super) fn negamax<N: Node>(
        &mut self,
        request: &SearchRequest,
        mut alpha: Score,
        mut beta: Score,
        mut depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        // Step 1: at the horizon, quiescence.
        if depth <= 0 {
            return if N::PV {
                self.quiescence::<Pv>(request, alpha, beta, ply)
            } else {
                self.quiescence::<NonPv>(request, alpha, beta, ply)
            };
        }
        depth = depth.min(MAX_DEPTH);
        let f = ply + BASE;
        let all_node = !N::PV && !cut_node;
        let in_check = self.position.in_check();
        if N::PV {
            self.pv[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }

        if !N::ROOT {
            // Step 2: the end of the game, by rule or by the search's own bounds.
            if request.control.stopped() {
                return Score::ZERO;
            }
            if let Some(score) = request.rules.decided(&self.position, ply) {
                return score;
            }
            if ply >= MAX_PLY {
                return if in_check { Score::ZERO } else { self.evaluate(request) };
            }

            // Step 3: mate distance. No line from here is better than mating next, or worse than being mated now; a
            // shorter mate found elsewhere makes this node superfluous.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let excluded = self.frames[f].excluded;
        let previous = self.frames[f - 1];
        let prior_reduction = std::mem::take(&mut self.frames[f - 1].reduction);
        let prior_capture = self.position.last_captured().is_some();
        self.frames[f].in_check = in_check;
        self.frames[f].move_count = 0;
        self.frames[f].stat_score = 0;
        self.frames[f + 2].cutoffs = 0;
        let us = self.position.side_to_move();

        // Step 4: the table. Its move comes from a key alone, so it must prove legal here.
        let key = self.position.key();
        let entry = request.table.probe(key);
        let mut known = Known::new(entry, ply);
        self.frames[f].hit = known.hit;
        known.mv = if N::ROOT {
            Some(self.root_moves[self.pv_index].mv)
        } else {
            entry.and_then(|entry| entry.mv).filter(|&mv| self.position.is_legal(mv))
        };
        known.noisy = known.mv.is_some_and(|mv| is_noisy(&self.position, mv));
        if excluded.is_none() {
            self.frames[f].on_pv = N::PV || known.was_pv;
        }
        let on_pv = self.frames[f].on_pv;

        if let (false, None, Some(score)) = (N::PV, excluded, known.score)
            && known.depth > depth - i32::from(score <= beta)
            && known.bounds(score >= beta)
            && (cut_node == (score >= beta) || depth > 5)
        {
            // A refutation known from the table teaches like one found anew.
            if let (Some(mv), true) = (known.mv, score >= beta) {
                if !known.noisy {
                    self.teach_quiet(f, ply, mv, bonus(depth).min(1000));
                }
                if previous.move_count <= 3 && !prior_capture {
                    self.teach_previous(f, -2100);
                }
            }
            return score;
        }

        let mut here = Here {
            ply,
            f,
            us,
            cut_node,
            in_check,
            on_pv,
            known,
            keys: self.keys.now(),
            correction: 0,
            raw_eval: None,
            static_eval: Score::ZERO,
            eval: Score::ZERO,
            improving: false,
            worsening: false,
            previous,
            prior_capture,
            excluded,
            rows: self.rows(f),
        };

        let checks = CheckInfo::new(&self.position);

        // Steps 5 to 8: a win at hand, or else what the position is worth before any move is searched.
        if !N::ROOT
            && excluded.is_none()
            && !known.hit
            && let Some(score) = self.win_at_hand::<N>(request, &here, &checks, depth)
        {
            return score;
        }
        self.estimate(request, &mut here);
        if !in_check {
            self.learn_from_swing(&here);
            depth = hindsight(&here, depth, prior_reduction);
        }

        // Steps 9 to 11: no move need be looked at where the static value says enough.
        if !in_check {
            if let Some(score) = self.judge_node::<N>(request, &here, alpha, beta, depth) {
                return score;
            }
            here.improving |= here.static_eval >= beta + p::improving_beyond();
        }

        // Step 12: internal iterative reduction. Without a table move the order is a guess: look less deep, the next
        // visit will have a move (Ed Schröder's idea, replacing internal iterative deepening).
        if !all_node && depth >= 6 && known.mv.is_none() && prior_reduction <= 3 && !in_check && p::keeps(12) {
            depth -= 1;
        }

        // Steps 13 and 14: ProbCut.
        if !N::PV
            && !beta.is_decisive()
            && let Some(score) = self.probcut(request, &here, &checks, beta, depth)
        {
            return score;
        }

        // Step 15: the moves, one by one.
        let mut picker = MovePicker::main(in_check, known.mv, &self.moves);
        let old_alpha = alpha;
        let mut best = -Score::INFINITE;
        let mut best_move: Option<Move> = None;
        let mut move_count = 0;
        let mut quiets = Tried::new();
        let mut captures = Tried::new();
        let all_moves = request.rules.all_moves || N::ROOT && self.root_all_moves;
        while let Some(mv) = picker.next(
            &mut self.moves,
            &View {
                position: &self.position,
                history: &self.history,
                keys: &here.keys,
                checks: &checks,
                rows: &here.rows,
                ply,
                all_moves,
            },
        ) {
            if Some(mv) == excluded {
                continue;
            }
            if N::ROOT && !self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv) {
                continue;
            }
            move_count += 1;
            self.frames[f].move_count = move_count;
            if N::ROOT && self.id == 0 {
                self.report_current_move(request, depth, mv, move_count + self.pv_index);
            }
            let candidate = Candidate {
                mv,
                piece_to: piece_to(&self.position, mv),
                noisy: is_noisy(&self.position, mv),
                gives_check: self.position.gives_check_by(&checks, mv),
                number: move_count,
            };
            let mut new_depth = depth - 1;
            let mut reduction = self.reduction(&here, depth, move_count, beta - alpha);

            // Step 16: pruning at shallow depth, once a move that does not lose is known.
            if !N::ROOT && !best.is_loss() && p::keeps(16) {
                // Late-move pruning: enough moves have been tried for this depth.
                if move_count >= late_move_count(depth, here.improving) {
                    picker.skip_quiets();
                }
                let reduced = new_depth - reduction / 1024;
                let verdict = if candidate.noisy || candidate.gives_check {
                    self.judge_noisy(&here, &candidate, alpha, depth, reduced)
                } else {
                    self.judge_quiet(&here, &candidate, alpha, depth, reduced, best_move.is_some())
                };
                match verdict {
                    Verdict::Search => {}
                    Verdict::Skip => continue,
                    Verdict::SkipBelow(hope) => {
                        if best <= hope && !best.is_decisive() && !hope.is_win() {
                            best = hope;
                        }
                        continue;
                    }
                }
            }

            // Step 17: extensions.
            let mut extension = 0;
            if !N::ROOT
                && Some(mv) == known.mv
                && excluded.is_none()
                && depth >= 6 - i32::from(self.completed_depth > 27) + i32::from(on_pv)
                && ply < 2 * self.root_depth as usize
                && let Some(score) = known.score
                && !score.is_decisive()
                && known.is_lower_bound()
                && known.depth >= depth - 3
                && p::keeps(17)
            {
                match self.test_singular::<N>(request, &here, &candidate, score, beta, depth) {
                    Singular::Extend(plies) => {
                        extension = plies;
                        depth += i32::from(plies > 0);
                    }
                    Singular::Cut(value) => return value,
                    Singular::Stopped => return Score::ZERO,
                }
            }

            // Step 18: make the move.
            let nodes_before = self.nodes;
            // Before the move is made: afterwards the captured piece is gone.
            let stat_score = self.stat_score(&here, &candidate);
            self.make(request, f, mv, in_check, candidate.noisy);
            self.frames[f].stat_score = stat_score;
            new_depth += extension;

            // Step 19: the reduction of this move.
            reduction += self.adjustment::<N>(&here, &candidate, alpha, depth);
            reduction -= stat_score * p::reduction_history() / 8192;

            // Steps 20 to 22: search it.
            let score = self.search_move::<N>(
                request,
                &here,
                &candidate,
                Plan { alpha, beta, best, depth, new_depth, reduction },
            );
            self.unmake();
            if request.control.stopped() {
                return Score::ZERO;
            }

            // Step 23: the result of a root move.
            if N::ROOT {
                let effort = self.nodes - nodes_before;
                self.note_root_move(mv, move_count, score, alpha, beta, effort, ply);
            }

            // Step 24: is it the best so far, does it refute the position?
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        self.frames[f].cutoffs += i32::from(extension < 2 || N::PV);
                        break;
                    }
                    // With a good move at hand the rest may be searched less deep.
                    if depth > 2 && depth < 14 && !score.is_decisive() {
                        depth -= 2;
                    }
                    alpha = score;
                }
            }
            if Some(mv) != best_move {
                if candidate.noisy {
                    captures.push(mv);
                } else {
                    quiets.push(mv);
                }
            }
        }

        // Step 25: no move: mated (shogi has no stalemate); with a move excluded, nothing else is as good as losing.
        if move_count == 0 {
            return if excluded.is_some() { alpha } else { Score::mated_in(ply) };
        }
        if best >= beta && !best.is_decisive() && !alpha.is_decisive() {
            // A fail high by a wide margin at low depth is not to be trusted to its full extent.
            best = Score((best.0 * depth + beta.0) / (depth + 1));
        }

        // Step 26: learn from the result.
        match best_move {
            Some(mv) => self.learn_from_best(&here, mv, depth, move_count, &quiets, &captures),
            None => self.learn_from_failure(&here, best, depth),
        }
        if best <= old_alpha {
            // A node below a principal variation that fails low may belong to one.
            self.frames[f].on_pv |= previous.on_pv;
        }
        if excluded.is_none() && !(N::ROOT && self.pv_index > 0) {
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
                eval: here.raw_eval,
                depth,
                is_pv: self.frames[f].on_pv,
            };
            request.table.store(key, entry);
        }
        if excluded.is_none() {
            self.learn_correction(&here, best, best_move, depth);
        }
        best
    }

    /// Steps 20 to 22: the value of the node after `candidate`, which has been made.
    #[inline(always)]
    fn search_move<N: Node>(
        &mut self,
        request: &SearchRequest,
        here: &Here,
        candidate: &Candidate,
        plan: Plan,
    ) -> Score {
        let Here { ply, f, .. } = *here;
        let Plan { alpha, beta, best, depth, mut new_depth, mut reduction } = plan;
        let mut score = Score::ZERO;
        if depth >= 2 && candidate.number > 1 && p::keeps(20) {
            // Step 20: late moves are searched less deep, and again if they turn out well (late-move reductions).
            let d = (new_depth - reduction / 1024).min(new_depth + 1 + i32::from(N::PV)).max(1);
            self.frames[f].reduction = new_depth - d;
            score = -self.negamax::<NonPv>(request, -alpha - 1, -alpha, d, ply + 1, true);
            self.frames[f].reduction = 0;
            if score > alpha && !request.control.stopped() {
                // Deeper where the result is far above the best so far, shallower where it hardly is.
                let deeper = d < new_depth && score > best + p::deeper_margin() + 2 * new_depth;
                let shallower = score < best + p::shallower_margin();
                new_depth += i32::from(deeper) - i32::from(shallower);
                if new_depth > d {
                    score = -self.negamax::<NonPv>(request, -alpha - 1, -alpha, new_depth, ply + 1, !here.cut_node);
                }
                self.history.update_continuation(&here.rows, here.in_check, candidate.piece_to, 1400);
            }
        } else if !N::PV || candidate.number > 1 {
            // Step 21: a full search with an empty window.
            if here.known.mv.is_none() {
                reduction += p::full_search_no_move();
            }
            let d = new_depth
                - i32::from(reduction > p::full_search_reduced())
                - i32::from(reduction > p::full_search_reduced_more() && new_depth > 2);
            score = -self.negamax::<NonPv>(request, -alpha - 1, -alpha, d, ply + 1, !here.cut_node);
        }
        // Step 22: the full window for the first move of a principal variation, and for one that beats it.
        if N::PV && (candidate.number == 1 || score > alpha) {
            self.pv[ply + 1].clear();
            // Do not let a line that the table knows deeply fall into quiescence.
            if Some(candidate.mv) == here.known.mv && here.known.depth > 1 && self.root_depth > 8 {
                new_depth = new_depth.max(1);
            }
            score = -self.negamax::<Pv>(request, -beta, -alpha, new_depth, ply + 1, false);
        }
        score
    }
}
