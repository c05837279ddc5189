//! What the board says of a quiet move's chances to raise alpha, beyond its histories (step 19 of
//! [`negamax`](super::negamax)): histories remember moves, not what is attacked now.
//!
//! Most amounts are about two thirds of a ply for a step of 1 in the logarithm of the chances, less for moves that lose
//! material, more near the enemy king; `docs/search-log.md` says how these were measured. Reductions are in 1/1024 ply.

use crate::bitboard::{Bitboard, attacks};
use crate::position::{Position, exchange_value};
use crate::types::{Move, PieceType, Square};

use super::node::{Loss, MoveInfo, MoveLoop, NodeInfo};
use super::params as p;
use super::worker::Worker;

impl Worker {
    /// The part of a quiet move's reduction that the board decides, before the move is made; 0 for others, and where
    /// nothing is reduced.
    pub(super) fn quiet_prospects(&self, node: &NodeInfo, info: &mut MoveInfo, moves: &MoveLoop) -> i32 {
        if info.capture || info.number == 1 || moves.depth < 3 {
            return 0;
        }
        let position = &self.position;
        if self.stack[node.ss].in_check {
            return p::when(node.prior_capture, p::reduction_captured_check());
        }
        let mv = info.mv;
        let board = p::when(node.prior_capture, p::reduction_captured())
            - p::when(info.gives_check, p::reduction_check())
            - p::when(is_near_enemy_king(position, mv.to()), p::reduction_near_king());
        if !self.holds(info, p::losing()) {
            return board + p::reduction_losing();
        }
        // What is out of reach was not attacked, so that it does not escape.
        let escapes = info.loss != Loss::Nothing && mv.from().is_some_and(|from| position.loss_on(from) > 0);
        board - p::when(escapes, p::reduction_escape()) - p::when(threatens(position, mv), p::reduction_threat())
    }
}

/// Within two squares of the enemy king.
fn is_near_enemy_king(position: &Position, square: Square) -> bool {
    position
        .king(!position.side_to_move())
        .is_some_and(|king| king.file().abs_diff(square.file()) <= 2 && king.rank().abs_diff(square.rank()) <= 2)
}

/// Whether a move attacks a piece that it did not attack before and that it could take with a gain.
fn threatens(position: &Position, mv: Move) -> bool {
    let (Some(moved), Some(placed)) = (position.moved_piece(mv), position.placed_piece(mv)) else {
        return false;
    };
    let (them, to, value) = (!position.side_to_move(), mv.to(), exchange_value(placed.piece_type()));
    let mut occupied = position.occupied() | Bitboard::from_square(to);
    let mut before = Bitboard::EMPTY;
    if let Some(from) = mv.from() {
        occupied ^= Bitboard::from_square(from);
        before = attacks(moved, from, position.occupied());
    }
    let targets = attacks(placed, to, occupied) & position.by_color(them) & !position.by_type(PieceType::King);
    (targets & !before).into_iter().any(|target| {
        let loss = if position.is_attacked_by(them, target, occupied) { value } else { 0 };
        position.exchange_value_on(target) > loss + p::threat_gain()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).unwrap()
    }

    #[test]
    fn threats_are_new_and_win_something() {
        // The silver at 3d is defended by the gold at 3c, the rook at 8b by nothing.
        let position = position("4k4/1r7/6g2/6s2/9/9/9/4P4/4K4 b BGNPrb2g3s3n4l16p 1");
        let threatens = |mv: &str| threatens(&position, mv.parse().unwrap());
        // A knight attacks a silver: 495 for 405 is no gain of 200.
        assert!(!threatens("N*2f"));
        // A pawn is worth less.
        assert!(threatens("P*3e"));
        // A gold for a rook that is not defended, and for a silver that is.
        assert!(threatens("G*8c"));
        assert!(!threatens("G*3e"));
        assert!(!threatens("5h5g"));
        // The bishop attacks the rook.
        assert!(threatens("B*7c"));
        // The lance attacks the rook as before; the other rook comes to its rank.
        let position = self::position("4k4/1r7/9/9/9/9/9/7R1/1L2K4 b 2b4g4s4n3l18p 1");
        assert!(!super::threatens(&position, "8i8h".parse().unwrap()));
        assert!(super::threatens(&position, "2h2b".parse().unwrap()));
    }
}
