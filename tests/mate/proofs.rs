//! Proofs are walked, main lines replayed.

use std::collections::HashSet;

use hagane::mate::Solver;
use hagane::position::Position;

use crate::referee::Referee;

/// Positions of a proof to walk at most.
pub const WALK: usize = 1_000_000;

/// Walks a proof: at the attacker's nodes the move that the table knows, at the defender's every legal move. Returns
/// the number of positions walked.
pub fn walk(solver: &Solver, position: &mut Position, plies: u16, seen: &mut HashSet<(String, u16)>) -> usize {
    if seen.len() >= WALK || !seen.insert((Referee::name(position), plies)) {
        return 0;
    }
    let (mv, left) = solver.reply(position, plies).unwrap_or_else(|| panic!("no proof of {}", position.to_sfen()));
    assert!(left < plies, "{left} plies are left of {plies}");
    assert!(position.is_legal(mv), "{mv} in {}", position.to_sfen());
    position.do_move(mv);
    assert!(position.in_check(), "{mv} is no check in {}", position.to_sfen());
    let mut walked = 1;
    let answers = position.legal_moves();
    assert!(answers.is_empty() || left >= 2);
    for &answer in answers.iter() {
        position.do_move(answer);
        walked += walk(solver, position, left - 1, seen);
        position.undo_move();
    }
    position.undo_move();
    walked
}

/// Replays a line: legal, checks only, mate at the end.
pub fn replay(position: &Position, line: &[hagane::types::Move]) {
    let mut position = position.clone();
    let attacker = position.side_to_move();
    for &mv in line {
        assert!(position.is_legal(mv), "{mv} in {}", position.to_sfen());
        let attacks = position.side_to_move() == attacker;
        position.do_move(mv);
        assert!(!attacks || position.in_check());
    }
    assert!(position.in_check() && position.legal_moves().is_empty(), "no mate: {}", position.to_sfen());
}
