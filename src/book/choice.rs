//! Which of a book's moves may be played, why not the others, and the choice among them.

use std::fmt;

use super::BookMove;
use crate::platform::random::Random;
use crate::position::{Position, Repetition};
use crate::types::Color;

/// The limits that the user sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChoiceLimits {
    /// Moves worse than the best by more are left out.
    pub eval_diff: i32,
    /// Moves of a lower value are left out, by colour.
    pub eval_limit: [i32; 2],
    /// Where the best move was searched less deeply, the book has nothing; 0 for no limit.
    pub depth_limit: u32,
    /// Moves below a tenth of the position's count are left out.
    pub narrow: bool,
    /// The choice is in proportion to the counts, not even.
    pub by_count: bool,
}

impl Default for ChoiceLimits {
    fn default() -> Self {
        Self { eval_diff: 30, eval_limit: [-100, -150], depth_limit: 0, narrow: false, by_count: false }
    }
}

/// Why a move of the book is not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// It is not legal: the book is broken, or two positions share a key.
    Illegal,
    /// It repeats the position for the fourth time, or loses by perpetual check.
    Repetition,
    /// [`ChoiceLimits::narrow`].
    Narrow,
    /// [`ChoiceLimits::depth_limit`].
    Depth,
    /// [`ChoiceLimits::eval_diff`].
    Difference,
    /// [`ChoiceLimits::eval_limit`] of a colour.
    Value(Color),
}

/// The option that rejects, or the rule.
impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Illegal => "illegal",
            Self::Repetition => "repetition",
            Self::Narrow => "NarrowBook",
            Self::Depth => "BookDepthLimit",
            Self::Difference => "BookEvalDiff",
            Self::Value(Color::Black) => "BookEvalBlackLimit",
            Self::Value(Color::White) => "BookEvalWhiteLimit",
        })
    }
}

/// A move of the book, judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// What the book says.
    pub entry: BookMove,
    /// Why it is not played; `None` if it may be.
    pub rejection: Option<Rejection>,
    /// The probability that it is chosen.
    pub chance: f64,
}

/// Judges the moves of a position, best first. The limits work in YaneuraOu's order: NarrowBook, then the best
/// remaining move's depth, then the values against that move's. What the book does not know rejects nothing.
pub fn judge(position: &Position, moves: &[BookMove], limits: &ChoiceLimits) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = moves
        .iter()
        .map(|&entry| Candidate { entry, rejection: against_the_rules(position, &entry), chance: 0.0 })
        .collect();
    let is_legal = |candidate: &&Candidate| candidate.rejection != Some(Rejection::Illegal);
    let total: u64 =
        candidates.iter().filter(is_legal).map(|candidate| candidate.entry.count).fold(0, u64::saturating_add);
    reject(&mut candidates, Rejection::Narrow, |entry| limits.narrow && (entry.count as f64) < total as f64 * 0.1);
    let best = candidates.iter().find(|candidate| candidate.rejection.is_none()).map(|candidate| candidate.entry);
    if let Some(best) = best {
        let too_shallow = limits.depth_limit > 0 && best.depth.is_some_and(|depth| depth < limits.depth_limit);
        reject(&mut candidates, Rejection::Depth, |_| too_shallow);
        let worst = best.value.map(|value| value.saturating_sub(limits.eval_diff));
        reject(&mut candidates, Rejection::Difference, |entry| {
            worst.zip(entry.value).is_some_and(|(worst, value)| value < worst)
        });
        // A handicap is a disadvantage from the start.
        let side = position.side_to_move();
        let limit = if is_full_set(position) { limits.eval_limit[side.index()] } else { i32::MIN };
        reject(&mut candidates, Rejection::Value(side), |entry| entry.value.is_some_and(|value| value < limit));
    }
    set_chances(&mut candidates, limits.by_count);
    candidates
}

fn reject(candidates: &mut [Candidate], rejection: Rejection, fails: impl Fn(&BookMove) -> bool) {
    for candidate in candidates.iter_mut().filter(|candidate| candidate.rejection.is_none()) {
        if fails(&candidate.entry) {
            candidate.rejection = Some(rejection);
        }
    }
}

/// Whether all pieces of an even game are there.
fn is_full_set(position: &Position) -> bool {
    let held: u32 = Color::ALL.iter().flat_map(|&color| position.hand(color).iter()).map(|(_, count)| count).sum();
    position.occupied().count() + held == 40
}

fn against_the_rules(position: &Position, entry: &BookMove) -> Option<Rejection> {
    if !position.is_legal(entry.mv) {
        return Some(Rejection::Illegal);
    }
    let mut after = position.clone();
    after.do_move(entry.mv);
    // A win is one for the opponent, who is to move: all our moves were checks.
    matches!(after.repetition(), Some(Repetition::Draw | Repetition::Win)).then_some(Rejection::Repetition)
}

fn set_chances(candidates: &mut [Candidate], by_count: bool) {
    let counts = |candidates: &[Candidate]| {
        candidates
            .iter()
            .filter(|candidate| candidate.rejection.is_none())
            .map(|candidate| candidate.entry.count as f64)
            .sum::<f64>()
    };
    let total = counts(candidates);
    let left = candidates.iter().filter(|candidate| candidate.rejection.is_none()).count();
    for candidate in candidates.iter_mut().filter(|candidate| candidate.rejection.is_none()) {
        let proportion = by_count && total > 0.0;
        candidate.chance = if proportion { candidate.entry.count as f64 / total } else { 1.0 / left as f64 };
    }
}

/// Chooses one of those that may be played, by their chances.
pub fn pick<'a>(candidates: &'a [Candidate], random: &mut Random) -> Option<&'a Candidate> {
    let mut open = candidates.iter().filter(|candidate| candidate.chance > 0.0);
    let mut rest = f64::from(random.unit());
    let last = open.clone().next_back();
    open.find(|candidate| {
        rest -= candidate.chance;
        rest < 0.0
    })
    .or(last)
}
