//! The shapes of networks: names, sizes, hashes.

use std::fmt;

/// Which inputs a network has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureKind {
    /// Own king's square × every other piece.
    HalfKp,
    /// As HalfKP, with the own king mirrored to files 1..5.
    HalfKpVm,
    /// As HalfKP, × how often each side attacks the piece's square (0, 1, 2 or more).
    HalfKpE9,
    /// Own king's square × every piece, kings included.
    HalfKa1,
    /// As HalfKA1, with one plane for both kings.
    HalfKa2,
    /// As HalfKA1, with the own king mirrored to files 1..5.
    HalfKaHm1,
    /// As HalfKA2, with the own king mirrored to files 1..5.
    HalfKaHm2,
    /// Every piece, kings included, on its own.
    KP,
    /// The union of the king inputs and those of HalfKA2 without a king's square.
    KA2,
    /// The engine's own: every piece by its true kind, mirrored by the own king, × a number of king zones.
    Zoned {
        /// Number of zones of the own king's square.
        zones: usize,
    },
}

impl FeatureKind {
    /// The kinds of nn.bin files.
    pub const NN_BIN: [Self; 9] = [
        Self::HalfKp,
        Self::HalfKpVm,
        Self::HalfKpE9,
        Self::HalfKa1,
        Self::HalfKa2,
        Self::HalfKaHm1,
        Self::HalfKaHm2,
        Self::KP,
        Self::KA2,
    ];

    /// The number of inputs per perspective.
    pub const fn inputs(self) -> usize {
        match self {
            Self::HalfKp => 81 * 1548,
            Self::HalfKpVm => 45 * 1548,
            Self::HalfKpE9 => 9 * 81 * 1548,
            Self::HalfKa1 => 81 * 1710,
            Self::HalfKa2 => 81 * 1629,
            Self::HalfKaHm1 => 45 * 1710,
            Self::HalfKaHm2 => 45 * 1629,
            Self::KP => 1710,
            Self::KA2 => 162 + 1629,
            Self::Zoned { zones } => zones * super::zoned::INPUTS,
        }
    }

    /// The usual name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HalfKp => "HalfKP",
            Self::HalfKpVm => "HalfKP_vm",
            Self::HalfKpE9 => "HalfKPE9",
            Self::HalfKa1 => "HalfKA1",
            Self::HalfKa2 => "HalfKA2",
            Self::HalfKaHm1 => "HalfKA_hm1",
            Self::HalfKaHm2 => "HalfKA_hm2",
            Self::KP => "K+P",
            Self::KA2 => "K+A2",
            Self::Zoned { .. } => "Hagane",
        }
    }

    /// The hash that the nn.bin family gives to the kind; files carry it mixed with the width.
    pub const fn hash(self) -> u32 {
        match self {
            Self::HalfKp | Self::HalfKpE9 => 0x5D69_D5B8,
            Self::HalfKpVm => 0x0B6B_1D9A,
            Self::HalfKa1 => 0x5F13_4CB8,
            Self::HalfKa2 => 0x5F23_4CB8,
            Self::HalfKaHm1 => 0x7F13_4CB8,
            Self::HalfKaHm2 => 0x7F23_4CB8,
            Self::KP => 0x3F57_17FF,
            Self::KA2 => 0xD3CE_E169 ^ 0xA20D_CB9Bu32.rotate_left(1),
            Self::Zoned { .. } => 0,
        }
    }
}

/// How accumulators become the inputs of the first dense layer, and its outputs those of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Clamped accumulators, clamped hidden layers: HalfKP, K+P and relatives.
    Plain,
    /// Products of accumulator halves, squared and clamped outputs side by side.
    Sfnn {
        /// Whether the last output of the first layer goes straight to the result.
        shortcut: bool,
    },
    /// As SFNN without the shortcut, with finer accumulators.
    Own,
}

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// The inputs.
    pub features: FeatureKind,
    /// The layers' kind.
    pub family: Family,
    /// Width of an accumulator, that is of one perspective.
    pub l1: usize,
    /// Outputs of the first dense layer, a shortcut not counted.
    pub h1: usize,
    /// Outputs of the second dense layer.
    pub h2: usize,
    /// Number of layer stacks; the position's bucket chooses one.
    pub stacks: usize,
}

/// `n` rounded up to a multiple of 32.
pub(super) const fn pad32(n: usize) -> usize {
    n.next_multiple_of(32)
}

impl Architecture {
    /// Outputs of the first dense layer as stored.
    pub const fn first_outputs(&self) -> usize {
        match self.family {
            Family::Sfnn { shortcut: true } => self.h1 + 1,
            _ => self.h1,
        }
    }

    /// Inputs of the first dense layer.
    pub const fn first_inputs(&self) -> usize {
        match self.family {
            Family::Plain => 2 * self.l1,
            Family::Sfnn { .. } | Family::Own => self.l1,
        }
    }

    /// Inputs of the second dense layer.
    pub const fn second_inputs(&self) -> usize {
        match self.family {
            Family::Plain => self.h1,
            Family::Sfnn { .. } | Family::Own => 2 * self.h1,
        }
    }

    /// Bytes of one stack in an nn.bin file, without its hash.
    pub const fn stack_bytes(&self) -> usize {
        let first = self.first_outputs() * (4 + pad32(self.first_inputs()));
        let second = self.h2 * (4 + pad32(self.second_inputs()));
        first + second + 4 + pad32(self.h2)
    }

    /// Bytes of the feature transformer where it is not compressed.
    pub const fn transformer_bytes(&self) -> usize {
        2 * self.l1 * (1 + self.features.inputs())
    }

    /// The feature transformer's hash as nn.bin files carry it.
    pub const fn transformer_hash(&self) -> u32 {
        match self.family {
            Family::Plain => self.features.hash() ^ (2 * self.l1) as u32,
            _ => 0x5F13_4AB8,
        }
    }

    /// The dense layers' hash as nn.bin files carry it.
    pub const fn stack_hash(&self) -> u32 {
        const fn affine(hash: u32, outputs: usize) -> u32 {
            0xCC03_DAE4u32.wrapping_add(outputs as u32) ^ hash >> 1 ^ hash << 31
        }
        match self.family {
            Family::Plain => {
                let relu = 0x538D_24C7u32;
                let hash = affine(0xEC42_E90D ^ (2 * self.l1) as u32, self.h1).wrapping_add(relu);
                affine(affine(hash, self.h2).wrapping_add(relu), 1)
            }
            _ => 0x6333_718A,
        }
    }

    /// The file's hash as nn.bin files carry it.
    pub const fn file_hash(&self) -> u32 {
        self.transformer_hash() ^ self.stack_hash()
    }
}

/// `HalfKP 256x2-32-32`, `SFNN HalfKA_hm2 1536-15-32 (9 stacks)`.
impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { features, family, l1, h1, h2, stacks } = *self;
        match family {
            Family::Plain => write!(f, "{} {l1}x2-{h1}-{h2}", features.name()),
            Family::Sfnn { .. } => {
                write!(f, "SFNN {} {l1}-{h1}-{h2} ({stacks} stacks)", features.name())
            }
            Family::Own => {
                write!(f, "Hagane {}x2 to {l1}-{h1}-{h2} ({stacks} stacks)", features.inputs())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_hashes_are_those_of_published_networks() {
        use FeatureKind::*;
        for (features, l1, h1, h2, bytes, file, transformer, stack) in [
            (HalfKp, 256, 32, 32, 64216868, 0x3E5AA6EEu32, 0x5D69D7B8u32, 0x63337156u32),
            (HalfKp, 512, 16, 32, 128415972, 0x3E5AA772, 0x5D69D1B8, 0x633376CA),
            (HalfKp, 512, 8, 96, 128410116, 0x3E5AA70C, 0x5D69D1B8, 0x633376B4),
            (HalfKp, 768, 8, 96, 192613380, 0x3E5AA2CC, 0x5D69D3B8, 0x63337174),
            (HalfKp, 768, 16, 64, 192624516, 0x3E5AA222, 0x5D69D3B8, 0x6333719A),
            (HalfKp, 1024, 8, 32, 256814276, 0x3E5AB7EC, 0x5D69DDB8, 0x63336A54),
            (HalfKp, 1024, 8, 64, 256815460, 0x3E5AB79C, 0x5D69DDB8, 0x63336A24),
            (HalfKp, 1024, 16, 32, 256830692, 0x3E5AB7F2, 0x5D69DDB8, 0x63336A4A),
            (HalfKpVm, 256, 32, 32, 35684132, 0x68586ECC, 0x0B6B1F9A, 0x63337156),
            (KP, 256, 32, 32, 893732, 0x5C6464A9, 0x3F5715FF, 0x63337156),
        ] {
            let a = Architecture { features, family: Family::Plain, l1, h1, h2, stacks: 1 };
            assert_eq!(a.transformer_bytes() + a.stack_bytes(), bytes, "{a}");
            assert_eq!((a.file_hash(), a.transformer_hash(), a.stack_hash()), (file, transformer, stack), "{a}");
        }
    }
}
