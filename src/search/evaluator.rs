//! The static evaluation that a search uses.

use std::sync::Arc;

use crate::attack_terms::AttackTerms;
use crate::hand_crafted;
use crate::nnue::{Accumulators, Family, FeatureKind, Network};
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

/// A network, and the attack terms that are added to its value where they were measured with networks of its kind.
#[derive(Clone)]
pub struct NetworkEvaluator {
    network: Arc<Network>,
    terms: Option<Arc<AttackTerms>>,
}

impl Evaluator {
    /// The evaluation by a network.
    pub fn network(network: Network) -> Self {
        let terms = match network.architecture().family {
            Family::Own => Some(AttackTerms::own()),
            // These inputs know how often their squares are attacked.
            Family::Plain if network.architecture().features == FeatureKind::HalfKpE9 => None,
            Family::Plain => Some(AttackTerms::nn_bin()),
            Family::Sfnn { .. } => None,
        };
        let terms = terms.map(|terms| Arc::new(terms.times(network.size_of_values())));
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
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The static value of a position, whose moves the accumulators have followed, for the side to move.
    #[inline]
    pub fn evaluate(&self, position: &Position, accumulators: &mut Accumulators) -> Score {
        let terms = self.terms.as_ref().map_or(0, |terms| terms.value(position));
        Score(self.network.evaluate(position, accumulators) + terms).clamp_eval()
    }
}
