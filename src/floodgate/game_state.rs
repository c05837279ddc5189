//! What changes in the course of a game, and the report of it.

use std::time::{Duration, Instant};

use chrono::Local;

use super::comment::Thought;
use super::event::GameReport;
use super::game::Game;
use super::game_record::GameRecord;
use super::summary::Summary;
use crate::client::Answer;
use crate::types::Move;

/// What the engine does.
pub(super) enum Thinking {
    Nothing,
    /// Searches for our move.
    Own {
        /// When our turn began.
        since: Instant,
        /// When it is told to stop, should it not have answered.
        stop_at: Instant,
        /// When nothing can be saved any more.
        flag_at: Instant,
        stopped: bool,
    },
    /// Ponders on a reply; an engine that answers before it is asked has answered.
    Ponder {
        expected: Move,
        answer: Option<Box<Answer>>,
    },
}

/// A move that was sent and not shown yet.
pub(super) struct Sent {
    pub(super) at: Instant,
    pub(super) thought: Option<Thought>,
    /// The reply to ponder on after the echo.
    pub(super) expected: Option<Move>,
}

/// What changes in the course of a game.
pub(super) struct GameState {
    pub(super) summary: Summary,
    pub(super) game: Game,
    pub(super) record: Option<GameRecord>,
    pub(super) thinking: Thinking,
    pub(super) sent: Option<Sent>,
    pub(super) agreed_at: Instant,
    pub(super) ending_since: Option<Instant>,
    pub(super) asked_again: bool,
    pub(super) restarts: u32,
    pub(super) resigned_at: Option<Instant>,
    pub(super) faults: Vec<String>,
    pub(super) used: Duration,
    pub(super) worst_echo: Duration,
    pub(super) least_left: Option<Duration>,
}

impl GameState {
    pub(super) fn new(summary: Summary) -> Self {
        Self {
            game: Game::new(&summary),
            summary,
            record: None,
            thinking: Thinking::Nothing,
            sent: None,
            agreed_at: Instant::now(),
            ending_since: None,
            asked_again: false,
            restarts: 0,
            resigned_at: None,
            faults: Vec::new(),
            used: Duration::ZERO,
            worst_echo: Duration::ZERO,
            least_left: None,
        }
    }

    /// The report of the game as it stands.
    pub(super) fn report(&self, result: &str, reason: &str) -> GameReport {
        GameReport {
            time: Local::now(),
            game: self.summary.game_id.clone(),
            result: result.to_owned(),
            reason: reason.to_owned(),
            color: self.summary.us.to_string(),
            opponent: self.summary.opponent().to_owned(),
            moves: self.game.moves().len(),
            seconds_used: self.used.as_secs_f64(),
            worst_echo: self.worst_echo.as_secs_f64(),
            least_left: self.least_left.map(|left| left.as_secs_f64()),
            faults: self.faults.clone(),
            record: self.record.as_ref().map(|record| record.path().to_owned()),
        }
    }
}
