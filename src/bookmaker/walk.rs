//! Apery's books as positions: the format has keys only, so the positions are sought from the starts of games.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;

use crate::book::{AperyFile, BookError, BookMove, apery_key};
use crate::position::{Board, Position};
use crate::record::Handicap;

/// The handicaps from which positions are sought besides the even game.
const STARTS: [Handicap; 10] = {
    use Handicap::{Bishop, Eight, Even, Five, Four, Lance, Rook, RookLance, Six, Two};
    [Even, Lance, Bishop, Rook, RookLance, Two, Four, Five, Six, Eight]
};

/// A position that was found: board, move number, moves.
pub(super) type Found = (Board, u16, Vec<BookMove>);

/// Reads a book and finds its positions: those that any legal move leads to from a known one, or a move of the book and
/// any answer. With the number of those that cannot be found.
pub(super) fn read_apery(path: &Path) -> Result<(Vec<Found>, usize), BookError> {
    let mut moves: HashMap<u64, Vec<BookMove>> = HashMap::new();
    for entry in AperyFile::open(path)? {
        let (key, entry) = entry?;
        if let Some(entry) = entry {
            moves.entry(key).or_default().push(entry);
        }
    }
    let (mut positions, mut found) = (Vec::new(), HashSet::new());
    let mut open: VecDeque<Position> =
        STARTS.iter().filter_map(|start| Position::from_board(&start.diagram(), 1).ok()).collect();
    while let Some(mut position) = open.pop_front() {
        let board = Board::from(&position);
        let key = apery_key(&board);
        if !found.insert(key) {
            continue;
        }
        let own = moves.get(&key).cloned().unwrap_or_default();
        if !own.is_empty() {
            positions.push((board, u16::try_from(position.move_number()).unwrap_or(u16::MAX), own.clone()));
        }
        for &mv in &position.legal_moves() {
            position.do_move(mv);
            if moves.contains_key(&apery_key(&Board::from(&position))) {
                open.push_back(without_game(&position));
            } else if own.iter().any(|entry| entry.mv == mv) {
                for &answer in &position.legal_moves() {
                    position.do_move(answer);
                    if moves.contains_key(&apery_key(&Board::from(&position))) {
                        open.push_back(without_game(&position));
                    }
                    position.undo_move();
                }
            }
            position.undo_move();
        }
    }
    let lost = moves.keys().filter(|key| !found.contains(key)).count();
    Ok((positions, lost))
}

/// The position without the moves that led to it.
fn without_game(position: &Position) -> Position {
    // The position is one of a game, so it can be set up.
    Position::from_board(&Board::from(position), position.move_number()).unwrap_or_else(|_| position.clone())
}
