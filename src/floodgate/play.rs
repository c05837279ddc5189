//! One game, from its summary to its verdict.

use std::time::{Duration, Instant};

use super::account_lock::AccountLock;
use super::comment::Thought;
use super::event::{Event, GameReport};
use super::game::{Change, MoveMade};
use super::game_record::{GameRecord, RecordSettings};
use super::game_state::{GameState, Sent, Thinking};
use super::patience::Patience;
use super::player_clock::go_arguments;
use super::reporter::Reporter;
use super::seat::Seat;
use super::server_line::Verdict;
use super::stop::{Stop, StopStage};
use super::wire::{Wake, Wire};
use crate::client::{Answer, ClientError};
use crate::types::Move;

/// Less is not enough to ask an engine once more.
const ASK_AGAIN: Duration = Duration::from_secs(2);
/// Passed unnoticed: the engine keeps more than that free by itself.
const AT_ONCE: Duration = Duration::from_millis(50);
/// How often an engine that fails is started again in one game.
const RESTARTS: u32 = 3;

/// How a game ended for the connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// By the server's word.
    Over(Verdict),
    /// It never began: somebody did not agree.
    Rejected(String),
    /// The connection is gone. Where the game still runs on the server, it may for so long.
    Broken(String, Option<Duration>),
    /// The user has ended it. Where the game still runs on the server, it may for so long.
    Stopped(Option<Duration>),
}

/// A game that is played.
pub(super) struct Play<'p, 's, 'r> {
    pub(super) wire: &'p mut Wire,
    pub(super) seat: &'p mut Seat<'s>,
    pub(super) reporter: &'p mut Reporter<'r>,
    pub(super) lock: &'p mut AccountLock,
    pub(super) stop: &'p Stop,
    pub(super) patience: &'p Patience,
    pub(super) records: &'p RecordSettings,
    pub(super) comments: bool,
    pub(super) state: GameState,
}

impl Play<'_, '_, '_> {
    /// Agrees to the game and plays it.
    pub(super) fn run(mut self) -> (Ended, Option<Box<GameReport>>) {
        self.wire.send(format!("AGREE {}", self.state.summary.game_id).trim_end());
        self.state.agreed_at = Instant::now();
        let ended = loop {
            let until = self.deadline();
            let watched = if matches!(self.state.thinking, Thinking::Nothing) { None } else { self.seat.watched() };
            let ended = match self.wire.wait(until, watched, true) {
                Wake::Line(at, line) => self.line(at, &line),
                Wake::Closed(why) => Some(Ended::Broken(why, self.runs_on())),
                Wake::Stop => self.stop_pressed(),
                Wake::Engine => self.engine(),
                Wake::Time => self.engine().or_else(|| self.time()),
            };
            if let Some(ended) = ended {
                break ended;
            }
        };
        let report = self.finish(&ended);
        (ended, report)
    }

    /// For how long the game may go on without us: the side to move has so much left.
    fn runs_on(&self) -> Option<Duration> {
        let game = &self.state.game;
        let mover = game.position().side_to_move();
        game.is_running().then(|| game.clocks()[mover.index()].allowance() + Duration::from_secs(5))
    }

    /// The nearest moment at which something must be done.
    fn deadline(&self) -> Option<Instant> {
        let state = &self.state;
        let ending = state.ending_since.map(|since| since + self.patience.verdict);
        let resigned = state.resigned_at.map(|at| at + self.patience.resignation);
        let start = (!state.game.has_started()).then(|| state.agreed_at + self.patience.start);
        let engine = match &state.thinking {
            Thinking::Own { stop_at, stopped: false, .. } => Some(*stop_at),
            Thinking::Own { flag_at, .. } => Some(*flag_at),
            _ => None,
        };
        let silence = self
            .silence_allowed()
            .map(|(limit, silence)| Instant::now() + limit.saturating_sub(silence).max(Duration::from_millis(100)));
        [ending, resigned, start, engine, silence].into_iter().flatten().min()
    }

    /// While the opponent thinks: how long the server may be silent, and how long it has been. Only of servers that
    /// answer keep-alives.
    fn silence_allowed(&self) -> Option<(Duration, Duration)> {
        let game = &self.state.game;
        if !game.has_started() || matches!(self.state.thinking, Thinking::Own { .. }) {
            return None;
        }
        Some((game.clocks()[game.us().flip().index()].allowance() + self.patience.silence, self.wire.silence()?))
    }

    fn fault(&mut self, text: String) {
        self.reporter.fault(&text);
        self.wire.note('!', &text);
        self.state.faults.push(text);
    }

    fn line(&mut self, at: Instant, line: &str) -> Option<Ended> {
        match self.state.game.take(line) {
            Change::Nothing => {}
            Change::Started => self.begin(),
            Change::Moved(made) => self.moved(at, made),
            Change::Differs(text, made) => {
                self.fault(text);
                self.cancel_pondering();
                // What the engine thought of belongs to the move that was sent.
                self.state.sent = None;
                self.moved(at, made);
            }
            Change::Ending => _ = self.state.ending_since.get_or_insert(at),
            Change::Noted(text) => self.reporter.note(text),
            Change::Impossible { text, ours } => {
                if ours {
                    self.fault(text)
                } else {
                    self.reporter.note(text)
                }
                self.cancel_pondering();
            }
            Change::Rejected(by) => return Some(Ended::Rejected(by)),
            Change::Over(verdict) => return Some(Ended::Over(verdict)),
        }
        self.follow(at);
        None
    }

    fn begin(&mut self) {
        let state = &mut self.state;
        match GameRecord::begin(self.records, &state.summary, self.seat.name()) {
            Ok(record) => state.record = record,
            Err(error) => self.reporter.fault(format!("no record is kept: {error}")),
        }
        self.reporter.event(&Event::Started {
            game: self.state.summary.game_id.clone(),
            us: self.state.summary.us,
            opponent: self.state.summary.opponent().to_owned(),
            record: self.state.record.as_ref().map(|record| record.path().to_owned()),
        });
        self.remember();
    }

    /// Books a move that the server has shown.
    fn moved(&mut self, at: Instant, MoveMade { mover, mv, spent, left }: MoveMade) {
        let state = &mut self.state;
        let ours = mover == state.game.us();
        let clock = state.game.clocks()[mover.index()];
        let sent = if ours { state.sent.take() } else { None };
        if ours {
            state.used += spent;
            state.least_left = Some(state.least_left.map_or(left, |least| least.min(left)));
            if let Some(sent) = &sent {
                state.worst_echo = state.worst_echo.max(at.saturating_duration_since(sent.at));
            }
        }
        let thought = sent.as_ref().and_then(|sent| sent.thought.as_ref());
        let score = thought.map(Thought::score);
        if let Some(record) = &mut state.record
            && let Err(error) = record.add(mv, spent, thought)
        {
            self.reporter.fault(format!("the record cannot be written, which every move tries again: {error}"));
        }
        let number = self.state.game.moves().len();
        let text = self.state.game.last_in_csa();
        self.reporter.event(&Event::Moved { number, text, ours, spent, left: clock.remaining(), score });
        self.remember();
        if ours && let Some(expected) = sent.and_then(|sent| sent.expected) {
            self.ponder(&[expected]);
        }
    }

    /// Lets the engine do what the state of the game asks for.
    fn follow(&mut self, at: Instant) {
        let own = matches!(self.state.thinking, Thinking::Own { .. });
        if self.state.game.is_our_turn() {
            if !own {
                self.begin_turn(at);
            }
        } else if own {
            // The game ends, or the server has moved for us.
            self.cancel();
        }
    }

    fn begin_turn(&mut self, since: Instant) {
        self.state.asked_again = false;
        if self.stop.stage() == StopStage::Now || self.state.game.is_mated() {
            return self.resign();
        }
        let last = self.state.game.moves().last().copied();
        match std::mem::replace(&mut self.state.thinking, Thinking::Nothing) {
            Thinking::Ponder { expected, answer: None } if Some(expected) == last => self.ponder_hit(since),
            Thinking::Ponder { expected, answer: Some(answer) } if Some(expected) == last => {
                self.set_own(since);
                self.answered(*answer);
            }
            Thinking::Ponder { .. } => {
                self.cancel();
                self.ask(since);
            }
            _ => self.ask(since),
        }
    }

    /// The clocks for the engine, less what has passed of the turn.
    fn clocks(&self, since: Instant) -> String {
        let passed = Some(since.elapsed()).filter(|&passed| passed > AT_ONCE).unwrap_or_default();
        if !self.state.summary.has_clock {
            // Nobody counts: as long as one may wait for a move.
            return "byoyomi 10000".to_owned();
        }
        let game = &self.state.game;
        go_arguments(game.clocks(), game.us(), passed + self.seat.margin_of_client())
    }

    /// Has the engine search for our move.
    fn ask(&mut self, since: Instant) {
        let arguments = self.clocks(since);
        let position = self.state.game.usi_position(&[]);
        let outcome = match self.seat.client() {
            Some(client) => client.position(&position).and_then(|()| client.go(&arguments)).map(|_| ()),
            None => {
                self.set_own(since);
                return self.revive("the engine does not run".to_owned());
            }
        };
        self.set_own(since);
        if let Err(error) = outcome {
            self.failed(&error);
        }
    }

    fn ponder_hit(&mut self, since: Instant) {
        let arguments = if self.seat.reads_ponderhit_clocks() { self.clocks(since) } else { String::new() };
        self.set_own(since);
        if let Some(client) = self.seat.client()
            && let Err(error) = client.ponderhit(&arguments)
        {
            self.failed(&error);
        }
    }

    fn set_own(&mut self, since: Instant) {
        let game = &self.state.game;
        let allowance = match self.state.summary.has_clock {
            true => game.clocks()[game.us().index()].allowance(),
            false => Duration::from_secs(60),
        };
        // Half of the margin is for the way, the other for an engine that has to be told.
        let margin = self.seat.whole_margin() / 2;
        let stop_at = since + allowance.saturating_sub(margin).max(allowance / 2);
        self.state.thinking = Thinking::Own { since, stop_at, flag_at: since + allowance, stopped: false };
    }

    /// Starts to ponder, where it is wanted, on the position after the moves that are expected.
    fn ponder(&mut self, moves: &[Move]) {
        let Some(&expected) = moves.last() else {
            return;
        };
        let position = self.state.game.usi_position(moves);
        let arguments = self.clocks(Instant::now());
        let Some(client) = self.seat.client() else {
            return;
        };
        let outcome = client.position(&position).and_then(|()| client.go(&format!("ponder {arguments}")));
        self.state.thinking = Thinking::Ponder { expected, answer: None };
        if let Err(error) = outcome {
            self.failed(&error);
        }
    }

    /// Stops the engine and forgets its answer.
    fn cancel(&mut self) {
        self.state.thinking = Thinking::Nothing;
        if let Some(client) = self.seat.client()
            && let Err(error) = client.cancel()
        {
            self.failed(&error);
        }
    }

    /// Ends pondering, which may be on a position that never was.
    fn cancel_pondering(&mut self) {
        if matches!(self.state.thinking, Thinking::Ponder { .. }) {
            self.cancel();
        }
    }

    /// Looks at what the engine has said.
    fn engine(&mut self) -> Option<Ended> {
        let client = self.seat.client()?;
        match client.answer(Duration::ZERO) {
            Ok(None) => {}
            Ok(Some(answer)) => match &mut self.state.thinking {
                Thinking::Own { .. } => self.answered(answer),
                Thinking::Ponder { answer: early, .. } => *early = Some(Box::new(answer)),
                Thinking::Nothing => {}
            },
            Err(error) => self.failed(&error),
        }
        None
    }

    fn answered(&mut self, answer: Answer) {
        let word = answer.best.as_str();
        match word {
            "resign" => return self.resign(),
            "win" if self.state.game.may_declare() => {
                self.state.thinking = Thinking::Nothing;
                self.state.game.answer_special("%KACHI");
                return self.wire.send("%KACHI");
            }
            "win" => return self.wrong_answer("the engine declares a win that the rules do not give".to_owned()),
            _ => {}
        }
        let Ok(mv) = word.parse::<Move>() else {
            return self.wrong_answer(format!("the engine answers '{word}', which is no move"));
        };
        let text = match self.state.game.answer(mv) {
            Ok(text) => text,
            Err(error) => return self.wrong_answer(format!("the engine plays an illegal move: {error}")),
        };
        let thought = Thought::new(&answer.info, self.state.game.position(), mv);
        let comment = thought.as_ref().filter(|_| self.comments).map(|thought| format!(",'{}", thought.floodgate()));
        self.wire.send(&(text + &comment.unwrap_or_default()));
        self.state.thinking = Thinking::Nothing;
        let expected = self.state.game.reply(mv, answer.ponder.as_deref()).filter(|_| self.seat.ponders());
        let early = expected.filter(|_| self.seat.ponders_early());
        self.state.sent = Some(Sent { at: Instant::now(), thought, expected: expected.filter(|_| early.is_none()) });
        if let Some(expected) = early {
            self.ponder(&[mv, expected]);
        }
    }

    /// An answer that cannot be sent: the engine is asked once more, if there is time.
    fn wrong_answer(&mut self, text: String) {
        self.fault(text);
        let Thinking::Own { since, flag_at, .. } = self.state.thinking else {
            return;
        };
        let left = flag_at.saturating_duration_since(Instant::now()).saturating_sub(self.seat.whole_margin());
        if self.state.asked_again || left < ASK_AGAIN {
            return self.resign();
        }
        self.state.asked_again = true;
        self.ask(since);
    }

    /// The engine has ended, or does not do what it should.
    fn failed(&mut self, error: &ClientError) {
        match error {
            // The user ends the game, and [`Play::stop_pressed`] sees to it.
            ClientError::Interrupted => self.seat.kill(),
            ClientError::Fault(_) => self.revive(error.to_string()),
        }
    }

    /// Starts the engine again and lets it go on where it was.
    fn revive(&mut self, why: String) {
        self.fault(why);
        self.seat.kill();
        self.state.restarts += 1;
        let own = match self.state.thinking {
            Thinking::Own { since, flag_at, .. } => Some((since, flag_at)),
            _ => None,
        };
        self.state.thinking = Thinking::Nothing;
        let too_late = own.is_some_and(|(_, flag_at)| flag_at.saturating_duration_since(Instant::now()) < ASK_AGAIN);
        if self.state.restarts > RESTARTS || too_late {
            if own.is_some() {
                self.resign();
            }
            return;
        }
        let mut faults = Vec::new();
        let outcome = self.seat.ready(Some(&self.state.summary), &mut |fault| faults.push(fault));
        match (outcome, own) {
            (Ok(()), Some((since, _))) => self.ask(since),
            (Ok(()), None) => {}
            (Err(ClientError::Interrupted), _) => {}
            (Err(error), own) => {
                self.fault(error.to_string());
                if own.is_some() {
                    self.resign();
                }
            }
        }
    }

    fn resign(&mut self) {
        self.state.thinking = Thinking::Nothing;
        if self.state.game.is_our_turn() {
            self.state.game.answer_special("%TORYO");
            self.wire.send("%TORYO");
        }
    }

    fn stop_pressed(&mut self) -> Option<Ended> {
        if self.stop.stage() == StopStage::AfterGame {
            self.reporter.note("this game is the last one; once more resigns it");
            return None;
        }
        if self.state.resigned_at.is_some() {
            return None;
        }
        if !self.state.game.is_our_turn() {
            // A resignation out of turn would wait on the server: closing the connection says the same.
            return Some(Ended::Stopped(self.runs_on()));
        }
        self.reporter.note("the game is resigned");
        self.seat.kill();
        self.resign();
        self.state.resigned_at = Some(Instant::now());
        None
    }

    fn time(&mut self) -> Option<Ended> {
        let (now, state) = (Instant::now(), &self.state);
        if state.resigned_at.is_some_and(|at| now >= at + self.patience.resignation) {
            return Some(Ended::Stopped(None));
        }
        if state.ending_since.is_some_and(|since| now >= since + self.patience.verdict) {
            let reason = state.game.reason().unwrap_or("the end");
            return Some(Ended::Broken(
                format!("no verdict within {} s after {reason}", self.patience.verdict.as_secs()),
                None,
            ));
        }
        if !state.game.has_started() && now >= state.agreed_at + self.patience.start {
            return Some(Ended::Broken(format!("no START within {} s", self.patience.start.as_secs()), None));
        }
        if let Some((limit, silence)) = self.silence_allowed()
            && silence >= limit
        {
            let why = format!("nothing has come from the server for {} s", silence.as_secs());
            return Some(Ended::Broken(why, self.runs_on()));
        }
        self.engine_is_late(now);
        None
    }

    fn engine_is_late(&mut self, now: Instant) {
        let Thinking::Own { stop_at, flag_at, stopped, .. } = &mut self.state.thinking else {
            return;
        };
        if now >= *flag_at {
            self.fault("the engine has not answered at all".to_owned());
            self.seat.kill();
            self.resign();
        } else if now >= *stop_at && !*stopped {
            *stopped = true;
            self.fault("the engine has not answered in time and is told to stop".to_owned());
            if let Some(client) = self.seat.client()
                && let Err(error) = client.stop()
            {
                self.failed(&error);
            }
        }
    }

    /// Ends engine, record and report.
    fn finish(&mut self, ended: &Ended) -> Option<Box<GameReport>> {
        let (verdict, reason) = match ended {
            Ended::Over(verdict) => (Some(*verdict), String::new()),
            Ended::Broken(why, _) => (None, why.clone()),
            Ended::Rejected(_) => (None, String::new()),
            Ended::Stopped(_) => (None, "ended by the user".to_owned()),
        };
        if !self.state.game.has_started() {
            return None;
        }
        self.state.thinking = Thinking::Nothing;
        if let Some(client) = self.seat.client() {
            let word = verdict.map_or("draw", Verdict::gameover);
            if let Err(error) = client.cancel().and_then(|()| client.game_over(word)) {
                self.seat.kill();
                if error != ClientError::Interrupted {
                    self.fault(error.to_string());
                }
            }
        }
        let end = self.state.game.end(verdict);
        let remark = match verdict {
            Some(_) => self.state.game.reason().map_or(String::new(), |reason| format!("#{reason}")),
            None => reason.clone(),
        };
        if let Some(record) = &mut self.state.record
            && let Err(error) = record.end(end, &remark)
        {
            self.reporter.fault(format!("the record has no end: {error}"));
        }
        let reason = if reason.is_empty() { self.state.game.reason().unwrap_or("") } else { &reason };
        Some(Box::new(self.state.report(verdict.map_or("broken", Verdict::word), reason)))
    }

    /// Leaves the report of a game that is never finished, should we be killed in it.
    fn remember(&mut self) {
        let report = self.state.report("unfinished", "the client was ended in the middle of the game");
        self.lock.remember(&report);
    }
}
