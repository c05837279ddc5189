//! Attack sets of every piece, those of step movers from tables.

use crate::types::{BySquare, Color, Piece, PieceType, Square};

use super::Bitboard;
use super::rays::{bit, on_board};
use super::sliders::{bishop_attacks, lance_attacks, rook_attacks};

/// (file, rank) steps of each step mover for Black, whose forward is rank -1.
const PAWN_STEPS: &[(i32, i32)] = &[(0, -1)];
const KNIGHT_STEPS: &[(i32, i32)] = &[(-1, -2), (1, -2)];
const SILVER_STEPS: &[(i32, i32)] = &[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)];
const GOLD_STEPS: &[(i32, i32)] = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const KING_STEPS: &[(i32, i32)] = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

const fn steps_from(square: usize, steps: &[(i32, i32)], sign: i32) -> Bitboard {
    let (file, rank) = (square as i32 / 9, square as i32 % 9);
    let (mut set, mut i) = (0, 0);
    while i < steps.len() {
        let (f, r) = (file + steps[i].0, rank + steps[i].1 * sign);
        if on_board(f, r) {
            set |= bit(f, r);
        }
        i += 1;
    }
    Bitboard(set)
}

const fn step_table(steps: &[(i32, i32)]) -> [BySquare<Bitboard>; 2] {
    let mut table = [[Bitboard::EMPTY; 81]; 2];
    let mut square = 0;
    while square < 81 {
        table[0][square] = steps_from(square, steps, 1);
        table[1][square] = steps_from(square, steps, -1);
        square += 1;
    }
    table
}

pub(super) static PAWN: [BySquare<Bitboard>; 2] = step_table(PAWN_STEPS);
pub(super) static KNIGHT: [BySquare<Bitboard>; 2] = step_table(KNIGHT_STEPS);
pub(super) static SILVER: [BySquare<Bitboard>; 2] = step_table(SILVER_STEPS);
pub(super) static GOLD: [BySquare<Bitboard>; 2] = step_table(GOLD_STEPS);
pub(super) static KING: BySquare<Bitboard> = step_table(KING_STEPS)[0];

/// Attack of a pawn of `color` on `square`: the square before it, or nothing on the last rank.
#[inline(always)]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// Attacks of a knight.
#[inline(always)]
pub fn knight_attacks(color: Color, square: Square) -> Bitboard {
    KNIGHT[color.index()][square.index()]
}

/// Attacks of a silver.
#[inline(always)]
pub fn silver_attacks(color: Color, square: Square) -> Bitboard {
    SILVER[color.index()][square.index()]
}

/// Attacks of a gold, and of everything that moves like one.
#[inline(always)]
pub fn gold_attacks(color: Color, square: Square) -> Bitboard {
    GOLD[color.index()][square.index()]
}

/// Attacks of a king: the neighbours.
#[inline(always)]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Attacks that no other piece can stop: all of a step mover's, the neighbours of a horse or dragon, and none of a
/// lance, bishop or rook.
#[inline(always)]
pub fn step_attacks(piece: Piece, square: Square) -> Bitboard {
    STEPS[piece.index()][square.index()]
}

static STEPS: [BySquare<Bitboard>; Piece::TABLE] = {
    let mut table = [[Bitboard::EMPTY; 81]; Piece::TABLE];
    let mut kind = 0;
    while kind < 14 {
        let steps = match PieceType::ALL[kind] {
            PieceType::Pawn => PAWN_STEPS,
            PieceType::Knight => KNIGHT_STEPS,
            PieceType::Silver => SILVER_STEPS,
            PieceType::Lance | PieceType::Bishop | PieceType::Rook => &[],
            PieceType::King | PieceType::Horse | PieceType::Dragon => KING_STEPS,
            _ => GOLD_STEPS,
        };
        let by_color = step_table(steps);
        table[Piece::new(Color::Black, PieceType::ALL[kind]).index()] = by_color[0];
        table[Piece::new(Color::White, PieceType::ALL[kind]).index()] = by_color[1];
        kind += 1;
    }
    table
};

/// From where a piece may attack one of a square's neighbours by a step: the squares up to two files and three ranks
/// away.
#[inline(always)]
pub fn step_origins(square: Square) -> Bitboard {
    STEP_ORIGINS[square.index()]
}

static STEP_ORIGINS: BySquare<Bitboard> = {
    let mut table = [Bitboard::EMPTY; 81];
    let mut square = 0;
    while square < 81 {
        let mut file = -2;
        while file <= 2 {
            let mut rank = -3;
            while rank <= 3 {
                let (f, r) = (square as i32 / 9 + file, square as i32 % 9 + rank);
                if on_board(f, r) {
                    table[square].0 |= bit(f, r);
                }
                rank += 1;
            }
            file += 1;
        }
        square += 1;
    }
    table
};

/// Attacks of any piece.
#[inline]
pub fn attacks(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.piece_type() {
        PieceType::Lance => lance_attacks(piece.color(), square, occupied),
        PieceType::Bishop => bishop_attacks(square, occupied),
        PieceType::Rook => rook_attacks(square, occupied),
        PieceType::Horse => bishop_attacks(square, occupied) | king_attacks(square),
        PieceType::Dragon => rook_attacks(square, occupied) | king_attacks(square),
        _ => step_attacks(piece, square),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_sees_the_board_turned() {
        for kind in PieceType::ALL {
            for square in Square::all() {
                let black = attacks(Piece::new(Color::Black, kind), square, Bitboard::EMPTY);
                let white = attacks(Piece::new(Color::White, kind), square.rotate(), Bitboard::EMPTY);
                assert_eq!(black.iter().map(Square::rotate).collect::<Bitboard>(), white);
            }
        }
    }
}
