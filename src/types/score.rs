//! Scores of positions, bounds, depths.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// The deepest line the search can hold, in plies from the root.
pub const MAX_PLY: usize = 246;

/// Depth of a search in plies.
pub type Depth = i32;

/// The deepest search: its line has room for one more move.
pub const MAX_DEPTH: Depth = MAX_PLY as Depth - 1;

/// What a position is worth to the side to move: centipawns (a pawn is 100), or a mate and its distance.
///
/// A mate `n` plies from the node is `MATE - n`, being mated in `n` plies is `-MATE + n`; all other scores stay
/// within ±[`Score::MAX_EVAL`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(pub i32);

/// A score decoded to centipawns or a mate distance, as protocols print it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreKind {
    /// Centipawns from the side to move's view.
    Cp(i32),
    /// The side to move mates in this many plies; 0 only where no move is needed (a declaration win).
    Mate(u32),
    /// The side to move is mated in this many plies; 0 where it is mated now.
    Mated(u32),
}

impl Score {
    /// An even position, and the plain value of a draw.
    pub const ZERO: Self = Self(0);
    /// Mate on the board: the value at distance 0.
    pub const MATE: Self = Self(32000);
    /// Above every score.
    pub const INFINITE: Self = Self(32001);
    /// The smallest score that means a mate within [`MAX_PLY`] plies.
    pub const MATE_IN_MAX: Self = Self(32000 - MAX_PLY as i32);
    /// The largest score that is not a mate score.
    pub const MAX_EVAL: Self = Self(32000 - MAX_PLY as i32 - 1);

    /// Centipawns that win 73 % of the games: the scale that the Ponanza team published for shogi and that GUIs use
    /// since.
    pub const CUSTOMARY_SCALE: i32 = 600;

    /// The expected result of a score, 0..=1: the logistic curve at the usual scale.
    pub fn expected_result(self) -> f64 {
        1.0 / (1.0 + (-f64::from(self.0) / f64::from(Self::CUSTOMARY_SCALE)).exp())
    }

    /// The score of mating in `plies` plies.
    #[inline(always)]
    pub const fn mate_in(plies: usize) -> Self {
        Self(Self::MATE.0 - plies as i32)
    }

    /// The score of being mated in `plies` plies.
    #[inline(always)]
    pub const fn mated_in(plies: usize) -> Self {
        Self(-Self::MATE.0 + plies as i32)
    }

    /// Whether the side to move wins by force.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= Self::MATE_IN_MAX.0
    }

    /// Whether the side to move loses by force.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::MATE_IN_MAX.0
    }

    /// Whether the score is a forced win or loss.
    #[inline(always)]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// The score clamped to the range of evaluations that are not mate scores.
    #[inline(always)]
    pub fn clamp_eval(self) -> Self {
        Self(self.0.clamp(-Self::MAX_EVAL.0, Self::MAX_EVAL.0))
    }

    /// Decodes the score to centipawns or a mate with its distance.
    pub const fn kind(self) -> ScoreKind {
        if self.is_win() {
            ScoreKind::Mate((Self::MATE.0 - self.0) as u32)
        } else if self.is_loss() {
            ScoreKind::Mated((Self::MATE.0 + self.0) as u32)
        } else {
            ScoreKind::Cp(self.0)
        }
    }
}

/// USI: `cp 35`, `mate 7`, `mate -4`. A mate always has a number other than `-0`: being mated on the spot is `mate -1`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ScoreKind::Cp(cp) => write!(f, "cp {cp}"),
            ScoreKind::Mate(plies) => write!(f, "mate {}", plies.max(1)),
            ScoreKind::Mated(plies) => write!(f, "mate -{}", plies.max(1)),
        }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;
    #[inline(always)]
    fn add(self, margin: i32) -> Self {
        Self(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    #[inline(always)]
    fn sub(self, margin: i32) -> Self {
        Self(self.0 - margin)
    }
}

impl AddAssign<i32> for Score {
    #[inline(always)]
    fn add_assign(&mut self, margin: i32) {
        self.0 += margin;
    }
}

impl SubAssign<i32> for Score {
    #[inline(always)]
    fn sub_assign(&mut self, margin: i32) {
        self.0 -= margin;
    }
}

/// The distance between two scores.
impl Sub for Score {
    type Output = i32;
    #[inline(always)]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

/// How a searched score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this one (the search failed low).
    Upper = 1,
    /// The true score is at least this one (the search failed high).
    Lower = 2,
    /// The true score.
    Exact = 3,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_keep_their_distance() {
        assert_eq!(Score::mate_in(3).kind(), ScoreKind::Mate(3));
        assert_eq!((-Score::mate_in(3)).kind(), ScoreKind::Mated(3));
        assert_eq!(Score::mated_in(0).to_string(), "mate -1");
        assert_eq!(Score::mate_in(7).to_string(), "mate 7");
        assert_eq!(Score(-35).to_string(), "cp -35");
        assert!(!Score::MAX_EVAL.is_decisive() && Score::MATE_IN_MAX.is_win());
    }
}
