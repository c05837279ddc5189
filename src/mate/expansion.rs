//! The local expansion of a node: its children, and what their numbers say of the node.

use super::key::NodeKey;
use super::mate_len::MateLen;
use super::pn_dn::{INFINITE, PnDn, UNIT, sum};
use super::proof_hand;
use super::search_result::{ANY_PATH, SearchResult};
use crate::position::Position;
use crate::types::{Hand, Move};

/// No earlier move that this one waits for.
pub(super) const NO_MOVE: u16 = u16::MAX;

/// A promotion whose number of the side to move has risen to this is hard: the declined promotion waits no longer. With
/// half of it, or half as much again, the classical problems take 2 to 6% more nodes in their geometric mean.
pub(super) const HARD_PROMOTION: PnDn = 32 * UNIT;

/// A node that the search visits.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) key: NodeKey,
    /// Key of the path from the root.
    pub(super) path: u64,
    /// A mate within this many plies is searched for.
    pub(super) len: MateLen,
    /// The children that count by their maximum.
    pub(super) max_mask: u64,
}

/// A move of the expanded node, and what is known of the position after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) mv: Move,
    /// The place among the children of the move that must release this one before it is probed, or [`NO_MOVE`].
    pub(super) waits_for: u16,
    /// Place in the order among equal numbers, smallest first.
    pub(super) order: i16,
    /// It waits for no other move.
    pub(super) active: bool,
    /// Counts by maximum instead of by sum.
    pub(super) by_maximum: bool,
    /// The child was last searched from another node.
    pub(super) other_parent: bool,
    /// It waits, and was not probed yet.
    pub(super) unseen: bool,
    pub(super) key: NodeKey,
    pub(super) result: SearchResult,
}

impl Child {
    /// Whether the move is decided against the side that makes it.
    #[inline(always)]
    pub(super) const fn is_lost(&self, attacker_to_move: bool) -> bool {
        self.result.delta(attacker_to_move) == 0
    }

    /// Whether another move that waits for this one need wait no longer (see [`super::delayed_moves`]).
    #[inline(always)]
    pub(super) const fn releases(&self, other: Move, attacker_to_move: bool) -> bool {
        self.is_lost(attacker_to_move) || !other.is_drop() && self.result.phi(attacker_to_move) >= HARD_PROMOTION
    }
}

/// A node on the current path; its children are `start..end` of the worker's list.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalExpansion {
    pub(super) key: NodeKey,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The child that the search is in, counted from `start`.
    pub(super) current: usize,
    pub(super) attacker_to_move: bool,
    pub(super) depth: u16,
    pub(super) len: MateLen,
    /// A child's numbers come from a visit nearer to the root.
    pub(super) old_child: bool,
    pub(super) max_mask: u64,
}

/// The children's numbers put together.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChildSummary {
    /// The child to search, counted from `start`.
    pub(super) best: usize,
    pub(super) phi: PnDn,
    pub(super) delta: PnDn,
    /// The second smallest phi.
    second: PnDn,
    /// The part of delta that stays when the best child's own is taken away.
    rest: PnDn,
}

impl LocalExpansion {
    /// Puts the children's numbers together: phi is the smallest of theirs; delta is the sum, but children that lead to
    /// the same positions add only their maximum (weak proof numbers, Ueda et al. 2008; for transpositions only,
    /// Kishimoto, AAAI 2010).
    pub(super) fn summary(&self, children: &mut [Child]) -> ChildSummary {
        let or = self.attacker_to_move;
        self.summary_by(children, |child| child.result.phi(or))
    }

    /// The same with other numbers of the side to move for the choice of the child to search.
    #[inline(always)]
    pub(super) fn summary_by(&self, children: &mut [Child], chosen_by: impl Fn(&Child) -> PnDn) -> ChildSummary {
        let or = self.attacker_to_move;
        let (mut total, mut largest) = (0, 0);
        let mut infinite = false;
        let mut best = usize::MAX;
        let mut best_rank = (INFINITE, INFINITE, i16::MAX);
        let mut second = INFINITE;
        let mut waiting = false;
        for i in 0..children.len() {
            let wait = children[i].waits_for;
            let active = wait == NO_MOVE || {
                let before = &children[wait as usize];
                before.active && before.releases(children[i].mv, or)
            };
            let child = &mut children[i];
            child.active = active;
            let (phi, delta) = (chosen_by(child), child.result.delta(or));
            if !active && phi != 0 {
                waiting = true;
                continue;
            }
            if child.by_maximum {
                largest = largest.max(delta);
            } else {
                // Without the checks of `sum`: they are made below, once for all.
                infinite |= delta >= INFINITE;
                total = (total + delta).min(INFINITE);
            }
            let rank = (phi, INFINITE - delta, child.order);
            if best == usize::MAX || rank < best_rank {
                second = if best == usize::MAX { INFINITE } else { best_rank.0 };
                best_rank = rank;
                best = i;
            } else if phi < second {
                second = phi;
            }
        }
        if best == usize::MAX {
            return ChildSummary { best: 0, phi: INFINITE, delta: 0, second: INFINITE, rest: 0 };
        }
        if !infinite {
            total = total.min(INFINITE - 1);
        }
        let child = &children[best];
        let own = child.result.delta(or);
        // Moves that wait make the node harder than its numbers say, and without a small addition the waiting itself
        // could go on for ever.
        let wait = PnDn::from(waiting);
        let rest = if child.by_maximum {
            // The best child may grow up to the largest of the others without changing the total.
            sum(total, wait)
        } else {
            sum(total - own.min(total), sum(largest, wait))
        };
        let phi = child.result.phi(or);
        let delta = if phi == 0 { INFINITE } else { sum(sum(total, largest), wait) };
        ChildSummary { best, phi, delta, second, rest }
    }

    /// The thresholds under which the best child is searched: (proof, disproof).
    ///
    /// The margin over the second best child is 1+ε (Pawlewicz and Lew, Improving depth-first PN-search, CG 2006):
    /// without it the search would switch between two children and rebuild each again and again. ε is their 1/4; with
    /// 1/16 the classical problems take 10% more nodes.
    pub(super) fn thresholds(&self, summary: &ChildSummary, (pn, dn): (PnDn, PnDn)) -> (PnDn, PnDn) {
        let (phi, delta) = if self.attacker_to_move { (pn, dn) } else { (dn, pn) };
        // More than the child has, also where numbers are at their end: a visit must not return at once.
        let beyond = sum(summary.second, 1 + summary.second / 4).max(summary.phi + 1);
        let child_delta = phi.min(beyond);
        let child_phi = if delta >= INFINITE { INFINITE } else { delta.saturating_sub(summary.rest) };
        // A child's phi and delta change places with its side to move; in proof and disproof numbers they do not.
        if self.attacker_to_move { (child_delta, child_phi) } else { (child_phi, child_delta) }
    }

    /// The node's proof and disproof number.
    #[inline(always)]
    pub(super) const fn numbers(&self, summary: &ChildSummary) -> (PnDn, PnDn) {
        if self.attacker_to_move { (summary.phi, summary.delta) } else { (summary.delta, summary.phi) }
    }

    /// What the children say of the node.
    pub(super) fn result(&self, pos: &Position, children: &[Child], summary: &ChildSummary) -> SearchResult {
        let (pn, dn) = self.numbers(summary);
        if pn == 0 {
            self.proof(pos, children, summary)
        } else if dn == 0 {
            self.disproof(pos, children)
        } else {
            SearchResult {
                pn,
                dn,
                hand: self.key.hand,
                len: self.len,
                repetition_start: ANY_PATH,
                amount: 1,
                max_mask: self.max_mask,
                first_visit: false,
                best: Some(children[summary.best].mv),
            }
        }
    }

    fn proof(&self, pos: &Position, children: &[Child], summary: &ChildSummary) -> SearchResult {
        if self.attacker_to_move {
            let best = children
                .iter()
                .filter(|child| child.result.is_proven())
                .min_by_key(|child| child.result.len)
                .unwrap_or(&children[summary.best]);
            let hand = proof_hand::before_attack(pos, best.mv, best.result.hand);
            return SearchResult::proven(hand, best.result.len.next(), best.result.amount, Some(best.mv));
        }
        let mut hand = Hand::EMPTY;
        let (mut len, mut amount, mut best) = (MateLen::ZERO, 0, None);
        for child in children {
            hand = proof_hand::union(hand, child.result.hand);
            amount = amount.max(child.result.amount);
            if child.result.len.next() > len {
                len = child.result.len.next();
                best = Some(child.mv);
            }
        }
        let hand = proof_hand::keep_from_defender(pos, hand);
        SearchResult::proven(hand, len, amount + children.len() as u32, best)
    }

    fn disproof(&self, pos: &Position, children: &[Child]) -> SearchResult {
        let (mut hand, mut len, mut repetition_start, mut amount, best);
        if self.attacker_to_move {
            hand = proof_hand::both_hands(pos);
            (len, repetition_start, amount, best) = (MateLen::UNLIMITED, ANY_PATH, 0, None);
            for child in children {
                hand = proof_hand::intersection(hand, proof_hand::before_attack(pos, child.mv, child.result.hand));
                len = len.min(child.result.len.next());
                repetition_start = repetition_start.min(child.result.repetition_start);
                amount = amount.max(child.result.amount);
            }
            hand = proof_hand::without_new_checks(pos, hand);
            amount += children.len() as u32;
        } else {
            // Prefer a refutation that holds on every path to one by repetition.
            let Some(child) = children
                .iter()
                .filter(|child| child.result.is_disproven())
                .max_by_key(|child| (child.result.repetition_start, child.result.len))
            else {
                return SearchResult::disproven(self.key.hand, self.len, 0, 1, None);
            };
            hand = proof_hand::before_defence(pos, child.mv, child.result.hand);
            (len, repetition_start, amount) =
                (child.result.len.next(), child.result.repetition_start, child.result.amount);
            best = Some(child.mv);
        }
        if repetition_start != ANY_PATH && repetition_start >= self.depth {
            // Every line that repeats comes back to this node or one below it: the defence works on every path.
            repetition_start = ANY_PATH;
        }
        SearchResult::disproven(hand, len, repetition_start, amount, best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_may_grow_where_numbers_are_at_their_end() {
        let expansion = LocalExpansion {
            key: NodeKey { board: 1, hand: Hand::EMPTY },
            start: 0,
            end: 2,
            current: 0,
            attacker_to_move: true,
            depth: 0,
            len: MateLen::UNLIMITED,
            old_child: false,
            max_mask: 0,
        };
        let limit = |phi, second| {
            expansion.thresholds(&ChildSummary { best: 0, phi, delta: 5, second, rest: 0 }, (INFINITE, INFINITE)).0
        };
        assert_eq!(limit(8, 16), 16 + 4 + 1);
        assert_eq!(limit(INFINITE - 1, INFINITE - 1), INFINITE);
    }
}
