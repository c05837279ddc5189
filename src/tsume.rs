//! Batches of mate problems: solved in parallel, checked for soundness, reported.

mod batch;
mod check;
mod input;
mod journal;
mod remote;
mod result;
mod settings;
mod solution_record;
mod text;

pub use batch::{BatchError, BatchObserver, run};
pub use check::{Cook, Soundness};
pub use input::{Input, Problem, read};
pub use result::ProblemResult;
pub use settings::SolveSettings;
pub use solution_record::solution_record;
pub use text::{result_text, soundness_text, summary_text};
