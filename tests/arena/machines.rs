//! Games shared among machines: scripts that hand what follows them to a shell, as ssh does, and may die.

use std::path::Path;

use super::common::hosts::{dying_machine, machine, script_of};
use super::{folder, play};
use hagane::arena::{MatchConfig, MatchEvent, run};
use hagane::client::Interrupt;

/// Eight short games of the program against itself on these machines.
fn config(folder: &Path, machines: &[String]) -> String {
    format!(
        "games = 8\nmax-moves = 30\nrandom-plies = 4\nmachine = {machines:?}\nrecord = '{}'\n\
         [each]\npath = '{}'\nnodes = 200\noptions = {{ Threads = 1, USI_Hash = 1, USI_OwnBook = false }}\n\
         [[engine]]\nname = 'a'\n[[engine]]\nname = 'b'\n",
        folder.join("games.usi").display(),
        env!("CARGO_BIN_EXE_hagane")
    )
}

/// The games of a file of games in order of their numbers: players and moves.
fn games(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("games.usi")).unwrap();
    let mut games: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.starts_with("# game ") {
            games.push(line.split(',').next().unwrap().to_owned());
        } else if line.starts_with("startpos") {
            *games.last_mut().unwrap() += line;
        }
    }
    games.sort();
    games
}

#[test]
fn a_machine_that_dies_gives_its_games_back_and_the_results_are_those_of_one() {
    let (_guard, one) = folder();
    let (summary, _) = play(&config(&one, &[]));
    assert_eq!(summary.tally.games, 8);
    let (_guard, several) = folder();
    let machines = [dying_machine(&several, 60), machine(&several)];
    let setup = toml::from_str::<MatchConfig>(&config(&several, &machines)).unwrap().build().unwrap();
    let mut lost = Vec::new();
    let mut hear = |event: MatchEvent<'_>| {
        if let MatchEvent::MachineLost(why) = event {
            lost.push(why.to_owned());
        }
    };
    let summary = run(&setup, &Interrupt::never(), &mut hear).unwrap();
    assert_eq!((summary.tally.games, summary.tally.fault_count(None)), (8, 0), "{:?}", summary.tally.faults);
    assert!(lost.len() == 1 && lost[0].contains("no answer"), "{lost:?}");
    assert_eq!(games(&several), games(&one));
    assert_eq!(games(&one).len(), 8);
}

#[test]
fn without_a_machine_left_it_is_told_and_with_one_that_never_was_it_goes_on() {
    let (_guard, folder) = folder();
    let fails = |machines: &[String]| {
        let setup = toml::from_str::<MatchConfig>(&config(&folder, machines)).unwrap().build().unwrap();
        run(&setup, &Interrupt::never(), &mut |_| {}).unwrap_err().to_string()
    };
    let none = fails(&["no-such-host x".to_owned()]);
    assert!(none.starts_with("no machine is left: no-such-host x: "), "{none}");
    let dead = fails(&[dying_machine(&folder, 60)]);
    assert!(dead.starts_with("no machine is left: sh ") && dead.contains("no answer"), "{dead}");
    let (summary, _) = play(&config(&folder, &["no-such-host x".to_owned(), "here".to_owned()]));
    assert_eq!(summary.tally.games, 8);
}

#[test]
fn a_machine_without_the_engine_plays_no_games() {
    let (_guard, folder) = folder();
    let script = "case $1 in echo) echo hagane;; *) echo \"$1: not found\" >&2; exit 127;; esac";
    let setup = config(&folder, &[script_of(&folder, "bare", script), "here".to_owned()]);
    let setup = toml::from_str::<MatchConfig>(&setup).unwrap().build().unwrap();
    let mut lost = String::new();
    let mut hear = |event: MatchEvent<'_>| {
        if let MatchEvent::MachineLost(why) = event {
            lost += why;
        }
    };
    let summary = run(&setup, &Interrupt::never(), &mut hear).unwrap();
    assert_eq!((summary.tally.games, summary.tally.fault_count(None)), (8, 0), "{:?}", summary.tally.faults);
    assert!(lost.contains("does not start there") && lost.contains("not found"), "{lost}");
}
