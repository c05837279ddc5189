//! A whole book in memory.

use std::collections::BTreeMap;

use crate::book::{self, BookMove, HEADER, Key, YbbPosition};
use crate::position::Board;

/// Positions by key and move number (0: none), each with its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    positions: BTreeMap<(Key, u16), (Board, Vec<BookMove>)>,
}

impl Collection {
    /// Adds moves to a position; `false` for one that no set of pieces can make.
    pub fn add(&mut self, board: &Board, ply: u16, moves: impl IntoIterator<Item = BookMove>) -> bool {
        let Some(key) = book::key(board) else {
            return false;
        };
        let (_, known) = self.positions.entry((key, ply)).or_insert_with(|| (board.clone(), Vec::new()));
        book::merge(known, moves);
        true
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
        self.positions.values().map(|(_, moves)| moves.len()).sum()
    }

    /// The bytes of a `.db` file: positions sorted by their text, moves with the best first.
    pub fn to_db(&self) -> Vec<u8> {
        let mut positions: Vec<(String, &Vec<BookMove>)> =
            self.positions.iter().map(|((_, ply), (board, moves))| (sfen(board, *ply), moves)).collect();
        positions.sort_by(|a, b| a.0.cmp(&b.0));
        let mut text = format!("{HEADER}\n");
        for (sfen, moves) in positions {
            text += &format!("sfen {sfen}\n");
            let mut moves = moves.clone();
            book::sort(&mut moves);
            for entry in moves {
                text += &book::move_line(&entry);
                text.push('\n');
            }
        }
        text.into_bytes()
    }

    /// The bytes of a `.ybb` file: a position at several move numbers keeps the smallest.
    pub fn to_ybb(&self) -> Vec<u8> {
        let mut positions: Vec<YbbPosition> = Vec::new();
        for ((key, ply), (_, moves)) in &self.positions {
            match positions.last_mut() {
                Some((last, _, known)) if last == key => book::merge(known, moves.iter().copied()),
                _ => positions.push((*key, *ply, moves.clone())),
            }
        }
        for (_, _, moves) in &mut positions {
            book::sort(moves);
        }
        book::write_ybb(&positions)
    }
}

/// The SFEN of a position, without a move number where it has none.
fn sfen(board: &Board, ply: u16) -> String {
    let sfen = board.to_sfen(ply.into());
    if ply == 0 { sfen.trim_end_matches(" 0").to_owned() } else { sfen }
}
