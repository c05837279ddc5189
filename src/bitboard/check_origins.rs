//! From where a piece could give check with its next move.

use crate::types::{Color, PieceType, Square};

use super::Bitboard;
use super::attacks::{BySquare, GOLD_STEPS, KNIGHT_STEPS, SILVER_STEPS, ray_table, steps_from};

/// The squares from which a piece of `color` could check a king on `king` by one move of its own, promoting or not, were
/// the board empty. All squares for pieces of wide reach (bishop, rook, horse, dragon) and for pawns, of which sets are
/// moved at once; any kind that moves like a gold is `Gold`.
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

static LANCE: [BySquare<Bitboard>; 2] = origins(&[], true);
static KNIGHT: [BySquare<Bitboard>; 2] = origins(KNIGHT_STEPS, true);
static SILVER: [BySquare<Bitboard>; 2] = origins(SILVER_STEPS, true);
static GOLD: [BySquare<Bitboard>; 2] = origins(GOLD_STEPS, false);

/// What a piece with these steps (a lance without any) attacks from each square, as Black and as White.
const fn reach(steps: &[(i32, i32)]) -> [BySquare<u128>; 2] {
    if steps.is_empty() {
        return [ray_table(0, -1, false), ray_table(0, 1, false)];
    }
    let mut table = [[0; 81]; 2];
    let mut square = 0;
    while square < 81 {
        table[0][square] = steps_from(square, steps, 1).0;
        table[1][square] = steps_from(square, steps, -1).0;
        square += 1;
    }
    table
}

const fn in_zone(color: usize, square: usize) -> bool {
    if color == 0 {
        square % 9 < 3
    } else {
        square % 9 > 5
    }
}

const fn origins(steps: &[(i32, i32)], promotes: bool) -> [BySquare<Bitboard>; 2] {
    let (reach, gold) = (reach(steps), reach(GOLD_STEPS));
    let mut table = [[Bitboard::EMPTY; 81]; 2];
    let mut color = 0;
    while color < 2 {
        let mut from = 0;
        while from < 81 {
            let mut to = 0;
            while to < 81 {
                if reach[color][from] >> to & 1 != 0 {
                    let mut kings = reach[color][to];
                    if promotes && (in_zone(color, from) || in_zone(color, to)) {
                        kings |= gold[color][to];
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
