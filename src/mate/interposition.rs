//! Futile interpositions (無駄合い, mudaai) as far as the table knows; `docs/futile-interpositions.md` has the definition and its sources.
//!
//! ```text
//!   K . . . R      the rook gives check; the defender drops P*c
//!     a b c d
//!   K . R . .      the rook captures it, and the pawn goes back to the defender's hand: the position
//!     a b c d      as it was, with the rook nearer. If that is a mate no longer than the mate by the
//!                  defences that count, the drop only put it off, and is futile.
//! ```

use std::collections::HashMap;

use super::captured_interpositions::after_capture;
use super::df_pn::DfPnWorker;
use super::key::NodeKey;
use super::mate_len::MateLen;
use super::moves;
use super::settings::FutileInterpositions;
use crate::types::Move;

/// Which interpositions are futile as far as the table knows, if the defences that count last for some plies.
pub(super) struct KnownFutility {
    futile: FutileInterpositions,
    plies: MateLen,
    /// Whether positions after captures are known mates. Many interpositions lead to one of them.
    mates: HashMap<NodeKey, bool>,
}

impl KnownFutility {
    /// For defences that last for `plies`.
    pub(super) fn new(futile: FutileInterpositions, plies: MateLen) -> Self {
        Self { futile, plies, mates: HashMap::new() }
    }

    /// Whether a defence is futile.
    pub(super) fn is_futile(&mut self, worker: &mut DfPnWorker, defence: Move) -> bool {
        after_capture(worker.position(), defence, self.futile)
            .into_iter()
            .any(|position| worker.with_position(position, |worker| self.is_mate(worker)))
    }

    /// Whether the position, the defender being to move, is known to be a mate within the plies.
    fn is_mate(&mut self, worker: &mut DfPnWorker) -> bool {
        let key = worker.key();
        if let Some(&known) = self.mates.get(&key) {
            return known;
        }
        let moves = moves::defences(worker.position());
        let mate = moves.iter().all(|&mv| {
            let mated = self.plies.0 >= 2 && {
                worker.position().do_move(mv);
                let mated = worker.is_known_mate_within(self.plies.previous());
                worker.position().undo_move();
                mated
            };
            mated || self.is_futile(worker, mv)
        });
        self.mates.insert(key, mate);
        mate
    }
}
