//! Values backed up through the graph of a book's positions.
//!
//! A position's value is that of its best move; a move's is what the position after it is worth, where the book has
//! that, and what the book says of the move otherwise. Moves that the book does not list but that lead into it count as
//! well, so that transpositions meet; a position and its twin with the colours exchanged are one. (The field knows this
//! as "peta shock", from YaneuraOu.)
//!
//! Lines that run in a circle are drawn, unless one side, and only that side, gives check with all its moves in it:
//! then it loses. This is a game on a graph in which a side wants a certain value. It gets it by reaching a good enough
//! end, or where the opponent checks for ever. So the positive values that a side can force are a fixed point with
//! three nested levels (a parity game with three priorities, as in Zielonka 1998): least over the opponent's quiet
//! moves, which must not recur for ever; greatest over the own quiet moves, which may, if the opponent has none; least
//! over the checks. The value of a position is what the mover can force of it, or else what the opponent can, or else
//! that of a draw.

use std::collections::HashMap;

use super::collection::{Collection, Entry, position};
use crate::book::{self, BookMove, Key};
use crate::position::Board;
use crate::types::{Move, Score};

/// The depth of a line that does not end.
pub const ENDLESS: u32 = 9999;
const WIN: i32 = Score::MATE.0;

/// A move of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// To a position outside: value for the mover, depth.
    Leaf(i32, u32),
    /// To the position of a number; whether the move gives check.
    Inner(usize, bool),
}

/// What a position is worth to the side to move: the value, and how long the line is that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// Centipawns.
    pub value: i32,
    /// Depth of the search at the line's end and the moves to it.
    pub depth: u32,
}

impl Worth {
    /// The same before a move of the other side.
    fn before(self) -> Self {
        Self { value: -self.value, depth: self.depth.saturating_add(1).min(ENDLESS) }
    }

    /// Of two equal values the sooner one is better where it is good, the later one where it is bad.
    fn order(self) -> (i32, i64) {
        let depth = i64::from(self.depth);
        (self.value, if self.value >= 0 { -depth } else { depth })
    }
}

/// The worth of every position of a graph; none for those from which no value can be had.
pub fn solve(graph: &[Vec<Edge>]) -> Vec<Option<Worth>> {
    let graph = &known(graph);
    let forced = Forced::solve(graph);
    let value = |at: usize| if forced.mover[at] > 0 { forced.mover[at] } else { -forced.other[at] };
    let mut worth: Vec<Worth> = (0..graph.len()).map(|at| Worth { value: value(at), depth: ENDLESS }).collect();
    // The values stand; the depths of their lines spread from the leaves.
    for _ in 0..=graph.len().min(ENDLESS as usize) {
        let next: Vec<Worth> = (0..graph.len())
            .map(|at| {
                let all = graph[at].iter().map(|&edge| edge_worth(edge, &worth));
                let best = all.filter(|found| found.value == worth[at].value).max_by_key(|found| found.order());
                best.unwrap_or(worth[at])
            })
            .collect();
        if next == worth {
            break;
        }
        worth = next;
    }
    (0..graph.len()).map(|at| (!graph[at].is_empty()).then(|| worth[at])).collect()
}

fn edge_worth(edge: Edge, worth: &[Worth]) -> Worth {
    match edge {
        Edge::Leaf(value, depth) => Worth { value, depth },
        Edge::Inner(to, _) => worth[to].before(),
    }
}

/// The graph without moves to positions that have none.
fn known(graph: &[Vec<Edge>]) -> Vec<Vec<Edge>> {
    let mut graph = graph.to_vec();
    loop {
        let is_empty: Vec<bool> = graph.iter().map(Vec::is_empty).collect();
        let mut changed = false;
        for edges in &mut graph {
            let before = edges.len();
            edges.retain(|edge| !matches!(edge, Edge::Inner(to, _) if is_empty[*to]));
            changed |= edges.len() < before;
        }
        if !changed {
            return graph;
        }
    }
}

/// The positive values that one side can force, 0 for none: where it is to move, and where the other side is.
#[derive(Clone, PartialEq, Eq)]
struct Forced {
    mover: Vec<i32>,
    other: Vec<i32>,
}

impl Forced {
    fn all(count: usize, value: i32) -> Self {
        Self { mover: vec![value; count], other: vec![value; count] }
    }

    fn solve(graph: &[Vec<Edge>]) -> Self {
        let mut quiet_enemy = Self::all(graph.len(), 0);
        loop {
            let mut quiet_own = Self::all(graph.len(), WIN);
            let greatest = loop {
                let mut checks = Self::all(graph.len(), 0);
                let least = loop {
                    let next = Self::step(graph, &quiet_enemy, &quiet_own, &checks);
                    if next == checks {
                        break next;
                    }
                    checks = next;
                };
                if least == quiet_own {
                    break least;
                }
                quiet_own = least;
            };
            if greatest == quiet_enemy {
                return greatest;
            }
            quiet_enemy = greatest;
        }
    }

    /// One move: the side chooses the best of its own, the enemy the worst.
    fn step(graph: &[Vec<Edge>], quiet_enemy: &Self, quiet_own: &Self, checks: &Self) -> Self {
        let own = |edge: &Edge| match *edge {
            Edge::Leaf(value, _) => value,
            Edge::Inner(to, true) => checks.other[to],
            Edge::Inner(to, false) => quiet_own.other[to],
        };
        let enemy = |edge: &Edge| match *edge {
            Edge::Leaf(value, _) => -value,
            Edge::Inner(to, true) => checks.mover[to],
            Edge::Inner(to, false) => quiet_enemy.mover[to],
        };
        Self {
            mover: graph.iter().map(|edges| edges.iter().map(own).max().unwrap_or(0).max(0)).collect(),
            other: graph.iter().map(|edges| edges.iter().map(enemy).min().unwrap_or(0).max(0)).collect(),
        }
    }
}

/// The smaller of the keys of a position and its twin.
pub(super) fn normal_key(board: &Board) -> Option<Key> {
    Some(book::key(board)?.min(book::key(&board.turned())?))
}

/// A move of a position with where it leads.
struct GraphMove {
    mv: Move,
    edge: Option<Edge>,
    /// Whether the position that it leads to stands in the book with the colours exchanged.
    is_turned: bool,
    /// What the book says of the move itself.
    entry: Option<BookMove>,
}

impl GraphMove {
    fn worth(&self, worth: &[Option<Worth>]) -> Option<Worth> {
        match self.edge? {
            Edge::Leaf(value, depth) => Some(Worth { value, depth }),
            Edge::Inner(to, _) => worth[to].map(Worth::before),
        }
    }
}

/// The moves of a position: those of the book that are legal, and all others that lead into the book.
fn graph_moves(entry: &Entry, ply: u16, numbers: &HashMap<Key, usize>, boards: &[&Board]) -> Vec<GraphMove> {
    let Some(mut position) = position(entry, ply) else {
        return Vec::new();
    };
    let listed: Vec<BookMove> = entry.moves().filter(|entry| position.is_legal(entry.mv)).collect();
    // A legal move that the generator leaves out may be in the book.
    let generated = position.legal_moves();
    let others = generated.iter().copied().filter(|mv| listed.iter().all(|entry| entry.mv != *mv));
    let all: Vec<(Move, Option<BookMove>)> =
        listed.iter().map(|entry| (entry.mv, Some(*entry))).chain(others.map(|mv| (mv, None))).collect();
    let mut moves = Vec::new();
    for (mv, entry) in all {
        position.do_move(mv);
        let after = Board::from(&position);
        let to = normal_key(&after).and_then(|key| numbers.get(&key).copied());
        let leaf = entry.and_then(|entry| Some(Edge::Leaf(entry.value?.clamp(-WIN, WIN), entry.depth.unwrap_or(0))));
        let edge = to.map(|to| Edge::Inner(to, position.in_check())).or(leaf);
        position.undo_move();
        if edge.is_some() || entry.is_some() {
            let is_turned = to.is_some_and(|to| *boards[to] != after);
            moves.push(GraphMove { mv, edge, is_turned, entry });
        }
    }
    moves
}

/// The book with values backed up: a move's value, depth and answer are those of the line that it leads to. Moves that
/// lead into the book are added; `within` keeps of each position only those that are at most so much worse than the
/// best, where a value is known.
pub fn back_up(collection: &Collection, within: Option<i32>) -> Collection {
    let positions: Vec<(u16, &Entry)> = collection.positions().collect();
    let boards: Vec<&Board> = positions.iter().map(|(_, entry)| &entry.board).collect();
    let mut numbers: HashMap<Key, usize> = HashMap::new();
    for (at, (_, entry)) in positions.iter().enumerate() {
        // What has no value is no end for its neighbours: what they say of their own moves counts.
        let has_value = entry.moves().any(|entry| entry.value.is_some());
        if let Some(key) = normal_key(&entry.board).filter(|_| has_value) {
            numbers.entry(key).or_insert(at);
        }
    }
    let moves: Vec<Vec<GraphMove>> =
        positions.iter().map(|&(ply, entry)| graph_moves(entry, ply, &numbers, &boards)).collect();
    let edges = |moves: &[GraphMove]| -> Vec<Edge> { moves.iter().filter_map(|graph_move| graph_move.edge).collect() };
    let graph: Vec<Vec<Edge>> = moves.iter().map(|moves| edges(moves)).collect();
    let worth = solve(&graph);
    let best = |at: usize| {
        let valued = moves[at].iter().filter_map(|graph_move| Some((graph_move.worth(&worth)?.order(), graph_move.mv)));
        valued.max_by_key(|(order, _)| *order).map(|(_, mv)| mv)
    };
    let mut result = Collection::default();
    result.comments = collection.comments.clone();
    for ((ply, entry), moves) in positions.iter().zip(&moves) {
        let mut backed = Vec::new();
        let mut unknown = Vec::new();
        for graph_move in moves {
            let Some(found) = graph_move.worth(&worth) else {
                unknown.extend(graph_move.entry);
                continue;
            };
            let listed = graph_move.entry.unwrap_or(BookMove::bare(graph_move.mv));
            let answer = match graph_move.edge {
                Some(Edge::Inner(to, _)) => best(to).map(|mv| if graph_move.is_turned { mv.rotate() } else { mv }),
                _ => None,
            };
            let (value, depth) = (Some(found.value), Some(found.depth));
            backed.push((found.order(), BookMove { value, depth, reply: answer.or(listed.reply), ..listed }));
        }
        backed.sort_by_key(|(order, _)| std::cmp::Reverse(*order));
        if let Some(within) = within
            && let Some(best) = backed.first().and_then(|(_, entry)| entry.value)
        {
            backed.retain(|(_, entry)| entry.value.is_some_and(|value| best - value <= within));
            unknown.clear();
        }
        let backed = backed.into_iter().map(|(_, entry)| entry);
        result.add_with_comments_of(entry, *ply, backed.chain(unknown));
    }
    result
}
