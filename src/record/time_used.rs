//! The time a player used for a move.

use std::time::Duration;

/// Time used for a move, and in the game so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeUsed {
    /// Time used for this move.
    pub spent: Duration,
    /// Time that the player has used in the game so far, if the source says so.
    pub total: Option<Duration>,
}

/// `0:12`, `1:02:03`, `12`, the seconds with an optional fraction; `1分5秒`.
pub(super) fn read_time(text: &str) -> Option<Duration> {
    let text = text.trim();
    if text.contains(['時', '分', '秒']) {
        return read_time_in_words(text);
    }
    let mut fields = text.rsplit(':');
    let seconds = fields.next()?.trim();
    let mut time = read_seconds(seconds)?;
    for unit in [60, 3600] {
        if let Some(field) = fields.next() {
            let count: u32 = field.trim().parse().ok()?;
            time += Duration::from_secs(unit) * count;
        }
    }
    fields.next().is_none().then_some(time)
}

/// `1時間2分3秒`, any of the three.
fn read_time_in_words(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut time = Duration::ZERO;
    for (unit, seconds) in [("時間", 3600), ("分", 60)] {
        if let Some((count, tail)) = rest.split_once(unit) {
            time += Duration::from_secs(seconds) * count.trim().parse::<u32>().ok()?;
            rest = tail;
        }
    }
    if let Some((count, tail)) = rest.split_once('秒') {
        time += read_seconds(count.trim())?;
        rest = tail;
    }
    rest.trim().is_empty().then_some(time)
}

/// Seconds in decimal with an optional fraction, read exactly (not through a float).
pub fn read_seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let seconds: u32 = whole.parse().ok()?;
    if fraction.len() > 9 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let nanos: u32 = format!("{fraction:0<9}").parse().ok()?;
    Some(Duration::new(u64::from(seconds), nanos))
}

/// A time as a KIF row has it, without its parentheses: `0:12/00:01:30`, `00:12 / 00:01:30`, `0:7/`, `5秒`. The flag
/// says that a time was negative (the clock of some servers ran backwards); it counts as zero.
pub(super) fn read_time_used(text: &str) -> Option<(TimeUsed, bool)> {
    let mut negative = false;
    let mut read = |text: &str| match read_time(text) {
        None if text.contains('-') => {
            negative = true;
            read_time(&text.replacen('-', "", 1)).map(|_| Duration::ZERO)
        }
        time => time,
    };
    let (spent, total) = text.split_once('/').unwrap_or((text, ""));
    let spent = read(spent)?;
    let total = if total.trim().is_empty() { None } else { Some(read(total)?) };
    Some((TimeUsed { spent, total }, negative))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_all_spellings() {
        let seconds = |text| read_time(text).map(|time| time.as_secs());
        for (text, expected) in [
            ("0:12", 12),
            (" 1:02:03 ", 3723),
            ("12", 12),
            ("61:03", 3663),
            ("1秒", 1),
            ("1分5秒", 65),
            ("1時間2分3秒", 3723),
            ("2分", 120),
        ] {
            assert_eq!(seconds(text), Some(expected), "{text}");
        }
        assert_eq!(read_time("0:01.25"), Some(Duration::from_millis(1250)));
        for text in ["", "x", "0:xx", "1:2:3:4", "秒", "-3", "99999999999", "1分x"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn negative_times_count_as_zero() {
        let zero = TimeUsed { spent: Duration::ZERO, total: Some(Duration::ZERO) };
        assert_eq!(read_time_used("0:-3/00:00:00"), Some((zero, true)));
        assert_eq!(read_time_used(" 0:00/00:00:00"), Some((zero, false)));
        assert_eq!(read_time_used("0:-x/"), None);
    }
}
