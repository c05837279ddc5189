//! The architectures the trainer knows.

use super::inputs::Inputs;
use super::loss::POINTS_PER_UNIT;
use crate::training::data::phase::PHASES;

/// The resolution of the exported integers: what 1.0 is as a hidden weight, and as an output weight.
pub type Grid = (f32, f32);

/// What 1.0 is as an exported activation.
pub const ACTIVATION_ONE: f32 = 127.0;

/// How wide each part of a network is, and what its inputs are.
///
/// Both perspectives go through one sparse layer of `width` outputs; their activations, the side to move's first, feed
/// one of `stacks` small dense stacks `-> hidden -> 32 -> 1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Shape {
    /// The input features.
    pub inputs: Inputs,
    /// Outputs of the sparse layer per perspective, a multiple of 64 (of 128 with `product`).
    pub width: usize,
    /// Whether the two halves of a perspective are clipped and multiplied (half as many dense inputs), or only clipped.
    pub product: bool,
    /// Outputs of the first dense layer: 16 with two activations (squared and clipped), 32 with one.
    pub hidden: usize,
    /// How many dense stacks there are; a position's phase picks one.
    pub stacks: usize,
}

impl Shape {
    /// The outputs of the second dense layer, and the inputs it takes.
    pub const SECOND: usize = 32;

    /// Hagane's own architecture of a given width.
    pub const fn own(width: usize) -> Self {
        Self { inputs: Inputs::PieceSquare, width, product: true, hidden: 16, stacks: PHASES }
    }

    /// HalfKP 256x2-32-32, the classical network of shogi (nn.bin).
    pub const HALFKP: Self = Self { inputs: Inputs::HalfKp, width: 256, product: false, hidden: 32, stacks: 1 };

    /// The phases from which on the next stack is used.
    pub fn thresholds(&self) -> impl Iterator<Item = u8> + use<> {
        (1..self.stacks as u8).map(|stack| 2 * stack)
    }

    /// Inputs of the first dense layer.
    pub const fn dense_inputs(&self) -> usize {
        if self.product { self.width } else { 2 * self.width }
    }

    /// The resolution of the exported dense weights. The output of nn.bin has a scale of its own: engines divide it by 16
    /// by default.
    pub const fn grid(&self) -> Grid {
        match self.inputs {
            Inputs::PieceSquare => (64.0, 64.0),
            Inputs::HalfKp => (64.0, 16.0 * POINTS_PER_UNIT / ACTIVATION_ONE),
        }
    }

    /// Why the trainer cannot build this shape, if it cannot.
    pub fn problem(&self) -> Option<String> {
        let unit = if self.product { 128 } else { 64 };
        if self.width == 0 || !self.width.is_multiple_of(unit) || self.width > 4096 {
            return Some(format!("the width {} is not a multiple of {unit} up to 4096", self.width));
        }
        None
    }
}
