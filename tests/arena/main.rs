//! Matches with well-behaved and faulty engines, other games, and matches that are killed.

mod faulty_engines;
mod files;
mod games;
mod interrupted;
mod measure;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

use hagane::arena::{GameResult, MatchConfig, MatchSummary, run};
use hagane::client::Interrupt;

/// The path of an example program (`tests/engines/`), built if needed.
fn example(name: &str) -> String {
    static BUILD: Once = Once::new();
    let folder = Path::new(env!("CARGO_BIN_EXE_hagane")).with_file_name("examples");
    let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    // `cargo test` builds the examples, `cargo test --test arena` does not: then they are missing or out of date.
    BUILD.call_once(|| {
        let changed = |path: &Path| std::fs::metadata(path).and_then(|file| file.modified()).ok();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines");
        let newest =
            std::fs::read_dir(sources).into_iter().flatten().flatten().filter_map(|file| changed(&file.path())).max();
        if changed(&path) < newest {
            // The folder is named after the profile, except for dev.
            let profile = folder.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
            let profile = if profile == "debug" { "dev" } else { profile };
            let mut cargo = Command::new(env!("CARGO"));
            cargo.args(["build", "--examples", "--profile", profile]).current_dir(env!("CARGO_MANIFEST_DIR"));
            assert!(cargo.status().expect("cargo runs").success());
        }
    });
    path.to_string_lossy().into_owned()
}

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
    let summary =
        run(&setup, &Interrupt::never(), &mut |result, _| results.push(result.clone())).expect("the match is played");
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
