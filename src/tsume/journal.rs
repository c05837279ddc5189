//! The file of results: one JSON object a line, so that an interrupted batch can be resumed.
//!
//! A line is written by one call and counts only with its end of line. If the program is killed, the file holds whole
//! results and at most one torn line, which the next run drops and solves again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use super::result::ProblemResult;

/// How every line begins.
const START: &[u8] = b"{\"id\":";

/// The results of earlier runs, and the file to which this one's go.
pub struct Journal {
    file: File,
    known: HashMap<(String, String), ProblemResult>,
}

impl Journal {
    /// Opens or makes the file.
    ///
    /// # Errors
    /// Where the file cannot be opened, or holds something else.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        // The half line of a run that was broken off may go; whatever else stands there is somebody's.
        let tail = &bytes[whole..];
        if whole == 0 && !tail.starts_with(START) && !START.starts_with(tail) {
            let message = format!("{} is no file of results of this program", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let mut known = HashMap::new();
        for line in bytes[..whole].split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let row: ProblemResult = serde_json::from_slice(line).map_err(|error| {
                let message = format!("{} holds a line that is no result of this program: {error}", path.display());
                io::Error::new(io::ErrorKind::InvalidData, message)
            })?;
            known.insert((row.id.clone(), row.sfen.clone()), row);
        }
        file.set_len(whole as u64)?;
        file.seek(io::SeekFrom::End(0))?;
        Ok(Self { file, known })
    }

    /// The earlier result of a problem.
    pub fn find(&self, id: &str, sfen: &str) -> Option<&ProblemResult> {
        self.known.get(&(id.to_owned(), sfen.to_owned()))
    }

    /// Keeps a result.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn add(&mut self, row: &ProblemResult) -> io::Result<()> {
        let mut line = serde_json::to_vec(row)?;
        line.push(b'\n');
        self.file.write_all(&line)
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
