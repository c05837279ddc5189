//! The file of results: one JSON object a line, so that an interrupted batch can be resumed.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use crate::platform::line_journal::{LineJournal, LineJournalError};

use super::result::ProblemResult;

/// How every line begins.
const START: &str = "{\"id\":";

/// The results of earlier runs, and the file to which this one's go.
pub struct Journal {
    lines: LineJournal,
    known: HashMap<(String, String), ProblemResult>,
}

impl Journal {
    /// Opens or makes the file.
    ///
    /// # Errors
    /// If the file cannot be opened, or holds something else.
    pub fn open(path: &Path) -> io::Result<Self> {
        let invalid = |what: String| io::Error::new(io::ErrorKind::InvalidData, format!("{} {what}", path.display()));
        let opened = LineJournal::open(path, &[START]).and_then(|earlier| {
            let rows: Vec<ProblemResult> = earlier.entries()?;
            Ok((rows, earlier.resume()?))
        });
        let (rows, lines) = opened.map_err(|error| match error {
            LineJournalError::Io(error) => error,
            LineJournalError::Line(_, error) => {
                invalid(format!("holds a line that is no result of this program: {error}"))
            }
            LineJournalError::InUse => io::Error::other(error),
            LineJournalError::Foreign(_) => invalid("is no file of results of this program".to_owned()),
        })?;
        let known = rows.into_iter().map(|row| ((row.id.clone(), row.sfen.clone()), row)).collect();
        Ok(Self { lines, known })
    }

    /// The earlier result of a problem.
    pub fn find(&self, id: &str, sfen: &str) -> Option<&ProblemResult> {
        self.known.get(&(id.to_owned(), sfen.to_owned()))
    }

    /// Keeps a result.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, row: &ProblemResult) -> io::Result<()> {
        self.lines.append(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_line_is_dropped_and_whole_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results");
        let row = ProblemResult { id: "a".into(), sfen: "s".into(), ..ProblemResult::default() };
        Journal::open(&path).unwrap().add(&row).unwrap();
        let mut text = std::fs::read(&path).unwrap();
        let whole = text.len();
        text.extend_from_slice(b"{\"id\":\"b\",\"sf");
        std::fs::write(&path, &text).unwrap();
        let mut journal = Journal::open(&path).unwrap();
        assert!(journal.find("a", "s").is_some() && journal.find("b", "s").is_none());
        assert_eq!(std::fs::metadata(&path).unwrap().len() as usize, whole);
        journal.add(&ProblemResult { id: "b".into(), ..row }).unwrap();
        drop(journal);
        assert!(Journal::open(&path).unwrap().find("b", "s").is_some());
        // A whole file torn at its first line begins anew; what others wrote stays.
        std::fs::write(&path, "{\"i").unwrap();
        assert!(Journal::open(&path).is_ok());
        for letter in ["a letter to a friend\n", "a letter to a friend"] {
            std::fs::write(&path, letter).unwrap();
            assert!(Journal::open(&path).is_err());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), letter);
        }
    }
}
