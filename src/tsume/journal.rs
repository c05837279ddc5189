//! What is solved stays solved: results on disk, one JSON object a line.
//!
//! A line is written with one call and counts only with its end of line: whatever breaks the program off, the file
//! holds whole results and at most one half, which the next run drops and solves again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use super::Row;

/// How every line begins.
const START: &[u8] = b"{\"id\":";

/// The results of earlier runs, and the file to which this one's go.
pub struct Journal {
    file: File,
    known: HashMap<(String, String), Row>,
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
            let row: Row = serde_json::from_slice(line).map_err(|error| {
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
    pub fn find(&self, id: &str, sfen: &str) -> Option<&Row> {
        self.known.get(&(id.to_owned(), sfen.to_owned()))
    }

    /// Keeps a result.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn add(&mut self, row: &Row) -> io::Result<()> {
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
        let row = Row { id: "a".into(), sfen: "s".into(), ..Row::default() };
        Journal::open(&path).unwrap().add(&row).unwrap();
        let mut text = std::fs::read(&path).unwrap();
        let whole = text.len();
        text.extend_from_slice(b"{\"id\":\"b\",\"sf");
        std::fs::write(&path, &text).unwrap();
        let mut journal = Journal::open(&path).unwrap();
        assert!(journal.find("a", "s").is_some() && journal.find("b", "s").is_none());
        assert_eq!(std::fs::metadata(&path).unwrap().len() as usize, whole);
        journal.add(&Row { id: "b".into(), ..row }).unwrap();
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
