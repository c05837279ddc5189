//! What a node is worth.

use super::number::{INFINITE, MateLen, Number, UNIT};
use crate::types::{Hand, Move};

/// The mark of a result that holds on every path.
pub(super) const ANY_PATH: u16 = u16::MAX;

/// What is known of a node: its two numbers and, once one of them is 0, why.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    /// Proof number: how many leaves must still become mates.
    pub(super) pn: Number,
    /// Disproof number.
    pub(super) dn: Number,
    /// Proof or disproof hand of a decided node.
    pub(super) hand: Hand,
    /// Length of the mate, or up to which there is none.
    pub(super) len: MateLen,
    /// Of a disproof: the smallest ply of the path that it came back to, [`ANY_PATH`] where it holds on every path.
    pub(super) start: u16,
    /// Nodes that went into it.
    pub(super) amount: u32,
    /// Children whose delta counts by maximum (of an undecided node).
    pub(super) max_mask: u64,
    /// The node was never searched: the numbers are a guess.
    pub(super) first_visit: bool,
    /// The deciding move.
    pub(super) best: Option<Move>,
}

impl Outcome {
    /// A mate.
    pub(super) const fn proven(hand: Hand, len: MateLen, amount: u32, best: Option<Move>) -> Self {
        Self { pn: 0, dn: INFINITE, hand, len, start: ANY_PATH, amount, max_mask: 0, first_visit: false, best }
    }

    /// No mate within `len`.
    pub(super) const fn disproven(hand: Hand, len: MateLen, start: u16, amount: u32, best: Option<Move>) -> Self {
        Self { pn: INFINITE, dn: 0, hand, len, start, amount, max_mask: 0, first_visit: false, best }
    }

    /// A node that nobody has looked at.
    pub(super) const fn unseen(hand: Hand, len: MateLen) -> Self {
        Self { pn: UNIT, dn: UNIT, hand, len, start: ANY_PATH, amount: 1, max_mask: 0, first_visit: true, best: None }
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

    /// The number of the side to move: it wants this to become 0.
    #[inline(always)]
    pub(super) const fn phi(&self, attacker_to_move: bool) -> Number {
        if attacker_to_move { self.pn } else { self.dn }
    }

    /// The number of the other side.
    #[inline(always)]
    pub(super) const fn delta(&self, attacker_to_move: bool) -> Number {
        if attacker_to_move { self.dn } else { self.pn }
    }
}
