//! Estimates: the numbers of a new leaf (df-pn+; Nagai and Imai 2002), the order of moves, and which children's numbers
//! should not be added up.

use crate::bitboard::{Bitboard, attacks};
use crate::position::Position;
use crate::types::{Color, Move, PieceType, Square};

use super::pn_dn::{PnDn, UNIT};

/// How many pieces of each side attack the move's destination; those of the mover without the moving piece.
fn support(pos: &Position, mv: Move) -> (u32, u32) {
    let us = pos.side_to_move();
    let reach = pos.attackers_to(mv.to(), pos.occupied());
    let ours = (reach & pos.by_color(us)).count();
    let theirs = (reach & pos.by_color(!us)).count();
    (ours - u32::from(!mv.is_drop() && ours > 0), theirs)
}

/// Estimated proof and disproof number after an attacker's move; `flights` are the king's escape squares before it.
///
/// A check on a square that the defender covers well, or that leaves the king escape squares, is hard to prove; one on
/// a square that the attacker covers better is hard to disprove. (The features are those of GPS Shogi's liberty
/// estimator, as KomoringHeights uses them, and its count of escape squares.)
pub(super) fn after_attack(pos: &Position, mv: Move, flights: Bitboard) -> (PnDn, PnDn) {
    let (ours, theirs) = support(pos, mv);
    let (mut pn, mut dn) = (UNIT, UNIT);
    if theirs >= 2 {
        pn += UNIT;
    }
    // `ours` defend the piece that moved; the king counts among `theirs`.
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
        pn += PnDn::from(free.count()) * UNIT;
    }
    (pn, dn)
}

/// Estimated proof and disproof number after a defender's move: captures and defended interpositions are hard to prove,
/// king moves are open, undefended interpositions are hard to disprove.
pub(super) fn after_defence(pos: &Position, mv: Move) -> (PnDn, PnDn) {
    if pos.piece_on(mv.to()).is_some() {
        return (3 * UNIT, UNIT);
    }
    if mv.from().is_some() && mv.from() == pos.king(pos.side_to_move()) {
        return (UNIT, UNIT);
    }
    let (ours, theirs) = support(pos, mv);
    if theirs < ours + 1 { (3 * UNIT, UNIT) } else { (UNIT, 2 * UNIT) }
}

/// Value of a piece in the ordering, by [`PieceType::index`].
const PIECE_VALUE: [i16; PieceType::TABLE] = [0, 1, 2, 2, 3, 5, 5, 5, 8, 5, 5, 5, 5, 8, 8, 0];

/// The order of moves with equal numbers, smallest first: strong pieces close to the king first, declined promotions
/// last.
pub(super) fn order(pos: &Position, mv: Move, king: Square) -> i16 {
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
    let mut value = distance - PIECE_VALUE[placed.index()];
    if declines_promotion(kind, mv, us) && matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Rook) {
        value += 100;
    }
    value
}

/// Whether a move of a piece of this kind could be a promotion and is not.
pub(super) fn declines_promotion(kind: PieceType, mv: Move, us: Color) -> bool {
    !mv.is_promotion()
        && kind.promoted().is_some()
        && mv.from().is_some_and(|from| from.in_promotion_zone(us) || mv.to().in_promotion_zone(us))
}

/// Whether a child's delta counts by maximum: drops of one sliding piece on several squares of a line lead to similar
/// positions, and their sum would make the node look harder than it is.
pub(super) fn counts_by_maximum(mv: Move, attacker_to_move: bool) -> bool {
    attacker_to_move && matches!(mv.dropped(), Some(PieceType::Lance | PieceType::Bishop | PieceType::Rook))
}
