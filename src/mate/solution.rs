//! What the solver answers.

use std::time::Duration;

use crate::types::Move;

/// A mate that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mate {
    /// The main line: the attacker's shortest known mate against the longest defence to it that was found.
    pub line: Vec<Move>,
    /// The mate is proven to be the shortest.
    pub shortest: bool,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateVerdict {
    /// A mate by consecutive checks.
    Mate(Mate),
    /// Proven: there is no mate by consecutive checks.
    NoMate,
    /// A limit was reached first.
    Unknown,
}

/// The answer and its cost.
#[derive(Clone, Debug)]
pub struct MateSolution {
    /// The answer.
    pub verdict: MateVerdict,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}
