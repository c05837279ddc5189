//! The words after `go` and `ponderhit`.
//!
//! Numbers are read as clients write them, decimals, units, signs and exponents included (a lishogi bot sends
//! `movetime 300.0`). A limit that cannot be read never makes the search endless: without any other limit it takes one
//! second.

use std::time::Duration;

use super::dialect::Dialect;
use super::uci_move::read_move;
use crate::clock::Clocks;
use crate::search::Limits;
use crate::types::{Color, Depth, MAX_DEPTH};

/// The words that a number follows.
const NUMBERED: [&str; 11] =
    ["btime", "wtime", "binc", "winc", "byoyomi", "movestogo", "movetime", "rtime", "depth", "nodes", "perft"];
/// The time for a search none of whose limits could be read.
const FALLBACK: Duration = Duration::from_secs(1);

/// The parsed words.
#[derive(Default)]
pub(super) struct GoWords {
    /// The limits as they were read; for `mate` its time is [`move_time`](Clocks::move_time), or in UCI, where it is a
    /// number of moves, its plies are the depth.
    pub(super) limits: Limits,
    pub(super) mate: bool,
    pub(super) perft: Option<u32>,
    /// The limits that could not be read, as words and what follows them.
    unread: Vec<String>,
    dialect: Dialect,
}

impl GoWords {
    pub(super) fn read<'a>(words: impl Iterator<Item = &'a str>, dialect: Dialect) -> Self {
        let mut found = Self { dialect, ..Self::default() };
        found.limits.move_only = dialect == Dialect::Uci;
        let mut words = words.peekable();
        let mut in_search_moves = false;
        while let Some(word) = words.next() {
            let moves_follow = std::mem::take(&mut in_search_moves);
            match word {
                "ponder" => found.limits.ponder = true,
                "infinite" => found.limits.infinite = true,
                "searchmoves" => in_search_moves = true,
                "mate" if dialect == Dialect::Uci => {
                    found.mate = true;
                    match words.next_if(|next| !is_go_keyword(next)) {
                        Some(text) => found.set("mate", "mate", text),
                        None => found.unread.push("mate".to_owned()),
                    }
                }
                "mate" => {
                    found.mate = true;
                    match words.peek() {
                        Some(&"infinite") => drop(words.next()),
                        // Other limits may follow, or nothing at all.
                        Some(next) if !NUMBERED.contains(next) => {
                            let text = words.next().unwrap_or_default();
                            found.set("movetime", "mate", text);
                        }
                        _ => {}
                    }
                }
                _ if NUMBERED.contains(&word) => match words.next_if(|next| !is_go_keyword(next)) {
                    Some(text) => found.set(word, word, text),
                    None => found.unread.push(word.to_owned()),
                },
                _ => {
                    // A move of searchmoves, or an unknown word: either way the list may go on.
                    in_search_moves = moves_follow;
                    if moves_follow && let Ok(mv) = read_move(word) {
                        found.limits.search_moves.push(mv);
                    }
                }
            }
        }
        if dialect == Dialect::Uci {
            found.limits.clocks = clocks_of_uci(found.limits.clocks);
        }
        found
    }

    /// The message about limits that could not be read, if any.
    pub(super) fn remark(&self) -> Option<String> {
        let unread = self.unread.join("', '");
        (!unread.is_empty()).then(|| format!("go: no number in '{unread}', so that is no limit"))
    }

    /// Sets the limit `name` from the text after `word`.
    fn set(&mut self, name: &str, word: &str, text: &str) {
        let is_count = matches!(name, "movestogo" | "depth" | "nodes" | "perft" | "mate");
        let value = match whole_number(text, if is_count { Unit::Count } else { Unit::Time }) {
            Some(value) => value,
            None => return self.unread.push(format!("{word} {}", text.chars().take(40).collect::<String>())),
        };
        let time = Some(Duration::from_millis(value));
        let small = u32::try_from(value).unwrap_or(u32::MAX);
        // In UCI the first mover is White.
        let first = if self.dialect == Dialect::Usi { 'b' } else { 'w' };
        let color = if name.starts_with(first) { Color::Black } else { Color::White };
        let limits = &mut self.limits;
        let clocks = &mut limits.clocks;
        match name {
            "btime" | "wtime" => clocks.time[color.index()] = time,
            "binc" | "winc" => clocks.increment[color.index()] = time,
            "byoyomi" => clocks.byoyomi = time,
            "movestogo" => clocks.moves_to_go = Some(small),
            // A limit that is said twice: the smaller one.
            "movetime" => clocks.move_time = clocks.move_time.into_iter().chain(time).min(),
            "rtime" => clocks.random_time = time,
            "depth" => limits.depth = limits.depth.min(value.clamp(1, MAX_DEPTH as u64) as Depth),
            "nodes" => limits.nodes = limits.nodes.min(value),
            "mate" => limits.depth = limits.depth.min(mate_depth(value)),
            _ => self.perft = Some(small),
        }
    }

    /// The limits for a search: bounded if any limit was named, read or not.
    pub(super) fn bounded(mut self) -> Limits {
        let Limits { clocks, infinite, depth, nodes, .. } = &mut self.limits;
        let bounded = clocks.has_clock() || *infinite || *depth < MAX_DEPTH || *nodes < u64::MAX;
        if !self.unread.is_empty() && !bounded {
            clocks.move_time = Some(FALLBACK);
        }
        self.limits
    }
}

/// The plies of a mate in a number of moves.
fn mate_depth(moves: u64) -> Depth {
    moves.saturating_mul(2).saturating_sub(1).clamp(1, MAX_DEPTH as u64) as Depth
}

/// Clocks as USI has them from those of UCI. There the increment comes after the move: what may be used now is the time
/// alone, which in USI is time and increment together.
fn clocks_of_uci(clocks: Clocks) -> Clocks {
    let mut converted = clocks;
    for color in Color::ALL {
        let (us, them) = (color.index(), (!color).index());
        let increment = clocks.increment[us].or(clocks.increment[them]);
        if let (Some(time), Some(increment)) = (clocks.time[us].or(clocks.time[them]), increment) {
            converted.time[us] = Some(time.saturating_sub(increment));
            converted.increment[us] = Some(increment.min(time));
        }
    }
    converted
}

fn is_go_keyword(word: &str) -> bool {
    NUMBERED.contains(&word) || matches!(word, "ponder" | "infinite" | "searchmoves" | "mate")
}

/// What a number counts, which decides what letters after it mean.
#[derive(Clone, Copy)]
enum Unit {
    /// Milliseconds; `ms`, `s`, `min` and `h` are understood.
    Time,
    /// Nodes, plies, moves; `k` and `M` are understood.
    Count,
}

/// The whole part of a number: `300`, `300.7`, `+300`, `3e2`, `0.3s`, `1,000`, `300ms`. Numbers that are too large
/// saturate, negative ones are 0.
fn whole_number(word: &str, unit: Unit) -> Option<u64> {
    let text: String = word.chars().map(half_width).collect();
    let (negative, text) = match text.strip_prefix(['+', '-']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, &text[..]),
    };
    let end = text.find(|letter: char| !letter.is_ascii_digit() && !".,_'".contains(letter)).unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let (whole, fraction) = split_fraction(number);
    let mut digits: String = whole.chars().filter(char::is_ascii_digit).collect();
    // How many of the digits are before the point.
    let mut point = digits.len() as i64;
    digits.extend(fraction.chars().filter(char::is_ascii_digit));
    if digits.is_empty() {
        return None;
    }
    let suffix = match exponent(suffix) {
        Some((exponent, rest)) => {
            point += exponent;
            rest
        }
        None => suffix,
    };
    if suffix.chars().any(|letter| !letter.is_alphabetic() && letter != '%') {
        return None;
    }
    let lower = suffix.to_lowercase();
    let factor = match (unit, lower.as_str()) {
        (Unit::Time, "s" | "sec" | "secs" | "second" | "seconds" | "秒") => 1000,
        (Unit::Time, "m" | "min" | "mins" | "minute" | "minutes" | "分") => 60_000,
        (Unit::Time, "h" | "hour" | "hours") => 3_600_000,
        (Unit::Count, "k") => 1000,
        (Unit::Count, "m") => 1_000_000,
        (Unit::Count, "g") => 1_000_000_000,
        _ => 1,
    };
    Some(if negative { 0 } else { scaled(digits.trim_start_matches('0'), point, factor, &digits) })
}

/// `0.digits × 10^point × factor`, without its fraction. `significant` are the digits without leading zeros.
fn scaled(significant: &str, point: i64, factor: u128, digits: &str) -> u64 {
    let point = point - (digits.len() - significant.len()) as i64;
    if significant.is_empty() || point < -8 {
        return 0;
    }
    // More than a u64 has; the factor has ten digits at most.
    if point > 20 {
        return u64::MAX;
    }
    // 28 digits and the factor fit into 128 bits.
    let kept = &significant[..significant.len().min(28)];
    let value = kept.parse::<u128>().unwrap_or(u128::MAX).saturating_mul(factor);
    let shift = kept.len() as i64 - point;
    let value = match u32::try_from(shift.unsigned_abs()) {
        Ok(by) if shift > 0 => value.checked_div(10u128.saturating_pow(by)).unwrap_or(0),
        Ok(by) => value.saturating_mul(10u128.saturating_pow(by)),
        Err(_) => 0,
    };
    u64::try_from(value).unwrap_or(u64::MAX)
}

/// Splits a number at its decimal point or comma. A comma is one unless it groups digits by threes; several points that
/// do so are no decimal points.
fn split_fraction(number: &str) -> (&str, &str) {
    let is_grouped = |number: &str, by: char| {
        let mut groups = number.split(by);
        groups.next().is_some_and(|first| !first.is_empty()) && groups.all(|group| group.len() == 3)
    };
    let (points, commas) = (number.matches('.').count(), number.matches(',').count());
    match (points, commas) {
        (2.., 0) if is_grouped(number, '.') => (number, ""),
        (0, _) if is_grouped(number, ',') => (number, ""),
        // 1.000,5
        (1.., 1) if number.rfind(',') > number.rfind('.') => number.split_once(',').unwrap_or((number, "")),
        (0, _) => number.split_once(',').unwrap_or((number, "")),
        _ => number.split_once('.').unwrap_or((number, "")),
    }
}

/// The exponent at the start of what follows a number, and the rest.
fn exponent(suffix: &str) -> Option<(i64, &str)> {
    let rest = suffix.strip_prefix(['e', 'E'])?;
    let unsigned = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    let end = unsigned.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(unsigned.len());
    let (digits, after) = unsigned.split_at(end);
    if digits.is_empty() {
        return None;
    }
    let size = digits.parse().unwrap_or(1_000_000).min(1_000_000);
    Some((if rest.starts_with('-') { -size } else { size }, after))
}

/// Full-width digits and signs, and the Unicode minus, as ASCII.
fn half_width(letter: char) -> char {
    match letter {
        '\u{2212}' | '\u{2013}' => '-',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> GoWords {
        GoWords::read(line.split_ascii_whitespace(), Dialect::Usi)
    }

    fn ms(ms: u64) -> Option<Duration> {
        Some(Duration::from_millis(ms))
    }

    #[test]
    fn numbers_in_every_spelling() {
        for (text, time) in [
            ("300", 300),
            ("+300", 300),
            ("-300", 0),
            ("−5", 0),
            ("-0.5", 0),
            ("300.0", 300),
            ("300.", 300),
            ("0.9", 0),
            (".9", 0),
            ("2000.5", 2000),
            ("2000,5", 2000),
            ("1,000", 1000),
            ("12,345,678", 12_345_678),
            ("12.345.678", 12_345_678),
            ("12.34.5", 12),
            ("1,000.5", 1000),
            ("1.000,5", 1000),
            ("3S", 3000),
            ("300MS", 300),
            ("12_345", 12_345),
            ("1'000", 1000),
            ("1e3", 1000),
            ("1E+3", 1000),
            ("1.5e3", 1500),
            ("25e-1", 2),
            ("1e-9", 0),
            ("0e99", 0),
            ("1e99", u64::MAX),
            ("1e99999999999999999999", u64::MAX),
            ("99999999999999999999", u64::MAX),
            ("18446744073709551615", u64::MAX),
            ("18446744073709551614", u64::MAX - 1),
            ("000000000000000000000000000000300", 300),
            ("0.00000000000000000000000000000000000000000300e44", 300),
            ("300ms", 300),
            ("300.9ms", 300),
            ("1s", 1000),
            ("0.25s", 250),
            ("1.5min", 90_000),
            ("2h", 7_200_000),
            ("300msec", 300),
            ("３００", 300),
            ("1e3ms", 1000),
        ] {
            assert_eq!(whole_number(text, Unit::Time), Some(time), "{text}");
            let line = format!("movetime {text}");
            assert_eq!((read(&line).limits.clocks.move_time, read(&line).remark()), (ms(time), None), "{text}");
        }
        for (text, count) in [("1000.0", 1000), ("10k", 10_000), ("1.5M", 1_500_000), ("2G", 2_000_000_000), ("7x", 7)]
        {
            assert_eq!(read(&format!("nodes {text}")).limits.nodes, count, "{text}");
        }
        for text in ["", "x", "-", "+", ".", ",", "e3", "ms", "inf", "NaN", "7g7f", "1.2.3x4", "0x10", "--3", "1e3e3"] {
            assert_eq!(whole_number(text, Unit::Time), None, "{text}");
        }
    }

    /// Whatever stands in the place of a number: the search is bounded by a limit that was read, or by the fallback.
    #[test]
    fn no_limit_that_cannot_be_read_makes_a_search_endless() {
        let numbers =
            ["", "x", "NaN", "-inf", "300.0", "1e3", "-5", "0", "7g7f", "99999999999999999999999", "\u{feff}"];
        for word in NUMBERED.iter().filter(|word| !["perft", "movestogo"].contains(word)).chain(&["mate"]) {
            for number in numbers {
                for before in ["", "ponder ", "joho "] {
                    let line = format!("{before}{word} {number}");
                    let words = read(&line);
                    let bare_mate = words.mate && number.is_empty();
                    let remark = words.remark();
                    let Limits { clocks, depth, nodes, .. } = words.bounded();
                    // A readable limit that nothing reaches is one all the same.
                    let huge = *word == "depth" || *word == "nodes" && number.len() > 20;
                    let bounded = clocks.has_clock() || depth < MAX_DEPTH || nodes < u64::MAX;
                    assert!(bounded || bare_mate || huge, "{line}");
                    let readable = number.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-');
                    let readable = readable && !matches!(number, "7g7f" | "-inf");
                    assert_eq!(remark.is_none(), readable || bare_mate, "{line}");
                }
            }
        }
        assert_eq!(read("nodes x movetime 5").limits.clocks.move_time, ms(5));
        assert_eq!(read("infinite nodes x").bounded().clocks.move_time, None);
        assert_eq!(read("").bounded(), Limits::default());
    }

    #[test]
    fn the_smallest_limit_wins() {
        let limits = read("movetime 0.9 btime 56712 wtime 2000 binc 0 winc 0 byoyomi 0").limits;
        assert_eq!((limits.clocks.move_time, limits.clocks.time[0]), (ms(0), ms(56_712)));
        let limits = read("movetime 500 nodes 10 depth 7 movetime 300 nodes 1e3 depth 9").limits;
        assert_eq!((limits.clocks.move_time, limits.nodes, limits.depth), (ms(300), 10, 7));
        let words = read("mate 500.0 movetime 300");
        assert!(words.mate);
        assert_eq!(words.limits.clocks.move_time, ms(300));
    }
}
