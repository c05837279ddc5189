//! The lines of the board: where a slider goes on an empty one.

use crate::types::{BySquare, Color, Square};

use super::Bitboard;

pub(super) const fn on_board(file: i32, rank: i32) -> bool {
    file >= 0 && file < 9 && rank >= 0 && rank < 9
}

pub(super) const fn bit(file: i32, rank: i32) -> u128 {
    1 << (file * 9 + rank)
}

/// All squares from a square in one direction, up to and including the first occupied one or the edge.
pub(super) const fn ray(square: usize, file_step: i32, rank_step: i32, occupied: u128) -> u128 {
    let (mut file, mut rank) = (square as i32 / 9 + file_step, square as i32 % 9 + rank_step);
    let mut set = 0;
    while on_board(file, rank) {
        set |= bit(file, rank);
        if occupied & bit(file, rank) != 0 {
            break;
        }
        file += file_step;
        rank += rank_step;
    }
    set
}

const fn ray_table(file_step: i32, rank_step: i32, both_ways: bool) -> BySquare<u128> {
    let mut table = [0; 81];
    let mut square = 0;
    while square < 81 {
        table[square] = ray(square, file_step, rank_step, 0);
        if both_ways {
            table[square] |= ray(square, -file_step, -rank_step, 0);
        }
        square += 1;
    }
    table
}

const FILE_RAYS: BySquare<u128> = ray_table(0, 1, true);
const RANK_RAYS: BySquare<u128> = ray_table(1, 0, true);
/// Stride 10: file and rank grow together.
const FALLING_RAYS: BySquare<u128> = ray_table(1, 1, true);
/// Stride 8: the file grows while the rank shrinks.
const RISING_RAYS: BySquare<u128> = ray_table(1, -1, true);

pub(super) static LANCE_RAYS: [BySquare<Bitboard>; 2] = [wrap(ray_table(0, -1, false)), wrap(ray_table(0, 1, false))];
pub(super) static ROOK_RAYS: BySquare<Bitboard> = union(FILE_RAYS, RANK_RAYS);
pub(super) static BISHOP_RAYS: BySquare<Bitboard> = union(FALLING_RAYS, RISING_RAYS);

const fn wrap(table: BySquare<u128>) -> BySquare<Bitboard> {
    union(table, table)
}

const fn union(a: BySquare<u128>, b: BySquare<u128>) -> BySquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; 81];
    let mut square = 0;
    while square < 81 {
        table[square] = Bitboard(a[square] | b[square]);
        square += 1;
    }
    table
}

/// Attacks of a lance on an empty board.
#[inline(always)]
pub fn lance_rays(color: Color, square: Square) -> Bitboard {
    LANCE_RAYS[color.index()][square.index()]
}

/// Attacks of a bishop on an empty board.
#[inline(always)]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

/// Attacks of a rook on an empty board.
#[inline(always)]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

static BETWEEN: BySquare<BySquare<Bitboard>> = pairs(false);
static LINE: BySquare<BySquare<Bitboard>> = pairs(true);

const fn pairs(whole_line: bool) -> BySquare<BySquare<Bitboard>> {
    const STEPS: [(i32, i32); 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)];
    let mut table = [[Bitboard::EMPTY; 81]; 81];
    let mut a = 0;
    while a < 81 {
        let mut direction = 0;
        while direction < 8 {
            let (file_step, rank_step) = STEPS[direction];
            let line = ray(a, file_step, rank_step, 0) | ray(a, -file_step, -rank_step, 0) | 1 << a;
            let (mut file, mut rank) = (a as i32 / 9 + file_step, a as i32 % 9 + rank_step);
            let mut passed = 0;
            while on_board(file, rank) {
                let b = (file * 9 + rank) as usize;
                table[a][b] = Bitboard(if whole_line { line } else { passed });
                passed |= bit(file, rank);
                file += file_step;
                rank += rank_step;
            }
            direction += 1;
        }
        a += 1;
    }
    table
}

/// The squares strictly between two squares of one line; empty where they share none.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole file, rank or diagonal through two squares, edge to edge; empty where they share none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_the_squares_between() {
        let square = |text: &str| text.parse::<Square>().unwrap();
        assert_eq!(between(square("5e"), square("5h")), [square("5f"), square("5g")].into_iter().collect());
        assert_eq!(between(square("2b"), square("8h")).count(), 5);
        assert!(between(square("2b"), square("3d")).is_empty());
        assert!(between(square("2b"), square("3c")).is_empty());
        assert_eq!(line(square("2b"), square("3c")).count(), 9);
        assert!(line(square("2b"), square("3d")).is_empty());
    }
}
