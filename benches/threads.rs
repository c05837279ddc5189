//! What a second thread is worth: nodes per second, and the time to a depth, with one thread and with two.
//!
//! `cargo bench --bench threads`, or `-- DEPTH SUITE` for another depth and the first 40 positions of a suite (as
//! `hagane bench --suite` reads it; otherwise the positions are those of `hagane bench`). Wants two quiet cores. Each position is searched three
//! times with two threads, as no two such searches are alike, and the median time counts.

use hagane::engine::bench::{Outcome, Setup, run};
use hagane::engine::suite::{Problem, parse};

/// Searches with two threads of each position.
const TRIES: usize = 3;

fn outcome(position: &str, setup: &Setup, threads: usize) -> Outcome {
    let setup = Setup {
        threads,
        positions: vec![position.to_owned()],
        ..setup.clone()
    };
    run(&setup, |_, _| ()).expect("the benchmark runs")
}

fn positions(suite: &str) -> Vec<String> {
    let text = std::fs::read_to_string(suite).expect("the suite can be read");
    let problems = parse(&text).expect("the suite is one");
    let sfen = |problem: &Problem| problem.position.to_sfen();
    problems.iter().take(40).map(sfen).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let mut setup = Setup {
        depth: arguments
            .first()
            .map_or(16, |depth| depth.parse().expect("a depth")),
        hash: 256,
        ..Setup::default()
    };
    if let Some(suite) = arguments.get(1) {
        setup.positions = positions(suite);
    }
    let (mut alone, mut together) = (Outcome::default(), Outcome::default());
    let mut gains = Vec::new();
    for (number, position) in (1..).zip(&setup.positions) {
        let one = outcome(position, &setup, 1);
        let two: Vec<Outcome> = (0..TRIES).map(|_| outcome(position, &setup, 2)).collect();
        let seconds = one.time.as_secs_f64();
        let shared = median(
            two.iter()
                .map(|outcome| outcome.time.as_secs_f64())
                .collect(),
        );
        println!(
            "{number:3}  {:8.0} ms  {:8.0} ms  x {:.2}",
            1e3 * seconds,
            1e3 * shared,
            seconds / shared
        );
        gains.push(seconds / shared);
        add(&mut alone, &one);
        two.iter().for_each(|outcome| add(&mut together, outcome));
    }
    println!(
        "{} positions to depth {}: {} nodes/s with one thread, {} with two: x {:.2}; time to depth, median gain x {:.2}, \
         all together x {:.2}",
        gains.len(),
        setup.depth,
        alone.nps(),
        together.nps(),
        together.nps() as f64 / alone.nps() as f64,
        median(gains),
        alone.time.as_secs_f64() * TRIES as f64 / together.time.as_secs_f64(),
    );
}

fn add(sum: &mut Outcome, outcome: &Outcome) {
    sum.nodes += outcome.nodes;
    sum.time += outcome.time;
}
