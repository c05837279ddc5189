//! Folders of labels: a file of records for each shard, and a note of how they were made.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::platform::files::write_whole;
use crate::platform::sync::Mutex;
use crate::training::data::record::Psv;
use crate::training::data::shard::ShardError;
use crate::training::data::source::{self, SourceError};
use crate::training::selfplay::player::PlayerError;
use crate::types::Depth;

/// The note's name within the folder.
pub const FILE: &str = "labels.json";

/// Which positions are labelled, and by whom.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LabelSettings {
    /// Seed of the choice of positions and of the random moves.
    pub seed: u64,
    /// The share of the games' positions that are labelled.
    pub share: f32,
    /// The most random moves by which a position is varied, 0 for the positions as they are.
    pub random_moves: usize,
    /// Nodes of the search that values a position.
    pub nodes: u64,
    /// The transposition table of a thread, in MB.
    pub hash: usize,
    /// Positions of the search's tree are labelled too that were searched at least this deep, 0 for none.
    pub tree_strap: Depth,
    /// What evaluates.
    pub evaluation: String,
}

/// Why positions cannot be labelled.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// The games cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A shard is damaged.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// There is no player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A file or folder cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The folder holds something else.
    #[error("{0} was made otherwise; continue with the same settings and shards or write elsewhere")]
    Different(PathBuf),
}

/// What a folder's files were made of: the shards in their order, and the settings.
#[derive(Serialize, Deserialize)]
struct Note {
    #[serde(flatten)]
    settings: LabelSettings,
    shards: Vec<Origin>,
}

/// What identifies a shard: its name without folders, which may have been moved, and its size in bytes.
#[derive(PartialEq, Serialize, Deserialize)]
struct Origin {
    name: String,
    bytes: u64,
}

/// Writes a file of records in `folder` for each shard. Files that are there are kept, so a run that was killed
/// continues where it stopped, if the folder's note has the same settings and shards; more shards may have come after
/// the earlier ones, or some be missing at the end. `make` is given a shard's number and path.
///
/// # Errors
/// Those of `make`; a folder that cannot be written or holds something else.
pub(super) fn write(
    sources: &[PathBuf],
    settings: &LabelSettings,
    folder: &Path,
    make: impl Fn(usize, &Path) -> Result<Vec<u8>, LabelError> + Sync,
    each: impl Fn(usize, usize, u64) + Sync,
) -> Result<u64, LabelError> {
    let files = source::files(sources)?;
    check_note(settings, &files, folder)?;
    let progress = Mutex::new((0, 0));
    let counts: Vec<u64> = files
        .par_iter()
        .enumerate()
        .map(|(number, path)| {
            let target = folder.join(format!("{number:06}.psv"));
            let kept = std::fs::metadata(&target).ok();
            let (bytes, new) = match &kept {
                Some(kept) => (kept.len(), 0),
                None => {
                    let bytes = make(number, path)?;
                    write_whole(&target, &bytes).map_err(io(&target))?;
                    (bytes.len() as u64, bytes.len() as u64)
                }
            };
            let mut done = progress.lock();
            done.0 += 1;
            done.1 += new / Psv::SIZE as u64;
            each(done.0, files.len(), done.1);
            Ok(bytes / Psv::SIZE as u64)
        })
        .collect::<Result<_, LabelError>>()?;
    Ok(counts.iter().sum())
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> LabelError {
    |source| LabelError::Io { path: path.to_owned(), source }
}

/// Makes the folder with its note, or checks that what it holds was made of the same shards with the same settings.
fn check_note(settings: &LabelSettings, files: &[PathBuf], folder: &Path) -> Result<(), LabelError> {
    std::fs::create_dir_all(folder).map_err(io(folder))?;
    let origin = |path: &PathBuf| -> Result<Origin, LabelError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Origin { name: name.into_owned(), bytes: std::fs::metadata(path).map_err(io(path))?.len() })
    };
    let shards = files.iter().map(origin).collect::<Result<Vec<_>, _>>()?;
    let path = folder.join(FILE);
    let different = || LabelError::Different(folder.to_owned());
    match std::fs::read(&path) {
        Ok(bytes) => {
            let earlier: Note = serde_json::from_slice(&bytes).map_err(|_| different())?;
            if earlier.settings != *settings {
                return Err(different());
            }
            if earlier.shards.starts_with(&shards) {
                return Ok(());
            }
            if !shards.starts_with(&earlier.shards) {
                return Err(different());
            }
        }
        // The note comes before the first file, so files without it are something else.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => match source::files(&[folder.to_owned()]) {
            Ok(_) => return Err(different()),
            Err(SourceError::Unknown(_)) => {}
            Err(error) => return Err(error.into()),
        },
        Err(error) => return Err(io(&path)(error)),
    }
    let text = serde_json::to_string_pretty(&Note { settings: settings.clone(), shards }).unwrap_or_default() + "\n";
    write_whole(&path, text.as_bytes()).map_err(io(&path))
}
