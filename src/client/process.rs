//! The process and its pipes: spawning, a reader thread that timestamps and filters lines, bounded writes, a guaranteed
//! end.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::{ErrorKind, Read};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Select, Sender, TryRecvError, at, bounded, never, select, unbounded};

use crate::platform::child::ChildTree;
use crate::platform::scheduling;
use crate::platform::sync::Mutex;

use super::input::{Input, WriteError};
use super::reply::{Info, after};
use super::{ClientError, EngineSpec, Fault, Interrupt};

/// Output limit in bytes a second; an ordinary engine prints a thousandth of it.
const FLOOD_BYTES: u64 = 4 << 20;
/// Limit of queued reads.
const FLOOD_READS: usize = 1 << 16;
/// How long a write waits for a full pipe.
const DEAF: Duration = Duration::from_secs(5);
/// Longer lines are truncated.
const LINE_BYTES: usize = 1 << 16;

/// A message of the reader thread.
pub(super) enum ReaderEvent {
    /// The lines of one read (at least one) and its time. They stay together: whoever takes the first has all of them,
    /// so that a second answer to one `go` cannot pass for the answer to the next.
    Lines(Instant, Vec<String>),
    /// Too much output; the reader has stopped.
    Flood(u64),
    /// The end of the output.
    End,
}

/// State shared by the reader thread and the owner.
#[derive(Default)]
struct Shared {
    /// The `info` lines of the running search, folded into one: games need no more, and not waking the owner for them
    /// keeps its CPU use low.
    info: Mutex<Info>,
    /// Deliver every line, at the owner's request.
    follow: AtomicBool,
    /// Deliver every line, during a handshake.
    handshake: AtomicBool,
    noise: AtomicU64,
    /// The last lines of stderr, for crash reports.
    last_words: Mutex<VecDeque<String>>,
}

/// A child process that is killed when this value is dropped.
pub(super) struct Process {
    child: ChildTree,
    input: Option<Input>,
    events: Receiver<ReaderEvent>,
    /// Lines received and not yet delivered.
    unread: VecDeque<(Instant, String)>,
    interrupt: Interrupt,
    shared: Arc<Shared>,
    /// Closed when stderr has been read to its end.
    errors_read: Receiver<Infallible>,
    /// The fault that ended it, returned by every later call.
    ended: Option<Fault>,
}

impl Process {
    pub(super) fn start(spec: &EngineSpec, interrupt: Interrupt, follow: bool) -> Result<Self, ClientError> {
        let mut command = Command::new(&spec.path);
        command
            .args(&spec.arguments)
            .envs(spec.environment.iter().map(|(key, value)| (key, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        let mut child = ChildTree::spawn(command)
            .map_err(|error| Fault::CannotStart(format!("{}: {error}", spec.path.display())))?;
        let (sender, events) = unbounded();
        let (reading, errors_read) = bounded(0);
        let shared = Arc::new(Shared { follow: AtomicBool::new(follow), ..Shared::default() });
        let (stdin, stdout, stderr) = (child.take_stdin(), child.take_stdout(), child.take_stderr());
        // An error below drops the child, which kills it.
        let input = stdin.map(|pipe| Input::new(pipe, DEAF)).transpose()?;
        let process =
            Self { child, input, events, unread: VecDeque::new(), interrupt, shared, errors_read, ended: None };
        let reader = || thread::Builder::new().stack_size(256 << 10);
        if let Some(stdout) = stdout {
            let shared = Arc::clone(&process.shared);
            reader().name("engine-out".into()).spawn(move || {
                scheduling::prefer_promptness();
                read_output(stdout, &shared, &sender)
            })?;
        }
        if let Some(stderr) = stderr {
            let shared = Arc::clone(&process.shared);
            reader().name("engine-err".into()).spawn(move || {
                let _reading = reading;
                drain_errors(stderr, &shared);
            })?;
        }
        Ok(process)
    }

    /// Its number in the system.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Clears the folded `info` of the last search, and ends a handshake.
    pub(super) fn begin_search(&self) {
        self.follow_all(false);
        *self.shared.info.lock() = Info::default();
    }

    pub(super) fn info(&self) -> Info {
        self.shared.info.lock().clone()
    }

    pub(super) fn follow(&self, every_line: bool) {
        self.shared.follow.store(every_line, Ordering::Relaxed);
    }

    /// Delivers every line during a handshake, whatever the owner has requested.
    pub(super) fn follow_all(&self, handshake: bool) {
        self.shared.handshake.store(handshake, Ordering::Relaxed);
    }

    pub(super) fn take_noise(&self) -> u64 {
        self.shared.noise.swap(0, Ordering::Relaxed)
    }

    /// The next line, waiting until `deadline` at most (`None`: without limit).
    pub(super) fn next(&mut self, deadline: Option<Instant>) -> Result<Option<(Instant, String)>, ClientError> {
        if let Some(line) = self.unread.pop_front() {
            return Ok(Some(line));
        }
        let event = match self.events.try_recv() {
            Ok(event) => Some(event),
            Err(TryRecvError::Disconnected) => Some(ReaderEvent::End),
            Err(TryRecvError::Empty) => {
                let timeout = deadline.map_or_else(never, at);
                select! {
                    recv(self.events) -> event => Some(event.unwrap_or(ReaderEvent::End)),
                    recv(self.interrupt.0) -> _ => return Err(ClientError::Interrupted),
                    // If both are ready, the line came in time.
                    recv(timeout) -> _ => self.events.try_recv().ok(),
                }
            }
        };
        match event {
            None => Ok(None),
            Some(ReaderEvent::Lines(at, lines)) => Ok(self.first_of(at, lines)),
            Some(ReaderEvent::Flood(bytes)) => {
                self.kill();
                Err(self.ended.insert(Fault::Flood(bytes)).clone().into())
            }
            Some(ReaderEvent::End) => Err(self.end().into()),
        }
    }

    /// Blocks until there is something to read (or the end), or `other` has a message, or `deadline` passes.
    pub(super) fn wait_for_either<T>(&self, other: &Receiver<T>, deadline: Option<Instant>) {
        if !self.unread.is_empty() {
            return;
        }
        let mut select = Select::new();
        select.recv(&self.events);
        select.recv(other);
        match deadline {
            // Which of the two is ready, or none: the caller looks at both.
            Some(deadline) => _ = select.ready_deadline(deadline),
            None => _ = select.ready(),
        }
    }

    /// A line that is already there. The end of the process is left for [`Process::next`] to report.
    pub(super) fn try_next(&mut self) -> Option<String> {
        if let Some((_, line)) = self.unread.pop_front() {
            return Some(line);
        }
        match self.events.try_recv() {
            Ok(ReaderEvent::Lines(at, lines)) => self.first_of(at, lines).map(|(_, line)| line),
            Ok(ReaderEvent::Flood(bytes)) => {
                self.kill();
                self.ended = Some(Fault::Flood(bytes));
                None
            }
            _ => None,
        }
    }

    /// Queues the lines of a read and returns the first.
    fn first_of(&mut self, at: Instant, lines: Vec<String>) -> Option<(Instant, String)> {
        self.unread.extend(lines.into_iter().map(|line| (at, line)));
        self.unread.pop_front()
    }

    pub(super) fn send(&mut self, line: &str) -> Result<(), ClientError> {
        if let Some(fault) = &self.ended {
            return Err(fault.clone().into());
        }
        // A command is one line, whatever the caller's strings contain.
        let mut text: String = line.chars().filter(|c| !matches!(c, '\n' | '\r')).collect();
        text.push('\n');
        let Some(input) = &mut self.input else {
            return Err(self.end().into());
        };
        match input.write(&text, &self.interrupt) {
            Ok(()) => Ok(()),
            Err(WriteError::Closed) => Err(self.end().into()),
            Err(WriteError::Interrupted) => Err(ClientError::Interrupted),
            Err(WriteError::Deaf) => {
                self.kill();
                Err(self.ended.insert(Fault::Deaf).clone().into())
            }
        }
    }

    /// Closes the input, waits for the end and kills the process if it does not end in time.
    pub(super) fn finish(&mut self, limit: Duration) -> Result<(), ClientError> {
        self.input = None;
        if self.child.ends_within(limit) {
            Ok(())
        } else {
            self.kill();
            Err(Fault::IgnoredQuit(limit).into())
        }
    }

    /// Finds out how the process ended or closed its output.
    fn end(&mut self) -> Fault {
        if let Some(fault) = &self.ended {
            return fault.clone();
        }
        self.input = None;
        let by_itself = self.child.ends_within(Duration::from_millis(500));
        let how = match self.child.kill() {
            Ok(status) if by_itself => status.to_string(),
            Ok(_) => "closed its output".to_owned(),
            Err(error) => error.to_string(),
        };
        // The last lines of stderr may still be in the pipe.
        let _ = self.errors_read.recv_timeout(Duration::from_millis(200));
        let last_words = self.shared.last_words.lock();
        let how = match last_words.back() {
            Some(words) => format!("{how}; stderr: {words}"),
            None => how,
        };
        drop(last_words);
        self.ended.insert(Fault::Ended(how)).clone()
    }

    /// Kills the process with its descendants and reaps it.
    fn kill(&mut self) {
        self.input = None;
        let _ = self.child.kill();
    }
}

/// Reads stdout to its end; timestamps and filters every line.
fn read_output(mut stdout: impl Read, shared: &Shared, events: &Sender<ReaderEvent>) {
    let mut buffer = vec![0; 64 << 10];
    let mut line = Vec::new();
    let mut window = (Instant::now(), 0);
    loop {
        let count = match stdout.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let now = Instant::now();
        if now.duration_since(window.0) > Duration::from_secs(1) {
            window = (now, 0);
        }
        window.1 += count as u64;
        if window.1 > FLOOD_BYTES || events.len() > FLOOD_READS {
            let _ = events.send(ReaderEvent::Flood(window.1));
            return;
        }
        let mut lines = Vec::new();
        for part in buffer[..count].split_inclusive(|&byte| byte == b'\n') {
            let complete = part.ends_with(b"\n");
            let room = LINE_BYTES.saturating_sub(line.len());
            line.extend_from_slice(&part[..part.len().min(room)]);
            if complete {
                lines.extend(filter(&line, shared));
                line.clear();
            }
        }
        if !lines.is_empty() {
            let _ = events.send(ReaderEvent::Lines(now, lines));
        }
    }
    // An unfinished line at the end is dropped.
    let _ = events.send(ReaderEvent::End);
}

/// Folds or counts a line, and returns it if it is to be delivered.
fn filter(line: &[u8], shared: &Shared) -> Option<String> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end();
    let everything = shared.follow.load(Ordering::Relaxed) || shared.handshake.load(Ordering::Relaxed);
    let first = text.split_whitespace().next().unwrap_or("");
    match first {
        "info" => {
            if let Some(rest) = after(text, "info") {
                let info = Info::parse(rest);
                shared.info.lock().fold(info);
            }
            if !everything {
                return None;
            }
        }
        "bestmove" | "checkmate" | "readyok" | "usiok" => {}
        "" | "id" | "option" | "copyprotection" | "registration" => {
            if !everything {
                return None;
            }
        }
        _ => {
            shared.noise.fetch_add(1, Ordering::Relaxed);
            if !everything {
                return None;
            }
        }
    }
    Some(text.to_owned())
}

/// Reads stderr so that the engine never blocks on it, and keeps the last few lines.
fn drain_errors(mut stderr: impl Read, shared: &Shared) {
    let mut buffer = [0; 4096];
    let mut line = Vec::new();
    while let Ok(count @ 1..) = stderr.read(&mut buffer) {
        for &byte in &buffer[..count] {
            if byte != b'\n' {
                if line.len() < 300 {
                    line.push(byte);
                }
                continue;
            }
            let text = String::from_utf8_lossy(&line).trim().to_owned();
            line.clear();
            if !text.is_empty() {
                let mut words = shared.last_words.lock();
                words.push_back(text);
                if words.len() > 5 {
                    words.pop_front();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_one_read_come_together() {
        let (sender, events) = unbounded();
        let said = "info depth 1\nbestmove 7g7f\nbestmove 7g7f\nbestm";
        read_output(said.as_bytes(), &Shared::default(), &sender);
        let Ok(ReaderEvent::Lines(_, lines)) = events.try_recv() else {
            panic!("no lines");
        };
        assert_eq!(lines, ["bestmove 7g7f"; 2]);
        assert!(matches!(events.try_recv(), Ok(ReaderEvent::End)));
        assert!(events.try_recv().is_err());
    }
}
