//! Proof and disproof numbers (証明数・反証数).
//!
//! ```text
//!        attacker (OR)              defender (AND)
//!        pn = min of the children   pn = sum of the children
//!        dn = sum of the children   dn = min of the children
//!
//!        mate: pn = 0, dn = ∞       no mate: pn = ∞, dn = 0
//! ```

/// A proof or disproof number: 0 means decided for the side that it counts for, [`INFINITE`] decided against it.
pub(super) type PnDn = u64;

/// The number of a node that can no longer be proven (or disproven), out of reach of sums. With 2^30 the disproof
/// number of 明日香 (Asuka), a problem of hundreds of plies, overflowed after 109 million nodes and ended the search.
pub(super) const INFINITE: PnDn = 1 << 60;

/// The number of a new leaf about which nothing is known; estimates are multiples of it. It is not 1, so that moves
/// that wait can make a node harder by less than a leaf.
pub(super) const UNIT: PnDn = 2;

/// A sum that stays below [`INFINITE`] unless one of its terms is infinite.
#[inline(always)]
pub(super) const fn sum(a: PnDn, b: PnDn) -> PnDn {
    if a >= INFINITE || b >= INFINITE {
        INFINITE
    } else if a + b >= INFINITE {
        INFINITE - 1
    } else {
        a + b
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
}
