//! Measurements that need a quiet machine: `cargo test --release --test arena -- --ignored --nocapture --test-threads
//! 1`.

use super::{play, stub};

/// Seconds of processor time that this process has used, without its children (Linux).
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // User and system time in hundredths of a second: fields 12 and 13 after the name in parentheses.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

#[test]
#[ignore = "needs a quiet machine for a quarter of a minute"]
fn eight_games_cost_the_runner_little() {
    let Some(before) = processor_time() else {
        println!("skipped: there is no /proc here");
        return;
    };
    let (summary, _) = play(&format!(
        "games = 8\nconcurrency = 8\nmax-moves = 120\n[each]\nmovetime = 0.1\nmargin = 2\n{}{}",
        stub("a", "sleep=100 chatty"),
        stub("b", "sleep=100 chatty")
    ));
    let used = processor_time().unwrap_or(f64::INFINITY) - before;
    let share = used / summary.seconds;
    println!(
        "8 games of 0.1 s a move: {used:.2} s of processor time in {:.1} s, {:.2} % of a core",
        summary.seconds,
        share * 100.0
    );
    assert_eq!(summary.tally.fault_count(None), 0);
    assert!(share < 0.03, "{share}");
}

#[test]
#[ignore = "needs two quiet cores for a minute or two"]
fn two_games_at_once_keep_their_speed() {
    // With fixed nodes the games, and so the work, are the same each time.
    let speed = |concurrency: u32| {
        let (summary, results) = play(
            &"games = 2\nconcurrency = CONCURRENCY\nmax-moves = 50\nrandom-plies = 8\n[each]\nnodes = 40000\n\
              options = { Threads = 1, USI_Hash = 16, USI_OwnBook = false }\n[[engine]]\nname = 'a'\npath = 'HAGANE'\n\
              [[engine]]\nname = 'b'\npath = 'HAGANE'\n"
                .replace("CONCURRENCY", &concurrency.to_string())
                .replace("HAGANE", env!("CARGO_BIN_EXE_hagane")),
        );
        let (mut nodes, mut seconds) = (0, 0.0);
        for effort in &summary.tally.efforts {
            nodes += effort.nodes;
            seconds += effort.node_seconds;
        }
        assert_eq!(results.len(), 2);
        (nodes as f64 / seconds, nodes)
    };
    let mut rounds = Vec::new();
    for _ in 0..3 {
        let ((alone, work), (both, same_work)) = (speed(1), speed(2));
        assert_eq!(work, same_work);
        println!("alone {alone:.0} nps, two at once {both:.0} nps each");
        rounds.push(1.0 - both / alone);
    }
    rounds.sort_by(f64::total_cmp);
    println!("loss, median of three: {:.2} %", rounds[1] * 100.0);
    assert!(rounds[1] < 0.03, "{rounds:?}");
}
