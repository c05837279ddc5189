//! A network: reading it, and evaluating with it.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::accumulator::Accumulators;
use super::aligned::Aligned;
use super::architecture::{Architecture, Family, FeatureKind};
use super::buckets::BucketRule;
use super::dispatch::{Kernels, Simd};
use super::error::NetworkError;
use super::features::{FeatureSet, NONE};
use super::format::{hagane_nn, nn_bin};
use super::items::{attack_classes, items, men};
use super::layers::{self, Dense, LayerStack, Scratch};
use super::model::Model;
use super::scale::{FvScale, Scale};
use super::simd;
use crate::position::{Board, Position};
use crate::types::Color;

/// Above the size of every known network (HalfKPE9 256x2-32-32 has 0.58 GB).
const MAX_FILE: u64 = 2 << 30;

/// A network, ready to evaluate. It is never changed after loading and may be shared among threads.
pub struct Network {
    model: Model,
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
        if bytes.starts_with(hagane_nn::MAGIC) {
            return Self::from_parameters(&hagane_nn::Parameters::from_bytes(bytes)?);
        }
        let nn_bin::Parsed { architecture, features, biases, weights, stacks, buckets, description, hashes } =
            nn_bin::parse(bytes)?;
        let scale = Scale::for_nn_bin(bytes, &description);
        let model = Model { id: next_id(), architecture, features, biases, weights, stacks, buckets };
        Self::new(model, scale, description, Some(hashes), bytes.len())
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
    /// None for parameters within the ranges that [`hagane_nn::Parameters`] names.
    pub fn from_parameters(parameters: &hagane_nn::Parameters) -> Result<Self, NetworkError> {
        let hagane_nn::Parameters { l1, h1, h2, .. } = *parameters;
        let zones = parameters.zones.iter().max().map_or(1, |&zone| usize::from(zone) + 1);
        let features = FeatureKind::Zoned { zones };
        let stacks = parameters.stacks.len();
        let mut biases = Aligned::zeroed(parameters.biases.len());
        biases.copy_from_slice(&parameters.biases);
        let mut weights = Aligned::zeroed(parameters.weights.len());
        weights.copy_from_slice(&parameters.weights);
        let stack = |stack: &hagane_nn::LayerStackParameters| {
            let first = Dense::new(&stack.first_biases, &stack.first_weights, l1, l1);
            let second = Dense::new(&stack.second_biases, &stack.second_weights, 2 * h1, 2 * h1);
            LayerStack::new(first, second, stack.output_bias, &stack.output_weights)
        };
        let model = Model {
            id: next_id(),
            architecture: Architecture { features, family: Family::Own, l1, h1, h2, stacks },
            features: FeatureSet::new(features, &parameters.zones),
            biases,
            weights,
            stacks: parameters.stacks.iter().map(stack).collect(),
            buckets: BucketRule::Phase(parameters.thresholds.clone()),
        };
        Self::new(model, Scale::own(parameters.centipawns), parameters.description.clone(), None, 0)
    }

    /// Checks that the parts of a model from a file of `length` bytes fit together, and chooses the instructions.
    fn new(
        model: Model,
        scale: Scale,
        description: String,
        hashes: Option<[u32; 3]>,
        length: usize,
    ) -> Result<Self, NetworkError> {
        let Model { architecture, features, weights, stacks, buckets, .. } = &model;
        let fits = weights.len() == features.rows * architecture.l1 && buckets.count() == stacks.len();
        if !fits || !Simd::supports(architecture) {
            return Err(NetworkError::UnknownArchitecture { payload: length, length, text: architecture.to_string() });
        }
        let kernels = Kernels::of(Simd::best_for(architecture));
        Ok(Self { model, scale, kernels, description, hashes })
    }

    /// Uses other instructions than the processor's best, or `None` where the processor has not got them or the
    /// network's sizes do not suit them. For tests and measurements.
    pub fn with_simd(mut self, simd: Simd) -> Option<Self> {
        if !simd.can_run(&self.model.architecture) {
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

    /// How large the network's values are, compared with those of its kind that play counts on: 1.0 for own networks of
    /// [`PLAYED_CENTIPAWNS`](super::PLAYED_CENTIPAWNS) and for nn.bin networks with their own divisor.
    pub fn size_of_values(&self) -> f64 {
        self.scale.size()
    }

    /// The value of a position in centipawns or, for nn.bin networks, in the units that FV_SCALE makes of their output;
    /// from the side to move's view, within ±[`crate::types::Score::MAX_EVAL`]. The accumulators must have followed the
    /// position's moves.
    #[inline]
    pub fn evaluate(&self, position: &Position, accumulators: &mut Accumulators) -> i32 {
        // SAFETY: `Simd::can_run` or `Simd::best_for` approved the instructions on this processor.
        let raw = unsafe { (self.kernels.evaluate)(&self.model, position, accumulators) };
        self.scale.apply(raw)
    }

    /// The first half of [`Network::evaluate`]: brings the accumulators up to date. For measurements.
    pub fn update(&self, position: &Position, accumulators: &mut Accumulators) {
        // SAFETY: as in `evaluate`.
        unsafe { (self.kernels.update)(&self.model, position, accumulators) }
    }

    /// The second half of [`Network::evaluate`], after [`Network::update`]. For measurements.
    pub fn propagate(&self, position: &Position, accumulators: &mut Accumulators) -> i32 {
        accumulators.belong_to(&self.model, position);
        // SAFETY: as in `evaluate`.
        let raw = unsafe { (self.kernels.propagate)(&self.model, position, accumulators) };
        self.scale.apply(raw)
    }

    /// The value of a board for the side to move, computed from nothing in the plainest way: slow, and what
    /// [`Network::evaluate`] is tested against.
    pub fn evaluate_board(&self, board: &Board) -> i32 {
        let side = board.side_to_move();
        let own = self.sums(board, side);
        let enemy = self.sums(board, !side);
        let Model { architecture, features, stacks, buckets, .. } = &self.model;
        let stack = &stacks[buckets.bucket(board, side, features)];
        let mut scratch = Scratch::new(architecture);
        self.scale.apply(layers::propagate(simd::scalar::Scalar, architecture, stack, &own, &enemy, &mut scratch))
    }

    /// One perspective's accumulator, added up input by input.
    fn sums(&self, board: &Board, perspective: Color) -> Vec<i16> {
        let Model { architecture, features, biases, weights, .. } = &self.model;
        let l1 = architecture.l1;
        let slot = usize::from(features.slot(perspective, board.king(perspective)).0);
        let plane = features.planes[slot] as usize;
        let table = &features.index[perspective.index()][usize::from(features.mirrored[slot])];
        let classes = features.attacks.map(|step| (step as usize, attack_classes(board, perspective)));
        let mut sums = biases.to_vec();
        let mut add = |row: usize| {
            for (sum, &weight) in sums.iter_mut().zip(&weights[row * l1..][..l1]) {
                *sum = sum.wrapping_add(weight);
            }
        };
        for item in items(board) {
            let index = table[item.index()];
            if index != NONE {
                let attacks = match (&classes, item.square()) {
                    (Some((step, classes)), Some(square)) => step * usize::from(classes[square.index()]),
                    _ => 0,
                };
                add(plane + attacks + usize::from(index));
            }
        }
        if let Some(filler) = features.filler {
            for _ in men(board)..38 {
                add(plane + usize::from(filler));
            }
        }
        sums
    }

    /// The shape.
    pub fn architecture(&self) -> Architecture {
        self.model.architecture
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

    /// How a bucket is chosen, in words.
    pub fn bucket_rule(&self) -> String {
        self.model.buckets.to_string()
    }
}

impl Accumulators {
    /// Accumulators for a network. Call [`Accumulators::reset`] before the first move.
    pub fn new(network: &Network) -> Self {
        Self::for_model(&network.model)
    }

    /// Forgets the cache, so that the next refresh adds up all inputs. For measurements.
    pub fn clear_cache(&mut self, network: &Network) {
        self.empty_cache(&network.model);
    }
}

/// A number for a model.
fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The file `eval/hagane.nn` as it was when the program was built; none where it was built without one.
pub fn embedded_bytes() -> Option<&'static [u8]> {
    #[cfg(embedded_network)]
    {
        use crate::platform::packed::PackedFile;
        static FILE: PackedFile = PackedFile::new(include_bytes!(concat!(env!("OUT_DIR"), "/hagane.nn.deflate")), 2);
        Some(FILE.bytes())
    }
    #[cfg(not(embedded_network))]
    None
}
