//! Futile interpositions (無駄合い, mudaai); `docs/futile-interpositions.md` has the definition and its sources.
//!
//! ```text
//!   K . . . R      the rook gives check; the defender drops P*c
//!     a b c d
//!   K . R . .      the rook captures it, and the pawn goes back to the defender's hand: the position
//!     a b c d      as it was, with the rook nearer. If that is a mate no longer than the mate by the
//!                  defences that count, the drop only put it off, and is futile.
//! ```

use std::collections::HashMap;

use super::df_pn::DfPnWorker;
use super::key::NodeKey;
use super::mate_len::MateLen;
use super::moves;
use super::proof_hand;
use crate::bitboard::between;
use crate::position::Position;
use crate::types::Move;

/// The captures of a dropped piece by the piece that gives check along the line, promotions first.
fn captures(pos: &Position, drop: Move) -> Vec<Move> {
    let defender = pos.side_to_move();
    let mut checkers = pos.checkers().iter();
    let (Some(king), Some(checker), None) = (pos.king(defender), checkers.next(), checkers.next()) else {
        return Vec::new();
    };
    if !drop.is_drop() || !between(king, checker).contains(drop.to()) {
        return Vec::new();
    }
    [true, false].map(|promote| Move::board(checker, drop.to(), promote)).to_vec()
}

/// The positions after a defender's drop was captured by the checker with check, the captured piece back in the
/// defender's hand: in them the drop must not have gained anything.
pub(super) fn after_capture(pos: &mut Position, drop: Move) -> Vec<Position> {
    let captures = captures(pos, drop);
    if captures.is_empty() {
        return Vec::new();
    }
    let attacker = !pos.side_to_move();
    let hand = pos.hand(attacker);
    let mut positions = Vec::new();
    pos.do_move(drop);
    for capture in captures {
        if pos.is_legal(capture) && pos.gives_check(capture) {
            pos.do_move(capture);
            positions.extend(proof_hand::with_hand(pos, attacker, hand));
            pos.undo_move();
        }
    }
    pos.undo_move();
    positions
}

/// Which drops are futile as far as the table knows, if the defences that count last for some plies.
pub(super) struct KnownFutility {
    plies: MateLen,
    /// Whether positions after captures are known mates. Many drops lead to one of them.
    mates: HashMap<NodeKey, bool>,
}

impl KnownFutility {
    /// For defences that last for `plies`.
    pub(super) fn new(plies: MateLen) -> Self {
        Self { plies, mates: HashMap::new() }
    }

    /// Whether a defender's drop is futile.
    pub(super) fn is_futile(&mut self, worker: &mut DfPnWorker, drop: Move) -> bool {
        after_capture(worker.position(), drop)
            .into_iter()
            .any(|position| worker.with_position(position, |worker| self.is_mate(worker)))
    }

    /// Whether the position, the defender being to move, is known to be a mate within the plies.
    fn is_mate(&mut self, worker: &mut DfPnWorker) -> bool {
        let key = worker.key();
        if let Some(&known) = self.mates.get(&key) {
            return known;
        }
        let moves = moves::defences(worker.position());
        let mate = moves.iter().all(|&mv| {
            let mated = self.plies.0 >= 2 && {
                worker.position().do_move(mv);
                let mated = worker.is_known_mate_within(self.plies.previous());
                worker.position().undo_move();
                mated
            };
            mated || self.is_futile(worker, mv)
        });
        self.mates.insert(key, mate);
        mate
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Color, Hand, PieceType};

    #[test]
    fn only_the_checker_on_the_line_captures() {
        let pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/4R4 w r2b4g4s4n4l18p 1").unwrap();
        let drop: Move = "P*5e".parse().unwrap();
        assert_eq!(captures(&pos, drop).len(), 2);
        let aside: Move = "P*4e".parse().unwrap();
        assert!(captures(&pos, aside).is_empty());
    }

    #[test]
    fn the_captured_piece_goes_back() {
        let mut pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/4R4 w Pr2b4g4s4n4l17p 1").unwrap();
        let sfen = pos.to_sfen();
        let positions = after_capture(&mut pos, "P*5c".parse().unwrap());
        assert_eq!(pos.to_sfen(), sfen);
        // With promotion and without.
        assert_eq!(positions.len(), 2);
        for after in positions {
            assert_eq!(after.hand(Color::Black), Hand::EMPTY.with(PieceType::Pawn, 1));
            assert_eq!(after.hand(Color::White), pos.hand(Color::White));
            assert!(after.in_check() && after.side_to_move() == Color::White);
        }
    }
}
