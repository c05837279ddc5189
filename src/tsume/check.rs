//! Is a problem sound? The answer compared with the solution that was given, pieces left over (駒余り), cooks (余詰), and
//! variations that could be taken for the answer; `docs/problem-check.md` has the definitions.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use super::answer::{Answers, after, checks};
use super::variations::{Variations, variations};
use crate::mate::{FutileInterpositions, MateSettings, Solver};
use crate::position::Position;
use crate::types::{Color, Move};

/// Node limit for each question.
const NODES: u64 = 200_000;
/// What the results of a check mean; older ones are not reused.
pub(super) const REVISION: u32 = 2;

/// A move of the attacker, other than the answer's, that mates too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cook {
    /// The ply of the answer that it replaces, from 1.
    pub ply: usize,
    /// The move in USI.
    pub mv: String,
    /// It mates later than the answer.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub longer: bool,
    /// How the defender may go on, to the mate; its length is a bound.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub line: String,
    /// The ply of the answer to which that line comes back.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rejoins: Option<usize>,
}

/// Moves in place of the answer's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// The ply at which they leave it, from 1.
    pub ply: usize,
    /// The moves in USI.
    pub moves: String,
}

/// Why a solution that was given is not the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    /// The attacker mates sooner (早詰, hayazume).
    Faster,
    /// The check does not mate.
    NoMate,
    /// The defender lasts longer (変長, hencho).
    Longer,
    /// The defender lasts as long, and nothing is left over.
    Cleaner,
    /// The interposition is futile.
    Futile,
    /// No legal move, or no check.
    Illegal,
    /// It goes on after the mate.
    TooLong,
    /// It ends before the mate.
    Unfinished,
}

/// Where a solution that was given stops being the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deviation {
    /// The ply, from 1.
    pub ply: usize,
    /// What is wrong with the move.
    pub fault: Fault,
    /// The move given; empty where the solution ends.
    pub mv: String,
    /// Better moves in USI.
    pub better: Vec<String>,
}

/// What a check of soundness found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Soundness {
    /// Which version of the check found it.
    #[serde(default)]
    pub(super) revision: u32,
    /// The attacker's hand at the end, in SFEN letters; empty in a sound problem.
    pub left_over: String,
    /// Other first moves that mate as fast.
    pub first_moves: Vec<String>,
    /// Other moves of the attacker that mate; on the last ply they are customary, and only those that mate at once are
    /// looked for.
    pub cooks: Vec<Cook>,
    /// Other defences that are as good as the answer's (変同, hendo).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub equal_variations: Vec<Branch>,
    /// Variations in which the attacker can choose a slower mate that takes as long as the answer and leaves nothing over
    /// (変別, hembetsu), up to the attacker's move.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub slower_variations: Vec<Branch>,
    /// Questions that could not be decided within the node limit.
    pub undecided: usize,
    /// Length of the solution that the input gives, if the mate found is shorter (早詰, hayazume).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stated: Option<usize>,
    /// Where the solution that the input gives is not the answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub deviation: Option<Deviation>,
    /// The length is proven shortest, the solution given is the answer, nothing is left over, and there is no cook before
    /// the last ply.
    pub sound: bool,
}

/// What is checked.
pub(super) struct Solved<'a> {
    /// The problem.
    pub(super) position: &'a Position,
    /// Its main line.
    pub(super) solution: &'a [Move],
    /// The line is proven to be the shortest mate.
    pub(super) shortest: bool,
    /// The solution that the input gives, in USI; empty if it gives none.
    pub(super) stated: &'a [String],
    /// The interpositions that may be futile.
    pub(super) futile: FutileInterpositions,
    /// Whether variations are wanted.
    pub(super) variations: bool,
}

/// The outcome of a check.
pub(super) struct Checked {
    pub(super) soundness: Soundness,
    /// The answer, in place of the solver's line.
    pub(super) answer: Vec<Move>,
    pub(super) variations: Variations,
}

impl Solved<'_> {
    /// Checks the problem; `None` if it was stopped.
    pub(super) fn check(&self, solver: &mut Solver, stop: &AtomicBool) -> Option<Checked> {
        let settings = MateSettings { nodes: Some(NODES), futile: self.futile, ..MateSettings::default() };
        let attacker = crate::mate::attacker(self.position)?;
        let checked = solver.examine(self.position, attacker, &settings, stop, |examiner| {
            let mut check = Check {
                solved: self,
                attacker,
                answers: Answers::new(examiner, attacker),
                answer: self.solution.to_vec(),
                stop,
                report: Soundness { revision: REVISION, ..Soundness::default() },
            };
            check.run();
            let variations = match self.variations && self.shortest {
                true => variations(&mut check.answers, self.position, &check.answer),
                false => Variations::default(),
            };
            Checked { soundness: check.report, answer: check.answer, variations }
        });
        (!stop.load(Ordering::Relaxed)).then_some(checked)
    }
}

/// A check at work.
struct Check<'s, 'e, 'w, 'a> {
    solved: &'s Solved<'s>,
    attacker: Color,
    answers: Answers<'e, 'w, 'a>,
    answer: Vec<Move>,
    stop: &'s AtomicBool,
    report: Soundness,
}

impl Check<'_, '_, '_, '_> {
    fn run(&mut self) {
        let (position, stated) = (self.solved.position, self.solved.stated);
        let plies = self.solved.solution.len();
        self.report.stated = Some(stated.len()).filter(|&stated| plies < stated);
        if self.solved.shortest {
            let given: Vec<Move> = stated.iter().map_while(|word| word.parse().ok()).collect();
            let preferred = if given.is_empty() { self.solved.solution } else { &given };
            let answer = self.answers.line(position, plies as u16, preferred);
            if let Some(answer) = self.decided(answer) {
                self.answer = answer;
            }
            if !stated.is_empty() {
                let deviation = self.deviation();
                self.report.deviation = self.decided(deviation).flatten();
            }
        }
        let mut end = position.clone();
        self.answer.iter().for_each(|&mv| end.do_move(mv));
        self.report.left_over = end.hand(self.attacker).to_string();
        self.cooks();
        if self.solved.shortest {
            self.look_at_variations();
        }
        let report = &mut self.report;
        report.sound = self.solved.shortest
            && report.stated.is_none()
            && report.deviation.is_none()
            && report.undecided == 0
            && report.left_over.is_empty()
            && (report.first_moves.is_empty() || plies == 1)
            && report.cooks.iter().all(|cook| cook.ply == plies);
    }

    /// Counts an answer that could not be found.
    fn decided<T>(&mut self, answer: Option<T>) -> Option<T> {
        self.report.undecided += usize::from(answer.is_none());
        answer
    }

    /// Where the solution given leaves the answer; `None` inside if it does not.
    #[expect(clippy::option_option, reason = "undecided, no deviation and a deviation are three answers")]
    fn deviation(&mut self) -> Option<Option<Deviation>> {
        let mut position = self.solved.position.clone();
        let mut left = self.solved.solution.len() as u16;
        let usi = |moves: Vec<Move>| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
        for (index, word) in self.solved.stated.iter().enumerate() {
            let found =
                |fault, better| Some(Some(Deviation { ply: index + 1, fault, mv: word.clone(), better: usi(better) }));
            let attacks = self.answers.attacks(&position);
            let Some(mv) = word.parse().ok().filter(|&mv| position.is_legal(mv)) else {
                return found(Fault::Illegal, Vec::new());
            };
            if attacks && !position.gives_check(mv) {
                return found(Fault::Illegal, Vec::new());
            }
            if left == 0 {
                return found(Fault::TooLong, Vec::new());
            }
            let best = self.answers.best_moves(&position, left)?;
            let next = after(&position, mv);
            if !best.contains(&mv) {
                let fault = match attacks {
                    true if self.answers.examiner.is_mate(&next)? => Fault::Faster,
                    true => Fault::NoMate,
                    false => {
                        let counting = self.answers.examiner.counting_defences(&position, left)?;
                        if counting.iter().any(|&(other, _)| other == mv) { Fault::Longer } else { Fault::Futile }
                    }
                };
                return found(fault, best);
            }
            if !attacks {
                let cleaner = self.answers.best_defences(&position, left)?;
                if !cleaner.contains(&mv) {
                    return found(Fault::Cleaner, cleaner);
                }
            }
            position = next;
            left -= 1;
        }
        let unfinished = Deviation {
            ply: self.solved.stated.len() + 1,
            fault: Fault::Unfinished,
            mv: String::new(),
            better: Vec::new(),
        };
        Some((left > 0).then_some(unfinished))
    }

    /// Looks for other moves of the attacker that mate.
    fn cooks(&mut self) {
        let mut positions = vec![self.solved.position.clone()];
        for &mv in &self.answer {
            positions.extend(positions.last().map(|position| after(position, mv)));
        }
        let plies = self.answer.len();
        for index in 0..plies {
            if !self.answers.attacks(&positions[index]) {
                continue;
            }
            for &other in checks(&positions[index]).iter().filter(|&&other| other != self.answer[index]) {
                if self.stop.load(Ordering::Relaxed) {
                    return;
                }
                let next = after(&positions[index], other);
                let left = (plies - index - 1) as u16;
                // Most are no mates at all, which one question shows.
                let mates = if left == 0 { None } else { self.answers.examiner.is_mate(&next) };
                let as_fast = match mates {
                    Some(false) => Some(false),
                    _ => self.answers.examiner.is_mate_within(&next, left),
                };
                let longer = match (as_fast, mates) {
                    (Some(true), _) if index == 0 => {
                        self.report.first_moves.push(other.to_string());
                        continue;
                    }
                    (Some(true), _) => false,
                    (Some(false), Some(true)) => true,
                    (Some(false), Some(false)) => continue,
                    (Some(false), None) if left == 0 => continue,
                    _ => {
                        self.report.undecided += 1;
                        continue;
                    }
                };
                let line = self.answers.examiner.line(&next).unwrap_or_default();
                let rejoins = rejoins(next, &line, &positions[index + 1..]).map(|place| index + 2 + place);
                let line = line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
                self.report.cooks.push(Cook { ply: index + 1, mv: other.to_string(), longer, line, rejoins });
            }
        }
    }

    /// Looks for variations that are as good as the answer, or could be taken for it.
    fn look_at_variations(&mut self) {
        let mut position = self.solved.position.clone();
        let answer = self.answer.clone();
        for (index, &mv) in answer.iter().enumerate() {
            if !self.answers.attacks(&position) {
                let left = (answer.len() - index) as u16;
                let looked = self.look_at_defences(&position, index, left);
                self.decided(looked);
            }
            position.do_move(mv);
        }
    }

    fn look_at_defences(&mut self, position: &Position, index: usize, left: u16) -> Option<()> {
        let best = self.answers.best_defences(position, left)?;
        for (mv, plies) in self.answers.examiner.counting_defences(position, left)? {
            if self.stop.load(Ordering::Relaxed) || mv == self.answer[index] {
                continue;
            }
            if best.contains(&mv) {
                self.report.equal_variations.push(Branch { ply: index + 1, moves: mv.to_string() });
            } else if self.report.left_over.is_empty() {
                self.look_for_slower(&after(position, mv), index, mv, (plies - 1, left - 1))?;
            }
        }
        Some(())
    }

    /// Looks for slower mates in a variation after the defence `mv`: it takes `plies` more, the answer `longest`.
    fn look_for_slower(
        &mut self,
        position: &Position,
        index: usize,
        mv: Move,
        (plies, longest): (u16, u16),
    ) -> Option<()> {
        let mut position = position.clone();
        let line = self.answers.line(&position, plies, &[])?;
        for (done, &next) in line.iter().enumerate() {
            let left = longest - done as u16;
            if self.answers.attacks(&position) {
                for &other in checks(&position).iter() {
                    let slower = after(&position, other);
                    let examiner = &mut self.answers.examiner;
                    if examiner.is_mate_within(&slower, left - 1)?
                        && !(left >= 3 && examiner.is_mate_within(&slower, left - 3)?)
                        && self.answers.is_clean(&slower, left - 1)?
                    {
                        let moves: Vec<String> =
                            [&[mv], &line[..done], &[other]].concat().iter().map(ToString::to_string).collect();
                        self.report.slower_variations.push(Branch { ply: index + 1, moves: moves.join(" ") });
                    }
                }
            }
            position.do_move(next);
        }
        Some(())
    }
}

/// The place among `answer` of the first position of a line that is one of them.
fn rejoins(mut position: Position, line: &[Move], answer: &[Position]) -> Option<usize> {
    let find = |position: &Position| answer.iter().position(|other| other.key() == position.key());
    let mut place = find(&position);
    for &mv in line {
        if place.is_some() {
            break;
        }
        position.do_move(mv);
        place = find(&position);
    }
    place
}
