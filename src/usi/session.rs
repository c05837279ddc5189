//! The loop between the client and the engine, in either dialect.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};

use super::dialect::Dialect;
use super::event::Event;
use super::mate_search::{self, MateOptions};
use super::output::Output;
use super::{CheckMate, Command, CommandError, DebugLog, PositionCommand, Reply};
use super::{console, counting};
use crate::engine::{BestMove, Engine};
use crate::mate::{FutileInterpositions, MateLength};
use crate::platform::machine;
use crate::search::{Limits, Line};
use crate::types::Move;

/// Interval of empty lines while the engine is getting ready; some clients give up after 5 s.
const KEEP_ALIVE: Duration = Duration::from_secs(3);
/// How long `quit` waits for outstanding answers.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// A `quit` or end of input this soon after a perft or benchmark was piped in with it; a later one cancels the count.
const PIPED: Duration = Duration::from_millis(50);

/// What the session is doing.
pub(super) enum Activity {
    /// Nothing.
    Idle,
    /// `isready`: the engine allocates its table and loads its files; `replies` times `readyok` are outstanding.
    Preparing { replies: usize },
    /// A `go` whose `bestmove` is outstanding.
    Searching { stopping: bool, last: LastLine },
    /// A `go mate` whose `checkmate` is outstanding; in UCI a `bestmove`, of a search within these limits where there
    /// is no mate.
    MateSearch { stop: Arc<AtomicBool>, search_after: Option<Limits> },
    /// A `perft` or `bench`.
    Counting { stop: Arc<AtomicBool> },
}

/// What the end of a search needs to know of its lines.
#[derive(Default)]
pub(super) struct LastLine {
    /// The last line of the best move.
    pub(super) best: Option<Line>,
    /// Whether nothing was sent after it.
    pub(super) was_sent_last: bool,
}

/// Whether a command runs on a thread of its own, beside the loop.
fn is_counting(command: &Command) -> bool {
    match command {
        Command::GoPerft(_) => true,
        Command::Console(console) => console.count().is_some(),
        _ => false,
    }
}

/// A command that has not been carried out yet.
struct Deferred {
    command: Command,
    /// When it arrived.
    at: Instant,
    /// The dialect of its line, and of its answer.
    dialect: Dialect,
}

pub(super) struct Session<W> {
    pub(super) engine: Engine,
    pub(super) output: Output<W>,
    events: Sender<Event>,
    pub(super) debug_log: DebugLog,
    pub(super) activity: Activity,
    /// Commands that wait for the end of the activity, in order of arrival.
    deferred: VecDeque<Deferred>,
    /// The dialect of the client's lines now.
    dialect: Dialect,
    /// The dialect in which the activity was asked for, and in which its reports are sent.
    activity_dialect: Dialect,
    pub(super) debug: bool,
    /// Options that the file beside the program has set.
    pub(super) fixed_options: Vec<String>,
    /// Notes to send before the next `readyok`.
    pub(super) remarks: Vec<String>,
    /// Whether the last `position` could be read.
    has_position: bool,
    /// Interval of empty lines while the engine is getting ready.
    keep_alive: Duration,
    /// When the last perft or benchmark was requested.
    last_count: Option<Instant>,
    /// The start of [`QUIT_TIMEOUT`]: when `quit` or the end of the input came, or a count ended after it.
    quitting_since: Option<Instant>,
}

impl<W: Write> Session<W> {
    pub(super) fn new(events: Sender<Event>, output: W, debug_log: DebugLog) -> Self {
        let reports = events.clone();
        // Sending fails only after the session has ended.
        let engine = Engine::new(move |report| drop(reports.send(Event::Report(report))));
        Self {
            engine,
            output: Output::new(output, debug_log.clone()),
            events,
            debug_log,
            activity: Activity::Idle,
            deferred: VecDeque::new(),
            dialect: Dialect::default(),
            activity_dialect: Dialect::default(),
            debug: false,
            fixed_options: Vec::new(),
            remarks: Vec::new(),
            has_position: true,
            keep_alive: KEEP_ALIVE,
            last_count: None,
            quitting_since: None,
        }
    }

    /// Handles events until the session has ended.
    pub(super) fn run(&mut self, events: &Receiver<Event>) {
        while !self.has_ended() {
            let timeout = match (&self.activity, self.quitting_since) {
                _ if self.has_counts() => Duration::MAX,
                (_, Some(since)) => QUIT_TIMEOUT.saturating_sub(since.elapsed()),
                (Activity::Preparing { .. }, None) => self.keep_alive,
                _ => Duration::MAX,
            };
            match events.recv_timeout(timeout) {
                Ok(event) => self.handle(event),
                Err(RecvTimeoutError::Timeout) if self.quitting_since.is_none() => self.output.send(&Reply::KeepAlive),
                Err(_) => return,
            }
        }
    }

    fn has_ended(&self) -> bool {
        let settled = matches!(self.activity, Activity::Idle) && self.deferred.is_empty();
        let ends = |since: Instant| settled || since.elapsed() >= QUIT_TIMEOUT && !self.has_counts();
        self.output.is_broken() || self.quitting_since.is_some_and(ends)
    }

    /// Whether a perft or benchmark is running or waiting.
    fn has_counts(&self) -> bool {
        matches!(self.activity, Activity::Counting { .. })
            || self.deferred.iter().any(|deferred| is_counting(&deferred.command))
    }

    fn handle(&mut self, event: Event) {
        self.output.set_dialect(self.activity_dialect);
        match event {
            Event::Line { text, at } => self.line(&text, at),
            Event::End(at) => self.quit(at),
            Event::Report(report) => self.report(report),
            Event::MateProgress(progress) => self.output.send(&Reply::MateProgress(progress)),
            Event::Mate(answer) => self.mate_answer(answer),
            Event::Text(text) => self.output.send(&Reply::Text(text)),
            Event::Counted => {
                // Other outstanding answers get their full time.
                self.quitting_since = self.quitting_since.map(|_| Instant::now());
                self.end_activity();
            }
        }
    }

    // ---- from the client

    fn line(&mut self, text: &str, at: Instant) {
        self.debug_log.record('>', text.trim_end());
        if self.quitting_since.is_some() {
            return;
        }
        self.output.set_dialect(self.dialect);
        match Command::read(text, self.dialect) {
            Ok(Command::Usi) => self.identify(Dialect::Usi),
            Ok(Command::Uci) => self.identify(Dialect::Uci),
            Ok(Command::Quit) => self.quit(at),
            Ok(command) => {
                if is_counting(&command) {
                    self.last_count = Some(at);
                }
                self.deferred.push_back(Deferred { command, at, dialect: self.dialect });
                self.run_deferred();
            }
            Err(error @ CommandError::Incomplete(_)) => self.output.note(error),
            // Clients send commands that this engine does not know; they are reported in debug mode only.
            Err(error @ CommandError::Unknown(_)) if self.debug => self.output.note(error),
            Err(CommandError::Unknown(_) | CommandError::Blank) => {}
        }
    }

    /// Carries out commands in their order, up to one that has to wait for the end of the present activity.
    fn run_deferred(&mut self) {
        while let Some(deferred) = self.deferred.pop_front() {
            if self.must_wait(&deferred.command) {
                if deferred.command.needs_idle_engine() && !matches!(self.activity, Activity::Counting { .. }) {
                    self.stop();
                }
                self.deferred.push_front(deferred);
                return;
            }
            self.output.set_dialect(deferred.dialect);
            self.execute(deferred.command, deferred.at);
        }
    }

    fn must_wait(&self, command: &Command) -> bool {
        match (command, &self.activity) {
            (_, Activity::Idle) => false,
            (command, _) if command.needs_idle_engine() => true,
            // Answered at once, but never before the `bestmove` that a stop has asked for: it would be taken for the
            // next game's.
            (Command::IsReady, Activity::Searching { stopping, .. }) => *stopping,
            (Command::IsReady, Activity::MateSearch { stop, .. }) => stop.load(Ordering::Relaxed),
            (Command::Console(console), Activity::Preparing { .. }) => console.needs_ready_engine(),
            // One count after the other; `position` must not overtake them.
            (Command::Console(_) | Command::Position(_), Activity::Counting { .. }) => true,
            _ => false,
        }
    }

    fn execute(&mut self, command: Command, at: Instant) {
        match command {
            // These never wait.
            Command::Usi | Command::Uci | Command::Quit => {}
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.is_ready(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::GetOption(name) => self.show_options(name.as_deref()),
            Command::Register => {}
            Command::NewGame => self.engine.new_game(),
            Command::Position(command) => self.set_position(&command),
            Command::Go(limits, remark) => {
                self.remark(remark);
                self.go(Limits { received: Some(at), ..limits });
            }
            Command::GoMate(limits, remark) => {
                self.remark(remark);
                self.mate(limits, None);
            }
            Command::GoMateIn(limits, remark) => {
                self.remark(remark);
                let search_after = Limits { received: Some(at), ..limits.clone() };
                self.mate(limits, Some(search_after));
            }
            Command::GoPerft(depth) => self.count(counting::Count::Perft(depth)),
            Command::Stop => self.stop(),
            Command::PonderHit(clocks) => self.engine.ponder_hit(clocks),
            Command::GameOver => {
                self.stop();
                // Cleared now, so that the first move of the next game does not pay for it.
                self.engine.new_game();
            }
            Command::Console(console) => match console.count() {
                Some(_) if !matches!(self.activity, Activity::Idle) => {
                    self.output.note("something else is running: stop it first")
                }
                Some(count) => self.count(count),
                None if console.needs_position() && !self.check_position() => {}
                None => self.output.send(&Reply::Text(console::answer(console, &self.engine, self.output.dialect()))),
            },
        }
    }

    fn remark(&mut self, remark: Option<String>) {
        if let Some(remark) = remark {
            self.output.note(remark);
        }
    }

    fn set_position(&mut self, command: &PositionCommand) {
        let (position, error) = command.set_up();
        self.has_position = position.is_some();
        match (position, error) {
            (Some(position), error) => {
                self.engine.set_position(position);
                if let Some(error) = error {
                    self.output.note(format!("the position stands before {error}"));
                }
            }
            (None, error) => self.remark(error.map(|error| error.to_string())),
        }
    }

    /// Whether there is a position to act on; if not, the client is told.
    fn check_position(&mut self) -> bool {
        if !self.has_position {
            self.output.note("there is no position: the last one was refused");
        }
        self.has_position
    }

    /// Answers `usi` or `uci`, and goes on in that dialect.
    fn identify(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        self.output.set_dialect(dialect);
        self.output.send(&Reply::IdName(format!("Hagane {}", env!("CARGO_PKG_VERSION"))));
        self.output.send(&Reply::IdAuthor("the Hagane developers".into()));
        for option in dialect.options() {
            self.output.send(&Reply::Option(option));
        }
        self.output.send(&Reply::UsiOk);
    }

    fn is_ready(&mut self) {
        for remark in std::mem::take(&mut self.remarks) {
            self.output.note(remark);
        }
        match &mut self.activity {
            Activity::Idle => {
                self.activity = Activity::Preparing { replies: 1 };
                self.engine.ready();
            }
            Activity::Preparing { replies } => *replies += 1,
            Activity::Searching { .. } | Activity::MateSearch { .. } | Activity::Counting { .. } => {
                self.output.send(&Reply::ReadyOk)
            }
        }
    }

    fn go(&mut self, mut limits: Limits) {
        // No move is better than one for a board that the client does not show.
        if !self.check_position() {
            self.output.send(&Reply::BestMove(BestMove::Resign));
            return;
        }
        let position = self.engine.position();
        let (legal, illegal): (Vec<Move>, _) = limits.search_moves.iter().partition(|&&mv| position.is_legal(mv));
        if let Some(first) = illegal.first() {
            let illegal: Move = *first;
            let illegal = self.output.dialect().spell(illegal);
            self.output.note(format!("searchmoves: {illegal} is not legal here and left out"));
        }
        limits.search_moves = legal;
        self.tell_level(&limits);
        self.begin(Activity::Searching { stopping: false, last: LastLine::default() });
        if let Err(error) = self.engine.go(limits) {
            // Cannot happen, as one activity runs at a time; but a `go` without an answer would hang the client.
            self.output.note(error);
            self.best_move(&BestMove::Resign);
        }
        if self.quitting_since.is_some() {
            self.stop();
        }
    }

    /// Says at which level the engine plays, if not at full strength.
    fn tell_level(&mut self, limits: &Limits) {
        let options = self.engine.options();
        let Some(level) = options.level_number().map(|number| (number * 10.0).round() / 10.0) else {
            return;
        };
        let is_analysis = limits.infinite || options.analyse_mode || options.multi_pv > 1;
        let rest = if is_analysis { " is for games: this analysis is at full strength" } else { "" };
        self.output.note(format!("level {level}{rest}"));
    }

    /// Looks for a mate. In UCI the answer is a `bestmove`: `search_after` has the limits of a search for it where
    /// there is no mate.
    fn mate(&mut self, limits: Limits, search_after: Option<Limits>) {
        if !self.check_position() {
            self.output.send(&match search_after {
                None => Reply::CheckMate(CheckMate::Timeout),
                Some(_) => Reply::BestMove(BestMove::Resign),
            });
            return;
        }
        let options = self.engine.options();
        let length = if search_after.is_some() { MateLength::Exact } else { options.mate_length };
        let megabytes = mate_search::table_size(options.usi_hash, length, machine::memory());
        if megabytes < options.usi_hash {
            let (name, hash) = (self.output.dialect().option_name("USI_Hash"), options.usi_hash);
            let told = format!("the solver's tables have {megabytes} MiB each: {name} {hash} leaves no more memory");
            self.output.note(told);
        }
        let options = MateOptions {
            threads: options.threads,
            megabytes,
            length,
            futile: match options.mate_print_interpositions {
                true => FutileInterpositions::None,
                false => options.mate_futile,
            },
            delay: options.network_delay2,
        };
        let stop = Arc::new(AtomicBool::new(self.quitting_since.is_some()));
        let position = self.engine.position();
        match mate_search::spawn(position, limits, options, stop.clone(), self.events.clone()) {
            Ok(()) => self.begin(Activity::MateSearch { stop, search_after }),
            Err(error) => {
                self.output.note(format!("no thread for this: {error}"));
                self.begin(Activity::MateSearch { stop, search_after });
                self.mate_answer(CheckMate::Timeout);
            }
        }
    }

    /// The mate solver's answer: in USI that to the client, in UCI the move to play, or else a search begins.
    fn mate_answer(&mut self, answer: CheckMate) {
        let activity = std::mem::replace(&mut self.activity, Activity::Idle);
        let Activity::MateSearch { stop, search_after: Some(limits) } = activity else {
            self.output.send(&Reply::CheckMate(answer));
            return self.end_activity();
        };
        match answer {
            CheckMate::Moves(line) if line.len() <= limits.depth as usize => {
                let choice = match line.first() {
                    Some(&best) => BestMove::Move { best, ponder: line.get(1).copied() },
                    None => BestMove::Resign,
                };
                self.best_move(&choice);
            }
            _ => {
                self.go(limits);
                if stop.load(Ordering::Relaxed) {
                    self.stop();
                }
            }
        }
    }

    fn count(&mut self, count: counting::Count) {
        if count != counting::Count::Bench && !self.check_position() {
            return;
        }
        let stop = Arc::new(AtomicBool::new(false));
        match counting::spawn(count, self.engine.position(), self.output.dialect(), stop.clone(), self.events.clone()) {
            Ok(()) => self.begin(Activity::Counting { stop }),
            Err(error) => self.output.note(format!("no thread for this: {error}")),
        }
    }

    fn stop(&mut self) {
        match &mut self.activity {
            Activity::Searching { stopping, .. } => {
                *stopping = true;
                self.engine.stop();
            }
            Activity::MateSearch { stop, .. } | Activity::Counting { stop } => stop.store(true, Ordering::Relaxed),
            Activity::Idle | Activity::Preparing { .. } => {}
        }
    }

    /// Ends the session; perfts and benchmarks that were piped in just before are finished first.
    fn quit(&mut self, at: Instant) {
        self.quitting_since.get_or_insert_with(Instant::now);
        let is_piped = self.last_count.is_some_and(|last| at.saturating_duration_since(last) < PIPED);
        if !is_piped {
            self.deferred.retain(|deferred| !is_counting(&deferred.command));
        }
        if !is_piped || !matches!(self.activity, Activity::Counting { .. }) {
            self.stop();
        }
    }

    fn begin(&mut self, activity: Activity) {
        self.activity = activity;
        self.activity_dialect = self.output.dialect();
    }

    /// The activity has ended: carries out the commands that waited for it.
    pub(super) fn end_activity(&mut self) {
        self.activity = Activity::Idle;
        self.run_deferred();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Report;

    /// Stands in for a table or network that takes long: the engine reports nothing for a while.
    #[test]
    fn a_long_isready_shows_signs_of_life() {
        assert!(KEEP_ALIVE < Duration::from_secs(5), "the most impatient client waits so long");
        let (sender, events) = crossbeam_channel::unbounded();
        let mut heard = Vec::new();
        let mut session = Session::new(sender.clone(), &mut heard, DebugLog::default());
        session.keep_alive = Duration::from_millis(20);
        session.activity = Activity::Preparing { replies: 2 };
        let late = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            sender.send(Event::Report(Report::Ready(Ok(())))).expect("the session listens");
            sender.send(Event::End(Instant::now())).expect("the session listens");
        });
        session.run(&events);
        drop(session);
        late.join().expect("no panic");
        let heard = String::from_utf8(heard).expect("text");
        let (signs, rest) = heard.split_at(heard.find('r').expect("readyok"));
        assert!(signs.len() >= 2 && signs.bytes().all(|byte| byte == b'\n'), "{heard:?}");
        assert_eq!(rest, "readyok\nreadyok\n");
    }
}
