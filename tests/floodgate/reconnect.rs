//! Connections that break, in every state, and servers that refuse.

use std::time::{Duration, Instant};

use super::server::{EVEN, GAME_ID, Server, summary};
use super::{files, record, start};

#[test]
fn the_connection_may_end_at_any_state() {
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    let count = format!("count={}", folder.path().join("count").display());
    let answers = [&count, "answer=7g7f", "answer=wait;2g2f", "answer=7g7f", "answer=7g7f", "answer=7g7f"];
    let client = start(&server, &answers, |settings| settings.games = 0);
    // Before the login's answer, while waiting, in the summary, agreed.
    server.accept().close();
    client.broken();
    server.log_in().close();
    client.broken();
    let mut connection = server.log_in();
    let text = summary('+', EVEN);
    connection.send(&text[..text.len() / 2]);
    connection.close();
    client.broken();
    let mut connection = server.log_in();
    connection.offer('+', EVEN);
    connection.close();
    client.broken();
    // On our own turn, while the engine thinks.
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    connection.send("+7776FU,T1\n-3334FU,T1");
    client.engine_hears("position startpos moves 7g7f 3c3d");
    connection.close();
    let report = client.report();
    assert_eq!((report.result.as_str(), report.moves), ("broken", 2));
    // On the opponent's turn.
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    connection.send("+7776FU,T1");
    connection.close();
    assert_eq!(client.report().moves, 1);
    // Between the reason and the verdict.
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    connection.send("+7776FU,T1\n%TORYO\n#RESIGN");
    connection.close();
    let report = client.report();
    assert_eq!((report.result.as_str(), report.moves), ("broken", 1));
    // And all is well again.
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    client.stop.press();
    connection.send("+7776FU,T1\n%TORYO\n#RESIGN\n#WIN");
    assert_eq!(client.report().result, "win");
    let (totals, folder) = client.end();
    assert_eq!(totals.map(|totals| (totals.games, totals.broken)), Ok((1, 3)));
    let records: Vec<_> = files(&folder.path().join("records"))
        .into_iter()
        .filter(|(path, _)| path.to_string_lossy().ends_with("csa"))
        .collect();
    assert_eq!(records.len(), 4, "no record was overwritten");
    assert_eq!(records.iter().filter(|(_, text)| text.contains("%CHUDAN\n'")).count(), 3);
}

#[test]
fn a_port_that_opens_later_is_found() {
    let port = Server::start().port();
    let server = Server::start();
    let client = start(&server, &["answer=7g7f"], |settings| {
        settings.account = hagane::floodgate::Account::new(
            ("127.0.0.1", port),
            "me",
            super::SECRET,
            "test-60-5F",
            hagane::floodgate::Mode::Csa,
            None,
        )
        .expect("good");
    });
    assert!(client.broken().contains(&port.to_string()));
    client.broken();
    let server = Server::start_at(port);
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    connection.send("#CHUDAN");
    client.report();
}

#[test]
fn names_without_an_address_are_tried_again() {
    let server = Server::start();
    let client = start(&server, &[], |settings| {
        settings.account = hagane::floodgate::Account::new(
            ("no-such-host.invalid", 1),
            "me",
            super::SECRET,
            "test-60-5F",
            hagane::floodgate::Mode::Csa,
            None,
        )
        .expect("good");
    });
    assert!(client.broken().contains("no-such-host.invalid"));
    client.stop.press();
    assert!(client.end().0.is_ok());
}

#[test]
fn the_first_refusal_is_the_users_mistake_a_later_one_is_waited_out() {
    let server = Server::start();
    let client = start(&server, &[], |_| {});
    let mut connection = server.accept();
    connection.line();
    connection.send("LOGIN:incorrect");
    let (outcome, _folder) = client.end();
    assert!(outcome.expect_err("refused").contains("refuses the login of me@127.0.0.1"));
    let client = start(&server, &["answer=7g7f", "answer=7g7f"], |settings| settings.games = 2);
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    connection.close();
    client.report();
    let mut connection = server.accept();
    connection.line();
    let refused_at = Instant::now();
    connection.send("LOGIN:incorrect");
    assert!(client.broken().contains("broken") || client.broken().contains("refused"));
    client.stop.press();
    assert!(client.end().0.is_ok());
    assert!(refused_at.elapsed() < Duration::from_secs(30), "a pause can be ended");
}

#[test]
fn a_client_that_was_killed_in_a_game_waits_for_its_old_self() {
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("state");
    std::fs::create_dir_all(&state).expect("a folder");
    // What a kill leaves behind.
    std::fs::write(state.join(format!("floodgate-me@127.0.0.1-{}.lock", server.port())), GAME_ID).expect("written");
    let client = start(&server, &["answer=7g7f"], |settings| settings.state = state);
    let mut connection = server.accept();
    connection.line();
    connection.send("LOGIN:incorrect");
    assert!(client.broken().contains("refused"));
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    connection.send("#CHUDAN");
    client.report();
    assert!(client.end().0.is_ok());
}

#[test]
fn a_server_that_stops_answering_keep_alives_is_left() {
    let server = Server::start();
    let client = start(&server, &["answer=7g7f"], |settings| settings.keepalive = Duration::from_millis(30));
    let mut connection = server.log_in();
    // The first may have been sent before the answer to the login, which then passed for its answer.
    for _ in 0..5 {
        connection.expect("");
        connection.send("");
    }
    // From then on it is silent.
    let why = client.broken();
    assert!(why.contains("keep-alives"), "{why}");
    // A server that never answers them is believed.
    let mut connection = server.log_in();
    for _ in 0..12 {
        connection.expect("");
    }
    connection.send(&summary('+', EVEN));
    assert_eq!(connection.line_of_play(), Some(format!("AGREE {GAME_ID}")));
    connection.send(&format!("START:{GAME_ID}\n#CHUDAN"));
    client.report();
    let (outcome, folder) = client.end();
    assert!(outcome.is_ok());
    assert!(record(folder.path()).contains("%CHUDAN"));
}
