//! Random numbers that identify positions (Zobrist 1970).
//!
//! Pieces on the board are combined by exclusive or; pieces in hand by addition, so that a hand of `n` equal pieces
//! needs no table by count.

use crate::platform::random::{self, Random};
use crate::types::{Color, Piece, PieceType, Square};

static BOARD: [u64; Piece::TABLE * Square::COUNT] = Random::table(0x6861_6761_6e65);
static HAND: [u64; 16] = Random::table(0x7461_7461_7261);

/// Changes with the side to move.
pub const SIDE: u64 = random::mix(0x7369_6465);

/// A piece on a square.
#[inline(always)]
pub fn board(piece: Piece, square: Square) -> u64 {
    BOARD[piece.index() * Square::COUNT + square.index()]
}

/// One more piece of a kind in a hand; to be added, not exclusive-ored.
#[inline(always)]
pub fn hand(color: Color, kind: PieceType) -> u64 {
    HAND[color.index() * 8 + (kind.index() & 7)]
}
