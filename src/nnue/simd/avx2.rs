//! 256-bit registers: x86-64 processors since 2013 (Intel) and 2015 (AMD).

use std::arch::x86_64::*;

use super::{Vector, product_limit};

/// Stands for a processor with AVX2.
#[derive(Clone, Copy)]
pub struct Avx2(());

impl Avx2 {
    /// The token.
    ///
    /// # Safety
    ///
    /// The processor has AVX2.
    pub const unsafe fn new() -> Self {
        Self(())
    }
}

// SAFETY of every block below: the token stands for AVX2, and callers vouch for the memory behind pointers.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Vector for Avx2 {
    const LANES: usize = 16;
    type I16 = __m256i;
    type I32 = __m256i;

    #[inline(always)]
    unsafe fn load16(self, from: *const i16) -> __m256i {
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store16(self, to: *mut i16, value: __m256i) {
        unsafe { _mm256_storeu_si256(to.cast(), value) }
    }

    #[inline(always)]
    fn add16(self, a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_add_epi16(a, b) }
    }

    #[inline(always)]
    fn sub16(self, a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_sub_epi16(a, b) }
    }

    #[inline(always)]
    unsafe fn clip(self, a: __m256i, b: __m256i, to: *mut u8) -> u32 {
        unsafe {
            // Packing saturates at 127; what is left below zero goes to zero.
            let bytes = _mm256_max_epi8(_mm256_packs_epi16(a, b), _mm256_setzero_si256());
            store_bytes(bytes, to)
        }
    }

    #[inline(always)]
    unsafe fn product<const SHIFT: i32>(self, a: [__m256i; 2], b: [__m256i; 2], to: *mut u8) -> u32 {
        unsafe {
            let (zero, limit) = (_mm256_setzero_si256(), _mm256_set1_epi16(product_limit(SHIFT)));
            let mut products = [zero; 2];
            for i in 0..2 {
                let x = _mm256_min_epi16(_mm256_max_epi16(a[i], zero), limit);
                let y = _mm256_min_epi16(_mm256_max_epi16(b[i], zero), limit);
                // The high half of (x << (16 - SHIFT)) * y is x * y >> SHIFT; both factors fit 16 bits without a sign.
                let x = match SHIFT {
                    9 => _mm256_slli_epi16::<7>(x),
                    _ => _mm256_slli_epi16::<9>(x),
                };
                products[i] = _mm256_mulhi_epu16(x, y);
            }
            store_bytes(_mm256_packus_epi16(products[0], products[1]), to)
        }
    }

    #[inline(always)]
    fn zero32(self) -> __m256i {
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    unsafe fn load32(self, from: *const i32) -> __m256i {
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store32(self, to: *mut i32, value: __m256i) {
        unsafe { _mm256_storeu_si256(to.cast(), value) }
    }

    #[inline(always)]
    fn add32(self, a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_add_epi32(a, b) }
    }

    #[inline(always)]
    unsafe fn splat4(self, from: *const u8) -> __m256i {
        unsafe { _mm256_set1_epi32(from.cast::<i32>().read_unaligned()) }
    }

    #[inline(always)]
    unsafe fn dot(self, sum: __m256i, inputs: __m256i, weights: *const i8) -> __m256i {
        unsafe {
            // A pair of products is at most 127 * 128 * 2 and fits 16 bits, so nothing saturates.
            let pairs = _mm256_maddubs_epi16(inputs, _mm256_loadu_si256(weights.cast()));
            _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
        }
    }
}

/// Undoes the interleaving of 128-bit halves that packing leaves, and stores.
///
/// # Safety
///
/// The processor has AVX2, and 32 bytes may be written at `to`.
#[inline(always)]
#[allow(clippy::undocumented_unsafe_blocks)]
unsafe fn store_bytes(packed: __m256i, to: *mut u8) -> u32 {
    // SAFETY: as said above.
    unsafe {
        let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
        _mm256_storeu_si256(to.cast(), bytes);
        let nonzero = _mm256_cmpgt_epi32(bytes, _mm256_setzero_si256());
        _mm256_movemask_ps(_mm256_castsi256_ps(nonzero)) as u32
    }
}
