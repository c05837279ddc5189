//! A journal: a file that grows by lines of JSON, one an entry, so that a program that was killed can go on.
//!
//! An entry is written with one call and counts only with its end of line. Whenever the program is killed, the file
//! holds whole entries and at most the beginning of one, which is cut off when the file is used again. What is no
//! beginning of an entry belongs to somebody else, and such a file is refused untouched.

use std::io;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::files::AppendFile;

/// Why a file cannot be used as a journal.
#[derive(Debug, thiserror::Error)]
pub enum LineJournalError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another process has it open.
    #[error("it is in use")]
    InUse,
    /// The end of the file is not what a broken write leaves of an entry.
    #[error("line {0}: it is no entry, nor the beginning of one")]
    Foreign(usize),
    /// A line is no entry.
    #[error("line {0}: {1}")]
    Line(usize, serde_json::Error),
}

/// A journal that entries are written to.
#[derive(Debug)]
pub struct LineJournal(AppendFile);

impl LineJournal {
    /// Reads a journal, or makes an empty one. Every entry begins with one of `prefixes`. No other process may open it
    /// until it is closed.
    ///
    /// # Errors
    /// A file that cannot be read, that another process has, or whose last line is not the beginning of an entry.
    pub fn open(path: &Path, prefixes: &[&str]) -> Result<EarlierLines, LineJournalError> {
        let file = AppendFile::open_exclusive(path)?.ok_or(LineJournalError::InUse)?;
        EarlierLines::read(file, prefixes)
    }

    /// Writes an entry.
    ///
    /// # Errors
    /// Those of the file system; the entry counts only where there is none.
    pub fn append(&mut self, entry: &impl Serialize) -> io::Result<()> {
        self.append_all(std::slice::from_ref(entry))
    }

    /// Writes entries together: they reach the file with one call.
    ///
    /// # Errors
    /// As [`Self::append`].
    pub fn append_all(&mut self, entries: &[impl Serialize]) -> io::Result<()> {
        let mut lines = Vec::new();
        for entry in entries {
            serde_json::to_writer(&mut lines, entry)?;
            lines.push(b'\n');
        }
        self.0.append(&lines)
    }
}

/// What a journal holds when it is opened. The file changes only with [`Self::resume`], once the caller has checked
/// that the entries are its own.
#[derive(Debug)]
pub struct EarlierLines {
    file: AppendFile,
    /// The lines that have an end.
    text: String,
    /// Their length in the file.
    whole: usize,
}

impl EarlierLines {
    fn read(mut file: AppendFile, prefixes: &[&str]) -> Result<Self, LineJournalError> {
        let bytes = file.read()?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        // A machine that lost power may leave zeros where an entry was to be.
        let written = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |end| end + 1);
        let tail = &bytes[whole..written.max(whole)];
        let text = String::from_utf8_lossy(&bytes[..whole]).into_owned();
        if !prefixes.iter().any(|start| tail.starts_with(start.as_bytes()) || start.as_bytes().starts_with(tail)) {
            return Err(LineJournalError::Foreign(text.lines().count() + 1));
        }
        Ok(Self { file, text, whole })
    }

    /// The whole lines with their numbers, from 1; empty ones are skipped.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines()).filter(|(_, line)| !line.is_empty())
    }

    /// The entries.
    ///
    /// # Errors
    /// The first line that is none.
    pub fn entries<T: DeserializeOwned>(&self) -> Result<Vec<T>, LineJournalError> {
        let entry = |(number, line)| serde_json::from_str(line).map_err(|error| LineJournalError::Line(number, error));
        self.lines().map(entry).collect()
    }

    /// Cuts off what was left of a broken write, and goes on after the last whole line.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn resume(mut self) -> io::Result<LineJournal> {
        self.file.cut(self.whole as u64)?;
        Ok(LineJournal(self.file))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const STARTS: [&str; 2] = ["{\"head\":", "["];

    #[test]
    fn a_broken_entry_is_cut_off_and_whole_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut journal = LineJournal::open(&path, &STARTS).unwrap().resume().unwrap();
        journal.append(&[1, 2]).unwrap();
        journal.append_all(&[[3, 4], [5, 6]]).unwrap();
        drop(journal);
        let whole = fs::read_to_string(&path).unwrap();
        assert_eq!(whole, "[1,2]\n[3,4]\n[5,6]\n");
        for tail in ["", "[7,", "{\"he", "{\"head\":1", "[7\0\0\0", "\0\0\0"] {
            fs::write(&path, format!("{whole}{tail}")).unwrap();
            let earlier = LineJournal::open(&path, &STARTS).unwrap();
            assert_eq!(earlier.entries::<[i32; 2]>().unwrap(), [[1, 2], [3, 4], [5, 6]]);
            let untouched = fs::metadata(&path).unwrap().len() as usize;
            assert_eq!(untouched, whole.len() + tail.len(), "before it is resumed");
            earlier.resume().unwrap().append(&[9, 9]).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), format!("{whole}[9,9]\n"));
        }
    }

    #[test]
    fn foreign_files_are_refused_untouched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        for text in ["a letter", "[1,2]\na letter", "{\"hear\":1", "\0a"] {
            fs::write(&path, text).unwrap();
            assert!(matches!(LineJournal::open(&path, &STARTS), Err(LineJournalError::Foreign(_))), "{text}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::write(&path, "[1,2]\n\n[3]\n").unwrap();
        let error = LineJournal::open(&path, &STARTS).unwrap().entries::<[i32; 2]>().unwrap_err();
        assert!(matches!(error, LineJournalError::Line(3, _)), "{error}");
    }

    #[test]
    fn a_journal_is_opened_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let journal = LineJournal::open(&path, &STARTS).unwrap();
        assert!(matches!(LineJournal::open(&path, &STARTS), Err(LineJournalError::InUse)));
        drop(journal);
        assert!(LineJournal::open(&path, &STARTS).is_ok());
    }
}
