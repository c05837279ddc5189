//! The variations of an answer: what the attacker plays against every other defence that counts.

use std::collections::{HashSet, VecDeque};

use super::answer::{Answers, after};
use crate::position::Position;
use crate::types::Move;

/// Moves written at most.
const MOVES: usize = 5000;

/// The variations of an answer.
#[derive(Default)]
pub(super) struct Variations {
    /// Lines from the problem's position to a mate. Each leaves an earlier one, or the answer, by a defence.
    pub(super) lines: Vec<Vec<Move>>,
    /// There are more.
    pub(super) cut: bool,
}

/// All variations of an answer, those that leave it directly first. Variations of a position that comes up twice are given
/// once; where they are very many, or a question cannot be decided, some are left out.
pub(super) fn variations(answers: &mut Answers, problem: &Position, answer: &[Move]) -> Variations {
    let mut found = Variations::default();
    let mut seen = HashSet::new();
    // Lines, and how many of their moves belong to the line that they leave.
    let mut queue = VecDeque::from([(answer.to_vec(), 0)]);
    let mut written = 0;
    while let Some((line, shared)) = queue.pop_front() {
        let mut position = problem.clone();
        for (index, &mv) in line.iter().enumerate() {
            if index >= shared && !answers.attacks(&position) && seen.insert(position.key()) {
                let left = (line.len() - index) as u16;
                let Some(defences) = answers.examiner.counting_defences(&position, left) else {
                    found.cut = true;
                    return found;
                };
                for (other, plies) in defences.into_iter().filter(|&(other, _)| other != mv) {
                    let rest = match written < MOVES {
                        true => answers.line(&after(&position, other), plies - 1, &[]),
                        false => None,
                    };
                    let Some(rest) = rest else {
                        found.cut = true;
                        return found;
                    };
                    written += 1 + rest.len();
                    let variation = [&line[..index], &[other], &rest].concat();
                    found.lines.push(variation.clone());
                    queue.push_back((variation, index + 1));
                }
            }
            position.do_move(mv);
        }
    }
    found
}
