//! The manifest of a data folder: with what settings its games were made, and which shards are finished.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::platform::files::write_whole;

/// The file's name within the folder.
pub const FILE: &str = "manifest.json";

/// How games are generated. Everything that changes a game's moves is in here. Keys of earlier versions that are not
/// listed (searches for mates, tree positions) are ignored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GenerateSettings {
    /// The seed of all random numbers.
    pub seed: u64,
    /// Nodes of a move: the iteration that reaches them is finished.
    pub nodes: u64,
    /// The transposition table of a game, in MB.
    pub hash: usize,
    /// Games per shard.
    pub games_per_shard: u64,
    /// The shares of the kinds of start positions.
    pub shares: StartShares,
    /// The folder of games that [`StartShares::branch_off`] branches off from.
    pub earlier: Option<PathBuf>,
    /// A game is adjudicated once both sides' scores have agreed for six plies that one is ahead by this much.
    pub decided: i32,
    /// The share of games that are played to the end instead.
    pub to_the_end: f32,
    /// A game is a draw after this many plies.
    pub longest: usize,
}

impl Default for GenerateSettings {
    fn default() -> Self {
        Self {
            seed: 1,
            nodes: 1000,
            hash: 8,
            games_per_shard: 500,
            shares: StartShares { branch_off: 0.2, handicap: 0.05, entering_king: 0.05, sound: 0.0, castles: 0.0 },
            earlier: None,
            decided: 1800,
            to_the_end: 0.25,
            longest: 320,
        }
    }
}

/// The shares of the kinds of start positions; the rest begins with random moves from the initial position.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct StartShares {
    /// Even positions of earlier games, and up to two moves that lose little.
    #[serde(default = "unknown_share")]
    pub branch_off: f32,
    /// Handicap games (駒落ち).
    pub handicap: f32,
    /// Both kings in the enemy's camp (相入玉).
    pub entering_king: f32,
    /// Sound openings: moves from the initial position that lose little.
    #[serde(default)]
    pub sound: f32,
    /// Castled kings on both sides and moves that lose little.
    #[serde(default)]
    pub castles: f32,
}

/// Folders of earlier versions had other kinds of branching: no run has their share, so none continues them.
fn unknown_share() -> f32 {
    -1.0
}

/// What a data folder holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The program and version that made the games.
    pub program: String,
    /// What evaluated the positions: the network's SHA-256, or the name of the hand-crafted evaluation.
    pub evaluation: String,
    /// How the games were made.
    pub settings: GenerateSettings,
    /// The finished shards, in order.
    pub shards: Vec<ShardEntry>,
}

/// A finished shard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ShardEntry {
    /// The file's name within the folder.
    pub file: String,
    /// The number of its first game.
    pub first_game: u64,
    /// How many games it holds.
    pub games: u64,
    /// How many positions with a score it holds.
    pub positions: u64,
    /// Its length in bytes.
    pub bytes: u64,
}

/// Why a manifest cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// It cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is no manifest.
    #[error("{path}: not a manifest of training data: {source}")]
    Format {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        source: serde_json::Error,
    },
}

impl Manifest {
    /// The manifest of a folder, `None` where there is none yet.
    pub fn read(folder: &Path) -> Result<Option<Self>, ManifestError> {
        let path = folder.join(FILE);
        match std::fs::read(&path) {
            Ok(bytes) => {
                serde_json::from_slice(&bytes).map(Some).map_err(|source| ManifestError::Format { path, source })
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(ManifestError::Io { path, source }),
        }
    }

    /// Writes the manifest whole.
    pub fn write(&self, folder: &Path) -> Result<(), ManifestError> {
        let path = folder.join(FILE);
        let mut text = serde_json::to_string_pretty(self)
            .map_err(|source| ManifestError::Format { path: path.clone(), source })?;
        text.push('\n');
        write_whole(&path, text.as_bytes()).map_err(|source| ManifestError::Io { path, source })
    }

    /// Games and positions of all finished shards.
    pub fn totals(&self) -> (u64, u64) {
        let sum = |part: fn(&ShardEntry) -> u64| self.shards.iter().map(part).sum();
        (sum(|entry| entry.games), sum(|entry| entry.positions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As written before branching off had one kind.
    const EARLIER: &str = r#"{"program": "hagane 0.1.0", "evaluation": "network 904c", "settings": {"seed": 101,
        "nodes": 5000, "depth": 0, "hash": 4, "games_per_shard": 100, "shares": {"own_games": 0.1, "handicap": 0.05,
        "entering_king": 0.05, "sound": 0.3, "castles": 0.15, "middles": 0.25}, "earlier": "seedgames",
        "decided": 2000, "to_the_end": 0.1, "mates": 0, "longest": 320, "harvest": {"least": 0, "share": 0.4}},
        "shards": [{"file": "000000.shard", "first_game": 0, "games": 100, "positions": 9243, "bytes": 22161}]}"#;

    #[test]
    fn manifests_of_earlier_versions_are_read_and_continued_by_no_run() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE), EARLIER).unwrap();
        let manifest = Manifest::read(folder.path()).unwrap().unwrap();
        assert_eq!(manifest.totals(), (100, 9243));
        assert_eq!(manifest.settings.nodes, 5000);
        assert!(manifest.settings.shares.branch_off < 0.0);
        manifest.write(folder.path()).unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), Some(manifest));
    }
}
