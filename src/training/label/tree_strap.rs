//! TreeStrap: labels for the positions of a search's tree, from the transposition table.
//!
//! A search of a thousand nodes has searched dozens of positions some plies deep and has bounds of their values. Where
//! a bound contradicts the static value, that value was wrong; where it does not, nothing speaks against it. Learning
//! from all of them and not from the root alone makes many times as much of the same search (Veness, Silver, Uther and
//! Blair, *Bootstrapping from Game Tree Search*, NIPS 2009).

use std::collections::HashSet;

use crate::platform::random::Random;
use crate::position::Position;
use crate::training::data::record::Labelled;
use crate::tt::{Entry, TranspositionTable};
use crate::types::{Bound, Depth, MAX_PLY, Score};

/// The share kept of positions whose bound agrees with the static value: they confirm it.
const AGREEING: f32 = 0.25;

/// Scores above this are left out: they may come from repetitions, which a position does not know of.
const LARGEST: i32 = 20_000;

/// Reads positions of searches' trees, each one once.
#[derive(Default)]
pub struct TreeStrap {
    returned: HashSet<u64>,
}

impl TreeStrap {
    /// Forgets which positions were returned.
    pub fn forget(&mut self) {
        self.returned.clear();
    }

    /// The positions below `position` that were searched at least `least` plies deep, with the search's bound as value
    /// where it contradicts the static value, and a quarter of the others with their static value. Left out are
    /// positions in check, those whose best move is a capture or a promotion, and the root, whose value is the search's
    /// result. Earlier searches with the same table have their part in it.
    pub fn read(&mut self, table: &TranspositionTable, position: &Position, least: Depth) -> Vec<Labelled> {
        let mut found = Vec::new();
        self.returned.insert(position.key());
        let mut walk = Walk {
            table,
            least,
            entered: HashSet::from([position.key()]),
            returned: &mut self.returned,
            found: &mut found,
        };
        walk.descend(&mut position.clone(), MAX_PLY);
        found
    }
}

/// A walk through the positions of a table.
struct Walk<'a> {
    table: &'a TranspositionTable,
    least: Depth,
    entered: HashSet<u64>,
    returned: &'a mut HashSet<u64>,
    found: &'a mut Vec<Labelled>,
}

impl Walk<'_> {
    /// Continues from a position, at most `left` plies.
    fn descend(&mut self, position: &mut Position, left: usize) {
        if left == 0 {
            return;
        }
        for &mv in &position.legal_moves() {
            position.do_move(mv);
            let key = position.key();
            if let Some(entry) = self.table.probe(key).filter(|e| e.depth >= self.least)
                && self.entered.insert(key)
            {
                if self.returned.insert(key) {
                    self.found.extend(label(position, &entry));
                }
                if entry.depth > self.least {
                    self.descend(position, left - 1);
                }
            }
            position.undo_move();
        }
    }
}

/// A position with the value that its entry teaches, if it teaches one.
fn label(position: &Position, entry: &Entry) -> Option<Labelled> {
    let (bound, eval) = (entry.bound?, entry.eval?);
    if entry.mv.is_some_and(|mv| !position.is_legal(mv)) {
        return None;
    }
    let best = entry.mv;
    let tactical = best.is_some_and(|mv| position.is_capture(mv) || mv.is_promotion());
    if position.in_check() || tactical || entry.score.0.abs() > LARGEST {
        return None;
    }
    let value = taught(entry.score, bound, eval);
    // The position itself decides, so that the seed's random moves are the same for every network.
    if value == eval && !Random::new(position.key()).chance(AGREEING) {
        return None;
    }
    Some(Labelled::new(position, value, best))
}

/// The static value, moved as far as the bound demands.
fn taught(score: Score, bound: Bound, eval: Score) -> Score {
    match bound {
        Bound::Exact => score,
        Bound::Lower => eval.max(score),
        Bound::Upper => eval.min(score),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Evaluator;
    use crate::training::selfplay::player::{Player, SearchPlayer, SearchSettings};

    #[test]
    fn a_bound_moves_the_static_value_only_where_it_contradicts_it() {
        for (score, bound, eval, value) in [
            (50, Bound::Exact, -20, 50),
            (50, Bound::Lower, -20, 50),
            (50, Bound::Lower, 80, 80),
            (50, Bound::Upper, 80, 50),
            (50, Bound::Upper, -20, -20),
        ] {
            assert_eq!(taught(Score(score), bound, Score(eval)), Score(value));
        }
    }

    #[test]
    fn a_search_gives_the_quiet_positions_of_its_tree_once() {
        let settings = SearchSettings { nodes: 3000, hash: 8, longest: 320 };
        let mut searcher = SearchPlayer::new(settings, Evaluator::HandCrafted).expect("a table");
        let position = Position::startpos();
        searcher.new_game();
        searcher.think(&position).expect("a move");
        let table = searcher.table().expect("a table");
        let mut tree = TreeStrap::default();
        let first = tree.read(table, &position, 2);
        assert!(first.len() > 20, "{}", first.len());
        let mut distinct = HashSet::new();
        for label in &first {
            let sfen = label.position.to_sfen(label.ply.into());
            let position = Position::from_sfen(&sfen).expect("within the rules");
            assert!(!position.in_check() && label.ply > 1, "{sfen}");
            assert!(distinct.insert(position.key()), "twice: {sfen}");
            let entry = table.probe(position.key()).expect("from the table");
            assert!(entry.depth >= 2);
            let tactical = |mv| position.is_capture(mv) || mv.is_promotion();
            assert!(!label.best.is_some_and(tactical), "{sfen}");
            let (bound, eval) = (entry.bound.expect("a bound"), entry.eval.expect("a value"));
            assert_eq!(i32::from(label.score), taught(entry.score, bound, eval).0, "{sfen}");
        }
        assert!(tree.read(table, &position, 2).is_empty());
        tree.forget();
        let deeper = tree.read(table, &position, 4).len();
        assert!((1..first.len()).contains(&deeper), "{deeper}");
    }
}
