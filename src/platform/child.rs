//! A child process together with whatever it starts: kept from the terminal's Ctrl-C, killed as a whole, and gone when
//! this process is gone, however that ends.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

/// A child with its descendants: its process group on Unix, its job on Windows.
///
/// Linux and Windows end it with this process even if that is killed. Elsewhere only the end of its input tells it.
#[derive(Debug)]
pub struct ChildTree {
    child: Child,
    family: system::Family,
}

impl ChildTree {
    /// Starts a program.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn spawn(command: Command) -> io::Result<Self> {
        let (child, family) = system::spawn(command)?;
        Ok(Self { child, family })
    }

    /// Its number in the system.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its standard input, if it is a pipe; once.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Its standard output, if it is a pipe; once.
    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Its standard error, if it is a pipe; once.
    pub fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// Waits for its end, for `limit` at most, and returns whether it has ended. It is not reaped yet, so that its
    /// group can still be killed.
    pub fn ends_within(&mut self, limit: Duration) -> bool {
        let start = Instant::now();
        let mut pause = Duration::from_micros(200);
        loop {
            if system::has_ended(&mut self.child) {
                return true;
            }
            if start.elapsed() >= limit {
                return false;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// Kills what is left of it and of its descendants, and reaps it.
    ///
    /// # Errors
    /// The system cannot tell how it ended.
    pub fn kill(&mut self) -> io::Result<ExitStatus> {
        system::kill(&mut self.child, &self.family);
        self.child.wait()
    }
}

impl Drop for ChildTree {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}
