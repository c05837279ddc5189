//! One line of an engine's analysis.

use crate::client::ScoreText;
use crate::types::{Color, Move};

/// The evaluation of a position, always from Black's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// Centipawns, positive where Black is better.
    Cp(i32),
    /// A forced win.
    Mate {
        /// Who wins.
        winner: Color,
        /// The number of plies, where known.
        plies: Option<u32>,
    },
}

impl Evaluation {
    /// The evaluation of an engine's score with `turn` to move.
    pub fn of_score(score: ScoreText, turn: Color) -> Self {
        match score {
            ScoreText::Cp(cp) if turn == Color::Black => Self::Cp(cp),
            ScoreText::Cp(cp) => Self::Cp(cp.saturating_neg()),
            ScoreText::Mate(plies) => Self::Mate { winner: turn, plies },
            ScoreText::Mated(plies) => Self::Mate { winner: !turn, plies },
        }
    }

    /// One number from Black's view, as comments have it: centipawns, and mates as [`ScoreText::number`] writes them.
    pub fn number(self) -> i32 {
        let for_black = match self {
            Self::Cp(cp) => ScoreText::Cp(cp),
            Self::Mate { winner: Color::Black, plies } => ScoreText::Mate(plies),
            Self::Mate { winner: Color::White, plies } => ScoreText::Mated(plies),
        };
        for_black.number()
    }

    /// The evaluation that a number in a comment stands for, see [`ScoreText::of_number`].
    pub fn of_number(number: i32) -> Self {
        Self::of_score(ScoreText::of_number(number), Color::Black)
    }

    /// The winner and the length of a forced win.
    pub fn mate(self) -> Option<(Color, Option<u32>)> {
        match self {
            Self::Mate { winner, plies } => Some((winner, plies)),
            Self::Cp(_) => None,
        }
    }
}

/// One line of an engine's analysis of a position: the best line, or a further one (MultiPV).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineLine {
    /// The evaluation, from Black's view.
    pub evaluation: Option<Evaluation>,
    /// The principal variation.
    pub pv: Vec<Move>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// The engine's name.
    pub engine: Option<String>,
    /// The search budget, as this program's comments state it; `None` in comments of other programs.
    pub budget: Option<String>,
    /// `true` for a player's own search during the game (`*`), `false` for analysis (`#`).
    pub by_player: bool,
}
