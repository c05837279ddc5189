//! Positions that games do not show: those of games, varied by up to two random moves, with a value of their own.
//!
//! A search looks mostly at bad moves, and games hold good ones only. Two judges give the values: a static evaluation,
//! whose labels cost next to nothing (a network that has learned to say the same starts from its level, not from
//! nothing), and a search, whose labels say what the evaluation does not know.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::correction::Correction;
use super::derived::derive;
use super::generate::{GenerateError, Thinker};
use super::placement::Placement;
use super::record::{Labelled, Psv};
use super::shard::Shard;
use super::source::SourceError;
use super::tree::Tree;
use crate::platform::random::Random;
use crate::position::Position;
use crate::search::Evaluator;
use crate::types::{Depth, Move, Score};

/// The file in the folder of variations that says how they were made.
pub const FILE: &str = "variations.json";
/// After so many captures or promotions in a row a position is given up as not quiet.
const FORCED_MOVES: usize = 4;

/// Which variations are made, and of what.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Seed of the random moves.
    pub seed: u64,
    /// The share of the games' positions that are varied.
    pub share: f32,
    /// Variations of each of them.
    pub copies: usize,
    /// Nodes of the search that values a position, 0 for the static evaluation.
    pub nodes: u64,
    /// What evaluates, and how that is corrected.
    pub evaluation: String,
    /// Positions of the search's tree come along that it has looked at least so deep at, 0 for none (see [`Tree`]).
    #[serde(default)]
    pub tree: Depth,
}

/// Gives a position its value.
pub trait Judge {
    /// Prepares for the variations of another game.
    fn new_game(&mut self) {}
    /// The value for the side to move and the best move, if one is known. A judge may first make moves that the
    /// position forces. `None` where it has no quiet position to value.
    fn judge(&mut self, position: &mut Position) -> Option<(Score, Option<Move>)>;
    /// What this game's judgements have found out about positions that come after this one and were searched at least
    /// so deep; each is given out once.
    fn aside(&mut self, _: &Position, _least: Depth) -> Vec<Labelled> {
        Vec::new()
    }
}

/// Gives positions their static value. In check there is none.
pub struct Static {
    /// Who judges.
    pub evaluator: Evaluator,
    /// What is added to its values, and how many times.
    pub correction: Option<(Correction, f32)>,
}

impl Judge for Static {
    fn judge(&mut self, position: &mut Position) -> Option<(Score, Option<Move>)> {
        if position.in_check() {
            return None;
        }
        let mut value = self.evaluator.evaluate(position);
        if let Some((correction, factor)) = &self.correction {
            let beyond = factor * correction.of(&Placement::from(&*position));
            value = Score((value.0 as f32 + beyond).round() as i32).clamp_eval();
        }
        Some((value, None))
    }
}

/// Values positions by a search. While the best move captures, promotes or answers a check it is made, and the position
/// after it is valued: a network is asked about quiet positions, and material that hangs after a random move is gone
/// then.
pub struct Searched<T> {
    /// Finds the moves that are forced.
    pub quick: T,
    /// Gives the value.
    pub thorough: T,
    /// Which positions of this game's trees have been given out.
    pub tree: Tree,
}

/// Whether a position is to be valued when this is its best move.
fn is_quiet(position: &Position, best: Move) -> bool {
    !position.in_check() && !position.is_capture(best) && !best.is_promotion()
}

impl<T: Thinker> Judge for Searched<T> {
    fn new_game(&mut self) {
        self.quick.new_game();
        self.thorough.new_game();
        self.tree.forget();
    }

    fn judge(&mut self, position: &mut Position) -> Option<(Score, Option<Move>)> {
        for _ in 0..=FORCED_MOVES {
            let (mut best, _) = self.quick.think(position)?;
            if is_quiet(position, best) {
                let (mv, score) = self.thorough.think(position)?;
                if is_quiet(position, mv) {
                    return Some((score, Some(mv)));
                }
                best = mv;
            }
            position.do_move(best);
        }
        None
    }

    fn aside(&mut self, position: &Position, least: Depth) -> Vec<Labelled> {
        match self.thorough.table() {
            Some(table) => self.tree.read(table, position, least),
            None => Vec::new(),
        }
    }
}

/// Makes the variations of the games of shards: a file of records in `folder` for each shard (see [`super::derived`]).
/// Returns how many positions there are of these shards.
///
/// # Errors
/// Damaged shards, a judge that cannot be had, a folder that cannot be written or that holds what was made otherwise,
/// or of other shards.
pub fn vary(
    sources: &[PathBuf],
    settings: &Settings,
    folder: &Path,
    judge: impl Fn() -> Result<Box<dyn Judge>, GenerateError> + Sync,
    each: impl Fn(usize, usize, u64) + Sync,
) -> Result<u64, SourceError> {
    let make = |number: usize, path: &Path| {
        let mut random = Random::for_item(settings.seed, number as u64);
        vary_file(path, settings, judge()?.as_mut(), &mut random)
    };
    derive(sources, (settings, FILE), folder, make, each)
}

fn vary_file(
    path: &Path,
    settings: &Settings,
    judge: &mut dyn Judge,
    random: &mut Random,
) -> Result<Vec<u8>, SourceError> {
    let mut shard = Shard::open(path)?;
    let mut bytes = Vec::new();
    loop {
        judge.new_game();
        let next = shard.next_game(|position, _, _| {
            if !random.chance(settings.share) {
                return;
            }
            for _ in 0..settings.copies {
                for record in variation(position, judge, settings.tree, random) {
                    bytes.extend_from_slice(&record.0);
                }
            }
        });
        match next {
            None => return Ok(bytes),
            Some(game) => game.map(drop)?,
        }
    }
}

/// A position varied by up to two random moves, with its value, and what the search of it found out besides.
fn variation(position: &Position, judge: &mut dyn Judge, tree: Depth, random: &mut Random) -> Vec<Psv> {
    // All of them keep the ply of the game: a falling one would begin another game, so that a split for validation tore
    // neighbours apart, and a rising one be taken for what followed.
    let ply = u16::try_from(position.move_number()).unwrap_or(u16::MAX);
    let mut position = position.clone();
    for _ in 0..random.below(3) {
        let mut legal = position.legal_moves().to_vec();
        if legal.is_empty() {
            return Vec::new();
        }
        legal.sort_unstable();
        position.do_move(legal[random.below(legal.len())]);
    }
    let Some((score, best)) = judge.judge(&mut position) else {
        return Vec::new();
    };
    let mut lessons = vec![Labelled::judged(&position, score, best)];
    if tree > 0 {
        lessons.extend(judge.aside(&position, tree));
    }
    lessons.into_iter().filter_map(|lesson| Psv::encode(&Labelled { ply, ..lesson }).ok()).collect()
}
