//! Matches between engines, for shogi and for any game whose engines use USI's commands (USI-X).
//!
//! [`run`] plays a [`Match`]: it hands out the scheduled games to workers, each with its own engine processes, and
//! tallies the results. Results belong to *pairs* of games: one opening played with both colours.

mod adjudication;
pub mod chart;
mod config;
mod csa_record;
mod game;
mod journal;
pub mod json;
mod machine;
mod openings;
mod rating_chart;
mod record_file;
pub mod report;
mod result;
mod rules;
mod runner;
mod schedule;
mod setup;
mod solo;
pub mod statistics;
mod tally;
mod time_control;
mod transcript;
mod usi_record;
mod worker;

pub use adjudication::Adjudication;
pub use config::{ConfigError, EngineConfig, MatchConfig, Scalar};
pub use journal::JournalError;
pub use machine::Machine;
pub use openings::{Opening, OpeningSource, OpeningsError};
pub use result::{Effort, EngineFault, FaultKind, GameResult, Reason, Winner};
pub use rules::ShogiRules;
pub use runner::{ArenaError, MatchEvent, MatchSummary, StopReason, run};
pub use schedule::TournamentFormat;
pub use setup::{Match, MatchPlayer, RecordFormat, Rules};
pub use tally::{CoursePoint, Tally, Versus};
pub use time_control::TimeControl;
