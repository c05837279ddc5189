//! What is known of a node.

use super::mate_len::MateLen;
use super::pn_dn::{INFINITE, PnDn, UNIT};
use crate::types::{Hand, Move};

/// The `repetition_start` of a result that holds on every path.
pub(super) const ANY_PATH: u16 = u16::MAX;

/// The two numbers of a node and, once one of them is 0, why.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchResult {
    /// Proof number: how many leaves must still become mates.
    pub(super) pn: PnDn,
    /// Disproof number.
    pub(super) dn: PnDn,
    /// Proof or disproof hand of a decided node.
    pub(super) hand: Hand,
    /// Length of the mate, or the length up to which there is none.
    pub(super) len: MateLen,
    /// Of a disproof by repetition: the smallest ply of the path that a line came back to; otherwise [`ANY_PATH`].
    pub(super) repetition_start: u16,
    /// Nodes searched for it.
    pub(super) amount: u32,
    /// The children of an undecided node that count by their maximum.
    pub(super) max_mask: u64,
    /// The node was never searched: the numbers are estimates.
    pub(super) first_visit: bool,
    /// The deciding move.
    pub(super) best: Option<Move>,
}

impl SearchResult {
    /// A mate.
    pub(super) const fn proven(hand: Hand, len: MateLen, amount: u32, best: Option<Move>) -> Self {
        let repetition_start = ANY_PATH;
        Self { pn: 0, dn: INFINITE, hand, len, repetition_start, amount, max_mask: 0, first_visit: false, best }
    }

    /// No mate within `len`.
    pub(super) const fn disproven(
        hand: Hand,
        len: MateLen,
        repetition_start: u16,
        amount: u32,
        best: Option<Move>,
    ) -> Self {
        Self { pn: INFINITE, dn: 0, hand, len, repetition_start, amount, max_mask: 0, first_visit: false, best }
    }

    /// A node that was not visited yet.
    pub(super) const fn unseen(hand: Hand, len: MateLen) -> Self {
        let repetition_start = ANY_PATH;
        Self { pn: UNIT, dn: UNIT, hand, len, repetition_start, amount: 1, max_mask: 0, first_visit: true, best: None }
    }

    /// Whether the node is a mate.
    #[inline(always)]
    pub(super) const fn is_proven(&self) -> bool {
        self.pn == 0
    }

    /// Whether the node is no mate.
    #[inline(always)]
    pub(super) const fn is_disproven(&self) -> bool {
        self.dn == 0
    }

    /// The number of the side to move, which it wants to become 0.
    #[inline(always)]
    pub(super) const fn phi(&self, attacker_to_move: bool) -> PnDn {
        if attacker_to_move { self.pn } else { self.dn }
    }

    /// The number of the other side.
    #[inline(always)]
    pub(super) const fn delta(&self, attacker_to_move: bool) -> PnDn {
        if attacker_to_move { self.dn } else { self.pn }
    }
}
