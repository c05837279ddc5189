//! The manifest of a data folder: with what settings its games were made, and which shards are finished.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::generate::Settings;
use super::shard::write_whole;

/// The file's name within the folder.
pub const FILE: &str = "manifest.json";

/// What a data folder holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The program and version that made the games.
    pub program: String,
    /// What evaluated the positions: the network's SHA-256, or the name of the evaluation made by hand.
    pub evaluation: String,
    /// How the games were made.
    pub settings: Settings,
    /// The finished shards, in order.
    pub shards: Vec<Entry>,
}

/// A finished shard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
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
        let sum = |part: fn(&Entry) -> u64| self.shards.iter().map(part).sum();
        (sum(|entry| entry.games), sum(|entry| entry.positions))
    }
}
