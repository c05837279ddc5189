//! The life of a client: connect, log in, wait, play, and again, for weeks.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::account::{Account, Mode};
use super::account_lock::AccountLock;
use super::event::{Event, GameReport, Totals};
use super::game_journal::GameJournal;
use super::game_record::RecordSettings;
use super::game_state::GameState;
use super::hook::Hook;
use super::patience::Patience;
use super::play::{Ended, Play};
use super::reporter::Reporter;
use super::retry::{Retry, RetryPolicy};
use super::seat::{EngineSettings, Seat};
use super::server_line::ServerLine;
use super::stop::{Stop, StopStage};
use super::summary::{Summary, SummaryReader};
use super::traffic_log::TrafficLog;
use super::wire::{Wake, Wire};
use crate::client::ClientError;
use crate::platform::line_journal::LineJournalError;

/// The size at which the log of lines is moved aside.
const LOG_BYTES: u64 = 10 << 20;

/// What a client does.
#[derive(Clone, Debug)]
pub struct Settings {
    /// As whom, where, for which games.
    pub account: Account,
    /// The engine.
    pub engine: EngineSettings,
    /// Whether the engine's evaluation and line are sent with its moves.
    pub comments: bool,
    /// Ends after so many games; 0 for none.
    pub games: u64,
    /// An empty line is sent after so long without another one.
    pub keepalive: Duration,
    /// Pauses between attempts.
    pub retry: RetryPolicy,
    /// How long to wait for what ought to come.
    pub patience: Patience,
    /// Where records go.
    pub records: RecordSettings,
    /// The log of all lines.
    pub log: Option<PathBuf>,
    /// A command that is told of events.
    pub on_event: Option<String>,
    /// The folder of what is remembered from one run to the next.
    pub state: PathBuf,
}

/// Why a client gives up. Whatever may pass by itself is tried again instead.
#[derive(Debug, thiserror::Error)]
pub enum FloodgateError {
    /// The same account is in use.
    #[error("{0} is in use by another process: a second login would throw it out")]
    InUse(Account),
    /// A file cannot be written.
    #[error("{0}: {1}")]
    File(String, io::Error),
    /// The journal of games cannot be used.
    #[error("{0}: {1}")]
    Journal(String, LineJournalError),
    /// The engine does not start.
    #[error(transparent)]
    Engine(ClientError),
    /// The first login was refused.
    #[error(
        "the server refuses the login of {0}: another password, a game of this player that still runs, or a name that the \
         server does not take"
    )]
    Refused(Account),
    /// The server says what is wrong with the request for games.
    #[error("the server says: {0}")]
    Server(String),
}

/// Plays until it is stopped or has played its games; tells `tell` what happens.
///
/// # Errors
/// What only the user can change, see [`FloodgateError`].
pub fn run(settings: &Settings, stop: &Stop, tell: &mut dyn FnMut(&Event)) -> Result<Totals, FloodgateError> {
    let lock = AccountLock::take(&settings.account, &settings.state)
        .map_err(|error| FloodgateError::File(settings.state.display().to_string(), error))?
        .ok_or_else(|| FloodgateError::InUse(settings.account.clone()))?;
    let log = settings.log.as_ref().map(|path| {
        TrafficLog::open(path, LOG_BYTES).map_err(|error| FloodgateError::File(path.display().to_string(), error))
    });
    let hook = settings
        .on_event
        .as_ref()
        .map(|command| Hook::start(command).map_err(|error| FloodgateError::File(command.clone(), error)));
    let mut session = Session {
        settings,
        stop,
        lock,
        wire: Wire::new((stop.sender(), stop.inbox()), log.transpose()?, settings.keepalive),
        seat: Seat::new(&settings.engine, stop.interrupt().clone()),
        reporter: Reporter::new(tell, hook.transpose()?, settings.account.to_string()),
        journal: open_journal(settings)?,
        retry: Retry::new(settings.retry),
        totals: Totals::default(),
        left_behind: None,
        logged_in_at: None,
        logged_in_before: false,
    };
    session.book_unfinished();
    let outcome = session.run();
    session.wire.close();
    session.seat.quit();
    session.reporter.event(&Event::Exit(session.totals));
    outcome.map(|()| session.totals)
}

/// The journal of games of an account, in the folder of records.
fn open_journal(settings: &Settings) -> Result<Option<GameJournal>, FloodgateError> {
    let Some(folder) = &settings.records.folder else {
        return Ok(None);
    };
    std::fs::create_dir_all(folder).map_err(|error| FloodgateError::File(folder.display().to_string(), error))?;
    let path = folder.join(GameJournal::name(&settings.account));
    let journal = GameJournal::open(&path);
    journal.map(Some).map_err(|error| FloodgateError::Journal(path.display().to_string(), error))
}

struct Session<'a> {
    settings: &'a Settings,
    stop: &'a Stop,
    lock: AccountLock,
    wire: Wire,
    seat: Seat<'a>,
    reporter: Reporter<'a>,
    journal: Option<GameJournal>,
    retry: Retry,
    totals: Totals,
    /// When a game that we have lost the connection to will be over at the latest.
    left_behind: Option<Instant>,
    /// When the connection that stands, or the last one, was logged in.
    logged_in_at: Option<Instant>,
    logged_in_before: bool,
}

/// What to do after a connection has ended.
enum Next {
    /// Log in again at once.
    Again,
    /// Log in again after a pause.
    AfterPause(Duration),
    /// End.
    End,
}

impl Session<'_> {
    fn run(&mut self) -> Result<(), FloodgateError> {
        let mut first = true;
        while self.stop.stage() == StopStage::No {
            match self.ready_engine() {
                Ok(()) => {}
                Err(ClientError::Interrupted) => return Ok(()),
                Err(error) if first => return Err(FloodgateError::Engine(error)),
                Err(error) => {
                    self.reporter.fault(error.to_string());
                    let pause = self.retry.pause();
                    self.pause(pause);
                    continue;
                }
            }
            if first {
                self.reporter
                    .event(&Event::Engine { name: self.seat.name().to_owned(), refused: self.seat.refused().to_vec() });
                first = false;
            }
            match self.connection()? {
                Next::Again => {}
                Next::AfterPause(pause) => self.pause(pause),
                Next::End => return Ok(()),
            }
        }
        Ok(())
    }

    fn ready_engine(&mut self) -> Result<(), ClientError> {
        let mut faults = Vec::new();
        let outcome = self.seat.ready(None, &mut |fault| faults.push(fault));
        for fault in faults {
            self.reporter.fault(fault);
        }
        outcome
    }

    /// One connection from its beginning to its end.
    fn connection(&mut self) -> Result<Next, FloodgateError> {
        let account = &self.settings.account;
        self.reporter.event(&Event::Connecting(format!("{}:{}", account.host, account.port)));
        if let Err(error) = self.wire.connect(&account.host, account.port) {
            return Ok(self.broken(format!("no connection: {error}")));
        }
        match self.wire.wait_connected() {
            None => return Ok(Next::End),
            Some(Err(error)) => {
                return Ok(self.broken(format!("no connection to {}:{}: {error}", account.host, account.port)));
            }
            Some(Ok(())) => {}
        }
        let next = match self.log_in()? {
            Some(next) => next,
            None => {
                self.reporter.event(&Event::LoggedIn { account: account.to_string(), game: account.game.clone() });
                self.logged_in_at = Some(Instant::now());
                self.logged_in_before = true;
                self.left_behind = None;
                self.lock.set_game(None);
                self.games()?
            }
        };
        self.wire.close();
        Ok(next)
    }

    /// Logs in; `Some` where that ends the connection.
    fn log_in(&mut self) -> Result<Option<Next>, FloodgateError> {
        let [line, logged] = self.settings.account.login();
        self.wire.send_as(&line, &logged);
        let patience = self.settings.patience.login;
        let until = Instant::now() + patience;
        loop {
            match self.wire.wait(Some(until), None, false) {
                Wake::Line(_, line) => match ServerLine::parse(&line) {
                    ServerLine::LoggedIn => return Ok(None),
                    ServerLine::LoginRefused => return self.refused().map(Some),
                    _ => {}
                },
                Wake::Closed(why) => return Ok(Some(self.broken(why))),
                Wake::Stop => return Ok(Some(Next::End)),
                Wake::Time => {
                    return Ok(Some(self.broken(format!("no answer to the login within {} s", patience.as_secs()))));
                }
                Wake::Engine => {}
            }
        }
    }

    /// A refusal is the user's mistake, unless an earlier game may still be running under the name.
    fn refused(&mut self) -> Result<Next, FloodgateError> {
        if !self.logged_in_before && !self.lock.was_in_game() {
            return Err(FloodgateError::Refused(self.settings.account.clone()));
        }
        self.reporter.event(&Event::Broken("the login is refused: an earlier game may still be running".to_owned()));
        let game = self.left_behind.map(|end| end.saturating_duration_since(Instant::now()));
        Ok(Next::AfterPause(self.retry.pause_after_refusal(game)))
    }

    fn broken(&mut self, why: String) -> Next {
        self.reporter.event(&Event::Broken(why));
        self.after_pause()
    }

    /// The pause before the next connection, which grows from one bad connection to the next.
    fn after_pause(&mut self) -> Next {
        if self.logged_in_at.take().is_some_and(|at| at.elapsed() > self.settings.patience.stood) {
            self.retry.reset();
        }
        Next::AfterPause(self.retry.pause())
    }

    /// Plays the games of a connection.
    fn games(&mut self) -> Result<Next, FloodgateError> {
        loop {
            if let Some(line) = self.settings.account.ask_for_game() {
                self.wire.send(&line);
            }
            let summary = match self.wait_for_game()? {
                Offer::Game(summary) => summary,
                Offer::None(next) => return Ok(next),
            };
            let next = self.play(*summary);
            // The extended mode's connection survives a game.
            let extended = self.settings.account.mode == Mode::X1;
            if matches!(next, Next::Again) && !extended && self.stop.stage() != StopStage::Now {
                self.wait_for_close();
            }
            let ends = self.settings.games > 0 && self.totals.games >= self.settings.games;
            if ends || self.stop.stage() != StopStage::No {
                if extended {
                    self.wire.send("LOGOUT");
                }
                return Ok(Next::End);
            }
            if !(matches!(next, Next::Again) && extended) {
                return Ok(next);
            }
            if self.settings.engine.restart
                && let Err(error) = self.ready_engine()
            {
                return Ok(self.broken(error.to_string()));
            }
        }
    }

    /// Waits for the server to close the connection after a game, for a login before would be one too many. A server
    /// that keeps the connection is told that we go.
    fn wait_for_close(&mut self) {
        if !self.is_closed_in_time() {
            self.wire.send("LOGOUT");
            self.is_closed_in_time();
        }
    }

    fn is_closed_in_time(&mut self) -> bool {
        let until = Instant::now() + self.settings.patience.close;
        loop {
            match self.wire.wait(Some(until), None, true) {
                Wake::Line(..) | Wake::Engine => {}
                Wake::Closed(_) => return true,
                Wake::Stop | Wake::Time => return false,
            }
        }
    }

    /// Waits for a game, for as long as it takes.
    fn wait_for_game(&mut self) -> Result<Offer, FloodgateError> {
        let mut reader: Option<SummaryReader> = None;
        let mut until = Some(Instant::now() + self.settings.patience.pairing);
        loop {
            match self.wire.wait(until, None, false) {
                Wake::Line(_, line) => {
                    if let Some(summary) = reader.as_mut().map(|reader| reader.take(&line)) {
                        match summary {
                            None => {}
                            Some(Ok(summary)) => return Ok(Offer::Game(Box::new(summary))),
                            Some(Err(error)) => return Ok(Offer::None(self.reject(&error.game_id, &error.reason))),
                        }
                        continue;
                    }
                    match ServerLine::parse(&line) {
                        ServerLine::SummaryBegins => {
                            reader = Some(SummaryReader::default());
                            until = Some(Instant::now() + self.settings.patience.summary);
                        }
                        ServerLine::Extended(text) => self.extended(text)?,
                        ServerLine::Blank => {}
                        _ => self.reporter.note(format!("the server says '{line}'")),
                    }
                }
                Wake::Closed(why) => return Ok(Offer::None(self.broken(why))),
                Wake::Stop => {
                    if self.settings.account.mode == Mode::X1 {
                        self.wire.send("LOGOUT");
                    }
                    return Ok(Offer::None(Next::End));
                }
                Wake::Time if reader.is_some() => {
                    return Ok(Offer::None(self.broken("the game summary has no end".to_owned())));
                }
                Wake::Time => {
                    until = None;
                    let hours = self.settings.patience.pairing.as_secs() / 3600;
                    let game = self.settings.account.game.as_deref().unwrap_or("what the password says");
                    self.reporter.note(format!("no game for {hours} hours: does anybody play {game} here?"));
                }
                Wake::Engine => {}
            }
        }
    }

    /// `##[ERROR] ...`: what was asked for will never come.
    fn extended(&mut self, text: &str) -> Result<(), FloodgateError> {
        let Some(error) = text.strip_prefix("##[ERROR]") else {
            return Ok(());
        };
        if self.totals == Totals::default() {
            return Err(FloodgateError::Server(error.trim().to_owned()));
        }
        self.reporter.note(format!("the server says: {}", error.trim()));
        Ok(())
    }

    fn reject(&mut self, game_id: &str, why: &str) -> Next {
        self.wire.send(format!("REJECT {game_id}").trim_end());
        self.broken(format!("the game {game_id} is rejected: {why}"))
    }

    fn play(&mut self, summary: Summary) -> Next {
        let (settings, id) = (self.settings, summary.game_id.clone());
        if !settings.account.wants(summary.game_name()) {
            let wanted = settings.account.game.as_deref().unwrap_or("");
            return self
                .reject(&id, &format!("'{}' is not the game {wanted}, which was asked for", summary.game_name()));
        }
        let stage = self.stop.set_in_game(true);
        if stage != StopStage::No {
            self.wire.send(format!("REJECT {id}").trim_end());
            return Next::End;
        }
        let mut faults = Vec::new();
        let ready = self.seat.ready(Some(&summary), &mut |fault| faults.push(fault));
        for fault in faults {
            self.reporter.fault(fault);
        }
        if let Err(error) = ready {
            self.stop.set_in_game(false);
            return self.reject(&id, &error.to_string());
        }
        self.lock.set_game(Some(&id));
        let play = Play {
            wire: &mut self.wire,
            seat: &mut self.seat,
            reporter: &mut self.reporter,
            lock: &mut self.lock,
            stop: self.stop,
            patience: &settings.patience,
            records: &settings.records,
            comments: settings.comments,
            state: GameState::new(summary),
        };
        let (ended, report) = play.run();
        self.stop.set_in_game(false);
        if let Some(report) = report {
            self.totals.count(match &ended {
                Ended::Over(verdict) => Some(*verdict),
                _ => None,
            });
            self.book(report);
        }
        // A game that goes on without us is remembered, also by a client that is killed before it is over.
        let left_behind = matches!(&ended, Ended::Broken(_, Some(_)) | Ended::Stopped(Some(_)));
        if !left_behind {
            self.lock.set_game(None);
        }
        self.after(ended)
    }

    fn after(&mut self, ended: Ended) -> Next {
        match ended {
            Ended::Over(_) => {
                self.retry.reset();
                Next::Again
            }
            Ended::Rejected(by) => {
                let by = if by.is_empty() { String::new() } else { format!(" by {by}") };
                self.reporter.note(format!("the game is rejected{by}"));
                // Also where the connection survives it: an opponent may reject every game.
                self.after_pause()
            }
            Ended::Broken(why, left) => {
                self.left_behind = left.map(|left| Instant::now() + left);
                self.broken(why)
            }
            Ended::Stopped(_) => Next::End,
        }
    }

    /// Books the game that the client before this one was ended in, unless it has done so itself.
    fn book_unfinished(&mut self) {
        if let Some(report) = self.lock.take_unfinished()
            && self.journal.as_ref().is_some_and(|journal| !journal.ends_with(&report))
        {
            self.book(Box::new(report));
        }
    }

    /// Tells of a game that is over for us, and writes its line into the journal.
    fn book(&mut self, report: Box<GameReport>) {
        if let Some(journal) = &mut self.journal
            && let Err(error) = journal.append(&report)
        {
            self.reporter.fault(format!("the journal of games cannot be written: {error}"));
        }
        self.reporter.event(&Event::Ended(report));
    }

    /// Waits, unless the end is asked for.
    fn pause(&mut self, pause: Duration) {
        if self.stop.stage() != StopStage::No {
            return;
        }
        self.wire.close();
        self.reporter.event(&Event::Pause(pause));
        let until = Instant::now() + pause;
        while let Wake::Line(..) | Wake::Closed(_) | Wake::Engine = self.wire.wait(Some(until), None, false) {}
    }
}

/// What came of waiting for a game.
enum Offer {
    Game(Box<Summary>),
    None(Next),
}
