//! Futile interpositions (無駄合い).
//!
//! A piece dropped between a long-range checker and the king is futile if the checker simply takes it and what follows
//! is no longer than without it, and does without the piece that was gained. Problem solvers do not count such moves;
//! a check to which only futile interpositions are left is mate.

use super::df_pn::Worker;
use super::number::MateLen;
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

/// What a drop must fail to do to be futile.
#[derive(Clone, Copy)]
pub(super) struct Mate {
    /// How long the other defences last, the move from the worker's position included.
    pub(super) plies: MateLen,
    /// What the attacker holds.
    pub(super) held: Hand,
    /// Known for certain, not only as far as the table knows.
    pub(super) certain: bool,
}

/// Whether a defender's drop on the worker's position is futile.
pub(super) fn is_futile(worker: &mut Worker, drop: Move, mate: Mate) -> bool {
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

/// Whether the defender's position after the capture is the same mate without the piece that was gained.
fn holds(worker: &mut Worker, mate: Mate) -> bool {
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
