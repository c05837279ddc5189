//! Steps 5 to 8 of [`negamax`](super::negamax): what a node is worth before any of its moves is searched.

use crate::position::CheckInfo;
use crate::tt::{DEPTH_NONE, Entry};
use crate::types::{Bound, Depth, MAX_DEPTH, Score};

use super::correction_history::corrected;
use super::node::{NodeInfo, NodeType};
use super::params as p;
use super::request::SearchRequest;
use super::tt_data::to_table;
use super::worker::Worker;

impl Worker {
    /// A declaration, or a mate in one, for a node that has not been tested before.
    #[inline]
    pub(super) fn immediate_win<N: NodeType>(
        &mut self,
        request: &SearchRequest,
        checks: &CheckInfo,
        ply: usize,
        depth: Depth,
    ) -> Option<Score> {
        let score = Score::mate_in(ply + 1);
        if self.position.declaration(request.rules.entering_king).is_some() {
            return Some(score);
        }
        if self.position.in_check() || !request.rules.mate_counts(&self.position) {
            return None;
        }
        let mv = self.mate_in_one(checks)?;
        let entry = Entry {
            mv: Some(mv),
            score: to_table(score, ply),
            bound: Some(Bound::Exact),
            eval: None,
            depth: (depth + p::mate_entry_depth()).min(MAX_DEPTH),
            is_pv: N::PV,
        };
        request.table.store(self.position.key(), entry);
        if N::PV {
            self.pv[ply].push(mv);
        }
        Some(score)
    }

    /// Step 6: the static evaluation, corrected by what was learnt in similar positions. The table's score is a better
    /// estimate where its bound points the right way. In check the value of two plies before stands in.
    #[inline]
    pub(super) fn static_eval(&mut self, request: &SearchRequest, node: &mut NodeInfo) {
        let ss = node.ss;
        let two_before = self.stack[ss - 2].static_eval;
        let in_check = self.stack[ss].in_check;
        node.correction = self.correction(ss);
        if in_check {
            self.stack[ss].static_eval = two_before;
            node.eval = two_before;
        } else if self.stack[ss].excluded.is_some() {
            node.eval = self.stack[ss].static_eval;
        } else {
            let raw = node.tt.eval.unwrap_or_else(|| self.evaluate(request));
            node.raw_eval = Some(raw);
            node.eval = corrected(raw, node.correction);
            self.stack[ss].static_eval = node.eval;
            if !node.tt.hit {
                let entry = Entry {
                    mv: None,
                    score: Score::ZERO,
                    bound: None,
                    eval: node.raw_eval,
                    depth: DEPTH_NONE,
                    is_pv: node.tt_pv,
                };
                request.table.store(self.position.key(), entry);
            }
            if let Some(score) = node.tt.score
                && node.tt.bounds(score > node.eval)
            {
                node.eval = score;
            }
        }
        let static_eval = self.stack[ss].static_eval;
        node.improving = !in_check && static_eval > two_before;
        node.opponent_worsening = !in_check && static_eval > -self.stack[ss - 1].static_eval;
    }

    /// Step 8: corrects the depth in hindsight if the previous move was reduced. If that move did not worsen the
    /// opponent's evaluation, the reduction was too much; if it improved ours, the move is as bad as expected and needs
    /// less (Stockfish).
    #[inline]
    pub(super) fn hindsight(&self, node: &NodeInfo, mut depth: Depth) -> Depth {
        if node.prior_reduction >= p::hindsight_deeper() && !node.opponent_worsening {
            depth += 1;
        }
        let sum = self.stack[node.ss].static_eval.0 + self.stack[node.ss - 1].static_eval.0;
        if node.prior_reduction >= p::hindsight_shallower() && depth >= 2 && sum > p::hindsight_margin() {
            depth -= 1;
        }
        depth
    }
}
