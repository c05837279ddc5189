//! The command line beside USI.

use std::process::{Command, Output};

fn hagane(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hagane"))
        .args(arguments)
        .env_remove("RUST_LOG")
        .output()
        .expect("the program starts")
}

/// What a successful run printed.
#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let output = hagane(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    assert_eq!(errors, "", "{arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The one sentence of a run that failed.
#[track_caller]
fn failed(arguments: &[&str]) -> String {
    let output = hagane(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    let errors = String::from_utf8(output.stderr).expect("text");
    assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
    assert!(errors.starts_with("hagane: "), "{errors}");
    errors
}

#[test]
fn perft_divides_and_sums_up() {
    let text = printed(&["perft", "3"]);
    assert_eq!(text.lines().count(), 31);
    assert!(text.lines().last().is_some_and(|line| line.starts_with("25470 nodes ")), "{text}");
    let text = printed(&["perft", "1", "8k/9/8P/9/9/9/9/9/4K4", "b", "G", "1"]);
    assert!(text.contains("G*1b: 1\n"), "{text}");
    let text = printed(&["perft", "2", "startpos", "moves", "7g7f"]);
    assert!(text.contains(" nodes "), "{text}");
    assert!(failed(&["perft", "0"]).contains("depth"));
    assert!(failed(&["perft", "x"]).contains('x'));
    failed(&["perft"]);
}

#[test]
fn check_tells_what_is_wrong() {
    assert!(printed(&["check", "startpos"]).contains("legal: black to move, 30 legal moves"));
    assert!(printed(&["check", "startpos moves 7g7f"]).contains("white to move"));
    assert!(printed(&["check", "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1"]).contains("legal"));
    assert!(printed(&["check", "position startpos"]).contains("legal"));
    assert!(failed(&["check", "4k4/9/9/9/9/9/9/9/4K4 b 3R 1"]).contains("rook"));
    assert!(failed(&["check", "startpos moves 7g7f 3c3e"]).contains("3c3e"));
    assert!(failed(&["check", "joho"]).contains("ranks"));
    failed(&["check"]);
}

#[test]
fn bench_prints_the_same_fingerprint_twice() {
    let nodes = |text: &str| text.lines().find_map(|line| line.strip_prefix("Bench: ").map(str::to_owned));
    let first = nodes(&printed(&["bench", "--depth", "2"]));
    assert!(first.is_some());
    assert_eq!(first, nodes(&printed(&["bench", "--depth", "2"])));
    assert!(failed(&["bench", "--threads", "0"]).contains("Threads"));
    assert!(failed(&["bench", "--hash", "x"]).contains('x'));
}

#[test]
fn selftest_passes() {
    let text = printed(&["selftest"]);
    assert!(text.lines().last().is_some_and(|line| line.ends_with("checks passed")), "{text}");
}

#[test]
fn help_and_versions_are_no_errors_and_nonsense_is() {
    assert!(printed(&["--help"]).contains("selftest"));
    assert!(printed(&["--version"]).starts_with("hagane "));
    for command in ["bench", "perft", "check", "selftest"] {
        assert!(printed(&[command, "--help"]).contains("Usage"), "{command}");
    }
    assert!(failed(&["joho"]).contains("joho"));
    assert!(failed(&["--joho"]).contains("--joho"));
}
