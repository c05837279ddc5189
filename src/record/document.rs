//! A file of records: recognising format and encoding, reading, writing whole.

use std::fmt;
use std::io::Write;
use std::path::Path;
use std::str::FromStr;

use super::{Encoding, Newline, ReadError, Record, Warning, csa, jkf, ki2, kif, usi};

/// The format of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// KIF, KIFU (柿木形式).
    Kif,
    /// KI2: moves as in books.
    Ki2,
    /// CSA, versions 1 to 3.0.
    Csa,
    /// USI `position` lines or SFEN, one a line.
    Usi,
    /// JSON Kifu Format.
    Jkf,
}

/// A name that is no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a format of records (expected kif, kifu, ki2, ki2u, csa, usi, sfen or jkf)")]
pub struct UnknownFormat(pub String);

impl Format {
    /// The format that a file's name suggests.
    pub fn of_path(path: &Path) -> Option<Self> {
        path.extension()?.to_str()?.parse().ok()
    }

    /// The extension of files in this format; UTF-8 has one of its own in KIF and KI2.
    pub fn extension(self, encoding: Encoding) -> &'static str {
        let utf8 = matches!(encoding, Encoding::Utf8 { .. });
        match self {
            Self::Kif if utf8 => "kifu",
            Self::Kif => "kif",
            Self::Ki2 if utf8 => "ki2u",
            Self::Ki2 => "ki2",
            Self::Csa => "csa",
            Self::Usi => "sfen",
            Self::Jkf => "jkf",
        }
    }

    /// Whether one file holds many games.
    pub fn holds_many(self) -> bool {
        matches!(self, Self::Csa | Self::Usi)
    }

    /// The format that a text is in: by its contents where they decide, else by the hint.
    fn detect(text: &str, hint: Option<Self>) -> Option<Self> {
        let first = text.trim_start();
        if first.starts_with('{') {
            return Some(Self::Jkf);
        }
        for line in text.lines() {
            let line = line.trim_end();
            let words = line.trim_start();
            let row = words.trim_start_matches(|c: char| c.is_ascii_digit());
            if words.starts_with("手数--")
                || (row.len() < words.len() && row.starts_with(char::is_whitespace) && !row.trim_start().is_ascii())
            {
                return Some(Self::Kif);
            }
            if words.starts_with(['▲', '△', '▽', '▼', '☗', '☖']) {
                return Some(Self::Ki2);
            }
            if words.starts_with("position ")
                || words.starts_with("startpos")
                || words.starts_with("sfen ")
                || words.split(' ').next().is_some_and(|board| board.matches('/').count() == 8)
            {
                return Some(Self::Usi);
            }
            let csa = |line: &str| {
                line.is_ascii()
                    && line.len() >= 7
                    && line.starts_with(['+', '-'])
                    && line[1..5].bytes().all(|b| b.is_ascii_digit())
            };
            let keyword = |line: &str| {
                line.strip_prefix('$').and_then(|rest| rest.split_once(':')).is_some_and(|(key, _)| !key.contains('：'))
            };
            if ["N+", "N-", "PI", "P1", "P+", "P-", "V1", "V2", "V3"].iter().any(|start| line.starts_with(start))
                || keyword(line)
                || csa(line)
            {
                return Some(Self::Csa);
            }
            if let Some(remark) = line.strip_prefix('#') {
                if remark.starts_with("KIF") {
                    return Some(Self::Kif);
                }
                if remark.starts_with("KI2") {
                    return Some(Self::Ki2);
                }
            }
        }
        let head = |line: &str| line.contains('：') || line.starts_with('|') || line.starts_with("まで");
        hint.or_else(|| text.lines().any(head).then_some(Self::Kif))
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        match name.to_ascii_lowercase().as_str() {
            "kif" | "kifu" => Ok(Self::Kif),
            "ki2" | "ki2u" => Ok(Self::Ki2),
            "csa" => Ok(Self::Csa),
            "usi" | "sfen" => Ok(Self::Usi),
            "jkf" | "json" => Ok(Self::Jkf),
            _ => Err(UnknownFormat(name.to_owned())),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kif => "KIF",
            Self::Ki2 => "KI2",
            Self::Csa => "CSA",
            Self::Usi => "USI",
            Self::Jkf => "JKF",
        })
    }
}

/// The games of one file with what is to be kept when it is written again.
#[derive(Clone, Debug)]
pub struct Document {
    /// The format.
    pub format: Format,
    /// The characters' encoding.
    pub encoding: Encoding,
    /// The line ends.
    pub newline: Newline,
    /// The games, at least one.
    pub games: Vec<Record>,
    /// Oddities that were read over.
    pub warnings: Vec<Warning>,
    /// Whether the file holds bytes that its encoding does not have; they were read as U+FFFD, and writing the file
    /// again would lose them.
    pub malformed: bool,
}

impl Document {
    /// A document of one game.
    pub fn new(game: Record, format: Format, encoding: Encoding) -> Self {
        Self {
            format,
            encoding,
            newline: Newline::default(),
            games: vec![game],
            warnings: Vec::new(),
            malformed: false,
        }
    }

    /// Reads a file's bytes. `hint` is the format that the file's name suggests; the contents decide where they can.
    ///
    /// # Errors
    /// The first line that cannot be read, with the reason.
    pub fn read(bytes: &[u8], hint: Option<Format>) -> Result<Self, ReadError> {
        let utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
        let control = |byte: &u8| matches!(byte, 0..=8 | 11 | 14..=25 | 28..=31);
        if !utf16 && let Some(place) = bytes.iter().position(control) {
            let reason = format!("this is not text (byte {} at offset {place})", bytes[place]);
            return Err(ReadError::new(1, reason));
        }
        let (mut text, encoding, malformed) = Encoding::decode(bytes);
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
            warnings.push(Warning { line, text: format!("there are bytes that are not {encoding}") });
        }
        let Some(format) = Format::detect(&text, hint) else {
            return Err(ReadError::new(1, "this is none of KIF, KI2, CSA, USI and JKF"));
        };
        let games = match format {
            Format::Kif => vec![kif::read(&text, &mut warnings)?],
            Format::Ki2 => vec![ki2::read(&text, &mut warnings)?],
            Format::Csa => csa::read(&text, &mut warnings)?,
            Format::Usi => usi::read(&text, &mut warnings)?,
            Format::Jkf => vec![jkf::read(&text, &mut warnings)?],
        };
        Ok(Self { format, encoding, newline, games, warnings, malformed })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Those of the file system, and those of [`Document::read`] as [`std::io::ErrorKind::InvalidData`].
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let bytes = std::fs::read(path)?;
        Self::read(&bytes, Format::of_path(path))
            .map_err(|error| std::io::Error::new(std::io::ErrorKind::InvalidData, error))
    }

    /// The file's bytes, and what format and encoding could not hold, one sentence each.
    pub fn to_bytes(&self) -> (Vec<u8>, Vec<String>) {
        let mut losses = Vec::new();
        let mut text = String::new();
        for (index, game) in self.games.iter().enumerate() {
            if index > 0 && !self.format.holds_many() {
                losses.push(format!(
                    "{} game(s) are left out: a file of {} holds one",
                    self.games.len() - 1,
                    self.format
                ));
                break;
            }
            if index > 0 && self.format == Format::Csa {
                text.push_str("/\n");
            }
            let (game, lost) = game.write(self.format);
            text.push_str(&game);
            losses.extend(lost);
        }
        let declared = self.encoding.declared();
        match self.format {
            Format::Kif => text.insert_str(0, &format!("#KIF version=2.0 encoding={declared}\n")),
            Format::Ki2 => text.insert_str(0, &format!("#KI2 version=2.0 encoding={declared}\n")),
            Format::Csa if !text.is_ascii() || text.starts_with("V3") => {
                text.insert_str(0, &format!("'CSA encoding={}\n", declared.to_ascii_uppercase()));
            }
            _ => {}
        }
        if self.newline == Newline::CrLf {
            text = text.replace('\n', "\r\n");
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

    /// Writes the file whole: whoever looks sees the old file or the new one, also after a crash.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn save(&self, path: &Path) -> std::io::Result<Vec<String>> {
        let (bytes, losses) = self.to_bytes();
        write_whole(path, &bytes)?;
        Ok(losses)
    }
}

/// Writes a file beside its place, then moves it there. The permissions of a file that is replaced are kept.
///
/// # Errors
/// Those of the file system; the old file is then untouched.
pub fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // The file that a link points to is the one to replace.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new().prefix(".hagane-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    let permissions = match std::fs::metadata(&path) {
        Ok(old) => old.permissions(),
        // What a plain creation would give: temporary files are private.
        Err(_) => new_file_permissions(folder)?,
    };
    file.as_file().set_permissions(permissions)?;
    file.as_file().sync_all()?;
    file.persist(&path)?;
    Ok(())
}

/// The permissions of a file newly made in a folder, as the process' mask has them.
fn new_file_permissions(folder: &Path) -> std::io::Result<std::fs::Permissions> {
    let probe = tempfile::Builder::new().prefix(".hagane-").make_in(folder, |path| std::fs::File::create_new(path))?;
    Ok(probe.as_file().metadata()?.permissions())
}
