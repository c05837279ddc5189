//! The lines of a server outside a game summary.

use std::time::Duration;

use crate::record::read_seconds;

/// A line of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerLine<'a> {
    /// An empty line: the answer to a keep-alive, or nothing at all.
    Blank,
    /// `##[CHAT][someone] hello`, `##[LOGIN] +OK x1`: what only the extended mode has.
    Extended(&'a str),
    /// `LOGIN:NAME OK`
    LoggedIn,
    /// `LOGIN:incorrect`
    LoginRefused,
    /// `LOGOUT:completed`
    LoggedOut,
    /// `BEGIN Game_Summary`
    SummaryBegins,
    /// `START:GAME_ID`
    Start,
    /// `REJECT:GAME_ID by NAME`, with the name.
    Reject(&'a str),
    /// `+7776FU,T12`: a move as it was made, and the time charged for it.
    Move {
        /// The move, as the server wrote it.
        text: &'a str,
        /// The time charged, if given.
        spent: Option<Duration>,
    },
    /// `%TORYO,T4`: an answer that is no move.
    Special {
        /// `%TORYO`, `%KACHI`.
        word: &'a str,
        /// The time charged, if given.
        spent: Option<Duration>,
    },
    /// `#RESIGN`: why the game ended, without the `#`.
    Reason(&'a str),
    /// `#WIN`: how the game ended.
    Verdict(Verdict),
    /// Anything else.
    Other(&'a str),
}

/// How a game ended, by the server's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// `#WIN`
    Win,
    /// `#LOSE`
    Lose,
    /// `#DRAW`
    Draw,
    /// `#CENSORED`: the game does not count, as after the last allowed move.
    Censored,
    /// `#CHUDAN`: broken off.
    Interrupted,
}

impl Verdict {
    /// The result in one word: `win`, `lose`, `draw`, `censored`, `interrupted`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Lose => "lose",
            Self::Draw => "draw",
            Self::Censored => "censored",
            Self::Interrupted => "interrupted",
        }
    }

    /// The argument of USI's `gameover`.
    pub fn gameover(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Lose => "lose",
            Self::Draw | Self::Censored | Self::Interrupted => "draw",
        }
    }
}

impl<'a> ServerLine<'a> {
    /// Reads a line.
    pub fn parse(line: &'a str) -> Self {
        let line = line.trim();
        match line.as_bytes() {
            [] => Self::Blank,
            [b'#', b'#', ..] => Self::Extended(line),
            [b'#', ..] => match &line[1..] {
                "WIN" => Self::Verdict(Verdict::Win),
                "LOSE" => Self::Verdict(Verdict::Lose),
                "DRAW" => Self::Verdict(Verdict::Draw),
                "CENSORED" => Self::Verdict(Verdict::Censored),
                "CHUDAN" => Self::Verdict(Verdict::Interrupted),
                reason => Self::Reason(reason),
            },
            [b'+' | b'-', ..] => {
                let (text, spent) = timed(line);
                Self::Move { text, spent }
            }
            [b'%', ..] => {
                let (word, spent) = timed(line);
                Self::Special { word, spent }
            }
            _ => Self::sentence(line),
        }
    }

    fn sentence(line: &'a str) -> Self {
        if line == "BEGIN Game_Summary" {
            Self::SummaryBegins
        } else if line.starts_with("START:") {
            Self::Start
        } else if let Some(rest) = line.strip_prefix("REJECT:") {
            Self::Reject(rest.split_once(" by ").map_or("", |(_, name)| name))
        } else if line == "LOGIN:incorrect" {
            Self::LoginRefused
        } else if line.starts_with("LOGIN:") && line.ends_with(" OK") {
            Self::LoggedIn
        } else if line == "LOGOUT:completed" {
            Self::LoggedOut
        } else {
            Self::Other(line)
        }
    }
}

/// Splits `+7776FU,T12` into what was played and the time charged. Time is in seconds, whatever the unit of the game.
fn timed(line: &str) -> (&str, Option<Duration>) {
    let mut parts = line.split(',');
    let text = parts.next().unwrap_or(line).trim_end();
    let spent = parts.find_map(|part| read_seconds(part.trim().strip_prefix('T')?.trim()));
    (text, spent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line() {
        let seconds = |s| Some(Duration::from_secs(s));
        for (line, expected) in [
            ("", ServerLine::Blank),
            (" ", ServerLine::Blank),
            ("##[CHAT][x] +7776FU", ServerLine::Extended("##[CHAT][x] +7776FU")),
            ("LOGIN:me OK", ServerLine::LoggedIn),
            ("LOGIN:incorrect", ServerLine::LoginRefused),
            ("LOGOUT:completed", ServerLine::LoggedOut),
            ("BEGIN Game_Summary", ServerLine::SummaryBegins),
            ("START:a+b+c", ServerLine::Start),
            ("REJECT:a+b+c by him", ServerLine::Reject("him")),
            ("REJECT:a", ServerLine::Reject("")),
            ("+7776FU,T12", ServerLine::Move { text: "+7776FU", spent: seconds(12) }),
            ("+7776FU", ServerLine::Move { text: "+7776FU", spent: None }),
            ("-3334FU,'* 30,T3", ServerLine::Move { text: "-3334FU", spent: seconds(3) }),
            ("+9999XX,T1", ServerLine::Move { text: "+9999XX", spent: seconds(1) }),
            ("%TORYO,T4", ServerLine::Special { word: "%TORYO", spent: seconds(4) }),
            ("%KACHI", ServerLine::Special { word: "%KACHI", spent: None }),
            ("#RESIGN", ServerLine::Reason("RESIGN")),
            ("#OUTE_SENNICHITE", ServerLine::Reason("OUTE_SENNICHITE")),
            ("#WIN", ServerLine::Verdict(Verdict::Win)),
            ("#CENSORED", ServerLine::Verdict(Verdict::Censored)),
            ("#CHUDAN", ServerLine::Verdict(Verdict::Interrupted)),
            ("#SOMETHING_NEW", ServerLine::Reason("SOMETHING_NEW")),
            ("hello", ServerLine::Other("hello")),
            ("猫", ServerLine::Other("猫")),
        ] {
            assert_eq!(ServerLine::parse(line), expected, "{line}");
        }
    }

    #[test]
    fn times_may_have_fractions() {
        for (line, ms) in
            [("+7776FU,T1.5", 1500), ("+7776FU,T1.", 1000), ("+7776FU,T0.125", 125), ("-3334FU, T7", 7000)]
        {
            let ServerLine::Move { spent, .. } = ServerLine::parse(line) else { panic!("{line}") };
            assert_eq!(spent, Some(Duration::from_millis(ms)), "{line}");
        }
        for line in ["+7776FU,T", "+7776FU,T-3", "+7776FU,Tx", "+7776FU,"] {
            assert!(matches!(ServerLine::parse(line), ServerLine::Move { spent: None, .. }), "{line}");
        }
    }
}
