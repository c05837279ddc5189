//! What a session waits for.

use std::time::Instant;

use super::CheckMate;
use crate::engine::Report;
use crate::mate::MateProgress;

/// What happens to a session.
pub(super) enum Event {
    /// The client said something.
    Line {
        /// One line without its end.
        text: String,
        /// When it arrived: the client's clocks run from here.
        at: Instant,
    },
    /// The client is gone since then.
    End(Instant),
    /// The engine has something to say.
    Report(Report),
    /// A search for a mate is under way.
    MateProgress(MateProgress),
    /// It has ended.
    Mate(CheckMate),
    /// A line from a count or a benchmark that runs beside the loop.
    Text(String),
    /// That count or benchmark has ended.
    Counted,
}
