//! `info`: what clients read out of it. The form of every line is judged by the client itself.

use std::time::{Duration, Instant};

use crate::common::client::{Client, field};

#[test]
fn the_last_line_is_the_best_moves_with_score_and_pv() {
    let mut client = Client::ready();
    for multi_pv in ["1", "4"] {
        client.say(&format!("setoption name MultiPV value {multi_pv}"));
        for moves in ["", " moves 7g7f 3c3d", " moves 2g2f 8c8d 2f2e"] {
            client.say(&format!("position startpos{moves}"));
            for go in ["go depth 1", "go depth 4", "go movetime 100", "go nodes 300", "go byoyomi 150"] {
                let answer = client.go(go);
                let last = answer.infos.last().expect("an info line");
                let score = last.find(" score ").expect("a score");
                let pv = last.find(" pv ").expect("a pv");
                assert!(score < pv);
                assert_eq!(last[pv + 4..].split(' ').next(), Some(answer.choice()), "{go}: {last}");
                assert!(field(last, "multipv").is_none_or(|number| number == "1"), "{last}");
            }
        }
    }
    client.quit();
}

#[test]
fn a_stop_before_the_first_line_is_answered_with_one_too() {
    let mut client = Client::ready();
    client.say("position startpos");
    client.say("go infinite\nstop");
    let answer = client.answer();
    assert!(!answer.last_pv().is_empty(), "{:?}", answer.infos);
    client.quit();
}

#[test]
fn bounds_are_told_only_when_asked_for() {
    let mut client = Client::ready();
    client.say("setoption name OutputFailLHPV value false");
    client.say("setoption name PvInterval value 0");
    client.say("position startpos");
    let is_bound = |info: &String| info.contains("lowerbound") || info.contains("upperbound");
    assert!(!client.go("go movetime 1000").infos.iter().any(is_bound));
    client.quit();
}

#[test]
fn mate_scores_are_in_plies_and_have_a_number() {
    let mut client = Client::ready();
    // A gold mates at once; seen from the other side one ply earlier, and for the loser.
    client.say("position sfen 8k/9/8P/9/9/9/9/9/4K4 b G 1");
    assert!(client.go("go depth 4").last_pv().contains("score mate 1 "));
    client.say("position sfen 7k1/9/8P/9/9/9/9/9/4K4 w 2G 1 moves 2a1a");
    assert!(client.go("go depth 4").last_pv().contains("score mate 1 "));
    client.say("position sfen 8k/8G/8P/9/9/9/9/9/4K4 w - 1");
    client.say("go depth 3");
    let heard = client.hear("bestmove resign");
    assert!(heard.iter().any(|line| line.contains("score mate -1")), "{heard:?}");
    client.quit();
}

#[test]
fn scores_are_the_side_to_moves() {
    let mut client = Client::ready();
    let score = |client: &mut Client, line: &str| -> i32 {
        client.say(line);
        let answer = client.go("go depth 3");
        field(answer.last_pv(), "cp").and_then(|cp| cp.parse().ok()).expect("a score")
    };
    // White lacks its rook.
    let board = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    assert!(score(&mut client, &format!("position sfen {board} b - 1")) > 300);
    assert!(score(&mut client, &format!("position sfen {board} w - 1")) < -300);
    client.quit();
}

#[test]
fn something_is_said_at_least_once_a_second_and_not_too_often() {
    let mut client = Client::ready();
    client.say("position sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1");
    client.say("go infinite");
    let begin = Instant::now();
    let mut last = begin;
    let mut count = 0;
    while begin.elapsed() < Duration::from_secs(6) {
        let line = client.next_line(Duration::from_secs(2)).expect("a line each second");
        assert!(line.starts_with("info "));
        count += 1;
        assert!(last.elapsed() < Duration::from_millis(1300), "{:?} of silence", last.elapsed());
        last = Instant::now();
    }
    assert!(count < 600, "{count} lines in six seconds");
    client.say("stop");
    client.answer();
    client.quit();
}

#[test]
fn refutations_and_current_lines_come_only_when_asked_for() {
    let mut client = Client::ready();
    client.say("position startpos");
    let is_extra = |info: &String| info.starts_with("info refutation") || info.starts_with("info currline");
    assert!(!client.go("go movetime 1200").infos.iter().any(is_extra));
    client.say("setoption name USI_ShowRefutations value true");
    client.say("setoption name USI_ShowCurrLine value true");
    let answer = client.go("go movetime 2500");
    for extra in ["info refutation ", "info currline 1 "] {
        assert!(answer.infos.iter().any(|info| info.starts_with(extra)), "{extra}");
    }
    client.quit();
}
