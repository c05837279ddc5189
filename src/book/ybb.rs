//! YaneuraOu's binary format (.ybb): sorted records of fixed length, then the moves. It is searched where it lies.
//!
//! | bytes | |
//! |---|---|
//! | 16 | `YANE-BINBOOK-V1` and a zero |
//! | 8 | number of positions |
//! | 8 | flags; bit 0: moves have a depth |
//! | 44 for each position | PackedSfen (32), offset of its moves among the moves (8), move number (2), number of moves (2) |
//! | 4 or 6 for each move | the move (2), value (2), depth (2) |
//!
//! All numbers are little-endian. The move has the destination in bits 0 to 6, the origin (or the kind dropped) from
//! bit 7 on, bit 14 for a drop, bit 15 for a promotion. Answers and counts have no place.

use std::fs::File;
use std::path::Path;

use super::db_text::Key;
use super::storage::Storage;
use super::{BookError, BookMove};
use crate::types::{Move, PieceType, Square};

/// The first bytes of a file.
pub const MAGIC: &[u8; 16] = b"YANE-BINBOOK-V1\0";
const HEAD: u64 = 32;
const RECORD: u64 = 44;
const HAS_DEPTH: u64 = 1;
/// Places at which the order of the file is looked at when it is opened.
const SAMPLES: u64 = 64;

const DROP: u16 = 1 << 14;
const PROMOTE: u16 = 1 << 15;

/// A file of the format.
pub(super) struct Ybb {
    storage: Storage,
    records: u64,
    has_depth: bool,
}

/// One position: key, place and number of its moves, move number.
struct Record {
    key: Key,
    offset: u64,
    ply: u16,
    count: u16,
}

impl Ybb {
    /// Looks at the head and at some records.
    pub(super) fn open(storage: Storage) -> Result<Self, BookError> {
        let number = |offset| storage.array(offset).map(u64::from_le_bytes);
        let bytes = storage.length();
        let (records, flags) = (number(16)?, number(24)?);
        if flags & !HAS_DEPTH != 0 {
            return Err(BookError::Flags(flags));
        }
        if records.checked_mul(RECORD).and_then(|length| length.checked_add(HEAD)).is_none_or(|end| end > bytes) {
            return Err(BookError::Truncated { records, bytes });
        }
        let book = Self { storage, records, has_depth: flags & HAS_DEPTH != 0 };
        let mut last = None;
        for sample in 0..SAMPLES.min(records) {
            let key =
                book.record((u128::from(records) * u128::from(sample) / u128::from(SAMPLES.min(records))) as u64)?.key;
            if last.is_some_and(|last| key < last) {
                return Err(BookError::Unsorted);
            }
            last = Some(key);
        }
        Ok(book)
    }

    pub(super) fn is_file(&self) -> bool {
        self.storage.is_file()
    }

    pub(super) fn positions(&self) -> u64 {
        self.records
    }

    fn record(&self, number: u64) -> Result<Record, BookError> {
        let bytes: [u8; RECORD as usize] = self.storage.array(HEAD + number * RECORD)?;
        let (mut key, mut offset) = ([0; 32], [0; 8]);
        key.copy_from_slice(&bytes[..32]);
        offset.copy_from_slice(&bytes[32..40]);
        let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        Ok(Record { key, offset: u64::from_le_bytes(offset), ply: number(40), count: number(42) })
    }

    fn moves(&self, number: u64, record: &Record) -> Result<Vec<BookMove>, BookError> {
        let size = if self.has_depth { 6 } else { 4 };
        let behind = || BookError::Offset(number + 1);
        let begin = (HEAD + RECORD * self.records).checked_add(record.offset).ok_or_else(behind)?;
        let length = usize::from(record.count) * size;
        if begin.checked_add(length as u64).is_none_or(|end| end > self.storage.length()) {
            return Err(behind());
        }
        let mut bytes = vec![0; length];
        if self.storage.read(begin, &mut bytes)? < length {
            return Err(behind());
        }
        let entry = |bytes: &[u8]| {
            let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
            let depth = if self.has_depth { number(4) } else { 0 };
            let (mv, value) = (read_move(number(0))?, i32::from(number(2) as i16));
            Some(BookMove { mv, reply: None, value: Some(value), depth: Some(depth.into()), count: 0 })
        };
        Ok(bytes.chunks_exact(size).filter_map(entry).collect())
    }

    /// The move numbers at which a position stands in the file, in its order, with the moves.
    pub(super) fn find(&self, key: &Key) -> Result<Vec<(u16, Vec<BookMove>)>, BookError> {
        let (mut low, mut high) = (0, self.records);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.record(middle)?.key < *key { low = middle + 1 } else { high = middle }
        }
        let mut found = Vec::new();
        for number in low..self.records {
            let record = self.record(number)?;
            if record.key != *key {
                break;
            }
            found.push((record.ply, self.moves(number, &record)?));
        }
        Ok(found)
    }
}

/// The positions of a file, one after the other.
pub struct YbbFile {
    book: Ybb,
    next: u64,
}

impl YbbFile {
    /// Opens a file.
    ///
    /// # Errors
    /// It is none of the format.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        Ok(Self { book: Ybb::open(Storage::file(File::open(path)?)?.load()?)?, next: 0 })
    }
}

impl Iterator for YbbFile {
    type Item = Result<YbbPosition, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next == self.book.records {
            return None;
        }
        let number = self.next;
        self.next += 1;
        Some(self.book.record(number).and_then(|record| {
            let moves = self.book.moves(number, &record)?;
            Ok((record.key, record.ply, moves))
        }))
    }
}

/// A position to be written: its key, move number and moves.
pub type YbbPosition = (Key, u16, Vec<BookMove>);

/// The bytes of a file with some positions, which must be sorted by their keys, each once. Values and depths are
/// clamped to 16 bits; what is unknown becomes 0.
pub fn write(positions: &[YbbPosition]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((positions.len() as u64).to_le_bytes());
    bytes.extend(HAS_DEPTH.to_le_bytes());
    let mut offset = 0u64;
    for (key, ply, moves) in positions {
        let count = u16::try_from(moves.len()).unwrap_or(u16::MAX);
        bytes.extend(key);
        bytes.extend(offset.to_le_bytes());
        bytes.extend(ply.to_le_bytes());
        bytes.extend(count.to_le_bytes());
        offset += u64::from(count) * 6;
    }
    for entry in positions.iter().flat_map(|(_, _, moves)| moves.iter().take(usize::from(u16::MAX))) {
        let value = entry.value.unwrap_or(0).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let depth = entry.depth.unwrap_or(0).min(u16::MAX.into()) as u16;
        bytes.extend(write_move(entry.mv).to_le_bytes());
        bytes.extend(value.to_le_bytes());
        bytes.extend(depth.to_le_bytes());
    }
    bytes
}

/// A move of YaneuraOu's 16 bits; `None` where no move has them.
fn read_move(bits: u16) -> Option<Move> {
    let to = Square::from_index(usize::from(bits & 127))?;
    let from = usize::from(bits >> 7 & 127);
    match (bits & DROP != 0, bits & PROMOTE != 0) {
        (true, false) => {
            let kind = PieceType::from_index(from).filter(|kind| PieceType::HAND.contains(kind))?;
            Some(Move::drop(kind, to))
        }
        (true, true) => None,
        (false, promotes) => {
            let from = Square::from_index(from).filter(|&from| from != to)?;
            Some(Move::board(from, to, promotes))
        }
    }
}

fn write_move(mv: Move) -> u16 {
    let to = mv.to().index() as u16;
    match (mv.from(), mv.dropped()) {
        (Some(from), _) => to | (from.index() as u16) << 7 | if mv.is_promotion() { PROMOTE } else { 0 },
        (None, kind) => to | kind.map_or(0, |kind| kind.index() as u16) << 7 | DROP,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_moves_have_bits_and_all_have() {
        let mut count = 0;
        for bits in 0..=u16::MAX {
            if let Some(mv) = read_move(bits) {
                assert_eq!(write_move(mv), bits);
                count += 1;
            }
        }
        assert_eq!(count, 81 * 80 * 2 + 81 * 7);
    }
}
