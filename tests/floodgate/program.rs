//! The program itself: its words, its exit status, kills and commands for events.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::server::{EVEN, Server};
use super::{PATIENCE, SECRET, example, files, lines};

fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hagane"));
    command.arg("floodgate").args(arguments).current_dir(folder);
    for variable in ["CSA_HOST", "CSA_PORT", "CSA_ID", "CSA_PASSWORD"] {
        command.env_remove(variable);
    }
    command.env("XDG_STATE_HOME", folder.join("state")).env("LOCALAPPDATA", folder.join("state"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn config(server: &Server, folder: &Path, more: &str) {
    let engine = example("scripted_engine");
    let text = format!(
        "name = 'me'\npassword-file = 'trip'\nhost = '127.0.0.1'\nport = {}\ngame = 'test-60-5F'\n{more}\n[engine]\n\
         path = '{}'\nargs = ['answer=7g7f', 'answer=2g2f']\n",
        server.port(),
        engine.display()
    );
    std::fs::write(folder.join("floodgate.toml"), text).expect("written");
    std::fs::write(folder.join("trip"), format!("{SECRET}\n")).expect("written");
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

/// Waits for a file to have a text in it.
fn wait_for(folder: &Path, wanted: &str) {
    let until = Instant::now() + PATIENCE;
    while !files(folder).iter().any(|(_, text)| text.contains(wanted)) {
        assert!(Instant::now() < until, "no '{wanted}' in {:#?}", files(folder));
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn mistakes_are_told_in_one_sentence_before_any_connection() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("bad.toml"), "name = 'me'\npassword = 5").expect("written");
    std::fs::write(folder.path().join("odd.toml"), "nmae = 'me'").expect("written");
    for (arguments, culprit) in [
        (&[][..], "no name"),
        (&["--name", "me"], "trip"),
        (&["--name", "x y", "--password", "p"], "'x y'"),
        (&["--name", "me", "--password", "p", "--game", "floodgate-300-10f"], "'floodgate-300-10f'"),
        (&["--name", "me", "--password", "p", "--keepalive", "5"], "keepalive is 5"),
        (&["--name", "me", "--password", "p", "--option", "Threads"], "'Threads'"),
        (&["--name", "me", "--password", "p", "--password-file", "f"], "both"),
        (&["--config", "bad.toml"], "line 2: a password is text in quotes"),
        (&["--config", "odd.toml"], "nmae"),
        (&["--config", "none.toml"], "none.toml"),
        (&["--name", "me", "--password-file", "none"], "none"),
    ] {
        let output = program(folder.path(), arguments).output().expect("it runs");
        let text = text(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.starts_with("hagane: ") && text.contains(culprit), "{arguments:?}: {text}");
        assert_eq!(text.trim_end().lines().count(), 1, "{arguments:?}: {text}");
    }
}

#[test]
fn files_of_windows_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start();
    let utf16 = |text: &str| -> Vec<u8> {
        ("\u{feff}".to_owned() + text).encode_utf16().flat_map(|unit| unit.to_le_bytes()).collect()
    };
    for encode in [utf16, |text: &str| ("\u{feff}".to_owned() + text).into_bytes()] {
        config(&server, folder.path(), "");
        for name in ["trip", "floodgate.toml"] {
            let path = folder.path().join(name);
            let text = std::fs::read_to_string(&path).expect("readable").replace('\n', "\r\n");
            std::fs::write(&path, encode(&text)).expect("written");
        }
        let child = program(folder.path(), &["list", "--config", "floodgate.toml"]).spawn().expect("it starts");
        let mut connection = server.accept();
        connection.expect(&format!("LOGIN me_q {SECRET} x1"));
        connection.send("LOGIN:me_q OK");
        connection.expect("%%LIST");
        connection.send("##[LIST] +OK");
        assert_eq!(child.wait_with_output().expect("it ends").status.code(), Some(0));
    }
    // A text of the code page may hold anything, and a password must not be guessed.
    std::fs::write(folder.path().join("trip"), b"\x93\xfa\n").expect("written");
    let output =
        program(folder.path(), &["list", "--name", "me", "--password-file", "trip"]).output().expect("it runs");
    assert!(text(&output).contains("trip: the file is not UTF-8"), "{}", text(&output));
}

/// Nobody reads what it prints: as when text is selected in a console of Windows.
#[test]
fn a_console_that_stands_still_stops_no_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start();
    config(&server, folder.path(), "games = 1");
    let mut child = program(folder.path(), &["--config", "floodgate.toml"]).spawn().expect("it starts");
    let mut connection = server.log_in();
    // Each is told, which fills the pipe.
    let line = "y".repeat(1000);
    for _ in 0..3000 {
        connection.send(&line);
    }
    connection.offer('+', EVEN);
    connection.send(&format!("START:{}", super::server::GAME_ID));
    connection.expect("+7776FU");
    connection.send("+7776FU,T1\n%TORYO\n#RESIGN\n#WIN");
    connection.expect("LOGOUT");
    drop(connection);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_game_by_the_program_with_a_command_for_events() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start();
    let more = "games = 1\nlog = 'traffic'\non-event = 'sort >> events'";
    config(&server, folder.path(), more);
    let child = program(folder.path(), &["--config", "floodgate.toml"]).spawn().expect("it starts");
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    connection.send("+7776FU,T1\n%TORYO\n#RESIGN\n#WIN");
    connection.close();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let shown = text(&output);
    assert!(shown.contains("win (RESIGN) against he after 1 move") && shown.contains("1 game: 1 won"), "{shown}");
    let events = lines(&folder.path().join("events"));
    let kinds: Vec<&str> = events.iter().filter_map(|line| line.split('"').nth(3)).collect();
    assert_eq!(kinds, ["login", "game", "end", "exit"], "{events:#?}");
    assert!(events[2].contains("\"result\":\"win\""));
    for (path, text) in files(folder.path()) {
        assert!(path.ends_with("trip") || !text.contains(SECRET), "the password is in {}", path.display());
    }
    assert!(!shown.contains(SECRET));
}

#[test]
fn a_record_survives_a_kill_up_to_the_last_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start();
    config(&server, folder.path(), "");
    let mut child = program(folder.path(), &["--config", "floodgate.toml"]).spawn().expect("it starts");
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    connection.send("+7776FU,T1\n-3334FU,T7");
    connection.expect("+2726FU");
    connection.send("+2726FU,T2");
    wait_for(folder.path(), "+2726FU\nT2\n");
    child.kill().expect("it is killed");
    let _ = child.wait();
    connection.expect_end();
    let (_, record) =
        files(folder.path()).into_iter().find(|(path, _)| path.to_string_lossy().ends_with("csa")).expect("one");
    assert!(record.ends_with("+7776FU\nT1\n-3334FU\nT7\n+2726FU\nT2\n"), "{record}");
    // The next process may log in, and a refusal is not taken for a wrong password.
    let child = program(folder.path(), &["--config", "floodgate.toml"]).spawn().expect("it starts");
    let mut connection = server.accept();
    connection.line();
    connection.send("LOGIN:incorrect");
    drop(connection);
    std::thread::sleep(Duration::from_millis(300));
    assert_ended(child, false);
    // It has written the line of the game that the kill left out; the one after it does not write it again.
    assert_journal(folder.path(), &["unfinished"]);
    let child = program(folder.path(), &["--config", "floodgate.toml"]).spawn().expect("it starts");
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    assert_journal(folder.path(), &["unfinished"]);
    // Killed before any move was shown.
    wait_for(&folder.path().join("state"), "\"moves\":0");
    assert_ended(child, false);
    drop(connection);
    for results in [["unfinished", "unfinished"].as_slice(), &["unfinished", "unfinished", "win"]] {
        config(&server, folder.path(), "games = 1");
        let child = program(folder.path(), &["--config", "floodgate.toml"]).spawn().expect("it starts");
        if results.len() == 2 {
            server.accept().line();
            assert_ended(child, false);
        } else {
            let mut connection = server.begin('+', EVEN);
            connection.expect("+7776FU");
            connection.send("+7776FU,T1\n%TORYO\n#RESIGN\n#WIN");
            drop(connection);
            assert_eq!(child.wait_with_output().expect("it ends").status.code(), Some(0));
        }
        assert_journal(folder.path(), results);
    }
    // A game with an end leaves nothing to be told.
    let child = program(folder.path(), &["--config", "floodgate.toml"]).spawn().expect("it starts");
    let _connection = server.log_in();
    assert_ended(child, false);
    let games = assert_journal(folder.path(), &["unfinished", "unfinished", "win"]);
    let first = &games[0];
    assert_eq!((&first["moves"], &first["seconds_used"]), (&3.into(), &3.0.into()), "{first}");
    assert!(first["reason"].as_str().is_some_and(|reason| reason.contains("was ended")), "{first}");
    assert_eq!(games[1]["moves"], 0);
    let record = first["record"].as_str().expect("a record");
    assert!(lines(&folder.path().join(record)).contains(&"-3334FU".to_owned()), "{record}");
}

/// The games of the journal, which have these results.
#[track_caller]
fn assert_journal(folder: &Path, results: &[&str]) -> Vec<serde_json::Value> {
    let (_, text) = files(&folder.join("records"))
        .into_iter()
        .find(|(path, _)| path.extension().is_some_and(|extension| extension == "jsonl"))
        .expect("a journal");
    let games: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let told: Vec<&str> = games.iter().filter_map(|game| game["result"].as_str()).collect();
    assert_eq!(told, results);
    games
}

/// Whether a program has ended by itself; it is ended in any case.
fn assert_ended(mut child: Child, ended: bool) {
    assert_eq!(child.try_wait().expect("a child").is_some(), ended);
    let _ = child.kill();
    let _ = child.wait();
}

#[test]
fn who_and_list_ask_under_another_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start();
    config(&server, folder.path(), "");
    for (question, answer, shown) in [
        ("who", "##[WHO] he game_waiting\n##[CHAT][x] y\n##[WHO] +OK", "he game_waiting\n"),
        ("list", "##[LIST] +OK", ""),
    ] {
        let child = program(folder.path(), &[question, "--config", "floodgate.toml"]).spawn().expect("it starts");
        let mut connection = server.accept();
        connection.expect(&format!("LOGIN me_q {SECRET} x1"));
        connection.send("LOGIN:me_q OK\n##[LOGIN] +OK x1");
        connection.expect(&format!("%%{}", question.to_uppercase()));
        connection.send(answer);
        connection.expect("LOGOUT");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), text(&output).as_str()), (Some(0), shown));
    }
}

#[cfg(unix)]
#[test]
fn signals_end_it_in_good_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start();
    config(&server, folder.path(), "");
    let child = program(folder.path(), &["--config", "floodgate.toml"]).spawn().expect("it starts");
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
    connection.send("+7776FU,T1\n-3334FU,T7");
    connection.expect("+2726FU");
    connection.send("+2726FU,T1\n%TORYO\n#RESIGN\n#WIN");
    connection.close();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}
