//! The vector operations that inference needs: one small vocabulary, one implementation an instruction set.
//!
//! A token such as [`scalar::Scalar`] or `avx2::Avx2` stands for "this processor has these instructions"; whoever holds
//! one has shown it. Kernels are generic over the token and always inlined into an entry point that is compiled for the
//! instruction set (`dispatch.rs`), so that one test of the processor at start serves whole evaluations. All
//! implementations give the same integers: no step rounds or saturates differently.
//!
//! The idea of tokens and always-inlined generic kernels is that of the crates memchr (its `Vector` trait) and pulp.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
#[cfg(target_arch = "aarch64")]
pub(super) mod neon;
pub(super) mod scalar;
#[cfg(target_arch = "x86_64")]
pub(super) mod sse2;

/// A register of `LANES` 16-bit numbers, `LANES / 2` 32-bit numbers or `2 * LANES` bytes, and what can be done with it.
///
/// # Safety
///
/// The methods that take pointers read or write one whole register (or, where said, four bytes) there.
pub(super) trait Vector: Copy {
    /// 16-bit lanes of a register.
    const LANES: usize;
    /// [`Vector::dot`] is one instruction: leaving out inputs that are zero pays only where most are.
    const FAST_DOT: bool = false;
    /// A register of 16-bit numbers.
    type I16: Copy;
    /// A register of 32-bit numbers, or of bytes in groups of four.
    type I32: Copy;

    /// Reads 16-bit lanes.
    unsafe fn load16(self, from: *const i16) -> Self::I16;
    /// Writes 16-bit lanes.
    unsafe fn store16(self, to: *mut i16, value: Self::I16);
    /// Lane by lane sum, modulo 2^16.
    fn add16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// Lane by lane difference, modulo 2^16.
    fn sub16(self, a: Self::I16, b: Self::I16) -> Self::I16;

    /// Writes the lanes of `a`, then of `b`, clamped to 0..=127, as bytes; returns one bit for each group of four
    /// bytes, set where the group is not all zero.
    unsafe fn clip(self, a: Self::I16, b: Self::I16, to: *mut u8) -> u32;
    /// Writes `clamp(a, 0, 2^(SHIFT-1) - 1) * clamp(b, likewise) >> SHIFT` with the upper limit 127 for a shift of 7
    /// and 255 for a shift of 9, for the pairs `a[0], b[0]`, then `a[1], b[1]`, as bytes; returns the groups as
    /// [`Vector::clip`] does.
    unsafe fn product<const SHIFT: i32>(self, a: [Self::I16; 2], b: [Self::I16; 2], to: *mut u8) -> u32;

    /// Zeros.
    fn zero32(self) -> Self::I32;
    /// Reads 32-bit lanes.
    unsafe fn load32(self, from: *const i32) -> Self::I32;
    /// Writes 32-bit lanes.
    unsafe fn store32(self, to: *mut i32, value: Self::I32);
    /// Lane by lane sum, modulo 2^32.
    fn add32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Reads four bytes and repeats them in every 32-bit lane.
    unsafe fn splat4(self, from: *const u8) -> Self::I32;
    /// Adds to each 32-bit lane the four products of the bytes of `inputs` (0..=127) and the signed bytes at `weights`.
    unsafe fn dot(self, sum: Self::I32, inputs: Self::I32, weights: *const i8) -> Self::I32;
}

/// The upper limit of a factor of [`Vector::product`]: 1.0 in the quantisation that goes with the shift.
pub(super) const fn product_limit(shift: i32) -> i16 {
    if shift == 9 { 255 } else { 127 }
}
