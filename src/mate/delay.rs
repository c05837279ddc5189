//! Moves that wait until another one is decided (delayed generation).
//!
//! Interpositions on one square mostly stand or fall together, and so do bare interpositions on neighbouring squares:
//! adding all their proof numbers up makes a long-range check look hopeless. So each waits for the one before it. The
//! attacker's non-promotion of a pawn, bishop or rook waits for the promotion: it is only ever better where a dropped
//! pawn must not mate. What waits is not even looked at: no look into the table, no search for a mate in one, until its
//! turn comes. (Kishimoto, Nagai; "delayed move list" of KomoringHeights.)

use super::estimate;
use super::expansion::NO_MOVE;
use crate::bitboard::attacks;
use crate::position::Position;
use crate::types::{Move, Piece, PieceType, Square};

/// The last move of each chain so far.
pub(super) struct Delays {
    by_square: [u16; Square::COUNT],
    bare: u16,
}

/// Whether the move declines a promotion that is nearly always better.
pub(super) fn is_pointless(pos: &Position, mv: Move) -> bool {
    mv.from().and_then(|from| pos.piece_on(from)).is_some_and(|piece| {
        matches!(piece.piece_type(), PieceType::Pawn | PieceType::Lance | PieceType::Bishop | PieceType::Rook)
            && estimate::declines_promotion(piece.piece_type(), mv, piece.color())
    })
}

impl Delays {
    /// No move seen yet.
    pub(super) fn new() -> Self {
        Self { by_square: [NO_MOVE; Square::COUNT], bare: NO_MOVE }
    }

    /// For the defender's drop at place `index` of the list: the earlier one that it waits for.
    pub(super) fn interposition(&mut self, pos: &Position, mv: Move, index: u16) -> u16 {
        let us = pos.side_to_move();
        let to = mv.to();
        let last = if pos.is_attacked_by(us, to, pos.occupied()) || checks_by_drop(pos, mv) {
            &mut self.by_square[to.index()]
        } else {
            &mut self.bare
        };
        std::mem::replace(last, index)
    }
}

/// Whether a drop gives check.
fn checks_by_drop(pos: &Position, mv: Move) -> bool {
    let us = pos.side_to_move();
    match (pos.king(!us), mv.dropped()) {
        (Some(king), Some(kind)) => attacks(Piece::new(us, kind), mv.to(), pos.occupied()).contains(king),
        _ => false,
    }
}
