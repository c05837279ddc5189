//! The inputs of the engine's own networks: every piece by its true kind, in a zone of the own king's square.
//!
//! A perspective sees the board with its own side below: for White every square is rotated. If its own king then stands
//! on files 6 to 9 the board is mirrored left to right, hands stay. Each perspective has `zones` × 2344 inputs; the
//! zone is that of the own king's square (`file * 9 + rank`, 0..45, after mirroring). Within a zone ([`board_input`],
//! [`hand_input`]):
//!
//! | input | what |
//! |---|---|
//! | `side * 1172 + kind * 81 + square` | a piece; side 0 own, 1 enemy; kind = [`PieceType`] number − 1 (pawn 0 .. gold 6, king 7, promoted pawn 8 .. dragon 13) |
//! | `side * 1172 + 1134 + slot` | the n-th copy in hand: slots from pawn 0, lance 18, knight 22, silver 26, gold 30, bishop 34, rook 36; n pieces set the first n |

use crate::types::{PieceType, Square};

/// Inputs per king zone: 2 sides × (14 kinds × 81 squares + 38 pieces in hand).
pub const INPUTS: usize = 2 * SIDE;
const SIDE: usize = 14 * 81 + 38;

/// The input of a piece on a square, both as the perspective sees them (rotated for White, mirrored by the own king).
pub const fn board_input(own: bool, kind: PieceType, seen: Square) -> u16 {
    let side = if own { 0 } else { SIDE };
    (side + (kind.index() - 1) * 81 + seen.index()) as u16
}

/// The input of a slot of a hand, see the module's table.
pub const fn hand_input(own: bool, slot: u16) -> u16 {
    (if own { 0 } else { SIDE } + 14 * 81) as u16 + slot
}
