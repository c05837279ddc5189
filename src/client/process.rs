//! The process and its pipes: spawning, a reader thread that timestamps and filters lines, bounded writes, a guaranteed
//! end.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::{ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Select, Sender, TryRecvError, at, bounded, never, select, unbounded};

use crate::platform::scheduling;
use crate::platform::sync::Mutex;

use super::reply::{Info, after};
use super::{ClientError, EngineSpec, Fault, Interrupt};

/// Output limit in bytes a second; an ordinary engine prints a thousandth of it.
const FLOOD_BYTES: u64 = 4 << 20;
/// Limit of queued reads.
const FLOOD_READS: usize = 1 << 16;
/// Longer lines are truncated.
const LINE_BYTES: usize = 1 << 16;
/// How long a write waits for a full pipe.
const DEAF: Duration = Duration::from_secs(5);

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
    child: Child,
    stdin: Option<ChildStdin>,
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
        let mut child =
            spawn(command).map_err(|error| Fault::CannotStart(format!("{}: {error}", spec.path.display())))?;
        let (sender, events) = unbounded();
        let (reading, errors_read) = bounded(0);
        let shared = Arc::new(Shared { follow: AtomicBool::new(follow), ..Shared::default() });
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // From here on `process` owns the child, so that an error below kills it.
        let process =
            Self { child, stdin, events, unread: VecDeque::new(), interrupt, shared, errors_read, ended: None };
        #[cfg(unix)]
        if let Some(stdin) = &process.stdin {
            // Writing to a full pipe must not block for ever.
            rustix::io::ioctl_fionbio(stdin, true).map_err(std::io::Error::from)?;
        }
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

    /// Clears the folded `info` of the last search.
    pub(super) fn begin_search(&self) {
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
        let Some(stdin) = &mut self.stdin else {
            return Err(self.end().into());
        };
        let mut rest = text.as_bytes();
        let mut blocked_since = None;
        while !rest.is_empty() {
            match stdin.write(rest) {
                Ok(0) => return Err(self.end().into()),
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if self.interrupt.has_fired() {
                        return Err(ClientError::Interrupted);
                    }
                    if blocked_since.get_or_insert_with(Instant::now).elapsed() > DEAF {
                        self.kill();
                        return Err(self.ended.insert(Fault::Deaf).clone().into());
                    }
                    thread::sleep(Duration::from_millis(1));
                }
                Err(_) => return Err(self.end().into()),
            }
        }
        Ok(())
    }

    /// Closes the input, waits for the end and kills the process if it does not end in time.
    pub(super) fn finish(&mut self, limit: Duration) -> Result<(), ClientError> {
        self.stdin = None;
        if self.wait(limit) {
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
        self.stdin = None;
        let by_itself = self.wait(Duration::from_millis(500));
        kill_group(&mut self.child);
        let how = match self.child.wait() {
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

    /// Waits for the process to end and returns whether it did; it is not reaped yet.
    fn wait(&mut self, limit: Duration) -> bool {
        let start = Instant::now();
        let mut pause = Duration::from_micros(200);
        loop {
            if has_ended(&mut self.child) {
                return true;
            }
            if start.elapsed() >= limit {
                return false;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// Kills the process with its process group and reaps it.
    fn kill(&mut self) {
        self.stdin = None;
        kill_group(&mut self.child);
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Whether the process has ended, without reaping it: while it is a zombie its pid and group id cannot be reused, so
/// that the group can be killed safely.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let Some(pid) = Pid::from_raw(child.id() as i32) else {
        return true;
    };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    // An error means that the child is gone.
    !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

#[cfg(unix)]
fn kill_group(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // Once reaped, the pid may belong to another process.
    if has_been_reaped(child) {
        return;
    }
    if let Some(pid) = Pid::from_raw(child.id() as i32) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
    let _ = child.kill();
}

/// Whether the child has been reaped: until then it can be waited for.
#[cfg(unix)]
fn has_been_reaped(child: &Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    Pid::from_raw(child.id() as i32).is_none_or(|pid| waitid(WaitId::Pid(pid), options).is_err())
}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    let _ = child.kill();
}

/// A command to spawn and the channel for its result.
type Order = (Command, Sender<std::io::Result<Child>>);

/// Spawns from a thread that lives as long as this process: Linux's parent-death signal comes when the spawning
/// *thread* ends, so that an engine started on a short-lived thread would die with it.
fn spawn(command: Command) -> std::io::Result<Child> {
    static SPAWNER: OnceLock<Option<Sender<Order>>> = OnceLock::new();
    let spawner = SPAWNER.get_or_init(|| {
        let (sender, orders) = unbounded::<Order>();
        let serve = move || {
            for (mut command, reply) in orders {
                prepare(&mut command);
                let _ = reply.send(command.spawn());
            }
        };
        thread::Builder::new().name("engine-spawner".into()).spawn(serve).is_ok().then_some(sender)
    });
    let gone = || std::io::Error::other("the spawning thread is gone");
    let (reply, result) = bounded(1);
    spawner.as_ref().ok_or_else(gone)?.send((command, reply)).map_err(|_| gone())?;
    result.recv().map_err(|_| gone())?
}

/// Gives the child its own process group, so that a terminal's Ctrl-C reaches only this process and a kill reaches the
/// engine's children too; and has it killed when this process dies, however it dies.
#[cfg(unix)]
fn prepare(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, getppid, set_parent_process_death_signal};
        let parent = std::process::id();
        let die_with_parent = move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // The parent may have died between the fork and the call above.
            match getppid() {
                Some(pid) if pid.as_raw_nonzero().get() as u32 == parent => Ok(()),
                _ => Err(std::io::ErrorKind::NotConnected.into()),
            }
        };
        // SAFETY: between fork and exec the closure makes two plain system calls, allocates nothing and takes no lock
        // (`ErrorKind::into` holds the kind in place).
        unsafe {
            command.pre_exec(die_with_parent);
        }
    }
}

#[cfg(not(unix))]
fn prepare(_: &mut Command) {}

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
