//! 512-bit registers with the byte dot product (AVX-512 F, BW and VNNI): Intel servers since 2019, AMD since Zen 4.

use std::arch::x86_64::*;

use super::{Vector, product_limit};

/// Stands for a processor with AVX-512 F, BW and VNNI.
#[derive(Clone, Copy)]
pub struct Avx512(());

impl Avx512 {
    /// The token.
    ///
    /// # Safety
    ///
    /// The processor has AVX-512 F, BW and VNNI.
    pub const unsafe fn new() -> Self {
        Self(())
    }
}

// SAFETY of every block below: the token stands for the instructions, and callers vouch for the memory behind pointers.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Vector for Avx512 {
    const LANES: usize = 32;
    const FAST_DOT: bool = true;
    type I16 = __m512i;
    type I32 = __m512i;

    #[inline(always)]
    unsafe fn load16(self, from: *const i16) -> __m512i {
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store16(self, to: *mut i16, value: __m512i) {
        unsafe { _mm512_storeu_si512(to.cast(), value) }
    }

    #[inline(always)]
    fn add16(self, a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_add_epi16(a, b) }
    }

    #[inline(always)]
    fn sub16(self, a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_sub_epi16(a, b) }
    }

    #[inline(always)]
    unsafe fn clip(self, a: __m512i, b: __m512i, to: *mut u8) -> u32 {
        unsafe {
            let bytes = _mm512_max_epi8(_mm512_packs_epi16(a, b), _mm512_setzero_si512());
            store_bytes(bytes, to)
        }
    }

    #[inline(always)]
    unsafe fn product<const SHIFT: i32>(self, a: [__m512i; 2], b: [__m512i; 2], to: *mut u8) -> u32 {
        unsafe {
            let (zero, limit) = (_mm512_setzero_si512(), _mm512_set1_epi16(product_limit(SHIFT)));
            let mut products = [zero; 2];
            for i in 0..2 {
                let x = _mm512_min_epi16(_mm512_max_epi16(a[i], zero), limit);
                let y = _mm512_min_epi16(_mm512_max_epi16(b[i], zero), limit);
                // The high half of (x << (16 - SHIFT)) * y is x * y >> SHIFT; both factors fit 16 bits without a sign.
                let x = match SHIFT {
                    9 => _mm512_slli_epi16::<7>(x),
                    _ => _mm512_slli_epi16::<9>(x),
                };
                products[i] = _mm512_mulhi_epu16(x, y);
            }
            store_bytes(_mm512_packus_epi16(products[0], products[1]), to)
        }
    }

    #[inline(always)]
    fn zero32(self) -> __m512i {
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    unsafe fn load32(self, from: *const i32) -> __m512i {
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store32(self, to: *mut i32, value: __m512i) {
        unsafe { _mm512_storeu_si512(to.cast(), value) }
    }

    #[inline(always)]
    fn add32(self, a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_add_epi32(a, b) }
    }

    #[inline(always)]
    unsafe fn splat4(self, from: *const u8) -> __m512i {
        unsafe { _mm512_set1_epi32(from.cast::<i32>().read_unaligned()) }
    }

    #[inline(always)]
    unsafe fn dot(self, sum: __m512i, inputs: __m512i, weights: *const i8) -> __m512i {
        unsafe { _mm512_dpbusd_epi32(sum, inputs, _mm512_loadu_si512(weights.cast())) }
    }
}

/// Undoes the interleaving of 128-bit quarters that packing leaves, and stores.
///
/// # Safety
///
/// The processor has AVX-512 F and BW, and 64 bytes may be written at `to`.
#[inline(always)]
unsafe fn store_bytes(packed: __m512i, to: *mut u8) -> u32 {
    // SAFETY: as said above.
    unsafe {
        let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        let bytes = _mm512_permutexvar_epi64(order, packed);
        _mm512_storeu_si512(to.cast(), bytes);
        u32::from(_mm512_test_epi32_mask(bytes, bytes))
    }
}
