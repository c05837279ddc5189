//! Engines that do not do what they should: the game goes on as well as it can.

use std::time::{Duration, Instant};

use super::server::{EVEN, GAME_ID, Server, summary};
use super::start;

#[test]
fn an_illegal_move_is_asked_for_again_once() {
    let server = Server::start();
    let thought = "answer=info score cp 5 pv 5e5d;5e5d";
    for first in ["answer=7g7e", "answer=nonsense", "answer=8b8c", "answer=", thought] {
        let client = start(&server, &[first, "answer=7g7f"], |_| {});
        let mut connection = server.begin('+', EVEN);
        connection.expect("+7776FU");
        connection.send("#CHUDAN");
        assert_eq!(client.report().faults.len(), 1, "{first}");
    }
    let client = start(&server, &["answer=7g7e", "answer=7g7e"], |_| {});
    let mut connection = server.begin('+', EVEN);
    connection.expect("%TORYO");
    connection.send("%TORYO\n#RESIGN\n#LOSE");
    let report = client.report();
    assert_eq!(report.faults.len(), 2);
    assert!(report.faults[0].contains("7g7e"), "{:?}", report.faults);
}

#[test]
fn an_engine_that_dies_or_floods_is_started_again() {
    let server = Server::start();
    for death in ["crash", "flood"] {
        let folder = tempfile::tempdir().expect("a folder");
        let count = format!("count={}", folder.path().join("count").display());
        let answers = [count.as_str(), &format!("answer={death}"), "answer=7g7f", "answer=2g2f"];
        let client = start(&server, &answers, |_| {});
        let mut connection = server.begin('+', EVEN);
        connection.expect("+7776FU");
        connection.send("+7776FU,T1\n-3334FU,T1");
        connection.expect("+2726FU");
        connection.send("#CHUDAN");
        let report = client.report();
        assert_eq!(report.faults.len(), 1, "{death}: {:?}", report.faults);
        let ready = client.engine_lines().iter().filter(|line| *line == "isready").count();
        assert_eq!(ready, 3, "before the login, before the game, and again");
    }
}

#[test]
fn an_engine_that_has_ended_while_it_waited_is_started_again_for_the_game() {
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    let count = format!("count={}", folder.path().join("count").display());
    let client = start(&server, &["exit", &count, "answer=7g7f"], |_| {});
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    connection.send("#CHUDAN");
    assert!(client.report().faults.is_empty(), "nothing was lost by it");
    client.engine_hears("quit");
    assert_eq!(client.engine_lines().iter().filter(|line| *line == "usi").count(), 2);
}

#[test]
fn an_engine_that_is_not_ready_in_time_plays_no_game() {
    let server = Server::start();
    let client = start(&server, &["chatter=2", "answer=7g7f"], |settings| {
        settings.engine.spec.timeouts.ready = Duration::from_millis(1500);
    });
    let mut connection = server.log_in();
    connection.send(&summary('+', EVEN));
    // It prints without a pause, which is a sign of life to anybody who has the time.
    connection.expect(&format!("REJECT {GAME_ID}"));
    connection.expect_end();
    assert!(client.broken().contains("readyok"));
    let mut connection = server.log_in();
    client.stop.press();
    connection.expect_end();
    assert!(client.end().0.is_ok());
}

#[test]
fn one_engine_plays_all_games_or_each_has_its_own() {
    let server = Server::start();
    for restart in [false, true] {
        let folder = tempfile::tempdir().expect("a folder");
        let count = format!("count={}", folder.path().join("count").display());
        let client = start(&server, &[&count, "answer=7g7f", "answer=2g2f"], |settings| {
            settings.games = 2;
            settings.engine.restart = restart;
        });
        for mv in ["+7776FU", "+2726FU"] {
            let mut connection = server.begin('+', EVEN);
            connection.expect(mv);
            connection.send("#CHUDAN");
            connection.expect("LOGOUT");
        }
        let (outcome, folder) = client.end();
        assert_eq!(outcome.map(|totals| totals.games), Ok(2));
        let told = super::lines(&folder.path().join("engine"));
        let count = |line: &str| told.iter().filter(|told| *told == line).count();
        assert_eq!((count("usi"), count("usinewgame")), (if restart { 2 } else { 1 }, 2));
    }
}

#[test]
fn an_engine_that_keeps_dying_resigns() {
    let server = Server::start();
    let client = start(&server, &["answer=crash"], |_| {});
    let mut connection = server.begin('+', EVEN);
    connection.expect("%TORYO");
    connection.send("%TORYO\n#RESIGN\n#LOSE");
    assert_eq!(client.report().result, "lose");
}

/// A clock of two seconds, so that its end can be waited for.
fn short(us: char) -> String {
    summary(us, EVEN).replace("Total_Time:60", "Total_Time:2").replace("Increment:5", "Increment:0")
}

#[test]
fn a_slow_engine_is_stopped_and_a_silent_one_resigns_before_the_flag() {
    let server = Server::start();
    let client = start(&server, &["answer=wait;7g7f"], |settings| settings.engine.margin = Duration::from_millis(800));
    let mut connection = server.log_in();
    connection.send(&short('+'));
    connection.expect(&format!("AGREE {GAME_ID}"));
    connection.send(&format!("START:{GAME_ID}"));
    let began = Instant::now();
    connection.expect("+7776FU");
    assert!(began.elapsed() >= Duration::from_millis(1500), "{:?}", began.elapsed());
    connection.send("#CHUDAN");
    assert!(client.report().faults[0].contains("told to stop"));
    let client = start(&server, &["answer=hang"], |_| {});
    let mut connection = server.log_in();
    connection.send(&short('+'));
    connection.expect(&format!("AGREE {GAME_ID}"));
    connection.send(&format!("START:{GAME_ID}"));
    connection.expect("%TORYO");
    connection.send("#TIME_UP\n#LOSE");
    assert_eq!(client.report().faults.len(), 2);
}

#[test]
fn an_engine_that_answers_while_it_should_ponder_is_believed_once_the_move_comes() {
    let server = Server::start();
    let stub = super::start(&server, &["name=Hagane", "answer=7g7f ponder 3c3d", "answer=crash"], |settings| {
        settings.engine.ponder = true;
    });
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    // It dies on the hit, is started again, begins its script anew and plays an illegal move, then resigns.
    connection.send("+7776FU,T1\n-3334FU,T1");
    connection.expect("%TORYO");
    connection.send("%TORYO\n#RESIGN\n#LOSE");
    let report = stub.report();
    assert!(report.faults.len() >= 2, "{:?}", report.faults);
}

#[test]
fn an_engine_that_does_not_start_ends_the_program_before_any_login() {
    let server = Server::start();
    let client = start(&server, &[], |settings| settings.engine.spec.path = "/no/such/engine".into());
    let (outcome, _folder) = client.end();
    assert!(outcome.expect_err("nothing to play with").contains("/no/such/engine"));
}
