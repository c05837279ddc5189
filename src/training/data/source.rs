//! Reading training positions: from shards, and from the record files of other tools.

use std::fs;
use std::path::{Path, PathBuf};

use super::game::Game;
use super::manifest::{Manifest, ManifestError};
use super::record::{Hcpe, Labelled, Psv};
use super::shard::{self, Shard, ShardError};
use crate::position::Board;
use crate::position::Position;
use crate::position::packed::PackError;
use crate::types::Move;

/// The kind of a file, by its extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// `.shard`: games of this program.
    Shard,
    /// `.psv`, `.bin`: PackedSfenValue records.
    Psv,
    /// `.hcpe`: HuffmanCodedPosAndEval records.
    Hcpe,
}

impl FileKind {
    /// The kind of a path.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            shard::EXTENSION => Some(Self::Shard),
            "psv" | "bin" => Some(Self::Psv),
            "hcpe" => Some(Self::Hcpe),
            _ => None,
        }
    }
}

/// Why training positions cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A file or folder cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file's extension is none of a known format.
    #[error("{0}: not training data by its name (expected .shard, .psv, .bin or .hcpe, or a folder with such files)")]
    Unknown(PathBuf),
    /// A folder's manifest is damaged.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A shard is damaged.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// A file of records ends within one.
    #[error("{path}: {length} bytes are not a whole number of {size}-byte records")]
    Length {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        length: usize,
        /// The length of a record.
        size: usize,
    },
    /// A record is damaged.
    #[error("{path}: record {index}: {source}")]
    Record {
        /// The file.
        path: PathBuf,
        /// The record's number, from 0.
        index: usize,
        /// What does not fit.
        source: PackError,
    },
}

/// The files that paths stand for: files themselves, the finished shards of folders with a manifest, and all record
/// files of other folders.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, SourceError> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            match Manifest::read(path)? {
                Some(manifest) => {
                    files.extend(manifest.shards.iter().map(|entry| path.join(&entry.file)));
                }
                None => files.extend(records_in(path)?),
            }
        } else if FileKind::of(path).is_some() {
            files.push(path.clone());
        } else {
            return Err(SourceError::Unknown(path.clone()));
        }
    }
    Ok(files)
}

/// The record files of a folder, by name. There must be at least one.
fn records_in(folder: &Path) -> Result<Vec<PathBuf>, SourceError> {
    let io = |source| SourceError::Io { path: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if matches!(FileKind::of(&path), Some(FileKind::Psv | FileKind::Hcpe)) {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(SourceError::Unknown(folder.to_owned()));
    }
    Ok(files)
}

/// What is known of a position beside its record.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// The game's number within the file. Records do not tell games apart; there a game begins where the ply falls.
    pub game: usize,
    /// Whether the side to move is in check; `None` where the file does not tell.
    pub in_check: Option<bool>,
}

/// Calls `visit` for every labelled position of a file.
pub fn read(path: &Path, mut visit: impl FnMut(Labelled, Context)) -> Result<(), SourceError> {
    match FileKind::of(path) {
        None => Err(SourceError::Unknown(path.to_owned())),
        Some(FileKind::Shard) => read_games(path, |number, game, positions| {
            for (index, Scored { position, in_check, ply }) in positions.into_iter().enumerate() {
                let labelled = Labelled {
                    score: game.scores[index],
                    best: Some(game.moves[game.given + index]),
                    ply,
                    result: game.result_for(position.side_to_move()),
                    position,
                };
                visit(labelled, Context { game: number, in_check: Some(in_check) });
            }
        }),
        Some(FileKind::Psv) => records::<{ Psv::SIZE }>(path, |bytes| Psv(*bytes).decode(), &mut visit),
        Some(FileKind::Hcpe) => records::<{ Hcpe::SIZE }>(path, |bytes| Hcpe(*bytes).decode(), &mut visit),
    }
}

/// A position of a game before a move that has a score.
pub struct Scored {
    /// The position.
    pub position: Board,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The number of the move, as SFEN counts.
    pub ply: u16,
}

/// Calls `visit` for every game of a shard with its number and its positions that have scores, in their order.
pub fn read_games(path: &Path, mut visit: impl FnMut(usize, &Game, Vec<Scored>)) -> Result<(), SourceError> {
    let mut shard = Shard::open(path)?;
    let mut number = 0;
    loop {
        let mut positions = Vec::new();
        let next = shard.next_game(|position: &Position, _: Move, score| {
            if score.is_some() {
                positions.push(Scored {
                    position: Board::from(position),
                    in_check: position.in_check(),
                    ply: u16::try_from(position.move_number()).unwrap_or(u16::MAX),
                });
            }
        });
        let Some(game) = next else { return Ok(()) };
        visit(number, &game?, positions);
        number += 1;
    }
}

fn records<const SIZE: usize>(
    path: &Path,
    decode: impl Fn(&[u8; SIZE]) -> Result<Labelled, PackError>,
    visit: &mut impl FnMut(Labelled, Context),
) -> Result<(), SourceError> {
    let bytes = fs::read(path).map_err(|source| SourceError::Io { path: path.to_owned(), source })?;
    let (records, rest) = bytes.as_chunks::<SIZE>();
    if !rest.is_empty() {
        let length = bytes.len();
        return Err(SourceError::Length { path: path.to_owned(), length, size: SIZE });
    }
    let (mut game, mut last_ply) = (0, 0);
    for (index, record) in records.iter().enumerate() {
        let labelled = decode(record).map_err(|source| SourceError::Record { path: path.to_owned(), index, source })?;
        if labelled.ply < last_ply {
            game += 1;
        }
        last_ply = labelled.ply;
        visit(labelled, Context { game, in_check: None });
    }
    Ok(())
}
