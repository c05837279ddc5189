//! What the main search does with a single move: prune, extend, reduce (steps 16, 17 and 19 of
//! [`negamax`](super::negamax)). Reductions are in 1/1024 ply.

use crate::types::{Depth, Move, Score};

use super::counters::Step;
use super::move_picker::gain;
use super::node::{Loss, MoveInfo, MoveLoop, NodeInfo, NodeType, NonPv};
use super::params as p;
use super::request::SearchRequest;
use super::sparse_table::adjusted;
use super::worker::Worker;

/// Limit of the record of table moves.
const TABLE_RECORD_LIMIT: i32 = 8192;

/// The result of step 16 for a move.
pub(super) enum Pruning {
    /// The move must be searched.
    Search,
    /// Skip the move; the step that prunes it.
    Skip(Step),
    /// Futility: skip the move; it is worth no more than this.
    SkipBelow(Score),
}

/// The result of step 17 for a move.
pub(super) enum Singular {
    /// Search it deeper by this many plies; less deep if negative.
    Extend(Depth),
    /// Another move is good enough too: the node's value.
    MultiCut(Score),
    Stopped,
}

/// Late-move pruning: the number of moves after which no quiet ones are tried.
#[inline]
pub(super) fn late_move_count(depth: Depth, improving: bool) -> usize {
    let count = p::late_moves_base() + p::late_moves_square() * depth * depth / 64;
    (if improving { count } else { count / 2 }) as usize
}

/// Futility of captures: what the move may gain besides the captured piece.
#[inline]
fn capture_futility_margin(reduced: Depth, history: i32) -> i32 {
    p::capture_futility_base() + p::capture_futility_slope() * reduced + history * p::capture_futility_history() / 1024
}

/// The material that a capture or check may lose in exchanges.
#[inline]
fn capture_see_margin(depth: Depth, history: i32) -> i32 {
    (p::capture_see_slope() * depth + history / p::capture_see_history()).max(0)
}

/// Futility of quiet moves: what the move may gain.
#[inline]
fn futility_margin(reduced: Depth, has_best: bool, above_alpha: bool) -> i32 {
    let base = if has_best { p::futility_base_best() } else { p::futility_base() };
    base + p::futility_slope() * reduced + i32::from(above_alpha) * p::futility_above_alpha()
}

/// The material that a quiet move may lose in exchanges.
#[inline]
fn quiet_see_margin(reduced: Depth) -> i32 {
    let reduced = reduced.max(0);
    p::quiet_see_square() * reduced * reduced
}

/// Singular extension: how far below the table's score the other moves must stay. `was_pv`: on a principal variation
/// once, but not now.
#[inline]
fn singular_margin(depth: Depth, was_pv: bool) -> i32 {
    let slope = p::singular_margin() + if was_pv { p::singular_margin_pv() } else { 0 };
    slope * depth / 64
}

/// How much further below they must stay for a second and for a third ply.
#[inline]
fn multi_extension_margins(pv: bool, tt_pv: bool, quiet: bool, correction: i32) -> [i32; 2] {
    let uncertainty = (correction / (1000 * p::singular_correction())).abs();
    let double = p::double_margin() + if pv { p::double_margin_pv() } else { 0 }
        - if quiet { p::double_margin_quiet() } else { 0 };
    let triple = p::triple_margin() + if pv { p::triple_margin_pv() } else { 0 }
        - if quiet { p::triple_margin_quiet() } else { 0 }
        + if tt_pv { p::triple_margin_tt_pv() } else { 0 };
    [double - uncertainty, triple - uncertainty]
}

impl Worker {
    /// The late-move reduction before the adjustments of step 19: it grows with the logarithms of depth and move number
    /// (Fruit's idea in Stockfish's shape).
    #[inline]
    pub(super) fn base_reduction(&self, node: &NodeInfo, moves: &MoveLoop, number: usize) -> i32 {
        let scale = self.reductions[moves.depth as usize] * self.reductions[number.min(255)];
        let window = moves.beta - moves.alpha;
        let mut reduction = scale - window * p::reduction_window() / self.root_window.max(1);
        if !node.improving {
            reduction += scale * p::reduction_not_improving() / 512;
        }
        if node.tt_pv {
            reduction += p::reduction_tt_pv();
        }
        reduction + p::reduction_base()
    }

    /// Step 16 for captures and checks. `reduced` is the depth left after the reduction.
    #[inline]
    pub(super) fn prune_capture_or_check(
        &self,
        node: &NodeInfo,
        info: &mut MoveInfo,
        moves: &MoveLoop,
        reduced: Depth,
    ) -> Pruning {
        let mv = info.mv;
        let entry = &self.stack[node.ss];
        let history = self.history.capture(&self.position, mv);
        // Futility: even the captured piece does not lift the score to alpha.
        if !info.gives_check && reduced < p::capture_futility_depth() && !entry.in_check {
            let futility_value =
                entry.static_eval + capture_futility_margin(reduced, history) + gain(&self.position, mv);
            if futility_value <= moves.alpha {
                return Pruning::Skip(Step::CaptureFutility);
            }
        }
        // Captures and checks that lose too much material. A side that is behind anyhow may need a sacrifice.
        if moves.alpha < Score::ZERO || self.holds(info, capture_see_margin(moves.depth, history)) {
            Pruning::Search
        } else {
            Pruning::Skip(Step::CaptureSee)
        }
    }

    /// Step 16 for other moves.
    #[inline]
    pub(super) fn prune_quiet(
        &mut self,
        node: &NodeInfo,
        info: &mut MoveInfo,
        moves: &MoveLoop,
        mut reduced: Depth,
    ) -> Pruning {
        // History: the move has been bad in such circumstances.
        let entry = &self.stack[node.ss];
        let piece_to = info.piece_to;
        let mut history = self.history.continuation(node.continuation[0], piece_to)
            + self.history.continuation(node.continuation[1], piece_to)
            + self.history.pawn(self.keys.current(), piece_to);
        self.counters.add_value(Step::QuietHistoryMean, moves.depth, history);
        if history < -p::history_pruning() * moves.depth {
            return Pruning::Skip(Step::QuietHistory);
        }
        history += p::futility_butterfly() * self.history.butterfly(node.us, info.mv);
        reduced += history / p::futility_history();
        // Futility: a quiet move is unlikely to lift the score to alpha.
        let above_alpha = entry.static_eval > moves.alpha;
        let futility_value = entry.static_eval + futility_margin(reduced, moves.best_move.is_some(), above_alpha);
        if !entry.in_check && reduced < p::futility_depth() && futility_value <= moves.alpha {
            return Pruning::SkipBelow(futility_value);
        }
        // Quiet moves that lose material.
        if self.holds(info, quiet_see_margin(reduced)) { Pruning::Search } else { Pruning::Skip(Step::QuietSee) }
    }

    /// Whether a move loses no more than a margin, which is not negative, in exchanges. What is known of its loss often
    /// tells; what is found is remembered, since the reduction of a quiet move asks next.
    #[inline]
    pub(super) fn holds(&self, info: &mut MoveInfo, margin: i32) -> bool {
        let little = p::losing();
        let loses_at_most = |margin: i32| self.position.see_ge(info.mv, -margin);
        if info.loss == Loss::Unknown && !info.capture && margin > little {
            info.loss = if loses_at_most(little) { Loss::Little } else { Loss::Much };
        }
        match info.loss {
            Loss::Nothing => true,
            Loss::Little if margin >= little => true,
            Loss::Much if margin <= little => false,
            _ => {
                let holds = loses_at_most(margin);
                if holds && margin <= little {
                    info.loss = Loss::Little;
                }
                holds
            }
        }
    }

    /// Step 17: the extension of a move.
    #[inline]
    pub(super) fn extension<N: NodeType>(
        &mut self,
        request: &SearchRequest,
        node: &NodeInfo,
        info: &MoveInfo,
        moves: &MoveLoop,
    ) -> Singular {
        let tt = &node.tt;
        let late = self.completed_depth > p::singular_late();
        if !N::ROOT
            && Some(info.mv) == tt.mv
            && self.stack[node.ss].excluded.is_none()
            && moves.depth >= p::singular_depth() - i32::from(late) + i32::from(node.tt_pv)
            && node.ply < 2 * self.root_depth as usize
            && !self.shuffles(node.ss, info.mv)
            && let Some(score) = tt.score
            && !score.is_decisive()
            && tt.is_lower_bound()
            && tt.depth >= moves.depth - p::singular_tt_depth()
        {
            self.singular_extension::<N>(request, node, info, score, moves)
        } else {
            Singular::Extend(0)
        }
    }

    /// Is the table's move, which has reached `score`, the only good one? The others are searched with a bound somewhat
    /// below that score. If none reaches it, the move deserves more depth (singular extensions: Anantharaman, Campbell
    /// & Hsu 1988; in Stockfish's form).
    fn singular_extension<N: NodeType>(
        &mut self,
        request: &SearchRequest,
        node: &NodeInfo,
        info: &MoveInfo,
        score: Score,
        moves: &MoveLoop,
    ) -> Singular {
        let MoveLoop { beta, depth, .. } = *moves;
        self.counters.add(Step::SingularTest, depth);
        let ss = node.ss;
        let bound = score - singular_margin(depth, node.tt_pv && !N::PV);
        self.stack[ss].excluded = Some(info.mv);
        let value = self.negamax::<NonPv>(request, bound - 1, bound, (depth - 1) / 2, node.ply, node.cut_node);
        self.stack[ss].excluded = None;
        // The search of the same node has counted its own moves in this entry.
        self.stack[ss].move_count = info.number;
        if self.stopped(request) {
            return Singular::Stopped;
        }
        if value < bound {
            let [mut double, mut triple] =
                multi_extension_margins(N::PV, node.tt_pv, !node.tt.capture, node.correction);
            double -= self.table_record / p::double_margin_record();
            if node.ply as i32 > self.root_depth {
                double -= p::multi_extension_deep();
                triple -= p::multi_extension_deep();
            }
            let plies = 1 + i32::from(value < bound - double) + i32::from(value < bound - triple);
            self.counters.add(
                match plies {
                    1 => Step::SingularExtension,
                    2 => Step::DoubleExtension,
                    _ => Step::TripleExtension,
                },
                depth,
            );
            return Singular::Extend(plies);
        }
        if value >= beta && !value.is_decisive() {
            // Multi-cut: another move beats beta too, so one of them surely will (Björnsson & Marsland 2001).
            self.counters.add(Step::MultiCut, depth);
            let loss = p::table_record_cut() + p::table_record_cut_slope() * depth;
            self.update_table_record(-loss.min(TABLE_RECORD_LIMIT / 2));
            return Singular::MultiCut(value);
        }
        Singular::Extend(if score >= beta {
            // The table's move is not the only one above beta: a shallower search of it will do.
            -p::singular_less_beta()
        } else if node.cut_node {
            -p::singular_less_cut()
        } else {
            0
        })
    }

    /// Whether a quiet move takes a piece back to where it came from with its last move.
    fn shuffles(&self, ss: usize, mv: Move) -> bool {
        let (Some(before), Some(earlier)) = (self.stack[ss - 2].mv, self.stack[ss - 4].mv) else {
            return false;
        };
        mv.from() == Some(before.to()) && before.from() == Some(earlier.to()) && !self.position.is_capture(mv)
    }

    /// Tells the record of table moves whether they were right: the more often they are, the less it takes to extend
    /// one by two plies (Stockfish).
    #[inline]
    pub(super) fn update_table_record(&mut self, bonus: i32) {
        self.table_record = adjusted(self.table_record, bonus, TABLE_RECORD_LIMIT);
    }

    /// The history of a move as reductions, here and at the next ply, use it.
    #[inline]
    pub(super) fn stat_score(&self, node: &NodeInfo, info: &MoveInfo) -> i32 {
        let mv = info.mv;
        if info.capture {
            p::stat_capture_gain() * gain(&self.position, mv) / 128 + self.history.capture(&self.position, mv)
        } else {
            p::stat_butterfly() * self.history.butterfly(node.us, mv)
                + self.history.continuation(node.continuation[0], info.piece_to)
                + self.history.continuation(node.continuation[1], info.piece_to)
        }
    }

    /// Step 19: what makes a move worth more or less depth than its number says. The move has been made.
    #[inline]
    pub(super) fn reduction_adjustment<N: NodeType>(&self, node: &NodeInfo, info: &MoveInfo, moves: &MoveLoop) -> i32 {
        let tt = &node.tt;
        let all_node = !N::PV && !node.cut_node;
        let mut reduction = p::reduction_start()
            - p::reduction_number() * info.number as i32
            - (node.correction / (100 * p::reduction_correction())).abs();
        if node.tt_pv {
            let deep = tt.depth >= moves.depth;
            reduction -= p::reduction_pv()
                + p::when(N::PV, p::reduction_pv_node())
                + p::when(tt.score.is_some_and(|score| score > moves.alpha), p::reduction_pv_score())
                + p::when(deep, p::reduction_pv_deep())
                + p::when(deep && node.cut_node, p::reduction_pv_cut());
        }
        if node.cut_node {
            reduction += p::reduction_cut_node() + p::when(tt.mv.is_none(), p::reduction_cut_no_move());
        }
        reduction += p::when(tt.capture, p::reduction_table_capture());
        let cutoffs = self.stack[node.ss + 1].cutoff_count;
        if cutoffs > 1 {
            reduction += p::reduction_cutoffs()
                + p::when(cutoffs > 2, p::reduction_cutoffs_many())
                + p::when(all_node, p::reduction_cutoffs_all());
        }
        reduction -= p::when(Some(info.mv) == tt.mv, p::reduction_table_move());
        reduction -= self.stack[node.ss].stat_score * p::reduction_history() / 8192;
        if all_node {
            reduction += reduction * p::reduction_all_node() / (256 * moves.depth + 260);
        }
        reduction
    }
}
