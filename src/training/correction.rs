//! What deep searches know of the worth of pieces that a static value does not.
//!
//! A network learns from shallow searches that pieces in hand are worth little, for shallow searches do not find what
//! to drop them for; each generation repeats that of the one before. Labels of deep searches contradict it, but each
//! label says a little in much noise. A few numbers, one for each kind of piece on the board and in hand, are found
//! from some ten thousand labels almost without noise. Added to static values they are lessons that shift a network and
//! leave nearly all else in it as it is.

use std::fmt;

use super::fit::loss::{CUSTOMARY_SCALE, expectation};
use super::least_squares::Sums;
use super::placement::Placement;
use crate::types::{Color, PieceType};

/// Worths: of the kinds on the board by [`PieceType::index`], of those in hand from [`HAND`] on, and of the turn.
const COUNT: usize = HAND + PieceType::TABLE / 2;
/// Where the worths of pieces in hand begin.
const HAND: usize = PieceType::TABLE;
/// Where the worth of the turn stands: index 0 belongs to no kind.
const TURN: usize = 0;

/// The spread of worths in centipawns that is thought likely before any label is seen.
const LIKELY: f64 = 100.0;
/// The spread of labels around the truth, as an expected result.
const NOISE: f64 = 0.06;

/// What is to be added to a static value for each piece more than the opponent has, in centipawns.
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    worths: [f32; COUNT],
}

impl Correction {
    /// The correction that brings static values, in centipawns for the side to move, near to the expected results
    /// (0..=1) that labels give: by least squares to first order, with worths around 0 thought likely.
    ///
    /// # Panics
    /// Where there are not as many values and expectations as positions.
    pub fn fit(positions: &[Placement], values: &[i32], expectations: &[f32]) -> Self {
        assert_eq!(positions.len(), values.len(), "a value a position");
        assert_eq!(positions.len(), expectations.len(), "a label a position");
        let mut sums = Sums::new(COUNT);
        for ((position, &value), &label) in positions.iter().zip(values).zip(expectations) {
            let expected = f64::from(expectation(value as f32, CUSTOMARY_SCALE));
            // What a centipawn more would change of the expected result.
            let slope = expected * (1.0 - expected) / f64::from(CUSTOMARY_SCALE);
            let pieces = surplus(position).map(|count| f64::from(count) * slope);
            sums.add(&pieces, f64::from(label) - expected);
        }
        for worth in 0..COUNT {
            sums.hold(worth, (NOISE / LIKELY).powi(2));
        }
        let mut worths = [0.0; COUNT];
        for (worth, found) in worths.iter_mut().zip(sums.solve()) {
            *worth = found as f32;
        }
        Self { worths }
    }

    /// What pieces are worth beyond the static value of a position, for its side to move. The turn is not counted: it
    /// is found with the pieces so that they need not stand for it.
    pub fn of(&self, position: &Placement) -> f32 {
        let mut counts = surplus(position);
        counts[TURN] = 0.0;
        self.worths.iter().zip(counts).map(|(worth, count)| worth * count).sum()
    }

    /// What a piece on the board is worth more than the static value says.
    pub fn on_board(&self, kind: PieceType) -> f32 {
        self.worths[kind.index()]
    }

    /// What a piece in hand is worth more than the static value says; of the kinds in [`PieceType::HAND`].
    pub fn in_hand(&self, kind: PieceType) -> f32 {
        self.worths[HAND + kind.index()]
    }

    /// What the turn is worth more than the static value says.
    pub fn turn(&self) -> f32 {
        self.worths[TURN]
    }
}

/// Every worth, in the order of the kinds, first of those on the board: enough to tell corrections apart.
impl fmt::Display for Correction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "board")?;
        for kind in PieceType::ALL {
            write!(f, " {:+}", self.on_board(kind))?;
        }
        write!(f, ", hand")?;
        for kind in PieceType::HAND {
            write!(f, " {:+}", self.in_hand(kind))?;
        }
        Ok(())
    }
}

/// How many pieces more than its opponent the side to move has, of every kind on the board and in hand.
fn surplus(position: &Placement) -> [f32; COUNT] {
    let mut counts = [0.0; COUNT];
    counts[TURN] = 1.0;
    for (_, piece) in position.pieces() {
        counts[piece.piece_type().index()] += if piece.color() == position.side { 1.0 } else { -1.0 };
    }
    for (color, sign) in [(position.side, 1.0), (!position.side, -1.0)] {
        for (kind, count) in position.hands[Color::index(color)].iter() {
            counts[HAND + kind.index()] += sign * count as f32;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn worths_that_labels_were_made_with_are_found_again() {
        let mut random = crate::platform::random::Random::new(5);
        let (mut positions, mut values, mut labels) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..3000 {
            let mut position = Position::startpos();
            for _ in 0..60 {
                let moves = position.legal_moves().to_vec();
                if moves.is_empty() {
                    break;
                }
                position.do_move(moves[random.below(moves.len())]);
            }
            let us = position.side_to_move();
            let more = |kind| {
                let [own, enemy] = [us, !us].map(|color| position.hand(color).count(kind) as f32);
                own - enemy
            };
            let value = random.below(800) as i32 - 400;
            let beyond = 12.0 + 40.0 * more(PieceType::Silver) - 25.0 * more(PieceType::Pawn);
            positions.push(Placement::from(&position));
            values.push(value);
            labels.push(expectation(value as f32 + beyond, CUSTOMARY_SCALE));
        }
        let found = Correction::fit(&positions, &values, &labels);
        for (worth, expected) in [
            (found.in_hand(PieceType::Silver), 40.0),
            (found.in_hand(PieceType::Pawn), -25.0),
            (found.turn(), 12.0),
            (found.on_board(PieceType::Gold), 0.0),
        ] {
            assert!((worth - expected).abs() < 3.0, "{worth} for {expected}");
        }
        let last = positions.last().expect("positions");
        let hand = |kind| {
            let [own, enemy] = [last.side, !last.side].map(|color| last.hands[color.index()]);
            own.count(kind) as f32 - enemy.count(kind) as f32
        };
        let beyond = 40.0 * hand(PieceType::Silver) - 25.0 * hand(PieceType::Pawn);
        assert!((found.of(last) - beyond).abs() < 10.0);
    }

    #[test]
    fn without_labels_nothing_is_corrected() {
        let none = Correction::fit(&[], &[], &[]);
        assert_eq!(none.of(&Placement::from(&Position::startpos())), 0.0);
    }
}
