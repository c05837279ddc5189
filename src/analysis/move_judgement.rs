//! The judgement of one move.

use super::engine_line::Evaluation;
use super::fact::Fact;
use crate::record::NodeId;
use crate::types::{Color, Move};

/// The quality of a move by its loss in win probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// 最善手: the engine's own choice.
    Best,
    /// A loss below 5 %: no mark.
    Good,
    /// 緩手: a loss of 5 % or more, or a missed mate in nine plies or fewer.
    Inaccuracy,
    /// 疑問手: a loss of 10 % or more.
    Mistake,
    /// 悪手: a loss of 20 % or more.
    Blunder,
}

impl Mark {
    /// The mark of a loss (0..=1) for a move that is not the engine's choice.
    pub fn of_loss(loss: f64) -> Self {
        match loss {
            loss if loss >= 0.20 => Self::Blunder,
            loss if loss >= 0.10 => Self::Mistake,
            loss if loss >= 0.05 => Self::Inaccuracy,
            _ => Self::Good,
        }
    }
}

/// The part of a game.
///
/// The opening ends with the first piece other than a pawn that is captured after ply 16, and at ply 60 at the latest;
/// the endgame begins when a side's pieces in the enemy camp and in both hands (without pawns) number eight or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// 序盤
    Opening,
    /// 中盤
    Middle,
    /// 終盤
    End,
}

/// A move and its judgement.
#[derive(Clone, Debug)]
pub struct MoveJudgement {
    /// The node in the record.
    pub node: NodeId,
    /// 1 for the first move.
    pub ply: usize,
    /// The move.
    pub mv: Move,
    /// The side that made it.
    pub color: Color,
    /// The evaluation before the move, with best play.
    pub before: Evaluation,
    /// The evaluation after it.
    pub after: Evaluation,
    /// The engine's line in place of the move.
    pub best: Vec<Move>,
    /// The engine's line after the move.
    pub reply: Vec<Move>,
    /// The mover's loss in win probability, 0..=1.
    pub loss: f64,
    /// The mark.
    pub mark: Mark,
    /// The part of the game.
    pub phase: Phase,
    /// What explains the mark.
    pub facts: Vec<Fact>,
}
