//! Ctrl-C in every state, the lock, and what idleness costs.

use std::time::{Duration, Instant};

use hagane::floodgate::{Account, Event, Mode, StopStage};

use super::server::{EVEN, GAME_ID, Server};
use super::{PATIENCE, SECRET, record, settings, start, start_in};

#[test]
fn one_press_ends_a_wait_at_once() {
    let server = Server::start();
    let client = start(&server, &[], |settings| settings.games = 0);
    let mut connection = server.log_in();
    client.event("login", |event| matches!(event, Event::LoggedIn { .. }).then_some(()));
    client.stop.press();
    connection.expect_end();
    assert!(client.end().0.is_ok());
    // Before the login's answer, too.
    let client = start(&server, &[], |settings| settings.games = 0);
    let mut connection = server.accept();
    connection.line();
    client.stop.press();
    connection.expect_end();
    assert!(client.end().0.is_ok());
}

#[test]
fn presses_in_other_states() {
    let server = Server::start();
    // While the engine gets ready.
    let client = start(&server, &["chatter=1"], |_| {});
    client.engine_hears("isready");
    client.stop.press();
    assert!(client.end().0.is_ok());
    // In the extended mode while waiting: with a farewell.
    let client = start(&server, &[], |settings| {
        let server = ("127.0.0.1", server.port());
        let account = Account::new(server, "me", SECRET, "test-60-5F", Mode::X1, None);
        settings.account = account.expect("good");
    });
    let mut connection = server.accept();
    connection.line();
    connection.send("LOGIN:me OK\n##[LOGIN] +OK x1");
    connection.expect("%%GAME test-60-5F *");
    client.stop.press();
    connection.expect("LOGOUT");
    connection.expect_end();
    assert!(client.end().0.is_ok());
    // In a game that is agreed to and has not begun: once, and it is played; twice, and it is left.
    let client = start(&server, &["answer=7g7f"], |settings| settings.games = 0);
    let mut connection = server.log_in();
    connection.offer('+', EVEN);
    client.stop.press();
    connection.send(&format!("START:{GAME_ID}"));
    connection.expect("+7776FU");
    connection.send("#CHUDAN");
    assert_eq!(client.end().0.map(|totals| totals.games), Ok(1));
    let client = start(&server, &["answer=7g7f"], |settings| settings.games = 0);
    let mut connection = server.log_in();
    connection.offer('+', EVEN);
    client.stop.press();
    client.stop.press();
    connection.expect_end();
    assert_eq!(client.end().0.map(|totals| totals.broken), Ok(0));
    // Between the reason and the verdict.
    let client = start(&server, &["answer=7g7f"], |settings| settings.games = 0);
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    connection.send("+7776FU,T1\n%TORYO\n#RESIGN");
    client.event("move", |event| matches!(event, Event::Moved { .. }).then_some(()));
    client.stop.press();
    connection.send("#WIN");
    assert_eq!(client.end().0.map(|totals| totals.wins), Ok(1));
}

#[test]
fn one_press_lets_the_game_go_on_and_two_resign_it() {
    let server = Server::start();
    let client = start(&server, &["answer=7g7f", "answer=2g2f"], |settings| settings.games = 0);
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    client.stop.press();
    connection.send("+7776FU,T1\n-3334FU,T1");
    connection.expect("+2726FU");
    connection.send("+2726FU,T1\n%TORYO\n#RESIGN\n#WIN");
    connection.expect("LOGOUT");
    connection.expect_end();
    assert_eq!(client.end().0.map(|totals| totals.wins), Ok(1));

    // On our own turn.
    let client = start(&server, &["answer=wait;7g7f"], |settings| settings.games = 0);
    let mut connection = server.begin('+', EVEN);
    while !client.engine_lines().iter().any(|line| line.starts_with("go")) {
        std::thread::sleep(Duration::from_millis(5));
    }
    client.stop.press();
    client.stop.press();
    connection.expect("%TORYO");
    connection.send("%TORYO\n#RESIGN\n#LOSE");
    assert_eq!(client.end().0.map(|totals| totals.losses), Ok(1));

    // On the opponent's turn: closing is all that can be done.
    let client = start(&server, &["answer=7g7f"], |settings| settings.games = 0);
    client.leave_on_the_opponents_turn(&server);
    assert_eq!(client.stop.stage(), StopStage::Now);
    let (outcome, folder) = client.end();
    assert_eq!(outcome.map(|totals| totals.broken), Ok(1));
    assert!(record(folder.path()).contains("%CHUDAN\n'ended by the user"));
}

#[test]
fn an_account_is_used_once() {
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    let shared = folder.path().join("state");
    let first = start(&server, &[], |settings| settings.state = shared.clone());
    let _connection = server.log_in();
    let second = start(&server, &[], |settings| settings.state = shared.clone());
    assert!(second.end().0.expect_err("in use").contains("in use by another process"));
    first.stop.press();
    assert!(first.end().0.is_ok());
    // Free again.
    let third = start(&server, &[], |settings| settings.state = shared.clone());
    let _connection = server.log_in();
    third.stop.press();
    assert!(third.end().0.is_ok());
}

/// The user and system time of this process, in clock ticks (Linux).
fn ticks() -> Option<u64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

/// Resident memory of this process in pages (Linux).
fn resident() -> Option<u64> {
    std::fs::read_to_string("/proc/self/statm").ok()?.split_whitespace().nth(1)?.parse().ok()
}

#[test]
#[ignore = "measures a minute of idleness and 500 games: cargo test --profile fast --test floodgate -- --ignored --nocapture idle"]
fn idle_costs_nothing_and_memory_stays_flat() {
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    let mut settings = settings(&server, &[], folder.path());
    settings.games = 0;
    // A day of waiting has 2160 keep-alives of 40 s; here they come every 10 ms.
    settings.keepalive = Duration::from_millis(10);
    let client = start_in(folder, settings);
    let mut connection = server.log_in();
    let (before, memory) = (ticks(), resident());
    for _ in 0..2160 {
        connection.expect("");
        // Not the empty line that would answer it: four of these missed are 40 ms here, which a busy machine sleeps away.
        connection.send("##[CHAT][he] still here");
    }
    let (used, after) = (ticks().zip(before).map(|(after, before)| after - before), resident());
    println!("2160 keep-alives: {used:?} ticks, pages {memory:?} -> {after:?}");
    assert!(memory.zip(after).is_none_or(|(before, after)| after < before + 250), "memory grows");
    client.stop.press();
    assert!(client.end().0.is_ok());

    let client = start(&server, &["answer=7g7f"], |settings| settings.games = 0);
    let _connection = server.log_in();
    std::thread::sleep(Duration::from_secs(1));
    let before = ticks();
    std::thread::sleep(Duration::from_secs(30));
    let used = ticks().zip(before).map(|(after, before)| after - before);
    println!("30 s of waiting: {used:?} ticks");
    assert!(used.is_none_or(|used| used <= 2), "waiting costs time");
    client.stop.press();
    assert!(client.end().0.is_ok());

    let client = start(&server, &[], |settings| {
        settings.games = 500;
        settings.retry.first = Duration::ZERO;
    });
    let mut at = Vec::new();
    let began = Instant::now();
    for number in 0..500 {
        let mut connection = server.begin('+', EVEN);
        connection.expect("%TORYO");
        connection.send("%TORYO\n#RESIGN\n#LOSE");
        // Read, lest they pile up here.
        client.report();
        if number % 100 == 99 {
            at.push(resident());
        }
        assert!(began.elapsed() < PATIENCE * 10);
    }
    println!("500 games: pages {at:?}");
    assert_eq!(client.end().0.map(|totals| totals.games), Ok(500));
    if let (Some(Some(first)), Some(Some(last))) = (at.first(), at.last()) {
        assert!(*last < first + 100, "memory grows: {at:?}");
    }
}
