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

    /// Centipawns from Black's view, mates as ±(30000 - plies): the convention of Floodgate's comments.
    pub fn centipawns(self) -> i32 {
        match self {
            Self::Cp(cp) => cp.clamp(-29_000, 29_000),
            Self::Mate { winner, plies } => {
                let value = 30_000 - plies.unwrap_or(0).min(900) as i32;
                if winner == Color::Black { value } else { -value }
            }
        }
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
