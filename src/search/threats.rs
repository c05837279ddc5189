//! Threats by cheaper pieces: quiet moves that take a piece out of one come early, those that take it into one late.
//! Histories cannot tell: they remember moves, not which squares are attacked now.
//!
//! The idea is from Stockfish's move order; which pieces threaten which, and the weights, were measured for shogi.

use crate::bitboard::{Bitboard, attacks};
use crate::position::Position;
use crate::types::{Color, Piece, PieceType, Square};

use super::params as p;

/// The squares that the opponent attacks with cheap pieces.
pub(super) struct Threats {
    /// With pawns.
    pawns: Bitboard,
    /// With pawns, lances and knights.
    minor: Bitboard,
    /// With these, silvers and golds, promoted pieces included.
    generals: Bitboard,
}

impl Threats {
    pub(super) fn new(position: &Position) -> Self {
        use PieceType::{Gold, Knight, Lance, Pawn, ProKnight, ProLance, ProPawn, ProSilver, Silver};
        let them = !position.side_to_move();
        let pawns = position.pieces(them, Pawn).forward(them);
        let minor = pawns | attacked_by(position, them, &[Lance, Knight]);
        let generals = [Silver, Gold, ProPawn, ProLance, ProKnight, ProSilver];
        Self { pawns, minor, generals: minor | attacked_by(position, them, &generals) }
    }

    /// The threats to a piece that leaves a square. Drops are left to the histories: a dropped piece escapes from
    /// nothing.
    #[inline]
    pub(super) fn threat_to(&self, kind: PieceType, from: Square) -> Threat {
        use PieceType::{Bishop, Dragon, Gold, Horse, Knight, Lance, ProKnight, ProLance, ProSilver, Rook, Silver};
        let (squares, tenths) = match kind {
            Lance | Knight => (self.pawns, p::threat_lance()),
            Silver | Gold | ProLance | ProKnight | ProSilver => (self.minor, p::threat_silver()),
            Bishop | Rook | Horse | Dragon => (self.generals, 10),
            _ => (Bitboard::EMPTY, 0),
        };
        let weight = p::threat() * tenths / 10;
        Threat { squares, entered: -weight, left: if squares.contains(from) { weight } else { 0 } }
    }
}

/// The threats to one piece.
#[derive(Clone, Copy)]
pub(super) struct Threat {
    /// The squares where it is threatened.
    squares: Bitboard,
    /// Rank of a move to such a square.
    entered: i32,
    /// Rank of a move to another square.
    left: i32,
}

impl Threat {
    /// What threats add to the rank of the piece's quiet move to a square.
    #[inline]
    pub(super) fn rank(self, to: Square) -> i32 {
        if self.squares.contains(to) { self.entered } else { self.left }
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
    use crate::types::Move;

    #[test]
    fn pieces_flee_from_cheaper_ones_only() {
        // White's pawn at 5d attacks the silver at 5e; White's gold at 2d attacks the rook at 2e.
        let position = Position::from_sfen("4k4/9/9/4p2g1/4S2R1/9/9/9/4K4 b S 1").unwrap();
        let threats = Threats::new(&position);
        let rank = |mv: &str| {
            let mv: Move = mv.parse().unwrap();
            let (from, piece) = (mv.from().unwrap(), position.moved_piece(mv).unwrap());
            threats.threat_to(piece.piece_type(), from).rank(mv.to())
        };
        let full = p::threat();
        assert_eq!(rank("5e4f"), full * p::threat_silver() / 10);
        assert_eq!(rank("2e2i"), full);
        // The gold attacks 1e too, whatever the rook does there.
        assert_eq!(rank("2e1e"), -full);
        // Threats to the king are checks, which is another matter.
        assert_eq!(rank("5i5h"), 0);
    }
}
