//! What a caller may ask of the solver.

use std::time::Duration;

/// How much the length of the mate matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MateLength {
    /// The first mate found will do.
    #[default]
    First,
    /// The first mate is shortened, for about as many nodes again as finding it took.
    Short,
    /// The shortest mate, proven to be the shortest.
    Exact,
}

/// Limits and goal of a search.
#[derive(Clone, Debug)]
pub struct MateSettings {
    /// Node limit; `None` for no limit.
    pub nodes: Option<u64>,
    /// Time limit; `None` for no limit.
    pub time: Option<Duration>,
    /// Threads that search with one table, at least 1.
    pub threads: usize,
    /// How much the length matters.
    pub length: MateLength,
    /// Whether futile interpositions (無駄合い, mudaai) count as moves. In composed problems they do not.
    pub count_interpositions: bool,
}

impl Default for MateSettings {
    fn default() -> Self {
        Self { nodes: None, time: None, threads: 1, length: MateLength::First, count_interpositions: false }
    }
}
