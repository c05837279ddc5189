//! Character encodings (UTF-8, Shift_JIS, EUC-JP, UTF-16) and end-of-line styles.

use std::fmt;
use std::str::FromStr;

use encoding_rs::{EUC_JP, SHIFT_JIS, UTF_16BE, UTF_16LE};

/// A character encoding. Shift_JIS means Windows code page 932, which is what shogi programs write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8
    Utf8 {
        /// Whether the file starts with a byte order mark.
        bom: bool,
    },
    /// Shift_JIS (CP932).
    ShiftJis,
    /// EUC-JP, found in old CSA files from Unix.
    EucJp,
}

/// The name of an unknown encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not an encoding (expected utf8, utf8-bom, sjis or euc-jp)")]
pub struct UnknownEncoding(pub String);

/// Replaces characters that the encoding does not have: the geta mark (〓), which printers set for a missing type.
const MISSING: char = '〓';

impl Encoding {
    /// Whether the encoding can represent a character.
    pub fn has(self, c: char) -> bool {
        match self {
            Self::Utf8 { .. } => true,
            Self::ShiftJis => !SHIFT_JIS.encode(c.encode_utf8(&mut [0; 4])).2,
            Self::EucJp => !EUC_JP.encode(c.encode_utf8(&mut [0; 4])).2,
        }
    }

    /// The text with each character that the encoding lacks replaced by a lookalike or by 〓, and the characters that
    /// became 〓.
    pub fn fit(self, text: &str) -> (String, Vec<char>) {
        let mut lost = Vec::new();
        if matches!(self, Self::Utf8 { .. }) {
            return (text.to_owned(), lost);
        }
        let fitted = text
            .chars()
            .map(|c| {
                if c.is_ascii() || self.has(c) {
                    return c;
                }
                let stand_in = stand_in(c).filter(|&c| self.has(c));
                if stand_in.is_none() && !lost.contains(&c) {
                    lost.push(c);
                }
                stand_in.unwrap_or(MISSING)
            })
            .collect();
        (fitted, lost)
    }

    /// The encoded text, and the characters that became 〓.
    pub fn encode(self, text: &str) -> (Vec<u8>, Vec<char>) {
        let (fitted, lost) = self.fit(text);
        let bytes = match self {
            Self::Utf8 { bom: false } => fitted.into_bytes(),
            Self::Utf8 { bom: true } => ["\u{feff}", &fitted].concat().into_bytes(),
            Self::ShiftJis => SHIFT_JIS.encode(&fitted).0.into_owned(),
            Self::EucJp => EUC_JP.encode(&fitted).0.into_owned(),
        };
        (bytes, lost)
    }

    /// The text of some bytes with the encoding that was recognised, and whether bytes were malformed.
    ///
    /// What a file declares (`encoding=`) is not asked: it is often wrong after a copy. Valid UTF-8 is UTF-8; of
    /// Shift_JIS and EUC-JP the one with fewer malformed bytes and fewer half-width katakana wins.
    pub fn decode(bytes: &[u8]) -> (String, Self, bool) {
        if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
            let text = String::from_utf8_lossy(rest);
            let malformed = matches!(text, std::borrow::Cow::Owned(_));
            return (text.into_owned(), Self::Utf8 { bom: true }, malformed);
        }
        for (mark, encoding) in [(b"\xff\xfe", UTF_16LE), (b"\xfe\xff", UTF_16BE)] {
            if let Some(rest) = bytes.strip_prefix(mark) {
                let (text, malformed) = encoding.decode_without_bom_handling(rest);
                return (text.into_owned(), Self::Utf8 { bom: true }, malformed);
            }
        }
        if let Ok(text) = std::str::from_utf8(bytes) {
            return (text.to_owned(), Self::Utf8 { bom: false }, false);
        }
        let (sjis, sjis_malformed) = SHIFT_JIS.decode_without_bom_handling(bytes);
        let (euc, euc_malformed) = EUC_JP.decode_without_bom_handling(bytes);
        let oddness = |text: &str| {
            text.chars()
                .map(|c| match c {
                    char::REPLACEMENT_CHARACTER => 100,
                    '\u{ff61}'..='\u{ff9f}' => 1,
                    _ => 0,
                })
                .sum::<usize>()
        };
        if oddness(&euc) < oddness(&sjis) {
            (euc.into_owned(), Self::EucJp, euc_malformed)
        } else {
            (sjis.into_owned(), Self::ShiftJis, sjis_malformed)
        }
    }

    /// The name to declare in the file.
    pub(super) fn declared(self) -> &'static str {
        match self {
            Self::Utf8 { .. } => "UTF-8",
            Self::ShiftJis => "Shift_JIS",
            Self::EucJp => "EUC-JP",
        }
    }
}

/// Lookalikes: characters that code page 932 maps elsewhere, and symbols that have a traditional form.
fn stand_in(c: char) -> Option<char> {
    Some(match c {
        '\u{301c}' => '\u{ff5e}',
        '\u{2016}' => '\u{2225}',
        '\u{2212}' => '\u{ff0d}',
        '\u{2014}' => '\u{2015}',
        '\u{00a2}' => '\u{ffe0}',
        '\u{00a3}' => '\u{ffe1}',
        '\u{00ac}' => '\u{ffe2}',
        '\u{00a0}' => ' ',
        '☗' => '▲',
        '☖' => '△',
        '⛊' => '▲',
        '⛉' => '△',
        _ => return None,
    })
}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(name: &str) -> Result<Self, UnknownEncoding> {
        match name.to_ascii_lowercase().replace('_', "-").as_str() {
            "utf8" | "utf-8" => Ok(Self::Utf8 { bom: false }),
            "utf8-bom" | "utf-8-bom" => Ok(Self::Utf8 { bom: true }),
            "sjis" | "shift-jis" | "shiftjis" | "cp932" => Ok(Self::ShiftJis),
            "euc" | "euc-jp" | "eucjp" => Ok(Self::EucJp),
            _ => Err(UnknownEncoding(name.to_owned())),
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 { bom: false } => "UTF-8",
            Self::Utf8 { bom: true } => "UTF-8 with BOM",
            Self::ShiftJis => "Shift_JIS",
            Self::EucJp => "EUC-JP",
        })
    }
}

/// The end-of-line style.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Newline {
    /// `\n`
    #[default]
    Lf,
    /// `\r\n`
    CrLf,
}

impl Newline {
    /// The style of most lines of a text.
    pub fn of(text: &str) -> Self {
        let crlf = text.matches("\r\n").count();
        if crlf * 2 > text.matches('\n').count() { Self::CrLf } else { Self::Lf }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_reads_back_in_every_encoding() {
        let text = "▲７六歩 同　銀 木村 Ⅷ ①";
        for encoding in
            [Encoding::Utf8 { bom: false }, Encoding::Utf8 { bom: true }, Encoding::ShiftJis, Encoding::EucJp]
        {
            let (bytes, lost) = encoding.encode(text);
            assert!(lost.is_empty());
            assert_eq!(Encoding::decode(&bytes), (text.to_owned(), encoding, false));
        }
        let utf16: Vec<u8> = std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(Encoding::decode(&utf16).0, text);
    }

    #[test]
    fn what_shift_jis_lacks_is_replaced_and_named() {
        let (fitted, lost) = Encoding::ShiftJis.fit("森雞二 ☗２六歩 〜 🙂 雞");
        assert_eq!(fitted, "森雞二 ▲２六歩 ～ 〓 雞".replace('雞', "〓"));
        assert_eq!(lost, ['雞', '🙂']);
        let (bytes, _) = Encoding::ShiftJis.encode("森雞二");
        assert_eq!(Encoding::decode(&bytes).0, "森〓二");
    }

    #[test]
    fn malformed_bytes_are_noticed() {
        assert!(Encoding::decode(b"\x82\xa0\xff\xff\x80").2);
        assert!(!Encoding::decode(b"").2);
    }
}
