//! Quiescence: captures and promotions until the position is quiet, and the answers to checks.
//!
//! Quiet checks are not tried: the mate in one that every node looks for finds those that matter (measured: see
//! [`search`](super)).

use crate::position::CheckInfo;
use crate::tt::{DEPTH_NONE, Entry};
use crate::types::{Bound, Depth, MAX_PLY, Move, Score};

use super::history::{corrected, piece_to};
use super::known::{Known, to_table};
use super::move_picker::{MovePicker, View, gain, is_noisy};
use super::params as p;
use super::{BASE, Node, SearchRequest, Worker};

/// The depth of its entries in the table.
const DEPTH_QUIESCENCE: Depth = 0;

impl Worker {
    /// The value of a position when only captures and promotions are played, and every move where the king is in check.
    pub(super) fn quiescence<N: Node>(
        &mut self,
        request: &SearchRequest,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        let f = ply + BASE;
        if N::PV {
            self.pv[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }

        // Step 1: the end of the game, by rule or by the search's own bounds.
        if request.control.stopped() {
            return Score::ZERO;
        }
        if let Some(score) = request.rules.decided(&self.position, ply) {
            return score;
        }
        let in_check = self.position.in_check();
        if ply >= MAX_PLY {
            return if in_check { Score::ZERO } else { self.evaluate(request) };
        }
        self.frames[f].in_check = in_check;
        self.frames[f].move_count = 0;

        // Step 2: the table.
        let key = self.position.key();
        let entry = request.table.probe(key);
        let known = Known::new(entry, ply);
        if let (false, Some(score)) = (N::PV, known.score)
            && known.depth >= DEPTH_QUIESCENCE
            && known.bounds(score >= beta)
        {
            return score;
        }

        // Step 3: wins at hand. The table has them already where the position is known.
        let checks = CheckInfo::new(&self.position);
        if !known.hit {
            if self.position.declaration(request.rules.entering_king).is_some() {
                return Score::mate_in(ply + 1);
            }
            if !in_check
                && request.rules.mate_counts(&self.position)
                && let Some(mv) = self.mate_in_one(&checks)
            {
                if N::PV {
                    self.pv[ply].push(mv);
                }
                return Score::mate_in(ply + 1);
            }
        }

        // Step 4: stand pat. The side to move need not capture, so the static value is a lower bound.
        let mut best = Score::mated_in(ply);
        let mut raw_eval = None;
        let mut futility_base = -Score::INFINITE;
        if !in_check {
            let keys = self.keys.now();
            let correction = self.correction(&keys, f);
            let raw = known.eval.unwrap_or_else(|| self.evaluate(request));
            raw_eval = Some(raw);
            let eval = corrected(raw, correction);
            self.frames[f].static_eval = eval;
            best = eval;
            if let Some(score) = known.score
                && !score.is_decisive()
                && known.bounds(score > best)
            {
                best = score;
            }
            if best >= beta {
                if !best.is_decisive() {
                    best = Score((best.0 + beta.0) / 2);
                }
                if !known.hit {
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

        // Step 5: the moves.
        let table_move = entry.and_then(|entry| entry.mv).filter(|&mv| self.position.is_legal(mv)).filter(
            // Only moves of the kinds that are searched here.
            |&mv| in_check || is_noisy(&self.position, mv),
        );
        let recapture = self.frames[f - 1].mv.map(Move::to);
        let keys = self.keys.now();
        let rows = self.rows(f);
        let mut picker = MovePicker::quiescence(in_check, table_move, &self.moves);
        let mut best_move = None;
        let mut count = 0;
        while let Some(mv) = picker.next(
            &mut self.moves,
            &View {
                position: &self.position,
                history: &self.history,
                keys: &keys,
                checks: &checks,
                rows: &rows,
                ply,
                all_moves: false,
            },
        ) {
            count += 1;
            let noisy = is_noisy(&self.position, mv);
            let gives_check = self.position.gives_check_by(&checks, mv);

            // Step 6: pruning, once something better than being mated is known.
            if !best.is_loss() {
                // Futility: what the capture wins does not lift the score to alpha (delta pruning).
                if !in_check && noisy && !gives_check && Some(mv.to()) != recapture {
                    if count > p::quiescence_moves() {
                        continue;
                    }
                    let hope = futility_base + gain(&self.position, mv);
                    if hope <= alpha {
                        best = best.max(hope);
                        continue;
                    }
                    if !self.position.see_ge(mv, alpha - futility_base) {
                        best = best.max(alpha.min(futility_base));
                        continue;
                    }
                }
                if !noisy {
                    // An evasion, and one has been tried: the others need a good record.
                    let record = self.history.continuation(rows[0], piece_to(&self.position, mv))
                        + self.history.structure(&keys, piece_to(&self.position, mv));
                    if record <= p::quiescence_evasion() {
                        continue;
                    }
                }
                if !self.position.see_ge(mv, if noisy { -p::quiescence_see() } else { 0 }) {
                    continue;
                }
            }

            // Step 7: search it.
            self.make(request, f, mv, in_check, noisy);
            let score = -self.quiescence::<N>(request, -beta, -alpha, ply + 1);
            self.unmake();
            if request.control.stopped() {
                return Score::ZERO;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }

        if in_check && count == 0 {
            return Score::mated_in(ply);
        }
        if !best.is_decisive() && best > beta {
            best = Score((best.0 + beta.0) / 2);
        }
        // Without all moves the value is no upper bound in the rules' sense, but it is the one that quiescence gives.
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let entry = Entry {
            mv: best_move,
            score: to_table(best, ply),
            bound: Some(bound),
            eval: raw_eval,
            depth: DEPTH_QUIESCENCE,
            is_pv: known.was_pv,
        };
        request.table.store(key, entry);
        best
    }
}
