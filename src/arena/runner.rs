//! Runs a match: hands out the games, records the results, stops when the match is decided.

use std::collections::HashSet;
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Sender, never, select, unbounded};

use crate::client::Interrupt;
use crate::platform::scheduling;
use crate::platform::sync::Mutex;
use crate::platform::work_queue::WorkQueue;

use super::journal::{Journal, JournalError};
use super::machine::Machine;
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
    /// An engine's program cannot be executed.
    #[error("engine {0} {1}")]
    CannotStart(String, String),
    /// No machine is left that games can be played on; why the last one was lost.
    #[error("no machine is left: {0}")]
    NoMachine(String),
    /// Something that every game needs is broken.
    #[error("{0}")]
    Broken(String),
}

/// Why a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// All games are played.
    Complete,
    /// The sequential test has decided.
    Decided(Decision),
    /// It was interrupted, and can be resumed.
    Interrupted,
    /// These engines failed to start too often; their remaining games are skipped.
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
    /// The number of results from the state file.
    pub resumed: usize,
    /// The duration of this run in seconds.
    pub seconds: f64,
}

enum WorkerMessage {
    Finished(Box<(GameResult, Transcript)>),
    Fault(EngineFault),
    MachineLost(String),
    Broken(String),
}

/// What happens in a match.
#[derive(Debug)]
pub enum MatchEvent<'a> {
    /// A game has ended; all results so far.
    Game(&'a GameResult, &'a Tally),
    /// A machine can play no more games, and why.
    MachineLost(&'a str),
}

/// State shared by the workers.
struct Shared {
    todo: WorkQueue<u32>,
    /// Consecutive failures to start, by engine.
    start_failures: Mutex<Vec<u32>>,
    /// The number of failures that withdraws an engine.
    max_start_failures: u32,
}

impl Shared {
    fn withdrawn(&self, engine: usize) -> bool {
        self.start_failures.lock()[engine] >= self.max_start_failures
    }

    /// Counts failures to start, and resets the count of engines that did; a withdrawn engine stays withdrawn.
    fn count_start(&self, result: &GameResult) {
        let mut failures = self.start_failures.lock();
        let culprit = (result.reason == Reason::NoStart).then(|| result.faults.last()).flatten();
        match culprit {
            Some(fault) => failures[fault.engine] += 1,
            None => {
                for engine in result.players {
                    if failures[engine] < self.max_start_failures {
                        failures[engine] = 0;
                    }
                }
            }
        }
    }
}

/// Records the results: tally, file of games, state file.
struct Recorder<'a> {
    setup: &'a Match,
    tally: Tally,
    record: Option<RecordFile>,
    journal: Option<Journal>,
    stop: StopReason,
    failure: Option<ArenaError>,
    progress: &'a mut dyn FnMut(MatchEvent<'_>),
    /// Why a machine was lost.
    lost: Option<String>,
}

/// Plays a match. `progress` hears of every game.
///
/// # Errors
/// Unusable files, an engine that cannot be executed, no machine left to play on. Any later fault of an engine is
/// counted, and the match goes on.
pub fn run(
    setup: &Match,
    interrupt: &Interrupt,
    progress: &mut dyn FnMut(MatchEvent<'_>),
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
    let mut recorder =
        Recorder { setup, tally, record, journal, stop: StopReason::Complete, failure: None, progress, lost: None };
    let shared = Shared {
        todo: WorkQueue::new(todo),
        start_failures: Mutex::new(vec![0; setup.players.len()]),
        max_start_failures: setup.start_failures.max(1),
    };
    if !recorder.decide() {
        recorder.play(interrupt, &openings, &schedule, &shared);
    }
    if let Some(error) = recorder.failure {
        return Err(error);
    }
    if let (Some(why), StopReason::Complete, 1..) = (recorder.lost, &recorder.stop, shared.todo.waiting()) {
        return Err(ArenaError::NoMachine(why));
    }
    let withdrawn: Vec<usize> = (0..setup.players.len()).filter(|&engine| shared.withdrawn(engine)).collect();
    if recorder.stop == StopReason::Complete
        && recorder.tally.games < u64::from(schedule.len())
        && !withdrawn.is_empty()
    {
        recorder.stop = StopReason::Withdrawn(withdrawn);
    }
    Ok(MatchSummary {
        tally: recorder.tally,
        stop: recorder.stop,
        scheduled: schedule.len(),
        resumed: results.len(),
        seconds: start.elapsed().as_secs_f64(),
    })
}

impl Recorder<'_> {
    /// Runs the workers and takes their results until the match ends.
    fn play(&mut self, interrupt: &Interrupt, openings: &Openings, schedule: &Schedule, shared: &Shared) {
        let setup = self.setup;
        let (trigger, stopped) = Interrupt::new();
        // Dropped to end all games at once.
        let mut trigger = Some(trigger);
        let (sender, messages) = unbounded();
        thread::scope(|scope| {
            let machines = if setup.machines.is_empty() { &[Machine::Here][..] } else { &setup.machines };
            let workers = (0..setup.concurrency.max(1)).flat_map(|_| machines).enumerate();
            for (number, machine) in workers {
                let (sender, stopped) = (sender.clone(), stopped.clone());
                let spawned = thread::Builder::new().name(format!("game-{number}")).spawn_scoped(scope, move || {
                    scheduling::prefer_promptness();
                    if let Some(why) = machine.no_answer() {
                        let _ = sender.send(WorkerMessage::MachineLost(why));
                        return;
                    }
                    let worker = GameWorker::new(setup, openings, machine, stopped.clone());
                    work(worker, &stopped, shared, schedule, &sender);
                });
                if let Err(error) = spawned {
                    self.failure = Some(ArenaError::Broken(format!("no thread for a game: {error}")));
                    trigger = None;
                    break;
                }
            }
            drop(sender);
            // Replaces the interrupt's channel once it has fired, which would be ready for ever.
            let (deaf, mut interrupted) = (never(), interrupt.channel());
            loop {
                select! {
                    recv(messages) -> message => match message {
                        // Results after the end do not count: a resumed match plays such a game again.
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

    /// Takes a worker's message; `false` ends the match.
    fn take(&mut self, message: WorkerMessage) -> bool {
        let (mut result, transcript) = match message {
            WorkerMessage::Finished(finished) => *finished,
            WorkerMessage::Fault(fault) => {
                self.tally.add_fault(&fault);
                return true;
            }
            WorkerMessage::MachineLost(why) => {
                (self.progress)(MatchEvent::MachineLost(&why));
                self.lost = Some(why);
                return true;
            }
            WorkerMessage::Broken(error) => {
                self.failure.get_or_insert(ArenaError::Broken(error));
                return false;
            }
        };
        let cannot_start = |fault: &&EngineFault| fault.kind == FaultKind::CannotStart;
        if let Some(fault) = result.faults.iter().find(cannot_start) {
            let name = self.setup.players[fault.engine].name.clone();
            self.failure.get_or_insert(ArenaError::CannotStart(name, fault.detail.clone()));
            return false;
        }
        if let Err(error) = self.write(&mut result, &transcript) {
            self.failure.get_or_insert(error);
            return false;
        }
        self.tally.add(&result);
        (self.progress)(MatchEvent::Game(&result, &self.tally));
        !self.decide()
    }

    /// Whether the sequential test has decided the match.
    fn decide(&mut self) -> bool {
        let decision = self.setup.sprt.and_then(|sprt| sprt.decide(self.tally.llr().unwrap_or(0.0)));
        if let Some(decision) = decision {
            self.stop = StopReason::Decided(decision);
        }
        decision.is_some()
    }

    /// Writes the game's record first, then its line in the state file, which holds the end of the record.
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

/// The state file, the finished games in it, and the length of the file of games to keep.
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

/// Plays games until there are none left, or the machine fails.
fn work(
    mut worker: GameWorker<'_>,
    stopped: &Interrupt,
    shared: &Shared,
    schedule: &Schedule,
    sender: &Sender<WorkerMessage>,
) {
    while let Some(game) = shared.todo.take() {
        if stopped.has_fired() {
            shared.todo.give_back(game);
            shared.todo.close();
            break;
        }
        let job = schedule.game(game);
        if job.players.iter().any(|&engine| shared.withdrawn(engine)) {
            shared.todo.done();
            continue;
        }
        let message = match worker.play(&job) {
            Ok(Some(finished)) => {
                if let Some(why) = worker.machine_failure(&finished.0) {
                    shared.todo.give_back(game);
                    // What its engines do now is not their fault.
                    drop(worker);
                    let _ = sender.send(WorkerMessage::MachineLost(why));
                    return;
                }
                shared.count_start(&finished.0);
                WorkerMessage::Finished(Box::new(finished))
            }
            Ok(None) => {
                shared.todo.give_back(game);
                shared.todo.close();
                break;
            }
            Err(error) => WorkerMessage::Broken(error),
        };
        let sent = sender.send(message);
        shared.todo.done();
        if sent.is_err() {
            break;
        }
    }
    for fault in worker.finish() {
        let _ = sender.send(WorkerMessage::Fault(fault));
    }
}
