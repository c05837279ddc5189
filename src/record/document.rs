//! A file of game records: detects format and encoding, reads and writes.

use std::path::Path;

use super::detect::detect;
use super::{Encoding, FileFormat, Newline, ReadError, Record, Warning, WarningKind, csa, jkf, ki2, kif, usi};
use crate::platform::files::write_whole;
use crate::platform::wording::counted;

impl Record {
    /// The record as text, and what the format cannot represent, one sentence each.
    ///
    /// Lines end with `\n`; [`Document::to_bytes`] applies encoding, byte order mark and end-of-line style.
    pub fn write(&self, format: FileFormat) -> (String, Vec<String>) {
        match format {
            FileFormat::Kif => kif::write(self),
            FileFormat::Ki2 => ki2::write(self),
            FileFormat::Csa => csa::write(self),
            FileFormat::Usi => usi::write(self),
            FileFormat::Jkf => jkf::write(self),
        }
    }
}

/// The games of one file, and what is needed to write it back the way it was.
#[derive(Clone, Debug)]
pub struct Document {
    /// The format.
    pub format: FileFormat,
    /// The character encoding.
    pub encoding: Encoding,
    /// The end-of-line style.
    pub newline: Newline,
    /// The games, at least one.
    pub games: Vec<Record>,
    /// What was odd about the file and did not stop the reader.
    pub warnings: Vec<Warning>,
    /// Whether the file has bytes that are invalid in its encoding; they were read as U+FFFD and would be lost by
    /// writing the file.
    pub malformed: bool,
}

impl Document {
    /// A document of one game.
    pub fn new(game: Record, format: FileFormat, encoding: Encoding) -> Self {
        Self {
            format,
            encoding,
            newline: Newline::default(),
            games: vec![game],
            warnings: Vec::new(),
            malformed: false,
        }
    }

    /// Reads the bytes of a file. `hint` is the format that the file name suggests; it only counts where the contents
    /// do not decide.
    ///
    /// # Errors
    /// The first line that cannot be read, and why.
    pub fn read(bytes: &[u8], hint: Option<FileFormat>) -> Result<Self, ReadError> {
        let (mut text, encoding, malformed) = Encoding::decode(bytes);
        // Old DOS files end with Ctrl-Z, files of fixed size with zeros.
        let end = text.trim_end_matches(['\u{1a}', '\0', '\r', '\n', ' ']).len();
        if end > 0 && text[end..].contains(['\u{1a}', '\0']) {
            text.truncate(end);
            text.push('\n');
        }
        let control = |c: char| matches!(u32::from(c), 0..=8 | 11 | 14..=25 | 28..=31);
        if let Some(c) = text.chars().find(|&c| control(c)) {
            let place = bytes.iter().position(|&byte| u32::from(byte) == u32::from(c)).unwrap_or(0);
            let reason = format!("this is not text (byte {} at offset {place})", u32::from(c));
            return Err(ReadError::new(1, reason));
        }
        let newline = Newline::of(&text);
        if text.contains('\r') {
            text = text.replace("\r\n", "\n").replace('\r', "\n");
        }
        if text.trim().is_empty() {
            return Err(ReadError::new(1, "the file is empty"));
        }
        if text.starts_with("#YANEURAOU-DB") {
            return Err(ReadError::new(1, "this is an opening book (YaneuraOu's format), not a game record"));
        }
        let mut warnings = Vec::new();
        if malformed {
            let line =
                text.lines().position(|line| line.contains(char::REPLACEMENT_CHARACTER)).map_or(1, |index| index + 1);
            warnings.push(Warning::not_understood(line, format!("there are bytes that are not {encoding}")));
        }
        // Gaiji of Shift_JIS and JIS X 0212 of EUC-JP can be read, not written.
        if let Some(index) = text.lines().position(|line| !encoding.fit(line).1.is_empty()) {
            let text = format!("there are characters that cannot be written again in {encoding}");
            warnings.push(Warning::not_understood(index + 1, text));
        }
        let Some(format) = detect(&text, hint) else {
            return Err(ReadError::new(1, "this is none of KIF, KI2, CSA, USI and JKF"));
        };
        let games = match format {
            FileFormat::Kif => vec![kif::read(&text, &mut warnings)?],
            FileFormat::Ki2 => vec![ki2::read(&text, &mut warnings)?],
            FileFormat::Csa => csa::read(&text, &mut warnings)?,
            FileFormat::Usi => usi::read(&text, &mut warnings)?,
            FileFormat::Jkf => vec![jkf::read(&text, &mut warnings)?],
        };
        Ok(Self { format, encoding, newline, games, warnings, malformed })
    }

    /// The first warning about something that was not understood: writing the file back may lose what its author meant.
    pub fn not_understood(&self) -> Option<&Warning> {
        self.warnings.iter().find(|warning| warning.kind == WarningKind::NotUnderstood)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Those of the file system, and those of [`Document::read`] as [`std::io::ErrorKind::InvalidData`].
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let bytes = std::fs::read(path)?;
        Self::read(&bytes, FileFormat::of_path(path))
            .map_err(|error| std::io::Error::new(std::io::ErrorKind::InvalidData, error))
    }

    /// The bytes of the file, and what format and encoding cannot represent, one sentence each.
    pub fn to_bytes(&self) -> (Vec<u8>, Vec<String>) {
        let mut losses = Vec::new();
        let mut text = String::new();
        for (index, game) in self.games.iter().enumerate() {
            if index > 0 && !self.format.holds_many() {
                losses.push(format!(
                    "{} left out: a file of {} holds one",
                    counted(self.games.len() - 1, "game is", "games are"),
                    self.format
                ));
                break;
            }
            if index > 0 && self.format == FileFormat::Csa {
                text.push_str("/\n");
            }
            let (game, lost) = game.write(self.format);
            text.push_str(&game);
            losses.extend(lost);
        }
        let declared = self.encoding.declared();
        match self.format {
            FileFormat::Kif => text.insert_str(0, &format!("#KIF version=2.0 encoding={declared}\n")),
            FileFormat::Ki2 => text.insert_str(0, &format!("#KI2 version=2.0 encoding={declared}\n")),
            FileFormat::Csa if !text.is_ascii() || text.starts_with("V3") => {
                text.insert_str(0, &format!("'CSA encoding={}\n", declared.to_ascii_uppercase()));
            }
            _ => {}
        }
        if self.newline != Newline::Lf {
            text = text.replace('\n', self.newline.characters());
        }
        let (bytes, lost) = self.encoding.encode(&text);
        if !lost.is_empty() {
            losses.push(format!(
                "{} cannot hold {}; 〓 stands for them",
                self.encoding,
                lost.iter().map(|c| format!("'{c}'")).collect::<Vec<_>>().join(", ")
            ));
        }
        (bytes, losses)
    }

    /// Writes the file atomically: even after a crash there is either the old file or the new one.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn save(&self, path: &Path) -> std::io::Result<Vec<String>> {
        let (bytes, losses) = self.to_bytes();
        write_whole(path, &bytes)?;
        Ok(losses)
    }
}
