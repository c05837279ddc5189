//! The engine as a component: options, a position, `go` and `stop`; no text, no globals, any number of them side by
//! side.
//!
//! Results arrive as [`Report`] values at the sink given to the constructor, from the engine's own threads. Every call
//! returns at once (but for [`Engine::wait`]): a thread of the engine, the leader, takes one order after the other and
//! searches itself, together with its helpers.

pub mod bench;
mod book_files;
mod facade;
mod helpers;
mod in_process;
mod leader;
mod network_choice;
mod ongoing_search;
mod opening_book;
mod option_value;
mod options;
mod report;
mod strength;
pub mod suite;
mod table;
mod vote;

pub use book_files::NO_BOOK;
pub use facade::Engine;
pub use in_process::{InProcess, InProcessError};
pub use network_choice::{INTERNAL, LoadedNetwork, NetworkChoice};
pub use option_value::{ENTERING_KING_RULES, OptionError, OptionKind, OptionSpec, Presses};
pub use options::EngineOptions;
pub use report::{BestMove, BookReport, EngineError, NotFromBook, Report, Sink};
pub use strength::LEVELS;
