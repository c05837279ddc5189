//! A whole book in memory, with the comments of its owner.

use std::collections::{BTreeMap, btree_map};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use super::walk;
use crate::book::{self, BookError, BookFormat, BookMove, DbLine, DbLines, HEADER, Key, SbkBook, YbbFile, YbbPosition};
use crate::platform::wording::counted;
use crate::position::{Board, Position};

/// A move with the comments after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentedMove {
    /// The move.
    pub entry: BookMove,
    /// Lines of comment, with their marks.
    pub comments: Vec<String>,
}

/// A position's moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position.
    pub board: Board,
    /// Lines of comment, with their marks.
    pub comments: Vec<String>,
    /// The moves in the order of the file.
    pub moves: Vec<CommentedMove>,
}

impl Entry {
    /// The moves without their comments.
    pub fn moves(&self) -> impl Iterator<Item = BookMove> + '_ {
        self.moves.iter().map(|commented| commented.entry)
    }

    /// Whether a move stands here with something else said of it.
    fn contradicts(&self, new: &BookMove) -> bool {
        self.moves().any(|known| known.mv == new.mv && known != *new)
    }

    fn add(&mut self, new: CommentedMove, rule: Collision) {
        let Some(known) = self.moves.iter_mut().find(|known| known.entry.mv == new.entry.mv) else {
            self.moves.push(new);
            return;
        };
        known.comments.extend(new.comments.into_iter().filter(|line| !line.is_empty()));
        let counts = known.entry.count.saturating_add(new.entry.count);
        if rule != Collision::First && new.entry.depth.unwrap_or(0) > known.entry.depth.unwrap_or(0) {
            known.entry = new.entry;
        }
        if rule == Collision::AddCounts {
            known.entry.count = counts;
        }
    }
}

/// What becomes of a move that a position has already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collision {
    /// What was said first counts.
    First,
    /// The deeper search counts.
    Deeper,
    /// The deeper search counts, and counts are added.
    AddCounts,
}

/// A fault of a file: the number of its line or entry, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// From 1.
    pub number: u64,
    /// One sentence.
    pub what: String,
}

/// Positions by key and move number (0: none).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// Lines of comment before the first position.
    pub comments: Vec<String>,
    positions: BTreeMap<(Key, u16), Entry>,
}

impl Collection {
    /// Reads a file of any format; with what was left out of it.
    ///
    /// # Errors
    /// It is no book, or cannot be read.
    pub fn read(path: &Path) -> Result<(Self, Vec<Fault>), BookError> {
        match BookFormat::detect(path)? {
            BookFormat::Db => Self::read_db(path),
            BookFormat::Ybb => Self::read_ybb(path),
            BookFormat::Apery => Self::read_apery(path),
            BookFormat::Sbk => Ok(Self::read_sbk(book::read_sbk(&fs::read(path)?)?)),
        }
    }

    fn read_db(path: &Path) -> Result<(Self, Vec<Fault>), BookError> {
        let (mut book, mut faults) = (Self::default(), Vec::new());
        let mut lines = DbLines::new(BufReader::new(File::open(path)?));
        // The position that is read, its line and its move number; none before the first one and after one that cannot
        // be read.
        let mut current: Option<(u64, u16, Entry)> = None;
        let mut is_begun = false;
        while let Some((number, line)) = lines.next_line()? {
            match DbLine::read(line) {
                DbLine::Blank => {}
                DbLine::Comment(text) => match &mut current {
                    Some((.., Entry { moves, .. })) if !moves.is_empty() => {
                        moves.iter_mut().next_back().into_iter().for_each(|last| last.comments.push(text.to_owned()));
                    }
                    Some((.., entry)) => entry.comments.push(text.to_owned()),
                    None if !is_begun && !is_header(text) => book.comments.push(text.to_owned()),
                    None => {}
                },
                DbLine::Position(sfen) => {
                    is_begun = true;
                    book.insert(current.take(), &mut faults);
                    match read_position(sfen) {
                        Ok((board, ply)) => {
                            let entry = Entry { board, comments: Vec::new(), moves: Vec::new() };
                            current = Some((number, ply, entry));
                        }
                        Err(what) => faults.push(Fault { number, what }),
                    }
                }
                DbLine::Move(entry) => match &mut current {
                    Some((.., position)) => {
                        if position.contradicts(&entry) {
                            faults.push(Fault { number, what: again(&entry) });
                        }
                        position.add(CommentedMove { entry, comments: Vec::new() }, Collision::First)
                    }
                    None if is_begun => {}
                    None => faults.push(Fault { number, what: format!("{} stands before any position", entry.mv) }),
                },
                DbLine::Unknown(word) => {
                    let word: String = word.chars().take(30).collect();
                    faults.push(Fault { number, what: format!("'{word}' is not understood") });
                }
            }
        }
        book.insert(current, &mut faults);
        Ok((book, faults))
    }

    fn insert(&mut self, position: Option<(u64, u16, Entry)>, faults: &mut Vec<Fault>) {
        if let Some((number, ply, entry)) = position {
            let known = book::key(&entry.board).and_then(|key| self.positions.get(&(key, ply)));
            if let Some(known) = known {
                let others = entry.moves().filter(|entry| known.contradicts(entry));
                faults.extend(others.map(|entry| Fault { number, what: again(&entry) }));
            }
            self.add_entry(ply, entry, Collision::First);
        }
    }

    fn read_ybb(path: &Path) -> Result<(Self, Vec<Fault>), BookError> {
        let (mut book, mut faults) = (Self::default(), Vec::new());
        for (number, position) in (1..).zip(YbbFile::open(path)?) {
            let (key, ply, moves) = position?;
            match book::board(&key) {
                Ok(board) => drop(book.add(&board, ply, moves)),
                Err(error) => faults.push(Fault { number, what: error.to_string() }),
            }
        }
        Ok((book, faults))
    }

    fn read_apery(path: &Path) -> Result<(Self, Vec<Fault>), BookError> {
        let (positions, lost) = walk::read_apery(path)?;
        let mut book = Self::default();
        for (board, ply, moves) in positions {
            book.add(&board, ply, moves);
        }
        let what = format!("{} cannot be reached from the start of a game", counted(lost, "position", "positions"));
        Ok((book, if lost > 0 { vec![Fault { number: 1, what }] } else { Vec::new() }))
    }

    fn read_sbk(sbk: SbkBook) -> (Self, Vec<Fault>) {
        let comment = |line: String| format!("# {line}");
        let (mut book, mut lost) = (Self::default(), 0);
        book.comments = sbk.comments.into_iter().map(comment).collect();
        for position in sbk.positions {
            lost += position.lost;
            let comments = position.comments.into_iter().map(comment).collect();
            let commented = |(entry, words): (BookMove, Option<String>)| CommentedMove {
                entry,
                comments: words.map(comment).into_iter().collect(),
            };
            let moves = position.moves.into_iter().map(commented).collect();
            book.add_entry(position.ply, Entry { board: position.board, comments, moves }, Collision::First);
        }
        let faults = [
            (lost, format!("{} that no piece can make", counted(lost, "move", "moves"))),
            (sbk.unreached, format!("{} that no line leads to", counted(sbk.unreached, "position", "positions"))),
        ];
        let faults = faults.into_iter().filter(|(count, _)| *count > 0);
        (book, faults.map(|(_, what)| Fault { number: 1, what }).collect())
    }

    /// Adds moves to a position; `false` for one that no set of pieces can make.
    pub fn add(&mut self, board: &Board, ply: u16, moves: impl IntoIterator<Item = BookMove>) -> bool {
        let moves = moves.into_iter().map(|entry| CommentedMove { entry, comments: Vec::new() }).collect();
        self.add_entry(ply, Entry { board: board.clone(), comments: Vec::new(), moves }, Collision::First)
    }

    /// Adds moves with a line of comment each.
    pub fn add_commented(&mut self, board: &Board, ply: u16, moves: Vec<(BookMove, String)>) -> bool {
        let moves =
            moves.into_iter().map(|(entry, comment)| CommentedMove { entry, comments: vec![comment] }).collect();
        self.add_entry(ply, Entry { board: board.clone(), comments: Vec::new(), moves }, Collision::First)
    }

    /// Adds a position with other moves; its comments and those of moves that stay are kept.
    pub(super) fn add_with_comments_of(&mut self, entry: &Entry, ply: u16, moves: impl IntoIterator<Item = BookMove>) {
        let comments = |mv| entry.moves.iter().find(|known| known.entry.mv == mv).map(|known| known.comments.clone());
        let moves = moves
            .into_iter()
            .map(|entry| CommentedMove { entry, comments: comments(entry.mv).unwrap_or_default() })
            .collect();
        let entry = Entry { board: entry.board.clone(), comments: entry.comments.clone(), moves };
        self.add_entry(ply, entry, Collision::First);
    }

    fn add_entry(&mut self, ply: u16, entry: Entry, rule: Collision) -> bool {
        let Some(key) = book::key(&entry.board) else {
            return false;
        };
        match self.positions.entry((key, ply)) {
            btree_map::Entry::Vacant(place) => drop(place.insert(entry)),
            btree_map::Entry::Occupied(mut place) => {
                let known = place.get_mut();
                known.comments.extend(entry.comments);
                entry.moves.into_iter().for_each(|new| known.add(new, rule));
            }
        }
        true
    }

    /// Takes all positions of another book.
    pub fn merge(&mut self, other: Self, rule: Collision) {
        self.comments.extend(other.comments);
        for ((_, ply), entry) in other.positions {
            self.add_entry(ply, entry, rule);
        }
    }

    /// The positions with their move numbers, in the order of their keys.
    pub fn positions(&self) -> impl Iterator<Item = (u16, &Entry)> {
        self.positions.iter().map(|((_, ply), entry)| (*ply, entry))
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// How many moves there are.
    pub fn moves(&self) -> usize {
        self.positions.values().map(|entry| entry.moves.len()).sum()
    }

    /// The bytes of a `.db` file: positions sorted by their text, moves with the best first.
    pub fn to_db(&self) -> Vec<u8> {
        let mut positions: Vec<(String, &Entry)> =
            self.positions().map(|(ply, entry)| (sfen(&entry.board, ply), entry)).collect();
        positions.sort_by(|a, b| a.0.cmp(&b.0));
        let mut text = String::new();
        let mut line = |words: &[&str]| {
            words.iter().for_each(|word| text.push_str(word));
            text.push('\n');
        };
        line(&[HEADER]);
        self.comments.iter().for_each(|comment| line(&[comment]));
        for (sfen, entry) in positions {
            line(&["sfen ", &sfen]);
            entry.comments.iter().for_each(|comment| line(&[comment]));
            let mut moves: Vec<&CommentedMove> = entry.moves.iter().collect();
            moves.sort_by_key(|commented| book::rank(&commented.entry));
            for commented in moves {
                line(&[&book::move_line(&commented.entry)]);
                commented.comments.iter().for_each(|comment| line(&[comment]));
            }
        }
        text.into_bytes()
    }

    /// The bytes of a `.ybb` file, and what it cannot hold, one sentence each. A position at several move numbers keeps
    /// the smallest.
    pub fn to_ybb(&self) -> (Vec<u8>, Vec<String>) {
        let mut positions: Vec<YbbPosition> = Vec::new();
        let mut merged = 0;
        for ((key, ply), entry) in &self.positions {
            match positions.last_mut() {
                Some((last, _, moves)) if last == key => {
                    merged += 1;
                    book::merge(moves, entry.moves());
                }
                _ => positions.push((*key, *ply, entry.moves().collect())),
            }
        }
        let all = || self.positions.values().flat_map(|entry| &entry.moves);
        let count = |is_lost: fn(&BookMove) -> bool| all().filter(|commented| is_lost(&commented.entry)).count();
        let comments = self.comments.len()
            + self.positions.values().map(|entry| entry.comments.len()).sum::<usize>()
            + all().map(|commented| commented.comments.len()).sum::<usize>();
        let losses = [
            (merged, "position at a further move number", "positions at further move numbers"),
            (count(|entry| entry.reply.is_some()), "expected answer", "expected answers"),
            (count(|entry| entry.count > 1), "count", "counts"),
            (count(|entry| entry.value.is_none()), "unknown value (0 is written)", "unknown values (0 is written)"),
            (comments, "line of comment", "lines of comment"),
        ];
        let lost = losses.iter().filter(|(count, ..)| *count > 0);
        let told = lost.map(|(count, one, many)| format!("{} lost", counted(*count, one, many))).collect();
        for (_, _, moves) in &mut positions {
            book::sort(moves);
        }
        (book::write_ybb(&positions), told)
    }
}

/// A position that a book can have, and its move number, 0 where it has none.
pub(super) fn read_position(sfen: &str) -> Result<(Board, u16), String> {
    let (board, ply) = book::read_sfen(sfen).map_err(|error| error.to_string())?;
    let fits = book::key(&board).is_some();
    if fits { Ok((board, ply.unwrap_or(0))) } else { Err("the position has more pieces than a set".into()) }
}

fn again(entry: &BookMove) -> String {
    format!("{} stands there already with other words: those that come first count", entry.mv)
}

/// The first line of a file, and the line with the number of entries that some programs write.
pub(super) fn is_header(comment: &str) -> bool {
    comment.starts_with("#YANEURAOU-DB") || comment.trim_start_matches('#').trim_start().starts_with("NOE:")
}

/// The SFEN of a position, without a move number where it has none.
fn sfen(board: &Board, ply: u16) -> String {
    let sfen = board.to_sfen(ply.into());
    if ply == 0 { sfen.trim_end_matches(" 0").to_owned() } else { sfen }
}

/// The position of an entry within the rules; `None` where no game can stand.
pub(super) fn position(entry: &Entry, ply: u16) -> Option<Position> {
    Position::from_board(&entry.board, u32::from(ply).max(1)).ok()
}
