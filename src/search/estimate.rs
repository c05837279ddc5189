//! Steps 5 to 8 of [`negamax`](super::negamax): what a node is worth before any of its moves is searched.

use crate::position::CheckInfo;
use crate::tt::{DEPTH_NONE, Entry};
use crate::types::{Bound, Depth, MAX_DEPTH, Score};

use super::history::corrected;
use super::known::to_table;
use super::negamax::Here;
use super::params as p;
use super::{Node, SearchRequest, Worker};

impl Worker {
    /// Step 5: a declaration or a mate in one. A node that the table knows has been asked before.
    #[inline(always)]
    pub(super) fn win_at_hand<N: Node>(
        &mut self,
        request: &SearchRequest,
        here: &Here,
        checks: &CheckInfo,
        depth: Depth,
    ) -> Option<Score> {
        let score = Score::mate_in(here.ply + 1);
        if self.position.declaration(request.rules.entering_king).is_some() {
            return Some(score);
        }
        if here.in_check || !request.rules.mate_counts(&self.position) || !p::keeps(5) {
            return None;
        }
        let mv = self.mate_in_one(checks)?;
        let entry = Entry {
            mv: Some(mv),
            score: to_table(score, here.ply),
            bound: Some(Bound::Exact),
            eval: None,
            depth: (depth + 6).min(MAX_DEPTH),
            is_pv: here.on_pv,
        };
        request.table.store(self.position.key(), entry);
        if N::PV {
            self.pv[here.ply].push(mv);
        }
        Some(score)
    }

    /// Step 6: the static evaluation, corrected by what was learnt of positions like this one. The table's score is a
    /// better estimate where its bound points the right way. In check the value of two plies before has to do.
    #[inline(always)]
    pub(super) fn estimate(&mut self, request: &SearchRequest, here: &mut Here) {
        let f = here.f;
        let before = self.frames[f - 2].static_eval;
        if p::keeps(6) {
            here.correction = self.correction(&here.keys, f);
        }
        here.eval = before;
        if here.in_check {
            self.frames[f].static_eval = before;
        } else if here.excluded.is_some() {
            here.eval = self.frames[f].static_eval;
        } else {
            let known = here.known;
            let raw = known.eval.unwrap_or_else(|| self.evaluate(request));
            here.raw_eval = Some(raw);
            here.eval = corrected(raw, here.correction);
            self.frames[f].static_eval = here.eval;
            if !known.hit {
                let entry = Entry {
                    mv: None,
                    score: Score::ZERO,
                    bound: None,
                    eval: here.raw_eval,
                    depth: DEPTH_NONE,
                    is_pv: here.on_pv,
                };
                request.table.store(self.position.key(), entry);
            }
            if let Some(score) = known.score
                && known.bounds(score > here.eval)
            {
                here.eval = score;
            }
        }
        here.static_eval = self.frames[f].static_eval;
        here.improving = !here.in_check && here.static_eval > before;
        here.worsening = !here.in_check && here.static_eval > -here.previous.static_eval;
    }

    /// Step 7: what the last quiet move did to the evaluation is the first word on it (Stockfish).
    #[inline(always)]
    pub(super) fn learn_from_swing(&mut self, here: &Here) {
        let previous = &here.previous;
        if let (Some(mv), false, false, None) = (previous.mv, previous.in_check, here.prior_capture, here.excluded)
            && p::keeps(7)
        {
            let swing = (-10 * (previous.static_eval.0 + here.static_eval.0)).clamp(-1900, 1500) + 600;
            self.history.update_butterfly(!here.us, mv, swing * 15 / 16);
            if !here.known.hit {
                self.history.update_structure(&here.keys, previous.piece_to, swing * 4 / 3);
            }
        }
    }
}

/// Step 8: the depth in hindsight. A reduced search that went better than feared gets its ply back, one that goes as
/// expected needs less (Stockfish).
#[inline(always)]
pub(super) fn hindsight(here: &Here, mut depth: Depth, prior_reduction: Depth) -> Depth {
    if prior_reduction >= 3 && !here.worsening && p::keeps(8) {
        depth += 1;
    }
    if prior_reduction >= 2
        && depth >= 2
        && here.static_eval.0 + here.previous.static_eval.0 > p::hindsight_margin()
        && p::keeps(8)
    {
        depth -= 1;
    }
    depth
}
