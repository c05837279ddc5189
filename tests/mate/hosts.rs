//! Problems shared among engines, as on several machines.

use std::process::Command;

use super::common::hosts::{dying_host, host};

const PROBLEMS: [&str; 5] = [
    "7k1/9/7GP/9/9/9/9/9/9 b G 1",
    "9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1",
    "7k1/9/6GP1/9/9/9/9/9/9 b G 1",
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "9/9",
];

/// Name, verdict, length and solution of every problem, in order of the names.
fn solved(engines: &[String]) -> (Vec<[String; 4]>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("problems.sfen");
    let text: String = (0..20).map(|number| format!("{}\t{number:02}\n", PROBLEMS[number % 5])).collect();
    std::fs::write(&file, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hagane"));
    command.args(["mate", "--csv", "--length", "exact", "--hash", "16", "--jobs", "1"]).arg(&file);
    for engine in engines {
        command.args(["--engine", engine]);
    }
    let output = command.output().unwrap();
    let mut rows: Vec<[String; 4]> = csv::Reader::from_reader(&output.stdout[..])
        .records()
        .map(|row| {
            let row = row.unwrap();
            [0, 1, 2, 6].map(|column| row[column].to_owned())
        })
        .collect();
    rows.sort();
    (rows, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_machine_that_dies_gives_its_work_back_and_the_results_are_those_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let (here, _) = solved(&[]);
    assert_eq!(here.len(), 20);
    let (several, said) = solved(&[dying_host(folder.path(), 9), host()]);
    assert!(folder.path().join("gone").exists() && said.contains("its work goes to the others"), "{said}");
    assert_eq!(several, here);
    let (_, said) = solved(&["no-such-host".to_owned()]);
    assert!(said.contains("no-such-host"), "{said}");
}
