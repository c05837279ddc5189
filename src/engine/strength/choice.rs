//! Which of the moves that a level has looked at it plays, and what it never does: leave a recapture, give a piece away
//! for nothing, leave one that stands to be taken for nothing time after time, give checks that only lose the checking
//! piece, put pieces in the way of a check for nothing.

use crate::platform::random::mix;
use crate::position::{Position, exchange_value};
use crate::types::{Move, PieceType, Score};

use super::level::Level;
use super::oversight::overlooks;
use super::sight::Seen;

/// A move that loses this much by exchanges on its square gives a piece away.
const GIFT: i32 = exchange_value(PieceType::Silver) - exchange_value(PieceType::Pawn);
/// A game that is this much better, or worse, in the level's own eyes is decided.
pub(super) const DECIDED: i32 = 1500;
/// How often a recapture is missed.
const MISSED_RECAPTURE: f64 = 0.02;
/// How many of a player's own moves are remembered, so that no piece goes to and fro.
const REMEMBERED: usize = 4;
/// How much worse than taking a move back another move may seem, and is preferred.
const REGRET: i32 = exchange_value(PieceType::Pawn);
/// What a capture elsewhere must win more than a recapture could, to be preferred: a level's own scores are no reason
/// to leave a piece on the board, for they err by more than a piece is worth.
const BIGGER: i32 = exchange_value(PieceType::Bishop);
/// What a capture must win to be a prize, and what a safe promotion counts among prizes.
const PRIZE: i32 = exchange_value(PieceType::Knight);
/// By how many of its errors a level's best move must seem better than a prize, to be preferred: the best of many
/// scores that err seems two or three of them too good.
const ERRORS: f64 = 3.0;
/// A level with such a margin sees no pieces at all, on purpose: it has to lose to a player that looks one ply ahead.
const BLIND: i32 = 2 * exchange_value(PieceType::Rook);
/// How much more easily a player's own chance is overlooked that it has left before than an answer of the opponent.
const LEFT_BEFORE: f64 = 1.2;

/// The place, in the list of what was seen (best first), of the move to play. `told` is the score of the best move
/// without the player's taste.
pub(super) fn choose(level: &Level, position: &Position, seen: &[Seen], told: Score, seed: u64) -> usize {
    let Some(best) = seen.first().map(|seen| seen.score) else {
        return 0;
    };
    if best.is_win() {
        return 0;
    }
    let mut open: Vec<usize> = (0..seen.len()).collect();
    keep(&mut open, |&at| is_natural(position, seen[at].mv, told));
    let steady = |&at: &usize| !wavers(position, seen[at].mv);
    let enough = seen[open[0]].score - REGRET;
    if open.iter().any(|at| steady(at) && seen[*at].score >= enough) {
        open.retain(steady);
    }
    if dice(position, seed, 1) >= MISSED_RECAPTURE {
        let first = open.iter().find(|&&at| is_recapture(position, seen[at].mv) && !seen[at].score.is_loss());
        if let Some(recapture) = first.map(|&at| &seen[at]) {
            let value = position.exchange_value_on(recapture.mv.to());
            let is_bigger = |seen: &Seen| seen.score > recapture.score && position.see_ge(seen.mv, value + BIGGER);
            keep(&mut open, |&at| is_recapture(position, seen[at].mv) || is_bigger(&seen[at]));
        }
    }
    let best_of = |open: &[usize]| open.iter().map(|&at| seen[at].score).max().unwrap_or(best);
    // Where errors hide pieces, one that could be taken at the last move already is not left again and again.
    let margin = (ERRORS * level.error) as i32;
    if (PRIZE..BLIND).contains(&margin)
        && let Some(before) = before(position)
    {
        let enough = best_of(&open) - margin;
        let is_seen = |mv| !overlooks(LEFT_BEFORE * level.oversight, position, mv, seed);
        let stands = |&at: &usize| seen[at].score >= enough && stood(&before, position, seen[at].mv);
        let wins = open.iter().copied().filter(stands).filter(|&at| is_seen(seen[at].mv));
        let prizes: Vec<(i32, usize)> = wins.map(|at| (prize(position, seen[at].mv), at)).collect();
        let first = prizes.iter().map(|&(prize, _)| prize).max().unwrap_or(0);
        if first > 0 {
            open = prizes.into_iter().filter(|&(prize, _)| prize == first).map(|(_, at)| at).collect();
        }
    }
    let best = best_of(&open);
    // A won game is finished.
    let temperature = if told.0 > DECIDED { level.temperature / 4.0 } else { level.temperature };
    // By the difference alone: in a lost game a free rook is worth no less, and a won one is no place for random moves.
    let loss = |at: usize| Score::ZERO.expected_result() - Score(seen[at].score - best).expected_result();
    let weight = |at: usize| if loss(at) == 0.0 { 1.0 } else { (-loss(at) / temperature).exp() };
    // What is worse by more than a few temperatures is never played.
    open.retain(|&at| loss(at) <= 2.5 * temperature && (!seen[at].score.is_loss() || best.is_loss()));
    pick(open.iter().map(|&at| (at, weight(at))), dice(position, seed, 2)).or(open.first().copied()).unwrap_or(0)
}

/// One of some places, by their weights and a number from 0 to 1.
pub(super) fn pick(mut weights: impl Iterator<Item = (usize, f64)> + Clone, dice: f64) -> Option<usize> {
    let mut left = dice * weights.clone().map(|(_, weight)| weight).sum::<f64>();
    weights.find_map(|(at, weight)| {
        left -= weight;
        (left < 0.0).then_some(at)
    })
}

/// A number from 0 to 1 that follows from the position and the seeds.
pub(super) fn dice(position: &Position, seed: u64, salt: u64) -> f64 {
    let bits = mix(position.key() ^ mix(seed ^ salt) ^ u64::from(position.move_number()));
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// Keeps those that pass, unless none does.
fn keep(list: &mut Vec<usize>, pass: impl Fn(&usize) -> bool) {
    if list.iter().any(&pass) {
        list.retain(pass);
    }
}

/// Whether a person would not shake the head over a move: no piece is given away, and a lost game is not prolonged by
/// checks and interpositions that lose a piece each.
pub(super) fn is_natural(position: &Position, mv: Move, best: Score) -> bool {
    if !position.see_ge(mv, 1 - GIFT) {
        return false;
    }
    !is_pointless(position, mv, best) && (!position.in_check() || !mv.is_drop() || position.see_ge(mv, 0))
}

/// Whether a move brings a piece back to where it stood within the player's own last moves, for no reason on the board:
/// nothing is taken, no check given or answered, and nothing attacks the piece.
pub(super) fn wavers(position: &Position, mv: Move) -> bool {
    let Some(from) = mv.from() else {
        return false;
    };
    let returns = || {
        let mut stood = from;
        position.moves().rev().skip(1).step_by(2).take(REMEMBERED).any(|own| {
            if own.to() == stood {
                stood = own.from().unwrap_or(stood);
            }
            stood == mv.to()
        })
    };
    !position.in_check()
        && !position.is_capture(mv)
        && returns()
        && !position.gives_check(mv)
        && !position.is_attacked_by(!position.side_to_move(), from, position.occupied())
}

/// Whether a move only prolongs a lost game, by a check or an interposition that loses a piece.
pub(super) fn is_pointless(position: &Position, mv: Move, best: Score) -> bool {
    let prolongs = position.in_check() && mv.is_drop() || position.gives_check(mv);
    best.0 < -DECIDED / 2 && prolongs && !position.see_ge(mv, 0)
}

/// The position before the player's last move, if the game has one.
fn before(position: &Position) -> Option<Position> {
    (position.game_length() >= 2).then(|| {
        let mut before = position.clone();
        before.undo_move();
        before.undo_move();
        before
    })
}

/// Whether a move that wins something could have been played at the player's last move already.
fn stood(before: &Position, position: &Position, mv: Move) -> bool {
    let same = |at| before.piece_on(at) == position.piece_on(at);
    mv.from().is_some_and(same) && same(mv.to()) && before.is_legal(mv) && prize(before, mv) > 0
}

/// What everybody sees that a move wins: a piece for nothing or for a lesser one, the promotion of a pawn, a bishop or
/// a rook that is not taken for it.
fn prize(position: &Position, mv: Move) -> i32 {
    let captured = position.exchange_value_on(mv.to());
    let taken = if captured >= PRIZE && position.see_ge(mv, PRIZE) { captured } else { 0 };
    let kind = position.moved_piece(mv).map(|piece| piece.piece_type());
    let grows = mv.is_promotion() && matches!(kind, Some(PieceType::Pawn | PieceType::Bishop | PieceType::Rook));
    let is_safe = || !position.is_attacked_by(!position.side_to_move(), mv.to(), position.occupied());
    taken + if grows && is_safe() { PRIZE } else { 0 }
}

/// Whether a move wins something by taking back on the square of the last move.
pub(super) fn is_recapture(position: &Position, mv: Move) -> bool {
    position.last_captured().is_some()
        && position.last_move().is_some_and(|last| last.to() == mv.to())
        && !mv.is_drop()
        && position.see_ge(mv, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All legal moves, the named ones first, each ten centipawns worse than the one before.
    fn seen(position: &Position, first: &[&str]) -> Vec<Seen> {
        let mut moves: Vec<Move> = first.iter().map(|mv| mv.parse().unwrap()).collect();
        let rest: Vec<Move> = position.legal_moves().iter().copied().filter(|mv| !moves.contains(mv)).collect();
        moves.extend(rest);
        (0..).zip(moves).map(|(rank, mv)| Seen { mv, score: Score(-10 * rank), answers: Vec::new() }).collect()
    }

    fn played(sfen: &str, number: u32, first: &[&str]) -> Vec<String> {
        let level = Level::new(f64::from(number)).unwrap();
        let position = Position::from_sfen(sfen).unwrap();
        let seen = seen(&position, first);
        (0..500).map(|seed| seen[choose(&level, &position, &seen, seen[0].score, seed)].mv.to_string()).collect()
    }

    #[test]
    fn a_low_level_varies_and_a_high_one_does_not() {
        let distinct = |number| {
            let mut moves = played(Position::STARTPOS, number, &[]);
            moves.sort();
            moves.dedup();
            moves.len()
        };
        assert!(distinct(5) > 1 && distinct(10) < distinct(5));
        // The later in the list, the worse the move seems.
        let position = Position::startpos();
        let seen = seen(&position, &[]);
        let places = |number: u32| -> usize {
            let level = Level::new(f64::from(number)).unwrap();
            (0..500).map(|seed| choose(&level, &position, &seen, seen[0].score, seed)).sum()
        };
        for number in [0, 2, 4, 6, 8, 10] {
            assert!(places(number) > places(number + 2), "level {number}");
        }
    }

    #[test]
    fn nothing_is_given_away_even_if_it_seems_best() {
        // A rook that takes a defended pawn, a gold dropped in front of a pawn.
        let moves = played("4k4/9/4s4/3gp4/9/4R4/9/9/4K4 b G 1", 0, &["5f5d", "G*5e"]);
        assert!(!moves.contains(&"5f5d".to_owned()) && !moves.contains(&"G*5e".to_owned()));
    }

    #[test]
    fn a_mate_that_is_seen_is_played_and_no_recapture_instead() {
        let mut position = Position::from_sfen("8k/9/8P/9/4p4/4P4/4G4/9/4K4 w G 1").unwrap();
        position.do_move("5e5f".parse().unwrap());
        let mut seen = seen(&position, &["G*1b", "5g5f"]);
        seen[0].score = Score::mate_in(1);
        for number in 0..13 {
            let level = Level::new(f64::from(number)).unwrap();
            for seed in 0..500 {
                assert_eq!(choose(&level, &position, &seen, seen[0].score, seed), 0, "level {number}");
            }
        }
    }

    #[test]
    fn pieces_are_taken_back() {
        let mut position = Position::startpos();
        for mv in ["7g7f", "3c3d", "8h2b+"] {
            position.do_move(mv.parse().unwrap());
        }
        for number in [0, 3, 6, 9] {
            let level = Level::new(f64::from(number)).unwrap();
            let seen = seen(&position, &["9c9d", "1c1d"]);
            let back = (0..500).filter(|&seed| {
                let mv = seen[choose(&level, &position, &seen, seen[0].score, seed)].mv;
                is_recapture(&position, mv)
            });
            assert!(back.count() >= 485, "level {number}");
        }
    }

    #[test]
    fn a_recapture_is_left_for_a_rook_and_for_nothing_that_only_seems_better() {
        let played = |piece: &str, number: u32| -> Vec<String> {
            let mut position = Position::from_sfen(&format!("4k4/9/9/4p3{piece}/4P4/4G4/9/9/4K3L w - 1")).unwrap();
            position.do_move("5d5e".parse().unwrap());
            let level = Level::new(f64::from(number)).unwrap();
            let mut seen = seen(&position, &["1i1d", "5i4h"]);
            seen[..2].iter_mut().for_each(|seen| seen.score = Score(900));
            (0..500).map(|seed| seen[choose(&level, &position, &seen, Score(0), seed)].mv.to_string()).collect()
        };
        for number in 0..13 {
            let count = |piece, mv: &str| played(piece, number).iter().filter(|&played| played == mv).count();
            assert!(count("s", "5f5e") >= 485, "level {number}");
            assert!(count("r", "1i1d") + count("r", "5f5e") >= 485, "level {number}");
            assert!(count("r", "1i1d") >= 300, "level {number}");
        }
    }

    #[test]
    fn what_was_left_once_is_seen() {
        // Black's silver attacks a rook that stands there for nothing.
        let mut position = Position::from_sfen("4k4/9/9/3r5/4S4/9/9/9/G3K4 b - 1").unwrap();
        let played = |position: &Position, number: u32, loss: i32| {
            let level = Level::new(f64::from(number)).unwrap();
            let mut seen = seen(position, &["5i4h", "5e6d"]);
            seen[1].score = Score(-loss);
            seen[2..].iter_mut().for_each(|seen| seen.score = Score(-10));
            let play = |seed| seen[choose(&level, position, &seen, Score(0), seed)].mv.to_string();
            (0..500).filter(|&seed| play(seed) == "5e6d").count()
        };
        for (number, loss) in [(1, 700), (2, 600)] {
            assert!(played(&position, number, loss) < 100, "level {number}: {}", played(&position, number, loss));
        }
        for mv in ["9i8i", "5a5b"] {
            position.do_move(mv.parse().unwrap());
        }
        for (number, loss) in [(1, 700), (2, 600)] {
            let count = played(&position, number, loss);
            assert!((150..450).contains(&count), "level {number}: {count}");
        }
        // A better move, by more than the level errs, is no error.
        assert!(played(&position, 4, 900) < 50);
    }

    #[test]
    fn a_move_is_taken_back_for_a_reason_only() {
        let level = Level::new(5.0).unwrap();
        let back = |moves: &[&str], first: &str, gain: i32| {
            let mut position = Position::startpos();
            moves.iter().for_each(|mv| position.do_move(mv.parse().unwrap()));
            let mut seen = seen(&position, &[first]);
            seen[0].score += gain;
            let play = |seed| seen[choose(&level, &position, &seen, seen[0].score, seed)].mv.to_string();
            (0..100).filter(|&seed| play(seed) == first).count()
        };
        assert_eq!(back(&["6i5h", "9c9d"], "5h6i", 0), 0);
        assert_eq!(back(&["6i5h", "9c9d"], "5h6i", 900), 100);
        // The pawn attacks the bishop.
        assert!(back(&["7g7f", "9c9d", "8h6f", "4a3b", "6f5e", "5c5d"], "5e6f", 0) > 0);
    }

    #[test]
    fn a_lost_game_is_not_prolonged_by_checks_that_lose_pieces() {
        // Black is hopelessly behind; rook drops on the king's file only lose the rook.
        let position = Position::from_sfen("3gkg3/9/9/9/9/9/9/9/4K4 b Rr2b2g4s4n4l18p 1").unwrap();
        let level = Level::new(2.0).unwrap();
        let mut seen = seen(&position, &["R*5b"]);
        seen.iter_mut().for_each(|seen| seen.score -= 3000);
        for seed in 0..200 {
            let mv = seen[choose(&level, &position, &seen, seen[0].score, seed)].mv;
            assert!(!position.gives_check(mv) || position.see_ge(mv, 0), "{mv}");
        }
    }
}
