//! `hagane record convert` as a user runs it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn convert(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hagane"))
        .args(["record", "convert"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn the_standard_input_is_converted() {
    let kif = "手合割：平手\n盤面回転\n手数----指手--\n1. ７六歩(77)\n2. 投了\n";
    let output = convert(&["-", "--to", "csa"], kif.as_bytes());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("line 2: '盤面回転' is no line of the format"), "{said}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.ends_with("V2.2\n'盤面回転\nPI\n+\n+7776FU\n%TORYO\n"), "{text}");
    // Without --to it stays in its format, and into a file its name decides.
    let output = convert(&["-"], kif.as_bytes());
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("   1 ７六歩(77)\n   2 投了\nまで1手で先手の勝ち\n"));
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("game.ki2");
    assert!(convert(&["-", "-o", target.to_str().unwrap()], kif.as_bytes()).status.success());
    assert!(std::fs::read_to_string(&target).unwrap().contains("▲７六歩\nまで1手で先手の勝ち\n"));
    let refused = convert(&["-"], b"hello");
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("the standard input: line 1: this is none of KIF"));
}
