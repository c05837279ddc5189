//! A strict client: it starts the program, remembers all that was said, and judges every line.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use hagane::position::Position;
use hagane::types::Move;
use hagane::usi::Command as UsiCommand;

use super::translation::{to_uci, to_usi};

/// Longer than any answer may take on a busy machine; a test that waits so long has failed.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Whether this is the test program that runs the tests of USI a second time, in UCI.
pub const TRANSLATED: bool = matches!(env!("CARGO_CRATE_NAME").as_bytes(), b"uci");

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    /// What was said and heard, for the message of a test that fails.
    transcript: Vec<String>,
    /// As the program should have it now.
    position: Position,
    /// The positions of the searches whose answers are owed, the oldest first, and the one answered last.
    searched: VecDeque<Position>,
    answered: Position,
    /// Lines are translated to UCI, and what comes back to USI.
    translated: bool,
    pub started: Instant,
}

/// All that follows one `go`.
pub struct Answer {
    pub infos: Vec<String>,
    pub bestmove: String,
}

impl Answer {
    /// The move, `resign` or `win`.
    pub fn choice(&self) -> &str {
        self.bestmove.split(' ').nth(1).unwrap_or_default()
    }

    /// The last line with a line of play.
    pub fn last_pv(&self) -> &str {
        self.infos.iter().rev().find(|info| info.contains(" pv ")).map_or("", String::as_str)
    }
}

/// The word after `name` in a line.
pub fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find(|word| *word == name)?;
    words.next()
}

impl Client {
    /// The program as a client starts it.
    pub fn start() -> Self {
        Self::start_in(Path::new("."))
    }

    /// The program with another working directory.
    pub fn start_in(folder: &Path) -> Self {
        Self::start_program(Path::new(env!("CARGO_BIN_EXE_hagane")), folder)
    }

    /// The program from another place, with a working directory. It searches every position: it may not use its book.
    pub fn start_program(program: &Path, folder: &Path) -> Self {
        let mut client = Self::start_with_book(program, folder);
        client.say("setoption name USI_OwnBook value false");
        client
    }

    /// The same with the opening book.
    pub fn start_with_book(program: &Path, folder: &Path) -> Self {
        let started = Instant::now();
        let mut command = Command::new(program);
        command
            .current_dir(folder)
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // A program just copied may still be open for writing in a process that another test is starting.
        let mut child = loop {
            match command.spawn() {
                Err(error) if error.kind() == ErrorKind::ExecutableFileBusy && started.elapsed() < PATIENCE => {
                    thread::sleep(Duration::from_millis(10));
                }
                spawned => break spawned.expect("the program starts"),
            }
        };
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            // A stopwatch must not wait its turn behind the threads that search.
            hagane::platform::scheduling::prefer_promptness();
            for line in output.split(b'\n') {
                let bytes = line.expect("the output can be read");
                let line = String::from_utf8(bytes).expect("the output is text");
                if sender.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        let mut client = Self {
            child,
            input,
            lines,
            transcript: Vec::new(),
            position: Position::startpos(),
            searched: VecDeque::new(),
            answered: Position::startpos(),
            translated: false,
            started,
        };
        if TRANSLATED {
            client.say("uci");
            client.hear("uciok");
            client.translated = true;
        }
        client
    }

    /// A client of one dialect, whose lines are passed on as they are.
    pub fn start_plain() -> Self {
        let mut client = Self::start();
        client.translated = false;
        client
    }

    /// One thread, a small table, ready: for tests that are not about the start.
    pub fn ready() -> Self {
        let mut client = Self::start();
        client.say("setoption name Threads value 1");
        client.say("setoption name USI_Hash value 16");
        client.is_ready();
        client
    }

    pub fn is_ready(&mut self) {
        self.say("isready");
        self.hear("readyok");
    }

    pub fn say(&mut self, line: &str) {
        let translate = |line: &str| if self.translated { to_uci(line) } else { line.to_owned() };
        let said: Vec<String> = line.split('\n').map(translate).collect();
        self.say_bytes(said.join("\n").as_bytes());
        self.say_bytes(b"\n");
        self.transcript.push(format!("> {}", line.chars().take(200).collect::<String>()));
        for line in line.lines() {
            match line.parse() {
                Ok(UsiCommand::Position(order)) => {
                    if let (Some(position), _) = order.set_up() {
                        self.position = position;
                    }
                }
                // In UCI `go mate` too is answered with a move.
                Ok(UsiCommand::GoMate(..)) if TRANSLATED => self.searched.push_back(self.position.clone()),
                Ok(UsiCommand::Go(..)) => self.searched.push_back(self.position.clone()),
                _ => {}
            }
        }
    }

    pub fn say_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the program reads");
    }

    /// Ends the program's input.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    #[track_caller]
    fn fail(&self, why: &str) -> ! {
        let from = self.transcript.len().saturating_sub(60);
        panic!("{why}\n{}", self.transcript[from..].join("\n"));
    }

    /// The next line, if one comes in time.
    #[track_caller]
    pub fn next_line(&mut self, patience: Duration) -> Option<String> {
        self.next_timed(patience).map(|(_, line)| line)
    }

    #[track_caller]
    fn next_timed(&mut self, patience: Duration) -> Option<(Instant, String)> {
        match self.lines.recv_timeout(patience) {
            Ok((at, line)) => {
                let line = if self.translated { to_usi(&line) } else { line };
                self.transcript.push(format!("< {line}"));
                let is_usi = self.translated || !TRANSLATED;
                if is_usi && let Err(why) = judge(&line, self.searched.front().unwrap_or(&self.position)) {
                    self.fail(&why);
                }
                if line.starts_with("bestmove ") {
                    match self.searched.pop_front() {
                        Some(position) => self.answered = position,
                        None => self.fail("a bestmove that nobody asked for"),
                    }
                }
                Some((at, line))
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Everything up to the first line that begins with `start`, that line last.
    #[track_caller]
    pub fn hear(&mut self, start: &str) -> Vec<String> {
        self.hear_timed(start).1
    }

    /// The same, with the moment at which the last line came.
    #[track_caller]
    pub fn hear_timed(&mut self, start: &str) -> (Instant, Vec<String>) {
        let until = Instant::now() + PATIENCE;
        let mut heard = Vec::new();
        loop {
            match self.next_timed(until.saturating_duration_since(Instant::now())) {
                Some((at, line)) => {
                    let done = line.starts_with(start);
                    heard.push(line);
                    if done {
                        return (at, heard);
                    }
                }
                None => self.fail(&format!("no line that begins with '{start}'")),
            }
        }
    }

    /// All that is said within a time.
    #[track_caller]
    pub fn listen(&mut self, time: Duration) -> Vec<String> {
        let until = Instant::now() + time;
        let mut heard = Vec::new();
        while let Some(line) = self.next_line(until.saturating_duration_since(Instant::now())) {
            heard.push(line);
        }
        heard
    }

    /// Nothing is said within a time.
    #[track_caller]
    pub fn silence(&mut self, time: Duration) {
        if let Some(line) = self.next_line(time) {
            self.fail(&format!("silence expected, heard '{line}'"));
        }
    }

    /// What is said up to a line, without the empty lines that a busy machine makes of a long wait.
    #[track_caller]
    fn hear_beside_signs_of_life(&mut self, start: &str) -> Vec<String> {
        let mut heard = self.hear(start);
        heard.retain(|line| !line.is_empty());
        heard
    }

    /// One refusal: exactly one `info string`, and then the process still answers.
    #[track_caller]
    pub fn refusal(&mut self) -> String {
        self.say("isready");
        let heard = self.hear_beside_signs_of_life("readyok");
        if heard.len() != 2 || !heard[0].starts_with("info string ") {
            self.fail(&format!("one info string expected, heard {heard:?}"));
        }
        heard[0].clone()
    }

    /// Nothing was said about what came before.
    #[track_caller]
    pub fn accepted(&mut self) {
        self.say("isready");
        let heard = self.hear_beside_signs_of_life("readyok");
        if heard.len() != 1 {
            self.fail(&format!("silence expected, heard {heard:?}"));
        }
    }

    /// `go` and its whole answer.
    #[track_caller]
    pub fn go(&mut self, go: &str) -> Answer {
        self.say(go);
        self.answer()
    }

    /// The answer to a `go`; the move must be legal.
    #[track_caller]
    pub fn answer(&mut self) -> Answer {
        let mut infos = self.hear("bestmove ");
        let bestmove = infos.pop().unwrap_or_default();
        let answer = Answer { infos, bestmove };
        if !matches!(answer.choice(), "resign" | "win") {
            let mut position = self.answered.clone();
            let words: Vec<&str> = answer.bestmove.split(' ').collect();
            let moves: Vec<&str> = match words[..] {
                [_, best] => vec![best],
                [_, best, "ponder", ponder] => vec![best, ponder],
                _ => self.fail("a bestmove is a move and perhaps a ponder"),
            };
            if let Err(why) = play(&mut position, &moves) {
                self.fail(&why);
            }
        }
        answer
    }

    /// Ends the program and waits for it; all that it still says is returned.
    #[track_caller]
    pub fn end(mut self, quit: impl FnOnce(&mut Self)) -> (ExitStatus, Duration, Vec<String>) {
        let start = Instant::now();
        quit(&mut self);
        let status = loop {
            match self.child.try_wait().expect("the process can be asked") {
                Some(status) => break status,
                None if start.elapsed() > PATIENCE => self.fail("the process does not end"),
                None => thread::sleep(Duration::from_millis(2)),
            }
        };
        let time = start.elapsed();
        let rest = self.listen(Duration::from_secs(1));
        (status, time, rest)
    }

    /// `quit`, which ends the process well and soon; nothing was written to stderr meanwhile.
    #[track_caller]
    pub fn quit(mut self) {
        let mut errors = self.child.stderr.take().expect("a pipe");
        let (status, time, _) = self.end(|client| client.say("quit"));
        assert!(status.success(), "{status}");
        assert!(time < Duration::from_secs(2), "{time:?}");
        let mut text = String::new();
        errors.read_to_string(&mut text).expect("stderr is text");
        assert_eq!(text, "", "stderr is silent by default");
    }

    #[cfg(target_os = "linux")]
    fn proc(&self, file: &str) -> String {
        std::fs::read_to_string(format!("/proc/{}/{file}", self.child.id())).expect("/proc tells")
    }

    /// Resident memory in MiB.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> u64 {
        let status = self.proc("status");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("VmRSS");
        let kilobytes = line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok());
        kilobytes.expect("a number") / 1024
    }

    /// Processor time used so far, in clock ticks (1/100 s).
    #[cfg(target_os = "linux")]
    pub fn ticks(&self) -> u64 {
        let stat = self.proc("stat");
        let after_name = &stat[stat.rfind(')').expect("a name in parentheses")..];
        let words: Vec<&str> = after_name.split_whitespace().collect();
        words[12].parse::<u64>().expect("utime") + words[13].parse::<u64>().expect("stime")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Plays moves that have to be legal.
pub fn play(position: &mut Position, moves: &[&str]) -> Result<(), String> {
    for text in moves {
        let mv: Move = text.parse().map_err(|error| format!("{error}"))?;
        position.check_move(mv).map_err(|error| format!("{text} in {moves:?}: {error}"))?;
        position.do_move(mv);
    }
    Ok(())
}

/// The form that every client takes, and no other.
fn judge(line: &str, position: &Position) -> Result<(), String> {
    if !line.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
        return Err(format!("not ASCII: {line:?}"));
    }
    if line.ends_with(' ') {
        return Err(format!("a trailing blank: {line:?}"));
    }
    match line.split_once(' ') {
        Some(("info", rest)) => judge_info(rest, position).map_err(|why| format!("{why}: {line}")),
        _ => Ok(()),
    }
}

fn judge_info(rest: &str, position: &Position) -> Result<(), String> {
    if let Some(note) = rest.strip_prefix("string ") {
        let reserved = ["depth", "nodes", "time", "score", "multipv", "pv"];
        if note.starts_with("error") || note.split(' ').any(|word| reserved.contains(&word)) {
            return Err("an info string that a parser may misread".into());
        }
        return Ok(());
    }
    if rest.starts_with("refutation ") || rest.starts_with("currline ") {
        return Ok(());
    }
    // Depth first and the line of play last, each word once and in this order.
    const ORDER: [&str; 10] =
        ["depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time", "currmove", "currmovenumber"];
    let mut words = rest.split(' ').peekable();
    if words.peek() != Some(&"depth") {
        return Err("depth does not come first".into());
    }
    let mut last = None;
    while let Some(word) = words.next() {
        if word == "pv" {
            let moves: Vec<&str> = words.collect();
            if moves.is_empty() {
                return Err("a pv without a move".into());
            }
            return play(&mut position.clone(), &moves);
        }
        let place = ORDER.iter().position(|known| *known == word);
        if place.is_none() || place <= last {
            return Err(format!("'{word}' is unknown or out of order"));
        }
        last = place;
        let value = words.next().ok_or("a word without its value")?;
        match word {
            "score" => {
                let number = words.next().ok_or("a score without its number")?;
                let plies = number.parse::<i64>().map_err(|_| format!("'{number}' is no number"))?;
                match value {
                    "cp" if plies.abs() <= 32_000 => {}
                    "mate" if plies != 0 && plies.abs() < 2000 && number != "-0" => {}
                    _ => return Err("no such score".into()),
                }
                words.next_if(|word| matches!(*word, "lowerbound" | "upperbound"));
            }
            "currmove" => {}
            _ => {
                value.parse::<u64>().map_err(|_| format!("'{value}' is no whole number"))?;
            }
        }
    }
    Ok(())
}
