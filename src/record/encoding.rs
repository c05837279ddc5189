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
    /// UTF-16
    Utf16 {
        /// Whether the low byte comes first.
        little_endian: bool,
        /// Whether the file starts with a byte order mark.
        bom: bool,
    },
}

/// The name of an unknown encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not an encoding (expected utf8, utf8-bom, utf16, sjis or euc-jp)")]
pub struct UnknownEncoding(pub String);

/// Replaces characters that the encoding does not have: the geta mark (〓), which printers set for a missing type.
const MISSING: char = '〓';

impl Encoding {
    /// Whether the encoding can represent a character.
    pub fn has(self, c: char) -> bool {
        match self {
            Self::Utf8 { .. } | Self::Utf16 { .. } => true,
            Self::ShiftJis => !SHIFT_JIS.encode(c.encode_utf8(&mut [0; 4])).2,
            Self::EucJp => !EUC_JP.encode(c.encode_utf8(&mut [0; 4])).2,
        }
    }

    /// The text with each character that the encoding lacks replaced by a lookalike or by 〓, and the characters that
    /// became 〓.
    pub fn fit(self, text: &str) -> (String, Vec<char>) {
        let mut lost = Vec::new();
        if matches!(self, Self::Utf8 { .. } | Self::Utf16 { .. }) {
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
            Self::Utf16 { little_endian, bom } => bom
                .then_some(0xfeff)
                .into_iter()
                .chain(fitted.encode_utf16())
                .flat_map(|unit| if little_endian { unit.to_le_bytes() } else { unit.to_be_bytes() })
                .collect(),
        };
        (bytes, lost)
    }

    /// The text of some bytes with the encoding that was recognised, and whether bytes were malformed.
    ///
    /// Valid UTF-8 is UTF-8, whatever the file declares (`encoding=`): that is often wrong after a copy. Else the
    /// declared encoding is taken if the bytes are valid in it, then Shift_JIS, the default of KIF and CSA. EUC-JP
    /// without a declaration is recognised by what it looks like as Shift_JIS.
    pub fn decode(bytes: &[u8]) -> (String, Self, bool) {
        if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
            let text = String::from_utf8_lossy(rest);
            let malformed = matches!(text, std::borrow::Cow::Owned(_));
            return (text.into_owned(), Self::Utf8 { bom: true }, malformed);
        }
        if let Some((little_endian, bom)) = utf16(bytes) {
            let encoding = if little_endian { UTF_16LE } else { UTF_16BE };
            let (text, malformed) = encoding.decode_without_bom_handling(&bytes[if bom { 2 } else { 0 }..]);
            return (text.into_owned(), Self::Utf16 { little_endian, bom }, malformed);
        }
        if let Ok(text) = std::str::from_utf8(bytes) {
            return (text.to_owned(), Self::Utf8 { bom: false }, false);
        }
        let (sjis, sjis_malformed) = SHIFT_JIS.decode_without_bom_handling(bytes);
        let (euc, euc_malformed) = EUC_JP.decode_without_bom_handling(bytes);
        let is_euc = match declared(bytes) {
            Some(Self::EucJp) if !euc_malformed => true,
            Some(Self::ShiftJis) if !sjis_malformed => false,
            _ if !sjis_malformed && half_width_words_are_plausible(&sjis) => false,
            _ => oddness(&euc) < oddness(&sjis),
        };
        if is_euc {
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
            Self::Utf16 { .. } => "UTF-16",
        }
    }
}

/// Whether bytes are UTF-16: the byte order (little-endian or not), and whether there is a mark for it. Without a mark
/// the zero bytes of ASCII characters tell: all of them are the high bytes.
fn utf16(bytes: &[u8]) -> Option<(bool, bool)> {
    match bytes {
        [0xff, 0xfe, ..] => return Some((true, true)),
        [0xfe, 0xff, ..] => return Some((false, true)),
        _ => {}
    }
    let zeros = |odd: usize| bytes.iter().skip(odd).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let enough = bytes.len().is_multiple_of(2) && (even + odd) * 8 > bytes.len();
    match (even, odd) {
        (0, 1..) if enough => Some((true, false)),
        (1.., 0) if enough => Some((false, false)),
        _ => None,
    }
}

/// The encoding that one of the first lines declares.
fn declared(bytes: &[u8]) -> Option<Encoding> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(500)]).to_ascii_lowercase();
    let line = start.lines().find(|line| line.starts_with(['#', '\'']) && line.contains("encoding="))?;
    let name = line.split_once("encoding=")?.1;
    name.split(|c: char| !(c.is_ascii_alphanumeric() || "-_".contains(c))).next()?.parse().ok()
}

/// How little a decoded text looks like Japanese.
fn oddness(text: &str) -> usize {
    let odd = |c| match c {
        char::REPLACEMENT_CHARACTER => 100,
        '\u{ff61}'..='\u{ff9f}' => 1,
        _ => 0,
    };
    text.chars().map(odd).sum()
}

/// Whether the half-width katakana of a text can be words, not EUC-JP misread: no punctuation, no small letter or sound
/// mark where none can be.
fn half_width_words_are_plausible(text: &str) -> bool {
    let mut before = ' ';
    text.chars().all(|c| {
        let in_word = ('\u{ff66}'..='\u{ff9f}').contains(&before);
        let plausible = match c {
            '｡' | '｢' | '｣' | '､' | '･' => false,
            'ﾞ' => "ｳｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾊﾋﾌﾍﾎ".contains(before),
            'ﾟ' => "ﾊﾋﾌﾍﾎ".contains(before),
            'ｧ'..='ｯ' | 'ｰ' => in_word,
            _ => true,
        };
        before = c;
        plausible
    })
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
            "utf16" | "utf-16" | "utf-16le" => Ok(Self::Utf16 { little_endian: true, bom: true }),
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
            Self::Utf16 { .. } => "UTF-16",
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
    /// `\r`, of old Macintosh programs.
    Cr,
}

impl Newline {
    /// The style of most lines of a text.
    pub fn of(text: &str) -> Self {
        let crlf = text.matches("\r\n").count();
        let lf = text.matches('\n').count() - crlf;
        let cr = text.matches('\r').count() - crlf;
        if cr > crlf + lf {
            Self::Cr
        } else if crlf > lf {
            Self::CrLf
        } else {
            Self::Lf
        }
    }

    /// The characters.
    pub(super) const fn characters(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
        }
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
                .into_iter()
                .chain([true, false].map(|little_endian| Encoding::Utf16 { little_endian, bom: true }))
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
    fn utf16_without_a_mark_is_recognised() {
        for little_endian in [true, false] {
            let encoding = Encoding::Utf16 { little_endian, bom: false };
            let text = "手合割：平手\n   1 ７六歩(77)\n   2 投了\n";
            assert_eq!(Encoding::decode(&encoding.encode(text).0), (text.to_owned(), encoding, false));
        }
        for bytes in [&b"\0\0"[..], b"V2.2\0\0\0\0", b"ab\0"] {
            assert_eq!(Encoding::decode(bytes).1, Encoding::Utf8 { bom: false });
        }
    }

    #[test]
    fn half_width_katakana_are_shift_jis_unless_euc_jp_is_declared() {
        for name in ["ﾔﾏﾀﾞ", "ﾌﾟﾛｷｼ", "ﾎﾅﾝｻﾞ", "ｼｮｳｷﾞ", "ﾀﾛｳ"] {
            for text in [format!("N+{name}\n"), format!("'CSA encoding=SHIFT_JIS\nN+{name}\n")] {
                let bytes = Encoding::ShiftJis.encode(&text).0;
                assert_eq!(Encoding::decode(&bytes), (text.clone(), Encoding::ShiftJis, false), "{text}");
            }
        }
        for text in
            ["'CSA encoding=EUC-JP\nN+塹折\n", "N+こんぴゅうた\n", "#KIF version=2.0 encoding=EUC-JP\n先手：山田\n"]
        {
            let bytes = Encoding::EucJp.encode(text).0;
            assert_eq!(Encoding::decode(&bytes), (text.to_owned(), Encoding::EucJp, false), "{text}");
        }
    }

    #[test]
    fn malformed_bytes_are_noticed() {
        assert!(Encoding::decode(b"\x82\xa0\xff\xff\x80").2);
        assert!(!Encoding::decode(b"").2);
    }
}
