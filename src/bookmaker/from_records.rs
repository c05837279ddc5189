//! A book of what was played: moves of game records with their counts.

use std::collections::HashMap;

use super::collection::Collection;
use crate::book::{self, BookMove, Key};
use crate::position::{Board, Position};
use crate::record::Record;
use crate::types::{Color, Move};

/// What is taken of the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordLimits {
    /// The last move of a game that is taken.
    pub plies: u32,
    /// Moves played less often are left out.
    pub least: u64,
    /// Moves of the loser are left out; those of undecided games count.
    pub winners: bool,
}

#[derive(Default)]
struct Played {
    count: u64,
    /// Games that the mover won, and those that have a winner.
    won: u64,
    decided: u64,
    replies: HashMap<Move, u64>,
}

/// Moves of games, counted.
#[derive(Default)]
pub struct RecordCounts {
    positions: HashMap<Key, (Board, u16, HashMap<Move, Played>)>,
    games: u64,
}

impl RecordCounts {
    /// How many games were taken.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Takes the main line of a record, up to its first illegal move.
    pub fn add_record(&mut self, record: &Record, limits: &RecordLimits) {
        let Ok(start) = Position::from_sfen(&record.start.to_sfen()) else {
            return;
        };
        let end = record.main_end();
        let winner = record.node(end).end().and_then(|end_of_game| end_of_game.winner(record.turn_at(end)));
        self.add_game(start, &record.moves_to(end), winner, limits);
    }

    /// Takes a game.
    pub fn add_game(&mut self, start: Position, moves: &[Move], winner: Option<Color>, limits: &RecordLimits) {
        self.games += 1;
        let mut position = start;
        for (index, &mv) in moves.iter().enumerate() {
            if position.move_number() > limits.plies || !position.is_legal(mv) {
                return;
            }
            let mover = position.side_to_move();
            let lost = winner.is_some_and(|winner| winner != mover);
            if !(limits.winners && lost) {
                self.count(&position, mv, winner, moves.get(index + 1).copied());
            }
            position.do_move(mv);
        }
    }

    fn count(&mut self, position: &Position, mv: Move, winner: Option<Color>, reply: Option<Move>) {
        let board = Board::from(position);
        let Some(key) = book::key(&board) else {
            return;
        };
        let ply = u16::try_from(position.move_number()).unwrap_or(u16::MAX);
        let (_, first, moves) = self.positions.entry(key).or_insert_with(|| (board, ply, HashMap::new()));
        *first = ply.min(*first);
        let played = moves.entry(mv).or_default();
        played.count += 1;
        played.decided += u64::from(winner.is_some());
        played.won += u64::from(winner == Some(position.side_to_move()));
        if let Some(reply) = reply {
            *played.replies.entry(reply).or_default() += 1;
        }
    }

    /// The book: counts, the most frequent answers, and the results as comments; values are not known.
    pub fn book(&self, limits: &RecordLimits) -> Collection {
        let mut book = Collection::default();
        for (board, ply, moves) in self.positions.values() {
            let mut entries: Vec<(BookMove, String)> = moves
                .iter()
                .filter(|(_, played)| played.count >= limits.least)
                .map(|(&mv, played)| {
                    (entry(mv, played), format!("# won {} of {} decided games", played.won, played.decided))
                })
                .collect();
            entries.sort_by_key(|(entry, _)| (std::cmp::Reverse(entry.count), entry.mv.bits()));
            if !entries.is_empty() {
                book.add_commented(board, *ply, entries);
            }
        }
        book
    }
}

fn entry(mv: Move, played: &Played) -> BookMove {
    let reply = played.replies.iter().max_by_key(|(reply, count)| (**count, reply.bits())).map(|(reply, _)| *reply);
    BookMove { reply, value: None, depth: None, count: played.count, ..BookMove::bare(mv) }
}
