//! What the engine tells its owner.

use std::sync::Arc;

use crate::search::Progress;
use crate::tt::TableError;
use crate::types::Move;

/// What the engine has to say.
#[derive(Debug)]
pub enum Report {
    /// From a running search.
    Progress(Progress),
    /// The end of a search: exactly one for each `go`.
    BestMove(BestMove),
    /// The engine is ready for `go`. The error names an option that could not be met; what it was before stays in use.
    Ready(Result<(), EngineError>),
}

/// Why an order was refused or carried out in part.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A search is running already.
    #[error("a search is already running")]
    Searching,
    /// The table could not be made as large as wanted; the old one stays.
    #[error("{0}; the table keeps its size of {1} MiB")]
    Table(TableError, usize),
    /// The network that was asked for could not be used.
    #[error("{0}")]
    Network(String),
    /// The system refused a thread.
    #[error("the system gives no more than {0} threads")]
    Threads(usize),
}

/// Receives reports on the engine's own threads; it should pass them on and return.
pub type Sink = Arc<dyn Fn(Report) + Send + Sync>;

/// The answer to `go`: the content of a `bestmove` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// Play a move and, if there is one worth pondering on, expect an answer.
    Move {
        /// The move to play.
        best: Move,
        /// The expected answer, legal after `best`.
        ponder: Option<Move>,
    },
    /// There is no legal move, or the score is below the resignation threshold.
    Resign,
    /// Declare the win by entering king (入玉宣言).
    DeclareWin,
}
