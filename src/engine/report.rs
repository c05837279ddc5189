//! What the engine tells its owner.

use std::fmt;
use std::sync::Arc;

use crate::book::choice::Candidate;
use crate::book::{BookSize, Faults};
use crate::platform::wording::counted;
use crate::search::{Line, Progress};
use crate::tt::TableError;
use crate::types::Move;

/// What the engine has to say.
#[derive(Debug)]
pub enum Report {
    /// From a running search.
    Progress(Progress),
    /// The end of a search: exactly one for each `go`.
    BestMove(BestMove),
    /// About the opening book.
    Book(BookReport),
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

/// What there is to say about the opening book.
#[derive(Clone, Debug, PartialEq)]
pub enum BookReport {
    /// A book is open.
    Opened {
        /// Its name.
        name: String,
        /// What it has.
        size: BookSize,
        /// Lines that were left out.
        faults: Faults,
    },
    /// A book cannot be used; play goes on without it.
    Failed {
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
    /// The book is not used in this search.
    NotUsed(NotFromBook),
    /// The book's move is played.
    Candidates {
        /// The moves that may be played, the chosen one first, each with its probability.
        shares: Vec<(Move, f64)>,
        /// Their lines of play in the same order, of those whose value the book knows.
        lines: Vec<Line>,
    },
}

/// Why a search is not answered from the book.
#[derive(Clone, Debug, PartialEq)]
pub enum NotFromBook {
    /// The search is infinite or for analysis, or `searchmoves` narrows it.
    Analysis,
    /// The game has passed BookMoves.
    TooLate {
        /// The option.
        book_moves: u32,
    },
    /// The position is not in the book.
    Unknown,
    /// BookIgnoreRate.
    Ignored,
    /// There is a mate in one move.
    MateInOne,
    /// All moves are rejected.
    Rejected(Vec<Candidate>),
}

impl BookReport {
    /// What a client is told, with moves as it spells them.
    pub fn sentence<M: fmt::Display>(&self, spell: impl Fn(Move) -> M) -> String {
        match self {
            Self::Opened { name, size, faults } => {
                let opened = format!("book {name}: {size}");
                match &faults.first {
                    Some((line, what)) => {
                        let count = counted(faults.count, "line", "lines");
                        format!("{opened}, {count} left out, the first: line {line}, {what}")
                    }
                    None => opened,
                }
            }
            Self::Failed { name, reason } => format!("book {name} is not used: {reason}"),
            Self::NotUsed(why) => format!("book not used: {}", why.sentence(spell)),
            Self::Candidates { shares, .. } => {
                let share = |&(mv, chance): &(Move, f64)| format!(" {} ({:.0}%)", spell(mv), chance * 100.0);
                format!("book{}", shares.iter().map(share).collect::<String>())
            }
        }
    }
}

impl NotFromBook {
    fn sentence<M: fmt::Display>(&self, spell: impl Fn(Move) -> M) -> String {
        match self {
            Self::Analysis => "this is analysis".into(),
            Self::TooLate { book_moves } => format!("the game is beyond move {book_moves} (BookMoves)"),
            Self::Unknown => "the position is not in it".into(),
            Self::Ignored => "BookIgnoreRate passes over this position".into(),
            Self::MateInOne => "there is a mate in one move".into(),
            Self::Rejected(candidates) => {
                let rejected =
                    candidates.iter().filter_map(|candidate| Some((candidate.entry.mv, candidate.rejection?)));
                let moves: Vec<String> = rejected.map(|(mv, why)| format!("{} {why}", spell(mv))).collect();
                format!("its moves are all rejected: {}", moves.join(", "))
            }
        }
    }
}
