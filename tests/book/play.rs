//! The engine with a book, as a client meets it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::common::client::{Client, field};
use crate::files::{BookFile, START, ybb};

const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// The start with three moves, 2g2f a little worse and 1g1f much worse, two that are illegal (one for its promotion),
/// and the answers to 7g7f.
fn text() -> String {
    let after = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -";
    let second = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b -";
    format!(
        "{HEADER}\nsfen {after} 2\n3c3d none -35 17\n\
         sfen {second} 3\n2g2f 8c8d 40 16\n\
         sfen {START} 1\n7g7f none 35 18\n2g2f 8c8d 10 18\n1g1f none -80 18\n5i5e none 500 18\n7g7f+ none 500 18\n"
    )
}

/// The engine with a book in a file, ready; what it said about the book.
fn with(file: &Path) -> (Client, Vec<String>) {
    let mut client = Client::start_with_book(Path::new(env!("CARGO_BIN_EXE_hagane")), Path::new("."));
    client.say("setoption name Threads value 1");
    client.say("setoption name USI_Hash value 1");
    client.say(&format!("setoption name BookFile value {}", file.display()));
    client.say("isready");
    let said = client.hear("readyok");
    (client, said)
}

fn options(client: &mut Client, options: &[(&str, &str)]) {
    for (name, value) in options {
        client.say(&format!("setoption name {name} value {value}"));
    }
}

/// The moves that the engine names as its candidates for `go byoyomi 100`, with their percentages; empty where it
/// searches.
fn candidates(client: &mut Client, position: &str) -> Vec<String> {
    client.say(position);
    let answer = client.go("go byoyomi 100 depth 1");
    let notes = answer.infos.iter().find_map(|info| info.strip_prefix("info string book "));
    notes.map_or(Vec::new(), |note| note.split(' ').map(str::to_owned).collect())
}

#[test]
fn a_book_is_announced_used_and_told_about() {
    let file = BookFile::new("my book 定跡.db", text());
    let (mut client, said) = with(&file.path);
    assert!(said[0].starts_with("info string book my book") && said[0].contains("3 positions"), "{said:?}");
    let mut chosen = BTreeSet::new();
    for _ in 0..40 {
        client.say("position startpos");
        let answer = client.go("go btime 60000 wtime 60000");
        chosen.insert(answer.bestmove.clone());
        let last = answer.infos.last().unwrap();
        assert_eq!(field(last, "multipv"), Some("1"), "{last}");
        let best = answer.choice();
        assert!(last.contains(&format!(" pv {best}")), "{last}: the line of {best} last");
        assert_eq!(field(last, "cp"), Some(if best == "7g7f" { "35" } else { "10" }));
        assert!(
            answer.infos[0].contains("7g7f (50%)") && answer.infos[0].contains("2g2f (50%)"),
            "{}",
            answer.infos[0]
        );
    }
    let expected = ["bestmove 2g2f ponder 8c8d", "bestmove 7g7f ponder 3c3d"].map(str::to_owned);
    assert_eq!(chosen, BTreeSet::from(expected), "both are played, with the answers that the book expects");
    client.say("position startpos moves 7g7f 3c3d");
    let answer = client.go("go movetime 1000");
    assert!(answer.last_pv().ends_with(" pv 2g2f 8c8d"), "{}", answer.last_pv());
    // The same book again: nothing is said, nothing is loaded.
    client.accepted();
    client.quit();
}

#[test]
fn every_option_does_what_it_says() {
    let file = BookFile::new("a.db", text());
    let (mut client, _) = with(&file.path);
    let start = "position startpos";
    assert_eq!(candidates(&mut client, start).len(), 4, "two moves with their percentages");
    let mut check = |set: &[(&str, &str)], back: &[(&str, &str)], position: &str, count: usize| {
        options(&mut client, set);
        assert_eq!(candidates(&mut client, position).len(), 2 * count, "{set:?}");
        options(&mut client, back);
    };
    check(&[("BookEvalDiff", "200")], &[("BookEvalDiff", "30")], start, 3);
    check(&[("BookEvalDiff", "0")], &[("BookEvalDiff", "30")], start, 1);
    check(&[("BookEvalBlackDiff", "0")], &[("BookEvalDiff", "30")], start, 1);
    check(&[("BookEvalBlackLimit", "20")], &[("BookEvalBlackLimit", "-100")], start, 1);
    check(&[("BookEvalBlackLimit", "36")], &[("BookEvalBlackLimit", "-100")], start, 0);
    check(&[("BookEvalWhiteLimit", "36")], &[("BookEvalWhiteLimit", "-150")], start, 2);
    check(&[("BookDepthLimit", "19")], &[("BookDepthLimit", "0")], start, 0);
    check(&[("BookDepthLimit", "18")], &[("BookDepthLimit", "0")], start, 2);
    check(&[("BookIgnoreRate", "100")], &[("BookIgnoreRate", "0")], start, 0);
    check(&[("BookMoves", "0")], &[("BookMoves", "60")], start, 0);
    check(&[("BookMoves", "1")], &[("BookMoves", "60")], "position startpos moves 7g7f", 0);
    check(&[("BookMoves", "2")], &[("BookMoves", "60")], "position startpos moves 7g7f", 1);
    check(&[("USI_OwnBook", "false")], &[("USI_OwnBook", "true")], start, 0);
    check(&[("USI_AnalyseMode", "true")], &[("USI_AnalyseMode", "false")], start, 0);
    check(&[("ConsiderationMode", "true")], &[("ConsiderationMode", "false")], start, 0);
    // At another move of the game, and with the colours exchanged.
    let late = format!("position sfen {START} 9");
    check(&[], &[], &late, 2);
    check(&[("IgnoreBookPly", "false")], &[("IgnoreBookPly", "true")], &late, 0);
    check(&[("IgnoreBookPly", "false")], &[("IgnoreBookPly", "true")], start, 2);
    let twin = format!("position sfen {} 1", START.replace(" b", " w"));
    check(&[], &[], &twin, 2);
    check(&[("FlippedBook", "false")], &[("FlippedBook", "true")], &twin, 0);
    check(&[("BookOnTheFly", "true")], &[("BookOnTheFly", "false")], start, 2);
    check(&[("BookFile", "no_book")], &[], start, 0);
    client.quit();
}

#[test]
fn counts_narrow_and_weigh() {
    let text = format!("{HEADER}\nsfen {START} 1\n7g7f none 0 1 90\n2g2f none 0 1 9\n9g9f none 0 1 1\n");
    let file = BookFile::new("a.db", text);
    let (mut client, _) = with(&file.path);
    assert_eq!(candidates(&mut client, "position startpos").iter().filter(|word| *word == "(33%)").count(), 3);
    options(&mut client, &[("ConsiderBookMoveCount", "true")]);
    let words = candidates(&mut client, "position startpos");
    let share = |mv: &str| words.iter().position(|word| word == mv).map(|at| words[at + 1].clone()).unwrap();
    assert_eq!([share("7g7f"), share("2g2f"), share("9g9f")], ["(90%)", "(9%)", "(1%)"]);
    options(&mut client, &[("NarrowBook", "true")]);
    assert_eq!(candidates(&mut client, "position startpos"), ["7g7f", "(100%)"]);
    client.quit();
}

#[test]
fn the_book_is_for_play_and_debug_says_why_it_is_not_used() {
    let file = BookFile::new("a.db", text());
    let (mut client, _) = with(&file.path);
    client.say("debug on");
    client.say("position startpos");
    for (go, why) in [("go infinite", "analysis"), ("go depth 1 searchmoves 9g9f", "analysis"), ("go depth 1", "")] {
        client.say(go);
        if go == "go infinite" {
            let heard = client.listen(Duration::from_millis(200));
            assert!(heard.iter().all(|line| !line.contains("book 7g7f")), "{heard:?}");
            assert!(heard.iter().any(|line| line.contains(why)), "{heard:?}");
            client.say("stop");
            client.answer();
        } else {
            let answer = client.answer();
            let note = answer.infos.iter().find(|line| line.starts_with("info string book")).expect("a note");
            assert!(note.contains(why), "{note}");
        }
    }
    for (set, why) in [
        ("BookMoves value 0", "BookMoves"),
        ("BookIgnoreRate value 100", "BookIgnoreRate"),
        ("BookDepthLimit value 99", "BookDepthLimit"),
        ("BookEvalBlackLimit value 99", "BookEvalBlackLimit"),
    ] {
        let (mut client, _) = with(&file.path);
        client.say("debug on");
        client.say(&format!("setoption name {set}"));
        client.say("position startpos");
        let answer = client.go("go depth 1");
        assert!(
            answer.infos.iter().any(|line| line.contains("book not used") && line.contains(why)),
            "{:?}",
            answer.infos
        );
        client.quit();
    }
    client.say("position startpos moves 9g9f");
    let answer = client.go("go depth 1");
    assert!(answer.infos.iter().any(|line| line.contains("not in it")), "{:?}", answer.infos);
    client.quit();
}

#[test]
fn a_hit_while_pondering_waits_for_the_hit() {
    let file = BookFile::new("a.db", text());
    let (mut client, _) = with(&file.path);
    for end in ["ponderhit", "stop"] {
        client.say("position startpos moves 7g7f 3c3d");
        client.say("go ponder btime 1000 wtime 1000");
        let heard = client.listen(Duration::from_millis(200));
        assert!(heard.iter().all(|line| !line.starts_with("bestmove")), "{heard:?}");
        client.say(end);
        assert_eq!(client.answer().choice(), "2g2f");
    }
    // With Stochastic_Ponder another position is searched meanwhile.
    client.say("setoption name Stochastic_Ponder value true");
    client.say("position startpos moves 7g7f 3c3d");
    client.say("go ponder btime 1000 wtime 1000");
    client.listen(Duration::from_millis(100));
    client.say("ponderhit");
    assert_eq!(client.answer().choice(), "2g2f");
    client.quit();
}

#[test]
fn mate_and_declaration_come_first() {
    let mate = "8k/9/8P/9/9/9/9/9/4K4 b G 1";
    let declarable = "K+P+P+P+P+P+P2/+P+P+P+P5/9/9/9/9/9/9/8k b 2RB4P 1";
    let text = format!("{HEADER}\nsfen {mate}\n5i5h none 0 1\nsfen {declarable}\nR*5e none 0 1\n");
    let file = BookFile::new("a.db", text);
    let (mut client, _) = with(&file.path);
    client.say(&format!("position sfen {mate}"));
    assert_eq!(client.go("go depth 1").choice(), "G*1b");
    client.say(&format!("position sfen {declarable}"));
    assert_eq!(client.go("go depth 1").choice(), "win");
    client.quit();
}

#[test]
fn the_book_does_not_walk_into_a_fourth_repetition() {
    let away = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B4R2/LNSGKGSNL b -";
    let text = format!("{HEADER}\nsfen {away} 3\n3h2h none 50 1\n7g7f none 40 1\n");
    let file = BookFile::new("a.db", text);
    let (mut client, _) = with(&file.path);
    let moves = "2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b";
    let first = "position startpos moves 2h3h 8b7b".to_owned();
    // White's rook stands elsewhere: the book knows the position without that.
    let text = format!(
        "{HEADER}\nsfen lnsgkgsnl/2r4b1/ppppppppp/9/9/9/PPPPPPPPP/1B4R2/LNSGKGSNL b - 3\n3h2h none 50 1\n7g7f none 40 1\n"
    );
    fs::write(&file.path, text).unwrap();
    client.is_ready();
    assert_eq!(candidates(&mut client, &first).len(), 4);
    // The move to 2h makes the start position with White's rook on 7b stand once more only; that of White the fourth.
    assert_eq!(candidates(&mut client, &format!("position startpos moves {moves}")).len(), 4);
    let again = format!("position startpos moves {moves} 3h2h 7b8b 2h3h 8b7b");
    let left = candidates(&mut client, &again);
    assert_eq!(left, ["7g7f", "(100%)"], "3h2h would be the fourth time");
    client.quit();
}

#[test]
fn a_book_that_cannot_be_used_is_named_and_play_goes_on() {
    let file = BookFile::new("a.db", "a letter to a friend");
    for (value, why) in [
        (file.path.display().to_string(), "no opening book"),
        ("standard_book.db".to_owned(), "no such file"),
        (r"C:\no books\a.db".to_owned(), r"book C:\no books\a.db is not used: there is no such file"),
        (file.folder.path().display().to_string(), "no such file"),
    ] {
        let (mut client, said) = with(Path::new(&value));
        assert!(said[0].contains("is not used") && said[0].contains(why), "{said:?}");
        client.say("position startpos");
        assert_ne!(client.go("go depth 1").choice(), "resign");
        // It is said again before the next game.
        client.say("isready");
        assert_eq!(client.hear("readyok").len(), 2);
        client.quit();
    }
}

#[test]
fn a_changed_file_is_loaded_again_and_a_name_is_looked_for_in_the_folder() {
    let file = BookFile::new("user_book1.db", text());
    let mut client = Client::start_with_book(Path::new(env!("CARGO_BIN_EXE_hagane")), file.folder.path());
    options(&mut client, &[("USI_Hash", "1"), ("Threads", "1"), ("BookDir", "."), ("BookFile", "user_book1.ybb")]);
    client.say("isready");
    let said = client.hear("readyok");
    assert!(said[0].contains("user_book1.db: 3 positions"), "the other ending: {said:?}");
    client.accepted();
    fs::write(&file.path, format!("{HEADER}\nsfen {START} 1\n9g9f none 0 1\n")).unwrap();
    client.say("isready");
    let said = client.hear("readyok");
    assert!(said[0].contains("1 position"), "{said:?}");
    client.say("position startpos");
    assert_eq!(client.go("go depth 1").choice(), "9g9f");
    // A file of corrections comes first.
    fs::write(file.folder.path().join("user_book1-000.db"), format!("{HEADER}\nsfen {START} 1\n5g5f none 0 1\n"))
        .unwrap();
    client.is_ready();
    client.say("position startpos");
    assert_eq!(client.go("go depth 1").choice(), "5g5f");
    client.quit();
}

#[test]
fn a_book_of_counts_alone_is_played_without_a_value() {
    let file = BookFile::new("a.db", format!("{HEADER}\nsfen {START} 1\n7g7f none none none 7\n"));
    let (mut client, _) = with(&file.path);
    client.say("position startpos");
    let answer = client.go("go depth 1");
    assert_eq!((answer.choice(), answer.last_pv()), ("7g7f", ""));
    client.quit();
}

#[test]
fn in_a_handicap_the_limits_do_not_count() {
    let two = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let file = BookFile::new("a.db", format!("{HEADER}\nsfen {two}\n7a6b none -1500 9\n5a4b none -1510 9\n"));
    let (mut client, _) = with(&file.path);
    assert_eq!(candidates(&mut client, &format!("position sfen {two}")).len(), 4);
    client.quit();
}

/// As on a drive that is taken away: what was there when the book was opened is not there when it is asked.
#[test]
fn a_book_that_vanishes_while_it_is_open_is_closed_and_play_goes_on() {
    let entry = vec![hagane::book::BookMove::bare("9g9f".parse().unwrap())];
    let file = BookFile::new("a.ybb", ybb(&[(format!("{START} 1"), entry)]));
    let (mut client, _) = with(&file.path);
    options(&mut client, &[("BookOnTheFly", "true")]);
    assert_eq!(candidates(&mut client, "position startpos"), ["9g9f", "(100%)"]);
    fs::File::options().write(true).open(&file.path).unwrap().set_len(50).unwrap();
    client.say("position startpos");
    let answer = client.go("go depth 1");
    assert!(answer.infos[0].starts_with("info string book a.ybb is not used: it cannot be read"), "{:?}", answer.infos);
    client.say("position startpos");
    assert!(client.go("go depth 1").infos.iter().all(|info| !info.contains("book")), "once is enough");
    // It is back.
    let entry = vec![hagane::book::BookMove::bare("1g1f".parse().unwrap())];
    fs::write(&file.path, ybb(&[(format!("{START} 1"), entry)])).unwrap();
    client.is_ready();
    assert_eq!(candidates(&mut client, "position startpos"), ["1g1f", "(100%)"]);
    client.quit();
}
