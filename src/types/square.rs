//! The 81 squares.

use std::fmt;
use std::str::FromStr;

use super::Color;

/// A square, numbered `file * 9 + rank`: 1一 (`1a`) is 0, 1九 (`1i`) is 8, 9九 (`9i`) is 80.
///
/// Files count from Black's right edge (file 1 has index 0), ranks from White's back rank (rank
/// `a` has index 0). The numbering is that of the ecosystem's network files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

/// A table with an entry for each square, by [`Square::index`].
pub type BySquare<T> = [T; Square::COUNT];

/// The error for text that is not a square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a square (expected a file 1-9 and a rank a-i, such as 7g)")]
pub struct ParseSquareError(pub String);

impl Square {
    /// The number of squares, 81.
    pub const COUNT: usize = 81;

    /// The square of file index 0..=8 and rank index 0..=8.
    #[inline(always)]
    pub const fn new(file: u8, rank: u8) -> Self {
        debug_assert!(file < 9 && rank < 9);
        Self(file * 9 + rank)
    }

    /// The square with an index 0..=80, or `None` beyond it.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self(index as u8)) } else { None }
    }

    /// The square with an index that the caller knows to be below 81.
    #[inline(always)]
    pub const fn from_index_unchecked(index: u8) -> Self {
        debug_assert!((index as usize) < Self::COUNT);
        Self(index)
    }

    /// 0..=80.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// File index 0..=8; 0 is file 1, Black's right edge.
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 / 9
    }

    /// Rank index 0..=8; 0 is rank `a`, White's back rank.
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        self.0 % 9
    }

    /// The square after turning the board by 180 degrees.
    #[inline(always)]
    pub const fn rotate(self) -> Self {
        Self(80 - self.0)
    }

    /// The square after exchanging left and right (file 1 for file 9).
    #[inline(always)]
    pub const fn mirror(self) -> Self {
        Self::new(8 - self.file(), self.rank())
    }

    /// The square as `color` sees it: itself for Black, rotated for White.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::Black => self,
            Color::White => self.rotate(),
        }
    }

    /// Rank index seen from `color`: 0..=2 is the promotion zone.
    #[inline(always)]
    pub const fn relative_rank(self, color: Color) -> u8 {
        self.relative_to(color).rank()
    }

    /// Whether the square lies in the promotion zone of `color`, the enemy's three back ranks.
    #[inline(always)]
    pub const fn in_promotion_zone(self, color: Color) -> bool {
        self.relative_rank(color) < 3
    }

    /// Every square in index order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..81u8).map(Self)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'1' + self.file()) as char, (b'a' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        match *text.as_bytes() {
            [file @ b'1'..=b'9', rank @ b'a'..=b'i'] => Ok(Self::new(file - b'1', rank - b'a')),
            _ => Err(ParseSquareError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_numbers_agree() {
        for (text, index) in [("1a", 0), ("1i", 8), ("2a", 9), ("9i", 80), ("5e", 40)] {
            let square: Square = text.parse().unwrap();
            assert_eq!(square.index(), index);
            assert_eq!(square.to_string(), text);
        }
        for text in ["", "0a", "1j", "a1", "1", "11a", "１一"] {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
    }

    #[test]
    fn views_are_involutions() {
        for square in Square::all() {
            assert_eq!(square.rotate().rotate(), square);
            assert_eq!(square.mirror().mirror(), square);
            assert_eq!(square.mirror().rank(), square.rank());
        }
    }
}
