//! A worker: plays one game at a time with engine processes of its own.

use std::time::Instant;

use crate::client::{Client, ClientError, Interrupt};
use crate::types::Color;

use super::game::{self, Played, Seat};
use super::machine::Machine;
use super::openings::{Opening, Openings};
use super::result::{Ending, EngineFault, FaultKind, GameResult, Reason};
use super::rules::{Opaque, Referee, Shogi};
use super::schedule::ScheduledGame;
use super::setup::{Match, Rules};
use super::solo;
use super::transcript::Transcript;

/// Plays one game after another and keeps its engines running between games.
pub(super) struct GameWorker<'a> {
    setup: &'a Match,
    openings: &'a Openings,
    interrupt: Interrupt,
    machine: &'a Machine,
    /// By engine: whether it has ever been ready on this machine.
    started: Vec<bool>,
    /// By engine. Only those of the last game are running.
    clients: Vec<Option<Client>>,
    faults: Vec<EngineFault>,
}

/// Why an engine is not ready for a game.
enum NotReady {
    Fault(FaultKind, String),
    Interrupted,
}

impl From<ClientError> for NotReady {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Interrupted => Self::Interrupted,
            ClientError::Fault(fault) => Self::Fault(FaultKind::from(&fault), fault.to_string()),
        }
    }
}

impl<'a> GameWorker<'a> {
    pub(super) fn new(setup: &'a Match, openings: &'a Openings, machine: &'a Machine, interrupt: Interrupt) -> Self {
        let clients = setup.players.iter().map(|_| None).collect();
        let started = vec![false; setup.players.len()];
        Self { setup, openings, interrupt, machine, started, clients, faults: Vec::new() }
    }

    /// Why no more games can be played on this machine, where the game just played says so.
    pub(super) fn machine_failure(&self, result: &GameResult) -> Option<String> {
        let started = result.faults.last().is_none_or(|fault| self.started[fault.engine]);
        self.machine.failure(result, started)
    }

    /// Plays a game; `None` if it was interrupted.
    ///
    /// # Errors
    /// What breaks games whatever the engines: an opening that is not playable, a token source that fails.
    pub(super) fn play(&mut self, job: &ScheduledGame) -> Result<Option<(GameResult, Transcript)>, String> {
        let start = Instant::now();
        let opening = self.openings.get(job.opening);
        for engine in 0..self.clients.len() {
            if !job.players.contains(&engine) {
                self.dismiss(engine);
            }
        }
        let solo = matches!(self.setup.rules, Rules::Solo { .. });
        let mut played = None;
        for side in Color::ALL.into_iter().take(if solo { 1 } else { 2 }) {
            match self.prepare(job.players[side.index()]) {
                Ok(()) => {}
                Err(NotReady::Interrupted) => return Ok(None),
                Err(NotReady::Fault(kind, detail)) => {
                    played = Some(no_start(side, kind, detail));
                    break;
                }
            }
        }
        let mut transcript = Transcript { opening, plies: Vec::new(), text: None };
        let mut score = None;
        let mut plies = transcript.opening.moves.len() as u32;
        let played = match (played, &self.setup.rules) {
            (Some(played), _) => played,
            (None, Rules::Solo { source, max_moves }) => {
                let [engine, _] = job.players;
                let Some(client) = &mut self.clients[engine] else {
                    return Err("the engine does not run".to_owned());
                };
                let seat = Seat { client, control: &self.setup.players[engine].control, ponder: false };
                let seeds = [self.setup.seed, u64::from(job.pair)];
                let start = &transcript.opening;
                let solo = solo::play(seat, source, start, *max_moves, seeds, &self.interrupt)?;
                score = Some(solo.score);
                transcript.text = Some(solo.text);
                plies = solo.played.plies.len() as u32;
                solo.played
            }
            (None, _) => {
                let mut referee = self
                    .referee(&transcript.opening)
                    .map_err(|error| format!("opening {}: {error}", transcript.opening.text()))?;
                let played = self.play_versus(job, referee.as_mut());
                plies = referee.plies();
                played
            }
        };
        let Some(ending) = played.ending else {
            return Ok(None);
        };
        transcript.plies = played.plies;
        for side in Color::ALL {
            let engine = job.players[side.index()];
            if played.broken[side.index()] {
                self.clients[engine] = None;
            } else if self.setup.players[engine].restart {
                self.dismiss(engine);
            }
        }
        let mut faults = std::mem::take(&mut self.faults);
        faults.extend(played.faults.into_iter().map(|(side, kind, detail)| EngineFault {
            engine: job.players[side.index()],
            kind,
            detail,
        }));
        let result = GameResult {
            game: job.game,
            pair: job.pair,
            players: job.players,
            winner: ending.winner,
            reason: ending.reason,
            detail: ending.detail,
            plies,
            efforts: played.efforts,
            faults,
            score,
            seconds: start.elapsed().as_secs_f64(),
            record_end: 0,
        };
        Ok(Some((result, transcript)))
    }

    /// Quits all engines; returns their remaining faults.
    pub(super) fn finish(mut self) -> Vec<EngineFault> {
        for engine in 0..self.clients.len() {
            self.dismiss(engine);
        }
        self.faults
    }

    fn referee(&self, opening: &Opening) -> Result<Box<dyn Referee>, String> {
        Ok(match self.setup.rules {
            Rules::Shogi(rules) => Box::new(Shogi::new(opening, rules)?),
            Rules::None { max_moves } | Rules::Solo { max_moves, .. } => Box::new(Opaque::new(opening, max_moves)),
        })
    }

    fn play_versus(&mut self, job: &ScheduledGame, referee: &mut dyn Referee) -> Played {
        let [black, white] = job.players;
        let (low, high) = self.clients.split_at_mut(black.max(white));
        let (low, high) = (low[black.min(white)].as_mut(), high[0].as_mut());
        let (Some(low), Some(high)) = (low, high) else {
            // Unreachable: both have just been started.
            return no_start(Color::Black, FaultKind::CannotStart, "not running".to_owned());
        };
        let seat = |engine: usize, client| Seat {
            client,
            control: &self.setup.players[engine].control,
            ponder: self.setup.players[engine].ponder,
        };
        let seats =
            if black < white { [seat(black, low), seat(white, high)] } else { [seat(black, high), seat(white, low)] };
        let place = [self.setup.seed, u64::from(job.pair)];
        game::play(seats, referee, &self.setup.adjudication, place)
    }

    /// Readies an engine for a new game, starting it if it does not run.
    fn prepare(&mut self, engine: usize) -> Result<(), NotReady> {
        if let Some(client) = &mut self.clients[engine] {
            match client.ready().and_then(|()| client.new_game()) {
                Ok(()) => return Ok(()),
                Err(ClientError::Interrupted) => return Err(NotReady::Interrupted),
                Err(ClientError::Fault(fault)) => {
                    // It failed between two games: record the fault and start it again.
                    self.clients[engine] = None;
                    let kind = FaultKind::from(&fault);
                    self.faults.push(EngineFault { engine, kind, detail: fault.to_string() });
                }
            }
        }
        let player = &self.setup.players[engine];
        let mut client = Client::start(&self.machine.spec(&player.spec), &self.interrupt)?;
        let mut tell = |name: &str, value: &str| {
            let mut given = player.spec.options.iter();
            if client.offers(name) && !given.any(|(given, _)| given.eq_ignore_ascii_case(name)) {
                client.set_option(name, value)
            } else {
                Ok(())
            }
        };
        // Match settings, unless the engine's own options set them.
        tell("USI_Ponder", if player.ponder { "true" } else { "false" })?;
        if let Rules::Shogi(rules) = &self.setup.rules
            && let Some(limit) = rules.max_moves
        {
            tell("MaxMovesToDraw", &limit.to_string())?;
        }
        client.ready()?;
        for detail in client.refused_options() {
            self.faults.push(EngineFault { engine, kind: FaultKind::RefusedOption, detail: detail.clone() });
        }
        client.new_game()?;
        self.started[engine] = true;
        self.clients[engine] = Some(client);
        Ok(())
    }

    /// Quits an engine.
    fn dismiss(&mut self, engine: usize) {
        let Some(client) = self.clients[engine].take() else {
            return;
        };
        let busy = client.is_searching();
        if let Err(ClientError::Fault(fault)) = client.quit()
            && !busy
        {
            let kind = FaultKind::from(&fault);
            self.faults.push(EngineFault { engine, kind, detail: fault.to_string() });
        }
    }
}

/// The result of a game whose engine did not start.
fn no_start(side: Color, kind: FaultKind, detail: String) -> Played {
    let mut broken = [false; 2];
    broken[side.index()] = true;
    Played {
        ending: Some(Ending::win(side.flip(), Reason::NoStart).because(detail.clone())),
        plies: Vec::new(),
        faults: vec![(side, kind, detail)],
        broken,
        efforts: Default::default(),
    }
}
