//! The counters of the search and its sampled verification, in a process of their own: they are process-wide.
#![cfg(feature = "tune")]

use hagane::engine::bench::{BenchSetup, run};
use hagane::search::counters::{Table, sample, take};

#[test]
fn counters_change_nothing_and_verification_finds_few_errors() {
    let setup = BenchSetup { depth: 8, ..BenchSetup::default() };
    let nodes = || run(&setup, |_, _| {}).expect("the benchmark runs").nodes;
    let first = nodes();
    let counts = take();
    let [main, quiescence] = counts.nodes();
    assert!(main > 0 && quiescence > 0 && counts.verified() == [0, 0]);
    // Nodes that the rules or mate distance decide are not counted here; null moves and singular tests are.
    let share = (main + quiescence) as f64 / first as f64;
    assert!((0.8..1.5).contains(&share), "{share}");
    // The counts of a search are taken once.
    assert_eq!(take().nodes(), [0, 0]);

    sample(20);
    let sampled = nodes();
    let counts = take();
    let [verified, wrong] = counts.verified();
    assert_ne!(sampled, first, "a verification searches");
    assert!(verified > 200 && wrong * 5 < verified, "{wrong} of {verified} decisions are wrong");
    let text = Table(&counts).to_string();
    for name in ["nodes (1000)", "ProbCut", "reduction, cut nodes", "wrong, in percent"] {
        assert!(text.contains(name), "{text}");
    }

    sample(0);
    assert_eq!(nodes(), first, "without samples the search is what it was");
}
