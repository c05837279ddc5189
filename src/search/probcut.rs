//! ProbCut: a capture that beats a raised beta in a shallow search will beat beta in a deep one (Buro 1995).

use crate::position::CheckInfo;
use crate::tt::Entry;
use crate::types::{Bound, Depth, Score};

use super::known::to_table;
use super::move_picker::{MovePicker, View};
use super::negamax::Here;
use super::{Job, NonPv, Worker};

impl Worker {
    /// A value of at least `raised`, which is above `beta`, if some capture reaches it. `None` also when stopped.
    pub(super) fn probcut(
        &mut self,
        job: &Job,
        here: &Here,
        raised: Score,
        beta: Score,
        depth: Depth,
    ) -> Option<Score> {
        let Here { ply, f, keys, .. } = *here;
        let excluded = self.frames[f].excluded;
        let checks = CheckInfo::new(&self.position);
        let rows = self.rows(f);
        let threshold = raised - here.static_eval;
        let reduced = (depth - 5).max(0);
        let mut picker = MovePicker::probcut(&self.position, here.known.mv, threshold, &self.moves);
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
            if Some(mv) == excluded {
                continue;
            }
            self.make(job, f, mv, false, true);
            let mut score = -self.quiescence::<NonPv>(job, -raised, -raised + 1, ply + 1);
            if score >= raised && reduced > 0 {
                score = -self.negamax::<NonPv>(
                    job,
                    -raised,
                    -raised + 1,
                    reduced,
                    ply + 1,
                    !here.cut_node,
                );
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
                    eval: here.raw_eval,
                    depth: reduced + 1,
                    is_pv: here.on_pv,
                };
                if excluded.is_none() {
                    job.table.store(self.position.key(), entry);
                }
                return Some(if score.is_decisive() {
                    score
                } else {
                    score - (raised - beta)
                });
            }
        }
        None
    }
}
