//! What a client tells its user, in words and as JSON.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, Local};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::server_line::Verdict;
use crate::platform::wording::counted;
use crate::types::Color;

/// A game from beginning to end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameReport {
    /// When it ended, or its last move where the client was ended in it.
    pub time: DateTime<Local>,
    /// The id that the server gave it.
    pub game: String,
    /// `win`, `lose`, `draw`, `censored`, `interrupted`, by the server's word; `broken` where there was none;
    /// `unfinished` where the client was ended in it.
    pub result: String,
    /// The server's reason (`RESIGN`), or why it broke.
    pub reason: String,
    /// `black` or `white`.
    pub color: String,
    /// The opponent's name.
    pub opponent: String,
    /// Moves made, those before the start included.
    pub moves: usize,
    /// Seconds that our clock was charged.
    pub seconds_used: f64,
    /// The longest that a move of ours took to come back from the server, in seconds: the delay of the way.
    pub worst_echo: f64,
    /// What was left of the clock at the closest, in seconds; `null` where no move was made.
    pub least_left: Option<f64>,
    /// What went wrong on our side, one sentence each.
    pub faults: Vec<String>,
    /// The file of the record.
    pub record: Option<PathBuf>,
}

/// Something that a client tells.
#[derive(Clone, Debug)]
pub enum Event {
    /// The engine is ready.
    Engine {
        /// Its name.
        name: String,
        /// What it will not do, one sentence each.
        refused: Vec<String>,
    },
    /// A connection is tried.
    Connecting(String),
    /// The server has let us in.
    LoggedIn {
        /// Who, without a password.
        account: String,
        /// What for.
        game: Option<String>,
    },
    /// A game has begun.
    Started {
        /// Its id.
        game: String,
        /// Our colour.
        us: Color,
        /// The opponent's name.
        opponent: String,
        /// The file of the record.
        record: Option<PathBuf>,
    },
    /// A move was made.
    Moved {
        /// Its number.
        number: usize,
        /// In CSA's words.
        text: String,
        /// Whether it is ours.
        ours: bool,
        /// What it was charged.
        spent: Duration,
        /// What the mover has left.
        left: Duration,
        /// Our engine's evaluation from Black's view, for moves of ours.
        score: Option<i32>,
    },
    /// A game has ended.
    Ended(Box<GameReport>),
    /// The connection has broken.
    Broken(String),
    /// A pause before the next attempt.
    Pause(Duration),
    /// Something worth knowing.
    Note(String),
    /// Something that went wrong on our side.
    Fault(String),
    /// The end.
    Exit(Totals),
}

/// What a client has played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Games with a verdict.
    pub games: u64,
    /// Won.
    pub wins: u64,
    /// Lost.
    pub losses: u64,
    /// Broken off.
    pub broken: u64,
}

impl Totals {
    /// Counts a game.
    pub(super) fn count(&mut self, verdict: Option<Verdict>) {
        match verdict {
            None => self.broken += 1,
            Some(verdict) => {
                self.games += 1;
                self.wins += u64::from(verdict == Verdict::Win);
                self.losses += u64::from(verdict == Verdict::Lose);
            }
        }
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, wins, losses, broken } = self;
        let played = counted(*games, "game", "games");
        write!(f, "{played}: {wins} won, {losses} lost, {} others", games - wins - losses)?;
        if *broken > 0 {
            write!(f, "; {broken} broken off")?;
        }
        Ok(())
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine { name, refused } => {
                write!(f, "{} is ready", if name.is_empty() { "the engine" } else { name })?;
                refused.iter().try_for_each(|refused| write!(f, "; {refused}"))
            }
            Self::Connecting(server) => write!(f, "connecting to {server}"),
            Self::LoggedIn { account, game: Some(game) } => write!(f, "logged in as {account}, waiting for {game}"),
            Self::LoggedIn { account, game: None } => write!(f, "logged in as {account}, waiting for a game"),
            Self::Started { game, us, opponent, record } => {
                write!(f, "game {game}: {us} against {opponent}")?;
                record.iter().try_for_each(|record| write!(f, ", record in {}", record.display()))
            }
            Self::Moved { number, text, spent, left, score, .. } => {
                write!(f, "{number:4} {text} {:>4} s, left {} s", spent.as_secs(), left.as_secs())?;
                score.iter().try_for_each(|score| write!(f, ", evaluation {score:+}"))
            }
            Self::Ended(report) => {
                let GameReport { result, reason, opponent, moves, .. } = report.as_ref();
                let reason = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
                write!(f, "{result}{reason} against {opponent} after {}", counted(*moves as u32, "move", "moves"))
            }
            Self::Broken(why) => write!(f, "{why}"),
            Self::Pause(pause) => write!(f, "trying again in {} s", pause.as_secs()),
            Self::Note(text) | Self::Fault(text) => f.write_str(text),
            Self::Exit(totals) => write!(f, "{totals}"),
        }
    }
}

impl Event {
    /// The event for the command of the user's, if it is one that is told.
    pub(super) fn json(&self, account: &str) -> Option<Value> {
        let now = Local::now();
        let event = match self {
            Self::LoggedIn { game, .. } => json!({"event": "login", "time": now, "account": account, "game": game}),
            Self::Started { game, us, opponent, record } => json!({
                "event": "game", "time": now, "account": account, "game": game, "color": us.to_string(),
                "opponent": opponent, "record": record,
            }),
            Self::Ended(report) => {
                let mut event = json!({"event": "end", "account": account});
                if let (Some(event), Ok(Value::Object(report))) = (event.as_object_mut(), serde_json::to_value(report))
                {
                    event.extend(report);
                }
                event
            }
            Self::Broken(reason) => json!({"event": "broken", "time": now, "account": account, "reason": reason}),
            Self::Exit(totals) => json!({"event": "exit", "time": now, "account": account, "totals": totals}),
            _ => return None,
        };
        Some(event)
    }
}
