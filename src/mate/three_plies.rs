//! Mates within three plies, decided at once and without the table.
//!
//! If the length of a mate is bounded, most nodes are close to the bound. There a plain search of all checks and
//! evasions is faster than to store, probe and compare numbers.

use super::captured_interpositions::{list_defences_without_capturable, mate_without_capturable};
use super::mate_len::MateLen;
use super::moves;
use super::proof_hand;
use super::search_result::{ANY_PATH, SearchResult};
use super::settings::FutileInterpositions;
use crate::position::{MoveList, Position};
use crate::types::{Hand, Move};

/// The proof hand of an attacker's node in which `mv` mates.
pub(super) fn mating_hand(pos: &mut Position, mv: Move) -> Hand {
    pos.do_move(mv);
    let after = proof_hand::keep_from_defender(pos, Hand::EMPTY);
    pos.undo_move();
    proof_hand::before_attack(pos, mv, after)
}

/// Decides an attacker's node that has no mate in one: a mate within three plies, or none within `len`, which is 3 or
/// 4. `checks` are its moves; the defender makes no interposition of the kind `left_out` that can be captured with check;
/// the positions searched are added to `nodes`.
pub(super) fn decide(
    pos: &mut Position,
    checks: &[Move],
    len: MateLen,
    left_out: FutileInterpositions,
    nodes: &mut u32,
) -> SearchResult {
    let mut hand = proof_hand::both_hands(pos);
    let mut refutation = None;
    let before = *nodes;
    for &mv in checks {
        pos.do_move(mv);
        let answer = answer(pos, left_out, &mut refutation, nodes);
        pos.undo_move();
        match answer {
            Answer::None(needed) => {
                let needed = proof_hand::before_attack(pos, mv, needed);
                return SearchResult::proven(needed, MateLen(3), *nodes - before, Some(mv));
            }
            Answer::Refuted(allowed) => {
                let allowed = proof_hand::before_attack(pos, mv, allowed);
                hand = proof_hand::intersection(hand, allowed);
            }
        }
    }
    let hand = proof_hand::without_new_checks(pos, hand);
    SearchResult::disproven(hand, len, ANY_PATH, *nodes - before, None)
}

/// What the defender can do about a check.
enum Answer {
    /// Every move is mated at once, if the attacker holds at least this.
    None(Hand),
    /// Some move is not, even if the attacker holds this much.
    Refuted(Hand),
}

/// Looks for a move after which the side to move, which is in check, is not mated at once; the move that refuted the
/// previous check is tried first.
fn answer(
    pos: &mut Position,
    left_out: FutileInterpositions,
    refutation: &mut Option<Move>,
    nodes: &mut u32,
) -> Answer {
    let mut list = MoveList::new();
    list_defences_without_capturable(pos, left_out, &mut list);
    let first = refutation.filter(|mv| list.contains(mv));
    let others = list.iter().copied().filter(|&mv| Some(mv) != first);
    let mut hand = Hand::EMPTY;
    for mv in first.into_iter().chain(others) {
        *nodes += 1;
        pos.do_move(mv);
        let mut checks = MoveList::new();
        moves::append_attacks(pos, &mut checks);
        let mate = mate_without_capturable(pos, &checks, left_out);
        let needed = match mate {
            Some(mate) => mating_hand(pos, mate),
            None if checks.is_empty() => proof_hand::without_new_checks(pos, proof_hand::both_hands(pos)),
            None => pos.hand(pos.side_to_move()),
        };
        pos.undo_move();
        if mate.is_none() {
            *refutation = Some(mv);
            return Answer::Refuted(proof_hand::before_defence(pos, mv, needed));
        }
        hand = proof_hand::union(hand, needed);
    }
    Answer::None(proof_hand::keep_from_defender(pos, hand))
}

#[cfg(test)]
mod tests {
    use super::super::captured_interpositions::defences_without_capturable;
    use super::*;
    use crate::platform::random::Random;
    use crate::types::Color;

    /// Whether the attacker, who is to move, mates within some plies, by playing out all moves.
    fn mates_by_playing(pos: &mut Position, plies: u32, left_out: FutileInterpositions) -> bool {
        moves::attacks(pos).iter().any(|&mv| {
            pos.do_move(mv);
            let mated = defences_without_capturable(pos, left_out).iter().all(|&reply| {
                plies > 2 && {
                    pos.do_move(reply);
                    let mates = mates_by_playing(pos, plies - 2, left_out);
                    pos.undo_move();
                    mates
                }
            });
            pos.undo_move();
            mated
        })
    }

    #[test]
    fn verdicts_and_hands_are_those_of_playing_everything() {
        use FutileInterpositions::{Any, Drops, Moves, None};
        let mut random = Random::new(5);
        let (mut mates, mut none, mut spared, mut at_once, mut sooner) = (0, 0, 0, 0, 0);
        for start in [
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
            "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
            "lns3kn1/1r7/4pgs+R1/2pp1p3/pp2P4/2P1SP3/PPSP5/2GBG4/LN1K3N+l b BG3Pl3p 49",
        ] {
            for _ in 0..30 {
                let mut pos = Position::from_sfen(start).unwrap();
                let mut turn = 0;
                pos.play_out(60, &mut random, |pos| {
                    turn += 1;
                    let checks = moves::attacks(pos);
                    if checks.is_empty() || pos.king(Color::Black).is_none() || pos.king(Color::White).is_none() {
                        return;
                    }
                    let sfen = pos.to_sfen();
                    for left_out in [None, [Drops, Moves, Any][turn % 3]] {
                        let mate = mate_without_capturable(pos, &checks, left_out);
                        assert_eq!(mate.is_some(), mates_by_playing(pos, 1, left_out), "{left_out:?} {sfen}");
                        if mate.is_some() {
                            at_once += u32::from(!mates_by_playing(pos, 1, None));
                            continue;
                        }
                        let result = decide(pos, &checks, MateLen(3), left_out, &mut 0);
                        let attacker = pos.side_to_move();
                        let mut other = proof_hand::with_hand(pos, attacker, result.hand).unwrap();
                        let mated = |pos: &mut Position| mates_by_playing(pos, 3, left_out);
                        assert_eq!(result.is_proven(), mated(pos), "{left_out:?} {sfen}");
                        assert_eq!(result.is_proven(), mated(&mut other), "{left_out:?} {sfen} with {:?}", result.hand);
                        mates += u32::from(result.is_proven());
                        none += u32::from(result.is_disproven());
                        spared += u32::from(result.hand != pos.hand(attacker));
                        sooner += u32::from(result.is_proven() && !mates_by_playing(pos, 3, None));
                    }
                });
            }
        }
        assert!(mates > 40 && none > 2000 && spared > 40, "{mates} {none} {spared}");
        assert!(at_once > 20 && sooner > 20, "{at_once} {sooner}");
    }
}
