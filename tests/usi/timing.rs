//! The clock as the client measures it, and the processor while nothing is to be done.

use std::time::{Duration, Instant};

use crate::common::client::Client;

/// How far beyond its limit an answer may come on a busy machine. The bounds proper are the clock's unit tests.
const SLACK: Duration = Duration::from_millis(150);

fn used(client: &mut Client, go: &str) -> Duration {
    let asked = Instant::now();
    client.go(go);
    asked.elapsed()
}

#[test]
fn the_increment_comes_on_top_of_the_clock() {
    let mut client = Client::ready();
    // A clock of zero is normal with an increment: one second, not for ever, and not nothing, least of all where moves are
    // hard to choose. A first move as clear as that of a game takes about a third of a second.
    let hard = "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    for (position, least) in [(hard, 500), ("startpos", 200)] {
        client.say("usinewgame");
        client.say(&format!("position {position}"));
        let used = used(&mut client, "go btime 0 wtime 0 binc 1000 winc 1000");
        let least = Duration::from_millis(least);
        assert!(used > least && used < Duration::from_millis(1000) + SLACK, "{position}: {used:?}");
    }
    client.quit();
}

#[test]
fn a_byoyomi_is_used_and_not_overstepped() {
    let mut client = Client::ready();
    client.say("position startpos");
    for byoyomi in [100u64, 300, 1000] {
        let used = used(&mut client, &format!("go btime 0 wtime 0 byoyomi {byoyomi}"));
        let whole = Duration::from_millis(byoyomi);
        assert!(used < whole + SLACK, "{byoyomi}: {used:?}");
        assert!(used > whole * 6 / 10, "{byoyomi}: {used:?}");
    }
    client.quit();
}

#[test]
fn movetime_is_kept() {
    let mut client = Client::ready();
    client.say("position startpos");
    for time in [50u64, 400] {
        let used = used(&mut client, &format!("go movetime {time}"));
        let whole = Duration::from_millis(time);
        assert!(used + Duration::from_millis(5) >= whole && used < whole + SLACK, "{time}: {used:?}");
    }
    let used = used(&mut client, "go rtime 50");
    assert!(used >= Duration::from_millis(45) && used < Duration::from_millis(150) + SLACK, "{used:?}");
    client.quit();
}

#[test]
fn a_clock_at_zero_is_answered_at_once() {
    let mut client = Client::ready();
    client.say("position startpos");
    for go in ["go btime 0 wtime 0", "go btime 0 wtime 0 byoyomi 0", "go btime -100 wtime -100", "go movetime 0"] {
        assert!(used(&mut client, go) < SLACK, "{go}");
    }
    client.quit();
}

#[test]
fn the_worst_delay_is_kept_free() {
    let mut client = Client::ready();
    client.say("setoption name NetworkDelay2 value 600");
    client.say("position startpos");
    let used = used(&mut client, "go btime 0 wtime 0 byoyomi 1000");
    assert!(used < Duration::from_millis(400) + SLACK, "{used:?}");
    client.quit();
}

#[test]
fn one_legal_move_is_played_soon_on_a_clock_that_saves_time() {
    let mut client = Client::ready();
    client.say("position sfen 4k4/9/9/9/9/9/4g4/3g5/4Kr3 b - 1");
    assert!(used(&mut client, "go btime 600000 wtime 600000 binc 10000 winc 10000") < Duration::from_secs(2));
    client.quit();
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_burnt_while_nothing_is_to_be_done() {
    let mut client = Client::start();
    client.is_ready();
    client.say("usinewgame");
    client.say("position startpos");
    client.go("go depth 2");
    // A new table takes its memory while nobody asks for anything; that comes to an end.
    let (mut before, mut still) = (client.ticks(), 0);
    while still < 10 {
        client.silence(Duration::from_millis(100));
        let now = client.ticks();
        still = if now == before { still + 1 } else { 0 };
        before = now;
    }
    // After a search has ended, and while a finished ponder search waits for its hit.
    client.silence(Duration::from_secs(2));
    assert!(client.ticks() - before <= 1, "{} ticks in two idle seconds", client.ticks() - before);
    client.say("position sfen 8k/8G/8P/9/9/9/9/9/4K4 w - 1");
    client.say("go ponder");
    client.listen(Duration::from_millis(300));
    let before = client.ticks();
    client.silence(Duration::from_secs(2));
    assert!(client.ticks() - before <= 1, "{} ticks while waiting", client.ticks() - before);
    client.quit();
}

/// `cargo test --release --test usi -- --ignored --nocapture ten_milliseconds` on a quiet machine.
#[test]
#[ignore = "a measurement: wants a quiet machine and 5 GiB of memory"]
fn stop_and_isready_are_answered_within_ten_milliseconds_of_any_search() {
    const POSITIONS: [&str; 4] = [
        "startpos",
        "sfen l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
        "sfen R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        "sfen 4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
    ];
    const ORDERS: [&str; 5] = [
        "go infinite",
        "go ponder btime 60000 wtime 60000",
        "go btime 600000 wtime 600000 byoyomi 10000",
        "go depth 60",
        "go mate infinite",
    ];
    let mut late = false;
    for threads in [1, 4] {
        let mut client = Client::start();
        client.say(&format!("setoption name Threads value {threads}"));
        client.say("setoption name USI_Hash value 4096");
        client.is_ready();
        let (mut ready, mut stopped) = (Vec::new(), Vec::new());
        for round in 0..200u64 {
            let go = ORDERS[round as usize % ORDERS.len()];
            let position = POSITIONS[round as usize / ORDERS.len() % POSITIONS.len()];
            client.say(&format!("position {position}"));
            client.say(go);
            let answer = if go.starts_with("go mate") { "checkmate" } else { "bestmove" };
            // Moments from the first microseconds to a quarter of a second, the early ones more often.
            let moment = round * 7919 % 500;
            std::thread::sleep(Duration::from_micros(moment * moment));
            if round % 2 == 0 {
                let asked = Instant::now();
                client.say("isready");
                let (at, heard) = client.hear_timed("readyok");
                ready.push((at - asked, go, round));
                if heard.iter().any(|line| line.starts_with(answer)) {
                    continue;
                }
            }
            let asked = Instant::now();
            client.say("stop");
            let time = client.hear_timed(answer).0.saturating_duration_since(asked);
            stopped.push((time, go, round));
        }
        for (what, times) in [("isready", &mut ready), ("stop", &mut stopped)] {
            times.sort();
            let longest = &times[times.len() - 5..];
            println!(
                "{threads} threads, {what}: median {:?} of {}, the longest {longest:?}",
                times[times.len() / 2].0,
                times.len()
            );
            late |= longest[4].0 >= Duration::from_millis(10);
        }
        client.quit();
    }
    assert!(!late, "an answer after more than ten milliseconds");
}
