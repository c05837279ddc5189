//! Attacks of sliders.
//!
//! They depend on the occupied squares between the two ends of a line, at most seven; these are rotated into one word,
//! gathered into a number of seven bits by one multiplication, and looked up (the "kindergarten" technique of chess
//! programming, <https://www.chessprogramming.org/Kindergarten_Bitboards>). No instruction beyond a plain
//! multiplication is needed, so that the portable build is as fast as the native one.
//!
//! A word holds what a line has of both halves of the board: no two inner squares of one line, nor of a whole file or
//! rank, are 64 apart. That saves the shifts of 128 bits.

use crate::types::{BySquare, Color, Square};

use super::Bitboard;
use super::rays::{bit, lance_rays, on_board, ray};

/// The attack along one file, as the nine bits of the file, by rank and by the occupation of the inner seven squares.
static FILE_PATTERNS: [[u16; 128]; 9] = {
    let mut table = [[0; 128]; 9];
    let mut rank = 0;
    while rank < 9 {
        let mut inner = 0;
        while inner < 128 {
            let occupied = (inner as u128) << 1;
            table[rank][inner] = (ray(rank, 0, 1, occupied) | ray(rank, 0, -1, occupied)) as u16;
            inner += 1;
        }
        rank += 1;
    }
    table
};

/// The attack along rank `a`, [folded](fold), by file and by the occupation of the inner seven squares.
static RANK_PATTERNS: [[u64; 128]; 9] = {
    let mut table = [[0; 128]; 9];
    let mut file = 0;
    while file < 9 {
        let mut inner = 0;
        while inner < 128 {
            let mut occupied = 0;
            let mut i = 0;
            while i < 7 {
                if inner >> i & 1 != 0 {
                    occupied |= bit(i + 1, 0);
                }
                i += 1;
            }
            table[file][inner] = fold(ray(file * 9, 1, 0, occupied) | ray(file * 9, -1, 0, occupied));
            inner += 1;
        }
        file += 1;
    }
    table
};

/// Both halves of a set in one word.
#[inline(always)]
const fn fold(set: u128) -> u64 {
    let [low, high] = Bitboard(set).halves();
    low | high
}

/// The squares of a line that a folded set stands for.
#[inline(always)]
const fn unfold(folded: u64, line: u128) -> Bitboard {
    Bitboard((folded as u128 | (folded as u128) << 64) & line)
}

/// A square's file and rank.
#[derive(Clone, Copy)]
struct Straight {
    /// All squares of the file.
    file: u128,
    /// All squares of the rank.
    rank: u128,
    /// Those of the rank without its two ends.
    inner_rank: u128,
    /// The index of the file's first square.
    start: u8,
    file_index: u8,
    rank_index: u8,
}

static STRAIGHT: BySquare<Straight> = {
    let none = Straight { file: 0, rank: 0, inner_rank: 0, start: 0, file_index: 0, rank_index: 0 };
    let mut table = [none; 81];
    let mut square = 0;
    while square < 81 {
        let (file, rank) = (square / 9, square % 9);
        table[square] = Straight {
            file: Bitboard::file(file as u8).0,
            rank: Bitboard::rank(rank as u8).0,
            inner_rank: (INNER_RANK as u128) << rank,
            start: file as u8 * 9,
            file_index: file as u8,
            rank_index: rank as u8,
        };
        square += 1;
    }
    table
};

/// Moves the bits `9 * k` (k = 1..=7) of a word to the bits `57 + k - 1`.
const GATHER_RANK: u64 = {
    let (mut magic, mut k) = (0, 1);
    while k <= 7 {
        magic |= 1 << (56 - 8 * k);
        k += 1;
    }
    magic
};

/// The bits `9 * k` for k = 1..=7.
const INNER_RANK: u64 = {
    let (mut mask, mut k) = (0, 1);
    while k <= 7 {
        mask |= 1 << (9 * k);
        k += 1;
    }
    mask
};

/// Moves the bits `stride * k` (k = 0..=6) of a word to the bits `57 + k`.
const fn gather_diagonal(stride: u64) -> u64 {
    let (mut magic, mut k) = (0, 0);
    while k <= 6 {
        magic |= 1 << (57 - (stride - 1) * k);
        k += 1;
    }
    magic
}

/// Where a square's attacks along a diagonal lie in the table.
#[derive(Clone, Copy)]
struct Diagonal {
    /// The squares of the whole diagonal without its two ends.
    inner: u128,
    /// Index of the lowest inner square.
    shift: u8,
    /// Where the square's `2^inner` attack sets begin.
    offset: u16,
}

/// The number of attack sets along all diagonals of one direction.
const DIAGONAL_SETS: usize = {
    // A diagonal of n squares has n - 2 inner ones (none below 3 squares); 1..=8 squares occur twice, 9 once.
    let (mut sum, mut n) = (9 << 7, 1usize);
    while n <= 8 {
        sum += 2 * n * (1 << n.saturating_sub(2));
        n += 1;
    }
    sum
};

/// The attacks along all diagonals of one direction, on which the rank changes by `RANK_STEP` from file to file.
struct Diagonals<const RANK_STEP: i32> {
    squares: BySquare<Diagonal>,
    /// For each square, by the occupation of the inner squares.
    sets: [u128; DIAGONAL_SETS],
}

impl<const RANK_STEP: i32> Diagonals<RANK_STEP> {
    const GATHER: u64 = gather_diagonal((9 + RANK_STEP) as u64);

    #[inline(always)]
    fn attacks(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let diagonal = &self.squares[square.index()];
        let inner = fold(occupied.0 & diagonal.inner).rotate_right(u32::from(diagonal.shift));
        let index = inner.wrapping_mul(Self::GATHER) >> 57;
        Bitboard(self.sets[diagonal.offset as usize + index as usize])
    }
}

const fn diagonals<const RANK_STEP: i32>() -> Diagonals<RANK_STEP> {
    let mut squares = [Diagonal { inner: 0, shift: 0, offset: 0 }; 81];
    let mut sets = [0; DIAGONAL_SETS];
    let (mut next, mut square) = (0, 0);
    while square < 81 {
        // The squares of the diagonal from its lowest file on.
        let (mut file, mut rank) = (square as i32 / 9, square as i32 % 9);
        while on_board(file - 1, rank - RANK_STEP) {
            file -= 1;
            rank -= RANK_STEP;
        }
        let (mut inner, mut shift, mut count) = (0, 0, 0);
        file += 1;
        rank += RANK_STEP;
        while on_board(file + 1, rank + RANK_STEP) && on_board(file, rank) {
            if count == 0 {
                shift = (file * 9 + rank) as u8;
            }
            inner |= bit(file, rank);
            count += 1;
            file += 1;
            rank += RANK_STEP;
        }
        squares[square] = Diagonal { inner, shift, offset: next as u16 };
        let stride = (9 + RANK_STEP) as u32;
        let mut index = 0;
        while index < 1 << count {
            let (mut occupied, mut i) = (0, 0);
            while i < count {
                if index >> i & 1 != 0 {
                    occupied |= 1 << (shift as u32 + i * stride);
                }
                i += 1;
            }
            sets[next] = ray(square, 1, RANK_STEP, occupied) | ray(square, -1, -RANK_STEP, occupied);
            next += 1;
            index += 1;
        }
        square += 1;
    }
    assert!(next == DIAGONAL_SETS);
    Diagonals { squares, sets }
}

static FALLING: Diagonals<1> = diagonals();
static RISING: Diagonals<-1> = diagonals();

/// Attacks along the file in both directions.
#[inline(always)]
fn file_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &STRAIGHT[square.index()];
    let start = u32::from(lines.start);
    let index = fold(occupied.0 & lines.file).rotate_right(start + 1) & 127;
    let pattern = u64::from(FILE_PATTERNS[usize::from(lines.rank_index)][index as usize]);
    unfold(pattern.rotate_left(start), lines.file)
}

/// Attacks along the rank in both directions.
#[inline(always)]
fn rank_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &STRAIGHT[square.index()];
    let rank = u32::from(lines.rank_index);
    let inner = fold(occupied.0 & lines.inner_rank).rotate_right(rank);
    let index = inner.wrapping_mul(GATHER_RANK) >> 57;
    let pattern = RANK_PATTERNS[usize::from(lines.file_index)][index as usize];
    unfold(pattern.rotate_left(rank), lines.rank)
}

/// Attacks of a lance.
#[inline(always)]
pub fn lance_attacks(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    file_attacks(square, occupied) & lance_rays(color, square)
}

/// Attacks of a rook.
#[inline(always)]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    file_attacks(square, occupied) | rank_attacks(square, occupied)
}

/// Attacks of a bishop.
#[inline(always)]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    FALLING.attacks(square, occupied) | RISING.attacks(square, occupied)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::random::Random;

    /// A slow reference: walks over the board.
    fn walk(square: Square, steps: &[(i32, i32)], occupied: Bitboard) -> Bitboard {
        steps.iter().fold(Bitboard::EMPTY, |set, &(f, r)| set | Bitboard(ray(square.index(), f, r, occupied.0)))
    }

    #[test]
    fn sliders_equal_a_walk_over_the_board() {
        let mut random = Random::new(1);
        let mut subset = || u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
        for round in 0..4000 {
            let mut occupied = subset();
            if round % 2 == 0 {
                occupied &= subset();
            }
            let occupied = Bitboard(occupied) & Bitboard::FULL;
            for square in Square::all() {
                let rook = walk(square, &[(0, 1), (0, -1), (1, 0), (-1, 0)], occupied);
                let bishop = walk(square, &[(1, 1), (-1, -1), (1, -1), (-1, 1)], occupied);
                assert_eq!(rook_attacks(square, occupied), rook, "{square}\n{occupied:?}");
                assert_eq!(bishop_attacks(square, occupied), bishop, "{square}\n{occupied:?}");
                assert_eq!(lance_attacks(Color::Black, square, occupied), walk(square, &[(0, -1)], occupied));
                assert_eq!(lance_attacks(Color::White, square, occupied), walk(square, &[(0, 1)], occupied));
            }
        }
    }
}
