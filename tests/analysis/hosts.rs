//! Games shared among engines, as on several machines.

use std::process::Output;

use super::common::hosts::{dying_host, host};
use super::{Encoding, GAME, analyze, write};

/// Analyses six games with these engines; the files afterwards, and what was said.
fn analysed(engines: &[String]) -> (Vec<String>, Output) {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    std::fs::create_dir(&games).unwrap();
    for number in 0..6 {
        write(&games, &format!("{number}.kif"), GAME, Encoding::Utf8 { bom: false });
    }
    let mut arguments = vec!["--in-place", "--nodes", "1500", "--mate", "0", "--jobs", "1", games.to_str().unwrap()];
    for engine in engines {
        arguments.extend(["--engine", engine]);
    }
    let output = analyze(&arguments);
    let texts = (0..6).map(|number| std::fs::read_to_string(games.join(format!("{number}.kif"))).unwrap()).collect();
    (texts, output)
}

#[test]
fn a_machine_that_dies_gives_its_work_back_and_the_results_are_those_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let (one, _) = analysed(&[env!("CARGO_BIN_EXE_hagane").to_owned()]);
    assert!(one.iter().all(|text| text.contains("評価値") && *text == one[0]), "{}", one[0]);
    // It dies in the middle of its first game.
    let engines = [dying_host(folder.path(), 17), host()];
    let (several, output) = analysed(&engines);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(folder.path().join("gone").exists() && said.contains("its work goes to the others"), "{said}");
    assert!(said.contains("36 positions analysed"), "{said}");
    assert_eq!(several, one);
}

#[test]
fn without_a_machine_left_it_is_told_and_with_one_that_never_was_it_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (_, output) = analysed(&[dying_host(folder.path(), 14)]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("the engine ended by itself"), "{said}");
    let (texts, output) = analysed(&["no-such-host x".to_owned(), host()]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("no-such-host x: ") && said.contains("not used"), "{said}");
    assert!(texts.iter().all(|text| text.contains("評価値")));
    let output = analyze(&["--engine", "a", "--engine", "b", "--engine-args", "c", "x.kif"]);
    assert!(!output.status.success());
}
