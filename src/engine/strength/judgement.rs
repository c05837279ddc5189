//! What a level thinks of a position: the true evaluation, or simpler rules, and a taste of its own.
//!
//! A taste is a value for every piece on every square, drawn from the seed: a player misjudges the same things in the
//! same way all game long, in contrast to dice at every move.

use crate::hand_crafted;
use crate::nnue::Accumulators;
use crate::platform::random::{Random, mix};
use crate::position::Position;
use crate::search::{Evaluator, NetworkEvaluator};
use crate::types::{BySquare, Color, Move, Piece, PieceType, Score, Square};

use super::level::Level;
use super::style;

/// After so many plies a plan is forgotten.
const PLAN_PLIES: u32 = 60;

/// The evaluation of a level for one search.
pub(super) struct Judgement {
    evaluator: Option<(NetworkEvaluator, Box<Accumulators>)>,
    simplicity: f64,
    error: f64,
    seed: u64,
    /// The player.
    us: Color,
    /// Values of the player's pieces by [`PieceType::index`] and square.
    taste: Box<[BySquare<i16>; PieceType::TABLE]>,
    /// What the taste makes of the position that is searched: no part of what the player would say of it.
    bias: i32,
}

impl Judgement {
    pub(super) fn new(level: &Level, evaluator: &Evaluator, root: &Position, seed: u64) -> Self {
        let evaluator = match evaluator {
            Evaluator::Network(evaluator) if level.simplicity < 1.0 => {
                let mut accumulators = Box::new(Accumulators::new(evaluator.network()));
                accumulators.reset(root);
                Some((evaluator.clone(), accumulators))
            }
            _ => None,
        };
        let us = root.side_to_move();
        let simplicity = if evaluator.is_some() { level.simplicity } else { 1.0 };
        let taste = taste(level, root, us, seed);
        let mut judgement = Self { evaluator, simplicity, error: level.error, seed, us, taste, bias: 0 };
        judgement.bias = judgement.liking(root) as i32;
        judgement
    }

    /// A score as the player would tell it: without the taste for what stands on the board before the move.
    pub(super) fn told(&self, score: Score) -> Score {
        if score.is_decisive() { score } else { (score - self.bias).clamp_eval() }
    }

    /// Makes a move on the position that the judgement follows.
    pub(super) fn do_move(&mut self, position: &mut Position, mv: Move) {
        match &mut self.evaluator {
            Some((_, accumulators)) => position.do_move_observed(mv, accumulators.as_mut()),
            None => position.do_move(mv),
        }
    }

    /// Takes it back.
    pub(super) fn undo_move(&mut self, position: &mut Position) {
        position.undo_move();
        if let Some((_, accumulators)) = &mut self.evaluator {
            accumulators.pop();
        }
    }

    /// The value for the side to move.
    pub(super) fn evaluate(&mut self, position: &Position) -> Score {
        let simple = if self.simplicity > 0.0 { f64::from(hand_crafted::evaluate(position).0) } else { 0.0 };
        let learnt = match &mut self.evaluator {
            Some((evaluator, accumulators)) => f64::from(evaluator.evaluate(position, accumulators).0),
            None => 0.0,
        };
        let sober = simple * self.simplicity + learnt * (1.0 - self.simplicity);
        let biased = self.liking(position) + self.error * gauss(mix(position.key() ^ self.seed));
        let ours = position.side_to_move() == self.us;
        Score((sober + if ours { biased } else { -biased }) as i32).clamp_eval()
    }

    /// How much the player likes where its pieces stand.
    fn liking(&self, position: &Position) -> f64 {
        let value = |square: Square| {
            let piece = position.piece_on(square).map_or(0, |piece: Piece| piece.piece_type().index());
            i32::from(self.taste[piece][square.index()])
        };
        f64::from(position.by_color(self.us).into_iter().map(value).sum::<i32>())
    }
}

fn taste(level: &Level, root: &Position, us: Color, seed: u64) -> Box<[BySquare<i16>; PieceType::TABLE]> {
    let mut random = Random::for_item(seed, us.index() as u64);
    let mut taste = Box::new([[0; Square::COUNT]; PieceType::TABLE]);
    let plan = random.next_u64();
    for values in &mut taste[1..] {
        for value in values {
            *value = (level.taste * gauss(random.next_u64())) as i16;
        }
    }
    let fresh = 1.0 - f64::from(root.move_number().min(PLAN_PLIES)) / f64::from(PLAN_PLIES);
    for (kind, square, value) in style::wishes(plan) {
        taste[kind.index()][square.relative_to(us).index()] += (f64::from(value) * level.plan * fresh) as i16;
    }
    taste
}

/// A number of the normal distribution for 64 random bits: the sum of four uniform ones.
pub(super) fn gauss(bits: u64) -> f64 {
    let sum: f64 = (0..4).map(|part| f64::from((bits >> (16 * part)) as u16) / 65535.0).sum();
    // The variance of the sum is 4 / 12.
    (sum - 2.0) * 3f64.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_has_spread_one() {
        let numbers: Vec<f64> = (0..20_000).map(|seed| gauss(mix(seed))).collect();
        let mean = numbers.iter().sum::<f64>() / 20_000.0;
        let variance = numbers.iter().map(|number| number * number).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }

    #[test]
    fn a_taste_lasts_all_game_and_differs_between_games() {
        let level = Level::new(3.0).unwrap();
        let mut position = Position::startpos();
        let judged = |position: &Position, seed: u64| {
            Judgement::new(&level, &Evaluator::HandCrafted, position, seed).evaluate(position)
        };
        assert_eq!(judged(&position, 7), judged(&position, 7));
        assert_ne!(judged(&position, 7), judged(&position, 8));
        // What is judged below the root is judged the same as at the root, but for the plan that fades.
        let plain = Level { plan: 0.0, ..level };
        let mut below = Judgement::new(&plain, &Evaluator::HandCrafted, &position, 7);
        for mv in ["7g7f", "3c3d"] {
            below.do_move(&mut position, mv.parse().unwrap());
        }
        let mut at_root = Judgement::new(&plain, &Evaluator::HandCrafted, &position, 7);
        assert_eq!(below.evaluate(&position), at_root.evaluate(&position));
        below.undo_move(&mut position);
        below.undo_move(&mut position);
    }
}
