//! Apery's format (`book.bin`): records of 16 bytes, sorted by a key of the position.
//!
//! A record is key (8 bytes), move (2), count (2), value (4), little-endian; a position has one for each move. The move
//! has the bits of [`Move::bits`]. The key is a Zobrist key over numbers of a Mersenne twister (Matsumoto and
//! Nishimura) with its usual seed: pieces on squares, the hand of the side to move alone, and the turn.

use std::fs::File;
use std::path::Path;
use std::sync::LazyLock;

use rand_mt::Mt64;

use super::book_move::merge;
use super::storage::Storage;
use super::{BookError, BookMove};
use crate::position::Board;
use crate::types::{BySquare, Color, Move, Piece, PieceType, Square};

/// Length of a record.
pub(super) const RECORD: u64 = 16;
/// What Apery's readers take as the depth of a book's move.
const DEPTH: u32 = 256;
/// Places at which the order of the file is looked at when it is opened.
const SAMPLES: u64 = 64;
/// Pieces in the numbering that Apery shares with [`Piece::index`], 0 for none.
const PIECES: usize = 31;

struct Zobrist {
    pieces: [BySquare<u64>; PIECES],
    hands: [[u64; 19]; 7],
    turn: u64,
}

static ZOBRIST: LazyLock<Box<Zobrist>> = LazyLock::new(|| {
    let mut random = Mt64::new_unseeded();
    let mut zobrist = Box::new(Zobrist { pieces: [[0; Square::COUNT]; PIECES], hands: [[0; 19]; 7], turn: 0 });
    zobrist.pieces.as_flattened_mut().fill_with(|| random.next_u64());
    zobrist.hands.as_flattened_mut().fill_with(|| random.next_u64());
    zobrist.turn = random.next_u64();
    zobrist
});

/// The key of a position.
pub fn key(board: &Board) -> u64 {
    let side = board.side_to_move();
    let mut key = if side == Color::White { ZOBRIST.turn } else { 0 };
    for (square, piece) in board.pieces() {
        key ^= ZOBRIST.pieces[Piece::index(piece)][square.index()];
    }
    for (numbers, kind) in ZOBRIST.hands.iter().zip(PieceType::HAND) {
        key ^= numbers[usize::from(board.hand(side, kind)).min(18)];
    }
    key
}

/// A file of the format.
pub(super) struct Apery(Storage);

impl Apery {
    /// Whether the bytes may be of this format, by their length and by some of the records.
    pub(super) fn recognises(storage: &Storage) -> Result<bool, BookError> {
        let records = storage.length() / RECORD;
        if records == 0 || !storage.length().is_multiple_of(RECORD) {
            return Ok(false);
        }
        let mut last = 0;
        for sample in 0..SAMPLES.min(records) {
            let number = (u128::from(records) * u128::from(sample) / u128::from(SAMPLES.min(records))) as u64;
            let (key, entry) = record(storage, number)?;
            if key < last || entry.is_none() {
                return Ok(false);
            }
            last = key;
        }
        Ok(true)
    }

    pub(super) fn new(storage: Storage) -> Self {
        Self(storage)
    }

    pub(super) fn is_file(&self) -> bool {
        self.0.is_file()
    }

    pub(super) fn moves(&self) -> u64 {
        self.0.length() / RECORD
    }

    /// A move by its number, with the key of its position.
    pub(super) fn entry(&self, number: u64) -> Result<(u64, Option<BookMove>), BookError> {
        record(&self.0, number)
    }

    /// The moves of a position in the order of the file.
    pub(super) fn find(&self, key: u64) -> Result<Vec<BookMove>, BookError> {
        let (mut low, mut high) = (0, self.moves());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle)?.0 < key { low = middle + 1 } else { high = middle }
        }
        let mut found = Vec::new();
        for number in low..self.moves() {
            let (other, entry) = self.entry(number)?;
            if other != key {
                break;
            }
            merge(&mut found, entry);
        }
        Ok(found)
    }
}

/// The moves of a file, one after the other, with the keys of their positions; `None` where a move is none.
pub struct AperyFile {
    book: Apery,
    next: u64,
}

impl AperyFile {
    /// Opens a file.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        Ok(Self { book: Apery::new(Storage::file(File::open(path)?)?.load()?), next: 0 })
    }
}

impl Iterator for AperyFile {
    type Item = Result<(u64, Option<BookMove>), BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next == self.book.moves() {
            return None;
        }
        self.next += 1;
        Some(self.book.entry(self.next - 1))
    }
}

fn record(storage: &Storage, number: u64) -> Result<(u64, Option<BookMove>), BookError> {
    let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, c0, c1, s0, s1, s2, s3] = storage.array(number * RECORD)?;
    let entry = Move::from_bits(u16::from_le_bytes([m0, m1])).map(|mv| BookMove {
        mv,
        reply: None,
        value: Some(i32::from_le_bytes([s0, s1, s2, s3])),
        depth: Some(DEPTH),
        count: u16::from_le_bytes([c0, c1]).into(),
    });
    Ok((u64::from_le_bytes([k0, k1, k2, k3, k4, k5, k6, k7]), entry))
}
