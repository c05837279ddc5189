//! Books for the tests: written here, byte by byte.

use std::fs;
use std::path::{Path, PathBuf};

use hagane::book::{Book, BookMove, Lookup, YbbPosition, apery_key, key, move_line, write_ybb};
use hagane::position::{Board, Position};
use tempfile::TempDir;

pub const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";

/// A folder with one file in it.
pub struct BookFile {
    pub folder: TempDir,
    pub path: PathBuf,
}

impl BookFile {
    pub fn new(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        Self { folder, path }
    }

    pub fn open(&self, on_the_fly: bool) -> Book {
        Book::open(&self.path, on_the_fly).unwrap()
    }
}

/// The text of a `.db` file with some positions.
pub fn db(positions: &[(String, Vec<BookMove>)]) -> String {
    let mut text = format!("{}\n", hagane::book::HEADER);
    for (sfen, moves) in positions {
        text += &format!("sfen {sfen}\n");
        for entry in moves {
            text += &format!("{}\n", move_line(entry));
        }
    }
    text
}

/// The bytes of an Apery book.
pub fn apery(positions: &[(String, Vec<BookMove>)]) -> Vec<u8> {
    let board = |sfen: &str| Board::from_sfen(sfen).unwrap().0;
    let mut records: Vec<(u64, &BookMove)> =
        positions.iter().flat_map(|(sfen, moves)| moves.iter().map(|entry| (apery_key(&board(sfen)), entry))).collect();
    records.sort_by_key(|record| record.0);
    let mut bytes = Vec::new();
    for (key, entry) in records {
        bytes.extend(key.to_le_bytes());
        bytes.extend(entry.mv.bits().to_le_bytes());
        bytes.extend((entry.count as u16).to_le_bytes());
        bytes.extend(entry.value.unwrap_or(0).to_le_bytes());
    }
    bytes
}

/// The bytes of a `.ybb` file.
pub fn ybb(positions: &[(String, Vec<BookMove>)]) -> Vec<u8> {
    let mut sorted: Vec<YbbPosition> = positions
        .iter()
        .map(|(sfen, moves)| {
            let (board, ply) = Board::from_sfen(sfen).unwrap();
            (key(&board).unwrap(), ply as u16, moves.clone())
        })
        .collect();
    sorted.sort_by_key(|position| position.0);
    write_ybb(&sorted)
}

/// What a book has, as text: `7g7f 3c3d 35 18 100`, the best first.
pub fn probe(book: &Book, sfen: &str, lookup: Lookup) -> Vec<String> {
    let position = Position::from_sfen(sfen).unwrap();
    book.probe(&position, lookup).unwrap().iter().map(move_line).collect()
}

/// With the usual lookup.
pub fn moves(path: &Path, on_the_fly: bool, sfen: &str) -> Vec<String> {
    probe(&Book::open(path, on_the_fly).unwrap(), sfen, Lookup::default())
}
