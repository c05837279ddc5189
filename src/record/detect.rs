//! Recognises the format of a text.

use super::{FileFormat, kif_row};

/// The format of a text: by its contents, or by the hint where they do not decide.
pub(super) fn detect(text: &str, hint: Option<FileFormat>) -> Option<FileFormat> {
    let first = text.trim_start();
    if first.starts_with('{') {
        return Some(FileFormat::Jkf);
    }
    for line in text.lines() {
        let line = line.trim_end();
        let words = line.trim_start();
        let starts_with_mark = words.starts_with(['▲', '△', '▽', '▼', '☗', '☖']);
        let is_row = !starts_with_mark
            && kif_row::is_certain(words)
            && (hint != Some(FileFormat::Ki2) || kif_row::is_numbered(words));
        if words.starts_with("手数--") || is_row {
            return Some(FileFormat::Kif);
        }
        if starts_with_mark {
            return Some(FileFormat::Ki2);
        }
        if words.starts_with("position ")
            || words.starts_with("startpos")
            || words.starts_with("sfen ")
            || words.split(' ').next().is_some_and(|board| board.matches('/').count() == 8)
        {
            return Some(FileFormat::Usi);
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
        if ["N+", "N-", "PI", "P1", "P+", "P-", "V1", "V2", "V3"].iter().any(|start| words.starts_with(start))
            || keyword(words)
            || csa(words)
        {
            return Some(FileFormat::Csa);
        }
        if let Some(remark) = line.strip_prefix('#') {
            if remark.starts_with("KIF") {
                return Some(FileFormat::Kif);
            }
            if remark.starts_with("KI2") {
                return Some(FileFormat::Ki2);
            }
        }
    }
    let head = |line: &str| {
        line.contains('：') || line.starts_with('|') || line.starts_with("まで") || kif_row::is_numbered(line)
    };
    hint.or_else(|| text.lines().any(head).then_some(FileFormat::Kif))
}
