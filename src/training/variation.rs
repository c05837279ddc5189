//! Many cheap positions for a first network: those of games, varied by random moves, with the value that the evaluation
//! made by hand gives them.
//!
//! A network that has learned to say what the hand-made evaluation says starts from its level, not from nothing; scores
//! of searches and results of games then teach it more than the evaluation knows. Such labels cost microseconds.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::placement::Placement;
use super::random::Random;
use super::record::{Labelled, Psv};
use super::shard::{Shard, write_whole};
use super::source::{self, SourceError};
use crate::evaluation::evaluate;
use crate::position::Position;

/// Writes variations of the games of shards as records: `copies` of each position, after no, one or two random moves.
/// Positions in check have no static value and are left out. Returns how many were written.
pub fn vary(
    sources: &[PathBuf],
    copies: usize,
    seed: u64,
    target: &Path,
) -> Result<u64, SourceError> {
    let files = source::files(sources)?;
    let parts: Vec<Vec<u8>> = files
        .par_iter()
        .enumerate()
        .map(|(number, path)| vary_file(path, copies, &mut Random::for_item(seed, number as u64)))
        .collect::<Result<_, SourceError>>()?;
    let bytes = parts.concat();
    write_whole(target, &bytes).map_err(|source| SourceError::Io {
        path: target.to_owned(),
        source,
    })?;
    Ok((bytes.len() / Psv::SIZE) as u64)
}

fn vary_file(path: &Path, copies: usize, random: &mut Random) -> Result<Vec<u8>, SourceError> {
    let mut shard = Shard::open(path)?;
    let mut bytes = Vec::new();
    loop {
        let next = shard.next_game(|position, _, _| {
            for _ in 0..copies {
                if let Some(record) = variation(position, random) {
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

fn variation(position: &Position, random: &mut Random) -> Option<Psv> {
    let mut position = position.clone();
    for _ in 0..random.below(3) {
        let mut legal = position.legal_moves().to_vec();
        if legal.is_empty() {
            return None;
        }
        legal.sort_unstable();
        position.do_move(legal[random.below(legal.len())]);
    }
    if position.in_check() {
        return None;
    }
    let labelled = Labelled {
        position: Placement::from(&position),
        score: evaluate(&position).0.clamp(-32000, 32000) as i16,
        best: None,
        // Neighbours belong together, as positions of a game do, when records are split for validation.
        ply: u16::try_from(position.move_number()).unwrap_or(u16::MAX),
        result: 0,
    };
    Psv::encode(&labelled).ok()
}
