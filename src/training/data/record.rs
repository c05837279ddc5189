//! Labelled positions in the formats that shogi trainers exchange: PackedSfenValue (40 bytes) and hcpe (38 bytes).

use crate::position::packed::{Code, PackError, pack, unpack};
use crate::position::{Board, Position};
use crate::types::{Color, Move, PieceType, Score, Square};

/// A position with a search's score and a game's result, both from the side to move's view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labelled {
    /// The position.
    pub position: Board,
    /// The search's score in centipawns, mate scores included.
    pub score: i16,
    /// The best move, or the move played, if the file has a valid one.
    pub best: Option<Move>,
    /// The number of moves played before this position, plus 1 (as SFEN counts).
    pub ply: u16,
    /// 1 the side to move won, 0 draw, -1 it lost.
    pub result: i8,
}

impl Labelled {
    /// A position without a result, with a search's score and best move.
    pub fn new(position: &Position, score: Score, best: Option<Move>) -> Self {
        Self {
            position: Board::from(position),
            score: score.0.clamp(-32000, 32000) as i16,
            best,
            ply: u16::try_from(position.move_number()).unwrap_or(u16::MAX),
            result: 0,
        }
    }
}

/// A PackedSfenValue record: position 32 bytes, score, move, ply, result, one byte of padding; little-endian.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Psv(pub [u8; 40]);

impl Psv {
    /// The length of a record in bytes.
    pub const SIZE: usize = 40;

    /// Packs a labelled position.
    pub fn encode(labelled: &Labelled) -> Result<Self, PackError> {
        let mut bytes = [0; Self::SIZE];
        bytes[..32].copy_from_slice(&pack(&labelled.position, Code::PackedSfen)?);
        bytes[32..34].copy_from_slice(&labelled.score.to_le_bytes());
        bytes[34..36].copy_from_slice(&labelled.best.map_or(0, move_to_psv).to_le_bytes());
        bytes[36..38].copy_from_slice(&labelled.ply.to_le_bytes());
        bytes[38] = labelled.result as u8;
        Ok(Self(bytes))
    }

    /// Unpacks the record.
    pub fn decode(&self) -> Result<Labelled, PackError> {
        Ok(Labelled {
            position: self.position()?,
            score: self.score(),
            best: move_from_psv(self.word(34)),
            ply: self.ply(),
            result: self.result(),
        })
    }

    /// The position alone.
    pub fn position(&self) -> Result<Board, PackError> {
        unpack(self.packed(), Code::PackedSfen)
    }

    /// The packed position: equal exactly for equal positions.
    pub fn packed(&self) -> &[u8; 32] {
        // The first 32 of 40 bytes always exist.
        self.0.first_chunk().unwrap_or(&[0; 32])
    }

    /// The score, side to move's view.
    pub fn score(&self) -> i16 {
        self.word(32) as i16
    }

    /// The game ply.
    pub fn ply(&self) -> u16 {
        self.word(36)
    }

    /// 1, 0 or -1 for the side to move.
    pub fn result(&self) -> i8 {
        (self.0[38] as i8).signum()
    }

    fn word(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.0[at], self.0[at + 1]])
    }
}

/// A hcpe record: HuffmanCodedPos 32 bytes, score, move, result by colour, one byte of padding. It has no ply.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hcpe(pub [u8; 38]);

impl Hcpe {
    /// The length of a record in bytes.
    pub const SIZE: usize = 38;

    /// Packs a labelled position; the ply is lost.
    pub fn encode(labelled: &Labelled) -> Result<Self, PackError> {
        let mut bytes = [0; Self::SIZE];
        bytes[..32].copy_from_slice(&pack(&labelled.position, Code::Huffman)?);
        bytes[32..34].copy_from_slice(&labelled.score.to_le_bytes());
        // This crate's move code is Apery's.
        let code = labelled.best.map_or(0, Move::bits);
        bytes[34..36].copy_from_slice(&code.to_le_bytes());
        bytes[36] = match (labelled.result, labelled.position.side_to_move()) {
            (0, _) => 0,
            (1, Color::Black) | (-1, Color::White) => 1,
            _ => 2,
        };
        Ok(Self(bytes))
    }

    /// Unpacks the record; the ply is given as 0, which means unknown.
    pub fn decode(&self) -> Result<Labelled, PackError> {
        let packed = self.0.first_chunk().unwrap_or(&[0; 32]);
        let position = unpack(packed, Code::Huffman)?;
        let result = match (self.0[36] & 3, position.side_to_move()) {
            (1, Color::Black) | (2, Color::White) => 1,
            (1, Color::White) | (2, Color::Black) => -1,
            _ => 0,
        };
        Ok(Labelled {
            score: i16::from_le_bytes([self.0[32], self.0[33]]),
            best: Move::from_bits(u16::from_le_bytes([self.0[34], self.0[35]])),
            ply: 0,
            result,
            position,
        })
    }
}

/// YaneuraOu's 16 bits of a move: destination, origin or dropped kind from bit 7, drop bit 14, promotion bit 15.
fn move_to_psv(played: Move) -> u16 {
    let to = played.to().index() as u16;
    match (played.from(), played.dropped()) {
        (Some(from), _) => to | (from.index() as u16) << 7 | (played.is_promotion() as u16) << 15,
        (None, Some(kind)) => to | (kind.index() as u16) << 7 | 1 << 14,
        (None, None) => 0,
    }
}

fn move_from_psv(code: u16) -> Option<Move> {
    let to = Square::from_index((code & 127) as usize)?;
    let from = (code >> 7 & 127) as usize;
    if code & 1 << 14 != 0 {
        let kind = PieceType::from_index(from).filter(|kind| PieceType::HAND.contains(kind))?;
        return Some(Move::drop(kind, to));
    }
    let from = Square::from_index(from).filter(|&from| from != to)?;
    Some(Move::board(from, to, code & 1 << 15 != 0))
}
