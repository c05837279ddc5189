//! Is a problem sound? Pieces left over (駒余り), other first moves, cooks (余詰).

use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::mate::{FutileInterpositions, MateSettings, Solver};
use crate::position::{Generate, MoveList, Position};
use crate::types::Move;

/// Node limit for each move that may be a cook.
const NODES: u64 = 2_000_000;

/// A move of the attacker, other than the solution's, that mates as fast.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cook {
    /// The ply of the solution that it replaces, from 1.
    pub ply: usize,
    /// The move in USI.
    pub mv: String,
}

/// What a check of soundness found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Soundness {
    /// The attacker's hand at the end, in SFEN letters; empty in a sound problem.
    pub left_over: String,
    /// Other first moves that mate within the solution's length.
    pub first_moves: Vec<String>,
    /// Other later moves of the attacker that mate within what is left of the length; on the last ply they are
    /// customary.
    pub cooks: Vec<Cook>,
    /// Moves that could not be decided within the node limit.
    pub undecided: usize,
    /// Length of the solution that the input gives, if the mate found is shorter (早詰, hayazume).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stated: Option<usize>,
    /// The length is proven shortest and not shorter than stated, nothing is left over, there is no other first move,
    /// and no cook before the last ply.
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
    /// Length of the solution that the input gives.
    pub(super) stated: Option<usize>,
    /// The interpositions that may be futile.
    pub(super) futile: FutileInterpositions,
}

impl Solved<'_> {
    /// Checks the problem; `None` if it was stopped.
    pub(super) fn check(&self, solver: &Solver, stop: &AtomicBool) -> Option<Soundness> {
        let settings = MateSettings { nodes: Some(NODES), futile: self.futile, ..MateSettings::default() };
        let solution = self.solution;
        let mut report =
            Soundness { stated: self.stated.filter(|&stated| solution.len() < stated), ..Soundness::default() };
        let mut position = self.position.clone();
        let Some(attacker) = crate::mate::attacker(&position) else {
            return Some(report);
        };
        for (index, &mv) in solution.iter().enumerate() {
            if position.side_to_move() == attacker {
                let left = solution.len() - index;
                let mut checks = MoveList::new();
                position.generate(Generate::Checks, &mut checks);
                for &other in checks.iter().filter(|&&other| other != mv) {
                    position.do_move(other);
                    let mates = solver.is_mated_within(&position, (left - 1) as u16, &settings, stop);
                    position.undo_move();
                    if stop.load(Ordering::Relaxed) {
                        return None;
                    }
                    match mates {
                        Some(true) if index == 0 => report.first_moves.push(other.to_string()),
                        Some(true) => report.cooks.push(Cook { ply: index + 1, mv: other.to_string() }),
                        Some(false) => {}
                        None => report.undecided += 1,
                    }
                }
            }
            position.do_move(mv);
        }
        report.left_over = position.hand(attacker).to_string();
        report.sound = self.shortest
            && report.stated.is_none()
            && report.undecided == 0
            && report.left_over.is_empty()
            && (report.first_moves.is_empty() || solution.len() == 1)
            && report.cooks.iter().all(|cook| cook.ply == solution.len());
        Some(report)
    }
}
