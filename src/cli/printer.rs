//! Lines for a console that need not move: text that is being selected in a Windows console, or Ctrl-S in a terminal,
//! stops every program that writes there.

use std::convert::Infallible;
use std::io::{Write, stdout};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};

/// Lines that wait for the console; what comes when so many wait is not shown.
const WAITING: usize = 1000;
/// How long the end of the program waits for the console.
const END: Duration = Duration::from_secs(2);

/// Prints in a thread of its own.
pub(super) struct Printer {
    lines: Option<Sender<String>>,
    /// Lines that were not shown since the last one that was.
    lost: u64,
    /// Closed when everything is printed.
    printed: Receiver<Infallible>,
}

impl Printer {
    pub(super) fn start() -> std::io::Result<Self> {
        let (lines, queue) = bounded::<String>(WAITING);
        let (printing, printed) = bounded(0);
        let serve = move || {
            let _printing = printing;
            for line in queue {
                // Nobody need be reading.
                let _ = writeln!(stdout(), "{line}");
            }
        };
        thread::Builder::new().name("printer".into()).stack_size(256 << 10).spawn(serve)?;
        Ok(Self { lines: Some(lines), lost: 0, printed })
    }

    /// Prints a line, now or soon.
    pub(super) fn print(&mut self, line: String) {
        let Some(lines) = &self.lines else {
            return;
        };
        let line = match self.lost {
            0 => line,
            lost => format!("({lost} lines were not shown, for the console did not take them)\n{line}"),
        };
        match lines.try_send(line) {
            Ok(()) => self.lost = 0,
            Err(_) => self.lost += 1,
        }
    }
}

impl Drop for Printer {
    fn drop(&mut self) {
        self.lines = None;
        let _ = self.printed.recv_timeout(END);
    }
}
