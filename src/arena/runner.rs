//! A match from beginning to end: hands out the games, writes down the results, knows when to stop.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Sender, select, unbounded};

use crate::client::Interrupt;

use super::journal::{Journal, JournalError};
use super::openings::{Openings, OpeningsError};
use super::result::{Blame, FaultKind, GameResult};
use super::schedule::Schedule;
use super::setup::{Match, Rules};
use super::statistics::Decision;
use super::tally::Tally;
use super::transcript::{Transcript, TranscriptFile};
use super::worker::Worker;

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
pub enum Stop {
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
pub struct Summary {
    /// All results.
    pub tally: Tally,
    /// Why it ended.
    pub stop: Stop,
    /// Games of the whole schedule.
    pub scheduled: u32,
    /// How many of the results came from the state file.
    pub resumed: usize,
    /// How long it took this time, seconds.
    pub seconds: f64,
}

enum Message {
    Finished(Box<(GameResult, Transcript)>),
    Blame(Blame),
    Broken(String),
}

/// What the workers share.
struct Shared {
    todo: Mutex<std::vec::IntoIter<u32>>,
    withdrawn: Mutex<Vec<usize>>,
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
) -> Result<Summary, ArenaError> {
    let start = Instant::now();
    let openings = Openings::load(&setup.openings, matches!(setup.rules, Rules::Shogi(_)))?;
    let schedule = setup.schedule();
    let (mut journal, results) = open_journal(setup)?;
    let mut tally = Tally::new(setup);
    for result in &results {
        tally.add(result);
    }
    let mut record = match &setup.record {
        None => None,
        Some((path, format)) => {
            let kept = results
                .iter()
                .map(|result| result.record_end)
                .max()
                .unwrap_or(0);
            // A resumed match owns the file; a new one appends to what others wrote.
            let keep = (!results.is_empty()).then_some(kept);
            Some(
                TranscriptFile::open(path, *format, keep)
                    .map_err(|error| ArenaError::Record(path.clone(), error))?,
            )
        }
    };
    let done: std::collections::HashSet<u32> = results.iter().map(|result| result.game).collect();
    let todo: Vec<u32> = (0..schedule.len())
        .filter(|game| !done.contains(game))
        .collect();
    let decided = |tally: &Tally| {
        setup
            .sprt
            .and_then(|sprt| sprt.decide(tally.llr().unwrap_or(0.0)))
    };
    let shared = Shared {
        todo: Mutex::new(todo.into_iter()),
        withdrawn: Mutex::new(Vec::new()),
    };
    let mut stop = decided(&tally).map_or(Stop::Complete, Stop::Decided);
    let mut failure = None;
    let (trigger, stopped) = Interrupt::new();
    // Dropped to end all games at once.
    let mut trigger = Some(trigger);
    let (sender, messages) = unbounded();
    if stop == Stop::Complete {
        thread::scope(|scope| {
            for number in 0..setup.concurrency.max(1) {
                let (sender, stopped) = (sender.clone(), stopped.clone());
                let (shared, schedule, openings) = (&shared, &schedule, &openings);
                let spawned = thread::Builder::new()
                    .name(format!("game-{number}"))
                    .spawn_scoped(scope, move || {
                        let worker = Worker::new(setup, openings, stopped.clone());
                        work(worker, &stopped, shared, schedule, &sender);
                    });
                if let Err(error) = spawned {
                    failure = Some(ArenaError::Broken(format!("no thread for a game: {error}")));
                    trigger = None;
                    break;
                }
            }
            drop(sender);
            let mut start_failures = vec![0; setup.players.len()];
            loop {
                let message = select! {
                    recv(messages) -> message => match message {
                        Ok(message) => message,
                        Err(_) => break,
                    },
                    recv(interrupt.channel()) -> _ => {
                        if stop == Stop::Complete {
                            stop = Stop::Interrupted;
                        }
                        trigger = None;
                        // The games end; what their workers still have to say is waited for.
                        match messages.recv() {
                            Ok(message) => message,
                            Err(_) => break,
                        }
                    }
                };
                let (mut result, transcript) = match message {
                    Message::Finished(finished) => *finished,
                    Message::Blame(blame) => {
                        tally.blame(&blame);
                        continue;
                    }
                    Message::Broken(error) => {
                        failure.get_or_insert(ArenaError::Broken(error));
                        trigger = None;
                        continue;
                    }
                };
                if trigger.is_none() {
                    // After the decision nothing counts; a resumed match plays the game again.
                    continue;
                }
                for blame in &result.faults {
                    match blame.kind {
                        FaultKind::CannotStart => {
                            failure.get_or_insert(ArenaError::CannotStart(
                                setup.players[blame.engine].name.clone(),
                                blame.detail.clone(),
                            ));
                            trigger = None;
                        }
                        FaultKind::NoUsiok | FaultKind::NoReadyok => {
                            start_failures[blame.engine] += 1;
                            if start_failures[blame.engine] >= setup.start_failures.max(1) {
                                let mut withdrawn = shared
                                    .withdrawn
                                    .lock()
                                    .unwrap_or_else(PoisonError::into_inner);
                                if !withdrawn.contains(&blame.engine) {
                                    withdrawn.push(blame.engine);
                                }
                            }
                        }
                        _ => {}
                    }
                }
                if trigger.is_none() {
                    continue;
                }
                for engine in result.players {
                    if !result.faults.iter().any(|blame| blame.engine == engine) {
                        start_failures[engine] = 0;
                    }
                }
                if let Err(error) = write(
                    setup,
                    &mut result,
                    &transcript,
                    record.as_mut(),
                    journal.as_mut(),
                ) {
                    failure.get_or_insert(error);
                    trigger = None;
                    continue;
                }
                tally.add(&result);
                progress(&result, &tally);
                if let Some(decision) = decided(&tally) {
                    stop = Stop::Decided(decision);
                    trigger = None;
                }
            }
        });
    }
    if let Some(error) = failure {
        return Err(error);
    }
    let withdrawn = shared
        .withdrawn
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    if stop == Stop::Complete && !withdrawn.is_empty() {
        stop = Stop::Withdrawn(withdrawn);
    }
    Ok(Summary {
        tally,
        stop,
        scheduled: schedule.len(),
        resumed: results.len(),
        seconds: start.elapsed().as_secs_f64(),
    })
}

fn open_journal(setup: &Match) -> Result<(Option<Journal>, Vec<GameResult>), ArenaError> {
    let Some(path) = &setup.state else {
        return Ok((None, Vec::new()));
    };
    let identity = setup.identity();
    Ok(if setup.resume {
        let (journal, results) = Journal::resume(path, &identity)?;
        (Some(journal), results)
    } else {
        (Some(Journal::create(path, &identity)?), Vec::new())
    })
}

fn write(
    setup: &Match,
    result: &mut GameResult,
    transcript: &Transcript,
    record: Option<&mut TranscriptFile>,
    journal: Option<&mut Journal>,
) -> Result<(), ArenaError> {
    if let (Some(file), Some((path, _))) = (record, &setup.record) {
        let names = result
            .players
            .map(|engine| setup.players[engine].name.as_str());
        result.record_end = file
            .add(names, result, transcript)
            .map_err(|error| ArenaError::Record(path.clone(), error))?;
    }
    if let Some(journal) = journal {
        journal.add(result)?;
    }
    Ok(())
}

/// Plays games as long as there are any.
fn work(
    mut worker: Worker<'_>,
    stopped: &Interrupt,
    shared: &Shared,
    schedule: &Schedule,
    sender: &Sender<Message>,
) {
    loop {
        let next = shared
            .todo
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .next();
        let Some(game) = next else {
            break;
        };
        if stopped.has_fired() {
            break;
        }
        let job = schedule.job(game);
        let withdrawn = shared
            .withdrawn
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if job.players.iter().any(|player| withdrawn.contains(player)) {
            continue;
        }
        drop(withdrawn);
        let message = match worker.play(&job) {
            Ok(Some(finished)) => Message::Finished(Box::new(finished)),
            Ok(None) => break,
            Err(error) => Message::Broken(error),
        };
        if sender.send(message).is_err() {
            break;
        }
    }
    for blame in worker.finish() {
        let _ = sender.send(Message::Blame(blame));
    }
}
