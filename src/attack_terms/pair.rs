//! Two sets of squares, one for each colour, with which the same is done at a time.

use crate::bitboard::Bitboard;

/// A set for black and one for white.
pub trait Pair: Copy {
    /// From the sets by colour.
    fn new(sets: [Bitboard; 2]) -> Self;
    /// One set for both.
    fn twin(set: Bitboard) -> Self;
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
    /// Moved so many ranks forward as either colour sees it. What leaves the board enters the next file, and what leaves
    /// the last file is no square: the caller takes it away.
    fn ahead<const RANKS: i32>(self) -> Self;
    /// Moved one rank back, with the same for the caller to do.
    fn back(self) -> Self;
    /// Moved to the next file on either side.
    fn beside(self) -> [Self; 2];
    /// How many squares either set has, all of them on three neighbouring files: the two words of such a set share no
    /// bit.
    #[inline(always)]
    fn counts_around(self) -> [u32; 2] {
        self.sets().map(|set| (set.0 as u64 | (set.0 >> 64) as u64).count_ones())
    }
}

impl Pair for [Bitboard; 2] {
    #[inline(always)]
    fn new(sets: [Bitboard; 2]) -> Self {
        sets
    }

    #[inline(always)]
    fn twin(set: Bitboard) -> Self {
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

/// Both sets in one register.
#[cfg(target_arch = "x86_64")]
pub mod avx2 {
    use std::arch::x86_64::*;

    use super::{Bitboard, Pair};

    /// A pair in a register: made and used only where the processor has AVX2.
    #[derive(Clone, Copy)]
    pub struct Lanes(__m256i);

    /// Four words, the lower of each set first.
    #[inline(always)]
    fn words(words: [i64; 4]) -> __m256i {
        // SAFETY: 32 bytes for 32 bytes, all of which are allowed.
        unsafe { std::mem::transmute(words) }
    }

    /// Moves the words of one set down and of the other up, each by its count, 64 of which leave nothing of it; what leaves
    /// a word enters the other of the set, by the second row of counts.
    #[inline(always)]
    fn shift(pair: Lanes, down: [[i64; 4]; 2], up: [[i64; 4]; 2]) -> Lanes {
        // SAFETY: as below.
        Lanes(unsafe {
            let other = _mm256_shuffle_epi32::<0b01_00_11_10>(pair.0);
            let (lower, from_upper) =
                (_mm256_srlv_epi64(pair.0, words(down[0])), _mm256_sllv_epi64(other, words(down[1])));
            let (upper, from_lower) = (_mm256_sllv_epi64(pair.0, words(up[0])), _mm256_srlv_epi64(other, words(up[1])));
            _mm256_or_si256(_mm256_or_si256(lower, from_upper), _mm256_or_si256(upper, from_lower))
        })
    }

    // SAFETY of every block below: whoever makes `Lanes` vouches for AVX2.
    #[allow(clippy::undocumented_unsafe_blocks)]
    impl Pair for Lanes {
        #[inline(always)]
        fn new(sets: [Bitboard; 2]) -> Self {
            Self(unsafe { _mm256_loadu_si256(sets.as_ptr().cast()) })
        }

        #[inline(always)]
        fn twin(set: Bitboard) -> Self {
            Self(unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128((&raw const set).cast())) })
        }

        #[inline(always)]
        fn sets(self) -> [Bitboard; 2] {
            unsafe { std::mem::transmute(self.0) }
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
            let (n, rest) = (i64::from(RANKS), 64 - i64::from(RANKS));
            shift(self, [[n, n, 64, 64], [rest, 64, 64, 64]], [[64, 64, n, n], [64, 64, 64, rest]])
        }

        #[inline(always)]
        fn back(self) -> Self {
            shift(self, [[64, 64, 1, 1], [64, 64, 63, 64]], [[1, 1, 64, 64], [64, 63, 64, 64]])
        }

        #[inline(always)]
        fn beside(self) -> [Self; 2] {
            unsafe {
                let up = _mm256_or_si256(
                    _mm256_slli_epi64::<9>(self.0),
                    _mm256_slli_si256::<8>(_mm256_srli_epi64::<55>(self.0)),
                );
                let down = _mm256_or_si256(
                    _mm256_srli_epi64::<9>(self.0),
                    _mm256_srli_si256::<8>(_mm256_slli_epi64::<55>(self.0)),
                );
                let full = words([-1, (1 << 17) - 1, -1, (1 << 17) - 1]);
                [Self(_mm256_and_si256(up, full)), Self(down)]
            }
        }
    }
}
