//! Folders of records that are made of shards: a file for each, and a note of how they were made.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::record::Psv;
use super::shard::write_whole;
use super::source::{self, SourceError};
use crate::platform::sync::Mutex;

/// What a folder's files were made of: the shards in their order, and the settings.
#[derive(Serialize, Deserialize)]
struct Note<S> {
    #[serde(flatten)]
    settings: S,
    /// Missing where the shards were not noted yet.
    #[serde(default)]
    shards: Vec<Origin>,
}

/// A shard as far as it must be the same: its name without folders, which may have been moved, and its size in bytes.
#[derive(PartialEq, Serialize, Deserialize)]
struct Origin {
    name: String,
    bytes: u64,
}

/// Makes a file of records in `folder` of each shard, written whole. What is there already stays, so a run that was
/// killed goes on where it stopped, if `settings` and shards, which stand in the file `note`, are the same; more shards
/// may have come behind the earlier ones, or some be missing at the end. `make` is given a shard's number and path;
/// `each` hears of every file: how many of how many are done, and the records of this run so far. Returns how many
/// records there are of these shards.
///
/// # Errors
/// Those of `make`; a folder that cannot be written or holds what was made otherwise, or of other shards.
pub fn derive<S: PartialEq + Serialize + DeserializeOwned>(
    sources: &[PathBuf],
    (settings, note): (&S, &str),
    folder: &Path,
    make: impl Fn(usize, &Path) -> Result<Vec<u8>, SourceError> + Sync,
    each: impl Fn(usize, usize, u64) + Sync,
) -> Result<u64, SourceError> {
    let files = source::files(sources)?;
    settle(settings, &files, note, folder)?;
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
        .collect::<Result<_, SourceError>>()?;
    Ok(counts.iter().sum())
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> SourceError {
    |source| SourceError::Io { path: path.to_owned(), source }
}

/// Makes the folder with its note, or sees that what is in it was made of the same shards with the same settings.
fn settle<S: PartialEq + Serialize + DeserializeOwned>(
    settings: &S,
    files: &[PathBuf],
    note: &str,
    folder: &Path,
) -> Result<(), SourceError> {
    std::fs::create_dir_all(folder).map_err(io(folder))?;
    let origin = |path: &PathBuf| -> Result<Origin, SourceError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Origin { name: name.into_owned(), bytes: std::fs::metadata(path).map_err(io(path))?.len() })
    };
    let shards = files.iter().map(origin).collect::<Result<Vec<_>, _>>()?;
    let path = folder.join(note);
    let different = || SourceError::Different(folder.to_owned());
    match std::fs::read(&path) {
        Ok(bytes) => {
            let earlier: Note<S> = serde_json::from_slice(&bytes).map_err(|_| different())?;
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
            Err(error) => return Err(error),
        },
        Err(error) => return Err(io(&path)(error)),
    }
    let text = serde_json::to_string_pretty(&Note { settings, shards }).unwrap_or_default() + "\n";
    write_whole(&path, text.as_bytes()).map_err(io(&path))
}
