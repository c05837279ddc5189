//! A command of the user's that is told what happens: notices to a phone, a chat, a web page.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

/// A command that runs longer is ended.
const LONGEST: Duration = Duration::from_secs(30);
/// Events that may wait for the command; more are dropped.
const QUEUE: usize = 64;

/// Runs the command for one event after the other, in a thread of its own.
#[derive(Debug)]
pub(super) struct Hook {
    events: Option<Sender<String>>,
    faults: Receiver<String>,
    thread: Option<JoinHandle<()>>,
}

impl Hook {
    pub(super) fn start(command: &str) -> std::io::Result<Self> {
        let (events, queue) = bounded::<String>(QUEUE);
        let (faults_of, faults) = bounded(QUEUE);
        let command = command.to_owned();
        let serve = move || {
            for event in queue {
                if let Err(fault) = run(&command, &event) {
                    let _ = faults_of.try_send(fault);
                }
            }
        };
        let thread = thread::Builder::new().name("on-event".into()).stack_size(256 << 10).spawn(serve)?;
        Ok(Self { events: Some(events), faults, thread: Some(thread) })
    }

    /// Queues an event (JSON).
    pub(super) fn tell(&self, event: String) {
        if let Some(events) = &self.events {
            // A command that hangs must not hold up a game.
            let _ = events.try_send(event);
        }
    }

    /// What went wrong since the last call.
    pub(super) fn faults(&self) -> Vec<String> {
        self.faults.try_iter().collect()
    }
}

impl Drop for Hook {
    fn drop(&mut self) {
        self.events = None;
        // The last event is the one people wait for most.
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The command by the system's shell.
fn shell(command: &str) -> Command {
    if cfg!(windows) {
        let mut shell = Command::new("cmd");
        shell.args(["/C", command]);
        shell
    } else {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]);
        shell
    }
}

fn run(command: &str, event: &str) -> Result<(), String> {
    let fail = |why: String| format!("the command for events, '{command}', {why}");
    let mut child = shell(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| fail(format!("cannot be started: {error}")))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A command need not read its input.
        let _ = stdin.write_all(format!("{event}\n").as_bytes());
    }
    wait(&mut child).map_err(fail)
}

fn wait(child: &mut Child) -> Result<(), String> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("failed ({status})")),
            Ok(None) if start.elapsed() > LONGEST => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("did not end within {} s and was ended", LONGEST.as_secs()));
            }
            Ok(None) => thread::sleep(Duration::from_millis(20)),
            Err(error) => return Err(error.to_string()),
        }
    }
}
