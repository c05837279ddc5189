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

/// Which interpositions (合駒, aigoma) may be futile (無駄合い, mudaai) and then are no moves of the mate. Each convention
/// includes the one before it; `docs/futile-interpositions.md` says who uses which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FutileInterpositions {
    /// None: every interposition counts.
    None,
    /// Drops that the checking piece captures.
    #[default]
    Drops,
    /// Moves of pieces on the board (移動合, idogo) too.
    Moves,
    /// Captures by another piece too, if it gives check from there.
    Any,
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
    /// The interpositions that may be futile. In composed problems, futile ones are no moves.
    pub futile: FutileInterpositions,
}

impl Default for MateSettings {
    fn default() -> Self {
        Self { nodes: None, time: None, threads: 1, length: MateLength::First, futile: FutileInterpositions::default() }
    }
}
