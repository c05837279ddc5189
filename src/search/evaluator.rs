//! The static evaluation that a search uses.

use std::sync::Arc;

use crate::attack_terms::AttackTerms;
use crate::hand_crafted;
use crate::nnue::{Accumulators, Family, Network};
use crate::position::Position;
use crate::types::Score;

/// What evaluates a position that is not searched further.
#[derive(Clone)]
pub enum Evaluator {
    /// The hand-crafted evaluation (HCE).
    HandCrafted,
    /// A network.
    Network(NetworkEvaluator),
}

/// A network, and the attack terms that are added to its value.
#[derive(Clone)]
pub struct NetworkEvaluator {
    network: Arc<Network>,
    terms: &'static AttackTerms,
}

impl Evaluator {
    /// The evaluation by a network.
    pub fn network(network: Network) -> Self {
        let terms = match network.architecture().family {
            Family::Own => AttackTerms::own(),
            _ => AttackTerms::nn_bin(),
        };
        Self::Network(NetworkEvaluator { network: Arc::new(network), terms })
    }

    /// The static value of a position for the side to move, computed from scratch.
    pub fn evaluate(&self, position: &Position) -> Score {
        match self {
            Self::HandCrafted => hand_crafted::evaluate(position),
            Self::Network(evaluator) => {
                let mut accumulators = Accumulators::new(&evaluator.network);
                accumulators.reset(position);
                evaluator.evaluate(position, &mut accumulators)
            }
        }
    }
}

impl NetworkEvaluator {
    /// The network alone.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The static value of a position, whose moves the accumulators have followed, for the side to move.
    #[inline]
    pub fn evaluate(&self, position: &Position, accumulators: &mut Accumulators) -> Score {
        Score(self.network.evaluate(position, accumulators) + self.terms.value(position)).clamp_eval()
    }
}
