//! The setup of a match.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::client::EngineSpec;

use super::adjudication::Adjudication;
use super::machine::Machine;
use super::openings::OpeningSource;
use super::rules::ShogiRules;
use super::schedule::{Schedule, TournamentFormat};
use super::statistics::Sprt;
use super::time_control::TimeControl;

/// An engine of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchPlayer {
    /// Its name, unique in the match.
    pub name: String,
    /// The program.
    pub spec: EngineSpec,
    /// Its time control.
    pub control: TimeControl,
    /// Whether it ponders.
    pub ponder: bool,
    /// Whether it is restarted for every game.
    pub restart: bool,
}

/// The game played.
#[derive(Clone, Debug, PartialEq)]
pub enum Rules {
    /// Shogi with its full rules.
    Shogi(ShogiRules),
    /// Any game of two players; the engines know the rules (USI-X).
    None {
        /// The game is drawn after this many moves.
        max_moves: Option<u32>,
    },
    /// A game of one player: a program deals tokens, and the engine answers them with moves.
    Solo {
        /// The program and its arguments; `{seed}` in an argument is replaced by the seed of the game's token sequence.
        source: Vec<String>,
        /// The game ends after this many moves.
        max_moves: Option<u32>,
    },
}

/// The format of the file of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordFormat {
    /// One line `startpos moves ...` per game, with comments.
    #[default]
    Usi,
    /// CSA, with times and scores; shogi only.
    Csa,
}

/// A match.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The engines; the first one is the one under test.
    pub players: Vec<MatchPlayer>,
    /// Which engines play each other.
    pub format: TournamentFormat,
    /// Games per pairing, rounded up to pairs; in solo matches, per engine.
    pub games: u32,
    /// Games played in parallel on each machine.
    pub concurrency: usize,
    /// The machines that share the games; none means this one.
    pub machines: Vec<Machine>,
    /// The game played.
    pub rules: Rules,
    /// The openings.
    pub openings: OpeningSource,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// The sequential test; two engines only.
    pub sprt: Option<Sprt>,
    /// The random seed.
    pub seed: u64,
    /// Consecutive failures to start after which an engine is withdrawn.
    pub start_failures: u32,
    /// The file of games and its format.
    pub record: Option<(PathBuf, RecordFormat)>,
    /// The state file.
    pub state: Option<PathBuf>,
    /// Whether to resume from the state file.
    pub resume: bool,
}

impl Match {
    /// The schedule of all games.
    pub fn schedule(&self) -> Schedule {
        match self.rules {
            Rules::Solo { .. } => Schedule::solo(self.players.len(), self.games),
            _ => Schedule::versus(self.players.len(), self.format, self.games),
        }
    }

    /// What must be unchanged to resume a match: whatever decides which games are played, except their number, and the
    /// file that they are written to.
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
            // The state file holds offsets into it, by which another file must not be truncated.
            "record": self.record.as_ref().map(|(path, _)| path),
        })
    }
}
