//! Analysis of games: an engine's thoughts written into records, judgement of the moves, reports for people.
//!
//! - [`Thought`] and its text forms: thinking comments as ShogiHome defines them (思考コメントの仕様) and Floodgate's.
//! - [`Thinker`]: asks an engine for its thoughts on a position, within a [`Budget`].
//! - [`analyze_files`]: goes through files, many at a time, skips what has been analysed, writes whole files.
//! - [`Judgement`]: what the thoughts say of the moves: losses in win probability, marks, accuracy, turning point.
//! - [`html_report`] and [`summary()`]: the judgement for people.

mod batch;
mod budget;
mod comment;
mod explain;
mod graph;
mod judgement;
mod language;
mod material;
mod report;
mod summary;
mod thinker;
mod thought;

pub use batch::{Event, FileOutcome, Goal, Job, Plan, analyze_files};
pub use budget::{Budget, ParseBudgetError};
pub use comment::{Annotator, Style, read_floodgate, read_thoughts, situation};
pub use explain::Fact;
pub use judgement::{Judgement, Mark, MoveJudgement, Phase, PlayerSummary, win_probability};
pub use language::Language;
pub use report::html_report;
pub use summary::summary;
pub use thinker::Thinker;
pub use thought::{Evaluation, Thought};
