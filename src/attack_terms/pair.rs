//! Two sets of squares, one for each colour, with which the same is done at a time.

use crate::bitboard::Bitboard;

/// A set for black and one for white.
pub trait Pair: Copy {
    /// From the sets by colour.
    fn new(sets: [Bitboard; 2]) -> Self;
    /// One set for both.
    fn splat(set: Bitboard) -> Self;
    /// The sets by colour.
    fn sets(self) -> [Bitboard; 2];
    /// The squares of both this and the other.
    fn and(self, other: Self) -> Self;
    /// The squares of this or the other.
    fn or(self, other: Self) -> Self;
    /// The squares of this that are none of the other's.
    fn without(self, other: Self) -> Self;
    /// The colours exchanged.
    fn swapped(self) -> Self;
    /// Moved so many ranks forward as either colour sees it. What leaves a file enters the next, and what leaves the
    /// last file is no square: the caller takes it away.
    fn ahead<const RANKS: i32>(self) -> Self;
    /// Moved one rank back, with the same for the caller to do.
    fn back(self) -> Self;
    /// Moved to the next file on either side.
    fn beside(self) -> [Self; 2];
    /// How many squares either set has, all of them on three neighbouring files: the two words of such a set share no
    /// bit.
    #[inline(always)]
    fn counts_around(self) -> [u32; 2] {
        let [black, white] = self.sets();
        let count = |[low, high]: [u64; 2]| (low | high).count_ones();
        [count(black.halves()), count(white.halves())]
    }
}

impl Pair for [Bitboard; 2] {
    #[inline(always)]
    fn new(sets: [Bitboard; 2]) -> Self {
        sets
    }

    #[inline(always)]
    fn splat(set: Bitboard) -> Self {
        [set; 2]
    }

    #[inline(always)]
    fn sets(self) -> [Bitboard; 2] {
        self
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        [self[0] & other[0], self[1] & other[1]]
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        [self[0] | other[0], self[1] | other[1]]
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        [self[0] & !other[0], self[1] & !other[1]]
    }

    #[inline(always)]
    fn swapped(self) -> Self {
        [self[1], self[0]]
    }

    #[inline(always)]
    fn ahead<const RANKS: i32>(self) -> Self {
        [Bitboard(self[0].0 >> RANKS), Bitboard(self[1].0 << RANKS)]
    }

    #[inline(always)]
    fn back(self) -> Self {
        [Bitboard(self[0].0 << 1), Bitboard(self[1].0 >> 1)]
    }

    #[inline(always)]
    fn beside(self) -> [Self; 2] {
        let [[a, b], [c, d]] = self.map(Bitboard::beside);
        [[a, c], [b, d]]
    }
}

/// Both sets in one register. Only what is compiled for AVX2 may use it, that is the sum that
/// [`fastest`](super::fastest) chooses on a processor that has it.
#[cfg(target_arch = "x86_64")]
pub mod avx2 {
    use std::arch::x86_64::*;

    use super::{Bitboard, Pair};

    /// A pair in a register, black's set below white's.
    #[derive(Clone, Copy)]
    pub struct Avx2Pair(__m256i);

    // SAFETY of every block below: the user vouches for AVX2, and memory is read from whole sets.
    #[allow(clippy::undocumented_unsafe_blocks)]
    impl Avx2Pair {
        /// Both sets moved to lower indices.
        #[inline(always)]
        fn down(self, by: i32) -> Self {
            Self(unsafe {
                let stays = _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(by));
                let crosses = _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(64 - by));
                _mm256_or_si256(stays, _mm256_srli_si256::<8>(crosses))
            })
        }

        /// Both sets moved to higher indices, beyond the board too.
        #[inline(always)]
        fn up(self, by: i32) -> Self {
            Self(unsafe {
                let stays = _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(by));
                let crosses = _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(64 - by));
                _mm256_or_si256(stays, _mm256_slli_si256::<8>(crosses))
            })
        }

        /// Black's set of this pair and white's of the other.
        #[inline(always)]
        fn with_white_of(self, other: Self) -> Self {
            Self(unsafe { _mm256_blend_epi32::<0b1111_0000>(self.0, other.0) })
        }
    }

    #[allow(clippy::undocumented_unsafe_blocks)]
    impl Pair for Avx2Pair {
        #[inline(always)]
        fn new(sets: [Bitboard; 2]) -> Self {
            Self(unsafe { _mm256_loadu_si256(sets.as_ptr().cast()) })
        }

        #[inline(always)]
        fn splat(set: Bitboard) -> Self {
            Self(unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128((&raw const set).cast())) })
        }

        #[inline(always)]
        fn sets(self) -> [Bitboard; 2] {
            let mut sets = [Bitboard::EMPTY; 2];
            unsafe { _mm256_storeu_si256(sets.as_mut_ptr().cast(), self.0) };
            sets
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            Self(unsafe { _mm256_and_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            Self(unsafe { _mm256_or_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn without(self, other: Self) -> Self {
            Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
        }

        #[inline(always)]
        fn swapped(self) -> Self {
            Self(unsafe { _mm256_permute4x64_epi64::<0b01_00_11_10>(self.0) })
        }

        #[inline(always)]
        fn ahead<const RANKS: i32>(self) -> Self {
            self.down(RANKS).with_white_of(self.up(RANKS))
        }

        #[inline(always)]
        fn back(self) -> Self {
            self.up(1).with_white_of(self.down(1))
        }

        #[inline(always)]
        fn beside(self) -> [Self; 2] {
            [self.up(9).and(Self::splat(Bitboard::FULL)), self.down(9)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitboard::king_attacks;
    use crate::platform::random::Random;
    use crate::types::{Color, Square};

    /// The squares so many ranks ahead, with those of the next file where a file ends.
    fn moved(set: Bitboard, color: Color, ranks: i32) -> u128 {
        let up = if color == Color::White { ranks } else { -ranks };
        let bits = (0..81).filter(|bit| set.0 >> bit & 1 != 0).map(|bit| bit + up).filter(|&bit| bit >= 0);
        bits.fold(0, |set, bit| set | 1 << bit)
    }

    /// Everything a pair does, set by set and square by square.
    fn check<P: Pair>() {
        let mut random = Random::new(7);
        let mut subset = || {
            let mut word = || u128::from(random.next_u64());
            Bitboard((word() << 64 | word()) & Bitboard::FULL.0)
        };
        let single = Square::all().map(Bitboard::from_square);
        let pairs: Vec<[Bitboard; 2]> = single
            .map(|set| [set, Bitboard(Bitboard::FULL.0 ^ set.0)])
            .chain((0..300).map(|_| [subset(), subset()]))
            .collect();
        for (&sets, &others) in pairs.iter().zip(pairs.iter().rev()) {
            let (pair, other) = (P::new(sets), P::new(others));
            assert_eq!(pair.sets(), sets);
            assert_eq!(P::splat(sets[0]).sets(), [sets[0]; 2]);
            assert_eq!(pair.swapped().sets(), [sets[1], sets[0]]);
            let ahead = [pair.ahead::<1>(), pair.ahead::<2>(), pair.ahead::<4>(), pair.back()].map(Pair::sets);
            let beside = pair.beside().map(Pair::sets);
            for color in Color::ALL {
                let c = color.index();
                let (set, other_set) = (sets[c], others[c]);
                assert_eq!(pair.and(other).sets()[c], set & other_set);
                assert_eq!(pair.or(other).sets()[c], set | other_set);
                assert_eq!(pair.without(other).sets()[c], set & !other_set);
                for (found, ranks) in ahead.iter().zip([1, 2, 4, -1]) {
                    assert_eq!(found[c].0, moved(set, color, ranks), "{color:?} {ranks}\n{set:?}");
                }
                assert_eq!(beside.map(|found| found[c]), set.beside(), "{set:?}");
            }
        }
        for king in Square::all() {
            let pair = P::new([king_attacks(king), Bitboard::EMPTY]);
            assert_eq!(pair.counts_around(), [king_attacks(king).count(), 0]);
        }
    }

    #[test]
    fn pairs_do_what_sets_do() {
        check::<[Bitboard; 2]>();
        #[cfg(target_arch = "x86_64")]
        if crate::platform::machine::has_avx2_and_bits() {
            check::<avx2::Avx2Pair>();
        }
    }
}
