//! The formats of game records: their names, extensions, and how a text is recognised.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::Encoding;

/// The format of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// KIF, KIFU (柿木形式).
    Kif,
    /// KI2: moves as printed in books.
    Ki2,
    /// CSA, versions 1 to 3.0.
    Csa,
    /// One USI `position` line or SFEN a line.
    Usi,
    /// JSON Kifu Format.
    Jkf,
}

/// The name of an unknown format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a format of records (expected kif, kifu, ki2, ki2u, csa, usi, sfen or jkf)")]
pub struct UnknownFileFormat(pub String);

impl FileFormat {
    /// The format that a file's extension suggests.
    pub fn of_path(path: &Path) -> Option<Self> {
        path.extension()?.to_str()?.parse().ok()
    }

    /// The extension of files in this format; KIF and KI2 have another one for UTF-8.
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
}

impl FromStr for FileFormat {
    type Err = UnknownFileFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFileFormat> {
        match name.to_ascii_lowercase().as_str() {
            "kif" | "kifu" => Ok(Self::Kif),
            "ki2" | "ki2u" => Ok(Self::Ki2),
            "csa" => Ok(Self::Csa),
            "usi" | "sfen" => Ok(Self::Usi),
            "jkf" | "json" => Ok(Self::Jkf),
            _ => Err(UnknownFileFormat(name.to_owned())),
        }
    }
}

impl fmt::Display for FileFormat {
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
