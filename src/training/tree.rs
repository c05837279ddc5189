//! What a search knows beside its result: the positions of its tree, from the transposition table.
//!
//! A search of a thousand nodes has looked some plies deep at dozens of positions, and found bounds of their values.
//! Where a bound contradicts the static value, that value was wrong; where it does not, nothing is known against it. A
//! network that learns from all of them and not from the root alone is taught many times as much by the same search
//! (TreeStrap: Veness, Silver, Uther & Blair, *Bootstrapping from Game Tree Search*, NIPS 2009).

use std::collections::HashSet;

use super::record::Labelled;
use crate::platform::random::Random;
use crate::position::Position;
use crate::tt::{Entry, TranspositionTable};
use crate::types::{Bound, Depth, MAX_PLY, Score};

/// The share that is kept of positions whose bound agrees with the static value: they say that it was right.
const AGREEING: f32 = 0.25;

/// Scores above this are left out: they come from repetitions, which a position does not know of.
const LARGEST: i32 = 20_000;

/// Positions of searches' trees, each one once.
#[derive(Default)]
pub struct Tree {
    given_out: HashSet<u64>,
}

impl Tree {
    /// Forgets which positions have been given out.
    pub fn forget(&mut self) {
        self.given_out.clear();
    }

    /// The positions from `position` on that a table has searched at least `least` plies deep, with the value that they
    /// have at least, at most or exactly, or else their static value where the bound lies on its other side; a quarter
    /// of the latter. Positions in check are left out, those whose best move is known to be a capture or a promotion,
    /// and the first: its value is the search's result. Earlier searches with the same table have their part in it.
    pub fn read(&mut self, table: &TranspositionTable, position: &Position, least: Depth) -> Vec<Labelled> {
        let mut found = Vec::new();
        self.given_out.insert(position.key());
        let mut walk = Walk {
            table,
            least,
            entered: HashSet::from([position.key()]),
            given_out: &mut self.given_out,
            found: &mut found,
        };
        walk.on(&mut position.clone(), MAX_PLY);
        found
    }
}

/// One way through a table.
struct Walk<'a> {
    table: &'a TranspositionTable,
    least: Depth,
    entered: HashSet<u64>,
    given_out: &'a mut HashSet<u64>,
    found: &'a mut Vec<Labelled>,
}

impl Walk<'_> {
    /// Goes on from a position, at most `left` plies.
    fn on(&mut self, position: &mut Position, left: usize) {
        if left == 0 {
            return;
        }
        for &mv in &position.legal_moves() {
            position.do_move(mv);
            let key = position.key();
            if let Some(entry) = self.table.probe(key).filter(|e| e.depth >= self.least)
                && self.entered.insert(key)
            {
                if self.given_out.insert(key) {
                    self.found.extend(lesson(position, &entry));
                }
                if entry.depth > self.least {
                    self.on(position, left - 1);
                }
            }
            position.undo_move();
        }
    }
}

/// A position with the value that its entry teaches, if the entry has something to say.
fn lesson(position: &Position, entry: &Entry) -> Option<Labelled> {
    let (bound, eval) = (entry.bound?, entry.eval?);
    if entry.mv.is_some_and(|mv| !position.is_legal(mv)) {
        return None;
    }
    let best = entry.mv;
    let loud = best.is_some_and(|mv| position.is_capture(mv) || mv.is_promotion());
    if position.in_check() || loud || entry.score.0.abs() > LARGEST {
        return None;
    }
    let value = taught(entry.score, bound, eval);
    // The position itself decides, so that the seed's random moves are the same for every network.
    if value == eval && !Random::new(position.key()).chance(AGREEING) {
        return None;
    }
    Some(Labelled::judged(position, value, best))
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
    use crate::training::generate::{Settings, Thinker};
    use crate::training::thinker::Searcher;

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
        let settings = Settings { nodes: 3000, ..Settings::default() };
        let mut searcher = Searcher::new(&settings, Evaluator::HandCrafted).expect("a table");
        let position = Position::startpos();
        searcher.new_game();
        searcher.think(&position).expect("a move");
        let table = searcher.table().expect("a table");
        let mut tree = Tree::default();
        let first = tree.read(table, &position, 2);
        assert!(first.len() > 20, "{}", first.len());
        let mut distinct = HashSet::new();
        for lesson in &first {
            let sfen = format!("{} {}", lesson.position.to_sfen(), lesson.ply);
            let position = Position::from_sfen(&sfen).expect("within the rules");
            assert!(!position.in_check() && lesson.ply > 1, "{sfen}");
            assert!(distinct.insert(position.key()), "twice: {sfen}");
            let entry = table.probe(position.key()).expect("from the table");
            assert!(entry.depth >= 2);
            let loud = |mv| position.is_capture(mv) || mv.is_promotion();
            assert!(!lesson.best.is_some_and(loud), "{sfen}");
            let (bound, eval) = (entry.bound.expect("a bound"), entry.eval.expect("a value"));
            assert_eq!(i32::from(lesson.score), taught(entry.score, bound, eval).0, "{sfen}");
        }
        assert!(tree.read(table, &position, 2).is_empty());
        tree.forget();
        let deeper = tree.read(table, &position, 4).len();
        assert!((1..first.len()).contains(&deeper), "{deeper}");
    }
}
