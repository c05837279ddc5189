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

/// `0:12`, `1:02:03`, `12`, the seconds with an optional fraction.
pub(super) fn read_time(text: &str) -> Option<Duration> {
    let mut fields = text.trim().rsplit(':');
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

/// Seconds in decimal with an optional fraction, read exactly (not through a float).
pub(super) fn read_seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let seconds: u32 = whole.parse().ok()?;
    if fraction.len() > 9 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let nanos: u32 = format!("{fraction:0<9}").parse().ok()?;
    Some(Duration::new(u64::from(seconds), nanos))
}
