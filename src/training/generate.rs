//! Self-play: games that the engine plays against itself, with the score of every move.
//!
//! Every game has its own random numbers (from the run's seed and its number), its own table and a fresh worker, so a
//! game depends on nothing but the seed, its number and the settings: any number of threads makes the same shards, and
//! a run that was killed goes on where it stopped.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::game::{Ending, Game};
use super::harvest::{self, Harvest, Played};
use super::journal::Journal;
use super::manifest::{Entry, Manifest, ManifestError};
use super::opening::{self, Shares};
use super::shard;
use crate::platform::random::Random;
use crate::position::{EnteringKingRule, Position, Repetition};
use crate::tt::TranspositionTable;
use crate::types::{Color, Move, Score};

/// How games are made. Everything that changes a game's moves is in here.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The seed of all random numbers.
    pub seed: u64,
    /// Nodes after which a search ends with its iteration.
    pub nodes: u64,
    /// The deepest iteration, 0 for no limit.
    pub depth: i32,
    /// The transposition table of a game, in MB.
    pub hash: usize,
    /// Games a shard.
    pub games_per_shard: u64,
    /// The kinds of starts.
    pub shares: Shares,
    /// The folder whose games [`Shares::own_games`] and [`Shares::middles`] branch off from.
    pub earlier: Option<PathBuf>,
    /// A game is decided once the scores of both sides have agreed for six plies that one is ahead by this much.
    pub decided: i32,
    /// The share of games that is played to its end instead.
    pub to_the_end: f32,
    /// Nodes of a mate search before each move, 0 for none: who has a mate has won, whatever would have been played.
    #[serde(default)]
    pub mates: u64,
    /// A game is a draw after this many plies.
    pub longest: usize,
    /// What is kept of the searches' trees: records beside each shard.
    #[serde(default)]
    pub harvest: harvest::Settings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            nodes: 1000,
            depth: 0,
            hash: 8,
            games_per_shard: 500,
            shares: Shares {
                own_games: 0.2,
                handicap: 0.05,
                entering_king: 0.05,
                sound: 0.0,
                castles: 0.0,
                middles: 0.0,
            },
            earlier: None,
            decided: 1800,
            to_the_end: 0.25,
            mates: 0,
            longest: 320,
            harvest: harvest::Settings::default(),
        }
    }
}

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
    /// The folder's manifest cannot be used.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A shard of the earlier games cannot be read.
    #[error(transparent)]
    Shard(#[from] shard::ShardError),
    /// The folder holds games made otherwise.
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
    /// Something else that cannot be set up (a table's memory).
    #[error("{0}")]
    Setup(String),
}

/// Chooses moves: the engine's search in earnest, anything in tests.
pub trait Thinker: Send {
    /// Prepares for another game: what was learnt from the last one is forgotten.
    fn new_game(&mut self);
    /// The best of some legal moves and its score for the side to move; `None` where there are none.
    fn choose(&mut self, position: &Position, among: &[Move]) -> Option<(Move, Score)>;
    /// The best of all legal moves and its score for the side to move; `None` where there is no legal move.
    fn think(&mut self, position: &Position) -> Option<(Move, Score)> {
        self.choose(position, &position.legal_moves())
    }
    /// Whether the side to move is known to have a mate.
    fn mates(&mut self, _position: &Position) -> bool {
        false
    }
    /// Nodes searched since it was made.
    fn nodes(&self) -> u64;
    /// The moves that it expects from the position it was last asked about, its choice first, as far as it says.
    fn line(&self) -> &[Move] {
        &[]
    }
    /// What its searches have left behind, where it has a table.
    fn table(&self) -> Option<&TranspositionTable> {
        None
    }
}

/// What a run has done so far, for its display.
#[derive(Clone, Copy, Default, Debug)]
pub struct Progress {
    /// Games finished in all, those of earlier runs included.
    pub games: u64,
    /// Positions with a score made by this run.
    pub positions: u64,
    /// Nodes searched by this run.
    pub nodes: u64,
    /// Seconds this run has taken.
    pub seconds: f64,
}

/// Plays one game.
pub fn play(number: u64, settings: &Settings, earlier: &[Game], thinker: &mut dyn Thinker) -> Played {
    let mut random = Random::for_item(settings.seed, number);
    let mut harvest = Harvest::new(settings.harvest, settings.seed, number);
    let to_the_end = random.chance(settings.to_the_end);
    // The kind is kept when a start is refused, so that the shares are.
    let kind = opening::Kind::draw(&mut random, &settings.shares, earlier);
    for attempt in 0.. {
        let opening = opening::draw(&mut random, kind, earlier, thinker);
        thinker.new_game();
        harvest.begin();
        let mut position = opening.position;
        let mut game = Game {
            start: opening.start,
            given: opening.given.len(),
            moves: opening.given,
            scores: Vec::new(),
            winner: None,
            ending: Ending::Length,
        };
        // Plies in a row that one side was far ahead (positive: Black), and that neither was.
        let (mut ahead, mut even) = (0i32, 0);
        loop {
            let side = position.side_to_move();
            let ended = ending(&position, game.moves.len(), settings);
            if let Some((winner, ending)) = ended {
                (game.winner, game.ending) = (winner, ending);
                break;
            }
            if !game.scores.is_empty() && thinker.mates(&position) {
                (game.winner, game.ending) = (Some(side), Ending::Proven);
                break;
            }
            let Some((played, score)) = thinker.think(&position) else {
                (game.winner, game.ending) = (Some(!side), Ending::Mate);
                break;
            };
            if game.scores.is_empty() && score.0.abs() > opening.score_limit && attempt < 20 {
                break;
            }
            let score = score.0.clamp(-i32::from(i16::MAX), i32::from(i16::MAX));
            game.moves.push(played);
            game.scores.push(score as i16);
            harvest.read(&position, thinker.table());
            position.do_move(played);
            let for_black = if side == Color::Black { score } else { -score };
            ahead = match for_black.abs() >= settings.decided {
                true if ahead.signum() == for_black.signum() => ahead + ahead.signum(),
                true => for_black.signum(),
                false => 0,
            };
            even = if score.abs() <= 10 { even + 1 } else { 0 };
            if to_the_end {
                continue;
            }
            if ahead.abs() >= 6 {
                let winner = if ahead > 0 { Color::Black } else { Color::White };
                (game.winner, game.ending) = (Some(winner), Ending::Score);
                break;
            }
            if even >= 12 && game.moves.len() > 80 {
                game.ending = Ending::Even;
                break;
            }
        }
        if !game.scores.is_empty() {
            let records = harvest.records;
            return Played { game, records };
        }
    }
    unreachable!("the loop only ends with a game")
}

/// Whether the rules have ended the game before the next move, and who won.
fn ending(position: &Position, plies: usize, settings: &Settings) -> Option<(Option<Color>, Ending)> {
    let side = position.side_to_move();
    if position.declaration(EnteringKingRule::CSARule27).is_some() {
        return Some((Some(side), Ending::Declaration));
    }
    match position.repetition() {
        Some(Repetition::Win) => return Some((Some(side), Ending::Repetition)),
        Some(Repetition::Loss) => return Some((Some(!side), Ending::Repetition)),
        Some(_) => return Some((None, Ending::Repetition)),
        None => {}
    }
    (plies >= settings.longest).then_some((None, Ending::Length))
}

/// Plays games `0..games` into a folder, on as many threads as there are thinkers; games that are there are kept.
///
/// `progress` is called after every game; when it returns false, the run ends with what is finished.
pub fn run(
    folder: &Path,
    games: u64,
    settings: &Settings,
    evaluation: &str,
    thinkers: Vec<Box<dyn Thinker + '_>>,
    mut progress: impl FnMut(Progress) -> bool,
) -> Result<Manifest, GenerateError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| GenerateError::Io { path, source }
    };
    std::fs::create_dir_all(folder).map_err(io(folder))?;
    let mut manifest = open(folder, settings, evaluation)?;
    manifest.write(folder)?;
    let earlier = match &settings.earlier {
        Some(path) => read_earlier(path)?,
        None => Vec::new(),
    };
    if settings.shares.middles > 0.0 && earlier.iter().all(|game| opening::middles(game).next().is_none()) {
        return Err(GenerateError::Setup("no earlier game has even positions in its midst to begin from".to_owned()));
    }
    let journal_path = folder.join("unfinished.journal");
    let (mut journal, kept) = Journal::open(&journal_path).map_err(io(&journal_path))?;
    let mut next_shard = manifest.shards.iter().map(|entry| entry.first_game + entry.games).max().unwrap_or(0);
    let mut waiting: BTreeMap<u64, Played> =
        kept.into_iter().filter(|&(number, _)| number >= next_shard && number < games).collect();

    let missing: Vec<u64> = (next_shard..games).filter(|number| !waiting.contains_key(number)).collect();
    let (next, stop, nodes) = (AtomicU64::new(0), AtomicBool::new(false), AtomicU64::new(0));
    let (sender, receiver) = crossbeam_channel::bounded::<(u64, Played)>(64);
    let start = Instant::now();
    let mut done = Progress { games: next_shard + waiting.len() as u64, ..Progress::default() };
    std::thread::scope(|scope| {
        for mut thinker in thinkers {
            let sender = sender.clone();
            let (missing, next, stop, nodes, earlier) = (&missing, &next, &stop, &nodes, &earlier);
            scope.spawn(move || {
                while !stop.load(Relaxed) {
                    let Some(&number) = missing.get(next.fetch_add(1, Relaxed) as usize) else {
                        break;
                    };
                    let before = thinker.nodes();
                    let played = play(number, settings, earlier, &mut *thinker);
                    nodes.fetch_add(thinker.nodes() - before, Relaxed);
                    if sender.send((number, played)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut write = || -> Result<(), GenerateError> {
            finish_shards(folder, games, &mut next_shard, &mut waiting, &mut manifest, &mut journal)?;
            for (number, played) in &receiver {
                journal.append(number, &played).map_err(io(&journal_path))?;
                done.games += 1;
                done.positions += played.game.labelled() as u64;
                done.nodes = nodes.load(Relaxed);
                done.seconds = start.elapsed().as_secs_f64();
                waiting.insert(number, played);
                finish_shards(folder, games, &mut next_shard, &mut waiting, &mut manifest, &mut journal)?;
                if !progress(done) {
                    stop.store(true, Relaxed);
                }
            }
            Ok(())
        };
        let written = write();
        stop.store(true, Relaxed);
        // Threads that wait to hand over a game are let go.
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
    waiting: &mut BTreeMap<u64, Played>,
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
        let (finished, records): (Vec<Game>, Vec<Vec<u8>>) =
            std::mem::replace(waiting, rest).into_values().map(|played| (played.game, played.records)).unzip();
        let write = |extension: &str, bytes: &[u8]| {
            let file = format!("{:06}.{extension}", manifest.shards.len());
            let path = folder.join(&file);
            match shard::write_whole(&path, bytes) {
                Ok(()) => Ok(file),
                Err(source) => Err(GenerateError::Io { path, source }),
            }
        };
        if manifest.settings.harvest.least > 0 {
            write("psv", &records.concat())?;
        }
        let bytes = shard::encode(&finished).map_err(GenerateError::Game)?;
        let file = write(shard::EXTENSION, &bytes)?;
        manifest.shards.push(Entry {
            file,
            first_game: first,
            games: end - first,
            positions: finished.iter().map(|game| game.labelled() as u64).sum(),
            bytes: bytes.len() as u64,
        });
        manifest.write(folder)?;
        let path = folder.join("unfinished.journal");
        journal
            .rewrite(waiting.iter().map(|(&number, played)| (number, played)))
            .map_err(|source| GenerateError::Io { path, source })?;
        *next_shard = end;
    }
    Ok(())
}

/// The folder's manifest, checked against what this run would do, or a new one.
fn open(folder: &Path, settings: &Settings, evaluation: &str) -> Result<Manifest, GenerateError> {
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
    } else if (old.nodes, old.depth, old.hash) != (settings.nodes, settings.depth, settings.hash) {
        "search (nodes, depth or hash)"
    } else if old.harvest != settings.harvest {
        "choice of tree positions (--tree, --tree-share)"
    } else if old != settings {
        "choice of starts or endings"
    } else {
        return Ok(manifest);
    };
    Err(GenerateError::Different { folder: folder.to_owned(), what })
}

/// All games of the finished shards of a folder.
fn read_earlier(folder: &Path) -> Result<Vec<Game>, GenerateError> {
    let shards = Manifest::read(folder)?.map_or(Vec::new(), |manifest| manifest.shards);
    if shards.is_empty() {
        let folder = folder.display();
        return Err(GenerateError::Setup(format!("{folder} holds no finished shards of earlier games")));
    }
    let mut games = Vec::new();
    for entry in shards {
        games.extend(shard::Shard::open(&folder.join(entry.file))?.read_all()?);
    }
    Ok(games)
}
