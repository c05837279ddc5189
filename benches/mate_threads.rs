//! What a second thread is worth to the mate solver.
//!
//! `cargo bench --bench mate_threads -- PROBLEMS`, or `-- PROBLEMS exact` for the proven shortest mate, solves each
//! problem of a file (as `hagane mate` reads it) with one thread, two, two and one, each time from an empty table. Those
//! problems count that all four solve within two minutes (a proof that there is no mate is a solution), and both with one
//! thread in no less than five seconds; the mean of each pair is taken. The first twenty that count are enough, and their
//! median is the result. Two quiet cores are needed.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use hagane::mate::{MateLength, MateSettings, MateSolution, MateVerdict, Solver};
use hagane::position::Position;
use hagane::tsume;

/// Problems that count, at most.
const HARD: usize = 20;
/// Least time with one thread of a problem that counts.
const LEAST: Duration = Duration::from_secs(5);
/// Most time for one solution.
const MOST: Duration = Duration::from_secs(120);
/// Table in MiB.
const HASH: usize = 1024;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let (file, length) = match arguments.as_slice() {
        [] => return println!("no problems are given"),
        [file] => (file, MateLength::First),
        [file, length] if length == "exact" => (file, MateLength::Exact),
        _ => panic!("expected PROBLEMS, or PROBLEMS exact"),
    };
    let input = tsume::read(std::slice::from_ref(file)).expect("the problems can be read");
    let position = |problem: &tsume::Problem| match &problem.position {
        Ok(position) => position.clone(),
        Err(error) => panic!("{}: {error}", problem.id),
    };
    let positions: Vec<Position> = input.problems.iter().map(position).collect();
    let mut gains = Vec::new();
    for (problem, position) in input.problems.iter().zip(&positions) {
        if let Some(gain) = gain(position, length, &problem.id) {
            gains.push(gain);
        }
        if gains.len() == HARD {
            break;
        }
    }
    gains.sort_by(f64::total_cmp);
    match gains.as_slice() {
        [] => println!("no problem counts"),
        [least, ..] => println!(
            "{} problems: two threads are {:.2} times as fast as one (median; {least:.2} to {:.2})",
            gains.len(),
            f64::midpoint(gains[(gains.len() - 1) / 2], gains[gains.len() / 2]),
            gains[gains.len() - 1],
        ),
    }
}

/// How many times as fast two threads are as one; `None` if the problem does not count.
fn gain(position: &Position, length: MateLength, id: &str) -> Option<f64> {
    let first = solved(position, length, 1).filter(|solution| solution.time >= LEAST)?;
    let others = [solved(position, length, 2)?, solved(position, length, 2)?];
    let last = solved(position, length, 1).filter(|solution| solution.time >= LEAST)?;
    let seconds = |pair: [&MateSolution; 2]| pair.iter().map(|solution| solution.time.as_secs_f64()).sum::<f64>() / 2.0;
    let (alone, together) = (seconds([&first, &last]), seconds([&others[0], &others[1]]));
    let nodes = [first.nodes, others[0].nodes, others[1].nodes, last.nodes];
    println!("{id}: {alone:.2} s, by two {together:.2} s: x {:.2} (nodes {nodes:?})", alone / together);
    Some(alone / together)
}

/// The solution by some threads from an empty table; `None` if it takes too long.
fn solved(position: &Position, length: MateLength, threads: usize) -> Option<MateSolution> {
    let settings = MateSettings { threads, length, time: Some(MOST), ..MateSettings::default() };
    let solution = Solver::new(HASH).solve(position, &settings, &AtomicBool::new(false), &mut |_| {});
    let decided = match &solution.verdict {
        MateVerdict::Mate(mate) => mate.shortest || length == MateLength::First,
        MateVerdict::NoMate => true,
        MateVerdict::Unknown => false,
    };
    decided.then_some(solution)
}
