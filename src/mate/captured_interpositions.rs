//! Interpositions between a distant checker and the king, and their capture with check.

use super::settings::FutileInterpositions;
use super::{one_ply, proof_hand};
use crate::bitboard::{Bitboard, attacks, between};
use crate::position::{Generate, MoveList, Position};
use crate::types::{Move, Square};

/// The only checker, and the squares between it and the king of the side to move; `None` if nothing can be interposed.
fn open_line(pos: &Position) -> Option<(Square, Bitboard)> {
    let mut checkers = pos.checkers().iter();
    let (king, checker, None) = (pos.king(pos.side_to_move())?, checkers.next()?, checkers.next()) else {
        return None;
    };
    Some((checker, between(king, checker)))
}

/// Whether a defence is an interposition that may be futile.
pub(super) fn may_be_futile(pos: &Position, mv: Move, futile: FutileInterpositions) -> bool {
    match futile {
        FutileInterpositions::None => false,
        FutileInterpositions::Drops => mv.is_drop(),
        FutileInterpositions::Moves | FutileInterpositions::Any => {
            mv.is_drop() || open_line(pos).is_some_and(|(_, between)| between.contains(mv.to()))
        }
    }
}

/// Calls `found` with the position after each capture that could show a defence to be futile, until it answers true;
/// whether it did.
fn any_capture(
    pos: &mut Position,
    defence: Move,
    futile: FutileInterpositions,
    mut found: impl FnMut(&mut Position) -> bool,
) -> bool {
    let Some((checker, between)) = open_line(pos) else {
        return false;
    };
    let square = defence.to();
    if !between.contains(square) || !may_be_futile(pos, defence, futile) {
        return false;
    }
    pos.do_move(defence);
    let mut captures: Vec<Move> = [true, false]
        .map(|promotes| Move::board(checker, square, promotes))
        .into_iter()
        .filter(|&capture| pos.is_legal(capture) && pos.gives_check(capture))
        .collect();
    if futile == FutileInterpositions::Any {
        let mut checks = MoveList::new();
        pos.generate(Generate::Checks, &mut checks);
        let others = checks.iter().copied().filter(|mv| mv.to() == square && mv.from() != Some(checker));
        captures.extend(others.filter(|&mv| checks_from_destination(pos, mv)));
    }
    let any = captures.into_iter().any(|capture| {
        pos.do_move(capture);
        let any = found(pos);
        pos.undo_move();
        any
    });
    pos.undo_move();
    any
}

/// Whether a piece on the board gives check from where it moves to.
fn checks_from_destination(pos: &Position, mv: Move) -> bool {
    let (Some(from), Some(piece), Some(king)) = (mv.from(), pos.placed_piece(mv), pos.king(!pos.side_to_move())) else {
        return false;
    };
    attacks(piece, mv.to(), pos.occupied() & !Bitboard::from_square(from)).contains(king)
}

/// The positions after an interposition was captured with check, the captured piece in the defender's hand: in them it
/// must not have gained anything.
pub(super) fn after_capture(pos: &mut Position, defence: Move, futile: FutileInterpositions) -> Vec<Position> {
    let attacker = !pos.side_to_move();
    let hand = pos.hand(attacker);
    let mut positions = Vec::new();
    any_capture(pos, defence, futile, |pos| {
        positions.extend(proof_hand::with_hand(pos, attacker, hand));
        false
    });
    positions
}

/// The defender's moves without the interpositions that may be futile and can be captured with check.
pub(super) fn defences_without_capturable(pos: &mut Position, left_out: FutileInterpositions) -> MoveList {
    let mut list = MoveList::new();
    list_defences_without_capturable(pos, left_out, &mut list);
    list
}

/// The same in an empty list of the caller's.
pub(super) fn list_defences_without_capturable(
    pos: &mut Position,
    left_out: FutileInterpositions,
    list: &mut MoveList,
) {
    pos.generate(Generate::LegalAll, list);
    if left_out != FutileInterpositions::None {
        leave_out_capturable(pos, list, left_out);
    }
}

/// The first of some checks after which the defender has no move but such interpositions.
pub(super) fn mate_without_capturable(
    pos: &mut Position,
    checks: &[Move],
    left_out: FutileInterpositions,
) -> Option<Move> {
    let mate = one_ply::find(pos, checks);
    if mate.is_some() || left_out == FutileInterpositions::None || checks.is_empty() {
        return mate;
    }
    one_ply::answered_by_interpositions(pos, checks).into_iter().find(|&mv| {
        pos.do_move(mv);
        let mates = defences_without_capturable(pos, left_out).is_empty();
        pos.undo_move();
        mates
    })
}

/// Removes the interpositions that can be captured with check.
fn leave_out_capturable(pos: &mut Position, list: &mut MoveList, futile: FutileInterpositions) {
    let (mut tried, mut capturable) = (Bitboard::EMPTY, Bitboard::EMPTY);
    list.retain(|mv| {
        let square = Bitboard::from_square(mv.to());
        // Which piece is dropped makes no difference.
        if !mv.is_drop() {
            return !any_capture(pos, mv, futile, |_| true);
        }
        if (tried & square).is_empty() && any_capture(pos, mv, futile, |_| true) {
            capturable |= square;
        }
        tried |= square;
        (capturable & square).is_empty()
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Color, Hand, PieceType};

    /// How many positions a capture of the move leads to.
    fn captures(sfen: &str, mv: &str, futile: FutileInterpositions) -> usize {
        after_capture(&mut Position::from_sfen(sfen).unwrap(), mv.parse().unwrap(), futile).len()
    }

    #[test]
    fn the_captured_piece_goes_back() {
        let mut pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/4R4 w Pr2b4g4s4n4l17p 1").unwrap();
        let sfen = pos.to_sfen();
        let positions = after_capture(&mut pos, "P*5c".parse().unwrap(), FutileInterpositions::Drops);
        assert_eq!(pos.to_sfen(), sfen);
        // With promotion and without.
        assert_eq!(positions.len(), 2);
        for after in positions {
            assert_eq!(after.hand(Color::Black), Hand::EMPTY.with(PieceType::Pawn, 1));
            assert_eq!(after.hand(Color::White), pos.hand(Color::White));
            assert!(after.in_check() && after.side_to_move() == Color::White);
        }
    }

    #[test]
    fn each_convention_includes_the_one_before() {
        use FutileInterpositions::{Any, Drops, Moves, None};
        let in_order = |sfen: &str, mv: &str| [None, Drops, Moves, Any].map(|futile| captures(sfen, mv, futile));
        // The rook captures a drop, the gold, which cannot retreat from the line, a drop beside the king.
        let open = "4k4/9/3G5/9/9/9/9/9/4R4 w r2b3g4s4n4l18p 1";
        assert_eq!(in_order(open, "P*5e"), [0, 1, 1, 1]);
        assert_eq!(in_order(open, "P*5b"), [0, 2, 2, 3]);
        let moved = "4k4/3g5/9/9/9/9/9/9/4R4 w r2b3g4s4n4l18p 1";
        assert_eq!(in_order(moved, "6b5b"), [0, 0, 2, 2]);
        // A move that captures nothing on the line is none.
        assert_eq!(in_order(moved, "5a4a"), [0; 4]);
        // A pinned checker captures nothing; the silver that moves to the line opens another one, but gives no check.
        assert_eq!(in_order("4k4/9/9/9/9/9/9/9/r3R3K w P2b4g4s4n4l17p 1", "P*5e"), [0; 4]);
    }

    #[test]
    fn a_pinned_checker_captures_nothing() {
        for (sfen, left_out) in
            [("4k4/9/9/9/9/9/9/9/r3R3K w P2b4g4s4n4l17p 1", 0), ("4k4/9/9/9/9/9/9/9/4R3K w Pr2b4g4s4n4l17p 1", 7)]
        {
            let mut pos = Position::from_sfen(sfen).unwrap();
            let mut list = pos.legal_moves();
            let squares = |list: &MoveList| -> Bitboard {
                list.iter().filter(|mv| mv.is_drop()).map(|mv| mv.to()).collect::<Bitboard>()
            };
            assert_eq!(squares(&list).count(), 7);
            leave_out_capturable(&mut pos, &mut list, FutileInterpositions::Drops);
            assert_eq!(squares(&list).count(), 7 - left_out);
        }
    }
}
