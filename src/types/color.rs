//! The two players.

use std::fmt;
use std::ops::Not;

/// A player. Black (先手, sente) moves first in an even game, White (後手, gote) second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// 先手: plays up the board, towards rank 1.
    Black = 0,
    /// 後手: plays down the board, towards rank 9.
    White = 1,
}

impl Color {
    /// Both colours, Black first.
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// 0 for Black, 1 for White: the index of tables by colour.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent, usable in constants.
    #[inline(always)]
    pub const fn flip(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        self.flip()
    }
}

/// `black` or `white`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}
