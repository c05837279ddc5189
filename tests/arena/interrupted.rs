//! Matches that are killed, interrupted and resumed, through the command line.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{assert_gone, example, folder, processes_with};

fn arena(folder: &Path, mark: &str, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hagane"));
    let path = format!("path={}", example("stub_engine"));
    command
        .current_dir(folder)
        .args(["arena", "--engine", "name=a", &path, &format!("args=sleep=10 {mark}")])
        .args(["--engine", "name=b", &path, &format!("args=sleep=10 {mark}")])
        .args(["--each", "movetime=1", "--games", "20", "--max-moves", "10", "--concurrency", "2"])
        .args(["--state", "match.state"])
        .args(if more.contains(&"--record") { &[][..] } else { &["--record", "games.usi"] })
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn finished_games(folder: &Path) -> usize {
    let text = std::fs::read_to_string(folder.join("match.state")).unwrap_or_default();
    text.lines().skip(1).count()
}

/// Waits until some games are finished and others are running.
fn wait_for_games(folder: &Path, games: usize, child: &mut Child) {
    let start = Instant::now();
    while finished_games(folder) < games {
        assert!(child.try_wait().unwrap().is_none(), "the match has ended too early");
        assert!(start.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn send(signal: &str, child: &Child) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn killed_twice_and_resumed_without_losing_or_doubling_a_game() {
    let (_guard, folder) = folder();
    for (round, games) in [(0, 3), (1, 9)] {
        let more: &[&str] = if round == 0 { &[] } else { &["--resume"] };
        let mut child = arena(&folder, "mark-killed", more).spawn().unwrap();
        wait_for_games(&folder, games, &mut child);
        assert!(!processes_with("mark-killed").is_empty());
        send("-KILL", &child);
        child.wait().unwrap();
        assert_gone("mark-killed");
        // A torn line, as a crash in the middle of a write leaves it.
        for name in ["match.state", "games.usi"] {
            let path = folder.join(name);
            let mut bytes = std::fs::read(&path).unwrap();
            bytes.extend_from_slice(b"{\"game\":");
            std::fs::write(path, bytes).unwrap();
        }
    }
    let output = arena(&folder, "mark-killed", &["--resume"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("20 of 20 games"), "{text}");
    assert!(text.contains("Faults (不具合): none"), "{text}");
    let record = std::fs::read_to_string(folder.join("games.usi")).unwrap();
    let mut games: Vec<u32> =
        record.lines().filter_map(|line| line.strip_prefix("# game ")?.split(':').next()?.parse().ok()).collect();
    games.sort_unstable();
    assert_eq!(games, (1..=20).collect::<Vec<_>>());
    assert_eq!(record.lines().filter(|line| line.starts_with("startpos moves")).count(), 20);
    assert!(!record.contains("{\"game\":"));
    // A finished match is left as it is.
    let output = arena(&folder, "mark-killed", &["--resume"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("20 of 20 games"));
    assert_eq!(std::fs::read_to_string(folder.join("games.usi")).unwrap(), record);
    // Another match is refused, and overwrites nothing.
    let output = arena(&folder, "mark-killed", &["--resume", "--seed", "9"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("seed was 1, is 9"));
    std::fs::write(folder.join("other.usi"), "somebody else's games\n").unwrap();
    let output = arena(&folder, "mark-killed", &["--resume", "--record", "other.usi"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("record was \"games.usi\""));
    assert_eq!(std::fs::read_to_string(folder.join("other.usi")).unwrap(), "somebody else's games\n");
    let output = arena(&folder, "mark-killed", &[]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("holds a match already"));
}

#[test]
fn ctrl_c_ends_it_in_good_order() {
    let (_guard, folder) = folder();
    let mut child = arena(&folder, "mark-interrupted", &[]).spawn().unwrap();
    wait_for_games(&folder, 2, &mut child);
    send("-INT", &child);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("interrupted") && text.contains("of 20 games"), "{text}");
    assert!(text.contains("Faults (不具合): none"), "{text}");
    assert_gone("mark-interrupted");
    let output = arena(&folder, "mark-interrupted", &["--resume"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("20 of 20 games"));
}
