//! The way to the client.

use std::io::Write;

use super::{Journal, Reply};

/// The only writer of the client's side: every line is flushed, and recorded in the debug log.
pub(super) struct Output<W> {
    sink: W,
    journal: Journal,
    broken: bool,
}

impl<W: Write> Output<W> {
    pub(super) fn new(sink: W, journal: Journal) -> Self {
        Self { sink, journal, broken: false }
    }

    /// Says one line.
    pub(super) fn send(&mut self, reply: &Reply) {
        let mut line = reply.to_string();
        self.journal.record('<', &line);
        line.push('\n');
        let sent = self.sink.write_all(line.as_bytes()).and_then(|()| self.sink.flush());
        self.broken |= sent.is_err();
    }

    /// Says one `info string`.
    pub(super) fn note(&mut self, text: impl ToString) {
        self.send(&Reply::Note(text.to_string()));
    }

    /// Whether nobody listens any more, which is as good as `quit`.
    pub(super) fn is_broken(&self) -> bool {
        self.broken
    }
}
