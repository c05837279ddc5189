//! Rules that end a game inside the tree: repetition, the move limit, and what a draw is worth.

use crate::position::{EnteringKingRule, Position, Repetition};
use crate::types::{Color, Score};

/// The rules of the game beyond the moves, and what a draw is worth.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The rule for declaring a win by entering king (nyugyoku).
    pub entering_king: EnteringKingRule,
    /// The game is a draw after this many plies; 0 for no limit.
    pub max_moves: u32,
    /// Value of a draw for Black and for White; one is the negative of the other.
    pub draw: [Score; 2],
    /// Also search pointless non-promotions.
    pub all_moves: bool,
}

impl Rules {
    /// The rules with a draw worth `value` to `us`, the engine's colour.
    pub fn new(entering_king: EnteringKingRule, max_moves: u32, us: Color, value: Score) -> Self {
        let mut draw = [-value; 2];
        draw[us.index()] = value;
        Self { entering_king, max_moves, draw, all_moves: false }
    }

    /// Whether a mate by the next move wins. At the move limit it is a draw, as Floodgate and Denryu-sen rule.
    #[inline]
    pub fn mate_counts(&self, position: &Position) -> bool {
        self.max_moves == 0 || position.move_number() < self.max_moves
    }

    /// The score, for the side to move at `ply` plies from the root, of a position that the rules have decided or that
    /// repeats an earlier one.
    #[inline]
    pub fn decided(&self, position: &Position, ply: usize) -> Option<Score> {
        if let Some(kind) = position.repetition_in_search(ply) {
            return Some(match kind {
                Repetition::Draw => self.draw[position.side_to_move().index()],
                Repetition::Win => Score::mate_in(ply),
                Repetition::Loss => Score::mated_in(ply),
                Repetition::Superior => Score::MAX_EVAL,
                Repetition::Inferior => -Score::MAX_EVAL,
            });
        }
        (self.max_moves != 0 && position.move_number() > self.max_moves)
            .then(|| self.draw[position.side_to_move().index()])
    }
}
