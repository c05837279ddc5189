//! Quiescence: captures until the position is quiet, and answers to checks.
//!
//! Quiet checks are not searched: the test for a mate in one at every new node that does not stand pat finds those that
//! matter (measured, see `docs/search-log.md`).

use crate::position::CheckInfo;
use crate::tt::{DEPTH_NONE, Entry};
use crate::types::{Bound, Depth, MAX_PLY, Move, Score};

use super::correction_history::corrected;
use super::counters::Step;
use super::move_picker::{MovePicker, gain};
use super::node::{NodeType, STACK_OFFSET};
use super::params as p;
use super::request::SearchRequest;
use super::tt_data::{TtData, to_table};
use super::worker::Worker;

/// The depth of its entries in the table.
const DEPTH_QUIESCENCE: Depth = 0;

/// The value of a fail high: half way to beta, because a cheap search has found it. Mates are exact.
#[inline]
fn blended(score: Score, beta: Score) -> Score {
    if score.is_decisive() { score } else { Score((score.0 + beta.0) / 2) }
}

impl Worker {
    /// The value of a position when only captures are played, and evasions where the king is in check.
    pub(super) fn quiescence<N: NodeType>(
        &mut self,
        request: &SearchRequest,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        let ss = ply + STACK_OFFSET;
        if N::PV {
            self.pv[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }

        // Step 1: the end of the game by rule, or of the search.
        if self.stopped(request) {
            return Score::ZERO;
        }
        if let Some(score) = request.rules.decided(&self.position, ply) {
            return score;
        }
        let in_check = self.position.in_check();
        if ply >= MAX_PLY {
            return if in_check { Score::ZERO } else { self.evaluate(request) };
        }
        self.stack[ss].in_check = in_check;
        self.stack[ss].move_count = 0;

        self.counters.add(Step::Quiescence, 0);

        // Step 2: the table.
        let key = self.position.key();
        let entry = request.table.probe(key);
        let tt = TtData::new(entry, ply);
        if let (false, Some(score)) = (N::PV, tt.score)
            && tt.depth >= DEPTH_QUIESCENCE
            && tt.bounds(score >= beta)
        {
            return score;
        }

        // Step 3: stand pat. The side to move need not capture, so the static evaluation is a lower bound.
        let mut best = Score::mated_in(ply);
        let mut raw_eval = None;
        let mut futility_base = -Score::INFINITE;
        if !in_check {
            let correction = self.correction(ss);
            let raw = tt.eval.unwrap_or_else(|| self.evaluate(request));
            raw_eval = Some(raw);
            let eval = corrected(raw, correction);
            self.stack[ss].static_eval = eval;
            best = eval;
            if let Some(score) = tt.score
                && !score.is_decisive()
                && tt.bounds(score > best)
            {
                best = score;
            }
            if best >= beta {
                best = blended(best, beta);
                if !tt.hit {
                    let entry = Entry {
                        mv: None,
                        score: to_table(best, ply),
                        bound: Some(Bound::Lower),
                        eval: raw_eval,
                        depth: DEPTH_NONE,
                        is_pv: false,
                    };
                    request.table.store(key, entry);
                }
                return best;
            }
            alpha = alpha.max(best);
            futility_base = eval + p::quiescence_margin();
        }

        // Step 4: immediate wins. A node that stands pat fails high without them; that its parent then does not know of a
        // mate costs less than the tests (measured).
        let checks = CheckInfo::new(&self.position);
        if !tt.wins_tested()
            && let Some(score) = self.immediate_win::<N>(request, &checks, ply, DEPTH_QUIESCENCE)
        {
            return score;
        }

        // Step 5: the moves, one by one. The table's move counts only if it is of a kind that is searched here.
        let tt_move = entry
            .and_then(|entry| entry.mv)
            .filter(|&mv| self.position.is_legal(mv))
            .filter(|&mv| in_check || self.position.is_capture(mv));
        let recapture = self.stack[ss - 1].mv.map(Move::to);
        let continuation = self.continuation_indices(ss);
        let mut picker = MovePicker::quiescence(in_check, tt_move, &self.moves);
        let mut best_move = None;
        let mut move_count = 0;
        while let Some(mv) = self.next_move(&mut picker, &checks, &continuation, ply, false) {
            move_count += 1;
            let capture = self.position.is_capture(mv);
            let gives_check = self.position.gives_check_by(&checks, mv);

            self.prefetch_after(request, mv);

            // Step 6: pruning, once something better than being mated is known.
            if !best.is_loss() {
                // Futility: what the capture wins does not lift the score to alpha (delta pruning).
                if !in_check && capture && !gives_check && Some(mv.to()) != recapture {
                    if move_count > p::quiescence_moves() {
                        continue;
                    }
                    let futility_value = futility_base + gain(&self.position, mv);
                    if futility_value <= alpha {
                        best = best.max(futility_value);
                        continue;
                    }
                    if !self.position.see_ge(mv, alpha - futility_base) {
                        best = best.max(alpha.min(futility_base));
                        continue;
                    }
                }
                // Once an evasion is known that does not lose, quiet ones are not tried.
                if !capture || !self.position.see_ge(mv, -p::quiescence_see()) {
                    continue;
                }
            }

            // Step 7: search it.
            self.do_move(request, ss, mv, capture);
            let score = -self.quiescence::<N>(request, -beta, -alpha, ply + 1);
            self.undo_move();
            if self.stopped(request) {
                return Score::ZERO;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.update_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }

        // Step 8: the result. A fail low is an upper bound of quiescence only, as not all moves were tried; the depth
        // of its table entry says so.
        if in_check && move_count == 0 {
            return Score::mated_in(ply);
        }
        if best > beta {
            best = blended(best, beta);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let entry = Entry {
            mv: best_move,
            score: to_table(best, ply),
            bound: Some(bound),
            eval: raw_eval,
            depth: DEPTH_QUIESCENCE,
            is_pv: tt.is_pv,
        };
        request.table.store(key, entry);
        best
    }
}
