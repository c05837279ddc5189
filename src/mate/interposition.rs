//! Futile interpositions (無駄合い).
//!
//! A piece dropped between a sliding checker and the king is futile if the checker captures it and the mate that
//! follows is no longer than the mate without the drop and does not need the captured piece. Such moves do not count in
//! composed problems; a check that can be answered only by futile interpositions is mate.

use super::df_pn::DfPnWorker;
use super::mate_len::MateLen;
use crate::bitboard::between;
use crate::position::Position;
use crate::types::{Hand, Move};

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

/// The mate that a futile drop does not prolong.
#[derive(Clone, Copy)]
pub(super) struct KnownMate {
    /// Length of the longest other defence, including the move from the worker's position.
    pub(super) plies: MateLen,
    /// The attacker's hand.
    pub(super) held: Hand,
    /// Search what the table does not know.
    pub(super) certain: bool,
}

/// Whether a defender's drop on the worker's position is futile.
pub(super) fn is_futile(worker: &mut DfPnWorker, drop: Move, mate: KnownMate) -> bool {
    captures(worker.position(), drop).into_iter().any(|capture| {
        worker.position().do_move(drop);
        let takes = worker.position().is_legal(capture) && worker.position().gives_check(capture);
        if !takes {
            worker.position().undo_move();
            return false;
        }
        worker.position().do_move(capture);
        let futile = holds(worker, mate);
        worker.position().undo_move();
        worker.position().undo_move();
        futile
    })
}

/// Whether the position after the capture is the same mate without the captured piece.
fn holds(worker: &mut DfPnWorker, mate: KnownMate) -> bool {
    let moves = super::moves::defences(worker.position());
    moves.iter().all(|&mv| {
        let mated = mate.plies.0 >= 2 && {
            worker.position().do_move(mv);
            let mated = worker.mates_with(mate.held, mate.plies.previous(), mate.certain);
            worker.position().undo_move();
            mated
        };
        mated || is_futile(worker, mv, mate)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_checker_on_the_line_takes() {
        let pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/4R4 w r2b4g4s4n4l18p 1").unwrap();
        let drop: Move = "P*5e".parse().unwrap();
        assert_eq!(captures(&pos, drop).len(), 2);
        let aside: Move = "P*4e".parse().unwrap();
        assert!(captures(&pos, aside).is_empty());
    }
}
