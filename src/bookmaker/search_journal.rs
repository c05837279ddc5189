//! The searches of a book on disk: one line of JSON for each, so that a kill loses none that has ended. Every book that
//! is written of them has a line as well, by which it is known again.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::searcher::SearchedMove;
use crate::platform::line_journal::{LineJournal, LineJournalError};
use crate::platform::sha256::sha256;

/// How lines begin: the first one, those of searches, and those of written books.
const STARTS: [&str; 3] = ["{\"hagane book\":", "{\"sfen\":", "{\"written\":"];

/// What all searches of a journal have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    #[serde(rename = "hagane book")]
    pub(super) version: u32,
    pub(super) engine: String,
    pub(super) nodes: u64,
    pub(super) lines: usize,
}

/// A search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SearchEntry {
    pub(super) sfen: String,
    pub(super) moves: Vec<SearchedMove>,
}

/// A book that is written next: the SHA-256 of its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WrittenEntry {
    written: String,
}

impl WrittenEntry {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self { written: sha256(bytes) }
    }
}

/// A line after the first one.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Search(SearchEntry),
    Written(WrittenEntry),
}

/// What a journal has from earlier runs.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    pub(super) searches: Vec<SearchEntry>,
    pub(super) written: Vec<WrittenEntry>,
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SearchJournalError {
    /// It cannot be read or written, or is no journal.
    #[error("{0}: {1}")]
    Lines(PathBuf, LineJournalError),
    /// Its searches are others.
    #[error("{0} has searches of {1}, not of {2}: another --state begins anew")]
    Differs(PathBuf, String, String),
}

impl Head {
    fn text(&self) -> String {
        format!("{}, {} nodes, {} lines", self.engine, self.nodes, self.lines)
    }
}

/// Opens a journal or makes a new one; gives what it has.
pub(super) fn open(path: &Path, head: &Head) -> Result<(LineJournal, Earlier), SearchJournalError> {
    let failed = |error| SearchJournalError::Lines(path.to_owned(), error);
    let io = |error| failed(LineJournalError::Io(error));
    let earlier = LineJournal::open(path, &STARTS).map_err(failed)?;
    if earlier.lines().next().is_none() {
        let mut journal = earlier.resume().map_err(io)?;
        journal.append(head).map_err(io)?;
        return Ok((journal, Earlier::default()));
    }
    let wrong = |number, error| failed(LineJournalError::Line(number, error));
    let mut found = Earlier::default();
    for (index, (number, line)) in earlier.lines().enumerate() {
        if index > 0 {
            match serde_json::from_str(line).map_err(|error| wrong(number, error))? {
                Line::Search(search) => found.searches.push(search),
                Line::Written(written) => found.written.push(written),
            }
            continue;
        }
        let known: Head = serde_json::from_str(line).map_err(|error| wrong(number, error))?;
        if known != *head {
            return Err(SearchJournalError::Differs(path.to_owned(), known.text(), head.text()));
        }
    }
    Ok((earlier.resume().map_err(io)?, found))
}
