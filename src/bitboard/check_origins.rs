//! Squares from which a piece could give check with its next move.

use crate::types::{BySquare, Color, PieceType, Square};

use super::Bitboard;
use super::{attacks, rays};

/// The squares from which a piece of `color` could check a king on `king` by one move of its own, promoting or not,
/// were the board empty. All squares for pieces of wide reach (bishop, rook, horse, dragon) and for pawns, of which
/// sets are moved at once; any kind that moves like a gold is `Gold`.
#[inline(always)]
pub fn check_origins(color: Color, kind: PieceType, king: Square) -> Bitboard {
    let table = match kind {
        PieceType::Lance => &LANCE,
        PieceType::Knight => &KNIGHT,
        PieceType::Silver => &SILVER,
        PieceType::Gold => &GOLD,
        _ => return Bitboard::FULL,
    };
    table[color.index()][king.index()]
}

static LANCE: [BySquare<Bitboard>; 2] = origins(&rays::LANCE_RAYS, true);
static KNIGHT: [BySquare<Bitboard>; 2] = origins(&attacks::KNIGHT, true);
static SILVER: [BySquare<Bitboard>; 2] = origins(&attacks::SILVER, true);
static GOLD: [BySquare<Bitboard>; 2] = origins(&attacks::GOLD, false);

/// The table for a kind that attacks `reach`, by colour and square.
const fn origins(reach: &[BySquare<Bitboard>; 2], promotes: bool) -> [BySquare<Bitboard>; 2] {
    let mut table = [[Bitboard::EMPTY; 81]; 2];
    let mut color = 0;
    while color < 2 {
        let zone = Bitboard::promotion_zone(Color::ALL[color]).0;
        let mut from = 0;
        while from < 81 {
            let mut to = 0;
            while to < 81 {
                if reach[color][from].0 >> to & 1 != 0 {
                    let mut kings = reach[color][to].0;
                    if promotes && (zone >> from | zone >> to) & 1 != 0 {
                        kings |= attacks::GOLD[color][to].0;
                    }
                    while kings != 0 {
                        let king = kings.trailing_zeros() as usize;
                        table[color][king].0 |= 1 << from;
                        kings &= kings - 1;
                    }
                }
                to += 1;
            }
            from += 1;
        }
        color += 1;
    }
    table
}
