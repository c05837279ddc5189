//! A self-play game: what generation makes, shards store and training reads.

use crate::types::{Color, Move};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Ending {
    /// The side to move had no legal move.
    Mate = 0,
    /// The score stayed decisive, so the game was adjudicated.
    Score = 1,
    /// The score stayed even for long, so the game was adjudicated a draw.
    Even = 2,
    /// The same position for the fourth time: a draw, or the loss of the side that kept giving check.
    Repetition = 3,
    /// The side to move declared its win with an entered king.
    Declaration = 4,
    /// The longest game allowed: a draw.
    Length = 5,
    /// The side to move had a proven mate. Games are no longer ended so, but older shards contain such games.
    Proven = 6,
}

impl Ending {
    /// All endings, by their number.
    pub const ALL: [Self; 7] =
        [Self::Mate, Self::Score, Self::Even, Self::Repetition, Self::Declaration, Self::Length, Self::Proven];

    /// The name, for tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Score => "adjudicated by score",
            Self::Even => "adjudicated a draw",
            Self::Repetition => "repetition",
            Self::Declaration => "declaration",
            Self::Length => "length limit",
            Self::Proven => "mate proven",
        }
    }
}

/// A game with a score for every move that a search chose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The position before the first move, as SFEN; empty for the initial position.
    pub start: String,
    /// How many of the first moves were given by the start (random, sound or from another game), not chosen by a search.
    pub given: usize,
    /// All moves.
    pub moves: Vec<Move>,
    /// The search's score of the chosen moves, in their order: centipawns, from the mover's view.
    pub scores: Vec<i16>,
    /// Who won.
    pub winner: Option<Color>,
    /// How it ended.
    pub ending: Ending,
}

impl Game {
    /// The result for a side: 1, 0 or -1.
    pub fn result_for(&self, color: Color) -> i8 {
        match self.winner {
            None => 0,
            Some(winner) if winner == color => 1,
            Some(_) => -1,
        }
    }

    /// The number of moves that a search chose, which is that of positions with a score.
    pub fn labelled(&self) -> usize {
        self.scores.len()
    }
}
