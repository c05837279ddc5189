//! A played game, as it is written down.

use super::game::Ply;
use super::openings::Opening;

/// All that is to be written of a game.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The opening.
    pub opening: Opening,
    /// The moves after it. Of solo games, tokens stand in the text only.
    pub plies: Vec<Ply>,
    /// The whole game as the engines were told it, where it is more than the opening and the moves.
    pub text: Option<String>,
}
