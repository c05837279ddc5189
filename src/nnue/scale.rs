//! From a network's output to a value.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::types::Score;

/// What an output of 1.0 is as an integer.
pub(super) const OUTPUT_ONE: i32 = 127 * 64;

/// What an output of 1.0 of the engine's own networks is worth in centipawns where they play: the search's margins, the
/// attack terms and the trainer count on it.
pub const PLAYED_CENTIPAWNS: u32 = 288;

/// What an nn.bin network's output is divided by, as the option FV_SCALE says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FvScale {
    /// What the network is known to need, else 16.
    #[default]
    Automatic,
    /// 1..=128.
    Fixed(u32),
}

impl FvScale {
    /// The option's number: 0 for automatic.
    pub fn from_option(number: u32) -> Self {
        match number {
            0 => Self::Automatic,
            _ => Self::Fixed(number.min(128)),
        }
    }
}

/// Networks that need another divisor than 16: length of the file in bytes, its SHA-256, divisor.
const KNOWN: [(usize, [u8; 32], u32); 1] = [
    // suishopetite (K+P 256x2-32-32), a small relative of Suisho.
    (
        893_917,
        [
            0x39, 0xa2, 0x95, 0xd3, 0xf1, 0x60, 0x41, 0x04, 0x93, 0xb2, 0xca, 0x33, 0xc1, 0x3e, 0x7c, 0x81, 0x13, 0x35,
            0x8b, 0x52, 0x89, 0x56, 0xf7, 0xa4, 0x31, 0x2c, 0xd3, 0xfa, 0x2c, 0xd6, 0x20, 0x38,
        ],
        24,
    ),
];

/// `value = raw * factor / divisor`, toward zero.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    factor: i64,
    divisor: i64,
    /// The divisor without an option, for nn.bin networks.
    automatic: Option<i64>,
}

impl Scale {
    /// The scale of an nn.bin file: known by the file's hash, or said in its text, or 16.
    pub fn for_nn_bin(bytes: &[u8], description: &str) -> Self {
        let known = KNOWN.iter().find(|&&(length, hash, _)| bytes.len() == length && Sha256::digest(bytes)[..] == hash);
        let said = || {
            let number = description.split("fv_scale=").nth(1)?.split(|c: char| !c.is_ascii_digit()).next()?;
            number.parse().ok().filter(|number| (1..=128).contains(number))
        };
        let divisor = known.map(|&(_, _, divisor)| divisor).or_else(said).unwrap_or(16);
        let divisor = i64::from(divisor);
        Self { factor: 1, divisor, automatic: Some(divisor) }
    }

    /// The scale of the engine's own networks.
    pub fn own(centipawns: u32) -> Self {
        Self { factor: i64::from(centipawns), divisor: i64::from(OUTPUT_ONE), automatic: None }
    }

    pub fn set(&mut self, scale: FvScale) {
        if let Some(automatic) = self.automatic {
            self.divisor = match scale {
                FvScale::Automatic => automatic,
                FvScale::Fixed(divisor) => i64::from(divisor.clamp(1, 128)),
            };
        }
    }

    /// How large values are, compared with those that play counts on.
    pub fn size(&self) -> f64 {
        match self.automatic {
            Some(automatic) => automatic as f64 / self.divisor as f64,
            None => self.factor as f64 / f64::from(PLAYED_CENTIPAWNS),
        }
    }

    #[inline(always)]
    pub fn apply(&self, raw: i32) -> i32 {
        let limit = i64::from(Score::MAX_EVAL.0);
        (i64::from(raw) * self.factor / self.divisor).clamp(-limit, limit) as i32
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.automatic {
            Some(_) => write!(f, "FV_SCALE {}", self.divisor),
            None => write!(f, "{} centipawns for an output of 1", self.factor),
        }
    }
}
