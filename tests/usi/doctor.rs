//! `hagane doctor` on engines and logs. What it says of machine and speed depends on both: see tests/README.md.

use std::process::Output;

use super::common::engines::example;
use super::subcommands::hagane;

/// The findings of a topic, with their marks.
fn topic<'a>(text: &'a str, topic: &str) -> Vec<&'a str> {
    text.lines().filter(|line| line.get(2..).is_some_and(|rest| rest.starts_with(&format!("{topic} ")))).collect()
}

fn examine(engine: &str, arguments: &str) -> (Output, String) {
    let output = hagane(&["doctor", "--engine", engine, "--engine-args", arguments]);
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    (output, text)
}

#[test]
fn this_engine_is_well() {
    // Times are not judged here: the machine may be busy.
    let (_, text) = examine(env!("CARGO_BIN_EXE_hagane"), "");
    for name in ["name", "options", "isready", "mate", "next game", "quit"] {
        assert!(topic(&text, name).iter().all(|line| line.starts_with(' ')), "{text}");
        assert_eq!(topic(&text, name).len(), 1, "{name}: {text}");
    }
    assert!(topic(&text, "mate")[0].contains("checkmate G*2b"), "{text}");
    assert!(topic(&text, "info").is_empty(), "{text}");
}

#[test]
fn faults_of_engines_are_named() {
    let stub = example("stub_engine");
    // It answers everything at once: also what must wait for stop.
    let (output, text) = examine(&stub, "chatty");
    assert_eq!(output.status.code(), Some(2));
    assert!(topic(&text, "stop")[0].starts_with("X ") && topic(&text, "stop")[0].contains("without stop"), "{text}");
    assert!(topic(&text, "ponder")[0].starts_with("! "), "{text}");
    assert!(topic(&text, "mate")[0].contains("ShogiHome waits for checkmate for ever"), "{text}");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((errors.lines().count(), errors.contains("first: stop: ")), (1, true), "{errors}");

    let (_, text) = examine(&stub, "late=800@1 illegal@2");
    assert!(topic(&text, "increment").iter().any(|line| line.contains("bestmove 9i9a")), "{text}");
    assert!(topic(&text, "byoyomi").iter().any(|line| line.contains("no info line")), "{text}");
    let (_, text) = examine(&stub, "late=1300@1");
    assert!(topic(&text, "byoyomi")[0].contains("it loses on time"), "{text}");
    let (output, text) = examine(&stub, "crash@2");
    assert!(topic(&text, "end")[0].contains("ended by itself"), "{text}");
    assert_eq!(output.status.code(), Some(2));
    let (output, text) = examine("no-such-engine", "");
    assert!(topic(&text, "start")[0].contains("no-such-engine"), "{text}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn logs_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("対局.log");
    let name = path.to_str().expect("text");
    let start =
        "0.1 > usi\n0.2 < usiok\n0.3 > isready\n0.4 < readyok\n0.5 > position startpos\n0.6 > go byoyomi 1000\n";
    std::fs::write(&path, format!("{start}1.5 < bestmove 7g7f\n")).expect("written");
    let output = hagane(&["doctor", "--log", name]);
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("none: everybody answered"));
    std::fs::write(&path, format!("{start}9.5 < bestmove 7g7f\n")).expect("written");
    let output = hagane(&["doctor", "--log", name, "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["worst"], "fault");
    let faults: Vec<&str> =
        value["findings"].as_array().into_iter().flatten().filter_map(|finding| finding["text"].as_str()).collect();
    assert!(faults.iter().any(|text| text.starts_with("line 7: the engine was late: 8.90 s of 1.00 s")), "{faults:?}");
    let output = hagane(&["doctor", "--log", "no-such-file"]);
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("no-such-file"));
}
