//! Compiles the trainer's inner loops for the vector units the machine has.
//!
//! The loops are plain Rust that the compiler vectorises. Multiplication and addition stay separate (no fused
//! multiply-add), so every instruction set gives the same bits and a seed gives the same network everywhere.

/// Columns of a tile of the sparse layer: eight vectors of eight, which fit into registers.
pub const TILE: usize = 64;

/// Runs a loop compiled with AVX2 where the processor has it. The closure, and what it calls, must be
/// `#[inline(always)]`: compiled apart from this function they would get no AVX2, which no test would tell.
#[inline(always)]
pub fn vectorised<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // SAFETY: the line above found AVX2.
        return unsafe { with_avx2(work) };
    }
    work()
}
