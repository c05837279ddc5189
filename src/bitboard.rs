//! Sets of squares, and the attacks of every piece.
//!
//! A set is one `u128` whose bit `i` is the square of index `i`. A file is nine neighbouring bits, so that a pawn's
//! step is a shift by one for a whole set at once, and a line of the board is a run of bits with the stride 1, 8, 9 or
//! 10.

mod attacks;
mod check_origins;
mod covering;
mod rays;
mod sliders;

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::types::{BySquare, Color, Square};

pub use attacks::{
    attacks, gold_attacks, king_attacks, knight_attacks, pawn_attacks, silver_attacks, step_attacks, step_origins,
};
pub use check_origins::check_origins;
pub use covering::{Kinds, covering_kinds};
pub use rays::{between, bishop_rays, lance_rays, line, rook_rays};
pub use sliders::{bishop_attacks, lance_attacks, rook_attacks};

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u128);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All 81 squares.
    pub const FULL: Self = Self((1 << 81) - 1);

    /// The set of one square.
    #[inline(always)]
    pub const fn from_square(square: Square) -> Self {
        static SETS: BySquare<u128> = {
            let (mut sets, mut i) = ([0; Square::COUNT], 0);
            while i < Square::COUNT {
                sets[i] = 1 << i;
                i += 1;
            }
            sets
        };
        Self(SETS[square.index()])
    }

    /// The nine squares of a file index 0..=8.
    #[inline(always)]
    pub const fn file(file: u8) -> Self {
        Self(0x1ff << (file * 9))
    }

    /// The nine squares of a rank index 0..=8.
    #[inline(always)]
    pub const fn rank(rank: u8) -> Self {
        Self(FIRST_RANK << rank)
    }

    /// The `count` ranks nearest to the far side as `color` sees it: 3 for the promotion zone.
    pub const fn far_ranks(color: Color, count: u8) -> Self {
        let mut set = 0;
        let mut i = 0;
        while i < count {
            set |= match color {
                Color::Black => FIRST_RANK << i,
                Color::White => FIRST_RANK << (8 - i),
            };
            i += 1;
        }
        Self(set)
    }

    /// The promotion zone of a colour.
    #[inline(always)]
    pub const fn promotion_zone(color: Color) -> Self {
        const ZONE: [Bitboard; 2] = [Bitboard::far_ranks(Color::Black, 3), Bitboard::far_ranks(Color::White, 3)];
        ZONE[color.index()]
    }

    /// Whether a square belongs to the set.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & Self::from_square(square).0 != 0
    }

    /// Whether the set has no square.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has a square.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has two squares or more.
    #[inline(always)]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether two sets share a square.
    #[inline(always)]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The number of squares.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The square of the lowest index, `None` of an empty set.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index_unchecked(self.0.trailing_zeros() as u8)) }
    }

    /// The squares of the set whose index is below that of a square.
    #[inline(always)]
    pub const fn before(self, square: Square) -> Self {
        Self(self.0 & (Self::from_square(square).0 - 1))
    }

    /// Removes the square of the lowest index and returns it.
    #[inline(always)]
    pub const fn pop(&mut self) -> Option<Square> {
        let square = self.first();
        self.0 &= self.0.wrapping_sub(1);
        square
    }

    /// The squares of the indices below 64, and the others, in a machine word each.
    #[inline(always)]
    pub const fn halves(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }

    /// The squares in index order.
    #[inline(always)]
    pub const fn iter(self) -> Squares {
        let [low, high] = self.halves();
        Squares { low, high }
    }

    /// Every square shifted one rank forward as seen by `color`; those on the last rank drop out.
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::Black => Self((self.0 & !FIRST_RANK) >> 1),
            Color::White => Self((self.0 & !(FIRST_RANK << 8)) << 1),
        }
    }

    /// Every square shifted to the next file on either side; those on the edge drop out.
    #[inline(always)]
    pub const fn beside(self) -> [Self; 2] {
        [Self(self.0 << 9 & Self::FULL.0), Self(self.0 >> 9)]
    }

    /// All squares of the files on which the set has no square; the set has at most one on each file.
    ///
    /// On each file the subtraction leaves the top bit standing exactly if nothing was taken from it, and the second
    /// line spreads that bit over the file (the idea is YaneuraOu's `pawn_drop_mask`).
    #[inline(always)]
    pub const fn free_files(self) -> Self {
        const LAST_RANK: u128 = FIRST_RANK << 8;
        let free = (LAST_RANK - self.0) & LAST_RANK;
        Self(free | (free - (free >> 8)))
    }
}

/// Rank `a`: the lowest bit of each file.
const FIRST_RANK: u128 = {
    let mut set = 0;
    let mut file = 0;
    while file < 9 {
        set |= 1 << (file * 9);
        file += 1;
    }
    set
};

/// The squares of a set in index order.
///
/// The two 64-bit halves are kept apart, because iterating over one machine word at a time is faster than over a
/// `u128`.
#[derive(Clone)]
pub struct Squares {
    low: u64,
    high: u64,
}

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.low != 0 {
            let index = self.low.trailing_zeros();
            self.low &= self.low - 1;
            Some(Square::from_index_unchecked(index as u8))
        } else if self.high != 0 {
            let index = 64 + self.high.trailing_zeros();
            self.high &= self.high - 1;
            Some(Square::from_index_unchecked(index as u8))
        } else {
            None
        }
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        self.iter()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::from_square(square))
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

/// The complement within the board.
impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0 & Self::FULL.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

/// Nine lines of `.` and `*`, rank `a` first, file 9 at the left, as a diagram shows the board.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in 0..9 {
            for file in (0..9).rev() {
                f.write_str(if self.contains(Square::new(file, rank)) { "*" } else { "." })?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iteration_pops_in_order() {
        let squares: Vec<Square> = ["1a", "3g", "8a", "8b", "9i"].iter().map(|s| s.parse().unwrap()).collect();
        let mut set: Bitboard = squares.iter().copied().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), squares);
        assert_eq!(set.count(), 5);
        let mut popped = Vec::new();
        while let Some(square) = set.pop() {
            popped.push(square);
        }
        assert_eq!(popped, squares);
        assert_eq!(Bitboard::FULL.iter().count(), 81);
    }

    #[test]
    fn free_files_are_those_without_a_pawn() {
        for rank in 0..9 {
            for occupied in 0u32..512 {
                let pawns: Bitboard =
                    (0..9).filter(|file| occupied >> file & 1 != 0).map(|file| Square::new(file, rank)).collect();
                let expected =
                    (0..9).filter(|file| occupied >> file & 1 == 0).fold(Bitboard::EMPTY, |s, f| s | Bitboard::file(f));
                assert_eq!(pawns.free_files(), expected);
            }
        }
    }
}
