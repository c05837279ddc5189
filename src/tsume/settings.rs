//! How to solve a batch of problems.

use std::path::PathBuf;

use crate::client::EngineSpec;
use crate::mate::{FutileInterpositions, MateSettings};

/// How to solve a batch of problems.
#[derive(Clone, Debug)]
pub struct SolveSettings {
    /// Limits and length for each problem.
    pub settings: MateSettings,
    /// Table of each problem in MiB.
    pub megabytes: usize,
    /// Problems solved at once; with engines: by each of them, as so many processes.
    pub jobs: usize,
    /// Engines that solve the problems by `go mate`, their options set; none: this process does.
    pub engines: Vec<EngineSpec>,
    /// Check soundness too; the length is then proven.
    pub check: bool,
    /// Give all variations of problems that are checked.
    pub variations: bool,
    /// File that keeps the results; those in it are not solved again.
    pub journal: Option<PathBuf>,
}

impl SolveSettings {
    /// What is asked of each problem, for comparison with earlier results.
    pub(super) fn asked(&self) -> String {
        let MateSettings { nodes, time, threads, length, futile } = &self.settings;
        let limit = |limit: Option<String>| limit.unwrap_or_else(|| "any".to_owned());
        let counting = match futile {
            FutileInterpositions::None => ", interpositions".to_owned(),
            FutileInterpositions::Drops => String::new(),
            FutileInterpositions::Moves | FutileInterpositions::Any => format!(", futile {futile:?}"),
        };
        format!(
            "{length:?}, check {}, nodes {}, seconds {}, threads {threads}, {} MiB{counting}",
            self.check,
            limit(nodes.map(|nodes| nodes.to_string())),
            limit(time.map(|time| time.as_secs_f64().to_string())),
            self.megabytes
        )
    }
}
