//! Networks beside each other: means of them, what games want of them, the order of moves.

use std::path::Path;

use hagane::nnue::embedded::Parameters;
use hagane::training::fit::shape::Shape;
use hagane::training::fit::{self, export};
use hagane::training::shard;

use super::{some_games, train, two_shards};

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
        (&[network, network, "--weights=-1,1"], "", "more than 0"),
        (&[network, "--centipawns", "0"], "", "1..=10000"),
    ] {
        let (success, said) = run(networks, description);
        assert!(!success && said.contains(complaint), "{said}");
        assert!(!mean.exists(), "{complaint}");
    }
    assert_eq!(run(&[network; 2], "twice the same"), (true, String::new()));
    let read = |path: &Path| Parameters::from_bytes(&std::fs::read(path).unwrap()).unwrap();
    let description = "twice the same".to_owned();
    let expected = Parameters { description, ..read(Path::new(network)) };
    assert_eq!(read(&mean), expected);
    let (success, said) = run(&[network, network, "--weights=-0.5,1.5"], "twice the same");
    assert!(success, "{said}");
    assert_eq!(read(&mean), expected);
    let (success, said) = run(&[network, "--centipawns", "123"], "twice the same");
    assert!(success, "{said}");
    let centipawns = 123;
    assert_eq!(read(&mean), Parameters { centipawns, ..expected });
}

#[test]
fn judge_says_what_games_want_and_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    two_shards(folder.path(), &some_games());
    std::fs::write(folder.path().join("empty.psv"), b"").unwrap();
    let other = fit::network::Network::new(Shape::own(128), 1);
    std::fs::write(folder.path().join("other.nn"), export::export(&other, "a test")).unwrap();
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/eval/hagane.nn");
    std::fs::copy(shipped, folder.path().join("shipped.nn")).unwrap();
    let run = |arguments: &str| train(folder.path(), &format!("judge {arguments}"));
    for (arguments, complaint) in [
        ("other.nn none.nn --games a.shard", "none.nn"),
        ("none.nn other.nn --games a.shard", "none.nn"),
        ("other.nn other.nn --games none.shard", "none.shard"),
        ("other.nn other.nn --games empty.psv", "0 games"),
        ("other.nn other.nn --games a.shard --lambda 1.5", "--lambda must lie between 0 and 1"),
        ("other.nn other.nn --games a.shard --foresight 1.5", "\"1.5\" is no number between 0 and 1"),
    ] {
        let (success, said) = run(arguments);
        assert!(!success && said.contains(complaint), "{arguments}: {said}");
    }
    for lambda in [0.0, 1.0] {
        let (success, said) = run(&format!("shipped.nn shipped.nn other.nn --games a.shard --lambda {lambda}"));
        assert!(success && said.contains("no way"), "{said}");
        let line = said.lines().find(|line| line.contains("other.nn")).unwrap();
        assert!(line.contains(" ±") && line.ends_with(" games)"), "{line}");
    }
    // Each game twice, so that some phases have enough of them.
    let (success, said) = run("shipped.nn other.nn --games a.shard b.shard --phases");
    assert!(success, "{said}");
    let each: Vec<usize> = said
        .lines()
        .filter(|line| line.contains("other.nn"))
        .filter_map(|line| line.split_once(" positions of ")?.0.rsplit_once('(')?.1.parse().ok())
        .collect();
    let (all, phases) = each.split_first().unwrap();
    assert!(!phases.is_empty() && phases.iter().sum::<usize>() <= *all, "{said}");
    for phase in 0..8 {
        assert!(said.contains(&format!("other.nn, phase {phase}")), "{said}");
    }
    // Together: the weights of a mean. A network that says nothing else than the first has no part in it.
    let (success, said) = run("shipped.nn other.nn shipped.nn --games a.shard --together");
    assert!(success, "{said}");
    let weights: Vec<(f64, &str)> = said
        .lines()
        .filter_map(|line| line.trim_start().split_once("  "))
        .filter_map(|(weight, name)| Some((weight.parse().ok()?, name)))
        .collect();
    let [(first, _), (second, "other.nn"), (0.0, "shipped.nn")] = weights[..] else {
        panic!("{said}");
    };
    assert!(second != 0.0 && (first + second - 1.0f64).abs() < 0.002, "{said}");
    assert!(said.contains("worth "), "{said}");
    let (success, _) = run("shipped.nn other.nn --games a.shard --together --phases");
    assert!(!success);
}

#[test]
fn rank_and_compare_ask_networks_for_the_order_of_moves() {
    let folder = tempfile::tempdir().unwrap();
    let games = shard::encode(&some_games()).unwrap();
    std::fs::write(folder.path().join("a.shard"), &games).unwrap();
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/eval/hagane.nn");
    std::fs::copy(shipped, folder.path().join("shipped.nn")).unwrap();
    let run = |arguments: &str| train(folder.path(), arguments);
    let rank = "rank a.shard -o ranked.jsonl --positions 20 --moves 3 --nodes 200 --largest-score 3000";
    let (success, said) = run(rank);
    assert!(success && said.contains("20 positions in ranked.jsonl"), "{said}");
    let (success, said) = run("compare shipped.nn --ranked ranked.jsonl");
    assert!(success && said.contains(" moves of "), "{said}");
    let line = said.lines().find(|line| line.ends_with("shipped.nn")).unwrap();
    let within: f64 = line.split_whitespace().next().unwrap().parse().unwrap();
    // What a search of the same network says it says too, by and large.
    assert!((0.1..=1.0).contains(&within), "{said}");
    std::fs::write(folder.path().join("empty.jsonl"), "").unwrap();
    for (arguments, complaint) in [
        (format!("{rank} --by-hand").as_str(), "made otherwise"),
        ("rank none.shard -o new.jsonl", "none.shard"),
        ("rank a.shard -o none/new.jsonl --positions 1", "none/new.jsonl"),
        ("compare shipped.nn --ranked none.jsonl", "none.jsonl"),
        ("compare shipped.nn --ranked a.shard", "a.shard"),
        ("compare shipped.nn --ranked empty.jsonl", "no ranked position"),
        ("compare shipped.nn", "--labels"),
    ] {
        let (success, said) = run(arguments);
        assert!(!success && said.contains(complaint), "{arguments}: {said}");
    }
}
