//! What a book holds, in numbers.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::collection::{Collection, Fault, is_header, read_position};
use crate::book::{BookError, BookFormat, BookMove, DbLine, DbLines};
use crate::types::Color;

/// The smallest and the largest of some numbers.
pub type Range<T> = Option<(T, T)>;

/// A book in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Positions.
    pub positions: u64,
    /// Positions by the side to move.
    pub sides: [u64; 2],
    /// Moves.
    pub moves: u64,
    /// Move numbers, 0 where the book has none.
    pub plies: Range<u16>,
    /// Known values.
    pub values: Range<i32>,
    /// Known depths.
    pub depths: Range<u32>,
    /// Lines of comment before the first position.
    pub comments: Vec<String>,
    /// How many faults there are, and the first.
    pub faults: (u64, Option<Fault>),
}

impl Summary {
    /// Reads a file. One of text, which may be larger than the memory, is read line by line: a position that stands
    /// twice counts twice.
    ///
    /// # Errors
    /// It is no book, or cannot be read.
    pub fn read(path: &Path) -> Result<Self, BookError> {
        let mut summary = Self::default();
        if BookFormat::detect(path)? == BookFormat::Db {
            summary.read_db(path)?;
            return Ok(summary);
        }
        let (book, faults) = Collection::read(path)?;
        for (ply, entry) in book.positions() {
            summary.add_position(entry.board.side_to_move(), ply);
            entry.moves().for_each(|entry| summary.add_move(&entry));
        }
        summary.comments = book.comments;
        faults.into_iter().for_each(|fault| summary.add_fault(fault.number, fault.what));
        Ok(summary)
    }

    fn read_db(&mut self, path: &Path) -> Result<(), BookError> {
        let mut lines = DbLines::new(BufReader::with_capacity(1 << 18, File::open(path)?));
        // Whether there is a position whose moves these are; `None` before the first.
        let mut is_readable = None;
        while let Some((number, line)) = lines.next_line()? {
            match DbLine::read(line) {
                DbLine::Comment(text) if is_readable.is_none() && !is_header(text) => {
                    self.comments.push(text.to_owned());
                }
                DbLine::Blank | DbLine::Comment(_) => {}
                DbLine::Position(sfen) => {
                    let read = read_position(sfen);
                    is_readable = Some(read.is_ok());
                    match read {
                        Ok((board, ply)) => self.add_position(board.side_to_move(), ply),
                        Err(what) => self.add_fault(number, what),
                    }
                }
                DbLine::Move(entry) => match is_readable {
                    Some(true) => self.add_move(&entry),
                    Some(false) => {}
                    None => self.add_fault(number, format!("{} stands before any position", entry.mv)),
                },
                DbLine::Unknown(word) => {
                    let word: String = word.chars().take(30).collect();
                    self.add_fault(number, format!("'{word}' is not understood"));
                }
            }
        }
        Ok(())
    }

    fn add_position(&mut self, side: Color, ply: u16) {
        self.positions += 1;
        self.sides[side.index()] += 1;
        widen(&mut self.plies, Some(ply));
    }

    fn add_move(&mut self, entry: &BookMove) {
        self.moves += 1;
        widen(&mut self.values, entry.value);
        widen(&mut self.depths, entry.depth);
    }

    fn add_fault(&mut self, number: u64, what: String) {
        self.faults.0 += 1;
        self.faults.1.get_or_insert(Fault { number, what });
    }
}

fn widen<T: Ord + Copy>(range: &mut Range<T>, value: Option<T>) {
    if let Some(value) = value {
        let (least, most) = range.unwrap_or((value, value));
        *range = Some((least.min(value), most.max(value)));
    }
}
