//! Threats by cheaper pieces: quiet moves that bring a piece out of them come early, those that bring it into them late.
//! Histories cannot know, for they remember moves, not what attacks where now.
//!
//! Idea: Stockfish's move order; which pieces threaten which, and how much it counts, was measured for shogi.

use crate::bitboard::{Bitboard, attacks};
use crate::position::Position;
use crate::types::{Color, Move, Piece, PieceType};

use super::params as p;

/// The squares that the opponent of the side to move attacks with cheap pieces.
pub(super) struct Threats {
    /// With pawns.
    pawns: Bitboard,
    /// With pawns, lances and knights.
    small: Bitboard,
    /// With these, silvers and golds, promoted ones too.
    generals: Bitboard,
}

impl Threats {
    pub(super) fn new(position: &Position) -> Self {
        use PieceType::{
            Gold, Knight, Lance, Pawn, ProKnight, ProLance, ProPawn, ProSilver, Silver,
        };
        let them = !position.side_to_move();
        let pawns = position.pieces(them, Pawn).forward(them);
        let small = pawns | attacked_by(position, them, &[Lance, Knight]);
        let generals = [Silver, Gold, ProPawn, ProLance, ProKnight, ProSilver];
        Self {
            pawns,
            small,
            generals: small | attacked_by(position, them, &generals),
        }
    }

    /// What a quiet move's rank gains or loses. A dropped piece has nothing to flee from and its own history.
    #[inline(always)]
    pub(super) fn rank(&self, position: &Position, mv: Move) -> i32 {
        use PieceType::{
            Bishop, Dragon, Gold, Horse, Knight, Lance, ProKnight, ProLance, ProSilver, Rook,
            Silver,
        };
        let (Some(from), Some(piece)) = (mv.from(), position.moved_piece(mv)) else {
            return 0;
        };
        let (threats, tenths) = match piece.piece_type() {
            Lance | Knight => (self.pawns, 3),
            Silver | Gold | ProLance | ProKnight | ProSilver => (self.small, 5),
            Bishop | Rook | Horse | Dragon => (self.generals, 10),
            _ => return 0,
        };
        if threats.contains(mv.to()) {
            -p::threat() * tenths / 10
        } else if threats.contains(from) {
            p::threat() * tenths / 10
        } else {
            0
        }
    }
}

fn attacked_by(position: &Position, color: Color, kinds: &[PieceType]) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    for &kind in kinds {
        for square in position.pieces(color, kind) {
            squares |= attacks(Piece::new(color, kind), square, position.occupied());
        }
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_flee_from_cheaper_ones_only() {
        // White's pawn at 5d attacks the silver at 5e; White's gold at 2d attacks the rook at 2e.
        let position = Position::from_sfen("4k4/9/9/4p2g1/4S2R1/9/9/9/4K4 b S 1").unwrap();
        let threats = Threats::new(&position);
        let rank = |mv: &str| threats.rank(&position, mv.parse().unwrap());
        let full = p::threat();
        assert_eq!(rank("5e4f"), full / 2);
        assert_eq!(rank("2e2i"), full);
        // The gold attacks 1e too, whatever the rook does there.
        assert_eq!(rank("2e1e"), -full);
        // The king is in no danger that this is about, and a drop has no past.
        assert_eq!(rank("5i5h"), 0);
        assert_eq!(rank("S*5f"), 0);
    }
}
