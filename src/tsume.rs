//! Batches of mate problems: solved in parallel, checked for soundness, reported.

mod batch;
mod check;
mod input;
mod journal;
mod result;
mod settings;

pub use batch::{BatchError, run};
pub use check::{Cook, Soundness};
pub use input::{Problem, read};
pub use result::ProblemResult;
pub use settings::SolveSettings;
