//! What a match reads and writes, through the command line: a TOML file, records, JSON, a chart.

use std::process::Command;

use hagane::record::Document;

use super::{folder, stub};

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
