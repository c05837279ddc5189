//! The answer to a problem (正解手順).
//!
//! The attacker mates as fast as possible, the defender lasts as long as possible. Of defences that last equally long, one
//! after which no piece is left in the attacker's hand is better; so the attacker, in a variation, prefers a mate that
//! leaves some (駒余り, komaamari). In the answer itself the attacker leaves none if possible: that a piece could
//! be left is a flaw of another kind (余詰, yozume).

use std::collections::HashMap;

use crate::mate::Examiner;
use crate::position::{Generate, MoveList, Position};
use crate::types::{Color, Move, PieceType};

/// Nodes for all questions whether pieces are left over.
const NODES: u64 = 20_000_000;

/// Finds best moves and lines of one problem. Results are `None` where a question cannot be decided.
pub(super) struct Answers<'e, 'w, 'a> {
    pub(super) examiner: &'e mut Examiner<'w, 'a>,
    attacker: Color,
    /// Whether nothing is left over, by position and length.
    clean: HashMap<(u64, u16), bool>,
}

/// The checks in a position.
pub(super) fn checks(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    position.generate(Generate::Checks, &mut list);
    list
}

impl<'e, 'w, 'a> Answers<'e, 'w, 'a> {
    pub(super) fn new(examiner: &'e mut Examiner<'w, 'a>, attacker: Color) -> Self {
        Self { examiner, attacker, clean: HashMap::new() }
    }

    pub(super) fn attacks(&self, position: &Position) -> bool {
        position.side_to_move() == self.attacker
    }

    /// The shortest checks or the longest defences of a position that is mate in exactly `plies`.
    pub(super) fn best_moves(&mut self, position: &Position, plies: u16) -> Option<Vec<Move>> {
        if !self.attacks(position) {
            return self.examiner.longest_defences(position, plies);
        }
        let mut best = Vec::new();
        for &mv in checks(position).iter() {
            if self.examiner.is_mate_within(&after(position, mv), plies - 1)? {
                best.push(mv);
            }
        }
        Some(best)
    }

    /// Whether the defender of a position that is mate in exactly `plies` can see to it that no piece is left over
    /// without losing sooner.
    pub(super) fn is_clean(&mut self, position: &Position, plies: u16) -> Option<bool> {
        let hand = position.hand(self.attacker);
        let held: u32 = PieceType::HAND.into_iter().map(|kind| hand.count(kind)).sum();
        let attacks = self.attacks(position);
        let moves = u32::from(plies + u16::from(attacks)) / 2;
        if plies == 0 || held > moves {
            return Some(held == 0);
        }
        let key = (position.key(), plies);
        if let Some(&known) = self.clean.get(&key) {
            return Some(known);
        }
        if self.examiner.nodes() > NODES {
            return None;
        }
        let mut clean = attacks;
        for mv in self.best_moves(position, plies)? {
            if self.is_clean(&after(position, mv), plies - 1)? != attacks {
                clean = !attacks;
                break;
            }
        }
        self.clean.insert(key, clean);
        Some(clean)
    }

    /// The best of the longest defences: those after which nothing is left over, if there are any.
    pub(super) fn best_defences(&mut self, position: &Position, plies: u16) -> Option<Vec<Move>> {
        let longest = self.best_moves(position, plies)?;
        let mut best = Vec::new();
        for &mv in &longest {
            if self.is_clean(&after(position, mv), plies - 1)? {
                best.push(mv);
            }
        }
        Some(if best.is_empty() { longest } else { best })
    }

    /// The answer from a position that is mate in exactly `plies`, by the moves of `preferred` as long as they are among the
    /// best.
    pub(super) fn line(&mut self, position: &Position, plies: u16, preferred: &[Move]) -> Option<Vec<Move>> {
        let mut position = position.clone();
        let mut line: Vec<Move> = Vec::new();
        for left in (1..=plies).rev() {
            let best = if self.attacks(&position) {
                self.best_moves(&position, left)?
            } else {
                self.best_defences(&position, left)?
            };
            let wanted = preferred.get(line.len()).filter(|_| preferred.starts_with(&line));
            let mut chosen = wanted.copied().filter(|mv| best.contains(mv));
            if chosen.is_none() && self.attacks(&position) {
                for &mv in &best {
                    if self.is_clean(&after(&position, mv), left - 1)? {
                        chosen = Some(mv);
                        break;
                    }
                }
            }
            let mv = chosen.or_else(|| best.first().copied())?;
            position.do_move(mv);
            line.push(mv);
        }
        Some(line)
    }
}

/// The position after a move.
pub(super) fn after(position: &Position, mv: Move) -> Position {
    let mut after = position.clone();
    after.do_move(mv);
    after
}
