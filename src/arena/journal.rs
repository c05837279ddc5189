//! The state of a match on disk: one line of JSON per finished game.
//!
//! Lines are only appended, so that a crash leaves at most one torn line at the end, whose game is played again. A
//! game's record is written before its line here, and the line holds the end of the record: anything beyond the last
//! such offset belongs to no finished game and is cut off.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::result::GameResult;

/// The beginning of the first line.
const START: &[u8] = b"{\"hagane arena\":";

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
    file: File,
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
        let fail = |error| JournalError::Io(path.to_owned(), error);
        let file = match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // An empty file may be overwritten.
                if std::fs::metadata(path).map_err(fail)?.len() > 0 {
                    return Err(JournalError::Exists(path.to_owned()));
                }
                OpenOptions::new().write(true).open(path).map_err(fail)?
            }
            Err(error) => return Err(fail(error)),
        };
        if is_in_use(&file) {
            return Err(JournalError::InUse(path.to_owned()));
        }
        Self::begin(file, path, identity, record_start)
    }

    /// Writes the first line into an empty file.
    fn begin(file: File, path: &Path, identity: &Value, record_start: u64) -> Result<Self, JournalError> {
        let mut journal = Self { file, path: path.to_owned() };
        journal.write(&json!({ "hagane arena": 1, "match": identity, "record_start": record_start }))?;
        Ok(journal)
    }

    /// Resumes a match, or starts a new one if there is no such file.
    ///
    /// # Errors
    /// The file cannot be read, is in use, is damaged otherwise than at its end, or belongs to another match.
    pub fn resume(path: &Path, identity: &Value, record_start: u64) -> Result<Resumed, JournalError> {
        let fail = |error| JournalError::Io(path.to_owned(), error);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(fail)?;
        if is_in_use(&file) {
            return Err(JournalError::InUse(path.to_owned()));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(fail)?;
        // Only complete lines count.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole == 0 {
            // A torn first line of a match may be overwritten, anything else not.
            if !bytes.starts_with(START) && !START.starts_with(&bytes) {
                let reason = "this is no state file of a match".to_owned();
                return Err(JournalError::Line(path.to_owned(), 1, reason));
            }
            file.set_len(0).map_err(fail)?;
            file.rewind().map_err(fail)?;
            let journal = Self::begin(file, path, identity, record_start)?;
            return Ok(Resumed { journal, results: Vec::new(), record_end: record_start });
        }
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut lines = text.lines().enumerate();
        let bad = |line: usize, error: String| JournalError::Line(path.to_owned(), line + 1, error);
        let header: Value = lines.next().and_then(|(_, line)| serde_json::from_str(line).ok()).unwrap_or_default();
        if header["hagane arena"] != 1 {
            return Err(bad(0, "this is no state file of a match".to_owned()));
        }
        compare(path, &header["match"], identity)?;
        let mut results: Vec<GameResult> = Vec::new();
        let mut record_end = header["record_start"].as_u64().unwrap_or(0);
        let mut seen = std::collections::HashSet::new();
        for (number, line) in lines {
            let result: GameResult = serde_json::from_str(line).map_err(|error| bad(number, error.to_string()))?;
            if !seen.insert(result.game) {
                return Err(bad(number, format!("game {} for the second time", result.game)));
            }
            record_end = record_end.max(result.record_end);
            results.push(result);
        }
        file.set_len(whole as u64).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        let journal = Self { file, path: path.to_owned() };
        Ok(Resumed { journal, results, record_end })
    }

    /// Appends a finished game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, result: &GameResult) -> Result<(), JournalError> {
        let value = serde_json::to_value(result).map_err(|error| JournalError::Io(self.path.clone(), error.into()))?;
        self.write(&value)
    }

    fn write(&mut self, value: &Value) -> Result<(), JournalError> {
        let line = format!("{value}\n");
        self.file.write_all(line.as_bytes()).map_err(|error| JournalError::Io(self.path.clone(), error))
    }
}

/// Whether another process has locked the file; if not, locks it until it is closed. Systems without file locks report
/// it as free.
pub(super) fn is_in_use(file: &File) -> bool {
    matches!(file.try_lock(), Err(TryLockError::WouldBlock))
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
        let path = std::env::temp_dir().join(format!("hagane-journal-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let identity = json!({ "seed": 1, "players": [{ "name": "a", "spread": 0.1 }] });
        let mut journal = Journal::create(&path, &identity, 5).unwrap();
        journal.add(&result(0)).unwrap();
        journal.add(&result(3)).unwrap();
        journal.file.write_all(b"{\"game\":4,\"pa").unwrap();
        assert!(matches!(Journal::resume(&path, &identity, 0), Err(JournalError::InUse(_))));
        drop(journal);
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
        std::fs::remove_file(path).unwrap();
    }
}
