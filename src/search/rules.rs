//! Rules that end a game inside the tree: repetition, the move limit, the declaration of a win.

use crate::position::{EnteringKingRule, Position, Repetition};
use crate::types::{Color, Score};

/// The rules of the game beyond the moves, and what a draw is worth.
#[derive(Clone, Debug)]
pub struct Rules {
    /// How a win by entering king is declared.
    pub entering_king: EnteringKingRule,
    /// The game is a draw after this many plies; 0 for no limit.
    pub max_moves: u32,
    /// Worth of a draw to Black and to White, as seen by either: one is what the engine was told for its colour, the
    /// other the negative of it.
    pub draw: [Score; 2],
    /// Search pointless non-promotions too.
    pub all_moves: bool,
}

impl Rules {
    /// The rules with a draw worth `value` to `us`, the colour that the engine plays.
    pub fn new(entering_king: EnteringKingRule, max_moves: u32, us: Color, value: Score) -> Self {
        let mut draw = [-value; 2];
        draw[us.index()] = value;
        Self { entering_king, max_moves, draw, all_moves: false }
    }

    /// Whether a mate by the next move wins. At the move limit it is a draw like everything else there: so Floodgate
    /// and Denryu-sen have it.
    #[inline]
    pub fn mate_counts(&self, position: &Position) -> bool {
        self.max_moves == 0 || position.move_number() < self.max_moves
    }

    /// The score of a position that the rules have decided, or whose repetition is as good as decided, for its side to
    /// move at `ply` plies from the root.
    #[inline]
    pub fn decided(&self, position: &Position, ply: usize) -> Option<Score> {
        if let Some((kind, _)) = position.repetition_in_search() {
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
