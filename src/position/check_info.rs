//! Which moves give check.

use crate::bitboard::{
    Bitboard, bishop_attacks, gold_attacks, king_attacks, knight_attacks, lance_attacks, line, pawn_attacks,
    rook_attacks, silver_attacks,
};
use crate::types::{Move, PieceType, Square};

use super::Position;

use PieceType::*;

/// Precomputed data that tells whether a move of the side to move gives check; computed once per node.
#[derive(Clone, Copy)]
pub struct CheckInfo {
    /// The enemy king.
    king: Option<Square>,
    /// By kind: the squares from which a piece of it attacks the enemy king.
    squares: [Bitboard; PieceType::TABLE],
    /// Own pieces that give a discovered check when they leave the line.
    discoverers: Bitboard,
}

impl CheckInfo {
    /// Computes it for the side to move.
    pub fn new(position: &Position) -> Self {
        let us = position.side_to_move();
        let them = !us;
        let king = position.king(them);
        // Filled in its place: it is large, and copying it would take a good part of the time.
        let mut info = Self { king, squares: [Bitboard::EMPTY; PieceType::TABLE], discoverers: Bitboard::EMPTY };
        if let Some(king) = king {
            let occupied = position.occupied();
            let bishop = bishop_attacks(king, occupied);
            let rook = rook_attacks(king, occupied);
            let gold = gold_attacks(them, king);
            let squares = &mut info.squares;
            squares[Pawn.index()] = pawn_attacks(them, king);
            squares[Lance.index()] = lance_attacks(them, king, occupied);
            squares[Knight.index()] = knight_attacks(them, king);
            squares[Silver.index()] = silver_attacks(them, king);
            squares[Bishop.index()] = bishop;
            squares[Rook.index()] = rook;
            for kind in [Gold, ProPawn, ProLance, ProKnight, ProSilver] {
                squares[kind.index()] = gold;
            }
            squares[Horse.index()] = bishop | king_attacks(king);
            squares[Dragon.index()] = rook | king_attacks(king);
            info.discoverers = position.blockers(us, king) & position.by_color(us);
        }
        info
    }

    /// The squares from which a piece of a kind attacks the enemy king.
    #[inline(always)]
    pub fn squares(&self, kind: PieceType) -> Bitboard {
        self.squares[kind.index()]
    }

    /// [`CheckInfo::squares`] of all kinds.
    #[inline(always)]
    pub(super) fn all_squares(&self) -> &[Bitboard; PieceType::TABLE] {
        &self.squares
    }

    /// The enemy king; `None` where there is none, and so no check either.
    #[inline(always)]
    pub fn king(&self) -> Option<Square> {
        self.king
    }

    /// Own pieces that give a discovered check when they leave the line to the enemy king.
    #[inline(always)]
    pub fn discoverers(&self) -> Bitboard {
        self.discoverers
    }

    /// The squares on which a piece that is of a kind after its move gives check; `from` is its origin, `None` for a
    /// drop.
    #[inline(always)]
    pub fn checking(&self, kind: PieceType, from: Option<Square>) -> Bitboard {
        match (from, self.king) {
            (Some(from), Some(king)) if self.discoverers.contains(from) => self.squares(kind) | !line(from, king),
            _ => self.squares(kind),
        }
    }
}

impl Position {
    /// Whether a legal move gives check, by a [`CheckInfo`] of this position.
    #[inline]
    pub fn gives_check_by(&self, info: &CheckInfo, mv: Move) -> bool {
        let (from, piece) = match (mv.from(), mv.dropped()) {
            (None, Some(kind)) => return info.squares(kind).contains(mv.to()),
            (Some(from), _) => (from, self.piece_on(from)),
            (None, None) => return false,
        };
        let Some(kind) = piece.map(|piece| piece.piece_type()) else {
            return false;
        };
        let kind = if mv.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind };
        info.checking(kind, Some(from)).contains(mv.to())
    }

    /// Whether a legal move gives check. For many moves of one position make a [`CheckInfo`] once.
    pub fn gives_check(&self, mv: Move) -> bool {
        self.gives_check_by(&CheckInfo::new(self), mv)
    }
}
