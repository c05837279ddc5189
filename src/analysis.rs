//! Game analysis: an engine's evaluations and lines go into records as comments, moves are judged, reports are made.
//!
//! - [`EngineLine`]: one line of an engine's analysis, written and read as ShogiHome's thinking comments
//!   (思考コメントの仕様) or as Floodgate's.
//! - [`Analyser`]: runs an engine on a position within a [`Budget`].
//! - [`analyze_files`]: analyses many files in parallel, skips what has been analysed, writes whole files.
//! - [`Judgement`]: every move's loss in win probability and its mark, accuracy, turning point.
//! - [`html_report`], [`ReportIndex`] and [`summary()`]: the judgement for people.

mod analyser;
mod batch;
mod budget;
mod comment;
mod engine_line;
mod explain;
mod fact;
mod game_task;
mod graph;
mod index;
mod input_file;
mod judgement;
mod language;
mod material;
mod move_judgement;
mod page;
mod plan;
mod report;
mod summary;

pub use analyser::Analyser;
pub use batch::{AnalysisError, analyze_files};
pub use budget::{Budget, ParseBudgetError};
pub use comment::{Annotator, CommentStyle, read_engine_lines, read_floodgate, situation};
pub use engine_line::{EngineLine, Evaluation};
pub use fact::Fact;
pub use index::ReportIndex;
pub use input_file::FileOutcome;
pub use judgement::{Judgement, PlayerSummary, win_probability};
pub use language::Language;
pub use move_judgement::{Mark, MoveJudgement, Phase};
pub use plan::{AnalysisEvent, AnalysisPlan, Destination, FileJob};
pub use report::html_report;
pub use summary::summary;
