//! A client for USI engines that run as processes.
//!
//! [`EngineSpec`] names the program, [`Client`] is the running engine. The client does not trust the engine: every wait
//! has a limit, output is bounded, an engine that dies, hangs, floods its output or stops reading is reported as a
//! [`Fault`], and no process outlives its `Client`, nor this process.
//!
//! ```no_run
//! use hagane::client::{Client, EngineSpec, Interrupt};
//! # fn main() -> Result<(), hagane::client::ClientError> {
//! let mut engine = Client::start(&EngineSpec::this_executable()?, &Interrupt::never())?;
//! engine.ready()?;
//! engine.new_game()?;
//! engine.position("startpos moves 7g7f")?;
//! engine.go("byoyomi 1000")?;
//! let answer = engine.answer(std::time::Duration::from_secs(3))?;
//! # Ok(()) }
//! ```

mod fault;
mod input;
mod interrupt;
mod multi_pv;
mod process;
mod reply;
mod spec;

use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

pub use fault::{ClientError, Fault};
pub use interrupt::{Interrupt, Trigger};
pub use multi_pv::MultiPv;
pub use reply::{Answer, Info, MateAnswer, ScoreText};
pub use spec::{EngineSpec, Timeouts, split_words};

use process::Process;

/// An option that an engine offers in its handshake.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OfferedOption {
    /// The name, as the engine spells it.
    name: String,
    /// What follows the name: `type spin default 16 min 1 max 1024`.
    declaration: String,
}

/// A running engine.
pub struct Client {
    process: Process,
    timeouts: Timeouts,
    name: String,
    offered: Vec<OfferedOption>,
    /// Options that were not set, one sentence each.
    refused: Vec<String>,
    searching: bool,
    strays: u32,
}

impl Client {
    /// Starts the program, waits for `usiok` and sends the options of the spec, except those that the engine does not
    /// offer or whose values it does not allow ([`Client::refused_options`]).
    ///
    /// # Errors
    /// A [`Fault`] where the program cannot be started, ends or is silent for [`Timeouts::usi`];
    /// [`ClientError::Interrupted`] where `interrupt` fires first. The process is gone in either case.
    pub fn start(spec: &EngineSpec, interrupt: &Interrupt) -> Result<Self, ClientError> {
        let mut client = Self::new(spec, Process::start(spec, interrupt.clone(), false)?);
        let limit = client.timeouts.usi;
        client.ask("usi", "usiok", limit, None, Fault::NoUsiok(limit))?;
        for (name, value) in &spec.preferences {
            if client.offers(name) {
                client.set_option(name, value)?;
            }
        }
        for (name, value) in &spec.options {
            match client.objection(name, value) {
                Some(objection) => client.refused.push(objection),
                None => client.set_option(name, value)?,
            }
        }
        Ok(client)
    }

    /// Starts a program that takes and prints lines, without any handshake, for [`Client::send`] and
    /// [`Client::next_line`], which delivers every line.
    ///
    /// # Errors
    /// [`Fault::CannotStart`].
    pub fn start_silently(spec: &EngineSpec, interrupt: &Interrupt) -> Result<Self, ClientError> {
        Ok(Self::new(spec, Process::start(spec, interrupt.clone(), true)?))
    }

    fn new(spec: &EngineSpec, process: Process) -> Self {
        Self {
            process,
            timeouts: spec.timeouts,
            name: String::new(),
            offered: Vec::new(),
            refused: Vec::new(),
            searching: false,
            strays: 0,
        }
    }

    /// The engine's name (`id name`); empty if it gave none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of the engine's process, by which the system tells its processor time.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Whether the engine offers an option (USI option names are compared without regard to case).
    pub fn offers(&self, name: &str) -> bool {
        self.offer(name).is_some()
    }

    /// The option of that name that the engine offers.
    fn offer(&self, name: &str) -> Option<&OfferedOption> {
        self.offered.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// The options of the spec that the engine does not offer, whose values it does not allow, or that it has rejected
    /// since: one sentence each.
    pub fn refused_options(&self) -> &[String] {
        &self.refused
    }

    /// Why the engine will not take an option value, by its declaration.
    fn objection(&self, name: &str, value: &str) -> Option<String> {
        let Some(option) = self.offer(name) else {
            // USI defines these two for every engine; it need not list them.
            let is_reserved = ["USI_Hash", "USI_Ponder"].iter().any(|reserved| reserved.eq_ignore_ascii_case(name));
            return (!is_reserved).then(|| format!("the engine does not offer the option {name}"));
        };
        let words: Vec<&str> = option.declaration.split_whitespace().collect();
        let after = |key: &str| words.windows(2).find(|pair| pair[0] == key).map(|pair| pair[1]);
        let number = |text: Option<&str>| text.and_then(|text| text.parse::<i64>().ok());
        let fits = match after("type") {
            Some("check") => matches!(value, "true" | "false"),
            Some("spin") => number(Some(value)).is_some_and(|value| {
                number(after("min")).is_none_or(|min| min <= value)
                    && number(after("max")).is_none_or(|max| value <= max)
            }),
            Some("combo") => words.windows(2).any(|pair| pair[0] == "var" && pair[1].eq_ignore_ascii_case(value)),
            _ => true,
        };
        (!fits).then(|| {
            let declaration = &option.declaration;
            format!("'{value}' does not fit the option {name} ({declaration})")
        })
    }

    /// Sends `setoption`; an empty value makes it a button press.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        // Its objection may come before `isready` is sent.
        self.process.follow_all(true);
        if value.is_empty() {
            self.send(&format!("setoption name {name}"))
        } else {
            self.send(&format!("setoption name {name} value {value}"))
        }
    }

    /// Sends `isready` and waits for `readyok`.
    ///
    /// # Errors
    /// [`Fault::NoReadyok`] after [`Timeouts::ready`] without a line from the engine (each line, also an empty one, is
    /// a sign of life).
    pub fn ready(&mut self) -> Result<(), ClientError> {
        let limit = self.timeouts.ready;
        self.ask("isready", "readyok", limit, None, Fault::NoReadyok(limit))
    }

    /// The same for those who cannot wait longer than until `last`, however much the engine prints.
    ///
    /// # Errors
    /// Also [`Fault::NoReadyok`] after `last`.
    pub fn ready_by(&mut self, last: Instant) -> Result<(), ClientError> {
        let limit = self.timeouts.ready;
        self.ask("isready", "readyok", limit, Some(last), Fault::NoReadyok(limit))
    }

    /// Sends `usinewgame`.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub fn new_game(&mut self) -> Result<(), ClientError> {
        self.send("usinewgame")
    }

    /// Sends `position` with the given text (`startpos moves ...` or `sfen ...`).
    ///
    /// # Errors
    /// As [`Client::send`].
    pub fn position(&mut self, text: &str) -> Result<(), ClientError> {
        self.send(&format!("position {text}"))
    }

    /// Sends `go` with arguments; [`Client::answer`] waits for the result. Returns the time just before the write, when
    /// the engine's clock starts.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub fn go(&mut self, arguments: &str) -> Result<Instant, ClientError> {
        self.collect_strays();
        self.process.begin_search();
        let line = if arguments.is_empty() { "go".to_owned() } else { format!("go {arguments}") };
        let at = Instant::now();
        self.send(&line)?;
        self.searching = true;
        Ok(at)
    }

    /// Sends `ponderhit`, with new clocks if `arguments` has them; returns the time before the write.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub fn ponderhit(&mut self, arguments: &str) -> Result<Instant, ClientError> {
        let at = Instant::now();
        self.send(format!("ponderhit {arguments}").trim_end())?;
        Ok(at)
    }

    /// Sends `stop`; returns the time before the write.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub fn stop(&mut self) -> Result<Instant, ClientError> {
        let at = Instant::now();
        self.send("stop")?;
        Ok(at)
    }

    /// Whether a `go` has not been answered yet.
    pub fn is_searching(&self) -> bool {
        self.searching
    }

    /// Waits for the `bestmove` of the running search; `None` where `limit` passes first (the search still runs).
    ///
    /// # Errors
    /// The engine ended, floods, or the interrupt fired.
    pub fn answer(&mut self, limit: Duration) -> Result<Option<Answer>, ClientError> {
        let deadline = Instant::now().checked_add(limit);
        loop {
            let Some((at, line)) = self.process.next(deadline)? else {
                return Ok(None);
            };
            if let Some(rest) = reply::after(&line, "bestmove") {
                self.searching = false;
                let mut answer = Answer::parse(rest);
                answer.at = at;
                answer.info = self.process.info();
                return Ok(Some(answer));
            }
        }
    }

    /// Blocks until the engine has said something that [`Client::answer`] would look at (or has ended), `other` has a
    /// message, or `deadline` passes: for those who wait for an engine and for something else.
    pub fn wait_for_either<T>(&self, other: &Receiver<T>, deadline: Option<Instant>) {
        self.process.wait_for_either(other, deadline);
    }

    /// Stops a running search and discards its `bestmove`.
    ///
    /// # Errors
    /// [`Fault::NoBestmove`] where it does not come within [`Timeouts::stop`].
    pub fn cancel(&mut self) -> Result<(), ClientError> {
        if self.searching {
            self.stop()?;
            self.last_answer()?;
        }
        Ok(())
    }

    /// Waits for the answer after `stop`.
    ///
    /// # Errors
    /// [`Fault::NoBestmove`] where it does not come within [`Timeouts::stop`].
    pub fn last_answer(&mut self) -> Result<Answer, ClientError> {
        let limit = self.timeouts.stop;
        self.answer(limit)?.ok_or(Fault::NoBestmove(limit).into())
    }

    /// Sends `gameover` with `win`, `lose` or `draw`.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub fn game_over(&mut self, result: &str) -> Result<(), ClientError> {
        self.send(&format!("gameover {result}"))
    }

    /// The next line of any kind, with its time of arrival; `None` after `limit`. For commands other than those of a
    /// game: `go mate`, `eval`, `moves`. `info` lines and unknown lines are delivered only after [`Client::follow`].
    ///
    /// # Errors
    /// The engine ended, floods, or the interrupt fired.
    pub fn next_line(&mut self, limit: Duration) -> Result<Option<(Instant, String)>, ClientError> {
        let next = self.process.next(Instant::now().checked_add(limit))?;
        if let Some((_, line)) = &next
            && (reply::after(line, "bestmove").is_some() || reply::after(line, "checkmate").is_some())
        {
            self.searching = false;
        }
        Ok(next)
    }

    /// Whether [`Client::next_line`] delivers every line, `info` and unknown ones included (off by default).
    pub fn follow(&self, every_line: bool) {
        self.process.follow(every_line);
    }

    /// The number of `bestmove` lines without a `go` since the last call.
    pub fn take_strays(&mut self) -> u32 {
        self.collect_strays();
        std::mem::take(&mut self.strays)
    }

    /// The number of lines since the last call that are neither USI nor empty.
    pub fn take_noise(&mut self) -> u64 {
        self.process.take_noise()
    }

    /// Sends one line.
    ///
    /// # Errors
    /// [`Fault::Deaf`] if the engine does not read its input for 5 s, [`Fault::Ended`] if it has ended.
    pub fn send(&mut self, line: &str) -> Result<(), ClientError> {
        self.process.send(line)
    }

    /// Sends `quit` and waits for the process to end; kills it after [`Timeouts::quit`].
    ///
    /// # Errors
    /// [`Fault::IgnoredQuit`] where it had to be killed. The process is gone in either case.
    pub fn quit(mut self) -> Result<(), ClientError> {
        // If the engine has ended by itself, there is nothing to send.
        let _ = self.send("quit");
        self.process.finish(self.timeouts.quit)
    }

    /// Sends `command` and reads the handshake up to the answer `word`.
    fn ask(
        &mut self,
        command: &str,
        word: &str,
        limit: Duration,
        last: Option<Instant>,
        fault: Fault,
    ) -> Result<(), ClientError> {
        // Before the command is sent: a fast engine may answer before the next line here runs.
        self.process.follow_all(true);
        let outcome = self.send(command).and_then(|()| self.wait_for(word, limit, last, fault));
        self.process.follow_all(false);
        outcome
    }

    fn wait_for(
        &mut self,
        word: &str,
        limit: Duration,
        last: Option<Instant>,
        fault: Fault,
    ) -> Result<(), ClientError> {
        // Every line extends the wait, up to a limit: an engine that prints but never answers must not block for ever.
        let last = last.unwrap_or_else(|| Instant::now() + limit * 20);
        let mut deadline = Instant::now() + limit;
        loop {
            let Some((at, line)) = self.process.next(Some(deadline.min(last)))? else {
                return Err(fault.into());
            };
            deadline = at + limit;
            if line == word {
                return Ok(());
            }
            self.note(&line);
        }
    }

    /// Takes in one line of the handshake.
    fn note(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = name.trim().to_owned();
        } else if let Some(rest) = line.strip_prefix("option name ") {
            let (name, declaration) = rest.split_once(" type ").unwrap_or((rest, ""));
            self.offered.push(OfferedOption {
                name: name.trim().to_owned(),
                declaration: format!("type {}", declaration.trim()),
            });
        } else if reply::after(line, "bestmove").is_some() {
            self.strays += 1;
        } else if rejects_option(line) {
            self.refused.push(format!("the engine says: {}", line.trim()));
        }
    }

    /// Discards unread lines outside a search and counts the stray `bestmove`s.
    fn collect_strays(&mut self) {
        if self.searching {
            return;
        }
        while let Some(line) = self.process.try_next() {
            if reply::after(&line, "bestmove").is_some() {
                self.strays += 1;
            }
        }
    }
}

/// Whether a line between `setoption` and `readyok` rejects an option, in the words of Stockfish and others.
fn rejects_option(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    ["no such option", "unknown option", "invalid option", "illegal option"].iter().any(|words| line.contains(words))
}
