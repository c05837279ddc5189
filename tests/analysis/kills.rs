//! Analyses that are killed at random moments.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use super::common::engines::example;
use super::common::kills::{files, kill_at_twenty_moments};
use super::{Encoding, GAME, write};

const GAMES: usize = 400;

#[test]
#[ignore = "half a minute of kills: cargo test --profile fast -- --ignored killed_at_twenty"]
fn killed_at_twenty_moments_nothing_lives_on_and_no_finished_game_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    std::fs::create_dir(&games).unwrap();
    for number in 0..GAMES {
        write(&games, &format!("{number:03}.kif"), GAME, Encoding::Utf8 { bom: false });
    }
    let pulse = folder.path().join("pulse");
    // An engine that the end of its input does not end.
    let sleep = if cfg!(windows) { 60 } else { 10 };
    let arguments = format!("chatty sleep={sleep} ignore-quit \"pulse={}\"", pulse.display());
    let analyze = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hagane"));
        command
            .args(["analyze", "--in-place", "--nodes", "1000", "--mate", "0", "--jobs", "2", "--engine"])
            .args([&example("stub_engine"), "--engine-args", &arguments])
            .arg(&games)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    };
    let mut finished: BTreeMap<_, String> = BTreeMap::new();
    let mut look = || {
        for path in files(&games) {
            let text = std::fs::read_to_string(&path).unwrap();
            match finished.get(&path) {
                Some(earlier) => assert_eq!(*earlier, text, "{}", path.display()),
                None if text == GAME => {}
                None => {
                    assert!(text.ends_with("*変化\n   3 ２六歩(27)   ( 0:06/00:00:08)\n"), "{text}");
                    assert!(text.contains("エンジン=Stub"), "{text}");
                    finished.insert(path, text);
                }
            }
        }
        finished.len()
    };
    kill_at_twenty_moments(&pulse, analyze, || _ = look());
    let before = look();
    assert!(analyze().status().unwrap().success());
    assert!(before > 5 && before < GAMES && look() == GAMES, "{before} games, then {}", look());
}
