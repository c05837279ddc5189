//! Folders of records that are made of shards: a file for each, and a note of how they were made.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::record::Psv;
use super::shard::write_whole;
use super::source::{self, SourceError};

/// Makes a file of records in `folder` of each shard, written whole. What is there already stays, so a run that was killed
/// goes on where it stopped, if `settings`, which stand in the file `note`, are the same. `make` is given a shard's number
/// and path; `each` hears of every file: how many of how many are done, and the records of this run so far. Returns how many
/// records the folder holds.
///
/// # Errors
/// Those of `make`; a folder that cannot be written or holds what was made otherwise.
pub fn derive<S: PartialEq + Serialize + DeserializeOwned>(
    sources: &[PathBuf],
    (settings, note): (&S, &str),
    folder: &Path,
    make: impl Fn(usize, &Path) -> Result<Vec<u8>, SourceError> + Sync,
    each: impl Fn(usize, usize, u64) + Sync,
) -> Result<u64, SourceError> {
    let files = source::files(sources)?;
    settle(settings, note, folder)?;
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
            let mut done = progress.lock().unwrap_or_else(PoisonError::into_inner);
            done.0 += 1;
            done.1 += new / Psv::SIZE as u64;
            each(done.0, files.len(), done.1);
            Ok(bytes / Psv::SIZE as u64)
        })
        .collect::<Result<_, SourceError>>()?;
    Ok(counts.iter().sum())
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> SourceError {
    |source| SourceError::Io {
        path: path.to_owned(),
        source,
    }
}

/// Makes the folder, or sees that what is in it was made with the same settings.
fn settle<S: PartialEq + Serialize + DeserializeOwned>(
    settings: &S,
    note: &str,
    folder: &Path,
) -> Result<(), SourceError> {
    std::fs::create_dir_all(folder).map_err(io(folder))?;
    let path = folder.join(note);
    match std::fs::read(&path) {
        Ok(bytes) => match serde_json::from_slice::<S>(&bytes) {
            Ok(earlier) if earlier == *settings => Ok(()),
            _ => Err(SourceError::Different(folder.to_owned())),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let text = serde_json::to_string_pretty(settings).unwrap_or_default() + "\n";
            write_whole(&path, text.as_bytes()).map_err(io(&path))
        }
        Err(error) => Err(io(&path)(error)),
    }
}
