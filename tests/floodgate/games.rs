//! Games as servers lead them: summaries, chat between moves, pondering, odd deliveries.

use std::time::Duration;

use hagane::floodgate::Event;
use hagane::record::FileFormat;

use super::server::{Delivery, EVEN, GAME_ID, Server, summary};
use super::{SECRET, files, lines, record, start};

/// A line to the engine with its times rounded up to seconds: on a busy machine some of a turn has passed before the
/// engine is told of it.
fn in_seconds(line: &str) -> String {
    let round = |word: &str| match word.parse::<u64>() {
        Ok(ms) => (ms.div_ceil(1000) * 1000).to_string(),
        Err(_) => word.to_owned(),
    };
    line.split(' ').map(round).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_whole_game_with_chat_blank_lines_and_comments() {
    let server = Server::start();
    let answers =
        ["answer=info depth 3 nodes 9 score cp 30 pv 7g7f 3c3d;7g7f ponder 3c3d", "answer=2g2f", "answer=resign"];
    let client = start(&server, &answers, |settings| settings.log = Some(settings.state.with_extension("traffic")));
    let mut connection = server.log_in();
    connection.send("##[CHAT][him] hello\n");
    connection.offer('+', EVEN);
    connection.send(&format!("\n##[CHAT][him] +7776FU\nSTART:{GAME_ID}"));
    connection.expect("+7776FU,'* 30 -3334FU");
    connection.send("##[CHAT][him] ,T1\n\n+7776FU,T2\n\n##[X]\n-3334FU,T1");
    connection.expect("+2726FU");
    connection.send("+2726FU,T1.5\n-8384FU,T61");
    connection.expect("%TORYO");
    connection.send("%TORYO,T4\n\n##[CHAT][x] #WIN\n#NEW_REASON\n#RESIGN\n#LOSE");
    let report = client.report();
    assert_eq!((report.result.as_str(), report.moves, report.color.as_str()), ("lose", 4, "black"));
    assert_eq!((report.opponent.as_str(), report.seconds_used), ("he", 3.5));
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    connection.expect("LOGOUT");
    connection.send("LOGOUT:completed");
    connection.expect_end();
    client.engine_hears("gameover lose");
    let engine = client.engine_lines();
    let go: Vec<String> = engine.iter().filter(|line| line.starts_with("go")).map(|line| in_seconds(line)).collect();
    // The engine keeps no margin of its own, so the client keeps it: 58.88 s, 61.88 s.
    assert_eq!(go[0], "go btime 59000 wtime 60000 binc 5000 winc 5000");
    assert_eq!(go[1], "go btime 62000 wtime 64000 binc 5000 winc 5000");
    assert!(engine.contains(&"position startpos moves 7g7f 3c3d".to_owned()));
    assert!(engine.contains(&"setoption name MaxMovesToDraw value 256".to_owned()));
    let (totals, folder) = client.end();
    assert_eq!(totals.map(|totals| (totals.games, totals.losses)), Ok((1, 1)));
    let text = record(folder.path());
    assert!(text.contains("+7776FU\nT2\n'** 30 -3334FU\n-3334FU\nT1\n+2726FU\nT1.500\n-8384FU\nT61\n"), "{text}");
    let everything = files(folder.path());
    let journal =
        everything.iter().find(|(path, _)| path.extension().is_some_and(|e| e == "jsonl")).expect("a journal");
    assert!(journal.1.starts_with("{\"time\":") && journal.1.contains("\"result\":\"lose\""), "{}", journal.1);
    let log = everything.iter().find(|(path, _)| path.ends_with("state.traffic") || path.ends_with("log"));
    assert!(everything.iter().any(|(_, text)| text.contains("> LOGIN me test-60-5F,*****")), "{log:?}");
    for (path, text) in &everything {
        assert!(!text.contains(SECRET), "the password is in {}", path.display());
    }
}

#[test]
fn any_delivery_of_the_same_bytes_is_the_same_game() {
    for delivery in [Delivery::Bytes, Delivery::Crlf] {
        let server = Server::start();
        let client = start(&server, &["answer=3c3d"], |_| {});
        let mut connection = server.log_in();
        connection.send_as(&summary('-', EVEN), delivery);
        connection.expect(&format!("AGREE {GAME_ID}"));
        connection.send_as(&format!("START:{GAME_ID}\n+7776FU,T1"), delivery);
        connection.expect("-3334FU");
        connection.send_as("-3334FU,T1\n%TORYO\n#RESIGN\n#WIN", delivery);
        assert_eq!(client.report().result, "win", "{delivery:?}");
        assert!(client.end().0.is_ok());
    }
}

#[test]
fn all_in_one_segment_with_a_megabyte_line_and_odd_bytes() {
    let server = Server::start();
    let client = start(&server, &["answer=3c3d"], |_| {});
    let mut connection = server.log_in();
    connection.offer('-', EVEN);
    let mut bytes = vec![b'z'; 1 << 20];
    bytes.extend(b"\n\xff\xfe\x00 odd\n");
    bytes.extend(format!("START:{GAME_ID}\n+7776FU,T1\n%TORYO,T1\n#RESIGN\n#WIN\n").bytes());
    connection.raw(&bytes);
    assert_eq!(client.report().result, "win");
    // The game was over before the engine was asked, or while it was.
    assert!(client.end().0.is_ok());
}

#[test]
fn positions_with_moves_handicaps_and_hands() {
    let bishop = "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA *\nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n\
                  P4 *  *  *  *  *  *  *  *  *\nP5 *  *  *  *  *  *  *  *  *\nP6 *  *  *  *  *  *  *  *  *\n\
                  P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 *  *  *  *  *  *  * +HI *\nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\nP+\nP-\n+";
    let hands = "P1 *  *  *  * -OU *  *  *  *\nP9 *  *  *  * +OU *  *  *  *\nP+00FU00FU\nP-00HI\n-";
    for (us, position, answer, sent, text) in [
        // Our own move is next, after moves that the server lists.
        ('+', "PI\n+\n+7776FU,T1\n-3334FU,T9", "2g2f", "+2726FU", "startpos moves 7g7f 3c3d"),
        ('-', "PI\n+\n+7776FU,T1", "3c3d", "-3334FU", "startpos moves 7g7f"),
        ('+', bishop, "7g7f", "+7776FU", "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/7R1/LNSGKGSNL b - 1"),
        ('-', hands, "R*5h", "-0058HI", "sfen 4k4/9/9/9/9/9/9/9/4K4 w 2Pr 1"),
    ] {
        let server = Server::start();
        let client = start(&server, &[&format!("answer={answer}")], |_| {});
        let mut connection = server.begin(us, position);
        connection.expect(sent);
        connection.send(&format!("{sent},T1\n%TORYO\n#RESIGN\n#WIN"));
        client.report();
        client.engine_hears(&format!("position {text}"));
        assert!(client.end().0.is_ok());
    }
    // The opponent's move is next.
    let server = Server::start();
    let client = start(&server, &["answer=2g2f"], |_| {});
    let mut connection = server.begin('+', "PI\n+\n+7776FU,T1");
    connection.expect_silence(Duration::from_millis(200));
    connection.send("-3334FU,T1");
    connection.expect("+2726FU");
    connection.send("#CHUDAN");
    assert_eq!(client.report().result, "interrupted");
}

#[test]
fn summaries_without_clock_or_limit() {
    let server = Server::start();
    let client = start(&server, &["answer=7g7f"], |_| {});
    let mut connection = server.log_in();
    connection.send("BEGIN Game_Summary\nYour_Turn:+\nBEGIN Position\nPI\n+\nEND Position\nEND Game_Summary");
    connection.expect("AGREE");
    connection.send("START:");
    connection.expect("+7776FU");
    connection.send("+7776FU\n%TORYO\n#RESIGN\n#WIN");
    client.report();
    client.engine_hears("go byoyomi 10000");
    client.engine_hears("setoption name MaxMovesToDraw value 0");
}

#[test]
fn games_that_cannot_be_played_are_rejected() {
    let server = Server::start();
    let client = start(&server, &["answer=7g7f"], |_| {});
    let mut connection = server.log_in();
    // Silently another game: what shogi-server makes of a game name that it does not understand.
    connection.send(&summary('+', EVEN).replace("test-60-5F", "default-1500-0"));
    connection.expect(&format!("REJECT {}", GAME_ID.replace("test-60-5F", "default-1500-0")));
    connection.expect_end();
    assert!(client.broken().contains("asked for"));
    let mut connection = server.log_in();
    connection.send(&summary('+', "PI\n+\n+7775FU,T1"));
    connection.expect(&format!("REJECT {GAME_ID}"));
    assert!(client.broken().contains("7g7e"));
    let mut connection = server.log_in();
    connection.offer('+', EVEN);
    connection.send(&format!("REJECT:{GAME_ID} by he"));
    connection.expect_end();
    client.event("note", |event| matches!(&event, Event::Note(text) if text.contains("he")).then_some(()));
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    connection.send("#CHUDAN");
    client.report();
    assert_eq!(client.end().0.map(|totals| (totals.games, totals.broken)), Ok((1, 0)));
}

#[test]
fn hagane_ponders_at_once_and_gets_clocks_with_the_hit() {
    let server = Server::start();
    let answers =
        ["name=Hagane 1", "margin", "answer=7g7f ponder 3c3d", "answer=2g2f ponder 8c8d", "answer=6g6f ponder 9c9d"];
    let client = start(&server, &answers, |settings| settings.engine.ponder = true);
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    // The hit, then a miss, then the end while it ponders, all in one segment with the result.
    connection.send("+7776FU,T3\n-3334FU,T2");
    connection.expect("+2726FU");
    connection.send("+2726FU,T1\n-4344FU,T1");
    connection.expect("+6766FU");
    connection.send("+6766FU,T1\n%TORYO\n#RESIGN\n#WIN");
    client.report();
    client.engine_hears("quit");
    let lines = client.engine_lines();
    let told: Vec<String> =
        lines.iter().skip_while(|line| *line != "usinewgame").skip(1).map(|line| in_seconds(line)).collect();
    assert_eq!(
        told,
        [
            "position startpos",
            "go btime 60000 wtime 60000 binc 5000 winc 5000",
            "position startpos moves 7g7f 3c3d",
            "go ponder btime 60000 wtime 60000 binc 5000 winc 5000",
            "ponderhit btime 62000 wtime 63000 binc 5000 winc 5000",
            "position startpos moves 7g7f 3c3d 2g2f 8c8d",
            "go ponder btime 62000 wtime 63000 binc 5000 winc 5000",
            "stop",
            "position startpos moves 7g7f 3c3d 2g2f 4c4d",
            "go btime 66000 wtime 67000 binc 5000 winc 5000",
            "position startpos moves 7g7f 3c3d 2g2f 4c4d 6g6f 9c9d",
            "go ponder btime 66000 wtime 67000 binc 5000 winc 5000",
            "stop",
            "gameover win",
            "quit",
        ]
    );
    assert!(lines.contains(&"setoption name NetworkDelay2 value 1120".to_owned()));
    assert!(lines.contains(&"setoption name RoundUpToFullSecond value true".to_owned()));
}

#[test]
fn other_engines_ponder_after_the_echo_and_get_a_bare_hit() {
    let server = Server::start();
    let client = start(&server, &["answer=7g7f ponder 3c3d", "answer=2g2f ponder 1a1b"], |settings| {
        settings.engine.ponder = true;
    });
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    std::thread::sleep(Duration::from_millis(50));
    assert!(!client.engine_lines().iter().any(|line| line.starts_with("go ponder")), "before the echo");
    connection.send("+7776FU,T3");
    client.engine_hears("position startpos moves 7g7f 3c3d");
    connection.send("-3334FU,T2");
    connection.expect("+2726FU");
    connection.send("+2726FU,T1\n#CHUDAN");
    client.report();
    client.engine_hears("ponderhit");
}

#[test]
fn records_in_kif_carry_the_thoughts() {
    let server = Server::start();
    let client = start(&server, &["answer=info depth 3 score cp 30 pv 7g7f 3c3d;7g7f"], |settings| {
        settings.records.format = FileFormat::Kif;
        settings.records.name = "{game}/{id}".to_owned();
        settings.comments = false;
    });
    let mut connection = server.begin('+', EVEN);
    connection.expect("+7776FU");
    connection.send("+7776FU,T2\n%TORYO\n#RESIGN\n#WIN");
    let path = client.report().record.expect("a record");
    assert_eq!(path.file_name().unwrap().to_str(), Some("test-60-5F_ev+test-60-5F+me+he+20261126.kifu"));
    let text = lines(&path).join("\n");
    assert!(text.contains("**評価値=30\n**読み筋=△３四歩\n**深さ=3\n**エンジン=Scripted"), "{text}");
    assert!(text.contains("投了"), "{text}");
}

#[test]
fn the_extended_mode_asks_for_each_game() {
    let server = Server::start();
    let client = start(&server, &["answer=7g7f", "answer=2g2f"], |settings| {
        settings.account = hagane::floodgate::Account::new(
            ("127.0.0.1", server.port()),
            "me",
            SECRET,
            "test-60-5F",
            hagane::floodgate::Mode::X1,
            Some(hagane::types::Color::Black),
        )
        .expect("good");
        settings.games = 2;
    });
    let mut connection = server.accept();
    connection.expect(&format!("LOGIN me {SECRET} x1"));
    connection.send("LOGIN:me OK\n##[LOGIN] +OK x1");
    for mv in ["+7776FU", "+2726FU"] {
        connection.expect("%%GAME test-60-5F +");
        connection.offer('+', EVEN);
        connection.send(&format!("START:{GAME_ID}"));
        connection.expect(mv);
        connection.send(&format!("{mv},T1\n##[CHAT][x] y\n%TORYO\n#RESIGN\n#WIN"));
    }
    connection.expect("LOGOUT");
    connection.expect_end();
    let (totals, _folder) = client.end();
    assert_eq!(totals.map(|totals| totals.wins), Ok(2));
    let server = Server::start();
    let client = start(&server, &[], |_| {});
    let mut connection = server.log_in();
    connection.send("##[ERROR] You are not allowed to specify TEBAN + for the game floodgate-60-10F");
    let (outcome, _folder) = client.end();
    assert!(outcome.expect_err("it would never be paired").contains("not allowed to specify TEBAN"));
}

#[test]
fn a_server_that_makes_another_move_than_was_sent_is_followed() {
    let server = Server::start();
    let answers = ["answer=info depth 3 score cp 40 pv 7g7f 3c3d;7g7f ponder 3c3d", "answer=7g7f"];
    let client = start(&server, &answers, |_| {});
    let mut connection = server.begin('+', "PI\n+");
    connection.expect("+7776FU,'* 40 -3334FU");
    connection.send("+2726FU,T4\n-3334FU,T1");
    connection.expect("+7776FU");
    connection.send("+7776FU,T1\n%TORYO\n#RESIGN\n#WIN");
    let report = client.report();
    assert_eq!((report.moves, report.seconds_used), (3, 5.0));
    assert!(report.faults[0].contains("'+7776FU' was sent, but the server made '+2726FU'"), "{:?}", report.faults);
    client.engine_hears("position startpos moves 2g2f 3c3d");
    let text = record(client.end().1.path());
    assert!(text.contains("+2726FU\nT4\n-3334FU\nT1\n+7776FU\nT1\n%TORYO\n"), "{text}");
}
