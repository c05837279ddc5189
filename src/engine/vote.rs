//! Whose move is played after a search with several threads.

use crate::search::SearchOutcome;
use crate::types::Score;

/// The index of the worker to follow: the one whose best move has the most votes, weighted by score and depth (as
/// Stockfish's threads vote).
pub(super) fn vote(outcomes: &[SearchOutcome]) -> usize {
    let score =
        |outcome: &SearchOutcome| outcome.root_moves.first().map_or(-Score::INFINITE, |root| root.known_score());
    let Some(least) = outcomes.iter().map(score).min() else {
        return 0;
    };
    let weight = |outcome: &SearchOutcome| i64::from(score(outcome) - least + 14) * i64::from(outcome.depth);
    let votes = |outcome: &SearchOutcome| {
        let mv = outcome.root_moves.first().map(|root| root.mv);
        outcomes.iter().filter(|other| other.root_moves.first().map(|root| root.mv) == mv).map(weight).sum::<i64>()
    };
    let mut best = 0;
    for (index, outcome) in outcomes.iter().enumerate().skip(1) {
        let (this, other) = (score(outcome), score(&outcomes[best]));
        let better = if other.is_decisive() || this.is_win() {
            // The shortest mate, or the longest resistance.
            this > other
        } else {
            let key = |outcome: &SearchOutcome| (votes(outcome), weight(outcome));
            !this.is_loss() && key(outcome) > key(&outcomes[best])
        };
        if better && outcome.depth > 0 {
            best = index;
        }
    }
    best
}
