//! What a client of UCI hears: the introduction, the forms, the clock, the ends of a game.

use std::time::{Duration, Instant};

use crate::common::client::{Client, field};

/// How late an answer may come on a busy machine.
const SLACK: Duration = Duration::from_millis(250);

fn ready() -> Client {
    let mut client = Client::start_plain();
    client.say("setoption name Threads value 1\nsetoption name Hash value 16\nisready");
    client.hear("readyok");
    client
}

fn go(client: &mut Client, position: &str, go: &str) -> Vec<String> {
    client.say(position);
    client.say(go);
    client.hear("bestmove ")
}

fn choice(heard: &[String]) -> &str {
    heard.last().and_then(|line| line.split(' ').nth(1)).unwrap_or_default()
}

/// The line of `d` that begins with a word.
fn shown(client: &mut Client, word: &str) -> String {
    client.say("d");
    let heard = client.hear("key ");
    heard.into_iter().find(|line| line.starts_with(word)).unwrap_or_default()
}

#[test]
fn the_introduction_is_uci_s() {
    let mut client = Client::start_plain();
    client.say("uci");
    let heard = client.hear("uciok");
    assert!(heard[0].starts_with("id name Hagane") && heard[1].starts_with("id author "), "{heard:?}");
    for line in &heard[2..heard.len() - 1] {
        assert!(line.len() < 500, "{line}");
        let (_, kind) = line.split_once(" type ").expect("a type");
        let kind = kind.split(' ').next().expect("a word");
        assert!(["check", "spin", "combo", "button", "string"].contains(&kind), "{line}");
    }
    for name in
        ["Hash", "Ponder", "MultiPV", "Threads", "Clear Hash", "UCI_AnalyseMode", "UCI_ShowCurrLine", "UCI_Opponent"]
    {
        assert!(heard.iter().any(|line| line.starts_with(&format!("option name {name} type "))), "{name}");
    }
    assert!(heard.contains(&"option name UCI_Variant type combo default shogi var shogi".to_owned()));
    for (name, offered) in [("UCI_LimitStrength", true), ("UCI_Elo", true), ("UCI_Strength", false)] {
        assert_eq!(heard.iter().any(|line| line.starts_with(&format!("option name {name} "))), offered, "{name}");
    }
    assert!(!heard.iter().any(|line| line.contains(" USI_") || line.contains("filename")), "{heard:?}");
    client.quit();
}

/// The dialogue of the protocol's text, with moves of shogi.
#[test]
fn the_dialogue_of_the_definition() {
    let mut client = Client::start_plain();
    for line in [
        "uci",
        "setoption name Hash value 32",
        "setoption name NalimovCache value 1",
        "setoption name NalimovPath value d:\\tb;c\\tb",
    ] {
        client.say(line);
    }
    client.say("isready");
    assert_eq!(client.hear("readyok").last().map(String::as_str), Some("readyok"));
    client.say("ucinewgame\nsetoption name UCI_AnalyseMode value true");
    client.say("position startpos moves c3c4 g7g6\ngo infinite");
    let line = client.hear("info depth ").pop().expect("a line");
    assert!(field(&line, "pv").is_some_and(|mv| mv.as_bytes()[1].is_ascii_digit()), "{line}");
    client.say("stop");
    let answer = client.hear("bestmove ").pop().expect("an answer");
    let words: Vec<&str> = answer.split(' ').collect();
    assert!(matches!(words[..], ["bestmove", _] | ["bestmove", _, "ponder", _]), "{answer}");
    client.quit();
}

#[test]
fn the_position_outlives_a_change_of_the_dialect() {
    let mut client = Client::start_plain();
    client.say("usi");
    client.hear("usiok");
    let heard = go(&mut client, "position startpos moves c3c4 g7g6", "go depth 2");
    assert!(choice(&heard).as_bytes()[0].is_ascii_digit() || choice(&heard).contains('*'), "{heard:?}");
    client.say("uci");
    client.hear("uciok");
    let fen = "fen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL[] w - - 0 2";
    assert_eq!(shown(&mut client, "fen"), fen);
    client.quit();
}

#[test]
fn the_side_to_move_of_a_handicap_and_a_long_game() {
    let mut client = ready();
    let board = "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-]";
    for (side, ranks) in [("b", "789"), ("w", "123")] {
        let heard = go(&mut client, &format!("position fen {board} {side} 0 1"), "go depth 2");
        assert!(ranks.contains(&choice(&heard)[1..2]), "{heard:?}");
    }
    let there_and_back = "e1e2 e9e8 e2e1 e8e9 ".repeat(250);
    client.say(&format!("position fen 4k4/9/9/9/9/9/9/9/4K4[] w moves {there_and_back}"));
    client.accepted();
    assert!(shown(&mut client, "sfen").ends_with(" b - 1001"));
    // Nothing before the hit, though the search has nothing left to do; `stop` ends the other one.
    client.say("go ponder wtime 60000 btime 60000 depth 1");
    client.listen(Duration::from_millis(100)).iter().for_each(|line| assert!(line.starts_with("info "), "{line}"));
    client.say("ponderhit");
    client.hear("bestmove ");
    client.say("go ponder wtime 60000 btime 60000\nstop\nstop");
    client.hear("bestmove ");
    client.silence(Duration::from_millis(50));
    client.quit();
}

#[test]
fn either_word_may_come_again() {
    let mut client = Client::start_plain();
    client.say("uci\nuci\nisready");
    let heard = client.hear("readyok");
    assert_eq!(heard.iter().filter(|line| *line == "uciok").count(), 2);
    // During a search: told at once; the search answers as it was asked, the next one as its client speaks now.
    client.say("position startpos moves c3c4\ngo infinite\nusi");
    let heard = client.hear("usiok");
    assert!(heard.iter().any(|line| line.starts_with("option name USI_Hash ")));
    client.say("stop");
    assert!(choice(&client.hear("bestmove ")).as_bytes()[0].is_ascii_lowercase());
    client.say("go depth 2");
    assert!(choice(&client.hear("bestmove ")).as_bytes()[0].is_ascii_digit());
    client.say("uci\ngo depth 2");
    assert!(choice(&client.hear("bestmove ")).as_bytes()[0].is_ascii_lowercase());
    client.quit();
}

#[test]
fn both_notations_are_read_in_both_dialects() {
    let mut client = Client::start_plain();
    for dialect in ["uci", "usi"] {
        client.say(dialect);
        client.hear(&format!("{dialect}ok"));
        for line in [
            "position startpos moves c3c4 g7g6 b2h8+ g9h8 B@e5",
            "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e",
            "position startpos moves c3c4 3c3d b2h8+ 3a2b b@e5",
            "position moves c3c4 g7g6 b2h8+ g9h8 B*e5",
            "position fen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w 0 1 moves c3c4 g7g6 b2h8+ g9h8 B@e5",
            "position fen lnsgkg1nl/1r5s1/pppppp1pp/6p2/4B4/2P6/PP1PPPPPP/7R1/LNSGKGSNL[b] b - - 0 3",
            "position lnsgkg1nl/1r5s1/pppppp1pp/6p2/4B4/2P6/PP1PPPPPP/7R1/LNSGKGSNL[b] b - 3",
            "position sfen lnsgkg1nl/1r5s1/pppppp1pp/6p2/4B4/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 6",
        ] {
            client.say("position startpos");
            client.say(line);
            let expected = "sfen lnsgkg1nl/1r5s1/pppppp1pp/6p2/4B4/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 6";
            assert_eq!(shown(&mut client, "sfen"), expected, "{dialect}: {line}");
        }
        // XBoard says so where a piece does not promote.
        client.say("position startpos moves c3c4 g7g6 b2h8=");
        assert!(shown(&mut client, "sfen").contains("1r5B1/"));
    }
    client.say("uci");
    client.hear("uciok");
    client.say("position startpos moves c3c4 g7g6 b2h8+");
    let fen = "fen lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL[B] b - - 0 2";
    assert_eq!(shown(&mut client, "fen"), fen);
    // The giver of a handicap moves first, with the small letters: Black in UCI.
    client.say("position fen lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] b - - 0 1 moves g9f8");
    assert!(shown(&mut client, "sfen").ends_with(" b - 3"));
    client.quit();
}

#[test]
fn bad_positions_and_moves_are_named_and_answered_without_a_move() {
    let mut client = ready();
    for (line, named) in [
        ("position fen", "startpos"),
        ("position fen x w - 1", "rank"),
        ("position fen 4k4/9/9/9/9/9/9/9/4K4[19P] w - - 0 1", "19P"),
        ("position fen 4k4/9/9/9/9/9/9/9/4K4[PPPPPPPPPPPPPPPPPPP] w - - 0 1", "pawn"),
        ("position fen 4k4/9/9/9/9/9/9/9/4K4[X] w - - 0 1", "'X'"),
        ("position fen 4k4/9/9/9/9/9/9/9/4K4[P w - - 0 1", "'['"),
        ("position fen 4k4/9/9/9/9/9/9/9/4K4[P]", "side to move"),
        ("position fen 4k4/9/9/9/9/9/9/9/4K4[] x - - 0 1", "'x'"),
        ("position fen 4k4/9/9/9/9/9/9/9/4K4[] w - - 0 joho", "joho"),
        ("position fen 9/9/9/9/9/9/9/9/9[] w - - 0 1", "king"),
    ] {
        client.say(line);
        let refusal = client.refusal();
        assert!(refusal.contains(named), "{line}: {refusal}");
        for go in ["go movetime 50", "go mate 3"] {
            client.say(go);
            assert_eq!(choice(&client.hear("bestmove ")), "(none)", "{line} {go}");
        }
    }
    client.say("position startpos moves c3c4 c3c4");
    let note = client.refusal();
    assert!(note.contains("move 2 of the list, c3c4"), "{note}");
    for name in ["UCI_Variant", "uci variant"] {
        client.say(&format!("setoption name {name} value chess"));
        assert!(client.refusal().contains("chess"));
    }
    for silent in [
        "setoption name UCI_Variant value shogi",
        "setoption name UCI_Opponent value GM 2800 human Gary Kasparov",
        "setoption name UCI_SetPositionValue value clearall",
        "setoption name Clear Hash",
        "setoption name Debug Log File value <empty>",
        "register later",
    ] {
        client.say(silent);
        client.accepted();
    }
    client.quit();
}

#[test]
fn there_is_always_a_move_where_the_rules_have_one() {
    let mut client = ready();
    // Not resigned, not declared.
    client.say("setoption name ResignValue value 0");
    let heard = go(&mut client, "position fen 4k4/9/9/9/9/9/9/9/4K4[rrbbgggg] w - - 0 1", "go depth 2");
    assert!(choice(&heard).starts_with("e1"), "{heard:?}");
    let declarable = "position fen K+P+P+P+P+P+P2/+P+P+P+P5/9/9/9/9/9/9/8k[RRBPPPP] w - - 0 1";
    let heard = go(&mut client, declarable, "go depth 2");
    assert!(!["win", "resign", "(none)", ""].contains(&choice(&heard)), "{heard:?}");
    client.say("setoption name EnteringKingRule value TryRule");
    let heard = go(&mut client, "position fen 9/4K4/9/9/9/9/9/9/k8[] w - - 0 1", "go depth 3");
    assert!(choice(&heard).starts_with("e8"), "{heard:?}");
    // A level does not give up either.
    client.say("setoption name Level value 5");
    let heard = go(&mut client, "position fen 4k4/9/9/9/9/9/9/9/4K4[rrbbgggg] w - - 0 1", "go wtime 900 btime 900");
    assert!(choice(&heard).starts_with("e1"), "{heard:?}");
    client.say("setoption name Level value 20");
    // Mated.
    let heard = go(&mut client, "position fen 8k/8G/8P/9/9/9/9/9/4K4[] b - - 0 1", "go depth 3");
    assert_eq!(choice(&heard), "(none)");
    assert!(heard.iter().any(|line| line.contains(" score mate 0 ")), "{heard:?}");
    client.quit();
}

#[test]
fn mates_are_counted_in_moves() {
    let mut client = ready();
    let one = "position fen 8k/9/8P/9/9/9/9/9/4K4[G] w - 1";
    for (position, go_line, score, best) in [
        (one, "go depth 3", " score mate 1 ", "G@i8"),
        (one, "go mate 1", " score mate 1 ", "G@i8"),
        (one, "go mate 3 movetime 500", " score mate 1 ", "G@i8"),
        // 1d2c 1b1a 2c2b: three plies, two moves.
        ("position fen 9/8k/9/7RG/9/9/9/9/9[] w - 1", "go mate 2", " score mate 2 ", ""),
    ] {
        let heard = go(&mut client, position, go_line);
        assert!(heard[heard.len() - 2].contains(score), "{go_line}: {heard:?}");
        assert!(best.is_empty() || choice(&heard) == best, "{go_line}: {heard:?}");
        assert!(heard.iter().all(|line| !line.starts_with("checkmate")));
    }
    // No mate: a move all the same, and no search without end.
    for line in ["go mate 2", "go mate", "go mate x", "go mate 0", "go mate -3", "go mate 3 nodes 2000"] {
        let heard = go(&mut client, "position startpos", line);
        assert_eq!(choice(&heard).len(), 4, "{line}: {heard:?}");
    }
    // A mate of many hundred plies: `stop` is answered at once.
    client.say(
        "position sfen g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1",
    );
    client.say("go mate 300");
    client.listen(Duration::from_millis(300));
    let asked = Instant::now();
    client.say("stop");
    client.hear("bestmove ");
    assert!(asked.elapsed() < Duration::from_millis(500) + SLACK, "{:?}", asked.elapsed());
    client.silence(Duration::from_millis(100));
    client.quit();
}

/// The time given may be used; the increment comes after the move.
#[test]
fn the_clock_contains_the_increment() {
    let mut client = ready();
    for (position, go_line, most) in [
        ("position startpos", "go wtime 300 btime 60000 winc 10000 binc 10000", 300),
        ("position startpos moves c3c4", "go wtime 60000 btime 300 winc 10000 binc 10000", 300),
        ("position startpos", "go wtime 0 btime 60000 winc 100 binc 100", 0),
        ("position startpos", "go wtime -50 btime 60000 winc 5000 binc 5000", 0),
        ("position startpos", "go btime 400 winc 9000", 400),
        ("position startpos", "go wtime 300 btime 300 movestogo 1", 300),
        ("position startpos", "go depth 0", 1000),
    ] {
        let asked = Instant::now();
        go(&mut client, position, go_line);
        assert!(asked.elapsed() < Duration::from_millis(most) + SLACK, "{go_line}: {:?}", asked.elapsed());
    }
    // A ponder hit without clocks of its own takes those of its `go`.
    client.say("position startpos moves c3c4 g7g6\ngo ponder wtime 400 btime 400 winc 10000 binc 10000");
    client.listen(Duration::from_millis(100));
    let asked = Instant::now();
    client.say("ponderhit");
    client.hear("bestmove ");
    assert!(asked.elapsed() < Duration::from_millis(400) + SLACK, "{:?}", asked.elapsed());
    client.quit();
}

#[test]
fn the_words_after_go() {
    let mut client = ready();
    client.say("position startpos\ngo infinite searchmoves a3a4 9g9f i3i4");
    let heard = client.listen(Duration::from_millis(100));
    assert!(heard.iter().all(|line| line.starts_with("info ")), "{heard:?}");
    client.say("stop");
    let answer = client.hear("bestmove ");
    assert!(["a3a4", "i3i4"].contains(&choice(&answer)), "{answer:?}");
    client.say("go depth 2 searchmoves e9e8 a3a4");
    let heard = client.hear("bestmove ");
    assert!(heard[0].contains("e9e8") && choice(&heard) == "a3a4", "{heard:?}");
    client.say("setoption name MultiPV value 3\ngo depth 3");
    let heard = client.hear("bestmove ");
    assert!(heard.iter().any(|line| field(line, "multipv") == Some("3")), "{heard:?}");
    client.say("moves");
    assert!(client.hear("").last().is_some_and(|line| line.split(' ').any(|mv| mv == "c3c4")));
    client.say("perft 1");
    assert!(client.hear("30 nodes").iter().any(|line| line == "c3c4: 1"));
    client.say("getoption Hash");
    assert_eq!(client.hear("Hash"), ["Hash = 16"]);
    client.quit();
}

#[test]
fn what_is_said_about_the_book_spells_moves_as_the_rest_does() {
    let drop = "4k4/9/9/9/9/9/9/9/4K4 b P 1";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.db");
    let start = hagane::position::Position::STARTPOS;
    let text =
        format!("#YANEURAOU-DB2016 1.00\nsfen {drop}\nP*5e none 20 9\nsfen {start}\n7g7f none 35 9\n2g2f none 35 9\n");
    std::fs::write(&path, text).expect("a file");
    let mut client = Client::start_plain();
    client.say("uci\nsetoption name Threads value 1\nsetoption name OwnBook value true");
    client.say(&format!("setoption name BookFile value {}\ndebug on\nisready", path.display()));
    client.hear("readyok");
    let mut note = |position: &str| {
        let heard = go(&mut client, position, "go depth 1");
        heard.into_iter().find(|line| line.starts_with("info string book")).expect("a note")
    };
    let both = note("position startpos");
    assert!(both.contains(" c3c4 (50%)") && both.contains(" h3h4 (50%)"), "{both}");
    assert_eq!(note(&format!("position sfen {drop}")), "info string book P@e5 (100%)");
    client.say("setoption name BookEvalBlackLimit value 99");
    let heard = go(&mut client, "position startpos", "go depth 1");
    let why = "info string book not used: its moves are all rejected: ";
    let rejected = heard.iter().find_map(|line| line.strip_prefix(why)).expect("a note");
    assert!(rejected.contains("c3c4 BookEvalBlackLimit"), "{rejected}");
    client.quit();
}
