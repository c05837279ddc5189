//! Errors and warnings of the readers.

use std::fmt;

/// Why a record was refused: the line (from 1) and the reason, which quotes the culprit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ReadError {
    /// The line, counted from 1.
    pub line: usize,
    /// One sentence.
    pub reason: String,
}

impl ReadError {
    /// An error in a line (from 1).
    pub(super) fn new(line: usize, reason: impl Into<String>) -> Self {
        Self { line: line.max(1), reason: reason.into() }
    }
}

/// How bad a [`Warning`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarningKind {
    /// Unusual, but its meaning is clear and survives when the record is written back.
    Odd,
    /// Not understood, or understood by a guess: writing the record back may lose what the author meant.
    NotUnderstood,
}

/// Something unexpected that did not stop the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The line, counted from 1.
    pub line: usize,
    /// How bad it is.
    pub kind: WarningKind,
    /// One sentence.
    pub text: String,
}

impl Warning {
    /// A warning about something unusual whose meaning is clear.
    pub(super) fn odd(line: usize, text: impl Into<String>) -> Self {
        Self { line: line.max(1), kind: WarningKind::Odd, text: text.into() }
    }

    /// A warning about something that was not understood.
    pub(super) fn not_understood(line: usize, text: impl Into<String>) -> Self {
        Self { line: line.max(1), kind: WarningKind::NotUnderstood, text: text.into() }
    }

    /// The warning about a bookmark that takes the place of an earlier one: a node has only one.
    pub(super) fn second_bookmark(line: usize, earlier: &str) -> Self {
        Self::not_understood(line, format!("a second bookmark; the first, '{earlier}', is left out"))
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}
