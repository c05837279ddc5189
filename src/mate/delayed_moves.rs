//! Delayed moves: moves that wait until another one has failed, or seems to.
//!
//! ```text
//!   K . . . . R        P*a waits for nothing, L*a for P*a, G*a for L*a (one square, one chain);
//!     a b c d          the undefended drops on b, c and d form one chain of their own.
//! ```
//!
//! Interpositions on one square mostly fail or hold together, and so do undefended interpositions on neighbouring
//! squares: the sum of all their proof numbers would make a check from afar look hopeless. So each waits for the one
//! before it. The non-promotion of a pawn, lance, bishop or rook waits for the promotion: it is better only where a
//! dropped pawn must not mate. But there the promotion may be no mate and yet have no disproof within reach (図巧37番,
//! Zuko 37: more than 30 million nodes), so it must only turn out to be hard. A waiting move costs nothing: no probe of
//! the table, no search for a mate in one, until its turn comes. (Kishimoto, Nagai; KomoringHeights'
//! `DelayedMoveList`.)

use super::estimate;
use super::expansion::NO_MOVE;
use crate::bitboard::{Bitboard, attacks};
use crate::position::Position;
use crate::types::{BySquare, Move, Piece, PieceType, Square};

/// The last move of each chain so far.
pub(super) struct DelayedMoves {
    by_square: BySquare<u16>,
    undefended: u16,
    /// The squares of which it is known whether an own piece attacks them, and those that one does.
    asked: Bitboard,
    defended: Bitboard,
}

/// Whether the move declines a promotion that is nearly always better.
pub(super) fn declines_better_promotion(pos: &Position, mv: Move) -> bool {
    mv.from().and_then(|from| pos.piece_on(from)).is_some_and(|piece| {
        matches!(piece.piece_type(), PieceType::Pawn | PieceType::Lance | PieceType::Bishop | PieceType::Rook)
            && estimate::declines_promotion(piece.piece_type(), mv, piece.color())
    })
}

impl DelayedMoves {
    /// No chains yet.
    pub(super) fn new() -> Self {
        Self {
            by_square: [NO_MOVE; Square::COUNT],
            undefended: NO_MOVE,
            asked: Bitboard::EMPTY,
            defended: Bitboard::EMPTY,
        }
    }

    /// The earlier move that the defender's drop at place `index` of the list waits for.
    pub(super) fn interposition(&mut self, pos: &Position, mv: Move, index: u16) -> u16 {
        let us = pos.side_to_move();
        let to = mv.to();
        if !self.asked.contains(to) {
            self.asked |= Bitboard::from_square(to);
            if pos.is_attacked_by(us, to, pos.occupied()) {
                self.defended |= Bitboard::from_square(to);
            }
        }
        let last = if self.defended.contains(to) || checks_by_drop(pos, mv) {
            &mut self.by_square[to.index()]
        } else {
            &mut self.undefended
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
