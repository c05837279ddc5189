//! Proof and disproof numbers, and lengths of mates.

use std::fmt;

/// A proof or disproof number (証明数・反証数): 0 is decided for its side, [`INFINITE`] against it.
pub(super) type Number = u64;

/// The number of a node that can no longer be proven (or disproven). It lies beyond what sums reach: with 2^30 the
/// disproof number of 明日香, a problem of hundreds of plies, came to its end after 109 million nodes and the search with
/// it.
pub(super) const INFINITE: Number = 1 << 60;

/// The number of a fresh leaf about which nothing is known; estimates are multiples of its half.
pub(super) const UNIT: Number = 2;

/// A sum that stays below [`INFINITE`] unless a part is infinite.
#[inline(always)]
pub(super) const fn sum(a: Number, b: Number) -> Number {
    if a >= INFINITE || b >= INFINITE {
        INFINITE
    } else if a + b >= INFINITE {
        INFINITE - 1
    } else {
        a + b
    }
}

/// A length of a mate in plies, or the bound up to which mates are looked for.
///
/// Lengths in the table are what makes a proof of the *shortest* mate possible: an entry says "mate within this many
/// plies" or "no mate within this many plies" (the idea of KomoringHeights' `MateLen`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct MateLen(pub(super) u16);

impl MateLen {
    /// Mate on the board.
    pub(super) const ZERO: Self = Self(0);
    /// No bound: a mate of any length is looked for; as the length of a disproof, there is none at all.
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

impl fmt::Debug for MateLen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::UNLIMITED { f.write_str("∞") } else { write!(f, "{}", self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_saturate_below_infinity() {
        assert_eq!(sum(3, 4), 7);
        assert_eq!(sum(INFINITE - 1, 5), INFINITE - 1);
        assert_eq!(sum(INFINITE, 0), INFINITE);
    }

    #[test]
    fn no_bound_is_the_same_at_every_ply() {
        assert_eq!(MateLen::UNLIMITED.previous(), MateLen::UNLIMITED);
        assert_eq!(MateLen::UNLIMITED.next(), MateLen::UNLIMITED);
        assert_eq!(MateLen(3).next().previous(), MateLen(3));
        assert_eq!(MateLen::ZERO.previous(), MateLen::ZERO);
    }
}
