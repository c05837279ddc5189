//! What the search knows of the positions that it has shown to the mate solver ([`pv_mates`](super::pv_mates)).

use std::collections::HashMap;

use crate::mate::QuickSolver;
use crate::types::Move;

use super::params as p;

/// The mate searches of one search.
#[derive(Default)]
pub(super) struct MateTests {
    pub(super) solver: QuickSolver,
    /// By the position's key.
    pub(super) tested: HashMap<u64, Test>,
    /// Nodes that this search has spent on its root, and on the positions below.
    pub(super) spent: [u64; 2],
}

/// What is known of a position.
pub(super) enum Test {
    /// Not decided by so many nodes, all tests together.
    Open(u64),
    /// There is no mate by consecutive checks.
    NoMate,
    /// The side to move mates (`wins`) or is mated.
    Mate { wins: bool, plies: usize, line: Vec<Move> },
}

impl MateTests {
    /// Another search begins. What the solver knows of positions stays true.
    pub(super) fn new_search(&mut self) {
        self.tested.clear();
        self.spent = [0; 2];
    }

    /// Another game begins.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The nodes for a test at a ply after so many nodes of the search. The root has half of the share to itself. Of
    /// the rest, a position gets a part of what is left, so that later ones get theirs too, and the position after the
    /// move to be played most.
    pub(super) fn allowance(&self, nodes: u64, ply: usize) -> u64 {
        let share = nodes / p::mate_test_share() as u64 / 2;
        let left = share.saturating_sub(self.spent[usize::from(ply > 0)]);
        match ply {
            0 => left,
            1 => left / 2,
            _ => left / p::mate_test_part() as u64,
        }
    }
}
