//! The record: headers, a starting position and a tree of moves.

use std::time::Duration;

use super::{End, FileFormat, Handicap, TimeUsed};
use crate::platform::wording::counted;
use crate::position::Board;
use crate::types::{Color, Move, Square};

/// A line of text below a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comment {
    /// A comment: `*` in KIF and KI2, `'*` in CSA.
    Text(String),
    /// A remark, which programs do not show: `#` in KIF and KI2, `'` in CSA.
    Remark(String),
    /// A line that the reader of a format did not understand. Written back as it is in that format, as a remark in
    /// others.
    Unknown(FileFormat, String),
}

impl Comment {
    /// The text without its mark.
    pub fn line(&self) -> &str {
        match self {
            Self::Text(line) | Self::Remark(line) | Self::Unknown(_, line) => line,
        }
    }
}

/// What a node stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// The root: the starting position.
    Start,
    /// A move.
    Move(Move),
    /// The end of the line.
    End(End),
}

/// Identifies a node of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every record.
    pub const ROOT: Self = Self(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of the tree.
#[derive(Clone, Debug)]
pub struct Node {
    action: Action,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    /// The lines of text below the move.
    pub comments: Vec<Comment>,
    /// The name of a bookmark (しおり, `&` in KIF).
    pub bookmark: Option<String>,
    /// Time used for the move.
    pub clock: Option<TimeUsed>,
}

impl Node {
    fn new(action: Action, parent: Option<NodeId>) -> Self {
        Self { action, parent, children: Vec::new(), comments: Vec::new(), bookmark: None, clock: None }
    }

    /// What the node stands for.
    pub fn action(&self) -> &Action {
        &self.action
    }

    /// The move, if the node is one.
    pub fn mv(&self) -> Option<Move> {
        match self.action {
            Action::Move(mv) => Some(mv),
            _ => None,
        }
    }

    /// The end, if the node is one.
    pub fn end(&self) -> Option<&End> {
        match &self.action {
            Action::End(end) => Some(end),
            _ => None,
        }
    }

    /// The parent; `None` for the root.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The continuations: the main line first, then the variations.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }
}

/// A starting position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The position.
    pub diagram: Board,
    /// The handicap with this starting position, if there is one.
    pub handicap: Option<Handicap>,
    /// The number of the first move in its game; 1 unless the source says otherwise.
    pub move_number: u32,
}

impl Start {
    /// The starting position of a handicap, 平手 included.
    pub fn of(handicap: Handicap) -> Self {
        Self { diagram: handicap.diagram(), handicap: Some(handicap), move_number: 1 }
    }

    /// A starting position given piece by piece; those of handicaps are recognised.
    pub fn from_diagram(diagram: Board) -> Self {
        Self { handicap: Handicap::of(&diagram), diagram, move_number: 1 }
    }

    /// SFEN with the move number.
    pub fn to_sfen(&self) -> String {
        self.diagram.to_sfen(self.move_number)
    }
}

/// A line above the moves that the reader of a format did not understand. Written back as it is, and where it was, in
/// that format; as a remark in others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLine {
    /// The number of headers above it.
    pub headers_above: usize,
    /// The format.
    pub format: FileFormat,
    /// The line.
    pub line: String,
}

/// The move before the starting position, as a diagram gives it (手数＝171　▲６二角成　まで).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviousMove {
    /// As written.
    pub text: String,
    /// Its destination, if the text is a move.
    pub to: Option<Square>,
}

/// A game, a problem or a study.
#[derive(Clone, Debug)]
pub struct Record {
    /// Headers in order, by their KIF names (`先手`, `棋戦`, ...); CSA headers without a KIF name keep their `$`.
    pub headers: Vec<(String, String)>,
    /// Remarks above the headers, one a line.
    pub remarks: Vec<String>,
    /// Lines among the headers that were not understood.
    pub unknown_lines: Vec<UnknownLine>,
    /// The number of the first row in KIF; 1 unless the file numbers its rows otherwise.
    pub first_number: u32,
    /// The move that led to the starting position, if a diagram gives it.
    pub previous_move: Option<PreviousMove>,
    /// The version that a CSA file declares (`V2.2`).
    pub csa_version: Option<String>,
    /// The starting position.
    pub start: Start,
    nodes: Vec<Node>,
}

impl Record {
    /// A record without moves.
    pub fn new(start: Start) -> Self {
        Self {
            headers: Vec::new(),
            remarks: Vec::new(),
            unknown_lines: Vec::new(),
            first_number: 1,
            previous_move: None,
            csa_version: None,
            start,
            nodes: vec![Node::new(Action::Start, None)],
        }
    }

    /// The node of an id. An id of another record gives an arbitrary node.
    pub fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id.index()).unwrap_or(&self.nodes[0])
    }

    /// Mutable access, see [`Record::node`].
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        let index = if id.index() < self.nodes.len() { id.index() } else { 0 };
        &mut self.nodes[index]
    }

    /// Every node, parents before children.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Appends a continuation to `parent`.
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

    /// The distance from the root: 0 for the root, `n` for the n-th move.
    pub fn ply(&self, id: NodeId) -> usize {
        let (mut ply, mut at) = (0, id);
        while let Some(parent) = self.node(at).parent {
            ply += 1;
            at = parent;
        }
        ply
    }

    /// The main line: the root and all first continuations.
    pub fn main_line(&self) -> Vec<NodeId> {
        let mut line = vec![NodeId::ROOT];
        let mut at = NodeId::ROOT;
        while let Some(&next) = self.node(at).children.first() {
            line.push(next);
            at = next;
        }
        line
    }

    /// The last node of the main line.
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

    /// The position at a node; moves from the first impossible one on are ignored (readers never add one).
    pub fn diagram_at(&self, id: NodeId) -> Board {
        let mut diagram = self.start.diagram.clone();
        for mv in self.moves_to(id) {
            if diagram.apply(mv).is_err() {
                break;
            }
        }
        diagram
    }

    /// The side to move at a node.
    pub fn turn_at(&self, id: NodeId) -> Color {
        let start = self.start.diagram.side_to_move();
        if self.moves_to(id).len().is_multiple_of(2) { start } else { !start }
    }

    /// The destination of the node's move, which 同 refers to.
    pub(super) fn last_to(&self, id: NodeId) -> Option<Square> {
        let previous = || self.previous_move.as_ref().filter(|_| id == NodeId::ROOT)?.to;
        self.node(id).mv().map(Move::to).or_else(previous)
    }

    /// The value of a header.
    pub fn header(&self, key: &str) -> Option<&str> {
        self.headers.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// Replaces the value of a header, or appends the header.
    pub fn set_header(&mut self, key: &str, value: &str) {
        match self.headers.iter_mut().find(|(name, _)| name == key) {
            Some((_, old)) => value.clone_into(old),
            None => self.headers.push((key.to_owned(), value.to_owned())),
        }
    }

    /// The key of the header with a player's name: 先手 and 後手, or 下手 and 上手 in handicap games.
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

    /// A player's name; `None` if missing or empty.
    pub fn player(&self, color: Color) -> Option<&str> {
        self.header(self.side_name(color)).filter(|name| !name.is_empty())
    }

    /// The time that the mover has used in the game up to this node: as given by the source, or the sum along the line.
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

    /// Whether any node has a time.
    pub(super) fn has_clocks(&self) -> bool {
        self.nodes.iter().any(|node| node.clock.is_some())
    }

    /// Whether any node has more than one continuation.
    pub fn has_variations(&self) -> bool {
        self.nodes.iter().any(|node| node.children.len() > 1)
    }

    /// A sentence on the variations left out, for formats with the main line only.
    pub(super) fn variations_lost(&self) -> Option<String> {
        let count: usize = self.nodes.iter().map(|node| node.children.len().saturating_sub(1)).sum();
        (count > 0).then(|| {
            format!("{} left out: the format has no place for any", counted(count, "variation is", "variations are"))
        })
    }
}
