//! The file of games: each game is appended as it ends.

use std::path::Path;

use crate::platform::files::AppendFile;

use super::csa_record;
use super::result::GameResult;
use super::setup::RecordFormat;
use super::transcript::Transcript;
use super::usi_record;

/// The open file of games.
#[derive(Debug)]
pub struct RecordFile {
    file: AppendFile,
    format: RecordFormat,
    end: u64,
    /// Whether a game of CSA must be separated from what stands before it.
    separate: bool,
}

impl RecordFile {
    /// Opens the file and truncates it to `end`: anything beyond belongs to no finished game.
    ///
    /// # Errors
    /// The file cannot be written, is in use by another match, or has lost finished games.
    pub fn open(path: &Path, format: RecordFormat, end: u64) -> std::io::Result<Self> {
        let Some(mut file) = AppendFile::open_exclusive(path)? else {
            return Err(std::io::Error::other("in use by another match"));
        };
        let length = file.length()?;
        if length < end {
            return Err(std::io::Error::other(format!(
                "{} bytes of finished games are missing at its end",
                end - length
            )));
        }
        file.cut(end)?;
        let separate = end > 0 && !file.ends_with(b"/\n")?;
        Ok(Self { file, format, end, separate })
    }

    /// Appends a game; returns the length of the file after it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, names: [&str; 2], result: &GameResult, transcript: &Transcript) -> std::io::Result<u64> {
        let text = match self.format {
            RecordFormat::Usi => usi_record::write(names, result, transcript),
            // Between games only: readers take a separator at the end for one more game.
            RecordFormat::Csa if self.separate => format!("/\n{}", csa_record::write(names, result, transcript)),
            RecordFormat::Csa => csa_record::write(names, result, transcript),
        };
        self.separate = true;
        self.file.append(text.as_bytes())?;
        self.end += text.len() as u64;
        Ok(self.end)
    }
}
