//! From the start of the process to the first `go`.

use std::time::{Duration, Instant};

use crate::common::client::Client;

const OFFERED: [&str; 26] = [
    "Threads",
    "USI_Hash",
    "USI_Ponder",
    "MultiPV",
    "NetworkDelay",
    "NetworkDelay2",
    "MinimumThinkingTime",
    "SlowMover",
    "RoundUpToFullSecond",
    "MaxMovesToDraw",
    "DepthLimit",
    "NodesLimit",
    "ResignValue",
    "DrawValueBlack",
    "DrawValueWhite",
    "EnteringKingRule",
    "GenerateAllLegalMoves",
    "PvInterval",
    "ConsiderationMode",
    "OutputFailLHPV",
    "Stochastic_Ponder",
    "DebugLogFile",
    "Clear_Hash",
    "USI_ShowRefutations",
    "USI_ShowCurrLine",
    "USI_AnalyseMode",
];

/// The best of a few runs: the bar is about the program, not about what else the machine does.
fn best_of(runs: usize, measure: impl Fn() -> Duration) -> Duration {
    (0..runs).map(|_| measure()).min().expect("at least one run")
}

#[test]
fn usi_is_answered_at_once_and_readyok_soon() {
    let usiok = best_of(5, || {
        let mut client = Client::start();
        let started = client.started;
        client.say("usi");
        client.hear_timed("usiok").0 - started
    });
    assert!(usiok < Duration::from_millis(50), "usiok after {usiok:?}");
    let readyok = best_of(5, || {
        let mut client = Client::start();
        client.say("usi");
        client.hear("usiok");
        let asked = Instant::now();
        client.say("isready");
        client.hear_timed("readyok").0 - asked
    });
    assert!(readyok < Duration::from_millis(300), "readyok after {readyok:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_loaded_before_isready_and_no_more_than_said_after_it() {
    let mut client = Client::start();
    client.say("usi");
    client.hear("usiok");
    assert!(client.memory() < 64, "{} MiB before isready", client.memory());
    client.is_ready();
    client.say("position startpos");
    client.go("go movetime 1500");
    assert!(client.memory() <= 256 + 64, "{} MiB with a table of 256", client.memory());
}

#[test]
fn the_introduction_has_the_form_that_clients_read() {
    let mut client = Client::start();
    client.say("usi");
    let heard = client.hear("usiok");
    assert!(heard[0].starts_with("id name Hagane"), "no banner before it: {}", heard[0]);
    assert!(heard[1].starts_with("id author "));
    assert_eq!(heard.last().map(String::as_str), Some("usiok"));
    let mut names = Vec::new();
    for line in &heard[2..heard.len() - 1] {
        let words: Vec<&str> = line.split(' ').collect();
        let ["option", "name", name, "type", kind, ref rest @ ..] = words[..] else {
            panic!("no option: {line}");
        };
        names.push(name);
        match (kind, rest) {
            ("button", []) => {}
            ("check", ["default", "true" | "false"]) => {}
            ("spin", ["default", default, "min", min, "max", max]) => {
                let [default, min, max] = [default, min, max].map(|number| number.parse::<i64>().expect("a number"));
                assert!(min <= default && default <= max, "{line}");
            }
            ("combo", ["default", default, vars @ ..]) => {
                assert!(vars.chunks(2).all(|pair| pair.len() == 2 && pair[0] == "var"), "{line}");
                assert!(vars.chunks(2).any(|pair| pair[1] == *default), "{line}");
            }
            ("string" | "filename", ["default", default, ..]) => assert!(!default.is_empty()),
            _ => panic!("no client reads this: {line}"),
        }
    }
    for name in OFFERED {
        assert!(names.contains(&name), "{name} is not offered");
    }
    client.quit();
}

#[test]
fn every_default_can_be_set_as_it_was_offered() {
    let mut client = Client::start();
    client.say("usi");
    let heard = client.hear("usiok");
    for line in heard.iter().filter(|line| !line.contains(" type button")) {
        let words: Vec<&str> = line.split(' ').collect();
        if let ["option", "name", name, "type", _, "default", default, ..] = words[..] {
            client.say(&format!("setoption name {name} value {default}"));
        }
    }
    // The default is to play from the book, which is announced once.
    assert!(client.refusal().contains("book (built in)"));
    client.accepted();
    client.quit();
}

#[test]
fn usiok_and_readyok_are_exact_lines_every_time() {
    let mut client = Client::start();
    for _ in 0..3 {
        client.say("usi");
        assert_eq!(client.hear("usiok").last().map(String::as_str), Some("usiok"));
        client.say("isready");
        assert_eq!(client.hear("readyok"), ["readyok"]);
    }
    // One answer for each question, however fast they come.
    client.say("isready\nisready\nisready");
    for _ in 0..3 {
        assert_eq!(client.hear("readyok"), ["readyok"]);
    }
    client.silence(Duration::from_millis(100));
    client.quit();
}

#[test]
fn usi_need_not_be_said() {
    let mut client = Client::start();
    client.say("setoption name USI_Hash value 16");
    client.is_ready();
    client.say("position startpos");
    assert_ne!(client.go("go depth 2").choice(), "resign");
    client.quit();
}

#[test]
fn isready_need_not_be_said() {
    let mut client = Client::start();
    client.say("go depth 2");
    assert_ne!(client.answer().choice(), "resign");
    client.quit();
}

#[test]
fn unknown_options_are_ignored_in_silence() {
    let mut client = Client::start();
    for line in [
        "setoption name Hash value 256",
        "setoption name Ponder value true",
        "setoption name USI_Variant value shogi",
        "setoption name USI_LimitStrength value true",
        "setoption name USI_Strength value 3",
        "setoption name USI_OwnBook value true",
        "setoption name Style value Risky",
        "setoption name Button",
        "register later",
        "register name Stefan MK code 4359874324",
    ] {
        client.say(line);
    }
    // The book is an option that the program knows, and announces once.
    assert!(client.refusal().contains("book (built in)"));
    client.accepted();
    client.quit();
}

#[test]
fn names_and_check_values_do_not_depend_on_case() {
    let mut client = Client::start();
    client.say("setoption name usi_hash value 17");
    client.say("setoption name USI_PONDER value TRUE");
    client.say("setoption name usi_multipv value 3");
    client.say("setoption name enteringkingrule value tryrule");
    client.accepted();
    for (name, value) in [("USI_Hash", "17"), ("USI_Ponder", "true"), ("MultiPV", "3"), ("EnteringKingRule", "TryRule")]
    {
        client.say(&format!("getoption {name}"));
        assert_eq!(client.hear(name), [format!("{name} = {value}")]);
    }
    client.quit();
}

#[test]
fn options_can_be_set_at_any_time() {
    let mut client = Client::ready();
    client.say("setoption name USI_Hash value 8");
    client.say("usinewgame");
    client.say("setoption name USI_Hash value 4");
    client.say("position startpos");
    client.go("go depth 2");
    client.say("go infinite");
    client.say("setoption name USI_Hash value 2");
    client.say("setoption name Threads value 2");
    client.say("setoption name MultiPV value 2");
    client.say("stop");
    client.answer();
    client.go("go depth 2");
    client.is_ready();
    client.quit();
}

#[test]
fn isready_comes_before_every_game() {
    let mut client = Client::ready();
    for _ in 0..3 {
        client.is_ready();
        client.say("usinewgame");
        client.say("position startpos moves 7g7f");
        client.go("go depth 2");
        client.say("go infinite");
        client.say("stop\ngameover lose\nisready");
        // The answer to the old game's `go` comes before `readyok`: later it would be taken for the next game's.
        let heard = client.hear("readyok");
        assert_eq!(heard.iter().filter(|line| line.starts_with("bestmove")).count(), 1, "{heard:?}");
    }
    client.quit();
}

#[test]
fn isready_in_a_search_is_answered_at_once_and_the_search_goes_on() {
    let mut client = Client::ready();
    client.say("position startpos");
    client.say("go infinite");
    client.hear("info depth");
    let asked = Instant::now();
    client.say("isready");
    let (at, heard) = client.hear_timed("readyok");
    assert!(at - asked < Duration::from_millis(500));
    assert!(heard.iter().all(|line| !line.starts_with("bestmove")));
    assert!(client.listen(Duration::from_millis(300)).iter().all(|line| !line.starts_with("bestmove")));
    client.say("stop");
    client.answer();
    client.quit();
}

#[test]
fn files_are_looked_for_beside_the_program_first_then_in_the_working_directory() {
    let [home, work] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let program = home.path().join("engine").with_extension(std::env::consts::EXE_EXTENSION);
    std::fs::copy(env!("CARGO_BIN_EXE_hagane"), &program).expect("the program can be copied");
    // No network at all, but a version number in the refusal tells which file was opened.
    let write = |folder: &tempfile::TempDir, version: u32| {
        let file = folder.path().join("some.bin");
        std::fs::write(file, version.to_le_bytes()).expect("a file");
    };
    let opened = |name: &str| {
        let mut client = Client::start_program(&program, work.path());
        client.say(&format!("setoption name EvalFile value {name}"));
        client.say("isready");
        let said = client.hear("readyok").join("\n");
        client.quit();
        said
    };
    assert!(opened("some.bin").contains("some.bin"), "a file that is nowhere is named");
    write(&work, 0xAAAA_0001);
    assert!(opened("some.bin").contains("AAAA0001"));
    write(&home, 0xBBBB_0002);
    assert!(opened("some.bin").contains("BBBB0002"));
    let absolute = work.path().join("some.bin");
    assert!(opened(&absolute.display().to_string()).contains("AAAA0001"));
}

#[test]
fn options_of_a_file_beside_the_program_are_set_and_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("hagane");
    std::fs::copy(env!("CARGO_BIN_EXE_hagane"), &program).expect("a copy");
    let text = "# ours\nThreads 2\nUSI_Hash=20\noption name MultiPV type spin default 3 min 1 max 593\n\
        setoption name SlowMover value 90\nEval_Share 3\nPvInterval x\nNetworkDelay 99999\n";
    std::fs::write(folder.path().join("engine_options.txt"), text).expect("a file");
    // Started from another directory.
    let work = tempfile::tempdir().expect("a folder");
    let mut client = Client::start_program(&program, work.path());
    client.say("usi");
    client.hear("usiok");
    client.say("setoption name Threads value 7\nsetoption name MinimumThinkingTime value 5");
    client.say("isready");
    let heard = client.hear("readyok");
    for named in ["line 6", "Eval_Share", "line 7", "PvInterval", "line 8", "10000 is set", "set by engine_options.txt"]
    {
        assert!(
            heard.iter().any(|line| line.starts_with("info string ") && line.contains(named)),
            "{named}: {heard:?}"
        );
    }
    for (name, value) in [
        ("Threads", "2"),
        ("USI_Hash", "20"),
        ("MultiPV", "3"),
        ("SlowMover", "90"),
        ("PvInterval", "300"),
        ("NetworkDelay", "10000"),
        ("MinimumThinkingTime", "5"),
    ] {
        client.say(&format!("getoption {name}"));
        assert_eq!(client.hear(name), [format!("{name} = {value}")]);
    }
    // The notes come once.
    client.accepted();
    client.quit();
}
