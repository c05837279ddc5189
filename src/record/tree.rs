//! The record itself: headers, a start, and a tree of moves.

use std::time::Duration;

use super::{Diagram, End, Handicap};
use crate::types::{Color, Move};

/// A line of text that belongs to a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comment {
    /// A comment for the reader: `*` in KIF and KI2, `'*` in CSA.
    Text(String),
    /// A remark that programs skip: `#` in KIF and KI2, `'` in CSA.
    Remark(String),
}

impl Comment {
    /// The line without its mark.
    pub fn line(&self) -> &str {
        match self {
            Self::Text(line) | Self::Remark(line) => line,
        }
    }
}

/// Time used for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time for this move.
    pub spent: Duration,
    /// Time that the player has used in the whole game, where the source says so.
    pub total: Option<Duration>,
}

/// What a node adds to the line of play that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// The root: the starting position.
    Start,
    /// A move.
    Move(Move),
    /// The end of the line.
    End(End),
}

/// The place of a node in its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every record.
    pub const ROOT: Self = Self(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// One entry of the tree.
#[derive(Clone, Debug)]
pub struct Node {
    action: Action,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    /// The lines below the move, in order.
    pub comments: Vec<Comment>,
    /// The name of a bookmark (しおり, `&` in KIF).
    pub bookmark: Option<String>,
    /// The clock.
    pub clock: Option<Clock>,
}

impl Node {
    fn new(action: Action, parent: Option<NodeId>) -> Self {
        Self { action, parent, children: Vec::new(), comments: Vec::new(), bookmark: None, clock: None }
    }

    /// What the node adds.
    pub fn action(&self) -> &Action {
        &self.action
    }

    /// The move, where it is one.
    pub fn mv(&self) -> Option<Move> {
        match self.action {
            Action::Move(mv) => Some(mv),
            _ => None,
        }
    }

    /// The end, where it is one.
    pub fn end(&self) -> Option<&End> {
        match &self.action {
            Action::End(end) => Some(end),
            _ => None,
        }
    }

    /// The node before; `None` for the root.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The continuations: the game (or what the file gives first), then the variations.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }
}

/// A starting position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The diagram.
    pub diagram: Diagram,
    /// The handicap that names it, where one does and the source did not draw it.
    pub handicap: Option<Handicap>,
    /// The number of the first move; 1 except where an SFEN says otherwise.
    pub move_number: u32,
}

impl Start {
    /// The start of a game with a handicap, 平手 among them.
    pub fn of(handicap: Handicap) -> Self {
        Self { diagram: handicap.diagram(), handicap: Some(handicap), move_number: 1 }
    }

    /// A start drawn by hand; a usual one is recognised.
    pub fn from_diagram(diagram: Diagram) -> Self {
        Self { handicap: Handicap::of(&diagram), diagram, move_number: 1 }
    }

    /// SFEN with the move number.
    pub fn to_sfen(&self) -> String {
        self.diagram.to_sfen(self.move_number)
    }
}

/// A game, a problem or a study.
#[derive(Clone, Debug)]
pub struct Record {
    /// Headers in order, by KIF's names (`先手`, `棋戦`, ...); those of CSA that KIF has no name for keep their `$`.
    pub headers: Vec<(String, String)>,
    /// Remarks above everything else, one a line.
    pub remarks: Vec<String>,
    /// The starting position.
    pub start: Start,
    nodes: Vec<Node>,
}

impl Record {
    /// A record without moves.
    pub fn new(start: Start) -> Self {
        Self { headers: Vec::new(), remarks: Vec::new(), start, nodes: vec![Node::new(Action::Start, None)] }
    }

    /// A node. Ids come from this record, so they are always there; an id of another record may give any node.
    pub fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id.index()).unwrap_or(&self.nodes[0])
    }

    /// A node to change, see [`Record::node`].
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        let index = if id.index() < self.nodes.len() { id.index() } else { 0 };
        &mut self.nodes[index]
    }

    /// Every node, parents before children.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Adds a continuation after `parent`, behind those that are there.
    pub fn add(&mut self, parent: NodeId, action: Action) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node::new(action, Some(parent)));
        self.node_mut(parent).children.push(id);
        id
    }

    /// The nodes from the root to `id`, both included.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = vec![id];
        let mut at = id;
        while let Some(parent) = self.node(at).parent {
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }

    /// The number of nodes above `id`: 0 for the root, `n` for the n-th move.
    pub fn ply(&self, id: NodeId) -> usize {
        let (mut ply, mut at) = (0, id);
        while let Some(parent) = self.node(at).parent {
            ply += 1;
            at = parent;
        }
        ply
    }

    /// The game itself: from the root along the first continuations.
    pub fn main_line(&self) -> Vec<NodeId> {
        let mut line = vec![NodeId::ROOT];
        let mut at = NodeId::ROOT;
        while let Some(&next) = self.node(at).children.first() {
            line.push(next);
            at = next;
        }
        line
    }

    /// The last node of the game itself.
    pub fn main_end(&self) -> NodeId {
        let mut at = NodeId::ROOT;
        while let Some(&next) = self.node(at).children.first() {
            at = next;
        }
        at
    }

    /// The moves from the start to `id`.
    pub fn moves_to(&self, id: NodeId) -> Vec<Move> {
        self.path(id).into_iter().filter_map(|id| self.node(id).mv()).collect()
    }

    /// The diagram at a node. Readers add only moves that can be carried out; of others the rest is left away.
    pub fn diagram_at(&self, id: NodeId) -> Diagram {
        let mut diagram = self.start.diagram.clone();
        for mv in self.moves_to(id) {
            if diagram.apply(mv).is_err() {
                break;
            }
        }
        diagram
    }

    /// Who is to move at a node.
    pub fn turn_at(&self, id: NodeId) -> Color {
        let start = self.start.diagram.turn();
        if self.moves_to(id).len().is_multiple_of(2) { start } else { !start }
    }

    /// The destination of the move that leads to a node, which 同 stands for.
    pub(super) fn last_to(&self, id: NodeId) -> Option<crate::types::Square> {
        self.node(id).mv().map(Move::to)
    }

    /// The value of a header.
    pub fn header(&self, key: &str) -> Option<&str> {
        self.headers.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// Sets a header, in its place where it is there, at the end otherwise.
    pub fn set_header(&mut self, key: &str, value: &str) {
        match self.headers.iter_mut().find(|(name, _)| name == key) {
            Some((_, old)) => value.clone_into(old),
            None => self.headers.push((key.to_owned(), value.to_owned())),
        }
    }

    /// The header that names a side: 先手 and 後手, or 下手 and 上手 in a handicap game.
    pub fn side_name(&self, color: Color) -> &'static str {
        let handicap = self.headers.iter().any(|(key, _)| key == "上手" || key == "下手")
            || matches!(self.start.handicap, Some(handicap) if handicap != Handicap::Even)
                && self.header("先手").is_none()
                && self.header("後手").is_none();
        match (handicap, color) {
            (false, Color::Black) => "先手",
            (false, Color::White) => "後手",
            (true, Color::Black) => "下手",
            (true, Color::White) => "上手",
        }
    }

    /// A player's name; `None` where it is missing or empty.
    pub fn player(&self, color: Color) -> Option<&str> {
        self.header(self.side_name(color)).filter(|name| !name.is_empty())
    }

    /// The time that the player of the move at `id` has used up to it: as the source says, or the sum along the line.
    pub(super) fn total_time(&self, id: NodeId) -> Option<Duration> {
        let clock = self.node(id).clock?;
        if clock.total.is_some() {
            return clock.total;
        }
        let ply = self.ply(id);
        Some(
            self.path(id)
                .into_iter()
                .enumerate()
                .filter(|&(at, _)| at % 2 == ply % 2)
                .filter_map(|(_, id)| self.node(id).clock)
                .map(|clock| clock.spent)
                .sum(),
        )
    }

    /// Whether any node has a clock.
    pub(super) fn has_clocks(&self) -> bool {
        self.nodes.iter().any(|node| node.clock.is_some())
    }

    /// Whether any node has more than one continuation.
    pub fn has_variations(&self) -> bool {
        self.nodes.iter().any(|node| node.children.len() > 1)
    }

    /// A sentence on the variations left out, for formats that hold only the game itself.
    pub(super) fn variations_lost(&self) -> Option<String> {
        let count: usize = self.nodes.iter().map(|node| node.children.len().saturating_sub(1)).sum();
        (count > 0).then(|| format!("{count} variation(s) are left out: the format has no place for them"))
    }
}
