//! Evaluation by an efficiently updatable neural network (NNUE, Yu Nasu 2018).
//!
//! A [`Network`] is read from a file of the nn.bin family or from one of the engine's own format ([`embedded`]); both
//! go through the same code, told apart by data. [`Accumulators`] follow a search's moves as the position's observer,
//! and [`Network::evaluate`] gives the value of a position from the side to move's view.
//!
//! ```
//! use hagane::nnue::{Accumulators, Network};
//! use hagane::position::Position;
//!
//! fn value(network: &Network, position: &mut Position) -> i32 {
//!     let mut accumulators = Accumulators::new(network);
//!     accumulators.reset(position);
//!     let mv = position.legal_moves()[0];
//!     position.do_move_observed(mv, &mut accumulators);
//!     let value = network.evaluate(position, &mut accumulators);
//!     position.undo_move();
//!     accumulators.pop();
//!     value
//! }
//! ```

mod accumulator;
mod aligned;
mod architecture;
mod dispatch;
pub mod embedded;
mod error;
mod explanation;
mod features;
mod layers;
mod nn_bin;
mod placement;
mod reader;
mod recognise;
mod scale;
mod selection;
mod simd;
mod stacks;

use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest, Sha256};

pub use accumulator::Accumulators;
pub use architecture::{Architecture, Family, FeatureKind};
pub use dispatch::Simd;
pub use error::NetworkError;
pub use explanation::{Contribution, Explanation};
pub use placement::Placement;
pub use scale::FvScale;
pub use selection::{INTERNAL, Selected, Selection};

use aligned::Aligned;
use dispatch::Kernels;
use features::FeatureSet;
use layers::{Dense, Scratch, Stack};
use scale::Scale;
use stacks::{StackChoice, View};

use crate::position::Position;
use crate::types::{Color, Hand, PieceType, Square};

/// Above the size of every known network (HalfKPE9 256x2-32-32 has 0.58 GB).
const MAX_FILE: u64 = 2 << 30;

/// A network, ready to evaluate. It is never changed after loading and may be shared among threads.
pub struct Network {
    /// Tells networks of one process apart.
    id: u64,
    architecture: Architecture,
    features: FeatureSet,
    biases: Aligned<i16>,
    /// A row of `l1` weights for each input.
    weights: Aligned<i16>,
    stacks: Vec<Stack>,
    choice: StackChoice,
    scale: Scale,
    kernels: Kernels,
    description: String,
    /// Hashes of file, transformer and dense layers as an nn.bin file has them.
    hashes: Option<[u32; 3]>,
}

impl Network {
    /// Reads a network from a file's bytes: nn.bin of any known architecture, or the engine's own format.
    ///
    /// # Errors
    /// A [`NetworkError`] says what is wrong and where. Memory is taken only for what the bytes hold.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        if bytes.starts_with(embedded::MAGIC) {
            return Self::from_parameters(&embedded::Parameters::from_bytes(bytes)?);
        }
        let parsed = nn_bin::parse(bytes)?;
        let mut network = Self {
            id: 0,
            architecture: parsed.architecture,
            features: parsed.features,
            biases: parsed.biases,
            weights: parsed.weights,
            stacks: parsed.stacks,
            choice: parsed.choice,
            scale: Scale::for_nn_bin(bytes, &parsed.description),
            kernels: Kernels::of(Simd::Scalar),
            description: parsed.description,
            hashes: Some(parsed.hashes),
        };
        network.finish(bytes.len())?;
        Ok(network)
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// As [`Network::from_bytes`] and [`Network::bytes`].
    pub fn load(path: &Path) -> Result<Self, NetworkError> {
        Self::from_bytes(&Self::bytes(path)?)
    }

    /// What a file holds that is to be a network; nothing of it is read where it is larger than any network.
    ///
    /// # Errors
    /// A file that cannot be read, or is too large.
    pub fn bytes(path: &Path) -> Result<Vec<u8>, NetworkError> {
        let length = std::fs::metadata(path)?.len();
        if length > MAX_FILE {
            return Err(NetworkError::TooLarge { length, limit: MAX_FILE });
        }
        Ok(std::fs::read(path)?)
    }

    /// The network that is built into the program.
    ///
    /// # Errors
    /// [`NetworkError::NotEmbedded`] where the program was built without one.
    pub fn internal() -> Result<Self, NetworkError> {
        match embedded_bytes() {
            Some(bytes) => Self::from_bytes(bytes),
            None => Err(NetworkError::NotEmbedded),
        }
    }

    /// A network of the engine's own kind from its numbers.
    ///
    /// # Errors
    /// None for parameters within the ranges that [`embedded::Parameters`] names.
    pub fn from_parameters(parameters: &embedded::Parameters) -> Result<Self, NetworkError> {
        let embedded::Parameters { l1, h1, h2, .. } = *parameters;
        let zones = parameters.zones.iter().max().map_or(1, |&zone| usize::from(zone) + 1);
        let features = FeatureKind::Zoned { zones };
        let stacks = parameters.stacks.len();
        let mut biases = Aligned::zeroed(parameters.biases.len());
        biases.copy_from_slice(&parameters.biases);
        let mut weights = Aligned::zeroed(parameters.weights.len());
        weights.copy_from_slice(&parameters.weights);
        let stack = |stack: &embedded::StackParameters| {
            let first = Dense::new(&stack.first_biases, &stack.first_weights, l1, l1);
            let second = Dense::new(&stack.second_biases, &stack.second_weights, 2 * h1, 2 * h1);
            Stack::new(first, second, stack.output_bias, &stack.output_weights)
        };
        let mut network = Self {
            id: 0,
            architecture: Architecture { features, family: Family::Own, l1, h1, h2, stacks },
            features: FeatureSet::new(features, &parameters.zones),
            biases,
            weights,
            stacks: parameters.stacks.iter().map(stack).collect(),
            choice: StackChoice::Phase(parameters.thresholds.clone()),
            scale: Scale::own(parameters.centipawns),
            kernels: Kernels::of(Simd::Scalar),
            description: parameters.description.clone(),
            hashes: None,
        };
        network.finish(0)?;
        Ok(network)
    }

    /// Checks that the parts fit together, gives the network its number and chooses the instructions.
    fn finish(&mut self, length: usize) -> Result<(), NetworkError> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let fits =
            self.weights.len() == self.features.rows * self.architecture.l1 && self.choice.count() == self.stacks.len();
        if !fits || !Simd::supports(&self.architecture) {
            return Err(NetworkError::UnknownArchitecture {
                payload: length,
                length,
                text: self.architecture.to_string(),
            });
        }
        self.id = NEXT.fetch_add(1, Ordering::Relaxed);
        self.kernels = Kernels::of(Simd::best_for(&self.architecture));
        Ok(())
    }

    /// Uses other instructions than the processor's best, or `None` where the processor has not got them or the
    /// network's sizes do not suit them. For tests and measurements.
    pub fn with_simd(mut self, simd: Simd) -> Option<Self> {
        if !simd.can_run(&self.architecture) {
            return None;
        }
        self.kernels = Kernels::of(simd);
        Some(self)
    }

    /// Sets what the output of an nn.bin network is divided by; the engine's own networks know their scale and ignore
    /// it.
    #[must_use]
    pub fn with_fv_scale(mut self, scale: FvScale) -> Self {
        self.scale.set(scale);
        self
    }

    /// The value of a position in centipawns or, for nn.bin networks, in the units that FV_SCALE makes of their output;
    /// from the side to move's view, within ±[`crate::types::Score::MAX_EVAL`]. The accumulators must have followed the
    /// position's moves.
    #[inline]
    pub fn evaluate(&self, position: &Position, accumulators: &mut Accumulators) -> i32 {
        // SAFETY: `Simd::can_run` or `Simd::best_for` approved the instructions on this processor.
        let raw = unsafe { (self.kernels.evaluate)(self, position, accumulators) };
        self.scale.apply(raw)
    }

    /// The first half of [`Network::evaluate`]: brings the accumulators up to date. For measurements.
    pub fn update(&self, position: &Position, accumulators: &mut Accumulators) {
        // SAFETY: as in `evaluate`.
        unsafe { (self.kernels.update)(self, position, accumulators) }
    }

    /// The second half of [`Network::evaluate`], after [`Network::update`]. For measurements.
    pub fn propagate(&self, position: &Position, accumulators: &mut Accumulators) -> i32 {
        accumulators.belong_to(self, position);
        // SAFETY: as in `evaluate`.
        let raw = unsafe { (self.kernels.propagate)(self, position, accumulators) };
        self.scale.apply(raw)
    }

    /// The value of a placement with `side` to move, computed from nothing in the plainest way: slow, and what
    /// [`Network::evaluate`] is tested against.
    pub fn evaluate_placement(&self, placement: &Placement, side: Color) -> i32 {
        let own = self.sums(placement, side);
        let enemy = self.sums(placement, !side);
        let stack = &self.stacks[self.choice.choose(placement, side, &self.features)];
        let mut scratch = Scratch::new(&self.architecture);
        let scalar = simd::scalar::Scalar;
        self.scale.apply(layers::propagate(scalar, &self.architecture, stack, &own, &enemy, &mut scratch))
    }

    /// One perspective's accumulator, added up input by input.
    fn sums(&self, placement: &Placement, perspective: Color) -> Vec<i16> {
        let l1 = self.architecture.l1;
        let slot = usize::from(self.features.slot(perspective, placement.king(perspective)).0);
        let plane = self.features.planes[slot] as usize;
        let table = &self.features.index[perspective.index()][usize::from(self.features.mirrored[slot])];
        let classes = self.features.attacks.map(|step| (step as usize, placement.attack_classes(perspective)));
        let mut sums = self.biases.to_vec();
        let mut add = |row: usize| {
            for (sum, &weight) in sums.iter_mut().zip(&self.weights[row * l1..][..l1]) {
                *sum = sum.wrapping_add(weight);
            }
        };
        for item in placement.items() {
            let index = table[item.index()];
            if index != features::NONE {
                let attacks = match (&classes, item.square()) {
                    (Some((step, classes)), Some(square)) => step * usize::from(classes[square.index()]),
                    _ => 0,
                };
                add(plane + attacks + usize::from(index));
            }
        }
        if let Some(filler) = self.features.filler {
            for _ in placement.men()..38 {
                add(plane + usize::from(filler));
            }
        }
        sums
    }

    /// The shape.
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// The instructions in use.
    pub fn simd(&self) -> Simd {
        self.kernels.simd
    }

    /// The text that the file carries.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The hashes of file, transformer and first set of dense layers as an nn.bin file has them; they are not checked,
    /// since trainers write wrong ones.
    pub fn hashes(&self) -> Option<[u32; 3]> {
        self.hashes
    }

    /// How the output becomes a value, in words: `FV_SCALE 16`.
    pub fn scale(&self) -> String {
        self.scale.to_string()
    }

    /// How a set of dense layers is chosen, in words.
    pub fn stack_rule(&self) -> String {
        self.choice.to_string()
    }
}

impl View for Position {
    #[inline(always)]
    fn king(&self, color: Color) -> Option<Square> {
        Position::king(self, color)
    }
    #[inline(always)]
    fn hand(&self, color: Color) -> Hand {
        Position::hand(self, color)
    }
    #[inline(always)]
    fn phase(&self) -> u32 {
        let promoted = PieceType::ALL[8..].iter().map(|&kind| self.by_type(kind).count()).sum::<u32>();
        promoted + Color::ALL.into_iter().map(|color| placement::held(Position::hand(self, color))).sum::<u32>()
    }
    fn placement(&self) -> Cow<'_, Placement> {
        Cow::Owned(Placement::from(self))
    }
}

/// The SHA-256 of a network file's bytes in hexadecimal: how manifests and reports name a network.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The file `eval/hagane.nn` as it was when the program was built; none where it was built without one.
pub fn embedded_bytes() -> Option<&'static [u8]> {
    #[cfg(embedded_network)]
    return Some(include_bytes!("../eval/hagane.nn"));
    #[cfg(not(embedded_network))]
    None
}
