//! The engine that plays: started, readied for each game, started again where it has failed.

use std::time::{Duration, Instant};

use super::summary::Summary;
use crate::client::{Client, ClientError, EngineSpec, Interrupt};

/// How the engine is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// The program with the user's options, which win over what is set here.
    pub spec: EngineSpec,
    /// What a move may lose on its way to the server: the one margin, kept by the engine where it has `NetworkDelay2`
    /// and by the client where it has not.
    pub margin: Duration,
    /// Think in the opponent's time.
    pub ponder: bool,
    /// Start to ponder before the server has shown our own move.
    pub early_ponder: bool,
    /// Whether `ponderhit` comes with clocks; `None`: for engines that are known to read them.
    pub ponderhit_clocks: Option<bool>,
    /// Start the engine again for every game.
    pub restart: bool,
}

/// An engine, running or not.
pub(super) struct Seat<'a> {
    settings: &'a EngineSettings,
    interrupt: Interrupt,
    client: Option<Client>,
}

impl<'a> Seat<'a> {
    pub(super) fn new(settings: &'a EngineSettings, interrupt: Interrupt) -> Self {
        Self { settings, interrupt, client: None }
    }

    /// The running engine.
    pub(super) fn client(&mut self) -> Option<&mut Client> {
        self.client.as_mut()
    }

    /// The engine for a wait.
    pub(super) fn watched(&self) -> Option<&Client> {
        self.client.as_ref()
    }

    /// Its name; empty where it runs no longer.
    pub(super) fn name(&self) -> &str {
        self.client.as_ref().map_or("", Client::name)
    }

    /// The options that it will not take.
    pub(super) fn refused(&self) -> &[String] {
        self.client.as_ref().map_or(&[], Client::refused_options)
    }

    /// Ends the process at once.
    pub(super) fn kill(&mut self) {
        self.client = None;
    }

    /// Ends the engine in good order.
    pub(super) fn quit(&mut self) {
        if let Some(client) = self.client.take() {
            // It is gone in any case.
            let _ = client.quit();
        }
    }

    /// Makes sure that the engine runs and is ready. A failure is tried once more with a fresh process, and told by
    /// `fault`. Before a game all of that has the time of one `isready`, for the server does not wait longer.
    pub(super) fn ready(
        &mut self,
        summary: Option<&Summary>,
        fault: &mut dyn FnMut(String),
    ) -> Result<(), ClientError> {
        let last = summary.map(|_| Instant::now() + self.settings.spec.timeouts.ready);
        if self.settings.restart && summary.is_none() {
            self.quit();
        }
        if self.client.is_some() {
            match self.set_up(summary, last) {
                Ok(()) => return Ok(()),
                Err(ClientError::Interrupted) => return Err(ClientError::Interrupted),
                Err(error) => {
                    self.client = None;
                    if last.is_some_and(|last| Instant::now() >= last) {
                        return Err(error);
                    }
                    fault(error.to_string());
                }
            }
        }
        self.client = Some(Client::start(&self.spec(), &self.interrupt)?);
        let outcome = self.set_up(summary, last);
        if outcome.is_err() {
            self.client = None;
        }
        outcome
    }

    /// The program with what a server demands of any engine, where it offers the options.
    fn spec(&self) -> EngineSpec {
        let margin = self.settings.margin.as_millis();
        self.settings
            .spec
            .clone()
            .with_preference("USI_Ponder", if self.settings.ponder { "true" } else { "false" })
            .with_preference("EnteringKingRule", "CSARule27")
            .with_preference("NetworkDelay", margin.min(120).to_string())
            .with_preference("NetworkDelay2", margin.to_string())
    }

    fn set_up(&mut self, summary: Option<&Summary>, last: Option<Instant>) -> Result<(), ClientError> {
        let given = &self.settings.spec.options;
        let Some(client) = &mut self.client else {
            return Ok(());
        };
        if let Some(summary) = summary {
            let mut tell = |name: &str, value: &str| {
                let by_user = given.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
                if client.offers(name) && !by_user { client.set_option(name, value) } else { Ok(()) }
            };
            tell("MaxMovesToDraw", &summary.max_moves.unwrap_or(0).to_string())?;
            // Parts of a second count where the server counts them.
            let whole_seconds = summary.clocks[summary.us.index()].rules().unit >= Duration::from_secs(1);
            tell("RoundUpToFullSecond", if whole_seconds { "true" } else { "false" })?;
        }
        match last {
            Some(last) => client.ready_by(last)?,
            None => client.ready()?,
        }
        if summary.is_some() { client.new_game() } else { Ok(()) }
    }

    /// The part of our time that the client keeps back, since the engine keeps none.
    pub(super) fn margin_of_client(&self) -> Duration {
        match &self.client {
            Some(client) if client.offers("NetworkDelay2") => Duration::ZERO,
            _ => self.settings.margin,
        }
    }

    /// The margin, whoever keeps it.
    pub(super) fn whole_margin(&self) -> Duration {
        self.settings.margin
    }

    /// Whether `ponderhit` may have clocks.
    pub(super) fn reads_ponderhit_clocks(&self) -> bool {
        self.settings.ponderhit_clocks.unwrap_or_else(|| self.name().to_ascii_lowercase().starts_with("hagane"))
    }

    /// Whether to ponder before the echo: only where the clocks can be corrected afterwards.
    pub(super) fn ponders_early(&self) -> bool {
        self.settings.ponder && self.settings.early_ponder && self.reads_ponderhit_clocks()
    }

    /// Whether to ponder at all.
    pub(super) fn ponders(&self) -> bool {
        self.settings.ponder
    }
}
