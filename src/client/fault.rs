//! What an engine in another process can do wrong.

use std::time::Duration;

/// One kind of misbehaviour, with what is known of it.
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
    /// No `bestmove` in time, not even after `stop`.
    #[error("gave no bestmove within {0:?} after stop")]
    NoBestmove(Duration),
    /// The process ended by itself; how, and the last line that it wrote to stderr.
    #[error("ended by itself ({0})")]
    Ended(String),
    /// More output than any sane engine has.
    #[error("floods its output ({0} bytes without a pause)")]
    Flood(u64),
    /// It does not read its input.
    #[error("does not read its input")]
    Deaf,
    /// It did not end after `quit` and was killed.
    #[error("did not end within {0:?} after quit and was killed")]
    IgnoredQuit(Duration),
}

/// Why a conversation with an engine could not go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The engine's doing.
    #[error("the engine {0}")]
    Fault(#[from] Fault),
    /// Our own wish: the [`Interrupt`](super::Interrupt) fired.
    #[error("interrupted")]
    Interrupted,
}

impl From<std::io::Error> for ClientError {
    fn from(error: std::io::Error) -> Self {
        Fault::CannotStart(error.to_string()).into()
    }
}
