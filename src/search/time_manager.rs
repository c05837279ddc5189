//! How long to think about a move: more than the ordinary time when the search is in trouble, less when it is not.
//!
//! The factors follow Stockfish: a falling score and a best move that changes often or has just changed ask for more
//! time; a best move that has long been the same, or that took nearly all nodes, for less.

use crate::types::{Color, Depth, Score};

/// What the product of all factors was on average when a move was played, in games at 10 s + 0.1 s and at 30 s + 1 s:
/// the ordinary time is what an average move takes.
const AVERAGE_FACTOR: f64 = 1.6;

/// Scores and best moves of a worker's iterations, and of its last search.
#[derive(Clone, Debug)]
pub(super) struct TimeManager {
    /// Score at the end of the last search, and for which side; `None` at the start of a game.
    last_search: Option<(Color, Score)>,
    /// The side for which this search's scores are.
    side: Color,
    /// The stability factor at the end of the last search.
    last_stability: f64,
    /// Scores of the last four iterations, a ring.
    scores: [Score; 4],
    iteration: usize,
    /// Changes of the best move; their weight halves with each iteration.
    changes: f64,
    /// The iteration that last changed the best move.
    last_change: Depth,
    stability: f64,
}

impl Default for TimeManager {
    fn default() -> Self {
        Self {
            last_search: None,
            side: Color::Black,
            last_stability: 0.85,
            scores: [Score::ZERO; 4],
            iteration: 0,
            changes: 0.0,
            last_change: 0,
            stability: 1.0,
        }
    }
}

impl TimeManager {
    /// Starts a search for the side to move. The last one may have been for the other side (a stochastic ponder, an
    /// analysis).
    pub(super) fn new_search(&mut self, side: Color) {
        self.side = side;
        self.scores = [self.score_before().unwrap_or(Score::ZERO); 4];
        self.iteration = 0;
        self.changes = 0.0;
        self.last_change = 0;
    }

    /// The score at the end of the last search, for this search's side.
    fn score_before(&self) -> Option<Score> {
        self.last_search.map(|(side, score)| if side == self.side { score } else { -score })
    }

    pub(super) fn new_iteration(&mut self) {
        self.changes /= 2.0;
    }

    pub(super) fn best_move_changed(&mut self) {
        self.changes += 1.0;
    }

    /// The factor of the ordinary time after an iteration. `effort` is the share of nodes spent on the best move,
    /// `new_best` whether the best move changed.
    pub(super) fn factor(&mut self, depth: Depth, score: Score, new_best: bool, effort: f64) -> f64 {
        if new_best {
            self.last_change = depth;
        }
        let before = self.score_before().unwrap_or(score);
        let older = self.scores[self.iteration % 4];
        self.scores[self.iteration % 4] = score;
        self.iteration += 1;

        let falling = 11.3 + 2.1 * f64::from(before - score) + 1.0 * f64::from(older - score);
        let falling = (falling / 100.0 + 0.55).clamp(0.57, 1.6);
        let age = f64::from(depth - self.last_change);
        // From 0.72 for a new best move up to about 1.44 for one that has lasted for many iterations.
        self.stability = 0.72 + 0.79 / (1.1 + (-0.52 * (age - 11.5)).exp());
        let reduction = (1.45 + self.last_stability) / (2.24 * self.stability);
        let instability = 1.04 + 1.9 * self.changes;
        let easy = if depth >= 10 && effort >= 0.92 { 0.67 } else { 1.0 };
        falling * reduction * instability * easy / AVERAGE_FACTOR
    }

    pub(super) fn end_search(&mut self, score: Score) {
        self.last_search = Some((self.side, score));
        self.last_stability = self.stability;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_takes_time_and_clarity_saves_it() {
        let run = |scores: &[i32], changing: bool, effort: f64| {
            let mut time_manager = TimeManager::default();
            // What was -100 for the other side is 100 for this one.
            time_manager.new_search(Color::White);
            time_manager.end_search(Score(-100));
            time_manager.new_search(Color::Black);
            let mut factor = 0.0;
            for (depth, &score) in (1..).zip(scores.iter().cycle().take(24)) {
                time_manager.new_iteration();
                if changing {
                    time_manager.best_move_changed();
                }
                factor = time_manager.factor(depth, Score(score), changing, effort);
            }
            factor
        };
        let calm = run(&[100], false, 0.5);
        assert!(calm < 1.0, "{calm}");
        assert!(run(&[100], true, 0.5) > 1.5 * calm);
        assert!(run(&[20], false, 0.5) > 1.5 * calm);
        assert!(run(&[100], false, 0.95) < 0.8 * calm);
    }
}
