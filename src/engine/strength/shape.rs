//! Shape: where a level moves a piece when nothing calls for a move.
//!
//! Most moves of a position have nothing to do with the pieces that meet, and a level's errors would choose among so
//! many almost at random: pieces that wander, pawns dropped where nothing happens. People err in fights, and elsewhere
//! put their pieces on the squares they have learnt.

use crate::bitboard::{attacks, king_attacks};
use crate::position::{Position, exchange_value};
use crate::search::Evaluator;
use crate::types::{Color, Move, Score};

use super::choice::{dice, is_natural, pick, wavers};
use super::judgement::Judgement;
use super::level::Level;
use super::sight::Seen;

/// What a move of good shape may seem worse than the one it replaces, in centipawns beside the level's errors.
const TOLERANCE: f64 = 50.0;
/// By how many centipawns of shape a move may be worse and is played a third as often as the best: this, and a part of
/// the level's error.
const SPREAD: f64 = 20.0;
const ERROR: f64 = 0.5;

/// The place, in the list of what was seen, of the move to play where a level would play the one at `chosen`: if that
/// has nothing to do with the opponent's pieces, the one of its kind with the best shape, or nearly. Pieces are dropped
/// so beside the king only.
pub(super) fn settle(
    level: &Level,
    evaluator: &Evaluator,
    position: &Position,
    seen: &[Seen],
    chosen: usize,
    told: Score,
    seed: u64,
) -> usize {
    if !is_quiet(position, seen[chosen].mv) {
        return chosen;
    }
    let enough = seen[chosen].score.0 - (level.error + level.taste + TOLERANCE) as i32;
    let beside_king =
        |mv: Move| position.king(position.side_to_move()).is_some_and(|king| king_attacks(king).contains(mv.to()));
    let passes = |seen: &Seen| {
        seen.score.0 >= enough
            && (!seen.mv.is_drop() || beside_king(seen.mv))
            && !seen.score.is_loss()
            && is_quiet(position, seen.mv)
            && is_natural(position, seen.mv, told)
            && !wavers(position, seen.mv)
    };
    // The plan is part of the shape; taste and errors are not.
    let sober = Level { simplicity: 0.0, taste: 0.0, error: 0.0, ..*level };
    let mut judgement = Judgement::new(&sober, evaluator, position, seed);
    let mut after = position.clone();
    let mut shape = |mv: Move| {
        judgement.do_move(&mut after, mv);
        let value = -judgement.evaluate(&after).0;
        judgement.undo_move(&mut after);
        f64::from(value)
    };
    let open: Vec<(usize, f64)> =
        (0..seen.len()).filter(|&at| passes(&seen[at])).map(|at| (at, shape(seen[at].mv))).collect();
    let best = open.iter().map(|&(_, value)| value).fold(f64::NEG_INFINITY, f64::max);
    let spread = SPREAD + ERROR * level.error;
    pick(open.iter().map(|&(at, value)| (at, ((value - best) / spread).exp())), dice(position, seed, 3))
        .unwrap_or(chosen)
}

/// Whether a move has nothing to do with the opponent's pieces: it takes nothing, promotes nothing, attacks nothing
/// that it could win, goes to no square that they attack, leaves no attack and answers none.
fn is_quiet(position: &Position, mv: Move) -> bool {
    let Some(piece) = position.moved_piece(mv) else {
        return false;
    };
    if position.in_check() || position.is_capture(mv) || mv.is_promotion() || position.gives_check(mv) {
        return false;
    }
    let us = position.side_to_move();
    let attacked = |color: Color, square| position.is_attacked_by(color, square, position.occupied());
    if attacked(!us, mv.to()) || mv.from().is_some_and(|from| attacked(!us, from)) {
        return false;
    }
    let worth = |square| position.exchange_value_on(square);
    let value = exchange_value(piece.piece_type());
    let reach = attacks(piece, mv.to(), position.occupied());
    let wins = |square| worth(square) >= value || !attacked(!us, square);
    let saves = |square| position.king(us) != Some(square) && Some(square) != mv.from() && attacked(!us, square);
    !(reach & position.by_color(!us)).into_iter().any(wins) && !(reach & position.by_color(us)).into_iter().any(saves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_to_do_with_the_opponent_is_not_quiet() {
        // Black's silver is attacked by a pawn; White's knight is undefended.
        let position = Position::from_sfen("4k4/9/7n1/9/4p4/4S4/9/9/L3K4 b NPL 1").unwrap();
        let quiet = |mv: &str| is_quiet(&position, mv.parse().unwrap());
        for mv in ["5f5e", "5f6e", "P*2d", "L*2i", "N*6h", "L*5h", "P*1e"] {
            assert!(!quiet(mv), "{mv}");
        }
        for mv in ["5i4h", "9i9g", "P*8h", "N*8g", "L*8i", "P*2f"] {
            assert!(quiet(mv), "{mv}");
        }
    }

    #[test]
    fn a_move_for_no_reason_gives_way_to_one_of_good_shape() {
        // A pawn dropped far off seems best, and the rook to the edge next.
        let position =
            Position::from_sfen("lnsgkgsnl/1r5b1/p1ppppppp/9/9/2P6/P2PPPPPP/1B5R1/LNSGKGSNL b Pp 11").unwrap();
        let mut moves: Vec<Move> = ["P*8g", "2h1h"].iter().map(|mv| mv.parse().unwrap()).collect();
        moves.extend(position.legal_moves().iter().copied().filter(|mv| !moves.contains(mv)).collect::<Vec<_>>());
        let seen: Vec<Seen> = moves.iter().map(|&mv| Seen { mv, score: Score(0), answers: Vec::new() }).collect();
        let level = Level::new(8.0).unwrap().calmed(1.0);
        let played = |seed| {
            let at = settle(&level, &Evaluator::HandCrafted, &position, &seen, 1, Score(0), seed);
            seen[at].mv.to_string()
        };
        let moves: Vec<String> = (0..200).map(played).collect();
        assert!(moves.iter().filter(|mv| *mv == "2h1h").count() < 10);
        assert!(moves.iter().any(|mv| mv != &moves[0]));
        // What takes, or answers an attack, is left as it is.
        assert_eq!(settle(&level, &Evaluator::HandCrafted, &position, &seen, 0, Score(0), 1), 0);
    }
}
