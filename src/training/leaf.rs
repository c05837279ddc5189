//! The ends of principal variations, with what followed in the game.
//!
//! What a search sees by itself a static value need not know. The score of a search is the static value of the position
//! at the end of its principal variation; where the game went on otherwise than that score had said, it is this value
//! that erred. So the error is taught there, and what the search found on its way is no part of it: later scores differ
//! from a search's score by half as much as from the static value of the position that was searched. Idea: TDLeaf(λ)
//! (Baxter, Tridgell and Weaver, *Learning to Play Chess Using Temporal Differences*, 2000).

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::derived::derive;
use super::generate::{GenerateError, Thinker};
use super::record::{Labelled, Psv};
use super::shard::Shard;
use super::source::SourceError;
use crate::position::Position;
use crate::search::Evaluator;
use crate::types::Score;

/// The file in the folder of line ends that says how they were made.
pub const FILE: &str = "leaves.json";

/// By how much the static value at a line's end may differ from the search's score, in centipawns. A line that the
/// table cut short differs by more; what the search learns of its static values, by less.
const FARTHEST: i32 = 80;

/// Which searches find the lines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Nodes of a position's search.
    pub nodes: u64,
    /// What evaluates.
    pub evaluation: String,
}

/// Finds the ends of lines.
pub struct Finder<T> {
    /// Searches.
    pub thinker: T,
    /// Its static evaluation.
    pub evaluator: Evaluator,
}

impl<T: Thinker> Finder<T> {
    /// The quiet position whose static value is the score of `position`, if the search's line leads to one.
    fn end(&mut self, position: &Position) -> Option<Position> {
        let (_, score) = self.thinker.think(position)?;
        let mut end = position.clone();
        for &mv in self.thinker.line() {
            if !end.is_legal(mv) {
                return None;
            }
            end.do_move(mv);
        }
        if end.in_check() {
            return None;
        }
        let value = seen_from(position, &end, self.evaluator.evaluate(&end).0);
        ((value - score.0).abs() <= FARTHEST).then_some(end)
    }
}

/// A value for the side to move in one of two positions, for the side to move in the other.
fn seen_from(one: &Position, other: &Position, value: i32) -> i32 {
    match one.side_to_move() == other.side_to_move() {
        true => value,
        false => -value,
    }
}

/// Takes the ends of lines in the place of the games' positions: a file of records in `folder` for each shard (see
/// [`super::derived`]). Each has the score and result of its game's position, for its own side to move, and that
/// position's ply. Where a line leads nowhere quiet the game's position and move are there themselves, so that later
/// scores find each other. A file's games stand in the order of their first plies, the latest first. Returns how many
/// records there are of these shards.
///
/// # Errors
/// Damaged shards, a searcher that cannot be had, a folder that cannot be written or holds what was made otherwise, or
/// of other shards.
pub fn leaves<T: Thinker>(
    sources: &[PathBuf],
    settings: &Settings,
    folder: &Path,
    finder: impl Fn() -> Result<Finder<T>, GenerateError> + Sync,
    each: impl Fn(usize, usize, u64) + Sync,
) -> Result<u64, SourceError> {
    let make = |_, path: &Path| of_file(path, &mut finder()?);
    derive(sources, (settings, FILE), folder, make, each)
}

fn of_file<T: Thinker>(path: &Path, finder: &mut Finder<T>) -> Result<Vec<u8>, SourceError> {
    let mut shard = Shard::open(path)?;
    let mut games = Vec::new();
    loop {
        finder.thinker.new_game();
        let mut records = Vec::new();
        let next = shard.next_game(|position, mv, score| {
            let Some(score) = score else { return };
            let (end, best) = match finder.end(position) {
                Some(end) => (end, None),
                None => (position.clone(), Some(mv)),
            };
            let score = seen_from(&end, position, i32::from(score));
            records.push(Labelled {
                ply: u16::try_from(position.move_number()).unwrap_or(u16::MAX),
                ..Labelled::judged(&end, Score(score), best)
            });
        });
        let Some(game) = next else { break };
        let game = game?;
        for record in &mut records {
            record.result = game.result_for(record.position.side);
        }
        games.push(records);
    }
    // Records tell a new game by a falling ply alone, and games of the same shard may begin at any.
    games.sort_by_key(|game| Reverse(game.first().map(|record| record.ply)));
    let records = games.iter().flatten();
    Ok(records.filter_map(|record| Psv::encode(record).ok()).flat_map(|psv| psv.0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Move;

    /// Says the same of every position.
    struct Says {
        line: Vec<Move>,
        score: i32,
    }

    impl Thinker for Says {
        fn new_game(&mut self) {}

        fn choose(&mut self, _position: &Position, _among: &[Move]) -> Option<(Move, Score)> {
            Some((*self.line.first()?, Score(self.score)))
        }

        fn nodes(&self) -> u64 {
            0
        }

        fn line(&self) -> &[Move] {
            &self.line
        }
    }

    /// A rook in hand makes values large: a wrong sign is not within what may differ.
    const ROOK_AHEAD: &str = "4k4/9/9/9/9/9/4P4/9/4K4 b R 1";

    /// The end of a line, if the search's score is the static value there, for the first position's side, and this
    /// much.
    fn end(line: &[&str], more: i32) -> (Position, Option<Position>) {
        let position = Position::from_sfen(ROOK_AHEAD).unwrap();
        let mut last = position.clone();
        let mut moves = Vec::new();
        for text in line {
            let mv: Move = text.parse().unwrap();
            last.do_move(mv);
            moves.push(mv);
        }
        let evaluator = Evaluator::HandCrafted;
        let value = evaluator.evaluate(&last).0;
        let value = seen_from(&position, &last, value);
        assert!(value > FARTHEST);
        let thinker = Says { line: moves, score: value + more };
        let found = Finder { thinker, evaluator }.end(&position);
        (last, found)
    }

    #[test]
    fn lines_end_where_the_static_value_is_the_score() {
        for line in [&["5g5f"][..], &["5g5f", "5a5b"]] {
            for more in [0, FARTHEST, -FARTHEST] {
                let (last, found) = end(line, more);
                assert!(found.is_some_and(|found| found.to_sfen() == last.to_sfen()));
            }
            for more in [FARTHEST + 1, -FARTHEST - 1] {
                assert!(end(line, more).1.is_none());
            }
        }
        assert!(end(&["R*5e"], 0).1.is_none(), "in check");
    }
}
