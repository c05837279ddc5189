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
    /// JSON Kifu FileFormat.
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

    /// The format of a text: by its contents, or by the hint where they do not decide.
    pub(super) fn detect(text: &str, hint: Option<Self>) -> Option<Self> {
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
