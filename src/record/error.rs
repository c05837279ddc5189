//! What a reader says about a file it cannot read, or not wholly.

use std::fmt;

/// Why a record was refused: the line, counted from 1, and the reason with the culprit in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ReadError {
    /// The line, counted from 1.
    pub line: usize,
    /// One sentence.
    pub reason: String,
}

impl ReadError {
    /// An error at a line counted from 1.
    pub(super) fn new(line: usize, reason: impl Into<String>) -> Self {
        Self { line: line.max(1), reason: reason.into() }
    }
}

/// Something odd in a record that was read all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The line, counted from 1.
    pub line: usize,
    /// One sentence.
    pub text: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}
