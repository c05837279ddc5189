//! One game of self-play.

use super::opening::{self, StartKind};
use super::player::Player;
use crate::platform::random::Random;
use crate::position::{EnteringKingRule, Position, Repetition};
use crate::training::data::game::{Ending, Game};
use crate::training::data::manifest::GenerateSettings;
use crate::types::Color;

/// Plies in a row with a decisive score after which a game is adjudicated.
const DECIDED_PLIES: i32 = 6;
/// A score within this counts as even, in centipawns.
const EVEN_SCORE: i32 = 10;
/// Plies in a row with an even score after which a game is adjudicated a draw, and the plies it must have had.
const EVEN_PLIES: (u32, usize) = (12, 80);
/// So often another start is drawn whose first search finds it too lopsided.
const REFUSALS: usize = 20;

/// Plays one game. It depends on nothing but the settings and its number.
pub fn play(number: u64, settings: &GenerateSettings, earlier: &[Game], player: &mut dyn Player) -> Game {
    let mut random = Random::for_item(settings.seed, number);
    let to_the_end = random.chance(settings.to_the_end);
    // The kind stays when a start is refused, so that the shares are kept.
    let kind = StartKind::draw(&mut random, &settings.shares, earlier);
    for attempt in 0.. {
        let opening = opening::draw(&mut random, kind, earlier, player);
        player.new_game();
        let mut position = opening.position;
        let mut game = Game {
            start: opening.start,
            given: opening.given.len(),
            moves: opening.given,
            scores: Vec::new(),
            winner: None,
            ending: Ending::Length,
        };
        let mut adjudication = Adjudication::default();
        loop {
            let side = position.side_to_move();
            if let Some((winner, ending)) = ending(&position, game.moves.len(), settings) {
                (game.winner, game.ending) = (winner, ending);
                break;
            }
            let Some((played, score)) = player.think(&position) else {
                (game.winner, game.ending) = (Some(!side), Ending::Mate);
                break;
            };
            if game.scores.is_empty() && score.0.abs() > opening.score_limit && attempt < REFUSALS {
                break;
            }
            let score = score.0.clamp(-i32::from(i16::MAX), i32::from(i16::MAX));
            game.moves.push(played);
            game.scores.push(score as i16);
            position.do_move(played);
            adjudication.add(if side == Color::Black { score } else { -score }, settings.decided);
            if !to_the_end && let Some((winner, ending)) = adjudication.verdict(game.moves.len()) {
                (game.winner, game.ending) = (winner, ending);
                break;
            }
        }
        if !game.scores.is_empty() {
            return game;
        }
    }
    unreachable!("the loop only ends with a game")
}

/// Ends games early whose result the scores agree on.
#[derive(Default)]
struct Adjudication {
    /// Plies in a row that one side was far ahead; positive for Black.
    ahead: i32,
    /// Plies in a row that neither side was ahead.
    even: u32,
}

impl Adjudication {
    /// Takes the next score, from Black's view.
    fn add(&mut self, score: i32, decided: i32) {
        self.ahead = match score.abs() >= decided {
            true if self.ahead.signum() == score.signum() => self.ahead + self.ahead.signum(),
            true => score.signum(),
            false => 0,
        };
        self.even = if score.abs() <= EVEN_SCORE { self.even + 1 } else { 0 };
    }

    fn verdict(&self, plies: usize) -> Option<(Option<Color>, Ending)> {
        if self.ahead.abs() >= DECIDED_PLIES {
            let winner = if self.ahead > 0 { Color::Black } else { Color::White };
            return Some((Some(winner), Ending::Score));
        }
        let (in_a_row, longer_than) = EVEN_PLIES;
        (self.even >= in_a_row && plies > longer_than).then_some((None, Ending::Even))
    }
}

/// Whether the rules have ended the game before the next move, and who won.
fn ending(position: &Position, plies: usize, settings: &GenerateSettings) -> Option<(Option<Color>, Ending)> {
    let side = position.side_to_move();
    if position.declaration(EnteringKingRule::CSARule27).is_some() {
        return Some((Some(side), Ending::Declaration));
    }
    match position.repetition() {
        Some(Repetition::Win) => return Some((Some(side), Ending::Repetition)),
        Some(Repetition::Loss) => return Some((Some(!side), Ending::Repetition)),
        Some(_) => return Some((None, Ending::Repetition)),
        None => {}
    }
    (plies >= settings.longest).then_some((None, Ending::Length))
}
