//! The phase of a game, by which a network of our own chooses its layer stack.

use crate::position::Board;
use crate::types::Color;

/// The number of phases, and of layer stacks in networks of our own.
pub const PHASES: usize = 8;

/// The phase (0..8) of a position: by pieces in hand and promoted pieces, which grow in number as a game goes on.
pub fn phase(position: &Board) -> usize {
    let held: usize = Color::ALL.into_iter().flat_map(|color| position.held(color)).map(|(_, n)| usize::from(n)).sum();
    let promoted = position.pieces().filter(|(_, piece)| piece.piece_type().is_promoted()).count();
    ((held + promoted) / 2).min(PHASES - 1)
}
