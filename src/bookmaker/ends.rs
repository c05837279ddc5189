//! The ends of a book: where its good moves lead out of it, and a search of the positions there.
//!
//! The value of a last move is the word of a search that had to look at several others, and of many such values a book
//! likes the luckiest best. So the positions after the moves that it would play are searched themselves, until all
//! moves that it still likes then have been: a new value changes which moves those are.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use super::Collection;
use super::collection::Entry;
use super::minimax::{back_up, normal_key};
use super::searcher::SearchedMove;
use super::tree::{Task, Tree};
use crate::book::{self, BookMove, Key};
use crate::position::{Board, Position};

/// The longest line that is followed: lines may run in a circle.
const PLIES: usize = 200;

/// Where a book ends.
#[derive(Clone, Debug)]
struct End {
    board: Board,
    ply: u32,
    /// How often it is come to, if each move within the limit is as likely as the others.
    share: f64,
    /// Whether a move leads to it that no search of an end has given.
    is_open: bool,
}

/// A book, and the searches of its ends.
pub(super) struct Ends {
    book: Collection,
    starts: Vec<Position>,
    within: i32,
    /// All searches of ends, by normal key: the position as it was searched, and its moves.
    searched: HashMap<Key, (Board, u32, Vec<SearchedMove>)>,
    /// Those that the book was found to end at.
    reached: HashSet<Key>,
    /// Of this round, the most frequent first.
    queue: VecDeque<Task>,
    waiting: usize,
}

impl Ends {
    /// The ends of a book, when it is played from some positions with moves that are at most so much worse than the
    /// best.
    pub(super) fn new(book: Collection, starts: Vec<Position>, within: i32) -> Self {
        let (searched, reached) = (HashMap::new(), HashSet::new());
        Self { book, starts, within, searched, reached, queue: VecDeque::new(), waiting: 0 }
    }

    /// Finds the ends that the book has with what is known of them; those that no earlier run has searched wait then.
    fn begin_round(&mut self, most: usize) {
        loop {
            let mut open: Vec<(Key, End)> = self.find(&back_up(&self.book(), None)).into_iter().collect();
            open.retain(|(key, end)| end.is_open && !self.reached.contains(key));
            open.sort_by(|(_, a), (_, b)| b.share.total_cmp(&a.share));
            let before = self.reached.len();
            for (normal, end) in open {
                if self.reached.len() + self.queue.len() >= most {
                    break;
                }
                let position = Position::from_board(&end.board, end.ply).ok();
                let Some(position) = position.filter(Position::has_legal_move) else {
                    continue;
                };
                if self.searched.contains_key(&normal) {
                    self.reached.insert(normal);
                } else {
                    self.queue.push_back(Task { sfen: position.to_sfen(), position, normal });
                }
            }
            if !self.queue.is_empty() || self.reached.len() == before {
                return;
            }
        }
    }

    /// The ends by normal key.
    fn find(&self, book: &Collection) -> BTreeMap<Key, End> {
        let mut entries: HashMap<Key, &Entry> = HashMap::new();
        for (_, entry) in book.positions() {
            if let Some(key) = normal_key(&entry.board) {
                entries.entry(key).or_insert(entry);
            }
        }
        let mut ends: BTreeMap<Key, End> = BTreeMap::new();
        // The positions after so many moves.
        let mut level: BTreeMap<Key, End> = BTreeMap::new();
        for start in &self.starts {
            let end = End { board: Board::from(start), ply: start.move_number(), share: 1.0, is_open: true };
            level.extend(book::key(&end.board).map(|key| (key, end)));
        }
        for _ in 0..PLIES {
            let mut next: BTreeMap<Key, End> = BTreeMap::new();
            for end in level.into_values() {
                let Some(normal) = normal_key(&end.board) else {
                    continue;
                };
                let Some(entry) = entries.get(&normal) else {
                    add(&mut ends, normal, end);
                    continue;
                };
                let after = self.after(&end, entry, !self.reached.contains(&normal));
                after.into_iter().for_each(|(key, end)| add(&mut next, key, end));
            }
            level = next;
        }
        ends
    }

    /// The positions after the moves that are good enough.
    fn after(&self, end: &End, entry: &Entry, is_open: bool) -> Vec<(Key, End)> {
        let Ok(mut position) = Position::from_board(&end.board, end.ply) else {
            return Vec::new();
        };
        let is_turned = entry.board != end.board;
        let own = entry.moves().map(|entry| if is_turned { entry.turned() } else { entry });
        let legal: Vec<BookMove> = own.filter(|entry| position.is_legal(entry.mv)).collect();
        let best = legal.iter().filter_map(|entry| entry.value).max();
        let is_near = |entry: &BookMove| entry.value.zip(best).is_none_or(|(value, best)| best - value <= self.within);
        let good: Vec<BookMove> = legal.into_iter().filter(is_near).collect();
        let share = end.share / good.len() as f64;
        let mut after = Vec::new();
        for entry in good {
            position.do_move(entry.mv);
            let board = Board::from(&position);
            position.undo_move();
            after.extend(book::key(&board).map(|key| (key, End { board, ply: end.ply + 1, share, is_open })));
        }
        after
    }
}

fn add(ends: &mut BTreeMap<Key, End>, key: Key, end: End) {
    match ends.get_mut(&key) {
        Some(known) => {
            known.share += end.share;
            known.is_open |= end.is_open;
        }
        None => drop(ends.insert(key, end)),
    }
}

impl Tree for Ends {
    fn remember(&mut self, sfen: &str, moves: Vec<SearchedMove>) {
        if let Ok((board, ply)) = Board::from_sfen(sfen)
            && let Some(key) = normal_key(&board)
        {
            self.searched.insert(key, (board, ply, moves));
        }
    }

    /// The ends that were searched.
    fn positions(&self) -> usize {
        self.reached.len()
    }

    fn goal(&self, most: usize) -> usize {
        most.min(self.reached.len() + self.waiting + self.queue.len())
    }

    fn next(&mut self, most: usize) -> Option<Task> {
        if self.queue.is_empty() && self.waiting == 0 {
            self.begin_round(most);
        }
        let task = self.queue.pop_front();
        self.waiting += usize::from(task.is_some());
        task
    }

    fn finish(&mut self, task: &Task, moves: Vec<SearchedMove>) {
        self.waiting -= 1;
        self.reached.insert(task.normal);
        self.remember(&task.sfen, moves);
    }

    /// The book with the positions at its ends.
    fn book(&self) -> Collection {
        let mut book = self.book.clone();
        for (board, ply, moves) in self.reached.iter().filter_map(|key| self.searched.get(key)) {
            let moves: Vec<BookMove> = moves.iter().filter_map(SearchedMove::entry).collect();
            if !moves.is_empty() {
                book.add(board, u16::try_from(*ply).unwrap_or(u16::MAX), moves);
            }
        }
        book
    }
}
