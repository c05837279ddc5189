//! Problems solved by engines in other processes, on this machine or others: `go mate`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::input::Problem;
use super::result::ProblemResult;
use super::settings::SolveSettings;
use crate::client::{Client, ClientError, EngineSpec, Info, Interrupt, MateAnswer};
use crate::mate::{FutileInterpositions, MateLength, MateSettings, Solver};
use crate::platform::sync::Mutex;
use crate::platform::work_queue::WorkQueue;
use crate::position::Position;
use crate::types::Move;

/// Engines that a problem may cost before it is given up.
const FAILURES: usize = 3;
/// How long an answer may take beyond the limit of time.
const GRACE: Duration = Duration::from_secs(10);
/// How often a search looks whether it is to be stopped.
const LOOK: Duration = Duration::from_millis(100);

/// The engines and what they share.
pub(super) struct Crew<'a> {
    pub(super) work: &'a SolveSettings,
    pub(super) stop: &'a AtomicBool,
    /// Takes a result; `false` ends the batch.
    pub(super) take: &'a (dyn Fn(usize, ProblemResult) -> bool + Sync),
    /// Hears of engines that fail, one sentence each.
    pub(super) warn: &'a (dyn Fn(String) + Sync),
}

/// A problem in the queue.
struct Task<'a> {
    number: usize,
    problem: &'a Problem,
    /// How many engines have failed at it.
    failures: usize,
}

/// What came of a problem.
enum Outcome {
    Solved(Box<ProblemResult>),
    Stopped,
}

impl Crew<'_> {
    /// Solves problems, given with their numbers; returns why some are left where no engine is.
    pub(super) fn solve(&self, problems: Vec<(usize, &Problem)>) -> Option<String> {
        let tasks = problems.into_iter().map(|(number, problem)| Task { number, problem, failures: 0 });
        let queue = WorkQueue::new(tasks);
        let failure = Mutex::new(None);
        let most = queue.waiting();
        std::thread::scope(|scope| {
            let workers = (0..self.work.jobs.max(1)).flat_map(|_| &self.work.engines).take(most);
            for spec in workers {
                let (queue, failure) = (&queue, &failure);
                scope.spawn(move || {
                    if let Err(why) = self.serve(spec, queue) {
                        (self.warn)(format!("{why}; its work goes to the others"));
                        *failure.lock() = Some(why);
                    }
                });
            }
        });
        let left = queue.waiting() > 0 && !self.stop.load(Ordering::Relaxed);
        failure.into_inner().filter(|_| left)
    }

    /// One engine takes problem after problem, until none is left or it fails for good.
    fn serve(&self, spec: &EngineSpec, queue: &WorkQueue<Task<'_>>) -> Result<(), String> {
        let mut client = None;
        while let Some(mut task) = queue.take() {
            if self.stop.load(Ordering::Relaxed) {
                queue.give_back(task);
                queue.close();
                break;
            }
            let started = match client.take() {
                Some(client) => Ok(client),
                None => start(spec),
            };
            let mut engine = match started {
                Ok(engine) => engine,
                Err(error) => {
                    queue.give_back(task);
                    return Err(format!("{}: {error}", spec.command()));
                }
            };
            match self.ask(&mut engine, task.problem) {
                Ok(Outcome::Solved(result)) => {
                    client = Some(engine);
                    let goes_on = (self.take)(task.number, *result);
                    queue.done();
                    if !goes_on {
                        queue.close();
                    }
                }
                Ok(Outcome::Stopped) => {
                    queue.done();
                    queue.close();
                }
                Err(error) => {
                    task.failures += 1;
                    if task.failures == FAILURES {
                        let mut row = ProblemResult::unsolved(task.problem, self.work);
                        row.verdict = "error".into();
                        row.solution = format!("{FAILURES} engines failed at it, the last: {error}");
                        (self.take)(task.number, row);
                        queue.done();
                    } else {
                        (self.warn)(format!("{} at problem {}: {error}", spec.command(), task.problem.id));
                        queue.give_back(task);
                    }
                }
            }
        }
        if let Some(client) = client {
            // One that does not end by itself is killed.
            let _ = client.quit();
        }
        Ok(())
    }

    /// Asks one problem of an engine.
    fn ask(&self, client: &mut Client, problem: &Problem) -> Result<Outcome, ClientError> {
        let mut row = ProblemResult::unsolved(problem, self.work);
        let Ok(position) = &problem.position else {
            return Ok(Outcome::Solved(Box::new(row)));
        };
        let settings = &self.work.settings;
        client.position(&format!("sfen {}", problem.sfen))?;
        client.follow(true);
        let mut arguments = match settings.time {
            Some(time) => format!("mate {}", time.as_millis()),
            None => "mate infinite".to_owned(),
        };
        if let Some(nodes) = settings.nodes {
            arguments += &format!(" nodes {nodes}");
        }
        let start = client.go(&arguments)?;
        let mut until = settings.time.and_then(|time| start.checked_add(time + GRACE));
        let mut stopped = false;
        let (at, answer) = loop {
            if self.stop.load(Ordering::Relaxed) && !stopped {
                stopped = true;
                client.stop()?;
                until = Some(Instant::now() + GRACE);
            }
            if until.is_some_and(|until| Instant::now() > until) {
                return Err(crate::client::Fault::NoBestmove(GRACE).into());
            }
            let Some((at, line)) = client.next_line(LOOK)? else {
                continue;
            };
            if let Some(rest) = line.strip_prefix("info ") {
                let info = Info::parse(rest);
                row.nodes = info.nodes.unwrap_or(row.nodes);
            } else if let Some(answer) = MateAnswer::of_line(&line) {
                break (at, answer);
            }
        };
        row.ms = (at - start).as_secs_f64() * 1000.0;
        // What ended before its limits was not cut short by them.
        let in_time = settings.time.is_none_or(|time| at - start < time.mul_f64(0.85));
        let in_nodes = settings.nodes.is_none_or(|nodes| row.nodes < nodes);
        let complete = !stopped && in_time && in_nodes;
        match answer {
            MateAnswer::NoMate => row.verdict = "nomate".into(),
            MateAnswer::Unknown => row.verdict = "unknown".into(),
            MateAnswer::NotImplemented => {
                row.verdict = "error".into();
                row.solution = "the engine solves no mates".into();
            }
            MateAnswer::Mate(moves) => match mate_of(position, &moves) {
                Ok(length) => {
                    row.verdict = "mate".into();
                    row.length = Some(length);
                    row.shortest = complete && settings.length == MateLength::Exact;
                    row.solution = moves;
                }
                Err(why) => {
                    row.verdict = "error".into();
                    row.solution = format!("the engine's mate is none: {why}");
                }
            },
        }
        if stopped && row.verdict != "mate" {
            return Ok(Outcome::Stopped);
        }
        if row.verdict == "unknown" || (row.verdict == "mate" && !row.answers(self.work) && !stopped) {
            row.asked = self.work.asked();
        }
        Ok(Outcome::Solved(Box::new(row)))
    }
}

fn start(spec: &EngineSpec) -> Result<Client, ClientError> {
    // A stop is looked for between lines.
    let mut client = Client::start(spec, &Interrupt::never())?;
    client.ready()?;
    client.new_game()?;
    Ok(client)
}

/// The plies of a line of moves that ends in mate.
///
/// # Errors
/// What is wrong with it: a word that is no move, an illegal move, no mate at its end.
pub fn mate_of(position: &Position, moves: &str) -> Result<usize, String> {
    let mut position = position.clone();
    let mut length = 0;
    for word in moves.split_whitespace() {
        let mv: Move = word.parse().map_err(|_| format!("'{word}' is no move"))?;
        position.check_move(mv).map_err(|error| format!("{word}: {error}"))?;
        position.do_move(mv);
        length += 1;
    }
    // Interpositions that are futile by some convention may be left.
    let settings = MateSettings { futile: FutileInterpositions::Any, ..MateSettings::default() };
    let mated = || {
        let attacker = !position.side_to_move();
        let (mut solver, never) = (Solver::new(1), AtomicBool::new(false));
        solver.examine(&position, attacker, &settings, &never, |examiner| examiner.is_mate_within(&position, 0))
    };
    if position.in_check() && mated() == Some(true) { Ok(length) } else { Err(format!("{moves} ends without mate")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_verified() {
        let position = Position::from_sfen("7k1/9/7GP/9/9/9/9/9/9 b G 1").unwrap();
        assert_eq!(mate_of(&position, "G*2b"), Ok(1));
        // The lance mates though every square between is open to futile drops.
        let distant = Position::from_sfen("7l1/7pk/9/9/8+P/9/9/9/8L b 2r2b4g4s4n2l16p 1").unwrap();
        assert_eq!(mate_of(&distant, "1e2d"), Ok(1));
        for (moves, word) in [("G*5e", "without mate"), ("G*2a", "2a"), ("P*2b", "P*2b"), ("here", "no move")] {
            assert!(mate_of(&position, moves).unwrap_err().contains(word), "{moves}");
        }
    }
}
