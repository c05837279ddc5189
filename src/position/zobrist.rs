//! Random numbers that identify positions (Zobrist 1970).
//!
//! Pieces on the board are combined by exclusive or; pieces in hand by addition, so that a hand of `n` equal pieces
//! needs no table by count.

use crate::types::{Color, Piece, PieceType, Square};

/// The next state and number of splitmix64 (Steele, Lea & Flood 2014).
const fn splitmix64(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

const fn numbers<const N: usize>(mut state: u64) -> [u64; N] {
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        (state, numbers[i]) = splitmix64(state);
        i += 1;
    }
    numbers
}

static BOARD: [u64; Piece::TABLE * Square::COUNT] = numbers(0x6861_6761_6e65);
static HAND: [u64; 16] = numbers(0x7461_7461_7261);

/// Changes with the side to move.
pub const SIDE: u64 = numbers::<1>(0x7369_6465)[0];

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
