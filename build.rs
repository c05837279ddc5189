//! Compresses the network and the book that are built in, `eval/hagane.nn` and `book/hagane.ybb`, tells the code whether
//! there are any, and which build it is.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use flate2::Compression;
use flate2::write::DeflateEncoder;

fn main() {
    // A network is numbers of two bytes, whose halves have nothing in common.
    embed("embedded_network", "eval", "hagane.nn", 2);
    embed("embedded_book", "book", "hagane.ybb", 1);
    println!("cargo::rustc-env=HAGANE_TARGET={}", std::env::var("TARGET").unwrap_or_default());
    // Only a release tells its commit: other builds would be made anew with every commit.
    if std::env::var("OPT_LEVEL").as_deref() == Ok("3") {
        tell_commit();
    }
}

/// Puts a file, compressed, where the code includes it, and sets `flag` if it is there. First come the bytes at multiples
/// of `width`, then those after them, and so on (`platform::packed` puts them back).
fn embed(flag: &str, folder: &str, name: &str, width: usize) {
    println!("cargo::rustc-check-cfg=cfg({flag})");
    // The folder, not the file: a file that is missing would have everything built anew each time.
    println!("cargo::rerun-if-changed={folder}");
    let file = Path::new(folder).join(name);
    if !file.exists() {
        return;
    }
    let bytes = std::fs::read(file).expect("a file of the repository can be read");
    println!("cargo::rustc-cfg={flag}");
    let planes: Vec<u8> = (0..width).flat_map(|plane| bytes.iter().skip(plane).step_by(width).copied()).collect();
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(&planes).and_then(|()| encoder.finish()).expect("compression into memory");
    let out = std::env::var("OUT_DIR").expect("cargo names a folder for what is made");
    std::fs::write(Path::new(&out).join(format!("{name}.deflate")), packed).expect("the folder can be written to");
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
    if !Path::new(".git").exists() {
        return None;
    }
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
