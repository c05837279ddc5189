//! One worker: its position, the shared table and limits, and the stack of the depth-first search.

use super::super::control::{MateControl, Reporter};
use super::super::expansion::{Child, LocalExpansion};
use super::super::key::NodeKey;
use super::super::path::SearchPath;
use super::super::repetition::RepetitionTable;
use super::super::settings::FutileInterpositions;
use super::super::table::MateTable;
#[cfg(test)]
use super::super::{expansion::Node, mate_len::MateLen};
use super::team::Team;
use crate::platform::random::mix;
use crate::position::Position;
use crate::types::{Color, Move};

/// One search from one root.
pub(in crate::mate) struct DfPnWorker<'a> {
    pub(super) pos: Position,
    pub(super) attacker: Color,
    pub(super) table: &'a MateTable,
    pub(super) control: &'a MateControl<'a>,
    pub(super) reporter: Option<Reporter<'a>>,
    pub(super) repetitions: RepetitionTable,
    pub(super) path: SearchPath,
    /// The children of all nodes on the path, one node's after the other's.
    pub(super) children: Vec<Child>,
    /// The nodes on the path.
    pub(super) expansions: Vec<LocalExpansion>,
    /// Nodes that the control has not been told of.
    unreported: u32,
    pub(super) nodes: u64,
    /// The defender makes no interposition that may be futile by this convention and can be captured with check. Mates
    /// are then never longer than by that convention.
    pub(super) left_out: FutileInterpositions,
    /// Some line was cut at the greatest depth.
    pub(in crate::mate) too_deep: bool,
    /// The search was told to stop.
    pub(super) halted: bool,
    /// Start of the path keys of one search: paths from different roots must differ.
    pub(super) path_seed: u64,
    /// Workers with different numbers prefer different moves among equals.
    pub(super) number: usize,
    /// The workers that search the same root with the same table, this one among them.
    pub(super) team: Option<&'a Team>,
    /// What others search of the children that are looked at; kept for its memory.
    pub(super) busy: Vec<u64>,
}

impl<'a> DfPnWorker<'a> {
    /// A worker on a position in which `attacker` mates.
    pub(in crate::mate) fn new(
        pos: Position,
        attacker: Color,
        table: &'a MateTable,
        control: &'a MateControl<'a>,
        number: usize,
    ) -> Self {
        Self {
            pos,
            attacker,
            table,
            control,
            reporter: None,
            repetitions: RepetitionTable::new(),
            path: SearchPath::new(),
            children: Vec::with_capacity(1024),
            expansions: Vec::with_capacity(64),
            unreported: 0,
            nodes: 0,
            left_out: FutileInterpositions::None,
            too_deep: false,
            halted: false,
            path_seed: 0,
            number,
            team: None,
            busy: Vec::new(),
        }
    }

    /// The same worker, reporting its progress.
    pub(in crate::mate) fn reporting(mut self, reporter: Reporter<'a>) -> Self {
        self.reporter = Some(reporter);
        self
    }

    /// The same worker, which shares the work with the others of a team.
    pub(in crate::mate) fn in_team(mut self, team: Option<&'a Team>) -> Self {
        self.team = team;
        self
    }

    /// The same worker, for a defender who makes no interposition that may be futile and can be captured with check.
    /// Its table must hold results of such workers only.
    pub(in crate::mate) fn leaving_out(mut self, futile: FutileInterpositions) -> Self {
        self.left_out = futile;
        self
    }

    /// Whom the worker reports to.
    pub(in crate::mate) fn reporter(&mut self) -> Option<&mut Reporter<'a>> {
        self.reporter.as_mut()
    }

    /// The worker's current position.
    pub(in crate::mate) fn position(&mut self) -> &mut Position {
        &mut self.pos
    }

    /// Whether this worker looks at moves from the last to the first, so that it meets another one in the middle.
    pub(in crate::mate) fn prefers_the_last(&self) -> bool {
        self.number % 2 == 1
    }

    /// Whether the attacker is to move.
    pub(in crate::mate) fn attacker_to_move(&self) -> bool {
        self.pos.side_to_move() == self.attacker
    }

    /// The key of the worker's position.
    pub(in crate::mate) fn key(&self) -> NodeKey {
        NodeKey::of(&self.pos, self.attacker)
    }

    /// Calls `work` with another position in place of the worker's.
    pub(in crate::mate) fn with_position<R>(&mut self, other: Position, work: impl FnOnce(&mut Self) -> R) -> R {
        let own = std::mem::replace(&mut self.pos, other);
        let result = work(self);
        self.pos = own;
        result
    }

    /// Whether the search was told to stop.
    pub(in crate::mate) fn halted(&self) -> bool {
        self.halted
    }

    /// Tells the control of the nodes it does not know of yet, and clears a stop that was meant for one search only.
    pub(in crate::mate) fn resume(&mut self) {
        self.control.count(u64::from(self.unreported));
        self.unreported = 0;
        self.halted = self.control.is_exhausted();
    }

    /// Clears the stack for a search of `key` with `seed_extra` in its path keys.
    pub(super) fn reset_stack(&mut self, key: NodeKey, seed_extra: u64) {
        self.path.clear();
        self.children.clear();
        self.expansions.clear();
        self.path_seed = mix(key.board ^ u64::from(key.hand.bits()) << 20 ^ seed_extra);
    }

    /// The moves of the current line.
    fn line(&self) -> Vec<Move> {
        self.expansions
            .iter()
            .filter(|node| node.start + node.current < node.end)
            .map(|node| self.children[node.start + node.current].mv)
            .collect()
    }

    /// Nodes searched and counted so far.
    pub(in crate::mate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts nodes; now and then looks at the limits and reports.
    #[inline]
    pub(in crate::mate) fn count_nodes(&mut self, nodes: u32) {
        self.nodes += u64::from(nodes);
        self.unreported += nodes;
        if self.unreported >= 128 {
            self.control.count(u64::from(self.unreported));
            self.unreported = 0;
            self.halted |= self.control.must_stop();
            self.report();
        }
    }

    /// Reports the progress if a report is due.
    fn report(&mut self) {
        let Some(mut reporter) = self.reporter.take() else {
            return;
        };
        if reporter.is_due() {
            let line = self.line();
            reporter.report(self.control.nodes(), self.table.hashfull(), line);
        }
        self.reporter = Some(reporter);
    }

    /// A small number that makes the workers of one search prefer different moves; 0 for the first worker.
    #[inline(always)]
    pub(super) fn tie_break(&self, mv: Move) -> i16 {
        if self.number == 0 { 0 } else { (mix(self.number as u64 ^ u64::from(mv.bits())) & 7) as i16 }
    }
}

/// For tests: calls `work` with the first worker of a team, or one alone, at a position where Black mates.
#[cfg(test)]
pub(super) fn with_worker(sfen: &str, team: Option<&Team>, work: impl FnOnce(&mut DfPnWorker)) {
    let pos = Position::from_sfen(sfen).unwrap();
    let (table, stop) = (MateTable::new(1), std::sync::atomic::AtomicBool::new(false));
    let control = MateControl::new(&stop, None, None);
    work(&mut DfPnWorker::new(pos, Color::Black, &table, &control, 0).in_team(team));
}

#[cfg(test)]
impl DfPnWorker<'_> {
    /// The root, opened as the search opens a node.
    pub(super) fn open_root(&mut self) -> (Node, LocalExpansion) {
        let node = Node { key: self.key(), path: 1, len: MateLen::UNLIMITED, max_mask: 0 };
        self.reset_stack(node.key, 0);
        let expansion = self.expand(node, 0);
        self.expansions.push(expansion);
        (node, expansion)
    }
}
