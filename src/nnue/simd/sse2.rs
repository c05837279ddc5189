//! 128-bit registers of every x86-64 processor, for those without AVX2.

use std::arch::x86_64::*;

use super::{Vector, product_limit};

/// Stands for SSE2, which x86-64 includes.
#[derive(Clone, Copy)]
pub struct Sse2;

// SAFETY of every block below: x86-64 includes SSE2, and callers vouch for the memory behind pointers.
#[allow(clippy::undocumented_unsafe_blocks, unused_unsafe)]
impl Vector for Sse2 {
    const LANES: usize = 8;
    type I16 = __m128i;
    type I32 = __m128i;

    #[inline(always)]
    unsafe fn load16(self, from: *const i16) -> __m128i {
        unsafe { _mm_loadu_si128(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store16(self, to: *mut i16, value: __m128i) {
        unsafe { _mm_storeu_si128(to.cast(), value) }
    }

    #[inline(always)]
    fn add16(self, a: __m128i, b: __m128i) -> __m128i {
        unsafe { _mm_add_epi16(a, b) }
    }

    #[inline(always)]
    fn sub16(self, a: __m128i, b: __m128i) -> __m128i {
        unsafe { _mm_sub_epi16(a, b) }
    }

    #[inline(always)]
    unsafe fn clip(self, a: __m128i, b: __m128i, to: *mut u8) -> u32 {
        unsafe {
            // Packing lifts what is below zero to zero.
            let limit = _mm_set1_epi16(127);
            let bytes = _mm_packus_epi16(_mm_min_epi16(a, limit), _mm_min_epi16(b, limit));
            store_bytes(bytes, to)
        }
    }

    #[inline(always)]
    unsafe fn product<const SHIFT: i32>(self, a: [__m128i; 2], b: [__m128i; 2], to: *mut u8) -> u32 {
        unsafe {
            let (zero, limit) = (_mm_setzero_si128(), _mm_set1_epi16(product_limit(SHIFT)));
            let mut products = [zero; 2];
            for i in 0..2 {
                let x = _mm_min_epi16(_mm_max_epi16(a[i], zero), limit);
                let y = _mm_min_epi16(_mm_max_epi16(b[i], zero), limit);
                // The high half of (x << (16 - SHIFT)) * y is x * y >> SHIFT; both factors fit 16 bits without a sign.
                let x = match SHIFT {
                    9 => _mm_slli_epi16::<7>(x),
                    _ => _mm_slli_epi16::<9>(x),
                };
                products[i] = _mm_mulhi_epu16(x, y);
            }
            store_bytes(_mm_packus_epi16(products[0], products[1]), to)
        }
    }

    #[inline(always)]
    fn zero32(self) -> __m128i {
        unsafe { _mm_setzero_si128() }
    }

    #[inline(always)]
    unsafe fn load32(self, from: *const i32) -> __m128i {
        unsafe { _mm_loadu_si128(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store32(self, to: *mut i32, value: __m128i) {
        unsafe { _mm_storeu_si128(to.cast(), value) }
    }

    #[inline(always)]
    fn add32(self, a: __m128i, b: __m128i) -> __m128i {
        unsafe { _mm_add_epi32(a, b) }
    }

    #[inline(always)]
    unsafe fn splat4(self, from: *const u8) -> __m128i {
        unsafe { _mm_set1_epi32(from.cast::<i32>().read_unaligned()) }
    }

    #[inline(always)]
    unsafe fn dot(self, sum: __m128i, inputs: __m128i, weights: *const i8) -> __m128i {
        unsafe {
            let weights = _mm_loadu_si128(weights.cast());
            // All groups of the inputs are the same, so the lower half serves both halves of the weights.
            let inputs = _mm_unpacklo_epi8(inputs, _mm_setzero_si128());
            let low = _mm_srai_epi16::<8>(_mm_unpacklo_epi8(weights, weights));
            let high = _mm_srai_epi16::<8>(_mm_unpackhi_epi8(weights, weights));
            // Two sums of two products for each lane; add them up.
            let low = _mm_castsi128_ps(_mm_madd_epi16(inputs, low));
            let high = _mm_castsi128_ps(_mm_madd_epi16(inputs, high));
            let even = _mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(low, high));
            let odd = _mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(low, high));
            _mm_add_epi32(sum, _mm_add_epi32(even, odd))
        }
    }
}

/// # Safety
///
/// 16 bytes may be written at `to`.
#[inline(always)]
#[allow(unused_unsafe)]
unsafe fn store_bytes(bytes: __m128i, to: *mut u8) -> u32 {
    // SAFETY: as said above; x86-64 includes SSE2.
    unsafe {
        _mm_storeu_si128(to.cast(), bytes);
        let zero = _mm_cmpeq_epi32(bytes, _mm_setzero_si128());
        !_mm_movemask_ps(_mm_castsi128_ps(zero)) as u32 & 0xf
    }
}
