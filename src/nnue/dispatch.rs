//! Which instructions inference uses: decided once per network, at the outermost call.

use super::accumulator::{Accumulators, update};
use super::architecture::Architecture;
use super::layers::propagate;
use super::model::Model;
use super::simd::Vector;
use super::simd::scalar::Scalar;
#[cfg(target_arch = "x86_64")]
use crate::platform::machine::has_avx2_and_bits;
use crate::position::Position;
use crate::types::Color;

#[cfg(target_arch = "aarch64")]
use super::simd::neon::Neon;
#[cfg(target_arch = "x86_64")]
use super::simd::{avx2::Avx2, avx512::Avx512, sse2::Sse2};

/// A set of vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simd {
    /// No vector instructions.
    Scalar,
    /// Any x86-64.
    Sse2,
    /// x86-64 with AVX2.
    Avx2,
    /// x86-64 with AVX-512 F, BW and VNNI.
    Avx512,
    /// 64-bit Arm.
    Neon,
}

impl Simd {
    /// The sets that this processor has, the plain one first and the fastest last.
    pub fn available() -> Vec<Self> {
        let mut sets = vec![Self::Scalar];
        #[cfg(target_arch = "x86_64")]
        {
            sets.push(Self::Sse2);
            if has_avx2_and_bits() {
                sets.push(Self::Avx2);
                if std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512bw")
                    && std::arch::is_x86_feature_detected!("avx512vnni")
                {
                    sets.push(Self::Avx512);
                }
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            sets.push(Self::Neon);
        }
        sets
    }

    /// The fastest set of this processor.
    pub fn fastest() -> Self {
        Self::available().into_iter().next_back().unwrap_or(Self::Scalar)
    }

    /// The name for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Sse2 => "SSE2",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512 VNNI",
            Self::Neon => "NEON",
        }
    }

    /// Whether a network's sizes fill this set's registers: bytes of half an accumulator for products, of a whole one
    /// otherwise.
    fn fits(self, architecture: &Architecture) -> bool {
        let lanes = match self {
            Self::Scalar | Self::Avx2 => 16,
            Self::Avx512 => 32,
            Self::Sse2 | Self::Neon => 8,
        };
        let packed = architecture.first_inputs() / 2;
        let outputs = architecture.first_outputs().next_multiple_of(8) | architecture.h2.next_multiple_of(8);
        packed.is_multiple_of(2 * lanes) && outputs.is_multiple_of(lanes / 2)
    }

    /// The fastest set of this processor that suits the network's sizes.
    pub(super) fn best_for(architecture: &Architecture) -> Self {
        let sets = Self::available().into_iter().rev();
        sets.into_iter().find(|set| set.fits(architecture)).unwrap_or(Self::Scalar)
    }

    /// Whether this processor has the set and the network's sizes suit it.
    pub(super) fn can_run(self, architecture: &Architecture) -> bool {
        Self::available().contains(&self) && self.fits(architecture)
    }

    /// Whether any network of these sizes can be evaluated.
    pub(super) fn supports(architecture: &Architecture) -> bool {
        Self::Scalar.fits(architecture)
    }
}

/// The entry points compiled for one instruction set.
///
/// # Safety
///
/// They may be called on processors that have the set.
#[derive(Clone, Copy)]
pub(super) struct Kernels {
    pub simd: Simd,
    pub evaluate: unsafe fn(&Model, &Position, &mut Accumulators) -> i32,
    pub update: unsafe fn(&Model, &Position, &mut Accumulators),
    pub propagate: unsafe fn(&Model, &Position, &mut Accumulators) -> i32,
}

impl Kernels {
    /// The entry points of a set that [`Simd::can_run`] has approved.
    pub fn of(simd: Simd) -> Self {
        match simd {
            #[cfg(target_arch = "x86_64")]
            Simd::Sse2 => sse2::KERNELS,
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => avx2::KERNELS,
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => avx512::KERNELS,
            #[cfg(target_arch = "aarch64")]
            Simd::Neon => neon::KERNELS,
            _ => scalar::KERNELS,
        }
    }
}

#[inline(always)]
fn update_both<V: Vector>(v: V, model: &Model, position: &Position, accumulators: &mut Accumulators) {
    accumulators.belong_to(model, position);
    for perspective in Color::ALL {
        update(v, model, position, accumulators, perspective);
    }
}

#[inline(always)]
fn finish<V: Vector>(v: V, model: &Model, position: &Position, accumulators: &mut Accumulators) -> i32 {
    let side = position.side_to_move();
    let bucket = model.buckets.bucket(position, side, &model.features);
    let (own, enemy, scratch) = accumulators.top(side);
    propagate(v, &model.architecture, &model.stacks[bucket], own, enemy, scratch)
}

macro_rules! entry_points {
    ($module:ident, $simd:expr, $token:expr $(, $features:literal)?) => {
        mod $module {
            use super::*;

            pub(super) const KERNELS: Kernels = Kernels { simd: $simd, evaluate, update, propagate };

            $(#[target_feature(enable = $features)])?
            unsafe fn evaluate(model: &Model, position: &Position, accumulators: &mut Accumulators) -> i32 {
                // SAFETY: the caller vouches for the processor.
                #[allow(unused_unsafe)]
                let token = unsafe { $token };
                update_both(token, model, position, accumulators);
                finish(token, model, position, accumulators)
            }

            $(#[target_feature(enable = $features)])?
            unsafe fn update(model: &Model, position: &Position, accumulators: &mut Accumulators) {
                // SAFETY: the caller vouches for the processor.
                #[allow(unused_unsafe)]
                let token = unsafe { $token };
                update_both(token, model, position, accumulators);
            }

            $(#[target_feature(enable = $features)])?
            unsafe fn propagate(model: &Model, position: &Position, accumulators: &mut Accumulators) -> i32 {
                // SAFETY: the caller vouches for the processor.
                #[allow(unused_unsafe)]
                let token = unsafe { $token };
                finish(token, model, position, accumulators)
            }
        }
    };
}

entry_points!(scalar, Simd::Scalar, Scalar);
#[cfg(target_arch = "x86_64")]
entry_points!(sse2, Simd::Sse2, Sse2);
#[cfg(target_arch = "x86_64")]
entry_points!(avx2, Simd::Avx2, Avx2::new(), "avx2,bmi1,bmi2,popcnt,lzcnt");
#[cfg(target_arch = "x86_64")]
entry_points!(avx512, Simd::Avx512, Avx512::new(), "avx512f,avx512bw,avx512vnni,avx2,bmi1,bmi2,popcnt,lzcnt");
#[cfg(target_arch = "aarch64")]
entry_points!(neon, Simd::Neon, Neon::new(), "neon");
