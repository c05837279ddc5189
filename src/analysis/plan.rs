//! What is analysed, how, and what is told meanwhile.

use std::path::PathBuf;
use std::time::Duration;

use super::{Budget, CommentStyle};
use crate::client::EngineSpec;

/// Where an analysed file goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Overwrites the source.
    InPlace,
    /// Another file; if it already holds the same games, their analysis is continued.
    File(PathBuf),
    /// Not written; for reports only.
    Nowhere,
}

/// A file to analyse.
#[derive(Clone, Debug)]
pub struct FileJob {
    /// The file.
    pub source: PathBuf,
    /// Where the result goes.
    pub goal: Destination,
}

/// How files are analysed.
#[derive(Clone, Debug)]
pub struct AnalysisPlan {
    /// The engines, which share the games. All must be the same program in the same version, be it on other machines.
    pub engines: Vec<EngineSpec>,
    /// The search budget for each position.
    pub budget: Budget,
    /// Time for the engine's mate solver on each position; zero for none.
    pub mate: Duration,
    /// Number of best lines (MultiPV).
    pub lines: u32,
    /// The form of the comments.
    pub style: CommentStyle,
    /// Whether variations are analysed too.
    pub variations: bool,
    /// Games that each engine analyses in parallel, as so many processes.
    pub workers: usize,
    /// Whether files are overwritten even if something in them was not understood.
    pub force: bool,
}

/// Progress of an analysis; reported from several threads.
#[derive(Clone, Debug)]
pub enum AnalysisEvent {
    /// The number of positions to analyse, without those already done.
    Total(usize),
    /// A position has been analysed.
    Position,
    /// The engine has started; its name.
    Engine(String),
    /// Something that the user should know, one sentence.
    Warning(String),
}
