//! Conversion between shards and the record files of other tools.

use std::path::{Path, PathBuf};

use super::game::{Ending, Game};
use super::record::{Hcpe, Labelled, Psv};
use super::shard;
use super::source::{self, FileKind, SourceError};
use crate::platform::files::write_whole;
use crate::position::packed::PackError;
use crate::position::{Board, Position};

/// Why a conversion failed.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// A source cannot be read, or the target not written.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A position does not fit into the target's format.
    #[error("{path}, position {index}: {source}")]
    Position {
        /// The source.
        path: PathBuf,
        /// The position's number in it, from 0.
        index: usize,
        /// Why.
        source: PackError,
    },
    /// The records cannot be a shard's games.
    #[error("{0}")]
    Games(String),
}

/// What a conversion did.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Converted {
    /// Positions written.
    pub positions: u64,
    /// Positions left out because the target's format cannot hold them (handicaps in hcpe) or no move leads on.
    pub left_out: u64,
}

/// Converts files into one; the extensions of the names tell the formats.
pub fn convert(sources: &[PathBuf], target: &Path) -> Result<Converted, ConvertError> {
    let kind = FileKind::of(target).ok_or_else(|| SourceError::Unknown(target.to_owned()))?;
    let mut converted = Converted::default();
    let mut bytes = Vec::new();
    let mut games = Games::default();
    for path in source::files(sources)? {
        let mut fault = None;
        let mut index = 0;
        source::read(&path, |labelled, context| {
            if fault.is_some() {
                return;
            }
            let written = match kind {
                FileKind::Psv => Psv::encode(&labelled).map(|record| bytes.extend_from_slice(&record.0)),
                FileKind::Hcpe => Hcpe::encode(&labelled).map(|record| bytes.extend_from_slice(&record.0)),
                FileKind::Shard => {
                    games.add(labelled, context.game);
                    Ok(())
                }
            };
            match written {
                Ok(()) => converted.positions += 1,
                Err(PackError::DoesNotFit(_)) => converted.left_out += 1,
                Err(source) => {
                    fault = Some(ConvertError::Position { path: path.clone(), index, source });
                }
            }
            index += 1;
        })?;
        if let Some(fault) = fault {
            return Err(fault);
        }
        games.end();
    }
    if kind == FileKind::Shard {
        bytes = shard::encode(&games.finished).map_err(ConvertError::Games)?;
        converted.left_out = games.left_out;
        converted.positions -= games.left_out;
    }
    write_whole(target, &bytes).map_err(|source| SourceError::Io { path: target.to_owned(), source })?;
    Ok(converted)
}

/// Joins records to games: a record continues the one before if that one's move leads to its position.
/// Shuffled records become games of one move.
#[derive(Default)]
struct Games {
    finished: Vec<Game>,
    /// The game being joined, and the position after its last move.
    open: Option<(Game, Position, usize)>,
    left_out: u64,
}

impl Games {
    fn add(&mut self, labelled: Labelled, number: usize) {
        let side = labelled.position.side_to_move();
        let winner = match labelled.result {
            0 => None,
            1 => Some(side),
            _ => Some(!side),
        };
        let continues = self.open.as_ref().is_some_and(|(game, position, of)| {
            *of == number && game.winner == winner && labelled.position == Board::from(position)
        });
        if !continues {
            self.end();
            let start = labelled.position.to_sfen(labelled.ply.max(1).into());
            let Ok(position) = Position::from_sfen(&start) else {
                self.left_out += 1;
                return;
            };
            let start = if start == Position::STARTPOS { String::new() } else { start };
            let game = Game {
                start,
                given: 0,
                moves: Vec::new(),
                scores: Vec::new(),
                winner,
                ending: if winner.is_some() { Ending::Score } else { Ending::Even },
            };
            self.open = Some((game, position, number));
        }
        let Some((game, position, _)) = &mut self.open else {
            return;
        };
        match labelled.best.filter(|&best| position.is_legal(best)) {
            Some(best) => {
                game.moves.push(best);
                game.scores.push(labelled.score);
                position.do_move(best);
            }
            None => {
                self.left_out += 1;
                self.end();
            }
        }
    }

    fn end(&mut self) {
        if let Some((game, _, _)) = self.open.take()
            && !game.moves.is_empty()
        {
            self.finished.push(game);
        }
    }
}
