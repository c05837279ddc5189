//! `hagane mate` and `go mate`, as users and clients meet them.

use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use hagane::platform::random::Random;

use crate::common::client::Client;
use crate::positions::problem;

/// The dialogue with `go mate`: what the program answers to some lines, up to and including the `checkmate`.
fn dialogue(lines: &[&str], stop_after: Option<std::time::Duration>) -> Vec<String> {
    let mut client = Client::start();
    client.is_ready();
    for line in lines {
        client.say(line);
    }
    if let Some(pause) = stop_after {
        std::thread::sleep(pause);
        client.say("stop");
    }
    let said = client.hear("checkmate");
    let (status, _, rest) = client.end(|client| client.say("quit"));
    assert!(!rest.iter().any(|line| line.contains("checkmate") || line.contains("bestmove")), "{rest:?}");
    assert!(status.success());
    said
}

#[test]
fn go_mate_answers_once_and_never_with_bestmove() {
    let said = dialogue(
        &[
            "setoption name MateLength value Exact",
            "setoption name USI_Hash value 16",
            "position sfen 9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1",
            "go mate 30000",
        ],
        None,
    );
    assert_eq!(said.last().unwrap(), "checkmate 1d2c 1b1a 2c2b");
    assert!(said.iter().any(|line| line.contains("score mate 3 ")), "{said:?}");
    // The side to move has the only king: it is the one that is mated.
    let defender = "position sfen 8k/6+N2/9/9/9/8L/9/9/9 w S2r2b4g3s3n3l18p 1";
    let said = dialogue(&["setoption name USI_Hash value 16", defender, "go mate 30000"], None);
    assert!(said.iter().any(|line| line.contains("score mate -2 ")), "{said:?}");
    let said = dialogue(&["position startpos", "go mate infinite"], None);
    assert_eq!(said.last().unwrap(), "checkmate nomate");
    let long =
        "position sfen g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";
    let said = dialogue(&["setoption name USI_Hash value 16", long, "go mate nodes 1000"], None);
    assert_eq!(said.last().unwrap(), "checkmate timeout");
    let pause = std::time::Duration::from_millis(700);
    let said = dialogue(&["setoption name USI_Hash value 16", long, "go mate"], Some(pause));
    assert_eq!(said.last().unwrap(), "checkmate timeout");
    assert!(said.iter().any(|line| line.starts_with("info depth ") && line.contains(" nodes ")), "{said:?}");
}

#[test]
fn a_batch_that_was_killed_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let problems = folder.path().join("problems.sfen");
    let results = folder.path().join("results");
    let mut random = Random::new(9);
    let mut text = String::new();
    let mut count = 0;
    while count < 60 {
        if let Some(position) = problem(&mut random) {
            text += &format!("{}\tproblem {count}\n", position.to_sfen());
            count += 1;
        }
    }
    text += "this is no position\n";
    std::fs::write(&problems, &text).unwrap();
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hagane"));
        command
            .args(["mate", "--json", "--nodes", "20000", "--hash", "16", "--jobs", "2"])
            .arg("--resume")
            .arg(&results)
            .arg(&problems)
            .stdout(Stdio::piped());
        command
    };
    let mut child = run().spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..7 {
        output.read_line(&mut String::new()).unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = std::fs::read_to_string(&results).unwrap();
    let kept = kept.matches('\n').count();
    assert!((7..61).contains(&kept), "{kept}");
    let output = run().stderr(Stdio::piped()).output().unwrap();
    // All is solved that can be; the line that is no problem is told at the end.
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("1 of 61 problems cannot be read"), "{told}");
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 61);
    let journal = std::fs::read_to_string(&results).unwrap();
    let ids: HashSet<&str> =
        journal.lines().map(|line| line.split("\"id\":\"").nth(1).unwrap().split('"').next().unwrap()).collect();
    assert_eq!((journal.lines().count(), ids.len()), (61, 61));
    assert!(journal.contains("\"verdict\":\"error\""));
}

#[test]
fn a_batch_as_comma_separated_values() {
    let folder = tempfile::tempdir().unwrap();
    let problems = folder.path().join("problems.sfen");
    let lines = ["7k1/9/7GP/9/9/9/9/9/9 b 2G 1\tone, \"two\"", "7k1/9/9/9/9/9/9/9/9 b G 1\tnone", "no position"];
    std::fs::write(&problems, lines.join("\n")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_hagane"))
        .args(["mate", "--csv", "--hash", "16", "--jobs", "1"])
        .arg(&problems)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let mut reader = csv::Reader::from_reader(output.stdout.as_slice());
    assert_eq!(
        reader.headers().unwrap(),
        vec!["id", "verdict", "length", "shortest", "nodes", "ms", "solution", "check"]
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let field = |row: usize, column: usize| &rows[row][column];
    assert_eq!((field(0, 0), field(0, 1), field(0, 2)), ("one, \"two\"", "mate", "1"));
    assert_eq!((field(1, 0), field(1, 1), field(1, 2)), ("none", "nomate", ""));
    assert_eq!((rows.len(), field(2, 1)), (3, "error"));
}

#[test]
fn a_check_names_what_is_wrong_with_a_problem() {
    let check = |sfen: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_hagane"))
            .args(["mate", "--check", "--hash", "16", sfen])
            .output()
            .unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    // Either gold mates, and one is left over.
    let text = check("7k1/9/7GP/9/9/9/9/9/9 b 2G 1");
    assert!(text.contains("unsound") && text.contains("left over G"), "{text}");
    let text = check("9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1");
    assert!(text.contains("\tmate\t3!\t"), "{text}");
    // Captures of futile drops leave nothing over, and are no cooks.
    let text = check("7l1/7pk/9/9/8+P/9/9/9/8L b 2r2b4g4s4n2l16p 1");
    assert!(text.contains("\tmate\t1!\t") && text.contains("\tsound"), "{text}");
}

fn mate_command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hagane"));
    command.arg("mate").args(["--hash", "16"]).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What `hagane mate` prints.
fn printed(arguments: &[&str]) -> String {
    let output = mate_command(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A problem of more than a thousand plies.
const ENDLESS: &str = "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";

#[test]
#[cfg(unix)]
fn a_long_search_shows_life_and_ctrl_c_sums_it_up() {
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let problems = folder.path().join("problems.sfen");
    let results = folder.path().join("results");
    std::fs::write(&problems, format!("7k1/9/7GP/9/9/9/9/9/9 b G 1\teasy\n{ENDLESS}\tendless\n")).unwrap();
    let started = Instant::now();
    let mut child = mate_command(&["--jobs", "2", "--resume", results.to_str().unwrap(), problems.to_str().unwrap()])
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let life = lines.next().unwrap();
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert!(life.contains("1 of 2 solved; endless: ") && life.contains(" nodes, depth "), "{life}");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let told: Vec<String> = lines.collect();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let last = told.last().unwrap();
    assert!(last.contains("interrupted, 2 of 2 problems were tried; the same command goes on from here"), "{last}");
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["easy\tmate\t1", "endless\tunknown\t-\t", "problems   2\n", "unknown    1\n", "\nnodes "] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // What was interrupted is not taken for solved.
    let kept = std::fs::read_to_string(&results).unwrap();
    assert!(kept.contains("easy") && !kept.contains("endless"), "{kept}");
}

#[test]
fn results_in_japanese() {
    let text = printed(&["--language", "ja", "--length", "exact", "9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1"]);
    assert!(text.contains("詰み\t3手!\t") && text.contains("\t▲２三金△１一玉▲２二金\n"), "{text}");
    assert!(text.contains("\n問題       1\n詰み       1\n最長       3手\n"), "{text}");
    let text = printed(&["--language", "ja", "--check", "7k1/9/6GP1/9/9/9/9/9/9 b G 1"]);
    assert!(text.contains("\t▲２二歩成\t不完全；駒余り；余詰 初手▲２二金 ▲２二金打\n"), "{text}");
    let text = printed(&["--language", "ja", "startpos"]);
    assert!(text.contains("1\t不詰\t-\t"), "{text}");
}

#[test]
fn a_mate_shorter_than_the_solution_given_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("problems.sfen");
    let problem = "9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1 moves";
    std::fs::write(&file, format!("{problem} 1d2c 1b1a 2c2b\n{problem} 1d1c 1b1a 2d2a+ 1a1b 2a2b\n")).unwrap();
    let text = printed(&["--check", "--jobs", "1", file.to_str().unwrap()]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(!lines[0].contains("shorter") && !lines[1].contains("\tsound"), "{text}");
    let early = lines.iter().find(|line| line.contains("problems.sfen:2")).unwrap();
    assert!(early.contains("unsound; shorter than the solution given (5 plies)"), "{text}");
    let text = printed(&["--check", "--language", "ja", file.to_str().unwrap()]);
    assert!(text.contains("早詰（作意5手）"), "{text}");
}

#[test]
fn solutions_are_written_as_records() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("solution.kif");
    let problem = "9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1";
    printed(&["--length", "exact", "-o", file.to_str().unwrap(), problem]);
    let document = hagane::record::Document::open(&file).unwrap();
    let game = &document.games[0];
    assert_eq!(game.start.to_sfen(), problem);
    let moves: Vec<String> = game.moves_to(game.main_end()).iter().map(ToString::to_string).collect();
    assert_eq!(moves.join(" "), "1d2c 1b1a 2c2b");
    assert_eq!(game.node(game.main_end()).end(), Some(&hagane::record::End::Checkmate));
    // Several go to a folder, by their names; what has no solution has no file.
    let problems = folder.path().join("problems.sfen");
    std::fs::write(&problems, format!("{problem}\tone/two\n{problem}\tone/two\n{ENDLESS}\tendless\n")).unwrap();
    let solutions = folder.path().join("solutions");
    printed(&["--nodes", "2000", "-o", solutions.to_str().unwrap(), problems.to_str().unwrap()]);
    let mut names: Vec<String> =
        std::fs::read_dir(&solutions).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["one_two.kif", "one_two_2.kif"]);
    // A file for several is refused before anything is solved.
    let output = mate_command(&["-o", file.to_str().unwrap(), problems.to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("must name a folder"));
}

#[test]
fn positions_are_taken_as_by_check() {
    for words in [
        &["7k1/9/7GP/9/9/9/9/9/9", "b", "G", "1"][..],
        &["sfen", "7k1/9/7GP/9/9/9/9/9/9", "b", "G", "1"],
        &["position", "sfen", "7k1/9/7GP/9/9/9/9/9/9", "b", "G", "1"],
        &["7k1/9/7GP/9/9/9/9/9/9 b G 1"],
    ] {
        let text = printed(words);
        assert!(text.starts_with("1\tmate\t1!\t") && text.contains("\tG*2b\n"), "{words:?}: {text}");
    }
    assert!(printed(&["startpos"]).starts_with("1\tnomate\t-\t"));
    assert!(printed(&["startpos", "moves", "7g7f", "3c3d"]).starts_with("1\tnomate\t-\t"));
    // What is odd about a record is said.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.kif");
    std::fs::write(&file, "手合割：平手\n手数----指手---------消費時間--\n1 ７六歩(77)\nwhat is this\n").unwrap();
    let output = mate_command(&[file.to_str().unwrap()]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("odd.kif\tnomate\t"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("odd.kif: "));
    let output = mate_command(&["startpos", "moves", "7g7e"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("1\terror\t"));
}
