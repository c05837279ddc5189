//! The engine as a component: options, a position, `go` and `stop`; no text, no globals, any number of them side by side.
//!
//! Results arrive as [`Report`] values at the sink given to the constructor, from the engine's own threads:
//!
//! ```text
//! Engine::new(sink: impl Fn(Report) + Send + Sync + 'static) -> Engine      nothing large is allocated yet
//! engine.settings() -> &Settings          engine.set_option(name, value) -> Result<(), OptionError>   at any time
//! engine.position() -> &Position          engine.set_position(Position)                               at any time
//! engine.ready()       make table, threads and network ready in the background: Report::Ready follows (at once in a search)
//! engine.new_game()    forget what was learnt
//! engine.go(Go) -> Result<(), EngineError>      exactly one Report::BestMove follows; refused while a search is running
//! engine.stop()        the running search reports its move at once; nothing where none runs
//! engine.ponder_hit(Option<clock::Limits>)      the ponder search becomes a normal one, its clock starts now
//! engine.is_searching() -> bool                 true from go until its BestMove was reported
//! engine.wait()        blocks until no search or preparation is under way (for batch use)
//! drop(engine)         stops and joins every thread
//! ```

mod options;

use std::time::Instant;

use crate::clock;
use crate::search::{Choice, Progress};
use crate::types::{Depth, Move};

pub use options::{ENTERING_KING_RULES, Kind, OptionError, OptionSpec, Presses, Settings};

/// One order to search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The clocks.
    pub time: clock::Limits,
    /// When the order arrived: the clock has run since then. `None` means now.
    pub received: Option<Instant>,
    /// Search until `stop`, whatever is found.
    pub infinite: bool,
    /// Search on the opponent's time: report no move before `ponder_hit` or `stop`.
    pub ponder: bool,
    /// Deepest iteration, in plies.
    pub depth: Option<Depth>,
    /// Nodes at most, all threads together.
    pub nodes: Option<u64>,
    /// Root moves to consider; empty for all.
    pub search_moves: Vec<Move>,
}

/// What the engine has to say.
#[derive(Debug)]
pub enum Report {
    /// From a running search.
    Progress(Progress),
    /// The end of a search: exactly one for each `go`.
    BestMove(Choice),
    /// The engine is ready for `go`, or why it cannot be as the options want it (it then works on as before).
    Ready(Result<(), EngineError>),
}

/// Why the engine did not do what it was told.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A search is running already.
    #[error("a search is already running")]
    Searching,
    /// The table could not be made as large as wanted; the old one stays.
    #[error("no memory for a table of {0} MiB; the old one stays")]
    Table(usize),
}
