//! Batches of mate problems: solved in parallel, checked for soundness, reported.

mod answer;
mod batch;
mod check;
mod input;
mod journal;
mod remote;
mod result;
mod settings;
mod solution_record;
mod soundness_text;
mod text;
mod variations;

pub use batch::{BatchError, BatchObserver, run};
pub use check::{Branch, Cook, Deviation, Fault, Soundness};
pub use input::{Input, Problem, read};
pub use remote::mate_of;
pub use result::ProblemResult;
pub use settings::SolveSettings;
pub use solution_record::solution_record;
pub use soundness_text::soundness_text;
pub use text::{result_text, summary_text};
