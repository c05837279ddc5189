//! The ends of principal variations, with what followed in the game.
//!
//! What a search sees by itself a static value need not know. The score of a search is the static value of the position at
//! the end of its principal variation; where the game went on otherwise than that score had said, it is this value that
//! erred. So the error is taught there, and what the search found on its way is no part of it: later scores differ from a
//! search's score by half as much as from the static value of the position that was searched.
//! Idea: TDLeaf(λ) (Baxter, Tridgell and Weaver, *Learning to Play Chess Using Temporal Differences*, 2000).

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

/// By how much the static value at a line's end may differ from the search's score, in centipawns. A line that the table cut
/// short differs by more; what the search learns of its static values, by less.
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
        let value = self.evaluator.evaluate(&end);
        let value = match end.side_to_move() == position.side_to_move() {
            true => value,
            false => -value,
        };
        ((value.0 - score.0).abs() <= FARTHEST).then_some(end)
    }
}

/// Takes the ends of lines in the place of the games' positions: a file of records in `folder` for each shard (see
/// [`super::derived`]). Each has the score and result of its game's position, for its own side to move, and that
/// position's ply. Where a line leads nowhere quiet the game's position and move are there themselves, so that later scores
/// find each other. Returns how many records the folder holds.
///
/// # Errors
/// Damaged shards, a searcher that cannot be had, a folder that cannot be written or holds what was made otherwise.
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
    let mut bytes = Vec::new();
    loop {
        finder.thinker.new_game();
        let mut records = Vec::new();
        let next = shard.next_game(|position, mv, score| {
            let Some(score) = score else { return };
            let (end, best) = match finder.end(position) {
                Some(end) => (end, None),
                None => (position.clone(), Some(mv)),
            };
            let score = match end.side_to_move() == position.side_to_move() {
                true => i32::from(score),
                false => -i32::from(score),
            };
            records.push(Labelled {
                ply: u16::try_from(position.move_number()).unwrap_or(u16::MAX),
                ..Labelled::judged(&end, Score(score), best)
            });
        });
        let Some(game) = next else { return Ok(bytes) };
        let game = game?;
        for mut record in records {
            record.result = game.result_for(record.position.side);
            if let Ok(psv) = Psv::encode(&record) {
                bytes.extend_from_slice(&psv.0);
            }
        }
    }
}
