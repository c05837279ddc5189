//! The client against a scripted server, with a scripted engine: both sides are compared line by line.

mod dialogues;
mod ends;
mod engines;
mod games;
mod life;
mod program;
mod reconnect;
mod server;
mod shogi_server;
mod waits;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Once};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};
use hagane::client::EngineSpec;
use hagane::floodgate::{
    Account, EngineSettings, Event, GameReport, Mode, Patience, RecordSettings, RetryPolicy, Settings, Stop, Totals,
    run,
};

use server::{EVEN, Server};

/// What the tests wait for at most; far more than a busy machine needs.
const PATIENCE: Duration = Duration::from_secs(60);

/// The password, which must appear nowhere.
const SECRET: &str = "s3cr3t-trip";

/// The path of an example program (`tests/engines/`), built if needed.
fn example(name: &str) -> PathBuf {
    static BUILD: Once = Once::new();
    let folder = Path::new(env!("CARGO_BIN_EXE_hagane")).with_file_name("examples");
    let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    // `cargo test` builds the examples, `cargo test --test floodgate` does not: then they are missing or out of date.
    BUILD.call_once(|| {
        let changed = |path: &Path| std::fs::metadata(path).and_then(|file| file.modified()).ok();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/scripted.rs");
        if changed(&path) < changed(&source) {
            // The folder is named after the profile, except for dev.
            let profile = folder.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
            let profile = if profile == "debug" { "dev" } else { profile };
            let mut cargo = Command::new(env!("CARGO"));
            cargo.args(["build", "--example", "scripted_engine", "--profile", profile]);
            assert!(cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status().expect("cargo runs").success());
        }
    });
    path
}

/// A client that runs in a thread, with a folder of its own.
struct Running {
    stop: Arc<Stop>,
    events: Receiver<Event>,
    thread: JoinHandle<Result<Totals, String>>,
    folder: tempfile::TempDir,
}

/// The settings of a client of `server` in a folder, whose engine has the given arguments.
fn settings(server: &Server, engine: &[&str], folder: &Path) -> Settings {
    let account = Account::new(("127.0.0.1", server.port()), "me", SECRET, "test-60-5F", Mode::Csa, None);
    let mut spec = EngineSpec::new(example("scripted_engine"));
    spec.arguments = engine.iter().map(|&argument| argument.to_owned()).collect();
    spec.arguments.push(format!("log={}", folder.join("engine").display()));
    Settings {
        account: account.expect("a good account"),
        engine: EngineSettings {
            spec,
            margin: Duration::from_millis(1120),
            ponder: false,
            early_ponder: true,
            ponderhit_clocks: None,
            restart: false,
        },
        comments: true,
        games: 1,
        keepalive: PATIENCE,
        retry: RetryPolicy {
            first: Duration::from_millis(50),
            most: Duration::from_millis(200),
            refused: Duration::from_millis(300),
        },
        // A server that stays is told in the end that we go.
        patience: Patience { close: Duration::from_millis(20), ..Patience::default() },
        records: RecordSettings { folder: Some(folder.join("records")), ..RecordSettings::default() },
        log: Some(folder.join("log")),
        on_event: None,
        state: folder.join("state"),
    }
}

/// Starts a client; `edit` changes its settings.
fn start(server: &Server, engine: &[&str], edit: impl FnOnce(&mut Settings)) -> Running {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut settings = settings(server, engine, folder.path());
    edit(&mut settings);
    start_in(folder, settings)
}

fn start_in(folder: tempfile::TempDir, settings: Settings) -> Running {
    let stop = Arc::new(Stop::default());
    let (sender, events) = unbounded();
    let shared = Arc::clone(&stop);
    let thread = std::thread::spawn(move || {
        run(&settings, &shared, &mut |event| _ = sender.send(event.clone())).map_err(|error| error.to_string())
    });
    Running { stop, events, thread, folder }
}

impl Running {
    /// Begins a game and plays 7g7f; on the opponent's turn the user ends the client, so that the game goes on without it.
    fn leave_on_the_opponents_turn(&self, server: &Server) {
        let mut connection = server.begin('+', EVEN);
        connection.expect("+7776FU");
        connection.send("+7776FU,T1");
        self.event("move", |event| matches!(event, Event::Moved { .. }).then_some(()));
        self.stop.press();
        self.stop.press();
        connection.expect_end();
    }

    /// Waits for an event of which `wanted` makes something.
    fn event<T>(&self, what: &str, mut wanted: impl FnMut(Event) -> Option<T>) -> T {
        let until = Instant::now() + PATIENCE;
        let mut seen = Vec::new();
        loop {
            match self.events.recv_deadline(until) {
                Ok(event) => {
                    seen.push(event.to_string());
                    if let Some(value) = wanted(event) {
                        return value;
                    }
                }
                Err(_) => panic!("no {what} among {seen:#?}"),
            }
        }
    }

    /// Waits for the report of a game.
    fn report(&self) -> GameReport {
        self.event("end of a game", |event| match event {
            Event::Ended(report) => Some(*report),
            _ => None,
        })
    }

    /// Waits for a broken connection.
    fn broken(&self) -> String {
        self.event("broken connection", |event| match event {
            Event::Broken(why) => Some(why),
            _ => None,
        })
    }

    /// Waits for the client to end; its totals, and its folder.
    fn end(self) -> (Result<Totals, String>, tempfile::TempDir) {
        let outcome = self.thread.join().expect("the client does not panic");
        (outcome, self.folder)
    }

    /// Waits until the engine has been told a line.
    #[track_caller]
    fn engine_hears(&self, line: &str) {
        let until = Instant::now() + PATIENCE;
        while !self.engine_lines().iter().any(|told| told == line) {
            assert!(Instant::now() < until, "no '{line}' in {:#?}", self.engine_lines());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// What the engine has been told so far.
    fn engine_lines(&self) -> Vec<String> {
        lines(&self.folder.path().join("engine"))
    }
}

fn lines(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Every file below a folder, with its text.
fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let text = String::from_utf8_lossy(&std::fs::read(&path).expect("readable")).into_owned();
            found.push((path, text));
        }
    }
    found
}

/// The one record in a client's folder.
fn record(folder: &Path) -> String {
    let mut records: Vec<String> = files(&folder.join("records"))
        .into_iter()
        .filter(|(path, _)| path.extension().is_some_and(|extension| extension == "csa"))
        .map(|(_, text)| text)
        .collect();
    assert_eq!(records.len(), 1, "one record");
    records.remove(0)
}
