//! What is made with finished networks: means, and ranked moves.

use std::path::Path;

use hagane::engine::suite;
use hagane::nnue::hagane_nn::Parameters;
use hagane::training::data::shard;

use super::{some_games, train};

#[test]
fn average_writes_the_mean_and_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/eval/hagane.nn");
    let run = |networks: &[&str], description: &str| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_hagane"))
            .current_dir(folder.path())
            .args(["train", "average", "-o", "mean.nn"])
            .args(["--description", description])
            .args(networks)
            .output()
            .unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    let mean = folder.path().join("mean.nn");
    for (networks, description, complaint) in [
        (&[network, "none.nn"][..], "", "none.nn"),
        (&[network], &"x".repeat(65537), "65536 at most"),
        (&[network, "--weights", "1,2"], "", "weights of 1 networks"),
        (&[network, network, "--weights", "0,0"], "", "not all 0"),
        (&[network, network, "--weights=-1,2"], "", "at least 0"),
        (&[network, "--centipawns", "0"], "", "1..=10000"),
    ] {
        // A command line of Windows ends at 32,767 characters.
        if cfg!(windows) && description.len() > 32_000 {
            continue;
        }
        let (success, said) = run(networks, description);
        assert!(!success && said.contains(complaint), "{said}");
        assert!(!mean.exists(), "{complaint}");
    }
    assert_eq!(run(&[network; 2], "twice the same"), (true, String::new()));
    let read = |path: &Path| Parameters::from_bytes(&std::fs::read(path).unwrap()).unwrap();
    let description = "twice the same".to_owned();
    let expected = Parameters { description, ..read(Path::new(network)) };
    assert_eq!(read(&mean), expected);
    let (success, said) = run(&[network, network, "--weights", "1,3"], "twice the same");
    assert!(success, "{said}");
    assert_eq!(read(&mean), expected);
    let (success, said) = run(&[network, "--centipawns", "123"], "twice the same");
    assert!(success, "{said}");
    let centipawns = 123;
    assert_eq!(read(&mean), Parameters { centipawns, ..expected });
}

#[test]
fn rank_writes_the_scores_of_moves() {
    let folder = tempfile::tempdir().unwrap();
    let games = shard::encode(&some_games()).unwrap();
    std::fs::write(folder.path().join("a.shard"), &games).unwrap();
    let run = |arguments: &str| train(folder.path(), arguments);
    let rank = "rank a.shard -o ranked.jsonl --positions 20 --moves 3 --nodes 200 --largest-score 3000";
    let (success, said) = run(rank);
    assert!(success && said.contains("20 positions in ranked.jsonl"), "{said}");
    let text = std::fs::read_to_string(folder.path().join("ranked.jsonl")).unwrap();
    let problems = suite::parse(&text).unwrap();
    assert_eq!(problems.len(), 20);
    assert!(problems.iter().all(|problem| (1..=3).contains(&problem.scores.len())));
    for (arguments, complaint) in [
        (format!("{rank} --hand-crafted").as_str(), "made otherwise"),
        ("rank none.shard -o new.jsonl", "none.shard"),
        ("rank a.shard -o none/new.jsonl --positions 1", "none/new.jsonl"),
    ] {
        let (success, said) = run(arguments);
        assert!(!success && said.contains(complaint), "{arguments}: {said}");
    }
}
