//! A match from beginning to end: hands out the games, writes down the results, knows when to stop.

use std::collections::HashSet;
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Sender, never, select, unbounded};

use crate::client::Interrupt;
use crate::platform::scheduling;
use crate::platform::sync::Mutex;

use super::journal::{Journal, JournalError};
use super::openings::{Openings, OpeningsError};
use super::record_file::RecordFile;
use super::result::{EngineFault, FaultKind, GameResult, Reason};
use super::schedule::Schedule;
use super::setup::{Match, Rules};
use super::statistics::Decision;
use super::tally::Tally;
use super::transcript::Transcript;
use super::worker::GameWorker;

/// Why a match could not be played.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// The openings.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// The state file.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file of games.
    #[error("file of games {0}: {1}")]
    Record(PathBuf, std::io::Error),
    /// An engine's program cannot be started at all.
    #[error("engine {0} {1}")]
    CannotStart(String, String),
    /// Something that every game needs does not work.
    #[error("{0}")]
    Broken(String),
}

/// Why a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// All games are played.
    Complete,
    /// The test has decided.
    Decided(Decision),
    /// It was interrupted, and can be resumed.
    Interrupted,
    /// These engines failed to start too often; their remaining games were not played.
    Withdrawn(Vec<usize>),
}

/// A finished match.
#[derive(Clone, Debug)]
pub struct MatchSummary {
    /// All results.
    pub tally: Tally,
    /// Why it ended.
    pub stop: StopReason,
    /// Games of the whole schedule.
    pub scheduled: u32,
    /// How many of the results came from the state file.
    pub resumed: usize,
    /// How long it took this time, seconds.
    pub seconds: f64,
}

enum WorkerMessage {
    Finished(Box<(GameResult, Transcript)>),
    Fault(EngineFault),
    Broken(String),
}

/// What the workers share.
struct Shared {
    todo: Mutex<std::vec::IntoIter<u32>>,
    /// By engine: how often in a row it failed to start.
    start_failures: Mutex<Vec<u32>>,
    /// So many failures withdraw an engine.
    too_often: u32,
}

impl Shared {
    fn withdrawn(&self, engine: usize) -> bool {
        self.start_failures.lock()[engine] >= self.too_often
    }

    /// Takes note of whether the engines of a game came up; a withdrawn engine stays withdrawn.
    fn note(&self, result: &GameResult) {
        let mut failures = self.start_failures.lock();
        let culprit = (result.reason == Reason::NoStart).then(|| result.faults.last()).flatten();
        match culprit {
            Some(blame) => failures[blame.engine] += 1,
            None => {
                for engine in result.players {
                    if failures[engine] < self.too_often {
                        failures[engine] = 0;
                    }
                }
            }
        }
    }
}

/// What is done with the results.
struct Recorder<'a> {
    setup: &'a Match,
    tally: Tally,
    record: Option<RecordFile>,
    journal: Option<Journal>,
    stop: StopReason,
    failure: Option<ArenaError>,
    progress: &'a mut dyn FnMut(&GameResult, &Tally),
}

/// Plays a match. `progress` hears of every finished game.
///
/// # Errors
/// Files that cannot be used, an engine that cannot be started at all. Whatever an engine does later is counted, and
/// the match goes on.
pub fn run(
    setup: &Match,
    interrupt: &Interrupt,
    progress: &mut dyn FnMut(&GameResult, &Tally),
) -> Result<MatchSummary, ArenaError> {
    let start = Instant::now();
    let openings = Openings::load(&setup.openings, matches!(setup.rules, Rules::Shogi(_)))?;
    let schedule = setup.schedule();
    let (journal, results, record_end) = open_journal(setup)?;
    let mut tally = Tally::new(setup);
    for result in &results {
        tally.add(result);
    }
    let record = open_record(setup, record_end)?;
    let done: HashSet<u32> = results.iter().map(|result| result.game).collect();
    let todo: Vec<u32> = (0..schedule.len()).filter(|game| !done.contains(game)).collect();
    let mut books = Recorder { setup, tally, record, journal, stop: StopReason::Complete, failure: None, progress };
    let shared = Shared {
        todo: Mutex::new(todo.into_iter()),
        start_failures: Mutex::new(vec![0; setup.players.len()]),
        too_often: setup.start_failures.max(1),
    };
    if !books.decide() {
        books.play(interrupt, &openings, &schedule, &shared);
    }
    if let Some(error) = books.failure {
        return Err(error);
    }
    let withdrawn: Vec<usize> = (0..setup.players.len()).filter(|&engine| shared.withdrawn(engine)).collect();
    if books.stop == StopReason::Complete && books.tally.games < u64::from(schedule.len()) && !withdrawn.is_empty() {
        books.stop = StopReason::Withdrawn(withdrawn);
    }
    Ok(MatchSummary {
        tally: books.tally,
        stop: books.stop,
        scheduled: schedule.len(),
        resumed: results.len(),
        seconds: start.elapsed().as_secs_f64(),
    })
}

impl Recorder<'_> {
    /// Has the games played and takes in the results, until all are played or something ends the match.
    fn play(&mut self, interrupt: &Interrupt, openings: &Openings, schedule: &Schedule, shared: &Shared) {
        let setup = self.setup;
        let (trigger, stopped) = Interrupt::new();
        // Dropped to end all games at once.
        let mut trigger = Some(trigger);
        let (sender, messages) = unbounded();
        thread::scope(|scope| {
            for number in 0..setup.concurrency.max(1) {
                let (sender, stopped) = (sender.clone(), stopped.clone());
                let spawned = thread::Builder::new().name(format!("game-{number}")).spawn_scoped(scope, move || {
                    scheduling::prefer_promptness();
                    let worker = GameWorker::new(setup, openings, stopped.clone());
                    work(worker, &stopped, shared, schedule, &sender);
                });
                if let Err(error) = spawned {
                    self.failure = Some(ArenaError::Broken(format!("no thread for a game: {error}")));
                    trigger = None;
                    break;
                }
            }
            drop(sender);
            // An interrupt that has done its work is not heard again.
            let (deaf, mut interrupted) = (never(), interrupt.channel());
            loop {
                select! {
                    recv(messages) -> message => match message {
                        // After the end nothing counts any more: a resumed match plays such a game again.
                        Ok(WorkerMessage::Finished(_)) if trigger.is_none() => {}
                        Ok(message) => {
                            if !self.take(message) {
                                trigger = None;
                            }
                        }
                        Err(_) => break,
                    },
                    recv(interrupted) -> _ => {
                        if trigger.take().is_some() {
                            self.stop = StopReason::Interrupted;
                        }
                        interrupted = &deaf;
                    }
                }
            }
        });
    }

    /// Takes in what a worker says; `false` ends the match.
    fn take(&mut self, message: WorkerMessage) -> bool {
        let (mut result, transcript) = match message {
            WorkerMessage::Finished(finished) => *finished,
            WorkerMessage::Fault(blame) => {
                self.tally.blame(&blame);
                return true;
            }
            WorkerMessage::Broken(error) => {
                self.failure.get_or_insert(ArenaError::Broken(error));
                return false;
            }
        };
        let cannot_start = |blame: &&EngineFault| blame.kind == FaultKind::CannotStart;
        if let Some(blame) = result.faults.iter().find(cannot_start) {
            let name = self.setup.players[blame.engine].name.clone();
            self.failure.get_or_insert(ArenaError::CannotStart(name, blame.detail.clone()));
            return false;
        }
        if let Err(error) = self.write(&mut result, &transcript) {
            self.failure.get_or_insert(error);
            return false;
        }
        self.tally.add(&result);
        (self.progress)(&result, &self.tally);
        !self.decide()
    }

    /// Whether the test has decided the match.
    fn decide(&mut self) -> bool {
        let decision = self.setup.sprt.and_then(|sprt| sprt.decide(self.tally.llr().unwrap_or(0.0)));
        if let Some(decision) = decision {
            self.stop = StopReason::Decided(decision);
        }
        decision.is_some()
    }

    /// First the game's record, then its line in the state file, which says where the record ends.
    fn write(&mut self, result: &mut GameResult, transcript: &Transcript) -> Result<(), ArenaError> {
        if let (Some(file), Some((path, _))) = (&mut self.record, &self.setup.record) {
            let names = result.players.map(|engine| self.setup.players[engine].name.as_str());
            result.record_end =
                file.add(names, result, transcript).map_err(|error| ArenaError::Record(path.clone(), error))?;
        }
        if let Some(journal) = &mut self.journal {
            journal.add(result)?;
        }
        Ok(())
    }
}

fn open_record(setup: &Match, keep: u64) -> Result<Option<RecordFile>, ArenaError> {
    let Some((path, format)) = &setup.record else {
        return Ok(None);
    };
    RecordFile::open(path, *format, keep).map(Some).map_err(|error| ArenaError::Record(path.clone(), error))
}

/// The state file, the finished games in it, and how much of the file of games to keep.
fn open_journal(setup: &Match) -> Result<(Option<Journal>, Vec<GameResult>, u64), ArenaError> {
    // Other matches may have written to the same file of games before.
    let length = |(path, _): &(PathBuf, _)| std::fs::metadata(path).map_or(0, |file| file.len());
    let record_start = setup.record.as_ref().map_or(0, length);
    let Some(path) = &setup.state else {
        return Ok((None, Vec::new(), record_start));
    };
    let identity = setup.identity();
    if setup.resume {
        let resumed = Journal::resume(path, &identity, record_start)?;
        return Ok((Some(resumed.journal), resumed.results, resumed.record_end));
    }
    let journal = Journal::create(path, &identity, record_start)?;
    Ok((Some(journal), Vec::new(), record_start))
}

/// Plays games as long as there are any.
fn work(
    mut worker: GameWorker<'_>,
    stopped: &Interrupt,
    shared: &Shared,
    schedule: &Schedule,
    sender: &Sender<WorkerMessage>,
) {
    loop {
        let next = shared.todo.lock().next();
        let Some(game) = next else {
            break;
        };
        if stopped.has_fired() {
            break;
        }
        let job = schedule.job(game);
        if job.players.iter().any(|&engine| shared.withdrawn(engine)) {
            continue;
        }
        let message = match worker.play(&job) {
            Ok(Some(finished)) => {
                shared.note(&finished.0);
                WorkerMessage::Finished(Box::new(finished))
            }
            Ok(None) => break,
            Err(error) => WorkerMessage::Broken(error),
        };
        if sender.send(message).is_err() {
            break;
        }
    }
    for blame in worker.finish() {
        let _ = sender.send(WorkerMessage::Fault(blame));
    }
}
