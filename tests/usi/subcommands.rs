//! The command line beside USI.

use std::process::{Command, Output};

pub fn hagane(arguments: &[&str]) -> Output {
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
    assert!(failed(&["check", "joho"]).contains("has 1 rank, not 9"));
    failed(&["check"]);
}

#[test]
fn check_names_mate_repetition_and_declaration() {
    let text = printed(&["check", "8k/8G/8P/9/9/9/9/9/4K4 w - 1"]);
    assert!(text.ends_with("legal: white to move, in check, no legal move\nmate: white has lost\n"), "{text}");
    let text = printed(&["check", "k8/2K6/1G7/9/9/9/9/9/9 w - 1"]);
    assert!(text.contains("legal: white to move, no legal move\nno move is left: white has lost"), "{text}");
    let text = printed(&["check", "4k4/9/9/9/9/9/4g4/3g5/4Kr3 b - 1"]);
    assert!(text.contains("1 legal move\n"), "{text}");
    let cycle = "5i5h 5a5b 5h5i 5b5a ".repeat(3);
    let text = printed(&["check", "startpos", "moves", &cycle]);
    assert!(text.contains("\nrepetition (sennichite): the game is drawn\n"), "{text}");
    let cycle = "8h9h 9a8a 9h8h 8a9a ".repeat(3);
    let text = printed(&["check", "k8/9/9/9/9/9/9/1R7/8K b - 1 moves", &cycle]);
    assert!(text.contains("\nperpetual check by black: white has won\n"), "{text}");
    let text = printed(&["check", "K+P+P+P+P+P+P2/+P+P+P+P5/9/9/9/9/9/9/8k b 2RB4P 1"]);
    assert!(text.contains("\ndeclaration: black may declare a win by entering king (CSARule27)\n"), "{text}");
    let text = printed(&["check", "startpos"]);
    assert!(text.ends_with("30 legal moves\n"), "{text}");
}

#[test]
fn a_networks_text_is_printed_as_it_is() {
    let text = printed(&["net"]);
    let line = text.lines().find_map(|line| line.strip_prefix("text ")).expect("the text");
    assert!(!line.contains('\\') && line.contains("Hagane"), "{line}");
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
    assert_eq!(printed(&["help"]), printed(&["--help"]));
    assert_eq!(printed(&["help", "net"]), printed(&["net", "--help"]));
    assert!(failed(&["help", "joho"]).contains("joho"));
    let version = printed(&["--version"]);
    assert!(version.starts_with(&format!("hagane {}", env!("CARGO_PKG_VERSION"))), "{version}");
    assert!(version.contains(std::env::consts::ARCH), "{version}");
    assert_eq!(version, printed(&["version"]));
    for command in ["bench", "perft", "check", "selftest", "doctor"] {
        assert!(printed(&[command, "--help"]).contains("Usage"), "{command}");
    }
    assert!(failed(&["joho"]).contains("joho"));
    assert!(failed(&["--joho"]).contains("--joho"));
}
