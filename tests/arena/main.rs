//! Matches with well-behaved and faulty engines, other games, and matches that are killed.

#[path = "../common/mod.rs"]
mod common;
mod faulty_engines;
mod files;
mod games;
#[cfg(target_os = "linux")]
mod interrupted;
mod kills;
#[cfg(unix)]
mod machines;
mod measure;

use std::path::PathBuf;

use common::engines::example;
use hagane::arena::{GameResult, MatchConfig, MatchEvent, MatchSummary, run};
use hagane::client::Interrupt;

/// An `[[engine]]` table for a stub with arguments.
fn stub(name: &str, arguments: &str) -> String {
    format!(
        "[[engine]]\nname = '{name}'\npath = '{}'\nargs = {:?}\n",
        example("stub_engine"),
        arguments.split_whitespace().collect::<Vec<_>>()
    )
}

/// Plays the match of a TOML text; returns its summary and all results in the order of their end.
fn play(text: &str) -> (MatchSummary, Vec<GameResult>) {
    let setup = toml::from_str::<MatchConfig>(text).expect("good TOML").build().expect("a match");
    let mut results = Vec::new();
    let mut hear = |event: MatchEvent<'_>| {
        if let MatchEvent::Game(result, _) = event {
            results.push(result.clone());
        }
    };
    let summary = run(&setup, &Interrupt::never(), &mut hear).expect("the match is played");
    (summary, results)
}

/// Processes with a word in their command line (Linux).
fn processes_with(word: &str) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| {
            std::fs::read(format!("/proc/{pid}/cmdline"))
                .is_ok_and(|line| String::from_utf8_lossy(&line).split('\0').any(|w| w == word))
        })
        .collect()
}

/// Waits until no process has the word, for two seconds at most.
fn assert_gone(word: &str) {
    for _ in 0..200 {
        if processes_with(word).is_empty() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("processes left: {:?}", processes_with(word));
}

/// A fresh folder for one test.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().to_owned();
    (folder, path)
}
