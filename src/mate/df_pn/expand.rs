//! The children of a node: generated, ordered, and looked up; new attacker's nodes are searched a few plies deep.

use std::cell::OnceCell;

use super::super::captured_interpositions::{list_defences_without_capturable, mate_without_capturable};
use super::super::delayed_moves::{DelayedMoves, declines_better_promotion};
use super::super::expansion::{Child, LocalExpansion, NO_MOVE, Node};
use super::super::key::path_after;
use super::super::mate_len::MateLen;
use super::super::pn_dn::{PnDn, UNIT};
use super::super::search_result::{ANY_PATH, SearchResult};
use super::super::{estimate, moves, one_ply, proof_hand, three_plies};
use super::worker::DfPnWorker;
use crate::bitboard::Bitboard;
use crate::position::MoveList;
use crate::types::{Move, Square};

/// Up to this bound a plain search decides an attacker's node faster than the table and its numbers would.
pub(super) const LEAF_MAX_LEN: MateLen = MateLen(4);

/// The result of a shallow search of a new attacker's node.
enum Leaf {
    Decided(SearchResult),
    /// Undecided, with the least disproof number that it must have.
    Open(PnDn),
}

impl DfPnWorker<'_> {
    /// Lists the children of a node and what is known of them.
    pub(super) fn expand(&mut self, node: Node, depth: u16) -> LocalExpansion {
        let attacker_to_move = self.attacker_to_move();
        let start = self.children.len();
        let mut expansion = LocalExpansion {
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
        let mut list = MoveList::new();
        if attacker_to_move {
            moves::append_attacks(&self.pos, &mut list);
        } else {
            list_defences_without_capturable(&mut self.pos, self.left_out, &mut list);
        }
        let Some(king) = self.pos.king(!self.attacker) else {
            return expansion;
        };
        // A declined promotion waits for the promotion, which must come before it.
        let declines = list.iter().any(|&mv| declines_better_promotion(&self.pos, mv));
        if declines {
            list.sort_by_key(|&mv| declines_better_promotion(&self.pos, mv));
        }
        self.push_children(&list, &node, king, declines);
        self.probe_children(&node, &mut expansion);
        expansion.end = self.children.len();
        expansion
    }

    /// Appends a child for each move, with its key, its place in the order and what it waits for. Between these the
    /// memory of the table that the probes will need is fetched; those that wait are hardly ever looked up.
    fn push_children(&mut self, list: &MoveList, node: &Node, king: Square, declines: bool) {
        let start = self.children.len();
        let (pos, table, attacker) = (&self.pos, self.table, self.attacker);
        let attacker_to_move = pos.side_to_move() == attacker;
        self.children.extend(list.iter().map(|&mv| {
            let key = node.key.after(pos, mv, attacker);
            table.prefetch_slot(key.board);
            Child {
                mv,
                waits_for: NO_MOVE,
                order: 0,
                active: true,
                by_maximum: false,
                key,
                other_parent: false,
                unseen: false,
                result: SearchResult::disproven(key.hand, MateLen::ZERO, ANY_PATH, 1, None),
            }
        }));
        let mut delayed_moves = DelayedMoves::new();
        for (i, &mv) in list.iter().enumerate() {
            if mv.is_drop() && !attacker_to_move {
                self.children[start + i].waits_for = delayed_moves.interposition(&self.pos, mv, i as u16);
            } else if declines && declines_better_promotion(&self.pos, mv) {
                let promotes =
                    |other: &Move| other.from() == mv.from() && other.to() == mv.to() && other.is_promotion();
                if let Some(place) = list[..i].iter().position(promotes) {
                    self.children[start + i].waits_for = place as u16;
                }
            }
            if self.children[start + i].waits_for == NO_MOVE {
                self.table.prefetch_chain(self.children[start + i].key.board);
            }
        }
        for (i, &mv) in list.iter().enumerate() {
            let order = estimate::order(&self.pos, mv, king) + self.tie_break(mv);
            let child = &mut self.children[start + i];
            child.order = order;
            child.by_maximum =
                i < 64 && node.max_mask >> i & 1 != 0 || estimate::counts_by_maximum(mv, attacker_to_move);
        }
        for child in &self.children[start..] {
            if child.waits_for == NO_MOVE {
                self.table.prefetch_entry(child.key.board);
            }
        }
    }

    /// Probes the table for the children, except those that wait for another one; stops at a child that decides the
    /// node.
    fn probe_children(&mut self, node: &Node, expansion: &mut LocalExpansion) {
        let attacker_to_move = expansion.attacker_to_move;
        let start = expansion.start;
        let flights = OnceCell::new();
        for place in start..self.children.len() {
            let Child { mv, waits_for, key, .. } = self.children[place];
            if waits_for != NO_MOVE && !self.children[start + waits_for as usize].releases(mv, attacker_to_move) {
                let child = &mut self.children[place];
                child.unseen = true;
                child.result = SearchResult::unseen(key.hand, node.len.previous());
                continue;
            }
            let result = self.probe_child(place, node, expansion, &flights);
            let won = result.phi(attacker_to_move) == 0 && result.repetition_start == ANY_PATH;
            self.children[place].result = result;
            if won {
                // One decided child decides the node; the others need not be known.
                self.children.truncate(place + 1);
                break;
            }
        }
    }

    /// What is known of the child at a place.
    fn probe_child(
        &mut self,
        place: usize,
        node: &Node,
        expansion: &mut LocalExpansion,
        flights: &OnceCell<Bitboard>,
    ) -> SearchResult {
        let attacker_to_move = expansion.attacker_to_move;
        let (mv, key) = (self.children[place].mv, self.children[place].key);
        let child_len = node.len.previous();
        // After a defence at least an attack must fit into the bound.
        let out_of_plies = !attacker_to_move && node.len.0 < 2;
        if out_of_plies {
            return SearchResult::disproven(key.hand, MateLen::ZERO, ANY_PATH, 1, None);
        }
        if let Some(ply) = self.path.find(key) {
            return SearchResult::disproven(key.hand, child_len, ply, 1, None);
        }
        let pos = &self.pos;
        let known = self.table.probe(key, node.key, expansion.depth + 1, child_len, || {
            if attacker_to_move {
                let flights = flights.get_or_init(|| one_ply::flights(pos));
                estimate::after_attack(pos, mv, *flights)
            } else {
                estimate::after_defence(pos, mv)
            }
        });
        self.children[place].other_parent = known.other_parent;
        if let Some(decided) = known.decided() {
            return decided;
        }
        if known.may_repeat
            && let Some(disproof) = self.repetitions.probe(path_after(node.path, mv), child_len)
        {
            return SearchResult::disproven(key.hand, MateLen(disproof.len), disproof.repetition_start, 1, None);
        }
        expansion.old_child |= known.old_child;
        let new = known.first_visit && !known.leaf_searched;
        let mut least_dn = 0;
        if !attacker_to_move && (new || child_len <= LEAF_MAX_LEN) {
            self.pos.do_move(mv);
            let leaf = self.leaf(child_len);
            self.pos.undo_move();
            match leaf {
                Leaf::Decided(leaf) => {
                    // A leaf's result holds on every path.
                    self.store(key, expansion.depth + 1, &leaf, 0, Some(node.key));
                    return leaf;
                }
                Leaf::Open(dn) => {
                    self.table.mark_leaf_searched(key, expansion.depth + 1);
                    least_dn = dn;
                }
            }
        }
        let mut result = known.result(key.hand, child_len);
        result.dn = result.dn.max(least_dn);
        result
    }

    /// Probes the children that the one at a place releases.
    pub(super) fn release(&mut self, mut place: usize, node: &Node, expansion: &mut LocalExpansion) {
        let flights = OnceCell::new();
        loop {
            let (before, index) = (self.children[place], (place - expansion.start) as u16);
            let released = |child: &Child| {
                child.unseen && child.waits_for == index && before.releases(child.mv, expansion.attacker_to_move)
            };
            let Some(next) = (place + 1..expansion.end).find(|&next| released(&self.children[next])) else {
                return;
            };
            self.children[next].unseen = false;
            self.children[next].result = self.probe_child(next, node, expansion, &flights);
            place = next;
        }
    }

    /// A shallow search of a new attacker's node, or of one close to the bound: no check at all, mate in one, or within
    /// [`LEAF_MAX_LEN`] all there is to know; otherwise how many checks must be refuted.
    fn leaf(&mut self, len: MateLen) -> Leaf {
        self.count_nodes(1);
        let mut list = MoveList::new();
        moves::append_attacks(&self.pos, &mut list);
        if list.is_empty() {
            let hand = proof_hand::without_new_checks(&self.pos, proof_hand::both_hands(&self.pos));
            return Leaf::Decided(SearchResult::disproven(hand, MateLen::UNLIMITED, ANY_PATH, 1, None));
        }
        let mate = (len.0 >= 1).then(|| mate_without_capturable(&mut self.pos, &list, self.left_out));
        if let Some(mv) = mate.flatten() {
            let hand = three_plies::mating_hand(&mut self.pos, mv);
            return Leaf::Decided(SearchResult::proven(hand, MateLen(1), 1, Some(mv)));
        }
        if len.0 < 3 {
            let hand = self.pos.hand(self.attacker);
            return Leaf::Decided(SearchResult::disproven(hand, len, ANY_PATH, 1, None));
        }
        if len <= LEAF_MAX_LEN {
            let mut nodes = 0;
            let result = three_plies::decide(&mut self.pos, &list, len, self.left_out, &mut nodes);
            self.count_nodes(nodes);
            return Leaf::Decided(result);
        }
        // A unit for each check (the mobility of df-pn+; Nagai and Imai 2002): with a plain unit the node would be the
        // defender's favourite however many checks there are.
        Leaf::Open(list.len() as PnDn * UNIT)
    }
}
