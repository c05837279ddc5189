//! Both dialects play the same moves after the same nodes.

use crate::common::client::Client;

/// A hundred positions of games on Floodgate.
const POSITIONS: &str = include_str!("../data/positions.sfen");

/// What a search said, without what depends on the machine's speed.
fn said(client: &mut Client, position: &str, go: &str) -> Vec<String> {
    client.say("usinewgame");
    client.say(position);
    let answer = client.go(go);
    let timeless = |line: &String| {
        let words: Vec<&str> = line.split(' ').collect();
        let drop =
            |at: usize| ["nps", "time"].contains(&words[at]) || at > 0 && ["nps", "time"].contains(&words[at - 1]);
        (0..words.len()).filter(|&at| !drop(at)).map(|at| words[at]).collect::<Vec<_>>().join(" ")
    };
    answer.infos.iter().map(timeless).chain([answer.bestmove.clone()]).collect()
}

#[test]
fn moves_scores_and_nodes_are_those_of_usi() {
    let (mut uci, mut usi) = (Client::ready(), Client::start_plain());
    usi.say("usi");
    usi.hear("usiok");
    for option in ["Threads value 1", "USI_Hash value 16"] {
        usi.say(&format!("setoption name {option}"));
    }
    for client in [&mut uci, &mut usi] {
        client.say("setoption name PvInterval value 0");
        client.is_ready();
    }
    for sfen in POSITIONS.lines().step_by(5) {
        let position = format!("position sfen {sfen}");
        for go in ["go nodes 4000", "go depth 5"] {
            assert_eq!(said(&mut uci, &position, go), said(&mut usi, &position, go), "{sfen} {go}");
        }
    }
    // Mates, found and suffered.
    for sfen in ["8k/9/8P/9/9/9/9/9/4K4 b G 1", "7lk/7p1/8P/9/9/9/9/9/K8 b G 9", "8k/8G/8P/9/9/9/9/9/4K4 w - 2"] {
        let position = format!("position sfen {sfen}");
        assert_eq!(said(&mut uci, &position, "go depth 7"), said(&mut usi, &position, "go depth 7"), "{sfen}");
    }
    uci.quit();
    usi.quit();
}
