//! Alpha-beta search: worker threads that share a transposition table.

mod report;

pub use report::{Choice, Line, Progress};
