//! `hagane train terms`, from games to the text of weights.

use hagane::attack_terms::AttackTerms;

use super::train;

#[test]
fn weights_come_from_games_and_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let (success, said) = train(folder.path(), "generate games --games 16 --nodes 20 --threads 2 --seed 3");
    assert!(success, "{said}");
    let (success, said) = train(folder.path(), "terms games -o one.txt --threads 1 --validation 8");
    assert!(success && said.contains(" positions, weights in one.txt"), "{said}");
    assert!(said.contains("of other games: 0."), "{said}");
    let (success, said) = train(folder.path(), "terms games -o three.txt --threads 3 --validation 8");
    assert!(success, "{said}");
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(text("one.txt"), text("three.txt"));
    let terms = AttackTerms::parse(&text("one.txt")).unwrap();
    assert!(terms.weights().iter().any(|&weight| weight != 0));
    let (success, said) = train(folder.path(), "terms games -o all.txt --validation 0");
    assert!(success && !said.contains("other games"), "{said}");
    assert_ne!(text("one.txt"), text("all.txt"));
}

#[test]
fn mistakes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (success, said) = train(folder.path(), "generate games --games 1 --nodes 20 --threads 1");
    assert!(success, "{said}");
    for (arguments, culprit) in [
        ("games --validation 1", "--validation 1 leaves no game"),
        ("games --validation 0", "quiet positions outside check to learn from; 336 at least"),
        ("games --ridge 0", "--ridge must be more than 0"),
        ("games --network missing.nn", "missing.nn"),
        ("missing.shard", "missing.shard"),
    ] {
        let (success, said) = train(folder.path(), &format!("terms {arguments} -o terms.txt"));
        assert!(!success && said.contains(culprit), "{arguments}: {said}");
        assert!(!folder.path().join("terms.txt").exists());
    }
}
