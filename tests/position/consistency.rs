//! What is computed in two ways agrees, on every node of random games.

use hagane::position::{CheckInfo, Generate, MoveList, Position};
use hagane::types::{Color, Move, PieceType, Square};

use crate::common::play_outs::visit;

/// Every value of the type `Move`.
fn conceivable() -> Vec<Move> {
    (0..=u16::MAX).filter_map(Move::from_bits).collect()
}

fn generated(position: &Position, kind: Generate) -> Vec<Move> {
    let mut list = MoveList::new();
    position.generate(kind, &mut list);
    let mut moves = list.to_vec();
    moves.sort();
    moves
}

#[test]
fn a_move_is_legal_exactly_if_it_is_generated() {
    let conceivable = conceivable();
    visit(1500, 2, |position, _| {
        let generated = generated(position, Generate::LegalAll);
        for &mv in &conceivable {
            let legal = generated.binary_search(&mv).is_ok();
            assert_eq!(position.is_legal(mv), legal, "{mv} in {}", position.to_sfen());
            assert_eq!(position.check_move(mv).is_ok(), legal, "{mv} in {}", position.to_sfen());
        }
    });
}

#[test]
fn the_kinds_of_moves_fit_together() {
    visit(20_000, 3, |position, _| {
        let all = generated(position, Generate::LegalAll);
        assert_eq!(position.count_legal_moves(), all.len() as u64);
        let mut duplicates = all.clone();
        duplicates.dedup();
        assert_eq!(duplicates.len(), all.len());

        let useful = generated(position, Generate::Legal);
        let pointless: Vec<Move> = all.iter().copied().filter(|mv| !useful.contains(mv)).collect();
        for mv in pointless {
            let from = mv.from().expect("a drop is never pointless");
            let promoting = Move::board(from, mv.to(), true);
            assert!(useful.contains(&promoting), "{mv} has no promotion in {}", position.to_sfen());
        }
        assert!(useful.iter().all(|mv| all.contains(mv)));

        let captures = generated(position, Generate::Captures);
        let quiets = generated(position, Generate::Quiets);
        let mut both = [captures.clone(), quiets.clone()].concat();
        both.sort();
        assert_eq!(both, useful, "{}", position.to_sfen());
        assert!(captures.iter().all(|&mv| position.is_capture(mv)));
        assert!(quiets.iter().all(|&mv| !position.is_capture(mv)));

        let info = CheckInfo::new(position);
        let mut checks = all.clone();
        checks.retain(|&mv| position.gives_check_by(&info, mv));
        assert_eq!(generated(position, Generate::Checks), checks, "{}", position.to_sfen());
        for all in [false, true] {
            let mut list = MoveList::new();
            position.generate_quiet_checks(&info, all, &mut list);
            let mut quiet_checks = list.to_vec();
            quiet_checks.sort();
            let mut expected = checks.clone();
            expected.retain(|mv| !position.is_capture(*mv) && (all || useful.contains(mv)));
            assert_eq!(quiet_checks, expected, "{}", position.to_sfen());
        }
        let drops: Vec<Move> = checks.iter().copied().filter(|mv| mv.is_drop()).collect();
        assert_eq!(generated(position, Generate::CheckDrops), drops);
    });
}

#[test]
fn what_a_side_attacks_is_told_square_by_square_as_together() {
    visit(20_000, 4, |position, _| {
        for color in Color::ALL {
            let attacked = position.attacked_squares(color);
            for square in Square::all() {
                let alone = position.is_attacked_by(color, square, position.occupied());
                assert_eq!(attacked.contains(square), alone, "{square} in {}", position.to_sfen());
            }
        }
    });
}

/// Everything that can be read from a position.
fn facts(position: &Position) -> impl PartialEq + std::fmt::Debug + use<> {
    let pieces: Vec<_> = Square::all().map(|square| position.piece_on(square)).collect();
    let sets: Vec<_> = PieceType::ALL.iter().map(|&kind| position.by_type(kind).0).collect();
    let keys = (position.key(), position.board_key(), position.hand_key());
    let checks = (position.checkers().0, position.pinned().0, position.gold_movers().0);
    (position.to_sfen(), pieces, sets, keys, checks)
}

#[test]
fn incremental_equals_recomputed_and_undo_restores() {
    visit(20_000, 4, |position, mv| {
        let fresh = Position::from_sfen(&position.to_sfen()).unwrap();
        assert_eq!(facts(&fresh), facts(position));
        let Some(mv) = mv else { return };
        let before = facts(position);
        let mut copy = position.clone();
        let gives_check = copy.gives_check(mv);
        let key = copy.key_after(mv);
        copy.do_move(mv);
        assert_eq!(copy.key(), key, "{mv} in {}", position.to_sfen());
        assert_eq!(copy.in_check(), gives_check, "{mv} in {}", position.to_sfen());
        copy.undo_move();
        assert_eq!(facts(&copy), before);
        if !copy.in_check() {
            copy.do_null_move();
            assert_ne!(copy.key(), position.key());
            copy.undo_null_move();
            assert_eq!(facts(&copy), before);
        }
    });
}

#[test]
fn a_sfen_reads_back() {
    visit(5000, 5, |position, _| {
        let sfen = position.to_sfen();
        assert_eq!(Position::from_sfen(&sfen).unwrap().to_sfen(), sfen);
    });
}

/// The exchange on a square played out: the side to move may stop, or take with its cheapest piece as `see_ge` does.
fn exchange(position: &mut Position, to: Square) -> i32 {
    use hagane::position::exchange_value;
    let Some(target) = position.piece_on(to) else {
        return 0;
    };
    let order = |kind: PieceType| (exchange_value(kind), kind);
    let mut takers: Vec<Move> = generated(position, Generate::LegalAll)
        .into_iter()
        .filter(|mv| mv.to() == to && !mv.is_promotion() && !mv.is_drop())
        .collect();
    takers.sort_by_key(|&mv| order(position.moved_piece(mv).unwrap().piece_type()));
    let Some(&mv) = takers.first() else { return 0 };
    position.do_move(mv);
    let gain = exchange_value(target.piece_type()) - exchange(position, to);
    position.undo_move();
    gain.max(0)
}

#[test]
fn exchanges_are_what_playing_them_out_gives() {
    let mut compared = 0;
    visit(6000, 6, |position, _| {
        // Pins, checks and forced promotions bend the exchange; compare where neither is about.
        for mv in generated(position, Generate::Captures) {
            let kind = position.moved_piece(mv).unwrap().piece_type();
            let to = mv.to();
            let bent = mv.is_promotion() || kind == PieceType::King || !(2..7).contains(&to.rank());
            let attackers = position.attackers_to(to, position.occupied());
            let behind = position.attackers_to(to, position.occupied() ^ attackers);
            let king = attackers.intersects(position.by_type(PieceType::King));
            let mut after = position.clone();
            after.do_move(mv);
            let free = after.pinned().is_empty() && !after.in_check() && position.pinned().is_empty();
            if bent || king || !free || position.in_check() || attackers.count() > 2 || behind != attackers {
                continue;
            }
            let captured = position.piece_on(to).unwrap().piece_type();
            let value = hagane::position::exchange_value(captured) - exchange(&mut after, to);
            assert!(position.see_ge(mv, value), "{mv} is worth {value} in {}", position.to_sfen());
            assert!(!position.see_ge(mv, value + 1), "{mv} is worth {value} in {}", position.to_sfen());
            compared += 1;
        }
    });
    assert!(compared > 1000, "only {compared} exchanges compared");
}
