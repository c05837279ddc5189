//! The pieces a player holds in hand (持ち駒).

use std::fmt;

use super::PieceType;

/// A multiset of the seven kinds that can be dropped, packed so that one subtraction compares two hands.
///
/// Each kind has a bit field wide enough for its number in a set, and a guard bit above it that is always zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand(u32);

/// First bit of each kind's field, by [`PieceType::index`] (pawn 1 .. gold 7).
const SHIFT: [u32; 8] = [0, 0, 6, 10, 14, 22, 25, 18];
/// Field mask before shifting, by [`PieceType::index`].
const MASK: [u32; 8] = [0, 31, 7, 7, 7, 3, 3, 7];
/// The guard bits above the fields.
const GUARD: u32 = 1 << 5 | 1 << 9 | 1 << 13 | 1 << 17 | 1 << 21 | 1 << 24 | 1 << 27;

impl Hand {
    /// No piece.
    pub const EMPTY: Self = Self(0);

    /// How many pieces of a kind are held. `kind` must be one of [`PieceType::HAND`].
    #[inline(always)]
    pub const fn count(self, kind: PieceType) -> u32 {
        self.0 >> SHIFT[kind as usize & 7] & MASK[kind as usize & 7]
    }

    /// Whether at least one piece of a kind is held.
    #[inline(always)]
    pub const fn has(self, kind: PieceType) -> bool {
        self.0 & MASK[kind as usize & 7] << SHIFT[kind as usize & 7] != 0
    }

    /// Adds one piece of a kind; the caller ensures that there are not more than in a set.
    #[inline(always)]
    pub const fn add(&mut self, kind: PieceType) {
        self.0 += 1 << SHIFT[kind as usize & 7];
        debug_assert!(self.0 & GUARD == 0);
    }

    /// Removes one piece of a kind, which must be in the hand.
    #[inline(always)]
    pub const fn remove(&mut self, kind: PieceType) {
        debug_assert!(self.has(kind));
        self.0 -= 1 << SHIFT[kind as usize & 7];
    }

    /// The hand with another count of a kind.
    pub const fn with(self, kind: PieceType, count: u32) -> Self {
        let (shift, mask) = (SHIFT[kind as usize & 7], MASK[kind as usize & 7]);
        Self(self.0 & !(mask << shift) | (count & mask) << shift)
    }

    /// Whether no piece is held.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether no piece other than pawns is held.
    #[inline(always)]
    pub const fn only_pawns(self) -> bool {
        self.0 & !31 == 0
    }

    /// Whether this hand holds at least as many of every kind as `other`.
    #[inline(always)]
    pub const fn dominates(self, other: Self) -> bool {
        (self.0 | GUARD).wrapping_sub(other.0) & GUARD == GUARD
    }

    /// The packed fields: equal exactly for equal hands; for keys and tables.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The hand with the given packed fields, the inverse of [`Hand::bits`]; guard bits are dropped.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & ((1 << 27) - 1) & !GUARD)
    }

    /// The kinds held with their counts, cheapest first.
    pub fn iter(self) -> impl Iterator<Item = (PieceType, u32)> {
        PieceType::HAND.into_iter().map(move |kind| (kind, self.count(kind))).filter(|&(_, count)| count > 0)
    }
}

/// SFEN in Black's letters, rook first, counts before the letter: `R2B3P`; nothing for an empty hand.
impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for kind in PieceType::HAND.into_iter().rev() {
            match self.count(kind) {
                0 => {}
                1 => write!(f, "{kind}")?,
                count => write!(f, "{count}{kind}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_to_the_full_set_and_back() {
        let mut hand = Hand::EMPTY;
        for kind in PieceType::HAND {
            for count in 1..=u32::from(kind.count_in_set()) {
                hand.add(kind);
                assert_eq!(hand.count(kind), count);
            }
        }
        assert_eq!(hand.to_string(), "2R2B4G4S4N4L18P");
        assert_eq!(Hand::from_bits(hand.bits()), hand);
        for kind in PieceType::HAND {
            for _ in 0..kind.count_in_set() {
                hand.remove(kind);
            }
        }
        assert!(hand.is_empty());
    }

    #[test]
    fn dominance_is_kind_by_kind() {
        let hand = |pawns, golds| Hand::EMPTY.with(PieceType::Pawn, pawns).with(PieceType::Gold, golds);
        assert!(hand(2, 1).dominates(hand(2, 1)));
        assert!(hand(3, 1).dominates(hand(2, 1)));
        assert!(!hand(18, 0).dominates(hand(0, 1)));
        assert!(!hand(0, 4).dominates(hand(1, 0)));
        assert!(hand(0, 0).dominates(Hand::EMPTY));
    }
}
