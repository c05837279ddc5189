//! The output to the client.

use std::io::Write;

use super::{DebugLog, Dialect, Reply};

/// The only writer to the client: every line is flushed and recorded in the debug log.
pub(super) struct Output<W> {
    sink: W,
    dialect: Dialect,
    debug_log: DebugLog,
    broken: bool,
}

impl<W: Write> Output<W> {
    pub(super) fn new(sink: W, debug_log: DebugLog) -> Self {
        Self { sink, dialect: Dialect::default(), debug_log, broken: false }
    }

    /// The dialect of the lines.
    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Changes the dialect.
    pub(super) fn set_dialect(&mut self, dialect: Dialect) {
        self.dialect = dialect;
    }

    /// Sends one line.
    pub(super) fn send(&mut self, reply: &Reply) {
        let mut line = reply.spelled(self.dialect).to_string();
        self.debug_log.record('<', &line);
        line.push('\n');
        let sent = self.sink.write_all(line.as_bytes()).and_then(|()| self.sink.flush());
        self.broken |= sent.is_err();
    }

    /// Sends one `info string`.
    pub(super) fn note(&mut self, text: impl ToString) {
        self.send(&Reply::Note(text.to_string()));
    }

    /// Whether the client has closed the pipe, which means the same as `quit`.
    pub(super) fn is_broken(&self) -> bool {
        self.broken
    }
}
