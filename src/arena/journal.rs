//! The state of a match on disk: one line of JSON per finished game.
//!
//! Lines are only appended, so that a crash leaves at most one torn line at the end, whose game is played again. A
//! game's record is written before its line here, and the line holds the end of the record: anything beyond the last
//! such offset belongs to no finished game and is cut off.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};

use crate::platform::line_journal::{EarlierLines, LineJournal, LineJournalError};

use super::result::GameResult;

/// How lines begin: the first one, and those of games.
const STARTS: [&str; 2] = ["{\"hagane arena\":", "{\"game\":"];
/// What is said of a file that something else has written.
const FOREIGN: &str = "this is no state file of a match";

/// Why a state file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Reading or writing failed.
    #[error("state file {0}: {1}")]
    Io(PathBuf, io::Error),
    /// It already holds a match.
    #[error("state file {0} holds a match already: --resume goes on with it, another --state begins anew")]
    Exists(PathBuf),
    /// Another process uses it.
    #[error("state file {0} is in use by another match")]
    InUse(PathBuf),
    /// It is not a state file.
    #[error("state file {0}, line {1}: {2}")]
    Line(PathBuf, usize, String),
    /// It belongs to another match.
    #[error("state file {0} belongs to another match: {1} was {2}, is {3}")]
    Differs(PathBuf, String, String, String),
}

/// An open state file.
#[derive(Debug)]
pub struct Journal {
    lines: LineJournal,
    path: PathBuf,
}

/// A resumed match.
#[derive(Debug)]
pub struct Resumed {
    /// The journal, open for further games.
    pub journal: Journal,
    /// The finished games, in the order of their end.
    pub results: Vec<GameResult>,
    /// The length of the file of games up to the last finished game.
    pub record_end: u64,
}

impl Journal {
    /// Starts a new match. `record_start` is the length of the file of games before it.
    ///
    /// # Errors
    /// The file cannot be written, or holds a match already.
    pub fn create(path: &Path, identity: &Value, record_start: u64) -> Result<Self, JournalError> {
        // A file in which no match has begun is no loss.
        if std::fs::metadata(path).is_ok_and(|file| file.len() > 0) {
            return Err(JournalError::Exists(path.to_owned()));
        }
        Self::begin(open(path)?, path, identity, record_start)
    }

    /// Writes the first line into a file without any.
    fn begin(earlier: EarlierLines, path: &Path, identity: &Value, record_start: u64) -> Result<Self, JournalError> {
        let lines = earlier.resume().map_err(|error| JournalError::Io(path.to_owned(), error))?;
        let mut journal = Self { lines, path: path.to_owned() };
        journal.write(&json!({ "hagane arena": 1, "match": identity, "record_start": record_start }))?;
        Ok(journal)
    }

    /// Resumes a match, or starts a new one if there is no such file.
    ///
    /// # Errors
    /// The file cannot be read, is in use, is damaged otherwise than at its end, or belongs to another match.
    pub fn resume(path: &Path, identity: &Value, record_start: u64) -> Result<Resumed, JournalError> {
        let earlier = open(path)?;
        let bad = |line: usize, error: String| JournalError::Line(path.to_owned(), line, error);
        let mut lines = earlier.lines();
        let Some((_, header)) = lines.next() else {
            drop(lines);
            let journal = Self::begin(earlier, path, identity, record_start)?;
            return Ok(Resumed { journal, results: Vec::new(), record_end: record_start });
        };
        let header: Value = serde_json::from_str(header).unwrap_or_default();
        if header["hagane arena"] != 1 {
            return Err(bad(1, FOREIGN.to_owned()));
        }
        compare(path, &header["match"], identity)?;
        let mut results: Vec<GameResult> = Vec::new();
        let mut record_end = header["record_start"].as_u64().unwrap_or(0);
        let mut seen = HashSet::new();
        for (number, line) in lines {
            let result: GameResult = serde_json::from_str(line).map_err(|error| bad(number, error.to_string()))?;
            if !seen.insert(result.game) {
                return Err(bad(number, format!("game {} for the second time", result.game)));
            }
            record_end = record_end.max(result.record_end);
            results.push(result);
        }
        let lines = earlier.resume().map_err(|error| JournalError::Io(path.to_owned(), error))?;
        Ok(Resumed { journal: Self { lines, path: path.to_owned() }, results, record_end })
    }

    /// Appends a finished game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, result: &GameResult) -> Result<(), JournalError> {
        self.write(result)
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        self.lines.append(line).map_err(|error| JournalError::Io(self.path.clone(), error))
    }
}

fn open(path: &Path) -> Result<EarlierLines, JournalError> {
    LineJournal::open(path, &STARTS).map_err(|error| match error {
        LineJournalError::Io(error) => JournalError::Io(path.to_owned(), error),
        LineJournalError::InUse => JournalError::InUse(path.to_owned()),
        LineJournalError::Foreign(line) => JournalError::Line(path.to_owned(), line, FOREIGN.to_owned()),
        LineJournalError::Line(line, error) => JournalError::Line(path.to_owned(), line, error.to_string()),
    })
}

/// Reports the first difference between the recorded match and the requested one.
fn compare(path: &Path, was: &Value, is: &Value) -> Result<(), JournalError> {
    fn differences(was: &Value, is: &Value, place: &str) -> Option<(String, String, String)> {
        match (was, is) {
            (Value::Object(a), Value::Object(b)) => a.keys().chain(b.keys()).find_map(|key| {
                let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
                differences(&was[key.as_str()], &is[key.as_str()], &place)
            }),
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                a.iter().zip(b).enumerate().find_map(|(i, (a, b))| differences(a, b, &format!("{place}[{i}]")))
            }
            _ if was == is => None,
            _ => Some((place.to_owned(), was.to_string(), is.to_string())),
        }
    }
    // Through text, like the file, so that numbers compare as written.
    let is: Value = serde_json::from_str(&is.to_string()).unwrap_or_default();
    match differences(was, &is, "") {
        None => Ok(()),
        Some((place, was, is)) => Err(JournalError::Differs(path.to_owned(), place, was, is)),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::arena::result::{Effort, Reason, Winner};

    fn result(game: u32) -> GameResult {
        GameResult {
            game,
            pair: game / 2,
            players: [0, 1],
            winner: Winner::Draw,
            reason: Reason::Repetition,
            detail: String::new(),
            plies: 80,
            efforts: [Effort { seconds: 0.1, ..Effort::default() }; 2],
            faults: Vec::new(),
            score: None,
            seconds: 1.5,
            record_end: 10,
        }
    }

    #[test]
    fn survives_a_torn_line_and_refuses_another_match() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.state");
        let identity = json!({ "seed": 1, "players": [{ "name": "a", "spread": 0.1 }] });
        let mut journal = Journal::create(&path, &identity, 5).unwrap();
        journal.add(&result(0)).unwrap();
        journal.add(&result(3)).unwrap();
        assert!(matches!(Journal::resume(&path, &identity, 0), Err(JournalError::InUse(_))));
        drop(journal);
        let mut torn = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
        torn.write_all(b"{\"game\":4,\"pa").unwrap();
        drop(torn);
        assert!(matches!(Journal::create(&path, &identity, 5), Err(JournalError::Exists(_))));
        let Resumed { mut journal, results, record_end } = Journal::resume(&path, &identity, 0).unwrap();
        assert_eq!((results, record_end), (vec![result(0), result(3)], 10));
        journal.add(&result(4)).unwrap();
        drop(journal);
        let Resumed { results, .. } = Journal::resume(&path, &identity, 0).unwrap();
        assert_eq!(results.len(), 3);
        let other = json!({ "seed": 1, "players": [{ "name": "b", "spread": 0.1 }] });
        let error = Journal::resume(&path, &other, 0).unwrap_err().to_string();
        assert!(error.contains("players[0].name was \"a\", is \"b\""), "{error}");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("\"game\":3", "\"game\":0")).unwrap();
        let error = Journal::resume(&path, &identity, 0).unwrap_err().to_string();
        assert!(error.contains("line 3") && error.contains("second time"), "{error}");
    }
}
