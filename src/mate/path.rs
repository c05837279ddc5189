//! The nodes between the root and the current one, for repetitions.

use super::key::NodeKey;

/// The longest line, in plies from the root. A longer line is given up, and with it a proof that there is no mate.
pub(super) const MAX_DEPTH: usize = 6000;
/// Chains of the index.
const CHAINS: usize = 1 << 12;
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct PathStep {
    key: NodeKey,
    /// The step before this one in the same chain.
    previous: u32,
}

/// The path, with an index by board.
pub(super) struct SearchPath {
    steps: Vec<PathStep>,
    heads: Vec<u32>,
}

impl SearchPath {
    /// An empty path.
    pub(super) fn new() -> Self {
        Self { steps: Vec::new(), heads: vec![NONE; CHAINS] }
    }

    /// Removes all steps.
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.heads.fill(NONE);
    }

    /// Adds the node that the search enters.
    #[inline]
    pub(super) fn push(&mut self, key: NodeKey) {
        let head = &mut self.heads[key.board as usize % CHAINS];
        self.steps.push(PathStep { key, previous: *head });
        *head = self.steps.len() as u32 - 1;
    }

    /// Removes the node that the search leaves.
    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some(step) = self.steps.pop() {
            self.heads[step.key.board as usize % CHAINS] = step.previous;
        }
    }

    /// The ply of the last node of the path with this board in which the attacker held at least as much.
    ///
    /// Returning to such a node cannot help the attacker: a shortest mate never does (dominance over the path).
    #[inline]
    pub(super) fn find(&self, key: NodeKey) -> Option<u16> {
        let mut index = self.heads[key.board as usize % CHAINS];
        while index != NONE {
            let step = &self.steps[index as usize];
            if step.key.board == key.board && step.key.hand.dominates(key.hand) {
                return Some(index as u16);
            }
            index = step.previous;
        }
        None
    }

    /// The ply of exactly this node on the path.
    pub(super) fn find_exact(&self, key: NodeKey) -> Option<usize> {
        let mut index = self.heads[key.board as usize % CHAINS];
        while index != NONE {
            let step = &self.steps[index as usize];
            if step.key == key {
                return Some(index as usize);
            }
            index = step.previous;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Hand, PieceType};

    #[test]
    fn only_what_is_no_better_for_the_attacker_repeats() {
        let pawns = |n| NodeKey { board: 5, hand: Hand::EMPTY.with(PieceType::Pawn, n) };
        let mut path = SearchPath::new();
        path.push(NodeKey { board: 1, hand: Hand::EMPTY });
        path.push(pawns(2));
        path.push(NodeKey { board: 5 + CHAINS as u64, hand: Hand::EMPTY });
        assert_eq!(path.find(pawns(1)), Some(1));
        assert_eq!(path.find(pawns(2)), Some(1));
        assert_eq!(path.find(pawns(3)), None);
        path.pop();
        path.pop();
        assert_eq!(path.find(pawns(1)), None);
        assert_eq!(path.find_exact(NodeKey { board: 1, hand: Hand::EMPTY }), Some(0));
    }
}
