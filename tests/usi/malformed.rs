//! Bad input: never a panic, never silence where an answer is due.

use crate::common::client::{Client, PATIENCE};
use hagane::platform::random::Random;

#[test]
fn go_before_anything_is_answered() {
    for line in ["go movetime 50", "go depth 1", "go mate 10", "go btime x wtime", "go joho movetime 50"] {
        let mut client = Client::start();
        client.say(line);
        if line.contains("btime") {
            client.say("stop");
        }
        client.hear(if line.contains("mate") { "checkmate" } else { "bestmove" });
        client.quit();
    }
}

#[test]
fn noise_is_survived() {
    let mut client = Client::ready();
    let mut random = Random::new(1);
    let noise: Vec<u8> = (0..200_000).map(|_| random.below(256) as u8).collect();
    client.say_bytes(&noise);
    client.say_bytes(b"\n\0\0\0\n\xff\xfe\xfd\n\xef\xbb\xbfusi\n");
    client.hear("usiok");
    client.is_ready();
    client.quit();
}

#[test]
fn half_a_command_of_every_kind() {
    let mut client = Client::ready();
    for line in [
        "go btime",
        "go searchmoves",
        "go mate x\nstop",
        "go nodes\nstop",
        "go depth\nstop",
        "go byoyomi\nstop",
        "ponderhit btime",
        "debug",
        "debug off",
        "gameover joho",
        "register",
        "getoption joho",
    ] {
        client.say(line);
        client.say("stop");
    }
    client.say("isready");
    client.hear("readyok");
    client.say("setoption");
    assert!(client.refusal().contains("setoption"));
    client.say("position");
    assert!(client.refusal().contains("position"));
    client.quit();
}

#[test]
fn very_long_lines() {
    let mut client = Client::ready();
    client.say("position startpos moves 7g7f");
    let long = "x".repeat(1 << 20);
    client.say(&long);
    client.accepted();
    client.say(&format!("position sfen {long}"));
    assert!(client.refusal().len() < 1000);
    client.say(&format!("position startpos moves {}", "7g7f ".repeat(200_000)));
    assert!(client.refusal().contains("move 2 "));
    client.say(&format!("position startpos moves {long}"));
    assert!(client.refusal().len() < 1000);
    client.say(&format!("setoption name {long} value {long}"));
    client.accepted();
    client.say(&format!("setoption name USI_Hash value {long}"));
    assert!(client.refusal().len() < 1000);
    client.say(&format!("go depth 1 searchmoves {long}"));
    client.hear("bestmove");
    client.say(&format!("go depth 1 {}", "joho ".repeat(200_000)));
    client.hear("bestmove");
    // A long game is no fault: kings to and fro, a hundred thousand moves.
    let cycle = "5i5h 5a5b 5h5i 5b5a ".repeat(25_000);
    client.say(&format!("position startpos moves {cycle}"));
    client.accepted();
    client.go("go depth 1");
    client.say("side");
    client.hear("black");
    client.quit();
}

#[test]
fn a_million_positions() {
    let mut client = Client::ready();
    let lines = "position startpos moves 7g7f 3c3d 2g2f\n".repeat(10_000);
    for _ in 0..100 {
        client.say_bytes(lines.as_bytes());
    }
    client.is_ready();
    client.say("side");
    client.hear("white");
    #[cfg(target_os = "linux")]
    assert!(client.memory() < 200, "{} MiB", client.memory());
    client.quit();
}

#[test]
fn bytes_that_are_not_utf8() {
    let mut client = Client::ready();
    // A path in the code page of Japanese Windows.
    client.say_bytes(b"setoption name EvalDir value C:\\\x8f\xab\x8a\xfb\\\x95\x5d\x89\xbf\n");
    client.say_bytes(b"position startpos moves \x83\x74\n");
    assert!(client.refusal().starts_with("info string "));
    client.say_bytes(b"\x83\x74\xff usi\n");
    client.hear("usiok");
    client.quit();
}

#[test]
fn every_wrong_value_of_every_option_is_refused_or_clamped_and_said_so() {
    let mut client = Client::start();
    client.say("usi");
    let options = client.hear("usiok");
    for line in options.iter().filter(|line| line.starts_with("option ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let (name, kind) = (words[2], words[4]);
        let wrong: Vec<String> = match kind {
            "check" => ["", "perhaps", "2", "truefalse"].map(String::from).to_vec(),
            "combo" => ["", "perhaps", "1"].map(String::from).to_vec(),
            "spin" => {
                let at = |word: &str| words.iter().position(|found| *found == word).map(|place| words[place + 1]);
                let [min, max] =
                    ["min", "max"].map(|word| at(word).and_then(|n| n.parse::<i128>().ok()).expect("a number"));
                for (number, used) in [(min - 1, min), (max + 1, max), (i128::MIN, min), (i128::MAX, max)] {
                    client.say(&format!("setoption name {name} value {number}"));
                    let note = client.hear("info string ").pop().expect("a note");
                    assert!(note.contains(name) && note.contains(&format!("{used} is set")), "{name}: {note}");
                    client.say(&format!("getoption {name}"));
                    assert_eq!(client.hear(name), [format!("{name} = {used}")]);
                }
                let default = at("default").expect("a default");
                client.say(&format!("setoption name {name} value {default}"));
                ["", "x", "1.5", "1e3", "--3"].map(String::from).to_vec()
            }
            // Any text is a folder's name.
            "filename" => vec!["/no such folder/at all/x".into()],
            _ => continue,
        };
        client.say(&format!("getoption {name}"));
        let before = client.hear(name);
        for value in wrong {
            if name == "BookFile" {
                client.say("setoption name USI_OwnBook value true");
            }
            client.say(&format!("setoption name {name} value {value}"));
            let refusal = client.refusal();
            if kind == "filename" {
                assert!(refusal.contains("no such folder"), "{refusal}");
                client.say(&format!("setoption name {name} value <empty>"));
                client.say("setoption name USI_OwnBook value false");
            } else {
                assert!(refusal.contains(name), "{name} '{value}': {refusal}");
            }
            client.say(&format!("getoption {name}"));
            assert_eq!(client.hear(name), before, "{value}");
        }
    }
    client.quit();
}

#[test]
fn commands_in_the_middle_of_a_search() {
    let mut client = Client::ready();
    client.say("position startpos");
    client.say("go infinite");
    client.say("position startpos moves 7g7f");
    client.say("position sfen x\nposition startpos moves 7g7f");
    client.say("setoption name USI_Hash value 32");
    client.say("setoption name Threads value 0");
    client.say("setoption name Clear_Hash");
    client.say("usi");
    client.hear("usiok");
    client.say("debug on\ndebug off\nregister later\njoho\nside");
    client.hear("white");
    client.say("usinewgame");
    client.say("go depth 1");
    client.hear("bestmove");
    client.hear("bestmove");
    client.is_ready();
    client.say("go infinite");
    client.say("perft 2");
    assert!(client.hear("info string").last().is_some_and(|line| line.contains("stop")));
    client.say("stop");
    client.hear("bestmove");
    client.say("perft x");
    client.hear("30 nodes");
    client.quit();
}

#[test]
fn impossible_orders_do_not_hurt() {
    let mut client = Client::ready();
    // A table larger than any machine's memory: the old one stays, and a word is said about it.
    client.say("setoption name USI_Hash value 1048576");
    client.say("isready");
    let heard = client.hear("readyok");
    assert!(heard.len() <= 2);
    client.say("position startpos");
    client.go("go depth 2");
    client.say("setoption name USI_Hash value 1");
    client.say("setoption name Threads value 64");
    client.is_ready();
    client.go("go depth 2");
    client.go("go movetime 99999999999999999999 depth 1");
    client.go("go btime 99999999999999999999 wtime 99999999999999999999 byoyomi 99999999999999999999 depth 1");
    client.quit();
}

#[test]
fn the_end_of_input_in_the_middle_of_a_line() {
    let mut client = Client::start();
    client.say("usi\ngo infinite");
    client.say_bytes(b"isrea");
    let (status, time, heard) = client.end(Client::hang_up);
    assert!(status.success() && time < PATIENCE / 10, "{status} {time:?}");
    assert!(heard.iter().any(|line| line == "usiok"));
    assert!(heard.iter().any(|line| line.starts_with("bestmove ")), "{heard:?}");
}
