//! 128-bit registers of every 64-bit Arm processor.

use std::arch::aarch64::*;

use super::{Vector, product_limit};

/// Stands for a processor with NEON.
#[derive(Clone, Copy)]
pub struct Neon(());

impl Neon {
    /// The token.
    ///
    /// # Safety
    ///
    /// The processor has NEON.
    pub const unsafe fn new() -> Self {
        Self(())
    }
}

// SAFETY of every block below: the token stands for NEON, and callers vouch for the memory behind pointers.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Vector for Neon {
    const LANES: usize = 8;
    type I16 = int16x8_t;
    type I32 = int32x4_t;

    #[inline(always)]
    unsafe fn load16(self, from: *const i16) -> int16x8_t {
        unsafe { vld1q_s16(from) }
    }

    #[inline(always)]
    unsafe fn store16(self, to: *mut i16, value: int16x8_t) {
        unsafe { vst1q_s16(to, value) }
    }

    #[inline(always)]
    fn add16(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        unsafe { vaddq_s16(a, b) }
    }

    #[inline(always)]
    fn sub16(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        unsafe { vsubq_s16(a, b) }
    }

    #[inline(always)]
    unsafe fn clip(self, a: int16x8_t, b: int16x8_t, to: *mut u8) -> u32 {
        unsafe {
            // Narrowing saturates at 127; what is left below zero goes to zero.
            let bytes = vcombine_s8(vqmovn_s16(a), vqmovn_s16(b));
            store_bytes(vreinterpretq_u8_s8(vmaxq_s8(bytes, vdupq_n_s8(0))), to)
        }
    }

    #[inline(always)]
    unsafe fn product<const SHIFT: i32>(self, a: [int16x8_t; 2], b: [int16x8_t; 2], to: *mut u8) -> u32 {
        unsafe {
            let (zero, limit) = (vdupq_n_s16(0), vdupq_n_s16(product_limit(SHIFT)));
            let mut products = [vdup_n_u8(0); 2];
            for i in 0..2 {
                let x = vminq_s16(vmaxq_s16(a[i], zero), limit);
                let y = vminq_s16(vmaxq_s16(b[i], zero), limit);
                // The doubling high product of x << (15 - SHIFT) and y is x * y >> SHIFT.
                let x = match SHIFT {
                    9 => vshlq_n_s16::<6>(x),
                    _ => vshlq_n_s16::<8>(x),
                };
                products[i] = vqmovun_s16(vqdmulhq_s16(x, y));
            }
            store_bytes(vcombine_u8(products[0], products[1]), to)
        }
    }

    #[inline(always)]
    fn zero32(self) -> int32x4_t {
        unsafe { vdupq_n_s32(0) }
    }

    #[inline(always)]
    unsafe fn load32(self, from: *const i32) -> int32x4_t {
        unsafe { vld1q_s32(from) }
    }

    #[inline(always)]
    unsafe fn store32(self, to: *mut i32, value: int32x4_t) {
        unsafe { vst1q_s32(to, value) }
    }

    #[inline(always)]
    fn add32(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        unsafe { vaddq_s32(a, b) }
    }

    #[inline(always)]
    unsafe fn splat4(self, from: *const u8) -> int32x4_t {
        unsafe { vdupq_n_s32(from.cast::<i32>().read_unaligned()) }
    }

    #[inline(always)]
    unsafe fn dot(self, sum: int32x4_t, inputs: int32x4_t, weights: *const i8) -> int32x4_t {
        unsafe {
            // Inputs are at most 127, so they are signed bytes too; a pair of products fits 16 bits.
            let (inputs, weights) = (vreinterpretq_s8_s32(inputs), vld1q_s8(weights));
            let low = vmull_s8(vget_low_s8(inputs), vget_low_s8(weights));
            let high = vmull_high_s8(inputs, weights);
            vpadalq_s16(sum, vpaddq_s16(low, high))
        }
    }
}

/// # Safety
///
/// The processor has NEON, and 16 bytes may be written at `to`.
#[inline(always)]
unsafe fn store_bytes(bytes: uint8x16_t, to: *mut u8) -> u32 {
    // SAFETY: as said above.
    unsafe {
        vst1q_u8(to, bytes);
        let groups = vreinterpretq_u32_u8(bytes);
        let bits = vld1q_u32([1, 2, 4, 8].as_ptr());
        vaddvq_u32(vandq_u32(vtstq_u32(groups, groups), bits))
    }
}
