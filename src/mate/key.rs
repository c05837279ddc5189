//! Zobrist keys of the solver: the board without hands, and the path that leads to it.
//!
//! The solver needs the key of a child before the move is made, so it keeps keys of its own beside the position's. The
//! attacker's hand is not part of the key: hands are compared by dominance, not by equality.

use crate::platform::random::mix;
use crate::position::Position;
use crate::types::{BySquare, Color, Hand, Move, Piece, Square};

static PIECES: [BySquare<u64>; Piece::TABLE] = {
    let mut table = [[0; Square::COUNT]; Piece::TABLE];
    let mut piece = 0;
    while piece < Piece::TABLE {
        let mut square = 0;
        while square < Square::COUNT {
            table[piece][square] = mix((piece * Square::COUNT + square) as u64 | 1 << 40);
            square += 1;
        }
        piece += 1;
    }
    table
};

const SIDE: u64 = mix(1 << 41);

/// A node: board and side to move, and the attacker's hand. The defender's hand follows from both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) struct NodeKey {
    /// Board and side to move.
    pub(super) board: u64,
    /// The attacker's hand.
    pub(super) hand: Hand,
}

impl NodeKey {
    /// The key of a position, computed from scratch.
    pub(super) fn of(pos: &Position, attacker: Color) -> Self {
        let mut board = if pos.side_to_move() == attacker { 0 } else { SIDE };
        for square in Square::all() {
            if let Some(piece) = pos.piece_on(square) {
                board ^= PIECES[piece.index()][square.index()];
            }
        }
        Self { board, hand: pos.hand(attacker) }
    }

    /// The key after a legal move, without making it.
    #[inline]
    pub(super) fn after(self, pos: &Position, mv: Move, attacker: Color) -> Self {
        let us = pos.side_to_move();
        let to = mv.to();
        let mut board = self.board ^ SIDE;
        let mut hand = self.hand;
        if let Some(kind) = mv.dropped() {
            board ^= PIECES[Piece::new(us, kind).index()][to.index()];
            if us == attacker {
                hand.remove(kind);
            }
        } else if let Some((from, piece)) = mv.from().and_then(|from| Some((from, pos.piece_on(from)?))) {
            let placed = if mv.is_promotion() { piece.promoted().unwrap_or(piece) } else { piece };
            board ^= PIECES[piece.index()][from.index()] ^ PIECES[placed.index()][to.index()];
            if let Some(captured) = pos.piece_on(to) {
                board ^= PIECES[captured.index()][to.index()];
                if us == attacker {
                    hand.add(captured.piece_type().unpromoted());
                }
            }
        }
        Self { board, hand }
    }
}

/// The key of a path after one more move; equal for two paths with the same moves in the same order.
#[inline(always)]
pub(super) const fn path_after(path: u64, mv: Move) -> u64 {
    mix(path.rotate_left(7) ^ mv.bits() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::random::Random;

    #[test]
    fn keys_of_children_are_those_of_their_positions() {
        let mut pos = Position::from_sfen("4k4/4pp3/4R4/9/4N4/9/9/9/4K4 b 2G2SBrb2g2s3n4l16p 1").unwrap();
        let mut made = 0;
        pos.play_out(200, &mut Random::new(1), |pos| {
            let key = NodeKey::of(pos, Color::Black);
            for &mv in &pos.legal_moves() {
                let after = key.after(pos, mv, Color::Black);
                pos.do_move(mv);
                assert_eq!(after, NodeKey::of(pos, Color::Black), "{mv}");
                pos.undo_move();
                made += 1;
            }
        });
        assert!(made > 1000);
    }
}
