//! The search: depth-first proof-number search (Nagai and Imai, df-pn アルゴリズムの詰将棋を解くプログラムへの応用, 2002).
//!
//! At every node the child with the smallest number of the side to move is searched until its numbers pass thresholds
//! that say when another node of the tree is worth more. Around that core: children ([`expand`]), first guesses
//! ([`super::estimate`]), thresholds with a margin and weak sums ([`super::expansion`]), dominance ([`super::table`]),
//! repetitions by path ([`super::repetition`]), delayed moves ([`super::delay`]), double counting
//! ([`Worker::uncount_double`]) and the control of thresholds where a line leads back towards the root
//! ([`Worker::visit`]).

mod expand;

use super::control::{Control, Reporter};
use super::expansion::{Child, Frame};
use super::key::{NodeKey, path_after};
use super::number::{INFINITE, MateLen, Number, UNIT, sum};
use super::outcome::{ANY_PATH, Outcome};
use super::path::Path;
use super::proof_hand;
use super::repetition::RepetitionTable;
use super::table::{Numbers, Table};
use crate::platform::random::mix;
use crate::position::Position;
use crate::types::{Color, Hand, Move};

/// The longest line, in plies from the root; a line that reaches it is given up, and with it a proof that there is no
/// mate.
pub(super) const MAX_DEPTH: usize = 6000;

/// A line of the search that goes on although its numbers grow this far beyond an ancestor's is a tributary of its
/// own: what it shares with other lines no longer decides the ancestor's numbers.
const TRIBUTARY: Number = 2 * UNIT;

/// Up to this bound an attacker's node is decided at once.
const AT_ONCE: MateLen = MateLen(4);

/// One search from one root.
pub(super) struct Worker<'a> {
    pos: Position,
    attacker: Color,
    table: &'a Table,
    control: &'a Control<'a>,
    reporter: Option<Reporter<'a>>,
    repetitions: RepetitionTable,
    path: Path,
    children: Vec<Child>,
    frames: Vec<Frame>,
    /// Nodes since the control was last told.
    unreported: u32,
    nodes: u64,
    /// Some line was cut at [`MAX_DEPTH`].
    pub(super) too_deep: bool,
    /// The search was told to stop.
    halted: bool,
    seed: u64,
    /// Workers with different numbers prefer different moves among equals.
    number: u64,
}

/// The node that the search enters.
#[derive(Clone, Copy)]
struct Entering {
    key: NodeKey,
    path: u64,
    len: MateLen,
    max_mask: u64,
}

impl<'a> Worker<'a> {
    /// A worker on a position, in which `attacker` mates.
    pub(super) fn new(pos: Position, attacker: Color, table: &'a Table, control: &'a Control<'a>, number: u64) -> Self {
        Self {
            pos,
            attacker,
            table,
            control,
            reporter: None,
            repetitions: RepetitionTable::new(),
            path: Path::new(),
            children: Vec::with_capacity(1024),
            frames: Vec::with_capacity(64),
            unreported: 0,
            nodes: 0,
            too_deep: false,
            halted: false,
            seed: 0,
            number,
        }
    }

    /// The same worker, reporting its progress.
    pub(super) fn reporting(mut self, reporter: Reporter<'a>) -> Self {
        self.reporter = Some(reporter);
        self
    }

    /// Whom the worker reports to.
    pub(super) fn reporter(&mut self) -> Option<&mut Reporter<'a>> {
        self.reporter.as_mut()
    }

    /// The position that the worker stands on.
    pub(super) fn position(&mut self) -> &mut Position {
        &mut self.pos
    }

    /// Whether the side to move of that position attacks.
    pub(super) fn attacker_to_move(&self) -> bool {
        self.pos.side_to_move() == self.attacker
    }

    /// Whether the search was told to stop.
    pub(super) fn halted(&self) -> bool {
        self.halted
    }

    /// Tells the control of the nodes it does not know of yet, and forgets a stop that was meant for one search only.
    pub(super) fn resume(&mut self) {
        self.control.count(u64::from(self.unreported));
        self.unreported = 0;
        self.halted = self.control.is_exhausted();
    }

    /// Whether the position would be a mate within `len` if the attacker held only `held` and the defender all else.
    /// What the table does not know is searched where that is soon done, or where it has to be `certain`.
    pub(super) fn mates_with(&mut self, held: Hand, len: MateLen, certain: bool) -> bool {
        let key = NodeKey { hand: held, ..NodeKey::of(&self.pos, self.attacker) };
        let found = self.table.look_up(key, key, 0, len, || (UNIT, UNIT));
        if found.pn == 0 || found.dn == 0 || !certain && len > AT_ONCE {
            return found.pn == 0;
        }
        let Some(other) = proof_hand::with_hand(&self.pos, self.attacker, held) else {
            return false;
        };
        let own = std::mem::replace(&mut self.pos, other);
        let outcome = self.search(len);
        self.pos = own;
        outcome.is_proven()
    }

    /// What the attacker holds.
    pub(super) fn attacker_hand(&self) -> Hand {
        self.pos.hand(self.attacker)
    }

    /// Searches the position for a mate within `len` until it is decided or the control stops the search.
    pub(super) fn search(&mut self, len: MateLen) -> Outcome {
        let key = NodeKey::of(&self.pos, self.attacker);
        self.path.clear();
        self.children.clear();
        self.frames.clear();
        // Paths from another root must not be taken for paths from this one.
        self.seed = mix(key.board ^ u64::from(key.hand.bits()) << 20 ^ u64::from(len.0));
        let found = self.table.look_up(key, key, 0, len, || (UNIT, UNIT));
        if found.pn == 0 {
            return Outcome::proven(found.hand, found.len, found.amount, found.best);
        }
        if found.dn == 0 {
            return Outcome::disproven(found.hand, found.len, ANY_PATH, found.amount, found.best);
        }
        let mut extend = 0;
        let mut thresholds = (found.pn.max(UNIT), found.dn.max(UNIT));
        loop {
            let entering = Entering { key, path: self.seed, len, max_mask: found.max_mask };
            let outcome = self.visit(entering, thresholds, &mut extend);
            self.store(key, 0, &outcome, self.seed, None);
            if outcome.is_proven() || outcome.is_disproven() || self.halted {
                return outcome;
            }
            let next = |number: Number, threshold: Number| {
                if number >= threshold { sum(number, number / 2 + 1).min(INFINITE - 1) } else { threshold }
            };
            thresholds = (next(outcome.pn, thresholds.0), next(outcome.dn, thresholds.1));
            if outcome.pn >= INFINITE - 1 || outcome.dn >= INFINITE - 1 {
                self.too_deep = true;
                return outcome;
            }
        }
    }

    /// The moves of the current line.
    pub(super) fn line(&self) -> Vec<Move> {
        self.frames
            .iter()
            .filter(|frame| frame.start + frame.current < frame.end)
            .map(|frame| self.children[frame.start + frame.current].mv)
            .collect()
    }

    /// Searches the node that the position stands on until one of its numbers reaches its threshold.
    ///
    /// Where a child's numbers come from a visit nearer to the root, the line may lead back to where it came from and
    /// each pass would return at once with the same numbers: then `extend` lifts the thresholds until a new leaf is
    /// reached (threshold controlling algorithm; Kishimoto 2010).
    fn visit(&mut self, node: Entering, thresholds: (Number, Number), extend: &mut u32) -> Outcome {
        let nodes_before = self.nodes;
        self.count_node();
        let depth = self.frames.len();
        if depth >= MAX_DEPTH {
            self.too_deep = true;
            return Outcome::disproven(node.key.hand, node.len, 0, 1, None);
        }
        self.path.push(node.key);
        let frame = self.expand(node, depth as u16);
        let (start, end) = (frame.start, frame.end);
        self.frames.push(frame);
        let entered_with = *extend;
        if frame.old_child {
            *extend += 1;
        }
        let mut summary = frame.summary(&mut self.children[start..end]);
        let mut outcome = frame.outcome(&self.pos, &self.children[start..end], &summary);
        while outcome.pn != 0 && outcome.dn != 0 && !self.halted {
            let mut limits = thresholds;
            if *extend > 0 {
                limits = (limits.0.max(outcome.pn + 1), limits.1.max(outcome.dn + 1));
            }
            if outcome.pn >= limits.0 || outcome.dn >= limits.1 {
                break;
            }
            let place = start + summary.best;
            let child = self.children[place];
            self.frames[depth].current = summary.best;
            if !child.outcome.first_visit && child.foreign {
                self.uncount_double(node.key, child.key);
            }
            if child.outcome.first_visit {
                *extend = extend.saturating_sub(1);
            }
            let child_limits = self.frames[depth].thresholds(&summary, limits);
            let path = path_after(node.path, child.mv);
            let entering =
                Entering { key: child.key, path, len: node.len.previous(), max_mask: child.outcome.max_mask };
            self.pos.do_move(child.mv);
            let mut result = self.visit(entering, child_limits, extend);
            self.pos.undo_move();
            result.first_visit = false;
            result.amount = result.amount.max(child.outcome.amount);
            self.store(child.key, depth as u16 + 1, &result, path, Some(node.key));
            let child = &mut self.children[place];
            child.outcome = result;
            child.foreign = false;
            let mut frame = self.frames[depth];
            if result.delta(frame.attacker_to_move) == 0 {
                self.release(place, &node, &mut frame);
            }
            summary = frame.summary(&mut self.children[start..end]);
            outcome = frame.outcome(&self.pos, &self.children[start..end], &summary);
        }
        *extend = (*extend).min(entered_with);
        self.frames.pop();
        self.children.truncate(start);
        self.path.pop();
        let searched = (self.nodes - nodes_before).min(u64::from(u32::MAX / 2)) as u32;
        outcome.amount = outcome.amount.max(searched);
        outcome
    }

    /// Keeps what was found of a node.
    fn store(&mut self, key: NodeKey, depth: u16, outcome: &Outcome, path: u64, parent: Option<NodeKey>) {
        if outcome.is_proven() {
            self.table.store_proof(key.board, outcome.hand, outcome.len, outcome.amount, outcome.best);
        } else if outcome.is_disproven() {
            if outcome.start == ANY_PATH {
                self.table.store_disproof(key.board, outcome.hand, outcome.len, outcome.amount, outcome.best);
            } else {
                self.repetitions.store(path, outcome.len, outcome.start);
                self.table.store_repetition(key, depth);
            }
        } else {
            let numbers =
                Numbers { pn: outcome.pn, dn: outcome.dn, amount: outcome.amount, max_mask: outcome.max_mask };
            self.table.store_numbers(key, depth, numbers, parent);
        }
    }

    /// Looks whether the child about to be searched was last reached from elsewhere and whether that other way parts
    /// from the current line at one of its nodes. If so the child's numbers reach that node twice, and both of its
    /// children count by maximum from now on (Nagai 2002; Kishimoto 2010; the walk along the table's parents is
    /// KomoringHeights').
    fn uncount_double(&mut self, node: NodeKey, child: NodeKey) {
        let mut key = child;
        let mut last = (INFINITE, INFINITE);
        let (mut pn_shared, mut dn_shared) = (true, true);
        for step in 0..self.frames.len() {
            let Some((parent, pn, dn)) = self.table.parent(key) else {
                return;
            };
            if step == 0 && parent == node {
                return;
            }
            pn_shared &= pn <= sum(last.0, TRIBUTARY);
            dn_shared &= dn <= sum(last.1, TRIBUTARY);
            if !pn_shared && !dn_shared {
                return;
            }
            if let Some(ply) = self.path.find_exact(parent) {
                let frame = self.frames[ply];
                let current = frame.start + frame.current;
                let shared = if frame.attacker_to_move { dn_shared } else { pn_shared };
                if !shared || current >= frame.end || self.children[current].key == key {
                    return;
                }
                let other = (frame.start..frame.end).find(|&place| self.children[place].key == key);
                for place in [Some(current), other].into_iter().flatten() {
                    self.children[place].by_maximum = true;
                    let bit = place - frame.start;
                    if bit < 64 {
                        self.frames[ply].max_mask |= 1 << bit;
                    }
                }
                return;
            }
            key = parent;
            last = (pn, dn);
        }
    }

    #[inline]
    fn count_node(&mut self) {
        self.count_nodes(1);
    }

    #[inline]
    fn count_nodes(&mut self, nodes: u32) {
        self.nodes += u64::from(nodes);
        self.unreported += nodes;
        if self.unreported >= 128 {
            self.control.count(u64::from(self.unreported));
            self.unreported = 0;
            self.halted |= self.control.must_stop();
            self.report();
        }
    }

    /// Reports the progress if it is time to.
    fn report(&mut self) {
        let Some(mut reporter) = self.reporter.take() else {
            return;
        };
        if reporter.is_due() {
            let line = self.line();
            reporter.report(self.control.nodes(), self.table.fill(), line);
        }
        self.reporter = Some(reporter);
    }
}
