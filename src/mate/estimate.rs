//! First guesses: the numbers of a leaf (df-pn+; Nagai and Imai 2002), the order of moves, and which children's
//! numbers should not be added up.

use crate::bitboard::{Bitboard, attacks};
use crate::position::Position;
use crate::types::{Color, Move, PieceType};

use super::number::{Number, UNIT};

/// How many pieces of each colour reach a square, those of the mover without the piece that moves there.
fn support(pos: &Position, mv: Move) -> (u32, u32) {
    let us = pos.side_to_move();
    let reach = pos.attackers_to(mv.to(), pos.occupied());
    let ours = (reach & pos.by_color(us)).count();
    let theirs = (reach & pos.by_color(!us)).count();
    (ours - u32::from(!mv.is_drop() && ours > 0), theirs)
}

/// Proof and disproof number of the unknown position after an attacker's move, before which the king could go to
/// `flights`.
///
/// A check on a square that the defender covers well is hard to prove, and so is one that leaves the king room; one
/// that the attacker covers better is hard to disprove. (The features are those of GPS Shogi's liberty estimator, as
/// KomoringHeights uses them, and its count of free squares.)
pub(super) fn after_attack(pos: &Position, mv: Move, flights: Bitboard) -> (Number, Number) {
    let (ours, theirs) = support(pos, mv);
    let (mut pn, mut dn) = (UNIT, UNIT);
    if theirs >= 2 {
        pn += UNIT;
    }
    // The arriving piece itself is defended by `ours`; the king is one of `theirs`.
    if ours + 1 > theirs {
        dn += UNIT;
    } else {
        match pos.piece_on(mv.to()).map(|piece| piece.piece_type().unpromoted()) {
            Some(PieceType::Gold | PieceType::Silver) => dn += UNIT,
            _ => pn += UNIT,
        }
    }
    if flights.any() {
        let free = match pos.placed_piece(mv) {
            Some(piece) => {
                let taken = attacks(piece, mv.to(), pos.occupied());
                flights & !taken & !Bitboard::from_square(mv.to())
            }
            None => flights,
        };
        pn += Number::from(free.count()) * UNIT;
    }
    (pn, dn)
}

/// Proof and disproof number of the unknown position after a defender's move: captures and covered interpositions
/// resist, king moves are open, bare interpositions are soon taken.
pub(super) fn after_defence(pos: &Position, mv: Move) -> (Number, Number) {
    if pos.piece_on(mv.to()).is_some() {
        return (3 * UNIT, UNIT);
    }
    if mv.from().is_some() && mv.from() == pos.king(pos.side_to_move()) {
        return (UNIT, UNIT);
    }
    let (ours, theirs) = support(pos, mv);
    if theirs < ours + 1 { (3 * UNIT, UNIT) } else { (UNIT, 2 * UNIT) }
}

/// Worth of a piece in the ordering, by [`PieceType::index`].
const WORTH: [i16; PieceType::TABLE] = [0, 1, 2, 2, 3, 5, 5, 5, 8, 5, 5, 5, 5, 8, 8, 0];

/// The brief order of moves among equal numbers, smallest first: strong pieces, close to the king; pointless
/// non-promotions last.
pub(super) fn order(pos: &Position, mv: Move, king: crate::types::Square) -> i16 {
    let us = pos.side_to_move();
    let to = mv.to();
    let distance = (to.file().abs_diff(king.file())).max(to.rank().abs_diff(king.rank())) as i16;
    let moved = match (mv.dropped(), mv.from()) {
        (Some(kind), _) => Some(kind),
        (None, Some(from)) => pos.piece_on(from).map(|piece| piece.piece_type()),
        (None, None) => None,
    };
    let Some(kind) = moved else { return 0 };
    let placed = if mv.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind };
    let mut value = distance - WORTH[placed.index()];
    if declines_promotion(kind, mv, us) && matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Rook) {
        value += 100;
    }
    value
}

/// Whether a move of a piece of this kind could promote and does not.
pub(super) fn declines_promotion(kind: PieceType, mv: Move, us: Color) -> bool {
    !mv.is_promotion()
        && kind.promoted().is_some()
        && mv.from().is_some_and(|from| from.in_promotion_zone(us) || mv.to().in_promotion_zone(us))
}

/// Whether a child's delta is to be counted by maximum: the same long-range piece dropped on several squares of a
/// line leads to much the same positions, and adding them up makes the node look harder than it is.
pub(super) fn alike(mv: Move, attacker_to_move: bool) -> bool {
    attacker_to_move && matches!(mv.dropped(), Some(PieceType::Lance | PieceType::Bishop | PieceType::Rook))
}
