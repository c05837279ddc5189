//! The rows of KIF: a number, a move or an end, then times, a branch mark and a comment.

use super::End;
use super::time_used::{TimeUsed, read_time_used};
use super::written_move::WrittenMove;

/// What a row says.
pub(super) enum RowAction {
    /// A move.
    Move(WrittenMove),
    /// An end.
    End(End),
}

/// A row.
pub(super) struct Row<'a> {
    /// The number, if there is one.
    pub number: Option<u32>,
    /// The move or end.
    pub action: RowAction,
    /// The move or end as written.
    pub shown: &'a str,
    /// What follows it.
    pub tail: Tail<'a>,
}

/// What follows the move in a row.
#[derive(Default)]
pub(super) struct Tail<'a> {
    /// The first time.
    pub time: Option<TimeUsed>,
    /// A time that was not taken as it is, because it is negative or a second one.
    pub odd_time: Option<&'a str>,
    /// A comment on the row itself.
    pub comment: Option<&'a str>,
    /// What was not understood.
    pub rest: &'a str,
}

/// Reads a row; `None` if the line does not look like one.
///
/// Usually a blank follows the number; then anything after it counts as a move or an end. Numbers as web pages have
/// them (`1.`, `1手目`, full-width as in the line above a board, glued to the move, none at all) count only before what
/// is a move or a known end.
pub(super) fn read(line: &str) -> Option<Result<Row<'_>, String>> {
    let text = line.trim();
    // 第1手
    let text = text.strip_prefix('第').filter(|text| text[digits_of(text)..].starts_with('手')).unwrap_or(text);
    let digits = digits_of(text);
    let (number, rest) = text.split_at(digits);
    if digits > 0 && number.is_ascii() && rest.starts_with(char::is_whitespace) {
        return Some(read_number(number).and_then(|number| read_after_number(number, rest.trim_start())));
    }
    if digits > 0
        && let Some(rest) = after_separator(rest)
    {
        let number = read_number(number).ok()?;
        return is_move_or_end(rest).then(|| read_after_number(number, rest.trim_start()));
    }
    // The number is glued to the move, or there is none: the move's own digits are the last ones.
    let splits = text.char_indices().map(|(at, _)| at).take_while(|&at| at <= digits);
    for at in splits.collect::<Vec<_>>().into_iter().rev() {
        let (number, rest) = text.split_at(at);
        let Ok((word, tail)) = WrittenMove::read(rest) else { continue };
        let number = if at == 0 { None } else { Some(read_number(number).ok()?) };
        let tail = Tail::read(tail).ok().filter(|tail| tail.rest.is_empty())?;
        let shown = rest.split_whitespace().next().unwrap_or(rest);
        return Some(Ok(Row { number, action: RowAction::Move(word), shown, tail }));
    }
    None
}

/// Whether a line is a row beyond doubt: a number or nothing, then a move (even one that cannot be read) or a known
/// end.
pub(super) fn is_certain(line: &str) -> bool {
    match read(line) {
        Some(Ok(row)) => !matches!(row.action, RowAction::End(End::Other(_))),
        Some(Err(_)) => true,
        None => false,
    }
}

/// Whether a line is a row with a number, whatever follows it.
pub(super) fn is_numbered(line: &str) -> bool {
    let text = line.trim();
    let rest = &text[digits_of(text)..];
    let blank_follows = rest.len() < text.len() && rest.starts_with(char::is_whitespace);
    (blank_follows && !rest.is_ascii()) || matches!(read(line), Some(Ok(Row { number: Some(_), .. })))
}

/// Whether a text has a move with its origin anywhere, as `７六歩(77)`.
pub(super) fn mentions_move(text: &str) -> bool {
    text.char_indices().any(|(at, _)| WrittenMove::read(&text[at..]).is_ok_and(|(word, _)| word.has_origin()))
}

fn digits_of(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_digit() || ('０'..='９').contains(&c))).unwrap_or(text.len())
}

fn read_number(digits: &str) -> Result<u32, String> {
    let ascii: String = digits
        .chars()
        .map(|c| match c {
            '０'..='９' => char::from(b'0' + (u32::from(c) - u32::from('０')) as u8),
            c => c,
        })
        .collect();
    ascii.parse().map_err(|_| format!("'{digits}' is no move number"))
}

/// What follows a blank, a full stop, a parenthesis or 手目 after a number.
fn after_separator(text: &str) -> Option<&str> {
    if text.starts_with(char::is_whitespace) {
        return Some(text);
    }
    ["手目", "手", ".", "．", "、", ")", "）", ":", "："].iter().find_map(|separator| text.strip_prefix(separator))
}

fn is_move_or_end(text: &str) -> bool {
    let text = text.trim();
    let word = text.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or(text);
    WrittenMove::read(text).is_ok() || End::from_japanese(word).is_some()
}

fn read_after_number(number: u32, text: &str) -> Result<Row<'_>, String> {
    if text.is_empty() {
        return Err(format!("move {number} is missing"));
    }
    if begins_like_move(text) {
        let (word, tail) = WrittenMove::read(text)?;
        let shown = text[..text.len() - tail.len()].trim_end();
        return Ok(Row { number: Some(number), action: RowAction::Move(word), shown, tail: Tail::read(tail)? });
    }
    let word = text.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or(text);
    let (shown, end) = match End::from_japanese(word) {
        Some(end) => (word, end),
        // Unknown words may have blanks between them, up to the time.
        None => {
            let shown = text.split(['(', '（']).next().unwrap_or(text).trim_end();
            let shown = shown.strip_suffix('+').unwrap_or(shown).trim_end();
            let shown = if shown.is_empty() { text } else { shown };
            (shown, End::Other(shown.to_owned()))
        }
    };
    if matches!(&end, End::Other(word) if word.contains("パス") || word.eq_ignore_ascii_case("pass")) {
        return Err("a pass is no move".to_owned());
    }
    Ok(Row { number: Some(number), action: RowAction::End(end), shown, tail: Tail::read(&text[shown.len()..])? })
}

/// Whether a text begins with what only a move begins with.
pub(super) fn begins_like_move(text: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|c| super::notation::digit(c).is_some() || "同▲△☗☖▼▽⛊⛉".contains(c))
}

impl<'a> Tail<'a> {
    fn read(text: &'a str) -> Result<Self, String> {
        let mut tail = Self::default();
        let mut rest = text.trim();
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('+') {
                // Branches are known by the variations themselves.
                rest = after.trim_start();
            } else if let Some(comment) = rest.strip_prefix(['*', '＊']) {
                tail.comment = Some(comment);
                break;
            } else if let Some((inside, after)) = parenthesis(rest) {
                let shown = &rest[..rest.len() - after.len()];
                match read_time_used(inside) {
                    Some(time) => tail.add_time(time, shown),
                    None if inside.contains([':', '/']) && inside.trim().starts_with(|c: char| c.is_ascii_digit()) => {
                        return Err(format!("'{shown}' is no clock (expected ( 0:12/00:01:30))"));
                    }
                    None => {
                        tail.rest = rest;
                        break;
                    }
                }
                rest = after.trim_start();
            } else {
                let end = rest.find(|c: char| c.is_whitespace() || c == '*' || c == '+').unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                let bare = word.starts_with(|c: char| c.is_ascii_digit()) && word.contains([':', '分', '秒']);
                let Some(time) = read_time_used(word).filter(|_| bare) else {
                    tail.rest = rest;
                    break;
                };
                tail.add_time(time, word);
                rest = after.trim_start();
            }
        }
        Ok(tail)
    }

    fn add_time(&mut self, (time, negative): (TimeUsed, bool), shown: &'a str) {
        if negative || self.time.is_some_and(|first| first != time) {
            self.odd_time = Some(shown);
        }
        self.time.get_or_insert(time);
    }
}

/// The inside of a parenthesis at the start of a text, and what follows it. One that is not closed goes on to the end.
fn parenthesis(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix(['(', '（'])?;
    match inside.find([')', '）']) {
        Some(end) => {
            let after = &inside[end..];
            Some((&inside[..end], after.strip_prefix([')', '）']).unwrap_or(after)))
        }
        None => Some((inside, "")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number, move or end as written, seconds, comment, rest.
    type Parts<'a> = (Option<u32>, &'a str, Option<u64>, Option<&'a str>, &'a str);

    fn parts(line: &str) -> Option<Parts<'_>> {
        let row = read(line)?.unwrap_or_else(|reason| panic!("{line}: {reason}"));
        let seconds = row.tail.time.map(|time| time.spent.as_secs());
        Some((row.number, row.shown, seconds, row.tail.comment, row.tail.rest))
    }

    #[test]
    fn numbers_of_all_spellings() {
        for line in [
            "   1 ７六歩(77)",
            "1 ７六歩(77)",
            "1. ７六歩(77)",
            "1.７六歩(77)",
            "1手目 ７六歩(77)",
            "1手目　７六歩(77)",
            "第1手 ７六歩(77)",
            "第１手目７六歩(77)",
            "１　７六歩(77)",
            "１．７六歩(77)",
            "１７六歩(77)",
            "1７六歩(77)",
            "176歩(77)",
            "1) ７六歩(77)",
            "1: ７六歩(77)",
            "001 ７六歩(77)",
        ] {
            let row = read(line).unwrap().unwrap_or_else(|reason| panic!("{line}: {reason}"));
            assert_eq!(row.number, Some(1), "{line}");
            assert!(matches!(row.action, RowAction::Move(word) if word.has_origin()), "{line}");
            assert!(is_certain(line), "{line}");
        }
        for line in ["７六歩(77)", "76歩(77)", "▲７六歩(77)", "７六歩(77) ( 0:01/)"] {
            assert_eq!(read(line).unwrap().ok().map(|row| row.number), Some(None), "{line}");
        }
        for line in ["12同　銀(31)", "12 同　銀(31)", "12. 同銀(31)", "12７六歩(77)"] {
            assert_eq!(read(line).unwrap().ok().map(|row| row.number), Some(Some(12)), "{line}");
        }
        for line in [
            "",
            "2024年",
            "1.5倍",
            "12:30",
            "第１局",
            "第1手 感想",
            "第 ７六歩(77)",
            "７六歩戦法",
            "1. e4",
            "5月",
            "-1 ７六歩(77)",
        ] {
            assert!(read(line).is_none(), "{line}");
        }
    }

    #[test]
    fn what_follows_a_move() {
        for (line, expected) in [
            ("1 ７六歩(77)   ( 0:02/00:00:02)+", (Some(1), "７六歩(77)", Some(2), None, "")),
            ("1 ７六歩(77)   +", (Some(1), "７六歩(77)", None, None, "")),
            ("1 ７六歩(77) (00:31 / 00:00:31)", (Some(1), "７六歩(77)", Some(31), None, "")),
            ("1 ７六歩(77) (0:01/00:00:01) (0:01/00:00:01)", (Some(1), "７六歩(77)", Some(1), None, "")),
            ("1 ７六歩(77)   *10:00 開始", (Some(1), "７六歩(77)", None, Some("10:00 開始"), "")),
            ("1 ７六歩(77) ( 0:03/00:00:03) *返事", (Some(1), "７六歩(77)", Some(3), Some("返事"), "")),
            ("1 ７六歩(77)   (1秒)", (Some(1), "７六歩(77)", Some(1), None, "")),
            ("1 ７六歩(77)   1:05", (Some(1), "７六歩(77)", Some(65), None, "")),
            ("1 ７六歩(77)   0:07/00:00:07", (Some(1), "７六歩(77)", Some(7), None, "")),
            ("1 ５八金(49)   0:09", (Some(1), "５八金(49)", Some(9), None, "")),
            ("1 ５五角打", (Some(1), "５五角打", None, None, "")),
            ("1 ７六歩(77) 好手", (Some(1), "７六歩(77)", None, None, "好手")),
            ("1 ７六歩(77) ( 0:02/00:00:02) 好手", (Some(1), "７六歩(77)", Some(2), None, "好手")),
            ("1 ７六歩(77) (新手)", (Some(1), "７六歩(77)", None, None, "(新手)")),
            ("1 投了 ( 0:02/00:00:02)", (Some(1), "投了", Some(2), None, "")),
            ("1 投了 *終局", (Some(1), "投了", None, Some("終局"), "")),
            ("1 猫の 勝ち ( 0:02/)", (Some(1), "猫の 勝ち", Some(2), None, "")),
            ("3. 投了", (Some(3), "投了", None, None, "")),
            ("３　投了", (Some(3), "投了", None, None, "")),
        ] {
            assert_eq!(parts(line), Some(expected), "{line}");
        }
        for (line, reason) in [
            ("1", None),
            ("1 ７六歩(77) (0:xx/)", Some("'(0:xx/)' is no clock (expected ( 0:12/00:01:30))")),
            ("1 ７猫歩(77)", Some("'７猫歩(77)' is not a move")),
            ("1 パス", Some("a pass is no move")),
            ("99999999999 ７六歩(77)", Some("'99999999999' is no move number")),
        ] {
            assert_eq!(read(line).and_then(Result::err).as_deref(), reason, "{line}");
        }
        let odd = |line| read(line).unwrap().ok().and_then(|row| row.tail.odd_time);
        assert_eq!(odd("1 ７六歩(77) ( 0:-3/00:00:00)"), Some("( 0:-3/00:00:00)"));
        assert_eq!(odd("1 ７六歩(77) (0:01/) (0:02/)"), Some("(0:02/)"));
        assert_eq!(odd("1 ７六歩(77) (0:01/) (0:01/)"), None);
    }
}
