//! The static evaluation that a search uses.

use std::sync::Arc;

use crate::hand_crafted;
use crate::nnue::{Accumulators, Network};
use crate::position::Position;
use crate::types::Score;

/// What evaluates a position that is not searched further.
#[derive(Clone)]
pub enum Evaluator {
    /// The hand-crafted evaluation (HCE).
    HandCrafted,
    /// A network.
    Network(Arc<Network>),
}

impl Evaluator {
    /// The static value of a position for the side to move, computed from scratch.
    pub fn evaluate(&self, position: &Position) -> Score {
        match self {
            Self::HandCrafted => hand_crafted::evaluate(position),
            Self::Network(network) => {
                let mut accumulators = Accumulators::new(network);
                accumulators.reset(position);
                Score(network.evaluate(position, &mut accumulators)).clamp_eval()
            }
        }
    }
}
