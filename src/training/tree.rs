//! What a search knows beside its result: the positions of its tree, from the transposition table.
//!
//! A search of a thousand nodes has looked some plies deep at dozens of positions, and found bounds of their values.
//! Where a bound contradicts the static value, that value was wrong; where it does not, nothing is known against it. A
//! network that learns from all of them and not from the root alone is taught many times as much by the same search
//! (TreeStrap: Veness, Silver, Uther & Blair, *Bootstrapping from Game Tree Search*, NIPS 2009).

use std::collections::HashSet;

use super::placement::Placement;
use super::record::Labelled;
use crate::position::Position;
use crate::random::Random;
use crate::tt::{Entry, TranspositionTable};
use crate::types::{Bound, Depth, Score};

/// The share that is kept of positions whose bound agrees with the static value: they say that it was right.
const AGREEING: f32 = 0.25;

/// Positions of a search's tree, each one once.
#[derive(Default)]
pub struct Tree {
    seen: HashSet<u64>,
}

impl Tree {
    /// Forgets which positions have been given out.
    pub fn forget(&mut self) {
        self.seen.clear();
    }

    /// The quiet positions from `position` on that a table has searched at least `least` plies deep, with the value that
    /// they have at least, at most or exactly, or else their static value where the bound lies on its other side. The
    /// first position is left out: its value is the search's result.
    pub fn read(
        &mut self,
        table: &TranspositionTable,
        position: &Position,
        least: Depth,
        random: &mut Random,
    ) -> Vec<Labelled> {
        let mut found = Vec::new();
        self.seen.insert(position.key());
        self.walk(table, &mut position.clone(), least, random, &mut found);
        found
    }

    fn walk(
        &mut self,
        table: &TranspositionTable,
        position: &mut Position,
        least: Depth,
        random: &mut Random,
        found: &mut Vec<Labelled>,
    ) {
        for &mv in &position.legal_moves() {
            position.do_move(mv);
            let key = position.key();
            if let Some(entry) = table.probe(key).filter(|entry| entry.depth >= least)
                && self.seen.insert(key)
            {
                found.extend(lesson(position, &entry, random));
                if entry.depth > least {
                    self.walk(table, position, least, random, found);
                }
            }
            position.undo_move();
        }
    }
}

/// A position with the value that its entry teaches, if it is quiet and the entry has something to say.
fn lesson(position: &Position, entry: &Entry, random: &mut Random) -> Option<Labelled> {
    let (bound, eval) = (entry.bound?, entry.eval?);
    let best = entry.mv.filter(|&mv| position.is_legal(mv));
    let quiet = best.is_none_or(|mv| !position.is_capture(mv) && !mv.is_promotion());
    if position.in_check() || !quiet || entry.score.is_decisive() {
        return None;
    }
    let value = taught(entry.score, bound, eval);
    if value == eval && !random.chance(AGREEING) {
        return None;
    }
    Some(Labelled {
        position: Placement::from(position),
        score: value.0.clamp(-32000, 32000) as i16,
        best,
        ply: u16::try_from(position.move_number()).unwrap_or(u16::MAX),
        // Nobody played on from here.
        result: 0,
    })
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
        let settings = Settings {
            nodes: 3000,
            ..Settings::default()
        };
        let mut searcher = Searcher::new(&settings, Evaluator::Handmade).expect("a table");
        let position = Position::startpos();
        searcher.new_game();
        searcher.think(&position).expect("a move");
        let table = searcher.table().expect("a table");
        let (mut tree, mut random) = (Tree::default(), Random::new(1));
        let first = tree.read(table, &position, 2, &mut random);
        assert!(first.len() > 20, "{}", first.len());
        let mut distinct = HashSet::new();
        for lesson in &first {
            let sfen = format!("{} {}", lesson.position.to_sfen(), lesson.ply);
            let position = Position::from_sfen(&sfen).expect("within the rules");
            assert!(!position.in_check() && lesson.ply > 1, "{sfen}");
            assert!(distinct.insert(position.key()), "twice: {sfen}");
            let entry = table.probe(position.key()).expect("from the table");
            assert!(entry.depth >= 2);
        }
        assert!(tree.read(table, &position, 2, &mut random).is_empty());
        tree.forget();
        let deeper = tree.read(table, &position, 4, &mut random).len();
        assert!((1..first.len()).contains(&deeper), "{deeper}");
    }
}
