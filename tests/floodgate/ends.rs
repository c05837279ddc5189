//! How games end, by the server's word.

use super::server::Server;
use super::{record, start};

/// After `+7776FU` the server says some lines: the result, the reason, the end of the record, and what the engine hears.
#[test]
fn every_reason_and_verdict() {
    let server = Server::start();
    for (lines, result, reason, end, gameover) in [
        ("%TORYO,T4\n#RESIGN\n#WIN", "win", "RESIGN", "%TORYO\n", "win"),
        ("#TIME_UP\n#WIN", "win", "TIME_UP", "%TIME_UP\n", "win"),
        ("-9999XX,T1\n#ILLEGAL_MOVE\n#WIN", "win", "ILLEGAL_MOVE", "%ILLEGAL_MOVE\n", "win"),
        ("-3333FU\n\n##[X]\n#ILLEGAL_MOVE\n##[Y]\n\n#WIN", "win", "ILLEGAL_MOVE", "%ILLEGAL_MOVE\n", "win"),
        ("#CHUDAN", "interrupted", "", "%CHUDAN\n", "draw"),
        ("-3334FU,T1\n#MAX_MOVES\n#CENSORED", "censored", "MAX_MOVES", "%MAX_MOVES\n", "draw"),
        ("-3334FU,T1\n#SENNICHITE\n#DRAW", "draw", "SENNICHITE", "%SENNICHITE\n", "draw"),
        ("-3334FU,T1\n#OUTE_SENNICHITE\n#WIN", "win", "OUTE_SENNICHITE", "%-ILLEGAL_ACTION\n", "win"),
        ("-3334FU,T1\n#OUTE_SENNICHITE\n#LOSE", "lose", "OUTE_SENNICHITE", "%ILLEGAL_MOVE\n", "lose"),
        ("%KACHI,T5\n%KACHI\n#JISHOGI\n#LOSE", "lose", "JISHOGI", "%KACHI\n", "lose"),
        ("%KACHI\n#ILLEGAL_MOVE\n#WIN", "win", "ILLEGAL_MOVE", "%ILLEGAL_MOVE\n", "win"),
        ("#SOMETHING_NEW\n#WIN", "win", "SOMETHING_NEW", "%SOMETHING_NEW\n", "win"),
        ("#ILLEGAL_ACTION\n#WIN", "win", "ILLEGAL_ACTION", "%ILLEGAL_MOVE\n", "win"),
        ("#ILLEGAL_ACTION\n#LOSE", "lose", "ILLEGAL_ACTION", "%+ILLEGAL_ACTION\n", "lose"),
    ] {
        // Whether it is asked once more depends on how fast it is told of the end.
        let client = start(&server, &["answer=7g7f", "answer=wait;resign"], |_| {});
        let mut connection = server.begin('+', "PI\n+");
        connection.expect("+7776FU");
        connection.send(&format!("+7776FU,T1\n{lines}"));
        let report = client.report();
        assert_eq!((report.result.as_str(), report.reason.as_str()), (result, reason), "{lines}");
        assert!(report.faults.is_empty(), "what the opponent does is no fault of ours: {:?}", report.faults);
        client.engine_hears(&format!("gameover {gameover}"));
        let (outcome, folder) = client.end();
        assert!(outcome.is_ok());
        let text = record(folder.path());
        assert!(text.contains(end), "{lines}: {text}");
    }
}

#[test]
fn a_mated_player_resigns_without_asking_the_engine() {
    let server = Server::start();
    let client = start(&server, &["answer=7g7f"], |_| {});
    let mate = "P1 *  *  *  * -OU *  *  *  *\nP3 *  *  *  * +FU *  *  *  *\nP9 *  *  *  * +OU *  *  *  *\nP+00KI\n+";
    let mut connection = server.begin('-', mate);
    connection.send("+0052KI,T1");
    connection.expect("%TORYO");
    connection.send("%TORYO\n#RESIGN\n#LOSE");
    assert_eq!(client.report().result, "lose");
    assert!(!client.engine_lines().iter().any(|line| line.starts_with("go")));
}

#[test]
fn a_mate_by_the_last_allowed_move_is_no_win() {
    let server = Server::start();
    let client = start(&server, &["answer=G*5b"], |_| {});
    let mate = "P1 *  *  *  * -OU *  *  *  *\nP3 *  *  *  * +FU *  *  *  *\nP9 *  *  *  * +OU *  *  *  *\nP+00KI\n+";
    let mut connection = server.begin('+', mate);
    connection.expect("+0052KI");
    connection.send("+0052KI,T1\n#MAX_MOVES\n#CENSORED");
    let report = client.report();
    assert_eq!((report.result.as_str(), report.moves), ("censored", 1));
}

#[test]
fn only_a_valid_declaration_is_sent() {
    let entered = "P1+OU+TO+TO+TO+TO+TO+TO *  *\nP2+TO+TO+TO+TO *  *  *  *  *\nP9 *  *  *  *  *  *  *  * -OU\nP+00HI00HI00KA00FU00FU00FU\n+";
    let server = Server::start();
    let client = start(&server, &["answer=win"], |_| {});
    let mut connection = server.begin('+', entered);
    connection.expect("%KACHI");
    connection.send("%KACHI,T5\n%KACHI\n#JISHOGI\n#WIN");
    assert_eq!(client.report().result, "win");
    assert!(record(client.end().1.path()).contains("%KACHI"));
    // At the start of a game nobody can declare: the engine is asked again.
    let client = start(&server, &["answer=win", "answer=7g7f"], |_| {});
    let mut connection = server.begin('+', "PI\n+");
    connection.expect("+7776FU");
    connection.send("#CHUDAN");
    assert!(client.report().faults[0].contains("declares"));
}
