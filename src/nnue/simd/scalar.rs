//! The plain twin: arrays, which every processor can do. The other implementations are tested against it.

use super::{Vector, product_limit};

/// Needs nothing.
#[derive(Clone, Copy)]
pub struct Scalar;

impl Vector for Scalar {
    const LANES: usize = 16;
    type I16 = [i16; 16];
    type I32 = [i32; 8];

    #[inline(always)]
    unsafe fn load16(self, from: *const i16) -> [i16; 16] {
        // SAFETY: the caller vouches for one register at `from`.
        unsafe { from.cast::<[i16; 16]>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store16(self, to: *mut i16, value: [i16; 16]) {
        // SAFETY: the caller vouches for one register at `to`.
        unsafe { to.cast::<[i16; 16]>().write_unaligned(value) }
    }

    #[inline(always)]
    fn add16(self, mut a: [i16; 16], b: [i16; 16]) -> [i16; 16] {
        for i in 0..16 {
            a[i] = a[i].wrapping_add(b[i]);
        }
        a
    }

    #[inline(always)]
    fn sub16(self, mut a: [i16; 16], b: [i16; 16]) -> [i16; 16] {
        for i in 0..16 {
            a[i] = a[i].wrapping_sub(b[i]);
        }
        a
    }

    #[inline(always)]
    unsafe fn clip(self, a: [i16; 16], b: [i16; 16], to: *mut u8) -> u32 {
        let mut bytes = [0; 32];
        for i in 0..16 {
            bytes[i] = a[i].clamp(0, 127) as u8;
            bytes[16 + i] = b[i].clamp(0, 127) as u8;
        }
        // SAFETY: the caller vouches for one register at `to`.
        unsafe { store_bytes(bytes, to) }
    }

    #[inline(always)]
    unsafe fn product<const SHIFT: i32>(self, a: [[i16; 16]; 2], b: [[i16; 16]; 2], to: *mut u8) -> u32 {
        let limit = product_limit(SHIFT);
        let mut bytes = [0; 32];
        for half in 0..2 {
            for i in 0..16 {
                let (x, y) = (a[half][i].clamp(0, limit), b[half][i].clamp(0, limit));
                bytes[half * 16 + i] = ((u32::from(x as u16) * u32::from(y as u16)) >> SHIFT) as u8;
            }
        }
        // SAFETY: the caller vouches for one register at `to`.
        unsafe { store_bytes(bytes, to) }
    }

    #[inline(always)]
    fn zero32(self) -> [i32; 8] {
        [0; 8]
    }

    #[inline(always)]
    unsafe fn load32(self, from: *const i32) -> [i32; 8] {
        // SAFETY: the caller vouches for one register at `from`.
        unsafe { from.cast::<[i32; 8]>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store32(self, to: *mut i32, value: [i32; 8]) {
        // SAFETY: the caller vouches for one register at `to`.
        unsafe { to.cast::<[i32; 8]>().write_unaligned(value) }
    }

    #[inline(always)]
    fn add32(self, mut a: [i32; 8], b: [i32; 8]) -> [i32; 8] {
        for i in 0..8 {
            a[i] = a[i].wrapping_add(b[i]);
        }
        a
    }

    #[inline(always)]
    unsafe fn splat4(self, from: *const u8) -> [i32; 8] {
        // SAFETY: the caller vouches for four bytes at `from`.
        [i32::from_le_bytes(unsafe { from.cast::<[u8; 4]>().read() }); 8]
    }

    #[inline(always)]
    unsafe fn dot(self, mut sum: [i32; 8], inputs: [i32; 8], weights: *const i8) -> [i32; 8] {
        // SAFETY: the caller vouches for one register at `weights`.
        let weights = unsafe { weights.cast::<[i8; 32]>().read_unaligned() };
        for lane in 0..8 {
            let bytes = inputs[lane].to_le_bytes();
            for k in 0..4 {
                let product = i32::from(bytes[k]) * i32::from(weights[lane * 4 + k]);
                sum[lane] = sum[lane].wrapping_add(product);
            }
        }
        sum
    }
}

/// # Safety
///
/// 32 bytes may be written at `to`.
#[inline(always)]
unsafe fn store_bytes(bytes: [u8; 32], to: *mut u8) -> u32 {
    // SAFETY: as said above.
    unsafe { to.cast::<[u8; 32]>().write_unaligned(bytes) };
    let mut groups = 0;
    for (i, group) in bytes.chunks_exact(4).enumerate() {
        groups |= u32::from(group != [0; 4]) << i;
    }
    groups
}
