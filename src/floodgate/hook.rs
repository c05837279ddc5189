//! A command of the user's that is told what happens: notices to a phone, a chat, a web page.

use std::convert::Infallible;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

/// A command that runs longer is ended.
const LONGEST: Duration = Duration::from_secs(30);
/// How long the end of the program waits for the last commands.
const LAST: Duration = Duration::from_secs(35);
/// Events that may wait for the command; more are dropped.
const QUEUE: usize = 64;

/// Runs the command for one event after the other, in a thread of its own.
#[derive(Debug)]
pub(super) struct Hook {
    events: Option<Sender<String>>,
    faults: Receiver<String>,
    /// Closed when every event is told.
    told: Receiver<Infallible>,
}

impl Hook {
    pub(super) fn start(command: &str) -> std::io::Result<Self> {
        let (events, queue) = bounded::<String>(QUEUE);
        let (faults_of, faults) = bounded(QUEUE);
        let command = command.to_owned();
        let (telling, told) = bounded(0);
        let serve = move || {
            let _telling = telling;
            for event in queue {
                if let Err(fault) = run(&command, &event) {
                    let _ = faults_of.try_send(fault);
                }
            }
        };
        thread::Builder::new().name("on-event".into()).stack_size(256 << 10).spawn(serve)?;
        Ok(Self { events: Some(events), faults, told })
    }

    /// Queues an event (JSON); `false` where too many wait already, for a command that hangs must not hold up a game.
    pub(super) fn tell(&self, event: String) -> bool {
        self.events.as_ref().is_some_and(|events| events.try_send(event).is_ok())
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
        let _ = self.told.recv_timeout(LAST);
    }
}

/// The command by the system's shell.
#[cfg(windows)]
fn shell(command: &str) -> Command {
    use std::os::windows::process::CommandExt;
    let mut shell = Command::new("cmd");
    // As it is: `cmd` does not know the escapes that programs know. With `/S` it takes off the outer quotes alone.
    shell.raw_arg(format!("/S /C \"{command}\""));
    shell
}

/// The command by the system's shell.
#[cfg(not(windows))]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]);
    shell
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn failures_are_noted_and_a_slow_command_holds_up_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let told = folder.path().join("told");
        let hook = Hook::start(&format!("cat >> {}; exit 3", told.display())).unwrap();
        assert!(hook.tell("one".to_owned()) && hook.tell("two".to_owned()));
        while hook.faults.len() < 2 {
            thread::sleep(Duration::from_millis(5));
        }
        assert!(hook.faults()[0].contains("failed (exit status: 3)"));
        drop(hook);
        assert_eq!(std::fs::read_to_string(&told).unwrap(), "one\ntwo\n");
        let slow = Hook::start("sleep 0.01").unwrap();
        assert!((0..QUEUE + 2).any(|_| !slow.tell(String::new())), "the queue has an end");
    }
}
