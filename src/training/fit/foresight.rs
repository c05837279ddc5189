//! Scores that know how the game went on.
//!
//! A cheap search errs, and its errors in successive positions of a game are only loosely related. The expectation of a
//! position is therefore mixed with that of the position after its move, as mixed in turn: the scores of later moves
//! count with ever smaller weights, and both sides' replies have been seen that this position's own search did not
//! reach. Idea: temporal differences (Sutton, Learning to predict by the methods of temporal differences, 1988; for
//! game trees Baxter, Tridgell and Weaver, 2000).

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::inputs::{PHASES, phase};
use super::loss::{expectation, points};
use crate::training::placement::Placement;
use crate::training::record::Labelled;
use crate::types::Color;

/// The weight of everything later in a position's expectation, 0 (none) to 1.
///
/// Where nothing is in hand yet a search sees hardly more than a static value does, and what the game became is the
/// better teacher; where much is in hand it is the other way round.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Foresight {
    /// The same everywhere.
    Same(f32),
    /// One for each phase (see [`phase`]).
    ByPhase([f32; PHASES]),
}

impl Foresight {
    /// Nothing later counts.
    pub const NONE: Self = Self::Same(0.0);

    /// The weight in a position.
    fn weight(&self, position: &Placement) -> f32 {
        match self {
            Self::Same(weight) => *weight,
            Self::ByPhase(weights) => weights[phase(position)],
        }
    }
}

impl Default for Foresight {
    fn default() -> Self {
        Self::NONE
    }
}

/// What [`Foresight`] is read from: a weight, or eight with commas between them.
impl FromStr for Foresight {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let weights = text
            .split(',')
            .map(|weight| match weight.trim().parse() {
                Ok(weight) if (0.0..=1.0).contains(&weight) => Ok(weight),
                _ => Err(format!("{weight:?} is no number between 0 and 1")),
            })
            .collect::<Result<Vec<f32>, _>>()?;
        match weights[..] {
            [weight] => Ok(Self::Same(weight)),
            _ => weights
                .try_into()
                .map(Self::ByPhase)
                .map_err(|weights: Vec<f32>| format!("one weight is wanted, or {PHASES}, not {}", weights.len())),
        }
    }
}

/// Replaces the scores of one game's positions, which are in their order. `scale` is that of scores against results.
/// Where a ply is missing nothing later counts. In games the sides take turns; where the ends of lines stand for a
/// game's positions (see [`crate::training::leaf`]), either side may be to move next.
pub fn look_ahead(game: &mut [Labelled], foresight: Foresight, scale: f32) {
    let mut later: Option<(u16, Color, f32)> = None;
    for position in game.iter_mut().rev() {
        let weight = foresight.weight(&position.position);
        let own = expectation(f32::from(position.score), scale);
        let mixed = match later {
            Some((ply, side, next)) if ply == position.ply.saturating_add(1) => {
                let next = match side == position.position.side {
                    true => next,
                    false => 1.0 - next,
                };
                (1.0 - weight) * own + weight * next
            }
            _ => own,
        };
        later = Some((position.ply, position.position.side, mixed));
        position.score = points(mixed, scale).round() as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::types::{Hand, PieceType};

    fn game(scores: &[(u16, i16)]) -> Vec<Labelled> {
        let position = Placement::from(&Position::startpos());
        scores
            .iter()
            .map(|&(ply, score)| Labelled {
                position: Placement {
                    side: if ply % 2 == 1 { Color::Black } else { Color::White },
                    ..position.clone()
                },
                score,
                best: None,
                ply,
                result: 0,
            })
            .collect()
    }

    fn scores(game: &[Labelled]) -> Vec<i16> {
        game.iter().map(|position| position.score).collect()
    }

    #[test]
    fn agreement_stays_and_later_trouble_is_foreseen() {
        // Both sides agree all the time that the first one is 300 ahead.
        let mut calm = game(&[(1, 300), (2, -300), (3, 300), (4, -300)]);
        look_ahead(&mut calm, Foresight::Same(0.8), 1000.0);
        assert_eq!(scores(&calm), [300, -300, 300, -300]);
        // The opponent finds that it is 1000 ahead.
        let mut blunder = game(&[(1, 0), (2, 1000)]);
        look_ahead(&mut blunder, Foresight::Same(0.5), 1000.0);
        let [first, second] = scores(&blunder)[..] else { panic!("two positions") };
        assert!((-500..-400).contains(&first), "{first}");
        assert_eq!(second, 1000);
    }

    #[test]
    fn either_side_may_be_to_move_next() {
        // Black is 300 ahead all the time, and to move in the last two.
        let mut ends = game(&[(1, -300), (2, 300), (3, 300)]);
        ends[0].position.side = Color::White;
        ends[1].position.side = Color::Black;
        look_ahead(&mut ends, Foresight::Same(0.8), 1000.0);
        assert_eq!(scores(&ends), [-300, 300, 300]);
    }

    #[test]
    fn nothing_is_seen_across_a_gap() {
        let mut torn = game(&[(1, 100), (3, 2000), (4, -2000)]);
        look_ahead(&mut torn, Foresight::Same(0.9), 1000.0);
        assert_eq!(scores(&torn), [100, 2000, -2000]);
    }

    #[test]
    fn each_phase_has_its_weight() {
        let mut phases = [0.0; PHASES];
        phases[3] = 0.5;
        let mut mixed = game(&[(1, 0), (2, 0), (3, 1000)]);
        // Seven in hand: the fourth phase.
        mixed[1].position.hands[0] = Hand::EMPTY.with(PieceType::Pawn, 7);
        let mut none = mixed.clone();
        look_ahead(&mut mixed, Foresight::ByPhase(phases), 1000.0);
        let scores = scores(&mixed);
        assert!(scores[0] == 0 && scores[1] < -400, "{scores:?}");
        look_ahead(&mut none, Foresight::NONE, 1000.0);
        assert_eq!(none[1].score, 0);
    }

    #[test]
    fn weights_are_read_and_refused() {
        assert_eq!("0.9".parse(), Ok(Foresight::Same(0.9)));
        let each = [0.98, 0.97, 0.96, 0.94, 0.92, 0.9, 0.9, 0.0];
        let text = "0.98, 0.97,0.96,0.94,0.92,0.9,0.9,0";
        assert_eq!(text.parse(), Ok(Foresight::ByPhase(each)));
        for (text, complaint) in [
            ("", "\"\" is no number"),
            ("0.9,x", "\"x\" is no number"),
            ("1.5", "between 0 and 1"),
            ("NaN", "between 0 and 1"),
            ("0.9,0.8", "or 8, not 2"),
        ] {
            let said = text.parse::<Foresight>().unwrap_err();
            assert!(said.contains(complaint), "{said}");
        }
        // Settings of a run hold one number or eight.
        for (foresight, json) in
            [(Foresight::Same(0.5), "0.5"), (Foresight::ByPhase([0.5; PHASES]), "[0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5]")]
        {
            assert_eq!(serde_json::to_string(&foresight).unwrap(), json);
            assert_eq!(serde_json::from_str::<Foresight>(json).unwrap(), foresight);
        }
    }

    #[test]
    fn the_largest_scores_stay_within_their_range() {
        let mut mates = game(&[(1, 32_000), (2, -32_000)]);
        look_ahead(&mut mates, Foresight::Same(0.7), 400.0);
        assert!(scores(&mates)[0] > 4_000);
    }
}
