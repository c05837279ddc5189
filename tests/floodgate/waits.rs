//! What ought to come and does not: each wait has an end, and the client goes on.

use std::time::Duration;

use hagane::floodgate::{Event, Patience};

use super::server::{EVEN, GAME_ID, Server, summary, summary_on};
use super::{Running, record, start};

const SOON: Duration = Duration::from_millis(150);

/// The pauses that a client announces.
fn pause(client: &Running) -> Duration {
    client.event("pause", |event| match event {
        Event::Pause(pause) => Some(pause),
        _ => None,
    })
}

#[test]
fn the_shipped_waits() {
    let patience = Patience::default();
    let seconds = [
        patience.login,
        patience.summary,
        patience.start,
        patience.verdict,
        patience.silence,
        patience.resignation,
        patience.close,
        patience.pairing,
        patience.stood,
    ];
    assert_eq!(seconds.map(|time| time.as_secs()), [60, 60, 150, 10, 120, 3, 1, 7200, 600]);
    let config: hagane::floodgate::FloodgateConfig = toml::from_str("name = 'me'\npassword = 'p'").expect("good");
    assert_eq!(config.settings().expect("good").patience, patience);
}

#[test]
fn a_login_without_an_answer() {
    let server = Server::start();
    let client = start(&server, &[], |settings| settings.patience.login = SOON);
    let mut connection = server.accept();
    connection.line();
    connection.expect_end();
    assert!(client.broken().contains("no answer to the login"));
    let _connection = server.log_in();
    client.stop.press();
    assert!(client.end().0.is_ok());
}

#[test]
fn a_summary_without_an_end() {
    let server = Server::start();
    let client = start(&server, &[], |settings| settings.patience.summary = SOON);
    let mut connection = server.log_in();
    connection.send(summary('+', EVEN).trim_end_matches("END Game_Summary"));
    connection.expect_end();
    assert!(client.broken().contains("summary has no end"));
    client.stop.press();
    assert!(client.end().0.is_ok());
}

#[test]
fn a_game_that_nobody_else_plays() {
    let server = Server::start();
    let client = start(&server, &["answer=7g7f"], |settings| settings.patience.pairing = SOON);
    let mut connection = server.log_in();
    client.event("note", |event| matches!(&event, Event::Note(text) if text.contains("test-60-5F")).then_some(()));
    // It goes on waiting.
    connection.offer('+', EVEN);
    connection.send(&format!("START:{GAME_ID}"));
    connection.expect("+7776FU");
    connection.send("#CHUDAN");
    assert_eq!(client.report().result, "interrupted");
}

#[test]
fn a_game_that_both_agreed_to_and_that_does_not_start() {
    let server = Server::start();
    let client = start(&server, &["answer=7g7f"], |settings| settings.patience.start = SOON);
    let mut connection = server.log_in();
    connection.offer('+', EVEN);
    connection.expect_end();
    assert!(client.broken().contains("no START within"));
    // The next one is played, and there was no other.
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    connection.send("#CHUDAN");
    client.report();
    let (totals, folder) = client.end();
    assert_eq!(totals.map(|totals| (totals.games, totals.broken)), Ok((1, 0)));
    assert!(record(folder.path()).contains("%CHUDAN"));
}

#[test]
fn a_server_that_falls_silent_in_a_game() {
    let server = Server::start();
    let client = start(&server, &["answer=7g7f", "answer=2g2f"], |settings| {
        settings.keepalive = Duration::from_millis(50);
        settings.patience.silence = Duration::from_millis(400);
    });
    let mut connection = server.log_in();
    connection.expect("");
    connection.send("");
    // The opponent has a second.
    connection.send(&summary_on('+', "BEGIN Time\nByoyomi:1\nEND Time", EVEN));
    assert_eq!(connection.line_of_play(), Some(format!("AGREE {GAME_ID}")));
    connection.send(&format!("START:{GAME_ID}"));
    assert_eq!(connection.line_of_play().as_deref(), Some("+7776FU"));
    connection.send("+7776FU,T1");
    // As long as it answers keep-alives it may take its time.
    for _ in 0..40 {
        connection.expect("");
        connection.send("");
    }
    client.event("move", |event| matches!(event, Event::Moved { .. }).then_some(()));
    let why = client.broken();
    assert!(why.contains("nothing has come from the server for"), "{why}");
    pause(&client);
    client.stop.press();
    let (totals, folder) = client.end();
    assert_eq!(totals.map(|totals| (totals.games, totals.broken)), Ok((0, 1)));
    let text = record(folder.path());
    assert!(text.contains("+7776FU\nT1\n%CHUDAN\n'nothing has come"), "{text}");
}

#[test]
fn a_reason_without_a_verdict() {
    let server = Server::start();
    let client = start(&server, &["answer=7g7f"], |settings| settings.patience.verdict = SOON);
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    connection.send("+7776FU,T1\n#SOMETHING_NEW\n##[CHAT][x] y\n");
    let report = client.report();
    assert_eq!((report.result.as_str(), report.moves), ("broken", 1));
    assert!(report.reason.contains("no verdict") && report.reason.contains("SOMETHING_NEW"), "{}", report.reason);
    client.stop.press();
    assert!(client.end().0.is_ok());
}

#[test]
fn a_resignation_that_nobody_answers() {
    let server = Server::start();
    let client = start(&server, &["answer=wait;7g7f"], |settings| settings.patience.resignation = SOON);
    let mut connection = server.begin('+', EVEN);
    client.engine_hears("position startpos");
    client.stop.press();
    client.stop.press();
    connection.expect("%TORYO");
    connection.expect_end();
    assert_eq!(client.end().0.map(|totals| totals.broken), Ok(1));
}

#[test]
fn pauses_grow_unless_the_connection_stood() {
    let server = Server::start();
    for (stood, expected) in [(Duration::from_secs(600), [50, 100, 200, 200]), (Duration::ZERO, [50; 4])] {
        let client = start(&server, &["answer=7g7f"], |settings| settings.patience.stood = stood);
        // While waiting, rejected by the opponent, in a game, and a game that cannot be played.
        server.log_in().close();
        let mut pauses = vec![pause(&client)];
        let mut connection = server.log_in();
        connection.offer('+', EVEN);
        connection.send(&format!("REJECT:{GAME_ID} by he"));
        pauses.push(pause(&client));
        let mut connection = server.begin('+', EVEN);
        connection.expect("+7776FU");
        connection.close();
        pauses.push(pause(&client));
        let mut connection = server.log_in();
        connection.send(&summary('+', "PI\n+\n+7775FU,T1"));
        pauses.push(pause(&client));
        client.stop.press();
        assert!(client.end().0.is_ok());
        assert_eq!(pauses.iter().map(Duration::as_millis).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn a_game_that_was_left_behind_is_remembered() {
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    let shared = folder.path().join("state");
    // Ended by the user on the opponent's turn: the game goes on without us.
    let client = start(&server, &["answer=7g7f"], |settings| settings.state = shared.clone());
    client.leave_on_the_opponents_turn(&server);
    assert!(client.end().0.is_ok());
    let client = start(&server, &["answer=7g7f"], |settings| settings.state = shared.clone());
    let mut connection = server.accept();
    connection.line();
    connection.send("LOGIN:incorrect");
    assert!(client.broken().contains("earlier game"));
    client.stop.press();
    assert!(client.end().0.is_ok());
    // A day later it must be over, and a refusal has another cause.
    let lock = super::files(&shared).into_iter().find(|(_, text)| text.starts_with(GAME_ID)).expect("the lock").0;
    let file = std::fs::OpenOptions::new().write(true).open(&lock).expect("the lock");
    let days_ago = std::time::SystemTime::now() - Duration::from_secs(2 * 86_400);
    file.set_modified(days_ago).expect("the time can be set");
    // On Windows nobody else may have the lock open.
    drop(file);
    let client = start(&server, &[], |settings| settings.state = shared.clone());
    let mut connection = server.accept();
    connection.line();
    connection.send("LOGIN:incorrect");
    assert!(client.end().0.expect_err("refused").contains("refuses the login"));
}

#[cfg(unix)]
#[test]
fn a_record_that_cannot_be_written_is_tried_again_with_every_move() {
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    let settings = super::settings(&server, &["answer=7g7f", "answer=2g2f"], folder.path());
    let records = folder.path().join("records");
    let client = super::start_in(folder, settings);
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    std::fs::remove_dir_all(&records).expect("the folder goes");
    connection.send("+7776FU,T1");
    client.event("fault", |event| matches!(&event, Event::Fault(text) if text.contains("record")).then_some(()));
    std::fs::create_dir(&records).expect("the folder is back");
    connection.send("-3334FU,T1");
    connection.expect("+2726FU");
    connection.send("+2726FU,T1\n%TORYO\n#RESIGN\n#WIN");
    client.report();
    let (outcome, folder) = client.end();
    assert!(outcome.is_ok());
    let text = record(folder.path());
    assert!(text.contains("+7776FU\nT1\n-3334FU\nT1\n+2726FU\nT1\n%TORYO\n"), "{text}");
}
