//! A whole match, as it is to be played.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::client::EngineSpec;

use super::adjudication::Adjudication;
use super::openings::OpeningSource;
use super::rules::ShogiRules;
use super::schedule::{Schedule, TournamentFormat};
use super::statistics::Sprt;
use super::time_control::TimeControl;

/// An engine that takes part.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchPlayer {
    /// Its name in this match; no two are the same.
    pub name: String,
    /// The program.
    pub spec: EngineSpec,
    /// Its time.
    pub control: TimeControl,
    /// Whether it thinks in the opponent's time.
    pub ponder: bool,
    /// Whether it is started anew for every game.
    pub restart: bool,
}

/// What is played.
#[derive(Clone, Debug, PartialEq)]
pub enum Rules {
    /// Shogi, with all its rules.
    Shogi(ShogiRules),
    /// Any game of two players whose engines keep to its rules themselves (USI-X).
    None {
        /// The game is drawn once it has so many moves.
        max_moves: Option<u32>,
    },
    /// A game of one player: a program gives out tokens, which the engine answers with moves.
    Solo {
        /// The program and its arguments; `{seed}` in an argument stands for the number of the game's token sequence.
        source: Vec<String>,
        /// The game ends once it has so many moves.
        max_moves: Option<u32>,
    },
}

/// The form of the file of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordFormat {
    /// `startpos moves ...` a line, with comments.
    #[default]
    Usi,
    /// CSA, with times and scores; shogi only.
    Csa,
}

/// A match.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The engines; the first one is that which is examined.
    pub players: Vec<MatchPlayer>,
    /// Who meets whom.
    pub format: TournamentFormat,
    /// Games for every pairing, rounded up to pairs; in solo games, for every engine.
    pub games: u32,
    /// Games at a time.
    pub concurrency: usize,
    /// What is played.
    pub rules: Rules,
    /// From where.
    pub openings: OpeningSource,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// When the match is ended early; two engines only.
    pub sprt: Option<Sprt>,
    /// The seed of all that is random.
    pub seed: u64,
    /// An engine that fails to start so many times in a row is withdrawn.
    pub start_failures: u32,
    /// Where the games are written as they end.
    pub record: Option<(PathBuf, RecordFormat)>,
    /// Where the state of the match is kept.
    pub state: Option<PathBuf>,
    /// Whether to go on from the state.
    pub resume: bool,
}

impl Match {
    /// All its games.
    pub fn schedule(&self) -> Schedule {
        match self.rules {
            Rules::Solo { .. } => Schedule::solo(self.players.len(), self.games),
            _ => Schedule::versus(self.players.len(), self.format, self.games),
        }
    }

    /// What must be the same for a match to be resumed: all that decides which games are played, except how many, and
    /// where they are written.
    pub fn identity(&self) -> Value {
        let players: Vec<Value> = self
            .players
            .iter()
            .map(|player| {
                json!({
                    "name": player.name,
                    "path": player.spec.path,
                    "arguments": player.spec.arguments,
                    "environment": player.spec.environment,
                    "options": player.spec.options,
                    "time": player.control.to_string(),
                    "ponder": player.ponder,
                })
            })
            .collect();
        json!({
            "players": players,
            "format": self.format,
            "rules": format!("{:?}", self.rules),
            "openings": self.openings.file,
            "shuffle": self.openings.shuffle,
            "first opening": self.openings.first,
            "random plies": self.openings.random_plies,
            "adjudication": self.adjudication,
            "seed": self.seed,
            // The state file says how much of it belongs to the match: another one must not be cut off there.
            "record": self.record.as_ref().map(|(path, _)| path),
        })
    }
}
