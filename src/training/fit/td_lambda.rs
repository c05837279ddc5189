//! TD(λ): scores that know how the game continued.
//!
//! A shallow search errs, and its errors in successive positions of a game are only loosely related. The expectation of
//! a position is therefore mixed with that of the position after its move, as mixed in turn: the scores of later moves
//! count with ever smaller weights, and both sides' replies have been seen that this position's own search did not
//! reach (Sutton, *Learning to Predict by the Methods of Temporal Differences*, 1988; for game trees Baxter, Tridgell
//! and Weaver, 2000).

use super::loss::{expectation, points};
use crate::training::data::record::Labelled;

/// Mixes the scores of one game's positions, which are in their order; `lambda` is the weight of everything later in a
/// position's expectation, `scale` that of scores against results. Nothing later counts where a ply is missing.
pub fn mix_later_scores(game: &mut [Labelled], lambda: f32, scale: f32) {
    let mut later: Option<(u16, f32)> = None;
    for position in game.iter_mut().rev() {
        let own = expectation(f32::from(position.score), scale);
        let mixed = match later {
            Some((ply, next)) if ply == position.ply.saturating_add(1) => (1.0 - lambda) * own + lambda * (1.0 - next),
            _ => own,
        };
        later = Some((position.ply, mixed));
        position.score = points(mixed, scale).round() as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Board;
    use crate::position::Position;
    use crate::types::Color;

    fn game(scores: &[(u16, i16)]) -> Vec<Labelled> {
        let position = Board::from(&Position::startpos());
        scores
            .iter()
            .map(|&(ply, score)| Labelled {
                position: {
                    let mut position = position.clone();
                    position.set_side_to_move(if ply % 2 == 1 { Color::Black } else { Color::White });
                    position
                },
                score,
                best: None,
                ply,
                result: 0,
            })
            .collect()
    }

    fn scores(game: &[Labelled]) -> Vec<i16> {
        game.iter().map(|position| position.score).collect()
    }

    #[test]
    fn agreement_stays_and_later_scores_count() {
        // Both sides agree all the time that the first one is 300 ahead.
        let mut calm = game(&[(1, 300), (2, -300), (3, 300), (4, -300)]);
        mix_later_scores(&mut calm, 0.8, 1000.0);
        assert_eq!(scores(&calm), [300, -300, 300, -300]);
        // The opponent finds that it is 1000 ahead.
        let mut blunder = game(&[(1, 0), (2, 1000)]);
        mix_later_scores(&mut blunder, 0.5, 1000.0);
        let [first, second] = scores(&blunder)[..] else { panic!("two positions") };
        assert!((-500..-400).contains(&first), "{first}");
        assert_eq!(second, 1000);
    }

    #[test]
    fn nothing_is_seen_across_a_gap() {
        let mut torn = game(&[(1, 100), (3, 2000), (4, -2000)]);
        mix_later_scores(&mut torn, 0.9, 1000.0);
        assert_eq!(scores(&torn), [100, 2000, -2000]);
    }

    #[test]
    fn the_largest_scores_stay_within_their_range() {
        let mut mates = game(&[(1, 32_000), (2, -32_000)]);
        mix_later_scores(&mut mates, 0.7, 400.0);
        assert!(scores(&mates)[0] > 4_000);
    }
}
