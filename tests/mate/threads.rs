//! Several threads on a table that is far too small: pages are full, split, swept and shared all the time.

use std::sync::atomic::AtomicBool;

use hagane::mate::{FutileInterpositions, MateLength, MateSettings, MateVerdict, Solver};
use hagane::platform::random::Random;
use hagane::position::Position;

use crate::positions::problem;
use crate::proofs::replay;

/// A problem with its answer.
struct Known {
    position: Position,
    /// Plies of the shortest mate; `None` if there is no mate.
    shortest: Option<usize>,
    /// What one thread with enough memory needs.
    nodes: u64,
}

fn settings(nodes: u64, length: MateLength, threads: usize) -> MateSettings {
    MateSettings { nodes: Some(nodes), length, threads, futile: FutileInterpositions::None, ..MateSettings::default() }
}

/// Random problems, mates and no mates in turn, that are not decided at a glance; the other tests hold the answers of
/// one thread against referees.
fn known_problems(count: usize, seed: u64) -> Vec<Known> {
    let mut random = Random::new(seed);
    let mut problems: Vec<Known> = Vec::new();
    while problems.len() < count {
        let Some(position) = problem(&mut random) else { continue };
        let solve = |length| {
            let settings = settings(30_000, length, 1);
            Solver::new(64).solve(&position, &settings, &AtomicBool::new(false), &mut |_| {})
        };
        let solution = solve(MateLength::First);
        if solution.nodes < 1000 {
            continue;
        }
        let wants_mate = problems.len().is_multiple_of(2);
        let shortest = match solution.verdict {
            MateVerdict::NoMate if !wants_mate => None,
            MateVerdict::Mate(_) if wants_mate => match solve(MateLength::Exact).verdict {
                MateVerdict::Mate(mate) if mate.shortest => Some(mate.line.len()),
                _ => continue,
            },
            _ => continue,
        };
        problems.push(Known { position, shortest, nodes: solution.nodes });
    }
    problems
}

/// Solves known problems so many times by two to four threads on the smallest tables; every verdict and line must be
/// right.
fn run_many(runs: usize, problems: &[Known]) {
    let (mut mates, mut none, mut undecided) = (0, 0, 0);
    for run in 0..runs {
        let known = &problems[run % problems.len()];
        let round = run / problems.len();
        let length = if round % 3 == 2 { MateLength::Exact } else { MateLength::First };
        let settings = settings(20 * known.nodes + 100_000, length, 2 + run % 3);
        // The table's least size is 128 KiB, some 1,900 positions.
        let mut solver = Solver::new(round % 2);
        let verdict = solver.solve(&known.position, &settings, &AtomicBool::new(false), &mut |_| {}).verdict;
        let what = || format!("run {run}, {settings:?}, {}", known.position.to_sfen());
        match (verdict, known.shortest) {
            (MateVerdict::Mate(mate), Some(shortest)) => {
                replay(&known.position, &mate.line);
                assert!(mate.line.len() >= shortest, "{}", what());
                assert!(!mate.shortest || mate.line.len() == shortest, "{}", what());
                mates += 1;
            }
            (MateVerdict::NoMate, None) => none += 1,
            (MateVerdict::Unknown, _) => undecided += 1,
            (verdict, shortest) => panic!("{verdict:?} where {shortest:?} is known: {}", what()),
        }
    }
    println!("{runs} runs: {mates} mates, {none} without a mate, {undecided} undecided");
    assert!(undecided * 5 < runs && mates * 4 > runs && none * 4 > runs);
}

#[test]
fn threads_on_the_smallest_table_are_never_wrong() {
    run_many(60, &known_problems(10, 21));
}

#[test]
#[ignore = "takes minutes"]
fn threads_on_the_smallest_table_are_never_wrong_in_ten_thousand_runs() {
    let runs = std::env::var("RUNS").map_or(10_000, |runs| runs.parse().unwrap());
    run_many(runs, &known_problems((runs / 10).clamp(10, 300), 22));
}
