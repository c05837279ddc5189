//! The last `info` line before `bestmove` is true: it shows the move that is played, and an exact score or a flagged
//! bound.

use hagane::position::Position;

use crate::common::client::{Answer, Client, field};

/// A hundred positions of games on Floodgate.
const POSITIONS: &str = include_str!("../data/positions.sfen");

fn number(line: &str, name: &str) -> i32 {
    field(line, name).and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("no {name} in '{line}'"))
}

fn moves(line: &str) -> Vec<&str> {
    line.split_once(" pv ").map_or_else(Vec::new, |(_, moves)| moves.split(' ').collect())
}

fn is_bound(line: &str) -> bool {
    line.contains(" lowerbound ") || line.contains(" upperbound ")
}

/// Whether the line leads to a repetition, where it may end.
fn repeats(sfen: &str, moves: &[&str]) -> bool {
    let mut position = Position::from_sfen(sfen).expect("a position");
    moves.iter().any(|mv| {
        position.do_move(mv.parse().expect("a move"));
        position.repetition().is_some()
    })
}

/// Judges the last line of an answer; the error says what is wrong with it.
fn judge(sfen: &str, answer: &Answer) -> Result<(), String> {
    let line = answer.infos.last().map_or("", String::as_str);
    let line_moves = moves(line);
    if answer.choice() == "win" || answer.choice() == "resign" && line_moves.is_empty() {
        return Ok(());
    }
    if line_moves.first() != Some(&answer.choice()) {
        return Err(format!("the line is not that of {}: {line}", answer.choice()));
    }
    let short = line_moves.len() < 5 && number(line, "depth") >= 6 && !line.contains(" score mate ");
    if !is_bound(line) && short && !repeats(sfen, &line_moves) {
        return Err(format!("an exact score with a short line: {line}"));
    }
    Ok(())
}

#[test]
fn the_last_line_is_exact_and_long_or_flagged_as_a_bound() {
    let mut client = Client::ready();
    client.say("setoption name ResignValue value 99999");
    let (mut faults, mut bounds, mut searches) = (Vec::new(), 0, 0);
    for sfen in POSITIONS.lines() {
        client.say("usinewgame");
        for nodes in [500, 2000, 6000, 15_000, 40_000] {
            client.say(&format!("position sfen {sfen}"));
            let answer = client.go(&format!("go nodes {nodes}"));
            searches += 1;
            bounds += usize::from(is_bound(answer.infos.last().map_or("", String::as_str)));
            if let Err(fault) = judge(sfen, &answer) {
                faults.push(format!("{sfen}, {nodes} nodes: {fault}"));
            }
        }
    }
    client.quit();
    assert!(faults.is_empty(), "{} of {searches}:\n{}", faults.len(), faults.join("\n"));
    // Now and then a move that has just failed high is played; most searches end with what is known exactly.
    assert!(bounds > 0 && bounds < searches / 4, "{bounds} of {searches} are bounds");
}

#[test]
fn several_lines_end_with_one_depth() {
    const LINES: usize = 3;
    let mut client = Client::ready();
    client.say(&format!("setoption name MultiPV value {LINES}"));
    for sfen in POSITIONS.lines().step_by(4) {
        client.say("usinewgame");
        for nodes in [1500, 9000, 30_000] {
            client.say(&format!("position sfen {sfen}"));
            let answer = client.go(&format!("go nodes {nodes}"));
            judge(sfen, &answer).unwrap_or_else(|fault| panic!("{sfen}, {nodes} nodes: {fault}"));
            // The best line is said again after the others, for clients that read one line only.
            let (again, before) = answer.infos.split_last().expect("lines");
            let legal = Position::from_sfen(sfen).expect("a position").legal_moves().len();
            let group = &before[before.len() - LINES.min(legal)..];
            assert_eq!(again, &group[0], "{sfen}, {nodes} nodes");
            let mut first_moves = Vec::new();
            for (rank, line) in (1..).zip(group) {
                assert_eq!(number(line, "multipv"), rank, "{sfen}, {nodes} nodes: {group:?}");
                assert_eq!(number(line, "depth"), number(&group[0], "depth"), "{sfen}, {nodes} nodes: {group:?}");
                assert!(!first_moves.contains(&moves(line)[0]), "{sfen}, {nodes} nodes: {group:?}");
                first_moves.push(moves(line)[0]);
            }
        }
    }
    client.quit();
}
