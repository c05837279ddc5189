//! Tells the code whether there are a network and a book to build in, `eval/hagane.nn` and `book/hagane.ybb`, and which
//! build it is.

use std::process::Command;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(embedded_network)");
    // The folder, not the file: a file that is missing would have everything built anew each time.
    println!("cargo::rerun-if-changed=eval");
    if std::path::Path::new("eval/hagane.nn").exists() {
        println!("cargo::rustc-cfg=embedded_network");
    }
    println!("cargo::rustc-check-cfg=cfg(embedded_book)");
    println!("cargo::rerun-if-changed=book");
    if std::path::Path::new("book/hagane.ybb").exists() {
        println!("cargo::rustc-cfg=embedded_book");
    }
    println!("cargo::rustc-env=HAGANE_TARGET={}", std::env::var("TARGET").unwrap_or_default());
    // Only a release tells its commit: other builds would be made anew with every commit.
    if std::env::var("OPT_LEVEL").as_deref() == Ok("3") {
        tell_commit();
    }
}

/// The commit, and the fingerprint of play that the last `Bench: N` line of its history names.
fn tell_commit() {
    let Some(commit) = git(&["rev-parse", "--short=10", "HEAD"]) else {
        return;
    };
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={}", log.trim());
    }
    println!("cargo::rustc-env=HAGANE_COMMIT={}", commit.trim());
    let history = git(&["log", "--format=%B"]).unwrap_or_default();
    if let Some(bench) = history.lines().find_map(|line| line.strip_prefix("Bench: ")) {
        println!("cargo::rustc-env=HAGANE_BENCH={}", bench.trim());
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    // A checkout inside of another repository is not that repository's commit.
    if !std::path::Path::new(".git").exists() {
        return None;
    }
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
