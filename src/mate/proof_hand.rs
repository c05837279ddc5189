//! Proof hands and disproof hands (証明駒・反証駒; Nagai, Df-pn algorithm for searching AND/OR trees, 2002).
//!
//! ```text
//!   attacker's hand:   -      P      P,G    2P,G    2P,2G
//!                      |<- no mate ->|<----- mate ------>
//!                             |       \
//!                disproof hand         proof hand
//! ```
//!
//! A proof hand is a hand, as small as possible, with which the proof holds; a disproof hand one, as large as possible,
//! with which the disproof holds. One entry of the table then answers for every hand above or below it.

use crate::bitboard::{self, Bitboard};
use crate::position::{Board, Position};
use crate::types::{Color, Hand, Move, Piece, PieceType, Square};

/// The larger count of each kind: enough for both proofs.
pub(super) fn union(a: Hand, b: Hand) -> Hand {
    if a.dominates(b) {
        return a;
    }
    PieceType::HAND.into_iter().fold(a, |hand, kind| hand.with(kind, a.count(kind).max(b.count(kind))))
}

/// The smaller count of each kind: allowed by both disproofs.
pub(super) fn intersection(a: Hand, b: Hand) -> Hand {
    if b.dominates(a) {
        return a;
    }
    PieceType::HAND.into_iter().fold(a, |hand, kind| hand.with(kind, a.count(kind).min(b.count(kind))))
}

/// All pieces that both players hold.
pub(super) fn both_hands(pos: &Position) -> Hand {
    let (black, white) = (pos.hand(Color::Black), pos.hand(Color::White));
    PieceType::HAND.into_iter().fold(black, |hand, kind| hand.with(kind, black.count(kind) + white.count(kind)))
}

/// The position with another hand of the attacker; the defender gets the rest. `None` if the two hands do not hold that
/// many pieces.
pub(super) fn with_hand(pos: &Position, attacker: Color, held: Hand) -> Option<Position> {
    let mut board = Board::from(pos);
    let all = both_hands(pos);
    for kind in PieceType::HAND {
        let count = held.count(kind);
        board.set_hand(attacker, kind, count as u8);
        board.set_hand(!attacker, kind, all.count(kind).saturating_sub(count) as u8);
    }
    Position::from_board(&board, 1).ok()
}

/// The (dis)proof hand before a move of the attacker, from the one after it.
pub(super) fn before_attack(pos: &Position, mv: Move, after: Hand) -> Hand {
    let mut hand = after;
    if let Some(kind) = mv.dropped() {
        hand.add(kind);
    } else if let Some(captured) = pos.piece_on(mv.to()) {
        let kind = captured.piece_type().unpromoted();
        if hand.has(kind) {
            hand.remove(kind);
        }
    }
    hand
}

/// The disproof hand before a move of the defender: if the move drops a piece, the defender must hold one.
pub(super) fn before_defence(pos: &Position, mv: Move, after: Hand) -> Hand {
    match mv.dropped() {
        Some(kind) => {
            let all = pos.hand(Color::Black).count(kind) + pos.hand(Color::White).count(kind);
            after.with(kind, after.count(kind).min(all.saturating_sub(1)))
        }
        None => after,
    }
}

/// Adds to a proof hand at a defender's node all pieces of the kinds that the defender does not hold: with fewer, the
/// defender could interpose a kind that the proof did not consider.
pub(super) fn keep_from_defender(pos: &Position, hand: Hand) -> Hand {
    let defender = pos.side_to_move();
    let Some(king) = pos.king(defender) else {
        return hand;
    };
    let checkers = pos.checkers();
    let mut squares = checkers.iter();
    let (Some(checker), None) = (squares.next(), squares.next()) else {
        return hand;
    };
    if bitboard::between(king, checker).is_empty() {
        return hand;
    }
    let (theirs, ours) = (pos.hand(!defender), pos.hand(defender));
    PieceType::HAND
        .into_iter()
        .filter(|&kind| !ours.has(kind))
        .fold(hand, |hand, kind| hand.with(kind, hand.count(kind).max(theirs.count(kind))))
}

/// Where a piece of a kind, dropped by `attacker`, checks a king on `king`.
pub(super) fn drop_checks(pos: &Position, attacker: Color, kind: PieceType, king: Square) -> Bitboard {
    let piece = Piece::new(!attacker, kind);
    bitboard::attacks(piece, king, pos.occupied()) & !pos.occupied()
}

/// Removes from a disproof hand at an attacker's node the kinds that the attacker does not hold now and could check
/// with by a drop: the disproof did not consider those checks.
pub(super) fn without_new_checks(pos: &Position, hand: Hand) -> Hand {
    let attacker = pos.side_to_move();
    let Some(king) = pos.king(!attacker) else {
        return hand;
    };
    let held = pos.hand(attacker);
    PieceType::HAND
        .into_iter()
        .filter(|&kind| !held.has(kind) && hand.has(kind))
        .filter(|&kind| !drop_checks(pos, attacker, kind, king).is_empty())
        .fold(hand, |hand, kind| hand.with(kind, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(pawns: u32, golds: u32, rooks: u32) -> Hand {
        Hand::EMPTY.with(PieceType::Pawn, pawns).with(PieceType::Gold, golds).with(PieceType::Rook, rooks)
    }

    #[test]
    fn unions_and_intersections_go_kind_by_kind() {
        assert_eq!(union(hand(2, 0, 1), hand(1, 3, 1)), hand(2, 3, 1));
        assert_eq!(intersection(hand(2, 0, 1), hand(1, 3, 1)), hand(1, 0, 1));
    }

    #[test]
    fn a_monopolised_kind_belongs_to_the_proof() {
        // Check by a rook from afar. The defender holds only a lance, so the proof needs the attacker's silvers and
        // gold.
        let pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/4R4 w G2Sl 1").unwrap();
        assert_eq!(
            keep_from_defender(&pos, Hand::EMPTY),
            Hand::EMPTY.with(PieceType::Gold, 1).with(PieceType::Silver, 2)
        );
        // The same check from an adjacent square: nothing can be interposed.
        let pos = Position::from_sfen("4k4/4R4/9/9/9/9/9/9/9 w G2Sl 1").unwrap();
        assert_eq!(keep_from_defender(&pos, Hand::EMPTY), Hand::EMPTY);
    }

    #[test]
    fn a_disproof_allows_no_new_kind_of_check() {
        let pos = Position::from_sfen("k8/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1").unwrap();
        let all = both_hands(&pos);
        assert_eq!(without_new_checks(&pos, all), Hand::EMPTY.with(PieceType::Pawn, 18).with(PieceType::Lance, 0));
    }
}
