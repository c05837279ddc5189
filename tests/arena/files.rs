//! The files of a match, through the command line: TOML, records, JSON, chart.

use std::path::Path;
use std::process::{Command, Output};

use hagane::record::{Document, End};

use super::{folder, stub};

/// Runs a match in a folder, described by a TOML text.
fn arena(folder: &Path, config: &str) -> Output {
    std::fs::write(folder.join("match.toml"), config).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hagane"));
    command.current_dir(folder).args(["arena", "--config", "match.toml"]).output().unwrap()
}

#[test]
fn a_match_from_a_file_and_all_that_it_writes() {
    let (_guard, folder) = folder();
    let config = format!(
        "games = 2\nconcurrency = 2\nmax-moves = 30\nrecord = 'games.csa'\njson = 'result.json'\nchart = 'chart.svg'\n\
         [sprt]\nelo1 = 10\n[each]\nnodes = 1\n{}{}",
        stub("new", "chatty score=30"),
        stub("old", "resign-after=20")
    );
    std::fs::write(folder.join("match.toml"), config).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_hagane"))
        .current_dir(&folder)
        .args(["arena", "--config", "match.toml", "--games", "6", "--engine", "name=old", "margin=1"])
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(report.contains("new - old: 6 wins, 0 draws, 0 losses"), "{report}");
    let result: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("result.json")).unwrap()).unwrap();
    assert_eq!((&result["stop"], &result["games"]), (&"complete".into(), &6.into()));
    assert_eq!(result["pairings"][0]["pentanomial"], serde_json::json!([0, 0, 0, 0, 3]));
    assert_eq!(result["engines"][0]["black"]["wins"], 3);
    assert_eq!(result["engines"][0]["effort"]["depth"], 12.0);
    assert_eq!(result["endings"]["resign"], 6);
    assert!(result["sprt"]["llr"].as_f64().unwrap() > 0.0);
    let document = Document::read(&std::fs::read(folder.join("games.csa")).unwrap(), None).unwrap();
    assert_eq!(document.games.len(), 6);
    assert!(document.games.iter().all(|game| game.illegal_moves().is_empty()));
    assert!(std::fs::read_to_string(folder.join("games.csa")).unwrap().contains("'** 30"));
    assert!(std::fs::read_to_string(folder.join("chart.svg")).unwrap().starts_with("<svg"));
}

#[test]
fn mistakes_are_named_in_one_sentence() {
    for (arguments, message) in [
        (&["--nodes", "1"][..], "two engines, 0 given"),
        (&["--engine", "name=a", "--engine", "name=b"], "engine a: no limit"),
        (&["--engine", "nam=a"], "unknown key 'nam'"),
        (&["--engine", "name=a path=./b"], "'name=a path=./b': a name with keys in it"),
        (&["--sprt", "elo2=5"], "elo2"),
        (&["--format", "league"], "'league'"),
        (&["--config", "/nonexistent.toml"], "/nonexistent.toml"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hagane"));
        let output = command.arg("arena").args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && text.contains(message), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn no_game_could_start() {
    let (_guard, folder) = folder();
    let config = |bad: &str| {
        let patience = if bad == "mute=usi" { "usi-timeout = 0.3\n" } else { "" };
        format!("games = 2\n[each]\nnodes = 1\n{}{}{patience}", stub("good", ""), stub("bad", bad))
    };
    for (bad, cause) in
        [("mute=usi", "engine bad gave no usiok within 300ms"), ("exit-early", "engine bad ended by itself")]
    {
        let output = arena(&folder, &config(bad));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(&format!("no game could start: {cause}")), "{said}");
    }
    assert!(arena(&folder, &config("resign-after=2")).status.success());
}

#[test]
fn the_chart_of_three_engines_is_one_of_ratings() {
    let (_guard, folder) = folder();
    let config = format!(
        "games = 4\nformat = 'round-robin'\nmax-moves = 10\nchart = 'chart.svg'\n[each]\nnodes = 1\n{}{}{}",
        stub("a<b", ""),
        stub("b", "resign-after=4"),
        stub("c", "resign-after=2")
    );
    let output = arena(&folder, &config);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let chart = std::fs::read_to_string(folder.join("chart.svg")).unwrap();
    assert!(chart.starts_with("<svg") && chart.contains("Ratings") && chart.contains(">a&lt;b<"), "{chart}");
    assert_eq!((chart.matches("<circle").count(), chart.matches("8 games").count()), (3, 3), "{chart}");
    assert!(!chart.contains("NaN") && !chart.contains("inf"), "{chart}");
}

/// Games that end by a mate: other programs count them as won, and find no further game in the file.
#[test]
fn records_of_mated_games() {
    let (_guard, folder) = folder();
    std::fs::write(folder.join("openings"), "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n").unwrap();
    let config = "games = 2\nopenings = 'openings'\nrecord = 'games.csa'\n[each]\nnodes = 2000\n\
                  options = { USI_Hash = 1, Threads = 1 }\n[[engine]]\nname = 'a'\n[[engine]]\nname = 'b'\n";
    // Two matches into one file, the second after a separator as earlier versions wrote it.
    for separator in ["", "/\n"] {
        let path = folder.join("games.csa");
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        std::fs::write(&path, before + separator).unwrap();
        let output = arena(&folder, config);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stdout).contains("checkmate 2"));
    }
    let text = std::fs::read_to_string(folder.join("games.csa")).unwrap();
    assert_eq!((text.matches("%TORYO\n").count(), text.matches("\n/\n").count()), (4, 3), "{text}");
    assert!(text.ends_with("%TORYO\n") && !text.starts_with('/'), "{text}");
    let document = Document::read(text.as_bytes(), None).unwrap();
    assert_eq!(document.games.len(), 4);
    for game in &document.games {
        assert_eq!(game.node(game.main_end()).end(), Some(&End::Resign));
    }
    // cshogi's own reader (`pip install cshogi`; `PYTHON` says which Python has it): Black has won four games.
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = "from cshogi import CSA\nprint([game.win for game in CSA.Parser.parse_file('games.csa')])";
    let run = |script: &str| Command::new(&python).current_dir(&folder).args(["-c", script]).output();
    if !run("import cshogi").is_ok_and(|output| output.status.success()) {
        println!("skipped: python with cshogi is not at hand");
        return;
    }
    assert_eq!(String::from_utf8_lossy(&run(script).unwrap().stdout).trim(), "[1, 1, 1, 1]");
}
