//! The children of a node: made, ordered, and looked up, fresh attacker's nodes a little deeper.

use std::cell::OnceCell;

use super::super::delay::{self, Delays};
use super::super::expansion::{Child, Frame, NO_MOVE};
use super::super::key::path_after;
use super::super::number::{MateLen, Number, UNIT};
use super::super::outcome::{ANY_PATH, Outcome};
use super::super::{estimate, moves, one_ply, proof_hand, three_plies};
use super::{AT_ONCE, Entering, Worker};
use crate::bitboard::Bitboard;
use crate::platform::random::mix;
use crate::types::Move;

/// What a look at a fresh attacker's node says.
enum Leaf {
    Decided(Outcome),
    /// Undecided; with the disproof number that it must have at least.
    Open(Number),
}

impl Worker<'_> {
    /// Lists the children of a node and what is known of them.
    pub(super) fn expand(&mut self, node: Entering, depth: u16) -> Frame {
        let attacker_to_move = self.pos.side_to_move() == self.attacker;
        let start = self.children.len();
        let mut frame = Frame {
            key: node.key,
            start,
            end: start,
            current: usize::MAX,
            attacker_to_move,
            depth,
            len: node.len,
            old_child: false,
            max_mask: node.max_mask,
        };
        let list = if attacker_to_move { moves::attacks(&self.pos) } else { moves::defences(&self.pos) };
        let Some(king) = self.pos.king(!self.attacker) else {
            return frame;
        };
        for &mv in list.iter() {
            let key = node.key.after(&self.pos, mv, self.attacker);
            self.table.prefetch_slot(key.board);
            self.children.push(Child {
                mv,
                waits_for: NO_MOVE,
                order: 0,
                active: true,
                by_maximum: false,
                key,
                foreign: false,
                unseen: false,
                outcome: Outcome::disproven(key.hand, MateLen::ZERO, ANY_PATH, 1, None),
            });
        }
        for place in start..self.children.len() {
            let Child { mv, key, .. } = self.children[place];
            self.table.prefetch_chain(key.board);
            self.children[place].order = estimate::order(&self.pos, mv, king) + self.taste(mv);
        }
        // A declined promotion waits for the promotion, which must stand before it.
        let pointless = list.iter().any(|&mv| delay::is_pointless(&self.pos, mv));
        if pointless {
            let pos = &self.pos;
            self.children[start..].sort_by_key(|child| delay::is_pointless(pos, child.mv));
        }
        let count = self.children.len() - start;
        let child_len = node.len.previous();
        for child in &self.children[start..] {
            self.table.prefetch_entry(child.key.board);
        }
        let mut delays = Delays::new();
        let flights = OnceCell::new();
        for i in 0..count {
            let place = start + i;
            let (mv, key) = (self.children[place].mv, self.children[place].key);
            if i < 64 && node.max_mask >> i & 1 != 0 || estimate::alike(mv, attacker_to_move) {
                self.children[place].by_maximum = true;
            }
            if mv.is_drop() && !attacker_to_move {
                self.children[place].waits_for = delays.interposition(&self.pos, mv, i as u16);
            } else if pointless && delay::is_pointless(&self.pos, mv) {
                let promotes =
                    |other: &Child| other.mv.from() == mv.from() && other.mv.to() == mv.to() && other.mv.is_promotion();
                self.children[place].waits_for =
                    self.children[start..place].iter().position(promotes).map_or(NO_MOVE, |place| place as u16);
            }
            let waits_for = self.children[place].waits_for;
            if waits_for != NO_MOVE && !self.children[start + waits_for as usize].is_lost(attacker_to_move) {
                self.children[place].unseen = true;
                self.children[place].outcome = Outcome::unseen(key.hand, child_len);
                continue;
            }
            let outcome = self.look(place, &node, &mut frame, &flights);
            let won = outcome.phi(attacker_to_move) == 0 && outcome.start == ANY_PATH;
            self.children[place].outcome = outcome;
            if won {
                // One decided child decides the node; the rest need not be known.
                self.children.truncate(place + 1);
                break;
            }
        }
        frame.end = self.children.len();
        frame
    }

    /// What is known of the child at a place.
    fn look(&mut self, place: usize, node: &Entering, frame: &mut Frame, flights: &OnceCell<Bitboard>) -> Outcome {
        let attacker_to_move = frame.attacker_to_move;
        let (mv, key) = (self.children[place].mv, self.children[place].key);
        let child_len = node.len.previous();
        // A defender's node must be left two plies before the end of the bound, or be mate.
        let out_of_plies = !attacker_to_move && node.len.0 < 2;
        if out_of_plies {
            return Outcome::disproven(key.hand, MateLen::ZERO, ANY_PATH, 1, None);
        }
        if let Some(ply) = self.path.find(key) {
            return Outcome::disproven(key.hand, child_len, ply, 1, None);
        }
        let pos = &self.pos;
        let found = self.table.look_up(key, node.key, frame.depth + 1, child_len, || {
            if attacker_to_move {
                let flights = flights.get_or_init(|| one_ply::flights(pos));
                estimate::after_attack(pos, mv, *flights)
            } else {
                estimate::after_defence(pos, mv)
            }
        });
        self.children[place].foreign = found.foreign;
        if found.pn == 0 {
            return Outcome::proven(found.hand, found.len, found.amount, found.best);
        }
        if found.dn == 0 {
            return Outcome::disproven(found.hand, found.len, ANY_PATH, found.amount, found.best);
        }
        if found.may_repeat
            && let Some(disproof) = self.repetitions.look_up(path_after(node.path, mv), child_len)
        {
            return Outcome::disproven(key.hand, MateLen(disproof.len), disproof.start, 1, None);
        }
        frame.old_child |= found.old;
        let fresh = found.first_visit && !found.looked_at;
        let mut least_dn = 0;
        if !attacker_to_move && (fresh || child_len <= AT_ONCE) {
            self.pos.do_move(mv);
            let leaf = self.leaf(child_len);
            self.pos.undo_move();
            match leaf {
                Leaf::Decided(leaf) => {
                    // A leaf's result holds on every path.
                    self.store(key, frame.depth + 1, &leaf, 0, Some(node.key));
                    return leaf;
                }
                Leaf::Open(dn) => {
                    self.table.mark_looked_at(key, frame.depth + 1);
                    least_dn = dn;
                }
            }
        }
        Outcome {
            pn: found.pn,
            dn: found.dn.max(least_dn),
            hand: key.hand,
            len: child_len,
            start: ANY_PATH,
            amount: found.amount,
            max_mask: found.max_mask,
            first_visit: found.first_visit,
            best: None,
        }
    }

    /// After the child at a place was decided against the side to move, looks at those that waited for it.
    pub(super) fn release(&mut self, mut place: usize, node: &Entering, frame: &mut Frame) {
        let flights = OnceCell::new();
        while self.children[place].is_lost(frame.attacker_to_move) {
            let waited = (place - frame.start) as u16;
            let waits = |child: &Child| child.unseen && child.waits_for == waited;
            let Some(next) = (place + 1..frame.end).find(|&next| waits(&self.children[next])) else {
                return;
            };
            self.children[next].unseen = false;
            self.children[next].outcome = self.look(next, node, frame, &flights);
            place = next;
        }
    }

    /// What makes the workers of one search prefer different moves: nothing for the first one.
    #[inline(always)]
    fn taste(&self, mv: Move) -> i16 {
        if self.number == 0 { 0 } else { (mix(self.number ^ u64::from(mv.bits())) & 7) as i16 }
    }

    /// A look at a fresh attacker's node, or at one close to the bound: no check at all, or mate in one, or all that is
    /// to know within [`AT_ONCE`], or else how many checks must be refuted.
    fn leaf(&mut self, len: MateLen) -> Leaf {
        self.count_node();
        let list = moves::attacks(&self.pos);
        if list.is_empty() {
            let hand = proof_hand::without_new_checks(&self.pos, proof_hand::both_hands(&self.pos));
            let none = Outcome::disproven(hand, MateLen::UNLIMITED, ANY_PATH, 1, None);
            return Leaf::Decided(none);
        }
        let mate = (len.0 >= 1).then(|| one_ply::find(&self.pos, &list));
        if let Some(mv) = mate.flatten() {
            let hand = three_plies::mating_hand(&mut self.pos, mv);
            return Leaf::Decided(Outcome::proven(hand, MateLen(1), 1, Some(mv)));
        }
        if len.0 < 3 {
            let hand = self.attacker_hand();
            return Leaf::Decided(Outcome::disproven(hand, len, ANY_PATH, 1, None));
        }
        if len <= AT_ONCE {
            let mut nodes = 0;
            let outcome = three_plies::decide(&mut self.pos, &list, len, &mut nodes);
            self.count_nodes(nodes);
            return Leaf::Decided(outcome);
        }
        // A unit for each check (the mobility of df-pn+; Nagai and Imai 2002): fresh, the node would be the defender's
        // favourite however many checks there are.
        Leaf::Open(list.len() as Number * UNIT)
    }
}
