//! Lines of the logs that GUIs and engines write: who said what, and when.
//!
//! Each program has its own form, and all have a marker, `>` towards the engine and `<` from it, or no marker at all;
//! before it the time, behind it perhaps the engine's number or name:
//!
//! ```text
//!      1.234 > usi                               the option DebugLogFile of this program
//! [2026-11-26T18:00:00.123] [INFO] sid=1 > usi   ShogiHome
//! 18:00:00.123 >1:usi                            Shogidokoro and others
//! 1234 <Engine(0): usiok                         cutechess
//! usiok                                          a terminal
//! ```

/// Who said a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaker {
    /// The GUI, or whoever plays its part.
    Client,
    /// The engine.
    Engine,
}

/// A line of a dialogue.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LogLine {
    /// Seconds of some clock.
    pub(super) time: Option<f64>,
    /// The engine's number or name; empty where there is none.
    pub(super) engine: String,
    pub(super) speaker: Speaker,
    pub(super) text: String,
}

const OF_CLIENTS: [&str; 12] = [
    "usi",
    "isready",
    "setoption",
    "usinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "gameover",
    "debug",
    "getoption",
];
const OF_ENGINES: [&str; 9] =
    ["id", "option", "usiok", "readyok", "bestmove", "checkmate", "info", "copyprotection", "registration"];

/// Who says such lines, by their first word.
fn speaker_of(text: &str) -> Option<Speaker> {
    let word = text.split_whitespace().next()?;
    if OF_CLIENTS.contains(&word) {
        Some(Speaker::Client)
    } else {
        OF_ENGINES.contains(&word).then_some(Speaker::Engine)
    }
}

/// A line of a log; `None` where it is no line of a dialogue.
pub(super) fn parse(line: &str) -> Option<LogLine> {
    let line = line.trim_start_matches('\u{feff}').trim_end();
    if let Some((at, marker)) = line.char_indices().find(|(_, c)| matches!(c, '<' | '>')) {
        let (before, after) = (&line[..at], line[at + 1..].trim_start_matches(['<', '>']).trim_start());
        let (engine, text) = split_engine(after);
        // A marker inside of a sentence is none.
        if before.is_empty() || before.ends_with(char::is_whitespace) || time(before).is_some() {
            let marked = if marker == '>' { Speaker::Client } else { Speaker::Engine };
            // Some programs mean the arrow the other way: words tell better.
            let speaker = speaker_of(text).unwrap_or(marked);
            let engine = if engine.is_empty() { session(before) } else { engine };
            return (!text.is_empty()).then(|| LogLine {
                time: time(before),
                engine: engine.to_owned(),
                speaker,
                text: text.to_owned(),
            });
        }
    }
    // Without a marker: the first word that is USI begins what was said.
    let starts = line.char_indices().map(|(at, _)| at);
    let begins = |at: &usize| *at == 0 || line[..*at].ends_with([' ', '\t', ':', ']']);
    let at = starts.filter(begins).find(|&at| speaker_of(&line[at..]).is_some())?;
    let before = &line[..at];
    // Words before it that are no time belong to a sentence.
    if !before.trim().is_empty() && time(before).is_none() {
        return None;
    }
    let speaker = speaker_of(&line[at..])?;
    Some(LogLine { time: time(before), engine: String::new(), speaker, text: line[at..].to_owned() })
}

/// The engine's number or name before the text: `1:usi`, `Engine (0): usi`.
fn split_engine(text: &str) -> (&str, &str) {
    if speaker_of(text).is_none()
        && let Some((engine, rest)) = text.split_once(':')
        && speaker_of(rest).is_some()
    {
        return (engine.trim(), rest.trim_start());
    }
    ("", text)
}

/// `sid=1` of ShogiHome.
fn session(before: &str) -> &str {
    before.split_whitespace().find_map(|word| word.strip_prefix("sid=")).unwrap_or_default()
}

/// The time before a line, in seconds: of the day, or of the program.
fn time(text: &str) -> Option<f64> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | 'T' | 'Z' | '(' | ')'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let of_day = words.iter().find_map(|word| {
        let mut parts = word.trim_end_matches(':').split(':');
        let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
        let number = |text: &str| text.replace(',', ".").parse::<f64>().ok();
        let whole = hours.parse::<u32>().ok()?;
        Some(f64::from(whole) * 3600.0 + number(minutes)? * 60.0 + number(seconds)?)
    });
    of_day.or_else(|| {
        let word = words.first()?.trim_end_matches(['s', ':']);
        let value = word.parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0)?;
        // Whole numbers are milliseconds.
        Some(if word.contains('.') { value } else { value / 1000.0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        let line = |time, engine: &str, speaker, text: &str| {
            Some(LogLine { time, engine: engine.to_owned(), speaker, text: text.to_owned() })
        };
        use Speaker::{Client, Engine};
        for (text, expected) in [
            ("     1.250 > usi", line(Some(1.25), "", Client, "usi")),
            ("     1.250 < usiok", line(Some(1.25), "", Engine, "usiok")),
            ("[2026-11-26T01:00:02.500] [INFO] sid=3 > go ponder", line(Some(3602.5), "3", Client, "go ponder")),
            ("01:00:02,500 >1:usi", line(Some(3602.5), "1", Client, "usi")),
            ("> 2: position startpos", line(None, "2", Client, "position startpos")),
            ("1250 <Some Engine(0): bestmove 7g7f", line(Some(1.25), "Some Engine(0)", Engine, "bestmove 7g7f")),
            ("<< readyok", line(None, "", Engine, "readyok")),
            ("isready", line(None, "", Client, "isready")),
            ("01:00:00 info depth 3", line(Some(3600.0), "", Engine, "info depth 3")),
            ("     1.250 < anything it says", line(Some(1.25), "", Engine, "anything it says")),
            // The arrow the other way round.
            ("< usi", line(None, "", Client, "usi")),
            ("the engine does not go", None),
            ("[WARN] x<y", None),
            ("", None),
            (">", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
