//! An engine with blocking calls, for callers without an event loop of their own.

use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};

use super::facade::Engine;
use super::option_value::OptionError;
use super::report::{BestMove, EngineError, Report};
use crate::position::Position;
use crate::search::{Limits, Progress};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum InProcessError {
    /// An option is unknown, or its value does not fit.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The engine refused.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The engine did not answer in time.
    #[error("the search ended without an answer")]
    NoAnswer,
}

/// An engine whose reports are waited for.
pub struct InProcess {
    /// The engine, for everything that needs no answer.
    pub engine: Engine,
    /// The longest wait for a report.
    pub timeout: Duration,
    reports: Receiver<Report>,
}

impl InProcess {
    /// An engine with some options, which searches every position: it has no opening book unless the options ask for
    /// it. It waits for its reports as long as they take.
    ///
    /// # Errors
    /// The first option that is unknown or whose value does not fit.
    pub fn new<'a>(options: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, OptionError> {
        let (sender, reports) = unbounded();
        let mut engine = Engine::new(move |report| drop(sender.send(report)));
        for (name, value) in [("USI_OwnBook", "false")].into_iter().chain(options) {
            engine.set_option(name, value)?;
        }
        Ok(Self { engine, timeout: Duration::MAX, reports })
    }

    /// Has the engine prepare what its options ask for.
    ///
    /// # Errors
    /// What could not be prepared; no answer.
    pub fn ready(&mut self) -> Result<(), InProcessError> {
        self.engine.ready();
        loop {
            if let Report::Ready(result) = self.report()? {
                return Ok(result?);
            }
        }
    }

    /// Searches a position; `each` hears of the search's progress.
    ///
    /// # Errors
    /// A search that is running already; no answer.
    pub fn search(
        &mut self,
        position: Position,
        limits: Limits,
        each: impl FnMut(Progress),
    ) -> Result<BestMove, InProcessError> {
        self.engine.set_position(position);
        self.engine.go(limits)?;
        self.answer(each)
    }

    /// Waits for the answer of the search that is running; `each` hears of its progress.
    ///
    /// # Errors
    /// No answer.
    pub fn answer(&mut self, mut each: impl FnMut(Progress)) -> Result<BestMove, InProcessError> {
        loop {
            match self.report()? {
                Report::BestMove(choice) => return Ok(choice),
                Report::Progress(progress) => each(progress),
                _ => {}
            }
        }
    }

    fn report(&self) -> Result<Report, InProcessError> {
        self.reports.recv_timeout(self.timeout).map_err(|_| InProcessError::NoAnswer)
    }
}
