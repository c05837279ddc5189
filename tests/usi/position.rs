//! `position`: every form that clients send, and what happens to those that are wrong.

use crate::common::client::{Client, TRANSLATED};

const AFTER_76: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// The position that the program has now.
#[track_caller]
fn sfen(client: &mut Client) -> String {
    client.say("d");
    let sfen = client.hear("sfen").pop().expect("a line");
    client.hear("key");
    sfen
}

#[test]
fn every_form_of_a_position() {
    let mut client = Client::start();
    for line in [
        "position startpos moves 7g7f",
        "position  startpos \t moves   7g7f  ",
        "position startpos moves 7g7f\r",
        "position startpos joho moves 7g7f",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - moves 7g7f",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL_b_-_1 moves 7g7f",
        "position lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f",
        "position startpos moves 7g7f resign",
        "position startpos moves 7g7f win 3c3d",
        "position startpos moves 7g7f 0000",
        "position startpos moves 7g7f pass",
    ] {
        client.say("position startpos moves 2g2f");
        client.say(line);
        assert_eq!(sfen(&mut client), AFTER_76, "{line}");
    }
    for line in
        ["position startpos", "position startpos moves", "position startpos moves ", "position startpos moves win"]
    {
        client.say("position startpos moves 2g2f");
        client.say(line);
        assert_eq!(sfen(&mut client), START, "{line}");
    }
    client.quit();
}

#[test]
fn a_move_number_of_one_all_the_time_is_no_trouble() {
    let mut client = Client::ready();
    client.say("position sfen ln1g1gsnl/1r1s2kb1/p1pppp1pp/6p2/1p7/2PP5/PPB1PPPPP/2SR1K3/LN1G1GSNL b - 1");
    client.go("go depth 3");
    client.say("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 0");
    assert_eq!(sfen(&mut client), START);
    client.quit();
}

#[test]
fn hands_in_any_order_and_large_counts() {
    let mut client = Client::start();
    client.say("position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2p18P 1");
    assert!(client.refusal().contains("pawn"), "twenty pawns");
    client.say("position sfen 4k4/9/9/9/9/9/9/9/4K4 b 10p8P2rb 1");
    assert_eq!(sfen(&mut client), "sfen 4k4/9/9/9/9/9/9/9/4K4 b 8P2rb10p 1");
    client.quit();
}

#[test]
fn the_same_position_twice_and_no_go_between() {
    let mut client = Client::ready();
    client.say("position startpos moves 2g2f");
    client.say("position startpos moves 7g7f");
    client.say("position startpos moves 7g7f");
    client.accepted();
    assert_eq!(sfen(&mut client), AFTER_76);
    client.go("go depth 2");
    assert_eq!(sfen(&mut client), AFTER_76);
    client.quit();
}

/// A start that cannot be read is told in one line that names the culprit; no position stands then.
#[test]
fn an_unreadable_start_leaves_no_position_and_no_move() {
    let mut client = Client::ready();
    for (line, named) in [
        ("position", "startpos"),
        ("position joho", "startpos"),
        ("position sfen", "board"),
        ("position sfen lnsgkgsnl/1r5b1", "ranks"),
        ("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL", "side"),
        ("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL x - 1", "'x'"),
        ("position sfen lnsgkgsnl/1r5b1/pppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "10"),
        ("position sfen lnsgkgsnl/1r5b1/ppppXpppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "'X'"),
        ("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b 0P 1", "0P"),
        ("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - x", "'x'"),
        ("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1", "pawn"),
        ("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/4K4/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "king"),
        ("position sfen P3k4/9/9/9/9/9/9/9/4K4 b - 1", "9a"),
        ("position sfen 4k4/9/9/9/P8/9/P8/9/4K4 b - 1", "9e"),
        ("position sfen 4k4/9/9/9/4R4/9/9/9/4K4 b - 1", "5a"),
    ] {
        client.say("position startpos moves 7g7f");
        client.say(line);
        let refusal = client.refusal();
        assert!(refusal.contains(named), "{line}: {refusal}");
        for (go, answer) in [("go movetime 50", "bestmove resign"), ("go mate 50", "checkmate timeout")] {
            let answer = if TRANSLATED { "bestmove resign" } else { answer };
            client.say(go);
            let heard = client.hear(answer);
            assert!(heard.len() == 2 && heard[0].starts_with("info string "), "{line}, {go}: {heard:?}");
        }
        for command in ["d", "side", "moves", "eval", "perft 1", "go perft 1"] {
            client.say(command);
            assert!(client.refusal().contains("no position"), "{line}, {command}");
        }
        client.say("usinewgame");
        client.say("go depth 1");
        client.hear("bestmove resign");
        client.say("position startpos moves 7g7f");
        assert_eq!(sfen(&mut client), AFTER_76, "{line}");
    }
    assert_ne!(client.go("go depth 2").choice(), "resign");
    client.quit();
}

/// The legal moves before a faulty one stand, and one line names the culprit.
#[test]
fn the_moves_before_a_faulty_one_stand() {
    let mut client = Client::ready();
    for (line, named) in [
        ("position startpos moves 7g7f 3c3e", "3c3e"),
        ("position startpos moves 7g7f joho", "joho"),
        ("position startpos moves 7g7f 7g7f", "move 2"),
        ("position startpos moves 7g7f 7g7f 3c3d 2g2f", "move 2"),
        ("position startpos moves 7g7f P*5e", "P*5e"),
        ("position startpos moves 7g7f 3c3d+", "3c3d+"),
        ("position startpos moves 7g7f 5i5h", "5i5h"),
        // A lishogi bot sends the current position with all moves of the game.
        ("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2 moves 7g7f", "move 1"),
    ] {
        client.say("position startpos");
        client.say(line);
        let note = client.refusal();
        assert!(note.contains(named) && note.contains("the position stands before"), "{line}: {note}");
        assert_eq!(sfen(&mut client), AFTER_76, "{line}");
    }
    for line in ["position startpos moves P*5e", "position startpos moves 7g7f+", "position startpos moves 5a5b"] {
        client.say("position startpos moves 7g7f");
        client.say(line);
        assert!(client.refusal().contains("move 1 "), "{line}");
        assert_eq!(sfen(&mut client), START, "{line}");
    }
    assert_ne!(client.go("go depth 2").choice(), "resign");
    client.quit();
}

#[test]
fn moves_without_startpos_and_dashes_for_empty_hands_are_taken() {
    let mut client = Client::ready();
    for line in [
        "position moves 7g7f",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b \u{2013} 1 moves 7g7f",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b \u{2212} 1 moves 7g7f",
        "position startpos moves 7g7f rep_draw",
        "position startpos moves 7g7f break",
        "position startpos moves 7g7f timeout 3c3d",
    ] {
        client.say("position startpos moves 2g2f");
        client.say(line);
        client.accepted();
        assert_eq!(sfen(&mut client), AFTER_76, "{line}");
    }
    client.quit();
}

#[test]
fn every_legal_move_is_taken_even_one_that_the_search_would_not_play() {
    let mut client = Client::ready();
    // A bishop that does not promote, a pawn, a rook, a lance on the second rank.
    client.say("position startpos moves 7g7f 3c3d 8h2b 3a2b");
    client.accepted();
    client.say("position sfen k8/9/2LP5/6B2/4R4/9/9/9/4K4 b - 1 moves 7c7b 9a8a 6c6b 8a9a 3d2c 9a8a 5e5c");
    client.accepted();
    client.go("go depth 3");
    client.quit();
}
