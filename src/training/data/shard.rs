//! Shards: files of self-play games in two to three bytes a position.
//!
//! Four streams, each compressed on its own (deflate): the starts, the outlines (how many moves, how it ended), the
//! moves and the scores. A move is stored as its number among the legal moves of its position in ascending order of
//! their codes, which the rules determine, and a score as the difference from the negated score of the move before, so
//! that reading a shard takes nothing but the rules.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `HAGANESH` |
//! | u32 | version, 1 |
//! | u32 | games |
//! | u64 | positions with a score |
//! | (u32, u32) × 4 | each stream's length before and after compression |
//! | ... | the streams |
//! | u32 | CRC-32 of everything before it |
//!
//! All integers are little-endian.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::game::{Ending, Game};
use super::varint;
use crate::position::Position;
use crate::types::{Color, Move};

const MAGIC: &[u8; 8] = b"HAGANESH";
const VERSION: u32 = 1;
const HEADER: usize = 8 + 4 + 4 + 8 + 4 * 8;
/// A stream that claims to be larger than this is damaged.
const MOST_BYTES: usize = 1 << 30;
/// The file's extension.
pub const EXTENSION: &str = "shard";

/// Why a file is no shard.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// It cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is something else.
    #[error("{0}: not a shard of training games (its first bytes are not HAGANESH)")]
    Foreign(PathBuf),
    /// It is of a later version.
    #[error("{0}: a shard of version {1}; this program reads version {VERSION}")]
    Version(PathBuf, u32),
    /// It is shorter or longer than it says, or its checksum is wrong.
    #[error("{path}: a torn shard: {what}")]
    Torn {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: &'static str,
    },
    /// A game in it is impossible.
    #[error("{path}: game {game} is impossible: {what}")]
    Game {
        /// The file.
        path: PathBuf,
        /// The game's number within the shard, from 0.
        game: usize,
        /// What does not fit.
        what: String,
    },
}

/// Packs games into a shard's bytes. Every game's moves must be legal.
pub fn encode(games: &[Game]) -> Result<Vec<u8>, String> {
    let mut streams: [Vec<u8>; 4] = Default::default();
    let [starts, outlines, moves, scores] = &mut streams;
    for game in games {
        varint::put(starts, game.start.len() as u64);
        starts.extend_from_slice(game.start.as_bytes());
        let winner = match game.winner {
            None => 0,
            Some(Color::Black) => 1,
            Some(Color::White) => 2,
        };
        varint::put(outlines, game.given as u64);
        varint::put(outlines, game.scores.len() as u64);
        varint::put(outlines, winner | (game.ending as u64) << 2);
        if game.given + game.scores.len() != game.moves.len() {
            return Err("a game has not one score for each chosen move".to_owned());
        }
        let mut position = start_position(&game.start)?;
        for &played in &game.moves {
            let legal = position.legal_moves();
            if !legal.contains(&played) {
                return Err(format!("{played} is not legal in {}", position.to_sfen()));
            }
            let number = legal.iter().filter(|&&other| other.bits() < played.bits()).count();
            varint::put(moves, number as u64);
            position.do_move(played);
        }
        let mut promised = 0;
        for &score in &game.scores {
            varint::put_signed(scores, i64::from(score) - promised);
            promised = -i64::from(score);
        }
    }
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&(games.len() as u32).to_le_bytes());
    let positions: u64 = games.iter().map(|game| game.labelled() as u64).sum();
    out.extend_from_slice(&positions.to_le_bytes());
    let mut packed = Vec::new();
    for stream in &streams {
        let start = packed.len();
        let mut encoder = DeflateEncoder::new(packed, Compression::best());
        let finished = encoder.write_all(stream).and_then(|()| encoder.finish());
        packed = finished.map_err(|error| error.to_string())?;
        out.extend_from_slice(&(stream.len() as u32).to_le_bytes());
        out.extend_from_slice(&((packed.len() - start) as u32).to_le_bytes());
    }
    out.extend_from_slice(&packed);
    out.extend_from_slice(&checksum(&out).to_le_bytes());
    Ok(out)
}

/// The position a game starts from.
pub fn start_position(sfen: &str) -> Result<Position, String> {
    if sfen.is_empty() {
        return Ok(Position::startpos());
    }
    Position::from_sfen(sfen).map_err(|error| error.to_string())
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// An open shard whose games are read one after the other.
pub struct Shard {
    path: PathBuf,
    games: usize,
    positions: u64,
    next: usize,
    streams: [Vec<u8>; 4],
    cursors: [usize; 4],
}

impl Shard {
    /// Opens a file and checks it; no game is decoded yet.
    pub fn open(path: &Path) -> Result<Self, ShardError> {
        let bytes = fs::read(path).map_err(|source| ShardError::Io { path: path.to_owned(), source })?;
        Self::from_bytes(path, &bytes)
    }

    /// The same from bytes in memory; `path` names them in messages.
    pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, ShardError> {
        let torn = |what| ShardError::Torn { path: path.to_owned(), what };
        if !bytes.starts_with(MAGIC) {
            return Err(ShardError::Foreign(path.to_owned()));
        }
        if bytes.len() < HEADER + 4 {
            return Err(torn("it ends within the header"));
        }
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        if word(8) != VERSION {
            return Err(ShardError::Version(path.to_owned(), word(8)));
        }
        let lengths: [(usize, usize); 4] =
            std::array::from_fn(|i| (word(24 + 8 * i) as usize, word(28 + 8 * i) as usize));
        let total = lengths.iter().try_fold(HEADER + 4, |sum, &(_, packed)| sum.checked_add(packed));
        if total != Some(bytes.len()) {
            return Err(torn("its length is not what its header says"));
        }
        if word(bytes.len() - 4) != checksum(&bytes[..bytes.len() - 4]) {
            return Err(torn("its checksum is wrong"));
        }
        let mut streams: [Vec<u8>; 4] = Default::default();
        let mut at = HEADER;
        for (stream, (length, packed)) in streams.iter_mut().zip(lengths) {
            if length > MOST_BYTES {
                return Err(torn("a stream claims more than a gigabyte"));
            }
            let source = &bytes[at..at + packed];
            at += packed;
            let mut decoder = DeflateDecoder::new(source).take(length as u64 + 1);
            if decoder.read_to_end(stream).is_err() || stream.len() != length {
                return Err(torn("a stream does not unpack to its length"));
            }
        }
        Ok(Self {
            path: path.to_owned(),
            games: word(12) as usize,
            positions: u64::from(word(16)) | u64::from(word(20)) << 32,
            next: 0,
            streams,
            cursors: [0; 4],
        })
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The number of positions with a score, all games together.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Decodes the next game and calls `visit` for every move with the position before it and its score, if it has one.
    /// `None` after the last game.
    pub fn next_game(&mut self, visit: impl FnMut(&Position, Move, Option<i16>)) -> Option<Result<Game, ShardError>> {
        if self.next == self.games {
            return None;
        }
        let game =
            self.decode(visit).map_err(|what| ShardError::Game { path: self.path.clone(), game: self.next, what });
        // Nothing after a damaged game can be trusted.
        self.next = if game.is_ok() { self.next + 1 } else { self.games };
        Some(game)
    }

    /// Decodes all games.
    pub fn read_all(mut self) -> Result<Vec<Game>, ShardError> {
        let mut games = Vec::new();
        while let Some(game) = self.next_game(|_, _, _| ()) {
            games.push(game?);
        }
        Ok(games)
    }

    fn decode(&mut self, mut visit: impl FnMut(&Position, Move, Option<i16>)) -> Result<Game, String> {
        let mut rest: [&[u8]; 4] =
            std::array::from_fn(|i| &self.streams[i][self.cursors[i].min(self.streams[i].len())..]);
        let before = rest.map(<[u8]>::len);
        let [starts, outlines, codes, scores] = &mut rest;
        let ended = || "the data ends within it".to_owned();
        let length = varint::take(starts).ok_or_else(ended)? as usize;
        let (text, remaining) = starts.split_at_checked(length).ok_or_else(ended)?;
        *starts = remaining;
        let start = std::str::from_utf8(text).map_err(|error| error.to_string())?.to_owned();
        let given = varint::take(outlines).ok_or_else(ended)? as usize;
        let chosen = varint::take(outlines).ok_or_else(ended)? as usize;
        let end = varint::take(outlines).ok_or_else(ended)?;
        let winner = match end & 3 {
            0 => None,
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => return Err("it has an unknown winner".to_owned()),
        };
        let ending = *Ending::ALL.get((end >> 2) as usize).ok_or("it has an unknown ending")?;
        let mut game = Game { start, given, moves: Vec::new(), scores: Vec::new(), winner, ending };
        let mut position = start_position(&game.start)?;
        let mut promised = 0;
        for ply in 0..given.saturating_add(chosen) {
            let number = varint::take(codes).ok_or_else(ended)? as usize;
            let mut legal: Vec<Move> = position.legal_moves().to_vec();
            if number >= legal.len() {
                return Err(format!("its move {} does not exist", ply + 1));
            }
            let played = *legal.select_nth_unstable_by_key(number, |legal| legal.bits()).1;
            let score = if ply < given {
                None
            } else {
                let score = promised + varint::take_signed(scores).ok_or_else(ended)?;
                promised = -score;
                let score = i16::try_from(score).map_err(|_| "it has an impossible score")?;
                game.scores.push(score);
                Some(score)
            };
            visit(&position, played, score);
            position.do_move(played);
            game.moves.push(played);
        }
        for i in 0..4 {
            self.cursors[i] += before[i] - rest[i].len();
        }
        Ok(game)
    }
}
