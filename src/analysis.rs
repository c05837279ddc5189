//! Analysis of games: an engine's thoughts written into records, judgement of the moves, reports for people.
//!
//! - [`EngineLine`] and its text forms: thinking comments as ShogiHome defines them (思考コメントの仕様) and Floodgate's.
//! - [`Analyser`]: asks an engine for its thoughts on a position, within a [`Budget`].
//! - [`analyze_files`]: goes through files, many at a time, skips what has been analysed, writes whole files.
//! - [`Judgement`]: what the thoughts say of the moves: losses in win probability, marks, accuracy, turning point.
//! - [`html_report`] and [`summary()`]: the judgement for people.

mod analyser;
mod batch;
mod budget;
mod comment;
mod engine_line;
mod explain;
mod fact;
mod graph;
mod judgement;
mod language;
mod material;
mod move_judgement;
mod report;
mod summary;

pub use analyser::Analyser;
pub use batch::{AnalysisEvent, AnalysisPlan, Destination, FileJob, FileOutcome, analyze_files};
pub use budget::{Budget, ParseBudgetError};
pub use comment::{Annotator, CommentStyle, read_engine_lines, read_floodgate, situation};
pub use engine_line::{EngineLine, Evaluation};
pub use fact::Fact;
pub use judgement::{Judgement, PlayerSummary, win_probability};
pub use language::Language;
pub use move_judgement::{Mark, MoveJudgement, Phase};
pub use report::html_report;
pub use summary::summary;
