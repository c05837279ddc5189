//! A network's parameters, as inference uses them.

use super::aligned::Aligned;
use super::architecture::Architecture;
use super::buckets::BucketRule;
use super::features::FeatureSet;
use super::layers::LayerStack;

/// The parameters of a network and what they are for.
pub(super) struct Model {
    /// Tells the models of one process apart.
    pub id: u64,
    pub architecture: Architecture,
    pub features: FeatureSet,
    pub biases: Aligned<i16>,
    /// A row of `l1` weights for each input.
    pub weights: Aligned<i16>,
    /// The dense layers, by bucket.
    pub stacks: Vec<LayerStack>,
    pub buckets: BucketRule,
}
