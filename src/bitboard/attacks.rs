//! Attack sets.
//!
//! Steps are tables. A slider's attacks depend on the occupied squares between the two ends of its line, at most seven;
//! these are rotated into one word, gathered into a number of seven bits by one multiplication, and looked up
//! (the "kindergarten" technique of chess programming, <https://www.chessprogramming.org/Kindergarten_Bitboards>). No
//! instruction beyond a plain multiplication is needed, so that the portable build is as fast as the native one.
//!
//! A word holds what a line has of both halves of the board: no two inner squares of one line, nor of a whole file or
//! rank, are 64 apart. That saves the shifts of 128 bits.

use crate::types::{Color, Piece, PieceType, Square};

use super::Bitboard;

/// Tables by square.
pub(super) type BySquare<T> = [T; Square::COUNT];

/// (file, rank) steps of each step mover for Black, whose forward is rank -1.
const PAWN_STEPS: &[(i32, i32)] = &[(0, -1)];
const KNIGHT_STEPS: &[(i32, i32)] = &[(-1, -2), (1, -2)];
const SILVER_STEPS: &[(i32, i32)] = &[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)];
const GOLD_STEPS: &[(i32, i32)] = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const KING_STEPS: &[(i32, i32)] = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

const fn on_board(file: i32, rank: i32) -> bool {
    file >= 0 && file < 9 && rank >= 0 && rank < 9
}

const fn bit(file: i32, rank: i32) -> u128 {
    1 << (file * 9 + rank)
}

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

/// All squares from a square in one direction, up to and including the first occupied one or the edge.
const fn ray(square: usize, file_step: i32, rank_step: i32, occupied: u128) -> u128 {
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
    set as u64 | (set >> 64) as u64
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

const GATHER_FALLING: u64 = gather_diagonal(10);
const GATHER_RISING: u64 = gather_diagonal(8);

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

/// Attack sets along all diagonals of one direction: for each square, by the occupation of the inner squares.
const DIAGONAL_SETS: usize = {
    // A diagonal of n squares has n - 2 inner ones (none below 3 squares); 1..=8 squares occur twice, 9 once.
    let (mut sum, mut n) = (9 << 7, 1usize);
    while n <= 8 {
        sum += 2 * n * (1 << n.saturating_sub(2));
        n += 1;
    }
    sum
};

const fn diagonals(rank_step: i32) -> (BySquare<Diagonal>, [u128; DIAGONAL_SETS]) {
    let mut entries = [Diagonal { inner: 0, shift: 0, offset: 0 }; 81];
    let mut sets = [0; DIAGONAL_SETS];
    let (mut next, mut square) = (0, 0);
    while square < 81 {
        // The squares of the diagonal from its lowest file on.
        let (mut file, mut rank) = (square as i32 / 9, square as i32 % 9);
        while on_board(file - 1, rank - rank_step) {
            file -= 1;
            rank -= rank_step;
        }
        let (mut inner, mut shift, mut count) = (0, 0, 0);
        file += 1;
        rank += rank_step;
        while on_board(file + 1, rank + rank_step) && on_board(file, rank) {
            if count == 0 {
                shift = (file * 9 + rank) as u8;
            }
            inner |= bit(file, rank);
            count += 1;
            file += 1;
            rank += rank_step;
        }
        entries[square] = Diagonal { inner, shift, offset: next as u16 };
        let stride = (9 + rank_step) as u32;
        let mut index = 0;
        while index < 1 << count {
            let (mut occupied, mut i) = (0, 0);
            while i < count {
                if index >> i & 1 != 0 {
                    occupied |= 1 << (shift as u32 + i * stride);
                }
                i += 1;
            }
            sets[next] = ray(square, 1, rank_step, occupied) | ray(square, -1, -rank_step, occupied);
            next += 1;
            index += 1;
        }
        square += 1;
    }
    assert!(next == DIAGONAL_SETS);
    (entries, sets)
}

static FALLING: (BySquare<Diagonal>, [u128; DIAGONAL_SETS]) = diagonals(1);
static RISING: (BySquare<Diagonal>, [u128; DIAGONAL_SETS]) = diagonals(-1);

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
    let falling = &FALLING.0[square.index()];
    let inner = fold(occupied.0 & falling.inner).rotate_right(u32::from(falling.shift));
    let index = inner.wrapping_mul(GATHER_FALLING) >> 57;
    let set = FALLING.1[falling.offset as usize + index as usize];
    let rising = &RISING.0[square.index()];
    let inner = fold(occupied.0 & rising.inner).rotate_right(u32::from(rising.shift));
    let index = inner.wrapping_mul(GATHER_RISING) >> 57;
    Bitboard(set | RISING.1[rising.offset as usize + index as usize])
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
