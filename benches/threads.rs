//! What a second thread is worth: nodes per second, the time to a depth, and the time to a solution.
//!
//! `cargo bench --bench threads`, or `-- DEPTH`, compares one thread and two on the positions of `hagane bench`. Each
//! is searched three times with two threads, as no two such searches are alike, and the median time counts.
//!
//! `-- SUITE SECONDS` measures how long one thread and two take to find the best move for good, in positions of a suite
//! (as `hagane bench --suite` reads it). The solution is the move that two threads play after four times SECONDS, which
//! favours them a little. Each position is searched from an empty table for 1/32 of SECONDS, √2 times as long, and so
//! on up to SECONDS. Each search that plays another move makes the time to the solution √2 times longer, starting from
//! the shortest. (It does not matter which searches these are: two threads never search alike twice, so a late miss
//! would count against them alone.) With two threads the mean of three tries counts. The first 40 positions count in
//! which either needs 50 ms or more and finds the solution at all; what both see at once tells nothing. Two quiet cores
//! are needed.

use std::time::Duration;

use hagane::clock::Clocks;
use hagane::engine::bench::{BenchOutcome, BenchSetup, run};
use hagane::engine::{BestMove, InProcess, suite};
use hagane::position::Position;
use hagane::search::Limits;
use hagane::types::{Depth, Move};

/// Searches with two threads of each position.
const TRIES: usize = 3;
/// Positions that count for the time to a solution.
const HARD: usize = 40;
/// Least time to the solution of a position that counts.
const AT_ONCE: Duration = Duration::from_millis(50);
/// Table in MiB.
const HASH: usize = 256;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match arguments.as_slice() {
        [] => to_depth(16),
        [depth] => to_depth(depth.parse().expect("a depth")),
        [suite, seconds] => {
            let text = std::fs::read_to_string(suite).expect("the suite can be read");
            let problems = suite::parse(&text).expect("the suite is one");
            let seconds = seconds.parse().expect("seconds");
            let positions = problems.iter().map(|problem| &problem.position);
            to_solution(positions, Duration::from_secs_f64(seconds));
        }
        _ => panic!("expected DEPTH, or SUITE SECONDS"),
    }
}

fn median<T: Copy + PartialOrd>(mut values: Vec<T>) -> T {
    values.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    values[values.len() / 2]
}

/// Prints the times with one thread and with two, and returns the gain.
fn gain(number: usize, alone: Duration, together: Duration) -> f64 {
    let gain = alone.as_secs_f64() / together.as_secs_f64();
    println!("{number:3}  {:8} ms  {:8} ms  x {gain:.2}", alone.as_millis(), together.as_millis());
    gain
}

fn to_depth(depth: Depth) {
    let (mut alone, mut together) = (BenchOutcome::default(), BenchOutcome::default());
    let times = |threads, sum: &mut BenchOutcome| {
        let setup = BenchSetup { depth, threads, hash: HASH, ..BenchSetup::default() };
        let mut times = Vec::new();
        let outcome = run(&setup, |_, outcome| times.push(outcome.time)).expect("the benchmark runs");
        sum.nodes += outcome.nodes;
        sum.time += outcome.time;
        times
    };
    let one = times(1, &mut alone);
    let tries: Vec<_> = (0..TRIES).map(|_| times(2, &mut together)).collect();
    let gains: Vec<f64> = (0..one.len())
        .map(|at| {
            let two = tries.iter().map(|times| times[at]).collect();
            gain(at + 1, one[at], median(two))
        })
        .collect();
    println!(
        "{} positions to depth {depth}: {} nodes/s with one thread, {} with two: x {:.2}; time to depth, median gain x {:.2}",
        gains.len(),
        alone.nps(),
        together.nps(),
        together.nps() as f64 / alone.nps() as f64,
        median(gains),
    );
}

fn to_solution<'a>(positions: impl Iterator<Item = &'a Position>, limit: Duration) {
    let (mut alone, mut together) = (engine(1), engine(2));
    let times: Vec<Duration> = (0..=10).map(|step| limit.mul_f64(2f64.powf(f64::from(step) / 2.0 - 5.0))).collect();
    let mut gains = Vec::new();
    for (number, position) in (1..).zip(positions) {
        let Some(solution) = played(&mut together, position, 4 * limit) else {
            continue;
        };
        let misses = |engine: &mut InProcess| {
            let misses = |&&time: &&Duration| played(engine, position, time) != Some(solution);
            times.iter().filter(misses).count() as f64
        };
        let after = |misses: f64| times[0].mul_f64(2f64.powf(misses / 2.0));
        let one = after(misses(&mut alone));
        let tries: f64 = (0..TRIES).map(|_| misses(&mut together)).sum();
        let two = after(tries / TRIES as f64);
        if one.max(two) >= AT_ONCE && one.min(two) <= limit {
            gains.push(gain(number, one, two));
        }
        if gains.len() == HARD {
            break;
        }
    }
    let mean = gains.iter().map(|gain| gain.ln()).sum::<f64>() / gains.len() as f64;
    println!(
        "{} positions: time to solution, median gain x {:.2}, geometric mean x {:.2}",
        gains.len(),
        median(gains),
        mean.exp(),
    );
}

/// An engine that is ready.
fn engine(threads: usize) -> InProcess {
    let (threads, hash) = (threads.to_string(), HASH.to_string());
    let options = [("Threads", threads.as_str()), ("USI_Hash", &hash), ("PvInterval", "0")];
    let mut engine = InProcess::new(options).expect("an option");
    engine.ready().expect("the engine answers");
    engine
}

/// The move played after a search from an empty table for a time; `None` if there is none.
fn played(engine: &mut InProcess, position: &Position, time: Duration) -> Option<Move> {
    engine.engine.new_game();
    let limits = Limits { clocks: Clocks { move_time: Some(time), ..Clocks::default() }, ..Limits::default() };
    match engine.search(position.clone(), limits, |_| {}).expect("the engine answers") {
        BestMove::Move { best, .. } => Some(best),
        _ => None,
    }
}
