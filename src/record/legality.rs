//! Checks a record against the rules.

use super::{Action, NodeId, Record};
use crate::position::Position;

/// A move that breaks the rules, or an invalid starting position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleViolation {
    /// The node of the move; [`NodeId::ROOT`] for the start.
    pub node: NodeId,
    /// One sentence.
    pub reason: String,
}

impl Record {
    /// The starting position under the rules of the game.
    ///
    /// # Errors
    /// One sentence on why the position is invalid.
    pub fn start_position(&self) -> Result<Position, String> {
        Position::from_sfen(&self.start.to_sfen()).map_err(|error| error.to_string())
    }

    /// The first illegal move of every line; moves after it are not checked.
    pub fn illegal_moves(&self) -> Vec<RuleViolation> {
        let mut found = Vec::new();
        let mut position = match self.start_position() {
            Ok(position) => position,
            Err(reason) => {
                found.push(RuleViolation { node: NodeId::ROOT, reason });
                return found;
            }
        };
        enum Step {
            Enter(NodeId),
            Leave,
        }
        let mut steps = vec![Step::Enter(NodeId::ROOT)];
        while let Some(step) = steps.pop() {
            let Step::Enter(id) = step else {
                position.undo_move();
                continue;
            };
            if let Action::Move(mv) = self.node(id).action() {
                if let Err(reason) = position.check_move(*mv) {
                    found.push(RuleViolation { node: id, reason: reason.to_string() });
                    continue;
                }
                position.do_move(*mv);
                steps.push(Step::Leave);
            }
            let children = self.node(id).children();
            steps.extend(children.iter().rev().map(|&child| Step::Enter(child)));
        }
        found
    }
}
