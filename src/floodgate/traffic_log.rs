//! The log of all lines from and to a server, bounded in size.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chrono::Local;

/// A log file. Once it has grown to its size it is moved aside as `FILE.1`, in the place of the one before.
#[derive(Debug)]
pub struct TrafficLog {
    path: PathBuf,
    file: File,
    length: u64,
    most: u64,
}

impl TrafficLog {
    /// Opens a log, which goes on where it ended.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn open(path: &Path, most: u64) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        let length = file.metadata()?.len();
        Ok(Self { path: path.to_owned(), file, length, most })
    }

    /// Writes a line; `mark` says which way it went.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn write(&mut self, mark: char, line: &str) -> io::Result<()> {
        if self.length >= self.most {
            self.rotate()?;
        }
        let text = format!("{} {mark} {line}\n", Local::now().format("%Y-%m-%d %H:%M:%S%.3f"));
        self.file.write_all(text.as_bytes())?;
        self.length += text.len() as u64;
        Ok(())
    }

    fn rotate(&mut self) -> io::Result<()> {
        let mut old = self.path.clone().into_os_string();
        old.push(".1");
        fs::rename(&self.path, old)?;
        *self = Self::open(&self.path, self.most)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_never_grows_beyond_twice_its_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        for _ in 0..3 {
            let mut log = TrafficLog::open(&path, 1000).unwrap();
            for number in 0..100 {
                log.write('<', &format!("line {number}")).unwrap();
            }
        }
        let files: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().collect();
        assert_eq!(files.len(), 2);
        assert!(files.iter().all(|file| file.metadata().unwrap().len() < 1100));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.ends_with(" < line 99\n"), "{text}");
    }
}
