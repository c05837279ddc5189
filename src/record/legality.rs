//! What a referee would say to the moves of a record.

use super::{Action, NodeId, Record};
use crate::position::Position;

/// A move against the rules, or a start that cannot be played from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foul {
    /// The node of the move; [`NodeId::ROOT`] for the start.
    pub node: NodeId,
    /// One sentence.
    pub reason: String,
}

impl Record {
    /// The starting position under the rules of the game.
    ///
    /// # Errors
    /// One sentence where no game can stand so.
    pub fn start_position(&self) -> Result<Position, String> {
        Position::from_sfen(&self.start.to_sfen()).map_err(|error| error.to_string())
    }

    /// The first move of every line that breaks the rules; what follows such a move is not judged.
    pub fn fouls(&self) -> Vec<Foul> {
        let mut fouls = Vec::new();
        let mut position = match self.start_position() {
            Ok(position) => position,
            Err(reason) => {
                fouls.push(Foul { node: NodeId::ROOT, reason });
                return fouls;
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
                    fouls.push(Foul { node: id, reason: reason.to_string() });
                    continue;
                }
                position.do_move(*mv);
                steps.push(Step::Leave);
            }
            let children = self.node(id).children();
            steps.extend(children.iter().rev().map(|&child| Step::Enter(child)));
        }
        fouls
    }
}
