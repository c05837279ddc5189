//! Games on a real shogi-server: our records against its own. `tests/README.md` says how to start it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hagane::client::EngineSpec;
use hagane::floodgate::{
    Account, EngineSettings, Event, GameReport, Mode, Patience, RecordSettings, RetryPolicy, Settings, Stop, run,
};
use hagane::record::Document;

use super::files;

/// The server (`127.0.0.1:4090`) and the folder of its records.
fn server() -> Option<(String, u16, PathBuf)> {
    let server = std::env::var("SHOGI_SERVER").ok()?;
    let (host, port) = server.split_once(':').expect("SHOGI_SERVER is HOST:PORT");
    let records = std::env::var_os("SHOGI_SERVER_RECORDS").expect("SHOGI_SERVER_RECORDS is a folder");
    Some((host.to_owned(), port.parse().expect("a port"), records.into()))
}

/// Asks the server for a game that begins with some moves.
fn set_buoy(host: &str, port: u16, game: &str) {
    let mut stream = TcpStream::connect((host, port)).expect("the server listens");
    let lines = format!("LOGIN buoy{} pw x1\n%%SETBUOY {game} +7776FU-3334FU+2726FU 1000\n", std::process::id());
    stream.write_all(lines.as_bytes()).expect("it reads");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a limit");
    let answered = BufReader::new(&stream).lines().map_while(Result::ok).any(|line| line.contains("[SETBUOY] +OK"));
    assert!(answered, "the buoy game is not set");
    let _ = stream.write_all(b"LOGOUT\n");
}

/// One of the two clients of a kind of games; its reports.
fn play(account: Account, folder: &Path, games: u64, nodes: &str) -> Vec<GameReport> {
    let settings = Settings {
        account,
        engine: EngineSettings {
            spec: EngineSpec::new(env!("CARGO_BIN_EXE_hagane"))
                .with_option("Threads", "1")
                .with_option("USI_Hash", "16")
                .with_option("NodesLimit", nodes),
            margin: Duration::from_millis(1120),
            ponder: true,
            early_ponder: true,
            ponderhit_clocks: None,
            restart: false,
        },
        comments: true,
        games,
        keepalive: Duration::from_secs(40),
        retry: RetryPolicy::default(),
        patience: Patience::default(),
        records: RecordSettings { folder: Some(folder.join("records")), ..RecordSettings::default() },
        log: Some(folder.join("log")),
        on_event: None,
        state: folder.join("state"),
    };
    let mut reports = Vec::new();
    let outcome = run(&settings, &Stop::default(), &mut |event| {
        if let Event::Ended(report) = event {
            reports.push((**report).clone());
        }
    });
    outcome.expect("it plays to the end");
    reports
}

/// Moves and seconds of a record, by the id of its game.
fn games(folder: &Path) -> BTreeMap<String, Vec<(String, Duration)>> {
    let mut games = BTreeMap::new();
    for (path, text) in files(folder) {
        if path.extension().is_none_or(|extension| extension != "csa") {
            continue;
        }
        // A game that is played now has an unfinished record on the server.
        let Ok(document) = Document::read(text.as_bytes(), None) else {
            continue;
        };
        let record = &document.games[0];
        let moves = record.main_line().into_iter().filter_map(|id| {
            let node = record.node(id);
            Some((node.mv()?.to_string(), node.clock.map_or(Duration::ZERO, |clock| clock.spent)))
        });
        games.insert(record.header("棋戦").unwrap_or("").trim().to_owned(), moves.collect());
    }
    games
}

#[test]
#[ignore = "needs shogi-server on this machine: SHOGI_SERVER=127.0.0.1:4090 SHOGI_SERVER_RECORDS=FOLDER, see tests/README.md"]
fn shogi_server_keeps_the_same_records() {
    let Some((host, port, server_records)) = server() else {
        panic!("SHOGI_SERVER is not set");
    };
    let number =
        |key: &str, default: u64| std::env::var(key).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (count, nodes) = (number("GAMES", 2), number("NODES", 3000).to_string());
    let id = std::process::id();
    let buoy = format!("buoy_t{id}-5-1F");
    set_buoy(&host, port, &buoy);
    let folder = tempfile::tempdir().expect("a folder");
    let root = Arc::new(folder.path().to_owned());
    let kinds = [
        ("increment", "test-5-1F".to_owned(), ""),
        ("byoyomi", "test-0-2".to_owned(), ""),
        ("sudden", "test-60-0".to_owned(), ""),
        ("buoy", buoy, ""),
        ("handicap", format!("hcrook_t{id}-5-1F"), "BW"),
        ("extended", "long-10-1F".to_owned(), "x1"),
    ];
    let threads: Vec<_> = kinds
        .iter()
        .flat_map(|(kind, game, how)| ["a", "b"].map(|side| (*kind, game.clone(), *how, side)))
        .map(|(kind, game, how, side)| {
            let (root, host, nodes) = (Arc::clone(&root), host.clone(), nodes.clone());
            std::thread::spawn(move || {
                let color = if how == "BW" { if side == "a" { "-B" } else { "-W" } } else { "" };
                let mode = if how == "x1" { Mode::X1 } else { Mode::Csa };
                let name = format!("{kind}-{side}");
                let trip = format!("{kind}{side}{id}");
                let account = Account::new((&host, port), &name, &trip, &format!("{game}{color}"), mode, None);
                play(account.expect("good"), &root.join(&name), count, &nodes)
            })
        })
        .collect();
    let reports: Vec<GameReport> = threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect();
    let (ours, theirs) = (games(folder.path()), games(&server_records));
    let mut reasons = BTreeMap::new();
    for report in &reports {
        *reasons.entry(format!("{} {}", report.result, report.reason)).or_insert(0) += 1;
        assert!(report.faults.is_empty(), "{report:?}");
        assert_ne!(report.reason, "TIME_UP", "{report:?}");
        assert_eq!(ours.get(&report.game), theirs.get(&report.game), "{}", report.game);
    }
    println!("{} reports of {} games, all as the server has them: {reasons:?}", reports.len(), ours.len());
    assert_eq!(reports.len() as u64, count * 12);
}
