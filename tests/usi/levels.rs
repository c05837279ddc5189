//! Levels as a client meets them: what is said, how long a move takes, what is not limited.

use std::time::{Duration, Instant};

use crate::common::client::{Client, field};

#[test]
fn a_level_is_told_and_takes_a_moment() {
    let mut client = Client::ready();
    client.say("setoption name Level value 3");
    client.say("position startpos moves 7g7f");
    let asked = Instant::now();
    let answer = client.go("go btime 600000 wtime 600000");
    let taken = asked.elapsed();
    assert!(taken > Duration::from_millis(500) && taken < Duration::from_secs(5), "{taken:?}");
    assert_eq!(answer.infos[0], "info string level 3");
    let best = answer.last_pv().split_once(" pv ").and_then(|(_, line)| line.split(' ').next());
    assert_eq!(best, Some(answer.choice()));
    // A short clock is not endangered, and a match between programs is not slowed down.
    client.say("setoption name HumanPace value false");
    let asked = Instant::now();
    client.go("go btime 600000 wtime 600000");
    client.go("go btime 0 wtime 0 byoyomi 1000");
    client.say("setoption name HumanPace value true");
    client.go("go nodes 100000000");
    client.go("go movetime 1000");
    client.go("go btime 1000 wtime 1000");
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    client.quit();
}

#[test]
fn stop_and_a_ponder_hit_end_the_pause() {
    let mut client = Client::ready();
    client.say("setoption name Level value 2");
    client.say("position startpos moves 7g7f 3c3d");
    client.say("go btime 36000000 wtime 36000000");
    client.listen(Duration::from_millis(100));
    let asked = Instant::now();
    client.say("stop");
    client.answer();
    assert!(asked.elapsed() < Duration::from_millis(500), "{:?}", asked.elapsed());
    // No move before the hit; after a long ponder it comes at once.
    client.say("go ponder btime 600000 wtime 600000");
    let heard = client.listen(Duration::from_millis(3100));
    assert!(heard.iter().all(|line| line.starts_with("info ")), "{heard:?}");
    let asked = Instant::now();
    client.say("ponderhit");
    client.answer();
    assert!(asked.elapsed() < Duration::from_millis(500), "{:?}", asked.elapsed());
    client.quit();
}

#[test]
fn analysis_says_that_it_is_not_limited() {
    let mut client = Client::ready();
    client.say("setoption name Level value 0");
    client.say("position startpos");
    client.say("go infinite");
    let heard = client.listen(Duration::from_millis(1000));
    assert!(heard[0].contains("level 0") && heard[0].contains("full strength"), "{heard:?}");
    let deepest = heard.iter().filter_map(|line| field(line, "depth")?.parse::<u32>().ok()).max();
    assert!(deepest > Some(4), "a level 0 does not look so far: {heard:?}");
    client.say("stop");
    client.answer();
    // From one move to the next the level may change; at full strength nothing is said.
    let answer = client.go("go nodes 5000");
    assert_eq!(field(answer.last_pv(), "depth"), Some("1"), "{:?}", answer.infos);
    client.say("setoption name Level value 20");
    let answer = client.go("go nodes 5000");
    assert!(!answer.infos.iter().any(|line| line.contains("level")), "{:?}", answer.infos);
    client.say("setoption name USI_Strength value 1");
    client.say("setoption name USI_LimitStrength value true");
    assert!(client.go("go nodes 5000").infos[0].starts_with("info string level "));
    client.quit();
}
