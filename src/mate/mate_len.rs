//! Lengths of mates.

use std::fmt;

/// The length of a mate in plies, or the bound up to which mates are searched for.
///
/// Lengths in the table are what makes it possible to prove that a mate is the *shortest*: an entry says "mate within
/// this many plies" or "no mate within this many plies" (the idea of KomoringHeights' `MateLen`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct MateLen(pub(super) u16);

impl MateLen {
    /// Mated already.
    pub(super) const ZERO: Self = Self(0);
    /// As a bound: mates of any length. As the length of a disproof: there is no mate at all.
    pub(super) const UNLIMITED: Self = Self(u16::MAX);

    /// One ply longer; no bound stays no bound.
    #[inline(always)]
    pub(super) const fn next(self) -> Self {
        if self.0 >= u16::MAX - 1 { self } else { Self(self.0 + 1) }
    }

    /// One ply shorter (not below 0); no bound stays no bound.
    #[inline(always)]
    pub(super) const fn previous(self) -> Self {
        if self.0 == u16::MAX { self } else { Self(self.0.saturating_sub(1)) }
    }
}

impl From<u16> for MateLen {
    fn from(plies: u16) -> Self {
        Self(plies)
    }
}

impl fmt::Debug for MateLen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::UNLIMITED { f.write_str("∞") } else { write!(f, "{}", self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bound_is_the_same_at_every_ply() {
        assert_eq!(MateLen::UNLIMITED.previous(), MateLen::UNLIMITED);
        assert_eq!(MateLen::UNLIMITED.next(), MateLen::UNLIMITED);
        assert_eq!(MateLen(3).next().previous(), MateLen(3));
        assert_eq!(MateLen::ZERO.previous(), MateLen::ZERO);
    }
}
