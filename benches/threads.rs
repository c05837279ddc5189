//! What a second thread is worth: nodes per second, and the time to a depth, with one thread and with two.
//!
//! `cargo bench --bench threads`, or `-- DEPTH SUITE` for another depth and the first 40 positions of a suite (a JSON object with
//! an "sfen" a line; the other positions are those of `hagane bench`). Wants two quiet cores. Each position is searched three
//! times with two threads, as no two such searches are alike, and the median time counts.

use std::time::Duration;

use hagane::engine::bench::{Outcome, Setup, run};

/// Searches with two threads of each position.
const TRIES: usize = 3;

fn outcomes(setup: &Setup) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    run(setup, |_, outcome| outcomes.push(outcome)).expect("the benchmark runs");
    outcomes
}

fn positions(suite: &str) -> Vec<String> {
    let text = std::fs::read_to_string(suite).expect("the suite can be read");
    let sfen = |line: &str| {
        let object: serde_json::Value = serde_json::from_str(line).expect("a JSON object a line");
        object["sfen"].as_str().expect("an sfen").to_owned()
    };
    text.lines().take(40).map(sfen).collect()
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
    let one = outcomes(&setup);
    setup.threads = 2;
    let two: Vec<Vec<Outcome>> = (0..TRIES).map(|_| outcomes(&setup)).collect();
    let mut gains = Vec::new();
    for (number, alone) in one.iter().enumerate() {
        let together = median(
            two.iter()
                .map(|run| run[number].time.as_secs_f64())
                .collect(),
        );
        let gain = alone.time.as_secs_f64() / together;
        println!(
            "{:3}  {:8.0} ms  {:8.0} ms  x {gain:.2}",
            number + 1,
            1e3 * alone.time.as_secs_f64(),
            1e3 * together
        );
        gains.push(gain);
    }
    let total = |outcomes: &mut dyn Iterator<Item = &Outcome>| {
        let (nodes, time) = outcomes.fold((0, Duration::ZERO), |(nodes, time), outcome| {
            (nodes + outcome.nodes, time + outcome.time)
        });
        Outcome { nodes, time }
    };
    let (alone, together) = (total(&mut one.iter()), total(&mut two.iter().flatten()));
    println!(
        "{} positions to depth {}: {} nodes/s with one thread, {} with two: x {:.2}; time to depth, median gain x {:.2}, \
         all together x {:.2}",
        one.len(),
        setup.depth,
        alone.nps(),
        together.nps(),
        together.nps() as f64 / alone.nps() as f64,
        median(gains),
        alone.time.as_secs_f64() * TRIES as f64 / together.time.as_secs_f64(),
    );
}
