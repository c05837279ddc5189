//! How long an engine may think, by what `go` says.

use std::time::Duration;

use crate::types::Color;

/// What a `go` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Allowance {
    /// The time that may be used; `None` without a limit of time.
    pub(super) time: Option<Duration>,
    /// An answer is due only after `ponderhit` or `stop`.
    pub(super) waits: bool,
    /// The answer is a `checkmate`.
    pub(super) mate: bool,
}

/// Reads what follows `go`; `side` is to move.
pub(super) fn allowance(arguments: &str, side: Color) -> Allowance {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let has = |key: &str| words.contains(&key);
    let millis = |key: &str| {
        let value = words.windows(2).find(|pair| pair[0] == key)?[1];
        value.parse::<f64>().ok().filter(|value| value.is_finite()).map(|value| value.max(0.0) as u64)
    };
    let (time, increment) = match side {
        Color::Black => ("btime", "binc"),
        Color::White => ("wtime", "winc"),
    };
    // In USI the clock holds neither the byoyomi nor the increment of this move.
    let clock = [time, increment, "byoyomi"].map(millis);
    let of_clock = clock.iter().any(Option::is_some).then(|| clock.iter().flatten().sum::<u64>());
    let mate = has("mate");
    let limit = if mate { millis("mate") } else { of_clock.into_iter().chain(millis("movetime")).min() };
    let waits = has("infinite") || has("ponder");
    let time = if has("infinite") { None } else { limit.map(Duration::from_millis) };
    Allowance { time, waits, mate }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_as_usi_means_them() {
        let time = |text: &str, side| allowance(text, side).time.map(|time| time.as_millis());
        let clocks = "btime 1000 wtime 2000 binc 10 winc 20";
        assert_eq!((time(clocks, Color::Black), time(clocks, Color::White)), (Some(1010), Some(2020)));
        assert_eq!(time("btime 0 wtime 0 byoyomi 500", Color::White), Some(500));
        assert_eq!(time("movetime 300.0", Color::Black), Some(300));
        assert_eq!((time("infinite", Color::Black), time("nodes 5", Color::Black)), (None, None));
        let ponder = allowance("ponder btime 0 wtime 0 byoyomi 500", Color::Black);
        assert!(ponder.waits && ponder.time == Some(Duration::from_millis(500)));
        assert!(allowance("mate 5000", Color::Black).mate && allowance("mate infinite", Color::Black).time.is_none());
    }
}
