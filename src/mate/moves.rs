//! The moves that count in a mate problem: checks and the answers to them.

use crate::position::{Generate, MoveList, Position};

/// The attacker's moves: every legal check, also those that decline a promotion (they may avoid a pawn drop mate). If
/// the attacker's own king is in check, the evasions that are checks themselves (逆王手).
pub(super) fn attacks(pos: &Position) -> MoveList {
    let mut list = MoveList::new();
    append_attacks(pos, &mut list);
    list
}

/// The same, appended to a list: in the search, where a list that is returned and so copied costs 2% of the time.
#[inline]
pub(super) fn append_attacks(pos: &Position, list: &mut MoveList) {
    pos.generate(Generate::Checks, list);
}

/// The defender's moves: every legal move; the defender is in check.
pub(super) fn defences(pos: &Position) -> MoveList {
    pos.legal_moves()
}
