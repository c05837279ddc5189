//! The interface of a referee.

use crate::types::Color;

use super::super::result::Ending;

/// Follows one game: keeps its text and decides when it is over.
pub trait Referee {
    /// The side to move.
    fn mover(&self) -> Color;

    /// The arguments of `position`: the start and every move since.
    fn text(&self) -> &str;

    /// The number of moves, those of the opening included.
    fn plies(&self) -> u32;

    /// Whether the game is over before the next move, by the position alone.
    fn before_move(&self) -> Option<Ending>;

    /// What is wrong with a line that the mover shows from here; `None` if it is legal or the rules are unknown.
    fn line_fault(&self, line: &[String]) -> Option<String>;

    /// Judges the mover's answer: makes the move, or ends the game.
    fn answer(&mut self, best: &str) -> Option<Ending>;
}
