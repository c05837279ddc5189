//! The debug log: the dialogue with the client and the program's own log, in one file.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::platform::sync::Mutex;

/// Where the log goes: to the file of the option `DebugLogFile`, or to stderr while there is none. Clones share the
/// file.
#[derive(Clone)]
pub struct DebugLog {
    file: Arc<Mutex<Option<File>>>,
    start: Instant,
}

impl Default for DebugLog {
    fn default() -> Self {
        Self { file: Arc::default(), start: Instant::now() }
    }
}

impl DebugLog {
    /// Starts writing to `path`, appending if it exists; the empty path ends the log.
    ///
    /// # Errors
    /// Where the file cannot be opened; the log then stays what it was.
    pub fn open(&self, path: &Path) -> io::Result<()> {
        let file = if path.as_os_str().is_empty() {
            None
        } else {
            Some(File::options().create(true).append(true).open(path)?)
        };
        *self.file.lock() = file;
        Ok(())
    }

    /// Writes a line of the dialogue: `>` came from the client, `<` went to it. Without a file nothing happens.
    pub fn record(&self, direction: char, line: &str) {
        if let Some(file) = self.file.lock().as_mut() {
            let entry = format!("{:10.3} {direction} {line}\n", self.start.elapsed().as_secs_f64());
            // A full disk must not stop a game.
            let _ = file.write_all(entry.as_bytes());
        }
    }
}

/// The target of the program's own log.
impl Write for DebugLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.file.lock().as_mut() {
            Some(file) => file.write(bytes),
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_and_the_log_are_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("対局 log.txt");
        let mut debug_log = DebugLog::default();
        debug_log.record('>', "nobody reads this");
        debug_log.clone().open(&path).unwrap();
        debug_log.record('>', "usi");
        debug_log.record('<', "usiok");
        debug_log.write_all(b"a warning\n").unwrap();
        assert!(debug_log.open(folder.path()).is_err(), "a folder is no file");
        debug_log.record('>', "quit");
        debug_log.open(Path::new("")).unwrap();
        debug_log.record('>', "after the end");
        let text = std::fs::read_to_string(&path).unwrap();
        let entries: Vec<&str> =
            text.lines().map(|line| line.trim_start_matches(|letter: char| " .0123456789".contains(letter))).collect();
        assert_eq!(entries, ["> usi", "< usiok", "a warning", "> quit"]);
    }
}
