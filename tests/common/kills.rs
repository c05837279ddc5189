//! Programs that are killed at random moments.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use hagane::platform::random::mix;

/// Kills a program that is started anew each time, at twenty random moments; `check` looks at what it left.
///
/// Its engines write into the file `pulse` as long as they live (`pulse=` of the stub): twice as long as they may take
/// to die must pass without another letter.
pub fn kill_at_twenty_moments(pulse: &Path, start: impl Fn() -> Command, mut check: impl FnMut()) {
    // Wine starts programs slowly.
    let (least, most) = if cfg!(windows) { (500, 3000) } else { (20, 600) };
    let mut alive = 0;
    for round in 0..20 {
        let before = length(pulse);
        let mut child = start().spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(least + mix(round) % (most - least)));
        assert!(child.try_wait().expect("it can be asked").is_none(), "it has ended too early");
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        alive += u32::from(length(pulse) > before);
        assert_still(pulse);
        check();
    }
    assert!(alive > 5, "engines lived in {alive} of 20 runs");
}

fn length(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |file| file.len())
}

fn assert_still(pulse: &Path) {
    let start = Instant::now();
    let mut last = (length(pulse), Instant::now());
    while last.1.elapsed() < Duration::from_millis(400) {
        assert!(start.elapsed() < Duration::from_secs(5), "an engine lives on");
        std::thread::sleep(Duration::from_millis(10));
        if length(pulse) != last.0 {
            last = (length(pulse), Instant::now());
        }
    }
}

/// The files of a folder by their names, without those that a kill left half written.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there").flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries
        .filter(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".hagane-")))
        .collect();
    files.sort();
    files
}
