//! What can go wrong with an engine process.

use std::time::Duration;

/// A fault of an engine, with its particulars.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The program could not be started.
    #[error("cannot be started: {0}")]
    CannotStart(String),
    /// No `usiok` in time.
    #[error("gave no usiok within {0:?} (is it a USI engine?)")]
    NoUsiok(Duration),
    /// No `readyok` in time.
    #[error("gave no readyok within {0:?}")]
    NoReadyok(Duration),
    /// No `bestmove` in time after `stop`.
    #[error("gave no bestmove within {0:?} after stop")]
    NoBestmove(Duration),
    /// The process ended by itself; its exit status and last line on stderr.
    #[error("ended by itself ({0})")]
    Ended(String),
    /// Far more output than an engine has reason to print.
    #[error("floods its output ({0} bytes without a pause)")]
    Flood(u64),
    /// It does not read its input.
    #[error("does not read its input")]
    Deaf,
    /// It did not end after `quit` and was killed.
    #[error("did not end within {0:?} after quit and was killed")]
    IgnoredQuit(Duration),
}

/// Why talking to an engine failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The engine is at fault.
    #[error("the engine {0}")]
    Fault(#[from] Fault),
    /// The [`Interrupt`](super::Interrupt) fired.
    #[error("interrupted")]
    Interrupted,
}

impl From<std::io::Error> for ClientError {
    fn from(error: std::io::Error) -> Self {
        Fault::CannotStart(error.to_string()).into()
    }
}
