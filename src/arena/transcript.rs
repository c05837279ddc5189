//! A played game, as it goes into the file of games.

use super::game::Ply;
use super::openings::Opening;

/// What is recorded of a game.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The opening.
    pub opening: Opening,
    /// The moves after it. The tokens of solo games are only in the text.
    pub plies: Vec<Ply>,
    /// The whole game as sent to the engines, if it is more than the opening and the moves.
    pub text: Option<String>,
}
