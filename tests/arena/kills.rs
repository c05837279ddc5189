//! Matches that are killed at random moments.

use std::process::{Command, Stdio};

use super::common::kills::kill_at_twenty_moments;
use super::{example, folder};

#[test]
#[ignore = "half a minute of kills: cargo test --profile fast -- --ignored killed_at_twenty"]
fn killed_at_twenty_moments_nothing_lives_on_and_no_game_is_lost_or_played_twice() {
    let (_guard, folder) = folder();
    let pulse = folder.join("pulse");
    // Engines that the end of their input does not end.
    let arguments = format!("args=sleep=2 ignore-quit \"pulse={}\"", pulse.display());
    let path = format!("path={}", example("stub_engine"));
    let arena = |games: usize| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hagane"));
        command
            .current_dir(&folder)
            .args(["arena", "--engine", "name=a", &path, &arguments, "--engine", "name=b", &path, &arguments])
            .args(["--each", "movetime=1", "margin=5", "quit-timeout=0.1", "--max-moves", "10", "--concurrency", "2"])
            .args(["--state", "match.state", "--record", "games.usi", "--resume", "--games", &games.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    };
    let finished = || {
        let text = std::fs::read_to_string(folder.join("match.state")).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole.lines().skip(1).map(str::to_owned).collect::<Vec<String>>()
    };
    let mut before = Vec::new();
    kill_at_twenty_moments(
        &pulse,
        || arena(100_000),
        || {
            let after = finished();
            assert!(after.starts_with(&before), "{} games, then {}", before.len(), after.len());
            before = after;
        },
    );
    let games = (before.len() / 2 + 2) * 2;
    assert!(arena(games).status().unwrap().success());
    let after = finished();
    assert!(games > 20 && after.starts_with(&before) && after.len() == games, "{} of {games} games", after.len());
    let record = std::fs::read_to_string(folder.join("games.usi")).unwrap();
    let mut numbers: Vec<usize> =
        record.lines().filter_map(|line| line.strip_prefix("# game ")?.split(':').next()?.parse().ok()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=games).collect::<Vec<_>>());
}
