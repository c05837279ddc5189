//! Generating a data folder: self-play games in shards, with the score of every move.
//!
//! Every game has its own random numbers (from the run's seed and its number), its own table and a fresh worker, so it
//! depends on nothing but the seed, its number and the settings: any number of threads makes the same shards, and a run
//! that was killed continues where it stopped.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::journal::Journal;
use super::opening;
use super::play::play;
use super::player::{Player, PlayerError};
use crate::platform::files::{AppendFile, write_whole};
use crate::training::data::game::Game;
use crate::training::data::manifest::{GenerateSettings, Manifest, ManifestError, ShardEntry};
use crate::training::data::shard;

/// Why generation stopped before its end.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// A file or folder cannot be used.
    #[error("{path}: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Another run plays into the folder.
    #[error("{0}: another run plays into this folder; wait for its end or choose another folder")]
    InUse(PathBuf),
    /// The folder's manifest cannot be used.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A shard of the earlier games cannot be read.
    #[error(transparent)]
    Shard(#[from] shard::ShardError),
    /// The folder holds games made with other settings.
    #[error("{folder} holds games made with another {what}; continue with the same or choose another folder")]
    Different {
        /// The folder.
        folder: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// A game broke the rules: a fault of this program.
    #[error("a game could not be stored: {0}")]
    Game(String),
    /// The folder of earlier games has none to branch off from.
    #[error("{0}: {1}")]
    Earlier(PathBuf, &'static str),
    /// There is no player.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// What a run has done so far, for its display.
#[derive(Clone, Copy, Default, Debug)]
pub struct GenerateProgress {
    /// Games finished in all, those of earlier runs included.
    pub games: u64,
    /// Positions with a score made by this run.
    pub positions: u64,
    /// Nodes searched by this run.
    pub nodes: u64,
    /// Seconds this run has taken.
    pub seconds: f64,
}

/// Plays games `0..games` into a folder, on as many threads as there are players; games that are there are kept.
///
/// `progress` is called after every game; when it returns false, the run ends with what is finished.
pub fn run(
    folder: &Path,
    games: u64,
    settings: &GenerateSettings,
    evaluation: &str,
    players: Vec<Box<dyn Player + '_>>,
    mut progress: impl FnMut(GenerateProgress) -> bool,
) -> Result<Manifest, GenerateError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| GenerateError::Io { path, source }
    };
    std::fs::create_dir_all(folder).map_err(io(folder))?;
    // The folder's other files are replaced now and then, and a lock would be lost with them.
    let lock_path = folder.join("generate.lock");
    let lock = AppendFile::open_exclusive(&lock_path).map_err(io(&lock_path))?;
    let _lock = lock.ok_or_else(|| GenerateError::InUse(folder.to_owned()))?;
    let mut manifest = open(folder, settings, evaluation)?;
    manifest.write(folder)?;
    let earlier = match &settings.earlier {
        Some(path) => read_earlier(path)?,
        None => Vec::new(),
    };
    let journal_path = folder.join("unfinished.journal");
    let (mut journal, kept) = Journal::open(&journal_path).map_err(io(&journal_path))?;
    let mut next_shard = manifest.shards.iter().map(|entry| entry.first_game + entry.games).max().unwrap_or(0);
    let mut waiting: BTreeMap<u64, Game> =
        kept.into_iter().filter(|&(number, _)| number >= next_shard && number < games).collect();

    let missing: Vec<u64> = (next_shard..games).filter(|number| !waiting.contains_key(number)).collect();
    let (next, stop, nodes) = (AtomicU64::new(0), AtomicBool::new(false), AtomicU64::new(0));
    let (sender, receiver) = crossbeam_channel::bounded::<(u64, Game)>(64);
    let start = Instant::now();
    let mut done = GenerateProgress { games: next_shard + waiting.len() as u64, ..GenerateProgress::default() };
    std::thread::scope(|scope| {
        for mut player in players {
            let sender = sender.clone();
            let (missing, next, stop, nodes, earlier) = (&missing, &next, &stop, &nodes, &earlier);
            scope.spawn(move || {
                while !stop.load(Relaxed) {
                    let Some(&number) = missing.get(next.fetch_add(1, Relaxed) as usize) else {
                        break;
                    };
                    let before = player.nodes();
                    let game = play(number, settings, earlier, &mut *player);
                    nodes.fetch_add(player.nodes() - before, Relaxed);
                    if sender.send((number, game)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut write = || -> Result<(), GenerateError> {
            finish_shards(folder, games, &mut next_shard, &mut waiting, &mut manifest, &mut journal)?;
            for (number, game) in &receiver {
                journal.append(number, &game).map_err(io(&journal_path))?;
                done.games += 1;
                done.positions += game.labelled() as u64;
                done.nodes = nodes.load(Relaxed);
                done.seconds = start.elapsed().as_secs_f64();
                waiting.insert(number, game);
                finish_shards(folder, games, &mut next_shard, &mut waiting, &mut manifest, &mut journal)?;
                if !progress(done) {
                    stop.store(true, Relaxed);
                }
            }
            Ok(())
        };
        let written = write();
        stop.store(true, Relaxed);
        // Unblocks the threads that wait to hand over a game.
        drop(receiver);
        written
    })?;
    Ok(manifest)
}

/// Writes every shard that is complete.
fn finish_shards(
    folder: &Path,
    games: u64,
    next_shard: &mut u64,
    waiting: &mut BTreeMap<u64, Game>,
    manifest: &mut Manifest,
    journal: &mut Journal,
) -> Result<(), GenerateError> {
    while *next_shard < games {
        let first = *next_shard;
        let end = (first + manifest.settings.games_per_shard.max(1)).min(games);
        if waiting.range(first..end).count() as u64 != end - first {
            return Ok(());
        }
        let rest = waiting.split_off(&end);
        let finished: Vec<Game> = std::mem::replace(waiting, rest).into_values().collect();
        let bytes = shard::encode(&finished).map_err(GenerateError::Game)?;
        let file = format!("{:06}.{}", manifest.shards.len(), shard::EXTENSION);
        let path = folder.join(&file);
        write_whole(&path, &bytes).map_err(|source| GenerateError::Io { path, source })?;
        manifest.shards.push(ShardEntry {
            file,
            first_game: first,
            games: end - first,
            positions: finished.iter().map(|game| game.labelled() as u64).sum(),
            bytes: bytes.len() as u64,
        });
        manifest.write(folder)?;
        let path = folder.join("unfinished.journal");
        journal
            .rewrite(waiting.iter().map(|(&number, game)| (number, game)))
            .map_err(|source| GenerateError::Io { path, source })?;
        *next_shard = end;
    }
    Ok(())
}

/// The folder's manifest, checked against what this run would do, or a new one.
fn open(folder: &Path, settings: &GenerateSettings, evaluation: &str) -> Result<Manifest, GenerateError> {
    let program = format!("hagane {}", env!("CARGO_PKG_VERSION"));
    let Some(manifest) = Manifest::read(folder)? else {
        let settings = settings.clone();
        return Ok(Manifest { program, evaluation: evaluation.to_owned(), settings, shards: Vec::new() });
    };
    let old = &manifest.settings;
    let what = if manifest.evaluation != evaluation {
        "evaluation"
    } else if old.seed != settings.seed {
        "seed"
    } else if (old.nodes, old.hash) != (settings.nodes, settings.hash) {
        "search (nodes or hash)"
    } else if old != settings {
        "choice of starts or endings"
    } else {
        return Ok(manifest);
    };
    Err(GenerateError::Different { folder: folder.to_owned(), what })
}

/// The games of the finished shards of a folder that others can branch off from.
fn read_earlier(folder: &Path) -> Result<Vec<Game>, GenerateError> {
    let without = |what| GenerateError::Earlier(folder.to_owned(), what);
    let shards = Manifest::read(folder)?.map_or(Vec::new(), |manifest| manifest.shards);
    if shards.is_empty() {
        return Err(without("no finished shards of earlier games"));
    }
    let mut games = Vec::new();
    for entry in shards {
        games.extend(shard::Shard::open(&folder.join(entry.file))?.read_all()?);
    }
    games.retain(|game| opening::even_plies(game).next().is_some());
    if games.is_empty() {
        return Err(without("no earlier game has an even position to branch off from"));
    }
    Ok(games)
}
