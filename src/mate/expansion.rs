//! A node with its children: numbers, thresholds, the final result.

use super::key::NodeKey;
use super::number::{INFINITE, MateLen, Number, sum};
use super::outcome::{ANY_PATH, Outcome};
use super::proof_hand;
use crate::position::Position;
use crate::types::Move;

/// No earlier move that this one waits for.
pub(super) const NO_MOVE: u16 = u16::MAX;

/// A move of the expanded node, and what is known of the position after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) mv: Move,
    /// The place among the node's children of the move that must be decided before this one is looked at
    /// (delayed generation, see [`super::delay`]), or [`NO_MOVE`].
    pub(super) waits_for: u16,
    pub(super) order: i16,
    pub(super) active: bool,
    /// Counts by maximum.
    pub(super) by_maximum: bool,
    /// The table says that the child was last searched from another node.
    pub(super) foreign: bool,
    /// It waits, and nothing was looked up of it yet.
    pub(super) unseen: bool,
    pub(super) key: NodeKey,
    pub(super) outcome: Outcome,
}

impl Child {
    /// Whether the move is decided against the side that makes it.
    #[inline(always)]
    pub(super) const fn is_lost(&self, attacker_to_move: bool) -> bool {
        self.outcome.delta(attacker_to_move) == 0
    }
}

/// A node on the current path; its children are `start..end` of the worker's pool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
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
pub(super) struct Summary {
    /// The child to search, counted from the frame's start.
    pub(super) best: usize,
    pub(super) phi: Number,
    pub(super) delta: Number,
    /// The second smallest phi.
    second: Number,
    /// The part of delta that stays when the best child's own is taken away.
    rest: Number,
}

impl Frame {
    /// Puts the children's numbers together: phi is the smallest of theirs; delta is the sum, with the children that
    /// lead to the same positions counted once, by their maximum (weak proof numbers for transpositions; Ueda et al.
    /// 2008; Kishimoto, Dealing with infinite loops, underestimation, and overestimation of depth-first proof-number
    /// search, AAAI 2010).
    pub(super) fn summary(&self, children: &mut [Child]) -> Summary {
        let or = self.attacker_to_move;
        let (mut total, mut largest) = (0, 0);
        let mut best = usize::MAX;
        let mut best_rank = (INFINITE, INFINITE, i16::MAX);
        let mut second = INFINITE;
        let mut waiting = false;
        for i in 0..children.len() {
            let wait = children[i].waits_for;
            let active = wait == NO_MOVE || {
                let before = &children[wait as usize];
                before.active && before.outcome.delta(or) == 0
            };
            let child = &mut children[i];
            child.active = active;
            let (phi, delta) = (child.outcome.phi(or), child.outcome.delta(or));
            if !active && phi != 0 {
                waiting = true;
                continue;
            }
            if child.by_maximum {
                largest = largest.max(delta);
            } else {
                total = sum(total, delta);
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
            return Summary { best: 0, phi: INFINITE, delta: 0, second: INFINITE, rest: 0 };
        }
        let child = &children[best];
        let own = child.outcome.delta(or);
        // Moves that wait make the node harder than its numbers say, and without a small addition the waiting itself
        // could go on for ever.
        let wait = Number::from(waiting);
        let rest = if child.by_maximum {
            // The best child may grow up to the largest of the others without changing the total.
            sum(total, wait)
        } else {
            sum(total - own.min(total), sum(largest, wait))
        };
        let phi = child.outcome.phi(or);
        let delta = if phi == 0 { INFINITE } else { sum(sum(total, largest), wait) };
        Summary { best, phi, delta, second, rest }
    }

    /// The thresholds under which the best child is searched: (proof, disproof).
    ///
    /// The margin over the second best child is 1+ε (Pawlewicz and Lew, Improving depth-first PN-search, CG 2006):
    /// without it the search would swing between two children and build each up again and again. ε is their 1/4: with
    /// 1/16 the problems of the 18th century take a tenth more nodes.
    pub(super) fn thresholds(&self, summary: &Summary, (pn, dn): (Number, Number)) -> (Number, Number) {
        let (phi, delta) = if self.attacker_to_move { (pn, dn) } else { (dn, pn) };
        let beyond = sum(summary.second, 1 + summary.second / 4);
        let child_delta = phi.min(beyond);
        let child_phi = if delta >= INFINITE { INFINITE } else { delta.saturating_sub(summary.rest) };
        // A child's phi and delta change places with its side to move; in proof and disproof numbers they do not.
        if self.attacker_to_move { (child_delta, child_phi) } else { (child_phi, child_delta) }
    }

    /// What the children say of the node.
    pub(super) fn outcome(&self, pos: &Position, children: &[Child], summary: &Summary) -> Outcome {
        let (pn, dn) = if self.attacker_to_move { (summary.phi, summary.delta) } else { (summary.delta, summary.phi) };
        if pn == 0 {
            self.proof(pos, children, summary)
        } else if dn == 0 {
            self.disproof(pos, children)
        } else {
            Outcome {
                pn,
                dn,
                hand: self.key.hand,
                len: self.len,
                start: ANY_PATH,
                amount: 1,
                max_mask: self.max_mask,
                first_visit: false,
                best: Some(children[summary.best].mv),
            }
        }
    }

    fn proof(&self, pos: &Position, children: &[Child], summary: &Summary) -> Outcome {
        if self.attacker_to_move {
            let best = children
                .iter()
                .filter(|child| child.outcome.is_proven())
                .min_by_key(|child| child.outcome.len)
                .unwrap_or(&children[summary.best]);
            let hand = proof_hand::before_attack(pos, best.mv, best.outcome.hand);
            return Outcome::proven(hand, best.outcome.len.next(), best.outcome.amount, Some(best.mv));
        }
        let mut hand = crate::types::Hand::EMPTY;
        let (mut len, mut amount, mut best) = (MateLen::ZERO, 0, None);
        for child in children {
            hand = proof_hand::union(hand, child.outcome.hand);
            amount = amount.max(child.outcome.amount);
            if child.outcome.len.next() > len {
                len = child.outcome.len.next();
                best = Some(child.mv);
            }
        }
        let hand = proof_hand::keep_from_defender(pos, hand);
        Outcome::proven(hand, len, amount + children.len() as u32, best)
    }

    fn disproof(&self, pos: &Position, children: &[Child]) -> Outcome {
        let (mut hand, mut len, mut start, mut amount, best);
        if self.attacker_to_move {
            hand = proof_hand::both_hands(pos);
            (len, start, amount, best) = (MateLen::UNLIMITED, ANY_PATH, 0, None);
            for child in children {
                hand = proof_hand::intersection(hand, proof_hand::before_attack(pos, child.mv, child.outcome.hand));
                len = len.min(child.outcome.len.next());
                start = start.min(child.outcome.start);
                amount = amount.max(child.outcome.amount);
            }
            hand = proof_hand::without_new_checks(pos, hand);
            amount += children.len() as u32;
        } else {
            // A refutation that holds on every path is worth more than one by repetition.
            let Some(child) = children
                .iter()
                .filter(|child| child.outcome.is_disproven())
                .max_by_key(|child| (child.outcome.start, child.outcome.len))
            else {
                return Outcome::disproven(self.key.hand, self.len, 0, 1, None);
            };
            hand = proof_hand::before_defence(pos, child.mv, child.outcome.hand);
            (len, start, amount) = (child.outcome.len.next(), child.outcome.start, child.outcome.amount);
            best = Some(child.mv);
        }
        if start != ANY_PATH && start >= self.depth {
            // Every line that came back came back to this node or below it: the same defence works on every path.
            start = ANY_PATH;
        }
        Outcome::disproven(hand, len, start, amount, best)
    }
}
