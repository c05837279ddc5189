//! Which position of a tree is to be searched next.
//!
//! A book is for both colours. For each of them the tree is walked from the roots, best first: a line costs something
//! for every ply, and what its moves lose against the best ones. The colour that the book plays for loses little by its
//! moves, the opponent may lose more. Positions that arise on several ways, and the same positions with the colours
//! exchanged, are searched once.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::Collection;
use super::searcher::SearchedMove;
use super::tree::{Task, Tree};
use crate::book::{self, BookMove, Key};
use crate::position::{Board, Position};
use crate::types::{Color, Score};

/// What is followed. Values are centipawns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExploreLimits {
    /// The book's side follows moves that lose at most this much against the best.
    pub own_loss: i32,
    /// The opponent's moves that lose at most this much are answered.
    pub other_loss: i32,
    /// A line ends where the value has moved so far from the root's.
    pub value: i32,
    /// A line ends after so many moves.
    pub plies: u32,
    /// What a ply costs, in centipawns lost: the higher, the broader the tree.
    pub ply_cost: i32,
}

impl Default for ExploreLimits {
    fn default() -> Self {
        Self { own_loss: 25, other_loss: 70, value: 150, plies: 40, ply_cost: 12 }
    }
}

/// A position from which the tree grows.
#[derive(Clone)]
pub struct Root {
    /// The position.
    pub position: Position,
    /// What it costs from the start: a handicap need not be followed as far as the even game.
    pub cost: i32,
}

/// A position to be looked at, for one side.
#[derive(Clone, PartialEq, Eq)]
struct Open {
    cost: i32,
    /// Among equals the older one comes first.
    number: u64,
    board: Board,
    ply: u32,
    /// Plies from the root.
    depth: u32,
    /// The side that the book plays for.
    side: Color,
    /// The root's value for Black.
    base: Option<i32>,
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.cost, self.number).cmp(&(other.cost, other.number))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The moves of a searched position, as its colours were when it was searched.
struct Searched {
    key: Key,
    moves: Vec<SearchedMove>,
}

/// The tree.
pub(super) struct Explorer {
    limits: ExploreLimits,
    queue: BinaryHeap<Reverse<Open>>,
    numbers: u64,
    /// What was looked at, by normal key and (normal) side.
    visited: HashSet<(Key, Color)>,
    /// All searches, by normal key.
    searched: HashMap<Key, Searched>,
    /// Waiting for a search that is under way.
    waiting: HashMap<Key, Vec<Open>>,
    /// The positions of the book with their smallest move number.
    reached: HashMap<Key, (Board, u16)>,
}

/// The key that a position shares with its twin of exchanged colours, and whether it is the twin's.
fn normal_key(board: &Board) -> Option<(Key, Key, bool)> {
    let (own, turned) = (book::key(board)?, book::key(&board.turned())?);
    Some(if turned < own { (own, turned, true) } else { (own, own, false) })
}

impl Explorer {
    pub(super) fn new(limits: ExploreLimits, roots: &[Root]) -> Self {
        let mut explorer = Self {
            limits,
            queue: BinaryHeap::new(),
            numbers: 0,
            visited: HashSet::new(),
            searched: HashMap::new(),
            waiting: HashMap::new(),
            reached: HashMap::new(),
        };
        for (root, side) in roots.iter().flat_map(|root| Color::ALL.map(|side| (root, side))) {
            let (board, ply) = (Board::from(&root.position), root.position.move_number());
            explorer.push(Open { cost: root.cost, number: 0, board, ply, depth: 0, side, base: None });
        }
        explorer
    }

    fn push(&mut self, open: Open) {
        self.numbers += 1;
        self.queue.push(Reverse(Open { number: self.numbers, ..open }));
    }

    /// The moves of a searched position for its colours as they are now.
    fn moves(&self, board: &Board, normal: &Key) -> Vec<BookMove> {
        let (Some(searched), Some(own)) = (self.searched.get(normal), book::key(board)) else {
            return Vec::new();
        };
        let moves = searched.moves.iter().filter_map(SearchedMove::entry);
        if searched.key == own { moves.collect() } else { moves.map(BookMove::turned).collect() }
    }

    fn expand(&mut self, open: Open, normal: Key) {
        let ply = u16::try_from(open.ply).unwrap_or(u16::MAX);
        let (_, first) = self.reached.entry(normal).or_insert_with(|| (open.board.clone(), ply));
        *first = ply.min(*first);
        let moves = self.moves(&open.board, &normal);
        let Some(best) = moves.first().and_then(|entry| entry.value) else {
            return;
        };
        let turn = open.board.side_to_move();
        let for_black = if turn == Color::Black { best } else { -best };
        let base = open.base.unwrap_or(for_black);
        let is_over = Score(best).is_decisive() || (for_black - base).abs() > self.limits.value;
        if is_over || open.depth >= self.limits.plies {
            return;
        }
        let Ok(position) = Position::from_board(&open.board, open.ply) else {
            return;
        };
        let allowed = if turn == open.side { self.limits.own_loss } else { self.limits.other_loss };
        for entry in moves {
            let loss = best - entry.value.unwrap_or(best);
            if loss > allowed || !position.is_legal(entry.mv) {
                continue;
            }
            let mut after = position.clone();
            after.do_move(entry.mv);
            self.push(Open {
                cost: open.cost + self.limits.ply_cost + loss,
                board: Board::from(&after),
                ply: open.ply + 1,
                depth: open.depth + 1,
                base: Some(base),
                number: 0,
                side: open.side,
            });
        }
    }
}

impl Tree for Explorer {
    fn remember(&mut self, sfen: &str, moves: Vec<SearchedMove>) {
        if let Some((key, normal, _)) = Board::from_sfen(sfen).ok().and_then(|(board, _)| normal_key(&board)) {
            self.searched.insert(normal, Searched { key, moves });
        }
    }

    fn positions(&self) -> usize {
        self.reached.len()
    }

    fn goal(&self, most: usize) -> usize {
        most
    }

    /// Positions searched before are walked through, up to `most` in the book.
    fn next(&mut self, most: usize) -> Option<Task> {
        while self.positions() + self.waiting.len() < most {
            let Reverse(open) = self.queue.pop()?;
            let Some((_, normal, is_turned)) = normal_key(&open.board) else {
                continue;
            };
            let side = if is_turned { !open.side } else { open.side };
            if !self.visited.insert((normal, side)) {
                continue;
            }
            let Ok(position) = Position::from_board(&open.board, open.ply) else {
                continue;
            };
            if !position.has_legal_move() {
                continue;
            }
            if self.searched.contains_key(&normal) {
                self.expand(open, normal);
            } else if let Some(waiting) = self.waiting.get_mut(&normal) {
                waiting.push(open);
            } else {
                self.waiting.insert(normal, vec![open]);
                return Some(Task { sfen: position.to_sfen(), position, normal });
            }
        }
        None
    }

    fn finish(&mut self, task: &Task, moves: Vec<SearchedMove>) {
        self.remember(&task.sfen, moves);
        for open in self.waiting.remove(&task.normal).unwrap_or_default() {
            self.expand(open, task.normal);
        }
    }

    /// All positions reached, with the moves that either side may follow.
    fn book(&self) -> Collection {
        let mut book = Collection::default();
        for (normal, (board, ply)) in &self.reached {
            let mut moves = self.moves(board, normal);
            let best = moves.first().and_then(|entry| entry.value).unwrap_or(0);
            let most = self.limits.own_loss.max(self.limits.other_loss);
            moves.retain(|entry| entry.value.is_some_and(|value| best - value <= most));
            if !moves.is_empty() {
                book.add(board, *ply, moves);
            }
        }
        book
    }
}
