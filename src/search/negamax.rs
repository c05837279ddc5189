//! The main search: principal variation search (Marsland & Campbell 1982) with everything that makes it selective.
//!
//! The first move is searched with the full window, the others with an empty one, and again with the full one where they
//! prove better. The steps follow the order that Stockfish and YaneuraOu have found; the code is our own. Window and
//! scores are from the side to move's view; `ply` counts from the root.

use crate::position::CheckInfo;
use crate::tt::{DEPTH_NONE, Entry};
use crate::types::{Bound, Depth, MAX_PLY, Move, Score};

use super::history::{bonus, corrected, malus, piece_to};
use super::move_picker::{MovePicker, View, is_noisy};
use super::params as p;
use super::quiescence::{DEPTH_CHECKS, bounds, from_table, to_table, victim_value};
use super::{BASE, Job, Node, NonPv, Pv, Worker};

/// Quiet moves and captures remembered for the malus when another move proves best.
const REMEMBERED: usize = 32;

/// A list of moves that proved worse.
struct Tried {
    moves: [Option<Move>; REMEMBERED],
    len: usize,
}

impl Tried {
    const fn new() -> Self {
        Self {
            moves: [None; REMEMBERED],
            len: 0,
        }
    }

    fn push(&mut self, mv: Move) {
        if self.len < REMEMBERED {
            self.moves[self.len] = Some(mv);
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().flatten().copied()
    }
}

/// Razoring: how far below alpha a static value must lie for the position to be given up.
fn razor_margin(depth: Depth) -> i32 {
    p::razor_base() + p::razor_square() * depth * depth
}

/// Reverse futility: how far above beta a static value must lie for the position to be taken as won.
fn reverse_futility_margin(depth: Depth, certain: bool, improving: bool, worsening: bool) -> i32 {
    let slope = p::reverse_futility() - if certain { 20 } else { 0 };
    let spared = i32::from(improving) * p::reverse_futility_improving() / 1024 * slope
        + i32::from(worsening) * slope / 3;
    slope * depth - spared
}

/// Late-move pruning: the number of moves after which quiet ones are not tried.
fn late_move_count(depth: Depth, improving: bool) -> usize {
    let count = p::late_moves_base() + depth * depth;
    (if improving { count } else { count / 2 }) as usize
}

/// Null move: plies taken off the search after passing.
fn null_reduction(depth: Depth) -> Depth {
    p::null_reduction() / 16 + depth * 16 / p::null_depth_divisor()
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

    /// Late-move reduction before the adjustments of the node, in 1/1024 ply: grows with the logarithms of depth and
    /// move number (Fruit's idea in Stockfish's shape).
    fn reduction(&self, improving: bool, depth: Depth, move_count: usize, window: i32) -> i32 {
        let scale = self.reductions[depth as usize] * self.reductions[move_count.min(255)];
        let mut reduction = scale - window * p::reduction_window() / self.root_window.max(1);
        if !improving {
            reduction += scale * p::reduction_not_improving() / 512;
        }
        reduction + p::reduction_base()
    }

    /// The value of a position searched to `depth` plies: exact within the window, a bound outside of it.
    ///
    /// `cut_node` says that a value above beta is expected. While the search is being stopped the value means nothing.
    pub(super) fn negamax<N: Node>(
        &mut self,
        job: &Job,
        mut alpha: Score,
        mut beta: Score,
        mut depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        // Step 1: at the horizon, quiescence.
        if depth <= 0 {
            return if N::PV {
                self.quiescence::<Pv>(job, alpha, beta, DEPTH_CHECKS, ply)
            } else {
                self.quiescence::<NonPv>(job, alpha, beta, DEPTH_CHECKS, ply)
            };
        }
        depth = depth.min(MAX_PLY as Depth - 1);
        let f = ply + BASE;
        let all_node = !N::PV && !cut_node;
        let in_check = self.position.in_check();
        if N::PV {
            self.pv[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }

        if !N::ROOT {
            // Step 2: the end of the game, by rule or by the search's own bounds.
            if job.control.stopped() {
                return Score::ZERO;
            }
            if let Some(score) = job.rules.decided(&self.position, ply) {
                return score;
            }
            if ply >= MAX_PLY {
                return if in_check {
                    Score::ZERO
                } else {
                    self.evaluate(job)
                };
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
        let entry = job.table.probe(key);
        let hit = entry.is_some();
        self.frames[f].hit = hit;
        let table_move = if N::ROOT {
            Some(self.root_moves[self.pv_index].mv())
        } else {
            entry
                .and_then(|entry| entry.mv)
                .filter(|&mv| self.position.is_legal(mv))
        };
        let table_bound = entry.and_then(|entry| entry.bound);
        let table_depth = entry.map_or(DEPTH_NONE, |entry| entry.depth);
        let table_score = entry.and_then(|entry| entry.bound.map(|_| from_table(entry.score, ply)));
        let table_capture = table_move.is_some_and(|mv| is_noisy(&self.position, mv));
        if excluded.is_none() {
            self.frames[f].on_pv = N::PV || entry.is_some_and(|entry| entry.is_pv);
        }
        let on_pv = self.frames[f].on_pv;

        if let (false, None, Some(score)) = (N::PV, excluded, table_score)
            && table_depth > depth - i32::from(score <= beta)
            && bounds(table_bound, score >= beta)
            && (cut_node == (score >= beta) || depth > 5)
        {
            // A refutation known from the table teaches like one found anew.
            if let (Some(mv), true) = (table_move, score >= beta) {
                if !table_capture {
                    self.teach_quiet(f, ply, mv, bonus(depth).min(1000));
                }
                if previous.move_count <= 3 && !prior_capture {
                    self.teach_previous(f, -2100);
                }
            }
            return score;
        }

        // Step 5: wins at hand: a declaration, a mate in one. A table entry shows that there was none.
        if !N::ROOT && excluded.is_none() && !hit {
            if self.position.declaration(job.rules.entering_king).is_some() {
                return Score::mate_in(ply + 1);
            }
            if p::keeps(5)
                && !in_check
                && let Some(mv) = self.mate_in_one()
            {
                let score = Score::mate_in(ply + 1);
                let entry = Entry {
                    mv: Some(mv),
                    score: to_table(score, ply),
                    bound: Some(Bound::Exact),
                    eval: None,
                    depth: (depth + 6).min(MAX_PLY as Depth - 1),
                    is_pv: on_pv,
                };
                job.table.store(key, entry);
                if N::PV {
                    self.pv[ply].push(mv);
                }
                return score;
            }
        }

        // Step 6: static evaluation, corrected by what was learnt of positions like this one. The table's score is a
        // better estimate where its bound points the right way.
        let keys = self.keys.now();
        let correction = if p::keeps(6) {
            self.correction(&keys, f)
        } else {
            0
        };
        let mut raw_eval = None;
        let mut eval = self.frames[f - 2].static_eval;
        if in_check {
            self.frames[f].static_eval = eval;
        } else if excluded.is_some() {
            eval = self.frames[f].static_eval;
        } else {
            let known = entry.and_then(|entry| entry.eval);
            let raw = known.unwrap_or_else(|| self.evaluate(job));
            raw_eval = Some(raw);
            eval = corrected(raw, correction);
            self.frames[f].static_eval = eval;
            if !hit {
                let entry = Entry {
                    mv: None,
                    score: Score::ZERO,
                    bound: None,
                    eval: raw_eval,
                    depth: DEPTH_NONE,
                    is_pv: on_pv,
                };
                job.table.store(key, entry);
            }
            if let Some(score) = table_score
                && bounds(table_bound, score > eval)
            {
                eval = score;
            }
        }
        let static_eval = self.frames[f].static_eval;
        // Is the side to move better off than at its last turn, is the opponent worse off than it thought?
        let mut improving = !in_check && static_eval > self.frames[f - 2].static_eval;
        let worsening = !in_check && static_eval > -previous.static_eval;

        if !in_check {
            // Step 7: what the last quiet move did to the evaluation is the first word on it (Stockfish).
            if let (Some(mv), false, false, None) =
                (previous.mv, previous.in_check, prior_capture, excluded)
                && p::keeps(7)
            {
                let swing =
                    (-10 * (previous.static_eval.0 + static_eval.0)).clamp(-1900, 1500) + 600;
                self.history.update_butterfly(!us, mv, swing * 15 / 16);
                if !hit {
                    self.history
                        .update_structure(&keys, previous.piece_to, swing * 4 / 3);
                }
            }

            // Step 8: hindsight. A reduced search that went better than feared gets its ply back, one that goes as
            // expected needs less (Stockfish).
            if prior_reduction >= 3 && !worsening && p::keeps(8) {
                depth += 1;
            }
            if prior_reduction >= 2
                && depth >= 2
                && static_eval.0 + previous.static_eval.0 > 170
                && p::keeps(8)
            {
                depth -= 1;
            }
        }

        if !in_check && excluded.is_none() {
            // Step 9: razoring. Hopelessly below alpha: see whether captures change that.
            if !N::PV && !alpha.is_decisive() && eval < alpha - razor_margin(depth) && p::keeps(9) {
                return self.quiescence::<NonPv>(job, alpha, beta, DEPTH_CHECKS, ply);
            }

            // Step 10: reverse futility (static null move). So far above beta that no shallow search is needed.
            let margin = reverse_futility_margin(depth, cut_node && !hit, improving, worsening)
                + previous.stat_score / p::reverse_futility_history()
                + (correction / 160_000).abs();
            if !on_pv
                && depth < 14
                && eval - margin >= beta
                && eval >= beta
                && (table_move.is_none() || table_capture)
                && !beta.is_loss()
                && !eval.is_win()
                && p::keeps(10)
            {
                return beta + (eval - beta) / 3;
            }

            // Step 11: null move. If passing still leaves us above beta, a move will too; deep ones are verified
            // because of zugzwang, which shogi hardly knows (Donninger 1993; verification after Stockfish).
            if cut_node
                && previous.mv.is_some()
                && static_eval >= beta - p::null_slope() * depth + p::null_base()
                && eval >= beta
                && ply >= self.null_from_ply
                && !beta.is_loss()
                && p::keeps(11)
            {
                let reduced = depth - null_reduction(depth);
                self.frames[f].mv = None;
                self.frames[f].piece_to = 0;
                self.frames[f].row = 0;
                self.position.do_null_move();
                job.table.prefetch(self.position.key());
                let score = -self.negamax::<NonPv>(job, -beta, -beta + 1, reduced, ply + 1, false);
                self.position.undo_null_move();
                if job.control.stopped() {
                    return Score::ZERO;
                }
                if score >= beta && !score.is_win() {
                    if self.null_from_ply > 0 || depth < 16 {
                        return score;
                    }
                    self.null_from_ply = ply + (3 * reduced / 4).max(1) as usize;
                    let verified = self.negamax::<NonPv>(job, beta - 1, beta, reduced, ply, false);
                    self.null_from_ply = 0;
                    if verified >= beta {
                        return score;
                    }
                }
            }
            improving |= static_eval >= beta + 94;
        }

        // Step 12: internal iterative reduction. Without a table move the order is a guess: look less deep, the next
        // visit will have a move (Ed Schröder's idea, replacing internal iterative deepening).
        if !all_node
            && depth >= 6
            && table_move.is_none()
            && prior_reduction <= 3
            && !in_check
            && p::keeps(12)
        {
            depth -= 1;
        }

        // Step 13: ProbCut. A capture that beats a raised beta in a shallow search will beat beta in a deep one (Buro
        // 1995).
        if !in_check
            && excluded.is_none()
            && !N::PV
            && !beta.is_decisive()
            && depth >= 3
            && p::keeps(13)
        {
            let raised =
                beta + p::probcut_margin() - if improving { p::probcut_improving() } else { 0 };
            if table_score.is_none_or(|score| score >= raised) {
                if let Some(score) = self.probcut(
                    job, raised, beta, depth, ply, cut_node, table_move, raw_eval,
                ) {
                    return score;
                }
                if job.control.stopped() {
                    return Score::ZERO;
                }
            }
        }

        // Step 14: small ProbCut: the table alone is enough where it is far above beta.
        if let Some(score) = table_score {
            let raised = beta + p::probcut_table_margin();
            if !N::ROOT
                && bounds(table_bound, true)
                && table_bound != Some(Bound::Upper)
                && table_depth >= depth - 4
                && score >= raised
                && !beta.is_decisive()
                && !score.is_decisive()
                && excluded.is_none()
                && !N::PV
                && p::keeps(14)
            {
                return raised;
            }
        }

        // Step 15: the moves, one by one.
        let checks = CheckInfo::new(&self.position);
        let rows = self.rows(f);
        let mut picker = MovePicker::main(in_check, table_move, depth, &self.moves);
        let old_alpha = alpha;
        let mut best = -Score::INFINITE;
        let mut best_move: Option<Move> = None;
        let mut move_count = 0;
        let mut quiets = Tried::new();
        let mut captures = Tried::new();
        let all_moves = job.rules.all_moves || N::ROOT && self.root_all_moves;
        while let Some(mv) = picker.next(
            &mut self.moves,
            &View {
                position: &self.position,
                history: &self.history,
                keys: &keys,
                checks: &checks,
                rows: &rows,
                ply,
                all_moves,
            },
        ) {
            if Some(mv) == excluded {
                continue;
            }
            if N::ROOT
                && !self.root_moves[self.pv_index..]
                    .iter()
                    .any(|root| root.mv() == mv)
            {
                continue;
            }
            move_count += 1;
            self.frames[f].move_count = move_count;
            if N::ROOT && self.id == 0 {
                self.report_current_move(job, depth, mv, move_count + self.pv_index);
            }
            let noisy = is_noisy(&self.position, mv);
            let gives_check = self.position.gives_check_by(&checks, mv);
            let piece_to = piece_to(&self.position, mv);
            let mut new_depth = depth - 1;
            let window = beta - alpha;
            let mut reduction = self.reduction(improving, depth, move_count, window);
            if on_pv {
                reduction += 950;
            }

            // Step 16: pruning at shallow depth, once a move that does not lose is known.
            if !N::ROOT && !best.is_loss() && p::keeps(16) {
                // Late-move pruning: enough moves have been tried for this depth.
                if move_count >= late_move_count(depth, improving) {
                    picker.skip_quiets();
                }
                let mut reduced = new_depth - reduction / 1024;
                if noisy || gives_check {
                    let history = self.history.capture(&self.position, mv);
                    // Futility: not even the captured piece lifts the score to alpha.
                    if !gives_check && reduced < 7 && !in_check {
                        let hope = static_eval
                            + p::capture_futility_base()
                            + p::capture_futility_slope() * reduced
                            + victim_value(self, mv)
                            + history / 8;
                        if hope <= alpha {
                            continue;
                        }
                    }
                    // Captures and checks that lose too much material.
                    let margin = (p::capture_see_slope() * depth + history / 29).max(0);
                    if !self.position.see_ge(mv, -margin) {
                        continue;
                    }
                } else {
                    // History: the move has been bad in such circumstances.
                    let mut history = self.history.continuation(rows[0], piece_to)
                        + self.history.continuation(rows[1], piece_to)
                        + self.history.structure(&keys, piece_to);
                    if history < -p::history_pruning() * depth {
                        continue;
                    }
                    history += 2 * self.history.butterfly(us, mv);
                    reduced += history / 3200;
                    // Futility: a quiet move will not lift the score to alpha.
                    let base = if best_move.is_some() {
                        p::futility_base_best()
                    } else {
                        p::futility_base()
                    };
                    let above = if static_eval > alpha { 90 } else { 0 };
                    let hope = static_eval + base + p::futility_slope() * reduced + above;
                    if !in_check && reduced < 11 && hope <= alpha {
                        if best <= hope && !best.is_decisive() && !hope.is_win() {
                            best = hope;
                        }
                        continue;
                    }
                    // Quiet moves that lose material.
                    let reduced = reduced.max(0);
                    if !self
                        .position
                        .see_ge(mv, -p::quiet_see_square() * reduced * reduced)
                    {
                        continue;
                    }
                }
            }

            // Step 17: extensions.
            let mut extension = 0;
            if !N::ROOT
                && Some(mv) == table_move
                && excluded.is_none()
                && depth >= 6 - i32::from(self.completed_depth > 27) + i32::from(on_pv)
                && ply < 2 * self.root_depth as usize
                && let Some(score) = table_score
                && !score.is_decisive()
                && matches!(table_bound, Some(Bound::Lower | Bound::Exact))
                && table_depth >= depth - 3
                && p::keeps(17)
            {
                // Singular: search the others with a bound somewhat below the table's score. If none reaches it, the
                // table move is the only good one and deserves more depth (Anantharaman, Campbell & Hsu 1988; in
                // Stockfish's form).
                let slope = p::singular_margin()
                    + if on_pv && !N::PV {
                        p::singular_margin_pv()
                    } else {
                        0
                    };
                let bound = score - slope * depth / 64;
                self.frames[f].excluded = Some(mv);
                let value =
                    self.negamax::<NonPv>(job, bound - 1, bound, new_depth / 2, ply, cut_node);
                self.frames[f].excluded = None;
                // The search of the same node has used its frame.
                self.frames[f].move_count = move_count;
                self.frames[f].in_check = in_check;
                if job.control.stopped() {
                    return Score::ZERO;
                }
                if value < bound {
                    let certainty = (correction / 230_000).abs();
                    let double = p::double_margin() + if N::PV { p::double_margin_pv() } else { 0 }
                        - if table_capture {
                            0
                        } else {
                            p::double_margin_quiet()
                        }
                        - certainty;
                    let triple = p::triple_margin() + if N::PV { p::triple_margin_pv() } else { 0 }
                        - if table_capture {
                            0
                        } else {
                            p::triple_margin_quiet()
                        }
                        + if on_pv { 90 } else { 0 }
                        - certainty;
                    extension =
                        1 + i32::from(value < bound - double) + i32::from(value < bound - triple);
                    depth += 1;
                } else if value >= beta && !value.is_decisive() {
                    // Multi-cut: another move beats beta too, so one of them surely will (Björnsson & Marsland 2001).
                    return value;
                } else if score >= beta {
                    // The table move is not the only one above beta: less of it will do.
                    extension = -3;
                } else if cut_node {
                    extension = -2;
                }
            }

            // Step 18: make the move.
            let nodes_before = self.nodes;
            let capture_history = if noisy {
                self.history.capture(&self.position, mv)
            } else {
                0
            };
            let victim = victim_value(self, mv);
            self.make(job, f, mv, in_check, noisy);
            new_depth += extension;

            // Step 19: the reduction of this move.
            if on_pv {
                reduction -= p::reduction_pv()
                    + if N::PV { 930 } else { 0 }
                    + if table_score.is_some_and(|score| score > alpha) {
                        900
                    } else {
                        0
                    }
                    + if table_depth >= depth {
                        940 + if cut_node { 1180 } else { 0 }
                    } else {
                        0
                    };
            }
            reduction += 320;
            reduction -= move_count as i32 * 66;
            reduction -= (correction / 28_000).abs();
            if cut_node {
                reduction += p::reduction_cut_node() + if table_move.is_none() { 970 } else { 0 };
            }
            if table_capture {
                reduction += p::reduction_table_capture();
            }
            if self.frames[f + 1].cutoffs > 2 {
                reduction += p::reduction_cutoffs() + if all_node { 850 } else { 0 };
            }
            if Some(mv) == table_move {
                reduction -= p::reduction_table_move();
            }
            if gives_check {
                reduction -= p::reduction_check();
            }
            let stat_score = if noisy {
                6 * victim + capture_history - 5000
            } else {
                2 * self.history.butterfly(us, mv)
                    + self.history.continuation(rows[0], piece_to)
                    + self.history.continuation(rows[1], piece_to)
                    - 3200
            };
            self.frames[f].stat_score = stat_score;
            reduction -= stat_score * p::reduction_history() / 8192;

            let mut score = Score::ZERO;
            if depth >= 2 && move_count > 1 && p::keeps(20) {
                // Step 20: late moves are searched less deep, and again if they turn out well (late-move reductions).
                let d = (new_depth - reduction / 1024)
                    .min(new_depth + 1 + i32::from(N::PV))
                    .max(1);
                self.frames[f].reduction = new_depth - d;
                score = -self.negamax::<NonPv>(job, -alpha - 1, -alpha, d, ply + 1, true);
                self.frames[f].reduction = 0;
                if score > alpha && !job.control.stopped() {
                    // Deeper where the result is far above the best so far, shallower where it hardly is.
                    let deeper = d < new_depth && score > best + p::deeper_margin() + 2 * new_depth;
                    let shallower = score < best + 9;
                    new_depth += i32::from(deeper) - i32::from(shallower);
                    if new_depth > d {
                        score = -self.negamax::<NonPv>(
                            job,
                            -alpha - 1,
                            -alpha,
                            new_depth,
                            ply + 1,
                            !cut_node,
                        );
                    }
                    self.history
                        .update_continuation(&rows, in_check, piece_to, 1400);
                }
            } else if !N::PV || move_count > 1 {
                // Step 21: a full search with an empty window.
                if table_move.is_none() {
                    reduction += 1100;
                }
                let d = new_depth
                    - i32::from(reduction > 3600)
                    - i32::from(reduction > 5000 && new_depth > 2);
                score = -self.negamax::<NonPv>(job, -alpha - 1, -alpha, d, ply + 1, !cut_node);
            }
            // Step 22: the full window for the first move of a principal variation, and for one that beats it.
            if N::PV && (move_count == 1 || score > alpha) {
                self.pv[ply + 1].clear();
                // Do not let a line that the table knows deeply fall into quiescence.
                if Some(mv) == table_move && table_depth > 1 && self.root_depth > 8 {
                    new_depth = new_depth.max(1);
                }
                score = -self.negamax::<Pv>(job, -beta, -alpha, new_depth, ply + 1, false);
            }
            self.unmake();
            if job.control.stopped() {
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
                if noisy {
                    captures.push(mv);
                } else {
                    quiets.push(mv);
                }
            }
        }

        // Step 25: no move: mated (shogi has no stalemate); with a move excluded, nothing else is as good as losing.
        if move_count == 0 {
            return if excluded.is_some() {
                alpha
            } else {
                Score::mated_in(ply)
            };
        }
        if best >= beta && !best.is_decisive() && !alpha.is_decisive() {
            // A fail high by a wide margin at low depth is not to be trusted to its full extent.
            best = Score((best.0 * depth + beta.0) / (depth + 1));
        }

        // Step 26: learn from the result.
        if let Some(mv) = best_move {
            let first = table_move == Some(mv);
            let bonus = bonus(depth) + if first { 370 } else { 0 };
            let malus = (malus(depth) - 16 * move_count as i32).max(0);
            if is_noisy(&self.position, mv) {
                self.history
                    .update_capture(&self.position, mv, bonus * 3 / 2);
            } else {
                self.teach_quiet(f, ply, mv, bonus * 7 / 8);
                for tried in quiets.iter() {
                    self.teach_quiet(f, ply, tried, -malus);
                }
            }
            for tried in captures.iter() {
                self.history
                    .update_capture(&self.position, tried, -malus * 4 / 3);
            }
            // The opponent's first move led to this.
            if previous.move_count == 1 + usize::from(previous.hit) && !prior_capture {
                self.teach_previous(f, -malus * 3 / 5);
            }
        } else if let (Some(mv), false) = (previous.mv, prior_capture) {
            // All our moves failed: the opponent's quiet move was a good one.
            let scale = (-previous.stat_score / 104
                + (63 * depth).min(500)
                + if previous.move_count > 8 { 180 } else { 0 }
                + if !in_check && best <= static_eval - 92 {
                    140
                } else {
                    0
                }
                + if !previous.in_check && best <= -previous.static_eval - 70 {
                    150
                } else {
                    0
                }
                - 228)
                .max(0);
            let bonus = (144 * depth - 92).min(1365) * scale;
            self.teach_previous(f, bonus / 80);
            self.history.update_butterfly(!us, mv, bonus / 150);
            self.history
                .update_structure(&keys, previous.piece_to, bonus / 28);
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
                eval: raw_eval,
                depth,
                is_pv: self.frames[f].on_pv,
            };
            job.table.store(key, entry);
        }
        let quiet_best = best_move.is_none_or(|mv| !self.position.is_capture(mv));
        if !in_check
            && quiet_best
            && excluded.is_none()
            && !best.is_decisive()
            && (best > static_eval) == best_move.is_some()
        {
            let error = (best - static_eval) * depth / if best_move.is_some() { 10 } else { 8 };
            let (last, before) = (previous.piece_to, self.frames[f - 2].piece_to);
            self.history
                .update_correction(&self.position, &keys, last, before, error);
        }
        best
    }

    /// Step 13, for all captures worth it.
    #[allow(clippy::too_many_arguments)]
    fn probcut(
        &mut self,
        job: &Job,
        raised: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
        cut_node: bool,
        table_move: Option<Move>,
        raw_eval: Option<Score>,
    ) -> Option<Score> {
        let f = ply + BASE;
        let keys = self.keys.now();
        let checks = CheckInfo::new(&self.position);
        let rows = self.rows(f);
        let threshold = raised - self.frames[f].static_eval;
        let reduced = (depth - 5).max(0);
        let mut picker = MovePicker::probcut(&self.position, table_move, threshold, &self.moves);
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
            self.make(job, f, mv, false, true);
            let mut score =
                -self.quiescence::<NonPv>(job, -raised, -raised + 1, DEPTH_CHECKS, ply + 1);
            if score >= raised && reduced > 0 {
                score =
                    -self.negamax::<NonPv>(job, -raised, -raised + 1, reduced, ply + 1, !cut_node);
            }
            self.unmake();
            if job.control.stopped() {
                return None;
            }
            if score >= raised {
                let entry = Entry {
                    mv: Some(mv),
                    score: to_table(score, ply),
                    bound: Some(Bound::Lower),
                    eval: raw_eval,
                    depth: reduced + 1,
                    is_pv: self.frames[f].on_pv,
                };
                job.table.store(self.position.key(), entry);
                return Some(if score.is_decisive() {
                    score
                } else {
                    score - (raised - beta)
                });
            }
        }
        None
    }

    /// A quiet move of the node at frame `f` was good (or bad).
    fn teach_quiet(&mut self, f: usize, ply: usize, mv: Move, bonus: i32) {
        let rows = self.rows(f);
        let keys = self.keys.now();
        let in_check = self.frames[f].in_check;
        self.history
            .update_quiet(&self.position, &keys, &rows, in_check, ply, mv, bonus);
    }

    /// The quiet move that led to the node at frame `f` was good (or bad).
    fn teach_previous(&mut self, f: usize, bonus: i32) {
        let piece_to = self.frames[f - 1].piece_to;
        if piece_to != 0 {
            let rows = self.rows(f - 1);
            let in_check = self.frames[f - 1].in_check;
            self.history
                .update_continuation(&rows, in_check, piece_to, bonus);
        }
    }
}
