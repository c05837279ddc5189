//! Ends games early when both engines agree on the outcome.

use serde::{Deserialize, Serialize};

use crate::client::ScoreText;
use crate::types::Color;

use super::result::{Ending, Reason};

/// When games are ended early; everything is off by default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Adjudication {
    /// A side wins when both engines score it at least this many centipawns ahead ...
    pub win_score: Option<i32>,
    /// ... for this many consecutive moves each (3 by default).
    pub win_moves: Option<u32>,
    /// The game is drawn when both engines score it within this many centipawns ...
    pub draw_score: Option<i32>,
    /// ... for this many consecutive moves each (8 by default) ...
    pub draw_moves: Option<u32>,
    /// ... and at least this many moves have been played (0 by default).
    pub draw_after: Option<u32>,
    /// A side wins when it announces a mate and the other side announces being mated.
    pub mate: bool,
    /// A side that could declare an entering-king win wins, whether it declares or not.
    pub declaration: bool,
}

/// Tracks the scores of one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    settings: Adjudication,
    /// Consecutive moves of both sides scored as winning for Black (positive) or White (negative).
    ahead: i64,
    /// Consecutive moves with an even score.
    even: u32,
    last: [Option<ScoreText>; 2],
}

impl Adjudicator {
    /// For a new game.
    pub fn new(settings: &Adjudication) -> Self {
        Self { settings: settings.clone(), ahead: 0, even: 0, last: [None; 2] }
    }

    /// Takes the score, from its own view, with which `mover` made the game's `ply`-th move.
    pub fn watch(&mut self, mover: Color, score: Option<ScoreText>, ply: u32) -> Option<Ending> {
        self.last[mover.index()] = score;
        let Some(score) = score else {
            // A move without a score breaks the run.
            (self.ahead, self.even) = (0, 0);
            return None;
        };
        let value = score.value().0;
        if let Some(limit) = self.settings.win_score {
            let for_black = if mover == Color::Black { value } else { -value };
            self.ahead = match for_black {
                v if v >= limit => self.ahead.max(0) + 1,
                v if v <= -limit => self.ahead.min(0) - 1,
                _ => 0,
            };
            if self.ahead.unsigned_abs() >= 2 * u64::from(self.settings.win_moves.unwrap_or(3)) {
                let side = if self.ahead > 0 { Color::Black } else { Color::White };
                return Some(Ending::win(side, Reason::AdjudicatedScore));
            }
        }
        if let Some(limit) = self.settings.draw_score {
            self.even = if value.abs() <= limit { self.even + 1 } else { 0 };
            if self.even >= 2 * self.settings.draw_moves.unwrap_or(8) && ply >= self.settings.draw_after.unwrap_or(0) {
                return Some(Ending::draw(Reason::AdjudicatedDraw));
            }
        }
        if self.settings.mate {
            use ScoreText::{Mate, Mated};
            return match (score, self.last[mover.flip().index()]) {
                (Mate(_), Some(Mated(_))) => Some(Ending::win(mover, Reason::AdjudicatedMate)),
                (Mated(_), Some(Mate(_))) => Some(Ending::win(mover.flip(), Reason::AdjudicatedMate)),
                _ => None,
            };
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ScoreText::{Cp, Mate, Mated};

    fn run(settings: Adjudication, scores: &[ScoreText]) -> Option<(usize, Ending)> {
        let mut adjudicator = Adjudicator::new(&settings);
        scores.iter().enumerate().find_map(|(ply, &score)| {
            let mover = Color::ALL[ply % 2];
            Some((ply, adjudicator.watch(mover, Some(score), ply as u32 + 1)?))
        })
    }

    #[test]
    fn a_win_needs_both_engines() {
        let settings = Adjudication { win_score: Some(1000), win_moves: Some(2), ..Adjudication::default() };
        let end = run(settings.clone(), &[Cp(1500), Cp(-1200), Cp(1600), Cp(-1300)]);
        assert_eq!(end, Some((3, Ending::win(Color::Black, Reason::AdjudicatedScore))));
        let end = run(settings.clone(), &[Cp(1500), Cp(-1200), Cp(1600), Cp(-200), Cp(2000)]);
        assert_eq!(end, None);
        let end = run(settings, &[Cp(0), Cp(5000), Mated(Some(3)), Cp(1000), Cp(-1000)]);
        assert_eq!(end, Some((4, Ending::win(Color::White, Reason::AdjudicatedScore))));
    }

    #[test]
    fn draws_and_mates() {
        let settings = Adjudication {
            draw_score: Some(10),
            draw_moves: Some(1),
            draw_after: Some(4),
            mate: true,
            ..Adjudication::default()
        };
        let end = run(settings.clone(), &[Cp(3), Cp(-5), Cp(10), Cp(0)]);
        assert_eq!(end, Some((3, Ending::draw(Reason::AdjudicatedDraw))));
        let end = run(settings.clone(), &[Mate(Some(5)), Mated(Some(4))]);
        assert_eq!(end, Some((1, Ending::win(Color::Black, Reason::AdjudicatedMate))));
        let end = run(settings, &[Mate(Some(5)), Mate(None), Mated(None)]);
        assert_eq!(end, Some((2, Ending::win(Color::White, Reason::AdjudicatedMate))));
        assert_eq!(run(Adjudication::default(), &[Mate(None), Mated(None)]), None);
    }
}
