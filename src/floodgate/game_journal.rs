//! The journal of games of an account, in the folder of records: one line of JSON for each.

use std::io;
use std::path::Path;

use super::account::Account;
use super::event::GameReport;
use crate::platform::line_journal::{LineJournal, LineJournalError};

/// A journal that is open.
pub(super) struct GameJournal {
    lines: LineJournal,
    /// Its last line.
    last: Option<GameReport>,
}

impl GameJournal {
    /// The name of its file.
    pub(super) fn name(account: &Account) -> String {
        let Account { name, host, port, .. } = account;
        let host = host.replace(|c: char| !c.is_ascii_alphanumeric() && !"_.-".contains(c), "_");
        format!("{name}@{host}-{port}.jsonl")
    }

    /// Opens a journal, or makes an empty one.
    ///
    /// # Errors
    /// A file that cannot be used, or is in use.
    pub(super) fn open(path: &Path) -> Result<Self, LineJournalError> {
        let earlier = LineJournal::open(path, &["{\"time\":"])?;
        let last = earlier.lines().last().and_then(|(_, line)| serde_json::from_str(line).ok());
        Ok(Self { lines: earlier.resume()?, last })
    }

    /// Whether the last line is of the game of `report`. Ids come again on some servers, files of records never.
    pub(super) fn ends_with(&self, report: &GameReport) -> bool {
        self.last.as_ref().is_some_and(|last| last.game == report.game && last.record == report.record)
    }

    /// Writes the line of a game.
    ///
    /// # Errors
    /// Those of the file system.
    pub(super) fn append(&mut self, report: &GameReport) -> io::Result<()> {
        self.lines.append(report)
    }
}
