//! `eval/recipe.sh`, from games to matches.

use std::path::Path;
use std::process::Command;

use hagane::training::data::source;

#[test]
fn the_recipe_runs_from_games_to_matches_and_continues() {
    let folder = tempfile::tempdir().unwrap();
    let run_with = |games: &str, labels: &str, more: &[(&str, &str)]| {
        let output = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("eval/recipe.sh"))
            .current_dir(folder.path())
            .env("HAGANE", env!("CARGO_BIN_EXE_hagane"))
            .env("DATA", "pile")
            .env("RUN", format!("run-{labels}"))
            .envs([("THREADS", "1"), ("NODES", "50"), ("RESULT_EPOCHS", "1"), ("BASES", "nothing shipped")])
            .envs(["FROM_NOTHING", "FROM_SHIPPED", "RESULTS"].map(|lesson| (lesson, "--batch 128 --warm-up 200")))
            .envs([("LABEL_SHARE", "0.5"), ("TREE_STRAP", "3")])
            .envs([("MATCH_NODES", "20"), ("MATCH_GAMES", "2"), ("GAMES", games), ("LABEL_NODES", labels)])
            .envs(more.iter().copied())
            .output()
            .expect("bash");
        let [said, complaint] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (output.status.success(), said + &complaint)
    };
    let run = |games: &str, labels: &str| run_with(games, labels, &[]);
    let (success, said) = run("0", "0");
    assert!(!success && said.contains("pile holds no folder of games"), "{said}");
    for labels in ["0", "60"] {
        let (success, said) = run("6", labels);
        assert!(success, "{said}");
        for base in ["nothing", "shipped"] {
            assert!(said.contains(&format!("from-{base} - shipped: ")), "{said}");
            assert!(folder.path().join(format!("run-{labels}/{base}.nn")).exists());
        }
    }
    assert_eq!(source::files(&[folder.path().join("run-60/labels/games")]).unwrap().len(), 1);
    // A network that won labels the pile and learns on; by these bounds one wins that does not lose every game.
    let bounds = ("SPRT", "elo0=-1500 elo1=-1400 alpha=0.45 beta=0.45");
    let rounds = [("RUN", "run-again"), ("BASES", "shipped"), ("ROUNDS", "2"), ("MATCH_GAMES", "8"), bounds];
    let rounds = [&rounds[..], &[("RESULT_EPOCHS", "0")]].concat();
    let (success, said) = run_with("0", "0", &rounds);
    assert!(success && said.matches("shipped.nn won").count() == 2, "{said}");
    assert!(folder.path().join("run-again/again/labels/games/000000.psv").exists());
    assert!(!folder.path().join("run-again/shipped-results").exists());
    // Games at fewer nodes than asked for are left out.
    let (success, said) = run_with("0", "0", &[("LEAST_NODES", "51")]);
    assert!(!success && said.contains("pile holds no folder of games at 51 nodes"), "{said}");
    // What is done is not done again.
    let network = folder.path().join("run-60/nothing-scores/hagane.nn");
    let written = std::fs::metadata(&network).unwrap().modified().unwrap();
    let (success, said) = run("6", "60");
    assert!(success, "{said}");
    assert_eq!(std::fs::metadata(&network).unwrap().modified().unwrap(), written);
}
