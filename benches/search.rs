//! Nodes per second of the search with a network, as a percentage of the crate haitaka's perft speed in the same run, so
//! that the machine cancels out.
//!
//! `cargo bench --bench search`, or `-- NODES NETWORK...` for another number of nodes a search and other network files.
//! One thread, 256 MB of table. Without files: two networks of random numbers, K+P and HalfKP 256x2-32-32. Both sides
//! are measured in CPU time where the system reports it (Linux), otherwise by the clock.
//!
//! Next to each figure is what the leading engine reached on a quiet machine with a K+P (left) or HalfKP (right) network.

#[path = "../tests/nnue/reference.rs"]
mod reference;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use hagane::nnue::FeatureKind;
use haitaka::Board;

const POSITIONS: [(&str, f64, f64); 3] = [
    ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 0.93, 0.90),
    ("lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9", 0.96, 0.86),
    ("l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1", 0.83, 0.66),
];

fn perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.into_iter().len() as u64;
        } else {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += perft(&child, depth - 1);
            }
        }
        false
    });
    nodes
}

/// CPU time of all threads of a process so far.
fn processor_time(process: &str) -> Option<Duration> {
    let mut total = Duration::ZERO;
    for task in fs::read_dir(format!("/proc/{process}/task")).ok()? {
        let text = fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        total += Duration::from_nanos(text.split(' ').next()?.parse().ok()?);
    }
    Some(total)
}

/// How long something took a process.
fn time<T>(process: &str, run: impl FnOnce() -> T) -> (T, Duration) {
    let (before, start) = (processor_time(process), Instant::now());
    let result = run();
    match (before, processor_time(process)) {
        (Some(before), Some(after)) => (result, after.saturating_sub(before)),
        _ => (result, start.elapsed()),
    }
}

/// The engine as a process.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(network: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hagane"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut engine = Self { child, input, output };
        for (name, value) in
            [("USI_Hash", "256".to_owned()), ("Threads", "1".to_owned()), ("EvalFile", network.display().to_string())]
        {
            engine.send(&format!("setoption name {name} value {value}"));
        }
        engine
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the engine reads");
    }

    /// The lines up to one that starts with a word.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("the engine writes") > 0, "the engine left");
            let last = line.starts_with(word);
            lines.push(line);
            if last {
                return lines;
            }
        }
    }

    /// Nodes and time of a search from an empty table.
    fn search(&mut self, sfen: &str, nodes: u64) -> (u64, Duration) {
        self.send("usinewgame");
        self.send("isready");
        for line in self.until("readyok") {
            assert!(!line.contains("not used"), "{line}");
        }
        self.send(&format!("position sfen {sfen}"));
        let process = self.child.id().to_string();
        let (lines, time) = time(&process, || {
            self.send(&format!("go nodes {nodes}"));
            self.until("bestmove")
        });
        let counted = lines.iter().rev().find_map(|line| {
            let mut words = line.split_whitespace();
            words.find(|word| *word == "nodes")?;
            words.next()?.parse().ok()
        });
        (counted.expect("an info line with nodes"), time)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.child.wait();
    }
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let nodes = arguments.first().and_then(|word| word.parse().ok());
    if nodes.is_some() {
        arguments.remove(0);
    }
    let nodes = nodes.unwrap_or(1_000_000);
    let folder = std::env::temp_dir().join(format!("hagane-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    let mut networks: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
    if networks.is_empty() {
        for (name, features) in [("kp.bin", FeatureKind::KP), ("halfkp.bin", FeatureKind::HalfKp)] {
            let path = folder.join(name);
            let architecture = reference::plain(features, 256, 32, 32);
            fs::write(&path, reference::file(&architecture, name, false, false)).expect("room for a network");
            networks.push(path);
        }
    }
    let start: Board = POSITIONS[0].0.parse().expect("a valid SFEN");
    for network in &networks {
        println!("{}", network.display());
        let mut engine = Engine::start(network);
        for (sfen, kp, halfkp) in POSITIONS {
            // The yardstick is measured right before and after, under the same load.
            let (mut yard_nodes, mut yard_time) = (0, Duration::ZERO);
            let mut yardstick = || {
                let (nodes, time) = time("self", || perft(&start, 5));
                yard_nodes += nodes;
                yard_time += time;
            };
            (0..5).for_each(|_| yardstick());
            let (searched, time) = engine.search(sfen, nodes);
            (0..5).for_each(|_| yardstick());
            let yard = yard_nodes as f64 / yard_time.as_secs_f64();
            let speed = searched as f64 / time.as_secs_f64();
            println!(
                "  {:6.0}k nodes/s, haitaka {:4.0}M nodes/s: {:.2} % (leading engine {kp} / {halfkp})  {sfen}",
                speed / 1e3,
                yard / 1e6,
                100.0 * speed / yard
            );
        }
    }
    let _ = fs::remove_dir_all(&folder);
}
