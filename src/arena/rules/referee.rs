//! What a match asks of whoever judges its games.

use crate::types::Color;

use super::super::result::Ending;

/// Follows one game: keeps its text, and says when it is over.
pub trait Referee {
    /// Whose turn it is.
    fn mover(&self) -> Color;

    /// What follows `position`: the start and every move since, always.
    fn text(&self) -> &str;

    /// How many moves the game has, those of its opening included.
    fn plies(&self) -> u32;

    /// Whether the game is over before the next move, by the position alone.
    fn before_move(&self) -> Option<Ending>;

    /// What is wrong with a line of play that the mover shows from here on; `None` where nothing is, or nobody can
    /// tell.
    fn line_fault(&self, line: &[String]) -> Option<String>;

    /// Judges what the mover answered: a move is made, a word ends the game.
    fn answer(&mut self, best: &str) -> Option<Ending>;
}
