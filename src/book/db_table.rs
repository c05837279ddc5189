//! A book of the text format in memory: positions sorted by their key, in some 40 bytes, and 16 for each move.

use std::io::BufRead;

use super::book_move::merge;
use super::db_lines::DbLines;
use super::db_text::{self, DbLine, Key};
use super::{BookError, BookMove};
use crate::types::Move;

/// A position.
struct Record {
    key: Key,
    /// The first of its moves.
    first: u32,
    count: u16,
    /// The move number, 0 for any.
    ply: u16,
}

/// A move, packed.
struct StoredMove {
    /// [`i32::MIN`] for an unknown one.
    value: i32,
    /// [`u32::MAX`] for an unknown one.
    depth: u32,
    count: u32,
    mv: u16,
    /// 0 for none.
    reply: u16,
}

impl StoredMove {
    fn new(entry: &BookMove) -> Self {
        Self {
            value: entry.value.unwrap_or(i32::MIN),
            depth: entry.depth.unwrap_or(u32::MAX),
            count: u32::try_from(entry.count).unwrap_or(u32::MAX),
            mv: entry.mv.bits(),
            reply: entry.reply.map_or(0, Move::bits),
        }
    }

    fn get(&self) -> Option<BookMove> {
        Some(BookMove {
            mv: Move::from_bits(self.mv)?,
            reply: Move::from_bits(self.reply),
            value: (self.value != i32::MIN).then_some(self.value),
            depth: (self.depth != u32::MAX).then_some(self.depth),
            count: self.count.into(),
        })
    }
}

/// Lines that were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// How many.
    pub count: u64,
    /// The number of the first, from 1, and what is wrong with it.
    pub first: Option<(u64, String)>,
}

impl Faults {
    fn add(&mut self, line: u64, what: impl FnOnce() -> String) {
        self.count += 1;
        self.first.get_or_insert_with(|| (line, what()));
    }
}

/// All positions of a file.
#[derive(Default)]
pub(super) struct DbTable {
    records: Vec<Record>,
    moves: Vec<StoredMove>,
}

impl DbTable {
    /// Reads a whole file.
    pub(super) fn load(reader: &mut impl BufRead) -> Result<(Self, Faults), BookError> {
        let (mut table, mut faults) = (Self::default(), Faults::default());
        let mut lines = DbLines::new(reader);
        // Moves after a position that cannot be read are left out with it.
        let mut is_readable = false;
        while let Some((number, line)) = lines.next_line()? {
            match DbLine::read(line) {
                DbLine::Comment(_) | DbLine::Blank => {}
                DbLine::Position(sfen) => {
                    table.end_position();
                    let read = db_text::read_sfen(sfen).map_err(|error| error.to_string());
                    let keyed = read.and_then(|(board, ply)| {
                        let key = db_text::key(&board).ok_or("it has more pieces than a set")?;
                        Ok((key, ply.unwrap_or(0)))
                    });
                    is_readable = keyed.is_ok();
                    match keyed {
                        Ok((key, ply)) => {
                            let first = u32::try_from(table.moves.len()).map_err(|_| BookError::TooLarge)?;
                            table.records.push(Record { key, first, count: 0, ply });
                        }
                        Err(error) => faults.add(number, || error),
                    }
                }
                DbLine::Move(entry) if is_readable => table.moves.push(StoredMove::new(&entry)),
                DbLine::Move(_) if !table.records.is_empty() || faults.count > 0 => {}
                DbLine::Move(entry) => faults.add(number, || format!("{} stands before any position", entry.mv)),
                DbLine::Unknown(word) => faults.add(number, || format!("'{}' is not understood", quoted(word))),
            }
        }
        table.end_position();
        table.sort()?;
        Ok((table, faults))
    }

    /// Counts the moves of the last position, each once.
    fn end_position(&mut self) {
        let Some(record) = self.records.last_mut() else {
            return;
        };
        let first = record.first as usize;
        let mut end = first + 1;
        for next in first + 1..self.moves.len() {
            if self.moves[first..end].iter().all(|known| known.mv != self.moves[next].mv) {
                self.moves.swap(end, next);
                end += 1;
            }
        }
        self.moves.truncate(end);
        record.count = (self.moves.len() - first) as u16;
    }

    fn sort(&mut self) -> Result<(), BookError> {
        self.records.sort_unstable_by(|a, b| (&a.key, a.ply, a.first).cmp(&(&b.key, b.ply, b.first)));
        let mut last = 0;
        for next in 1..self.records.len() {
            let (before, record) = (&self.records[last], &self.records[next]);
            if (before.key, before.ply) != (record.key, record.ply) {
                last += 1;
                self.records.swap(last, next);
                continue;
            }
            // The same position again: what it adds goes to a copy at the end.
            let mut moves: Vec<BookMove> = self.moves(before).collect();
            let known = moves.len();
            merge(&mut moves, self.moves(record));
            if moves.len() > known {
                let first = u32::try_from(self.moves.len()).map_err(|_| BookError::TooLarge)?;
                self.moves.extend(moves.iter().map(StoredMove::new));
                let record = &mut self.records[last];
                (record.first, record.count) = (first, moves.len() as u16);
            }
        }
        self.records.truncate(last + 1);
        self.records.shrink_to_fit();
        self.moves.shrink_to_fit();
        Ok(())
    }

    fn moves(&self, record: &Record) -> impl Iterator<Item = BookMove> + '_ {
        let first = record.first as usize;
        self.moves[first..first + usize::from(record.count)].iter().filter_map(StoredMove::get)
    }

    pub(super) fn positions(&self) -> u64 {
        self.records.len() as u64
    }

    /// The move numbers at which a position stands in the file, ascending, with the moves.
    pub(super) fn find(&self, key: &Key) -> Vec<(u16, Vec<BookMove>)> {
        let begin = self.records.partition_point(|record| record.key < *key);
        let same = self.records[begin..].iter().take_while(|record| record.key == *key);
        same.map(|record| (record.ply, self.moves(record).collect())).collect()
    }
}

fn quoted(word: &str) -> String {
    word.chars().take(30).collect()
}
