//! The events that drive a session.

use std::time::Instant;

use super::CheckMate;
use crate::engine::Report;
use crate::mate::MateProgress;

/// An event for the session.
pub(super) enum Event {
    /// A line from the client.
    Line {
        /// One line without its end.
        text: String,
        /// When it arrived: the client's clocks run from here.
        at: Instant,
    },
    /// The input ended at this time.
    End(Instant),
    /// A report of the engine.
    Report(Report),
    /// Progress of `go mate`.
    MateProgress(MateProgress),
    /// The answer to `go mate`.
    Mate(CheckMate),
    /// A line from a count or a benchmark that runs beside the loop.
    Text(String),
    /// That count or benchmark has ended.
    Counted,
}
