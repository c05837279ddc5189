//! What a person types, and what tuners and matches ask for.

use crate::common::client::Client;

#[test]
fn side_and_moves_tell_of_the_position() {
    let mut client = Client::start();
    client.say("side");
    assert_eq!(client.hear("b"), ["black"]);
    client.say("position startpos moves 7g7f");
    client.say("side");
    assert_eq!(client.hear("w"), ["white"]);
    client.say("moves");
    let line = client.hear("1")[0].clone();
    assert_eq!(line.split(' ').count(), 30);
    assert!(line.split(' ').any(|mv| mv == "8c8d"));
    client.quit();
}

#[test]
fn the_position_is_shown_with_its_sfen() {
    let mut client = Client::start();
    client.say("position startpos moves 7g7f 3c3d 8h2b+");
    client.say("d");
    let heard = client.hear("sfen");
    assert_eq!(
        heard.last().map(String::as_str),
        Some("sfen lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4")
    );
    client.quit();
}

#[test]
fn counts_agree_with_the_published_ones() {
    let mut client = Client::start();
    client.say("perft 3");
    assert!(client.hear("25470 nodes").len() == 31);
    client.say("position startpos moves 7g7f");
    client.say("go perft 2");
    client.hear("9");
    client.is_ready();
    client.quit();
}

#[test]
fn a_count_without_end_is_stopped_by_stop_and_by_quit() {
    let mut client = Client::start();
    client.say("perft 9");
    client.say("isready");
    client.hear("readyok");
    client.say("stop");
    client.hear("stopped");
    client.say("perft 9");
    // A person types no faster; what comes at once is piped.
    std::thread::sleep(std::time::Duration::from_millis(150));
    client.quit();
}

/// What a person pipes into the program is finished before `quit` or the end of the input ends it.
#[test]
fn piped_commands_are_finished_first() {
    for (commands, expected) in [
        ("perft 3", &["25470 nodes"][..]),
        ("go perft 3", &["25470 nodes"]),
        ("isready\nperft 3\nposition startpos moves 7g7f\ngo perft 2\nd", &["25470 nodes", "1110 nodes", "sfen "]),
        ("perft 3\nperft 2\nside", &["25470 nodes", "900 nodes", "black"]),
        ("eval", &["centipawns"]),
        ("bench", &["Bench: "]),
    ] {
        for quit in ["", "quit\n"] {
            if commands == "bench" && quit.is_empty() {
                // Once is enough for what takes half a minute.
                continue;
            }
            let mut client = Client::start();
            client.say_bytes(format!("{commands}\n{quit}").as_bytes());
            client.hang_up();
            let mut place = 0;
            let (status, _, heard) = client.end(|_| {});
            assert!(status.success());
            for text in expected {
                let found = heard[place..].iter().position(|line| line.contains(text));
                place += found.unwrap_or_else(|| panic!("{commands}: no '{text}' in {heard:?}"));
            }
        }
    }
}

#[test]
fn the_benchmark_runs_beside_the_loop() {
    let mut client = Client::start();
    client.say("bench");
    client.say("isready");
    client.hear("readyok");
    client.say("quit");
}

#[test]
fn versions_values_and_help() {
    let mut client = Client::start();
    for command in ["version", "compiler"] {
        client.say(command);
        let line = client.hear("Hagane ").remove(0);
        let sets = ["scalar", "SSE2", "AVX2", "AVX-512 VNNI", "NEON"];
        assert!(sets.iter().any(|set| line.ends_with(&format!(", {set}"))), "{line}");
    }
    client.say("getoption");
    assert!(client.hear("Clear_Hash").len() > 20);
    client.say("eval");
    let line = client.hear("").remove(0);
    assert!(line.split(' ').next().is_some_and(|cp| cp.parse::<i32>().is_ok()), "{line}");
    client.say("help");
    client.hear("The program's other uses");
    client.quit();
}

#[test]
fn tuners_get_their_list() {
    let mut client = Client::start();
    client.say("usi_tunables");
    assert_eq!(client.hear("usi_tunablesok").last().map(String::as_str), Some("usi_tunablesok"));
    client.quit();
}

#[test]
fn debug_mode_tells_of_what_was_not_understood() {
    let mut client = Client::start();
    client.say("joho debug on");
    client.say("wirrwarr");
    assert!(client.refusal().contains("wirrwarr"));
    client.say("debug off");
    client.say("wirrwarr");
    client.accepted();
    client.quit();
}

#[test]
fn the_debug_log_has_the_dialogue_wherever_the_path_leads() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("対局 の log.txt");
    let mut client = Client::start_in(folder.path());
    client.say(&format!("setoption name DebugLogFile value {}", path.display()));
    client.is_ready();
    client.say("setoption name DebugLogFile value <empty>");
    client.say("side");
    client.hear("black");
    client.quit();
    let log = std::fs::read_to_string(&path).expect("the log is there");
    assert!(log.contains(" > isready\n") && log.contains(" < readyok\n"), "{log}");
    assert!(!log.contains("side"), "{log}");
}
