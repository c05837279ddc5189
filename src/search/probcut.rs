//! ProbCut: a capture that beats a raised beta in a shallow search will beat beta in a deep one (Buro 1995).

use crate::position::CheckInfo;
use crate::tt::Entry;
use crate::types::{Bound, Depth, Score};

use super::formulas::probcut_margin;
use super::known::to_table;
use super::move_picker::{MovePicker, View};
use super::negamax::Here;
use super::params as p;
use super::{NonPv, SearchRequest, Worker};

impl Worker {
    /// Steps 13 and 14 of [`negamax`](super::negamax), for a node whose window is empty. While the search is being
    /// stopped the value means nothing.
    #[inline(always)]
    pub(super) fn probcut(
        &mut self,
        request: &SearchRequest,
        here: &Here,
        checks: &CheckInfo,
        beta: Score,
        depth: Depth,
    ) -> Option<Score> {
        let known = &here.known;

        // Step 13: a capture that comes out far above beta in a shallow search.
        if !here.in_check && depth >= 3 && p::keeps(13) {
            let raised = beta + probcut_margin(here.improving);
            if known.score.is_none_or(|score| score >= raised) {
                if let Some(score) = self.try_captures(request, here, checks, raised, beta, depth) {
                    return Some(score);
                }
                if request.control.stopped() {
                    return Some(Score::ZERO);
                }
            }
        }

        // Step 14: small ProbCut: the table alone is enough where it is far above beta.
        let raised = beta + p::probcut_table_margin();
        known
            .score
            .filter(|&score| {
                known.is_lower_bound()
                    && known.depth >= depth - 4
                    && score >= raised
                    && !score.is_decisive()
                    && p::keeps(14)
            })
            .map(|_| raised)
    }

    /// A value of at least `raised`, which is above `beta`, if some capture reaches it. `None` also when stopped.
    fn try_captures(
        &mut self,
        request: &SearchRequest,
        here: &Here,
        checks: &CheckInfo,
        raised: Score,
        beta: Score,
        depth: Depth,
    ) -> Option<Score> {
        let Here { ply, f, keys, .. } = *here;
        let threshold = raised - here.static_eval;
        let reduced = (depth - p::probcut_reduction()).max(0);
        let mut picker = MovePicker::probcut(&self.position, here.known.mv, threshold, &self.moves);
        while let Some(mv) = picker.next(
            &mut self.moves,
            &View {
                position: &self.position,
                history: &self.history,
                keys: &keys,
                checks,
                rows: &here.rows,
                ply,
                all_moves: false,
            },
        ) {
            if Some(mv) == here.excluded {
                continue;
            }
            self.make(request, f, mv, false, true);
            let mut score = -self.quiescence::<NonPv>(request, -raised, -raised + 1, ply + 1);
            if score >= raised && reduced > 0 {
                score = -self.negamax::<NonPv>(request, -raised, -raised + 1, reduced, ply + 1, !here.cut_node);
            }
            self.unmake();
            if request.control.stopped() {
                return None;
            }
            if score >= raised {
                let entry = Entry {
                    mv: Some(mv),
                    score: to_table(score, ply),
                    bound: Some(Bound::Lower),
                    eval: here.raw_eval,
                    depth: reduced + 1,
                    is_pv: here.on_pv,
                };
                if here.excluded.is_none() {
                    request.table.store(self.position.key(), entry);
                }
                return Some(if score.is_decisive() { score } else { score - (raised - beta) });
            }
        }
        None
    }
}
