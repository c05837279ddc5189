//! Drops between a distant checker and the king, and their capture by the checker.

use super::proof_hand;
use crate::bitboard::{Bitboard, between};
use crate::position::Position;
use crate::types::Move;

/// The captures of a dropped piece by the piece that gives check along the line, promotions first.
fn captures(pos: &Position, drop: Move) -> Vec<Move> {
    let defender = pos.side_to_move();
    let mut checkers = pos.checkers().iter();
    let (Some(king), Some(checker), None) = (pos.king(defender), checkers.next(), checkers.next()) else {
        return Vec::new();
    };
    if !drop.is_drop() || !between(king, checker).contains(drop.to()) {
        return Vec::new();
    }
    [true, false].map(|promote| Move::board(checker, drop.to(), promote)).to_vec()
}

/// The positions after a defender's drop was captured by the checker with check, the captured piece back in the
/// defender's hand: in them the drop must not have gained anything.
pub(super) fn after_capture(pos: &mut Position, drop: Move) -> Vec<Position> {
    let captures = captures(pos, drop);
    if captures.is_empty() {
        return Vec::new();
    }
    let attacker = !pos.side_to_move();
    let hand = pos.hand(attacker);
    let mut positions = Vec::new();
    pos.do_move(drop);
    for capture in captures {
        if pos.is_legal(capture) && pos.gives_check(capture) {
            pos.do_move(capture);
            positions.extend(proof_hand::with_hand(pos, attacker, hand));
            pos.undo_move();
        }
    }
    pos.undo_move();
    positions
}

/// The squares on which the checker can capture a drop of the list with check.
pub(super) fn capturable(pos: &mut Position, list: &[Move]) -> Bitboard {
    let (mut tried, mut capturable) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for &drop in list {
        // Which piece is dropped makes no difference.
        if !drop.is_drop() || tried.contains(drop.to()) {
            continue;
        }
        let square = Bitboard::from_square(drop.to());
        tried |= square;
        let captures = captures(pos, drop);
        pos.do_move(drop);
        if captures.into_iter().any(|capture| pos.is_legal(capture) && pos.gives_check(capture)) {
            capturable |= square;
        }
        pos.undo_move();
    }
    capturable
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Color, Hand, PieceType};

    #[test]
    fn only_the_checker_on_the_line_captures() {
        let pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/4R4 w r2b4g4s4n4l18p 1").unwrap();
        let drop: Move = "P*5e".parse().unwrap();
        assert_eq!(captures(&pos, drop).len(), 2);
        let aside: Move = "P*4e".parse().unwrap();
        assert!(captures(&pos, aside).is_empty());
    }

    #[test]
    fn the_captured_piece_goes_back() {
        let mut pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/4R4 w Pr2b4g4s4n4l17p 1").unwrap();
        let sfen = pos.to_sfen();
        let positions = after_capture(&mut pos, "P*5c".parse().unwrap());
        assert_eq!(pos.to_sfen(), sfen);
        // With promotion and without.
        assert_eq!(positions.len(), 2);
        for after in positions {
            assert_eq!(after.hand(Color::Black), Hand::EMPTY.with(PieceType::Pawn, 1));
            assert_eq!(after.hand(Color::White), pos.hand(Color::White));
            assert!(after.in_check() && after.side_to_move() == Color::White);
        }
    }

    #[test]
    fn a_pinned_checker_captures_nothing() {
        let mut pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/r3R3K w P2b4g4s4n4l17p 1").unwrap();
        let list = pos.legal_moves();
        assert_eq!(capturable(&mut pos, &list), Bitboard::EMPTY);
        let mut pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/4R3K w Pr2b4g4s4n4l17p 1").unwrap();
        let list = pos.legal_moves();
        assert_eq!(capturable(&mut pos, &list).count(), 7);
    }
}
