//! The phase of a game, by which a network of our own chooses its layer stack.

use crate::training::placement::Placement;

/// The number of phases, and of layer stacks in networks of our own.
pub const PHASES: usize = 8;

/// The phase (0..8) of a position: by pieces in hand and promoted pieces, which grow in number as a game goes on.
pub fn phase(position: &Placement) -> usize {
    let held: u32 = position.hands.iter().flat_map(|hand| hand.iter()).map(|(_, count)| count).sum();
    let promoted = position.pieces().filter(|(_, piece)| piece.piece_type().is_promoted()).count();
    ((held as usize + promoted) / 2).min(PHASES - 1)
}
