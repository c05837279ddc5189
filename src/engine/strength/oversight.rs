//! Moves that a level does not see, of the kinds that people overlook: quiet moves far from where the last move was
//! played, captures by pieces from afar, drops; rarely a capture of the piece that has just moved.

use crate::platform::random::mix;
use crate::position::Position;
use crate::types::{Move, PieceType, Square};

/// Whether a move is overlooked in a position. The answer is the same all game long, but what is overlooked is seen
/// once it is on the board.
pub(super) fn overlooks(probability: f64, position: &Position, mv: Move, seed: u64) -> bool {
    if probability == 0.0 {
        return false;
    }
    let bits = mix(position.key() ^ seed.rotate_left(17) ^ u64::from(mv.bits()) << 20);
    let dice = (bits >> 11) as f64 / (1u64 << 53) as f64;
    dice < probability * obscurity(position, mv)
}

/// How easily a move is overlooked: 1 for a quiet move far away.
fn obscurity(position: &Position, mv: Move) -> f64 {
    let last = position.last_move().map(Move::to);
    // Everybody looks at what can take the piece that has just moved.
    if last == Some(mv.to()) {
        return 0.1;
    }
    let from_afar = mv.from().is_some_and(|from| distance(from, mv.to()) > 2);
    let knight = position.moved_piece(mv).is_some_and(|piece| piece.piece_type() == PieceType::Knight);
    let near = last.is_some_and(|last| distance(last, mv.to()) <= 2);
    let plain = if position.is_capture(mv) { 0.5 } else { 1.0 };
    let hidden = if from_afar || knight { 1.6 } else { 1.0 };
    plain * hidden * if near { 0.6 } else { 1.0 }
}

fn distance(one: Square, other: Square) -> u8 {
    one.file().abs_diff(other.file()).max(one.rank().abs_diff(other.rank()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recaptures_are_seen_and_quiet_moves_overlooked() {
        let mut position = Position::startpos();
        for mv in ["7g7f", "3c3d", "8h2b+"] {
            position.do_move(mv.parse().unwrap());
        }
        let overlooked =
            |mv: &str| (0..2000).filter(|&seed| overlooks(0.5, &position, mv.parse().unwrap(), seed)).count();
        assert!(overlooked("3a2b") < 200, "{}", overlooked("3a2b"));
        assert!((800..1200).contains(&overlooked("9c9d")), "{}", overlooked("9c9d"));
        assert_eq!((0..100).filter(|&seed| overlooks(0.0, &position, "9c9d".parse().unwrap(), seed)).count(), 0);
    }
}
