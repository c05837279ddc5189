//! What is made of games: variations, trees, the ends of lines.

use std::path::{Path, PathBuf};

use hagane::hand_crafted::evaluate;
use hagane::position::Position;
use hagane::search::Evaluator;
use hagane::training::correction::Correction;
use hagane::training::generate::{GenerateError, Settings, Thinker};
use hagane::training::leaf::{self, Finder, leaves};
use hagane::training::placement::Placement;
use hagane::training::record::Labelled;
use hagane::training::shard;
use hagane::training::source;
use hagane::training::thinker::Searcher;
use hagane::training::tree::Tree;
use hagane::training::variation::{self, Judge, Searched, Static, vary};
use hagane::types::{PieceType, Score};

use super::{Greedy, all_bytes, on_threads, some_games, train, two_shards};

/// The variations of some games, and what they are made of.
fn variations(
    folder: &Path,
    name: &str,
    nodes: u64,
    judge: impl Fn() -> Result<Box<dyn Judge>, GenerateError> + Sync,
) -> (u64, Result<Vec<PathBuf>, source::SourceError>) {
    let settings =
        variation::Settings { seed: 1, share: 0.5, copies: 2, nodes, evaluation: "test".to_owned(), tree: 0 };
    let target = folder.join(name);
    let games = ["a.shard", "b.shard"].map(|name| folder.join(name));
    let written = vary(&games, &settings, &target, judge, |_, _, _| {}).unwrap();
    (written, source::files(&[target]))
}

#[test]
fn variations_carry_the_value_of_the_evaluation() {
    let folder = tempfile::tempdir().unwrap();
    let games = some_games();
    two_shards(folder.path(), &games);
    let made = |name: &str| {
        variations(folder.path(), name, 0, || {
            Ok(Box::new(Static { evaluator: Evaluator::HandCrafted, correction: None }))
        })
    };
    let (written, files) = made("static");
    let files = files.unwrap();
    assert_eq!(files.len(), 2);
    // Twice two variations of half the positions; those in check have no static value.
    let all = 2 * games.iter().map(|game| game.moves.len() as u64).sum::<u64>();
    assert!(written > all / 2 && written < all * 5 / 4, "{written} of {all}");
    let mut seen = 0;
    for file in &files {
        source::read(file, |labelled, _| {
            let sfen = format!("{} {}", labelled.position.to_sfen(), labelled.ply);
            let position = Position::from_sfen(&sfen).expect("a legal position");
            assert!(!position.in_check());
            assert_eq!(evaluate(&position), Score(i32::from(labelled.score)), "{sfen}");
            seen += 1;
        })
        .unwrap();
    }
    assert_eq!(seen, written);

    // The same again, also after a run that was killed when it had made one file only.
    let bytes = all_bytes(&files);
    assert_eq!(all_bytes(&made("again").1.unwrap()), bytes);
    std::fs::remove_file(&files[0]).unwrap();
    assert_eq!(made("static").0, written);
    assert_eq!(all_bytes(&files), bytes);
}

#[test]
fn corrected_values_are_static_ones_and_so_many_times_what_pieces_are_worth_beyond_them() {
    let folder = tempfile::tempdir().unwrap();
    two_shards(folder.path(), &some_games());
    // Whoever has a pawn more in hand expects more than the static value of 0 says.
    let ahead = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 1").unwrap();
    let found = Correction::fit(&[Placement::from(&ahead)], &[0], &[0.75]);
    assert!(found.in_hand(PieceType::Pawn) > 10.0);
    let (_, files) = variations(folder.path(), "corrected", 0, || {
        Ok(Box::new(Static { evaluator: Evaluator::HandCrafted, correction: Some((found.clone(), 3.0)) }))
    });
    let mut moved = 0;
    for file in files.unwrap() {
        source::read(&file, |labelled, _| {
            let sfen = format!("{} {}", labelled.position.to_sfen(), labelled.ply);
            let position = Position::from_sfen(&sfen).expect("a legal position");
            let us = position.side_to_move();
            let [own, enemy] = [us, !us].map(|color| position.hand(color).count(PieceType::Pawn));
            let beyond = 3.0 * found.in_hand(PieceType::Pawn) * (own as f32 - enemy as f32);
            let value = evaluate(&position).0 as f32 + beyond;
            assert!((value - f32::from(labelled.score)).abs() < 1.0, "{sfen}");
            moved += u64::from(own != enemy);
        })
        .unwrap();
    }
    assert!(moved > 20, "{moved}");
}

#[test]
fn vary_says_what_is_wrong_with_its_correction() {
    let folder = tempfile::tempdir().unwrap();
    let games = shard::encode(&some_games()).unwrap();
    std::fs::write(folder.path().join("a.shard"), games).unwrap();
    std::fs::write(folder.path().join("empty.psv"), b"").unwrap();
    let run = |arguments: &str| train(folder.path(), &format!("vary a.shard --by-hand -o {arguments}"));
    assert!(run("labels --copies 1 --nodes 20").0);
    for (arguments, complaint) in [
        ("out --corrected-by labels --nodes 10", "leave --nodes out"),
        ("out --corrected-by labels --factor nan", "--factor must be 0 to 100, not NaN"),
        ("out --corrected-by labels --factor 1e9", "--factor must be 0 to 100"),
        ("out --corrected-by none.psv", "none.psv"),
        ("out --corrected-by empty.psv", "there is no labelled position"),
        ("out --factor 2", "--corrected-by"),
    ] {
        let (success, said) = run(arguments);
        assert!(!success && said.contains(complaint), "{arguments}: {said}");
    }
    let (success, said) = run("out --corrected-by labels --factor 2");
    assert!(success && said.contains("beyond the static value"), "{said}");
    // The same goes on where it is; with another factor it is another set.
    assert!(run("out --corrected-by labels --factor 2 --threads 1").0);
    let (success, said) = run("out --corrected-by labels --factor 3");
    assert!(!success && said.contains("made otherwise"), "{said}");
}

#[test]
fn variations_valued_by_a_search_are_quiet() {
    let folder = tempfile::tempdir().unwrap();
    two_shards(folder.path(), &some_games());
    let search = || -> Result<Box<dyn Judge>, GenerateError> {
        Ok(Box::new(Searched { quick: Greedy::default(), thorough: Greedy::default(), tree: Tree::default() }))
    };
    let (written, files) = variations(folder.path(), "searched", 5, search);
    assert!(written > 20);
    let mut seen = 0;
    for file in files.unwrap() {
        source::read(&file, |labelled, _| {
            let sfen = format!("{} {}", labelled.position.to_sfen(), labelled.ply);
            let position = Position::from_sfen(&sfen).expect("a legal position");
            let best = labelled.best.expect("a best move");
            assert!(!position.in_check() && !position.is_capture(best) && !best.is_promotion());
            let (again, score) = Greedy::default().think(&position).unwrap();
            assert_eq!((again, score.0), (best, i32::from(labelled.score)));
            seen += 1;
        })
        .unwrap();
    }
    assert_eq!(seen, written);

    // Other settings do not go on in the same folder.
    let other =
        variation::Settings { seed: 2, share: 0.5, copies: 2, nodes: 5, evaluation: "test".to_owned(), tree: 0 };
    let error = vary(&[folder.path().join("a.shard")], &other, &folder.path().join("searched"), search, |_, _, _| {})
        .unwrap_err();
    assert!(error.to_string().contains("made otherwise"), "{error}");
}

/// The engine's search, as short as a test can afford.
fn searcher() -> Result<Searcher, GenerateError> {
    let settings = Settings { nodes: 200, hash: 1, ..Settings::default() };
    Searcher::new(&settings, Evaluator::HandCrafted)
}

#[test]
fn ends_of_lines_have_what_their_games_say() {
    let folder = tempfile::tempdir().unwrap();
    let games = some_games();
    let shards = two_shards(folder.path(), &games[..3]);
    let finder =
        || -> Result<_, GenerateError> { Ok(Finder { thinker: searcher()?, evaluator: Evaluator::HandCrafted }) };
    let settings = leaf::Settings { nodes: 200, evaluation: "test".to_owned() };
    let made = |name: &str, threads: usize| {
        let target = folder.path().join(name);
        on_threads(threads, || leaves(&shards, &settings, &target, finder, |_, _, _| {}))
            .map(|written| (written, source::files(&[target]).unwrap()))
    };
    let (written, files) = made("ends", 1).unwrap();
    let mut of_games: Vec<Vec<Labelled>> = games[..3]
        .iter()
        .map(|game| {
            let file = folder.path().join("one.shard");
            std::fs::write(&file, shard::encode(std::slice::from_ref(game)).unwrap()).unwrap();
            let mut positions = Vec::new();
            source::read(&file, |labelled, _| positions.push(labelled)).unwrap();
            positions
        })
        .collect();
    // Later beginnings come first, so that the ply falls where a game begins.
    of_games.sort_by_key(|game| std::cmp::Reverse(game[0].ply));
    let of_games = of_games.concat();
    assert_eq!(written, 2 * of_games.len() as u64);
    let mut ends = Vec::new();
    source::read(&files[0], |labelled, _| ends.push(labelled)).unwrap();
    let mut moved = 0;
    for (end, there) in ends.iter().zip(&of_games) {
        assert_eq!(end.ply, there.ply);
        let sign = match end.position.side == there.position.side {
            true => 1,
            false => -1,
        };
        assert_eq!(end.score, there.score * sign);
        assert_eq!(end.result, there.result * sign as i8);
        if end.best.is_some() {
            assert!(end.position == there.position && end.best == there.best);
            continue;
        }
        moved += usize::from(end.position != there.position);
        let sfen = format!("{} {}", end.position.to_sfen(), end.ply);
        assert!(!Position::from_sfen(&sfen).unwrap().in_check());
    }
    assert!(moved * 4 > ends.len(), "{moved} of {}", ends.len());

    // The same on two threads, and gone on with; other settings write elsewhere.
    let bytes = all_bytes(&files);
    assert_eq!(all_bytes(&made("again", 2).unwrap().1), bytes);
    std::fs::remove_file(&files[0]).unwrap();
    assert_eq!(made("ends", 2).unwrap().0, written);
    assert_eq!(all_bytes(&files), bytes);
    let other = leaf::Settings { nodes: 300, ..settings.clone() };
    let target = folder.path().join("ends");
    let error = leaves(&shards, &other, &target, finder, |_, _, _| {}).unwrap_err();
    assert!(error.to_string().contains("made otherwise"), "{error}");
}

#[test]
fn trees_give_more_positions_and_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let shards = two_shards(folder.path(), &some_games()[..3]);
    let judge = || -> Result<Box<dyn Judge>, GenerateError> {
        Ok(Box::new(Searched { quick: searcher()?, thorough: searcher()?, tree: Tree::default() }))
    };
    let made = |name: &str, tree: i32, threads: usize| {
        let settings =
            variation::Settings { seed: 1, share: 0.2, copies: 1, nodes: 200, evaluation: "test".to_owned(), tree };
        let target = folder.path().join(name);
        on_threads(threads, || vary(&shards, &settings, &target, judge, |_, _, _| {}))
            .map(|written| (written, source::files(&[target]).unwrap()))
    };
    let (alone, _) = made("alone", 0, 1).unwrap();
    let (written, files) = made("trees", 2, 1).unwrap();
    assert!(written > alone * 3, "{written} for {alone}");
    let bytes = all_bytes(&files);
    assert_eq!(all_bytes(&made("again", 2, 2).unwrap().1), bytes);
    std::fs::remove_file(&files[0]).unwrap();
    assert_eq!(made("trees", 2, 2).unwrap().0, written);
    assert_eq!(all_bytes(&files), bytes);

    // A tree's positions keep their game's ply, which falls only where a game begins.
    for file in &files {
        let (mut starts, mut last) = (1, 0);
        source::read(file, |labelled, _| {
            starts += u32::from(labelled.ply < last);
            last = labelled.ply;
        })
        .unwrap();
        assert!(starts <= 3, "{starts} games");
    }

    let error = made("trees", 3, 1).unwrap_err();
    assert!(error.to_string().contains("made otherwise"), "{error}");
}

/// Neither is passed off as the other, nor what was made of some shards as that of others.
#[test]
fn a_folder_holds_what_one_command_made_of_the_same_shards() {
    let folder = tempfile::tempdir().unwrap();
    let games = some_games();
    two_shards(folder.path(), &games[..3]);
    let other = shard::encode(&games[3..5]).unwrap();
    std::fs::write(folder.path().join("c.shard"), other).unwrap();
    let run = |arguments: &str| train(folder.path(), &format!("{arguments} --by-hand"));
    let ends = "leaves --nodes 50 -o ends";
    let (success, said) = run(&format!("{ends} a.shard"));
    assert!(success && said.contains("positions in ends"), "{said}");
    let first = folder.path().join("ends/000000.psv");
    let kept = std::fs::read(&first).unwrap();
    for arguments in [
        "vary -o ends a.shard".to_owned(),
        "leaves --nodes 60 -o ends a.shard".to_owned(),
        format!("{ends} c.shard"),
        format!("{ends} c.shard a.shard"),
    ] {
        let (success, said) = run(&arguments);
        assert!(!success && said.contains("made otherwise"), "{arguments}: {said}");
    }
    // More shards come behind, and the earlier ones alone are still what they were.
    for arguments in ["a.shard c.shard", "a.shard", "a.shard c.shard b.shard"] {
        let (success, said) = run(&format!("{ends} {arguments}"));
        assert!(success, "{arguments}: {said}");
    }
    assert_eq!(std::fs::read(&first).unwrap(), kept);
    assert!(!run(&format!("{ends} a.shard b.shard")).0);

    // Records that have no note at all are somebody else's.
    std::fs::create_dir(folder.path().join("trees")).unwrap();
    std::fs::write(folder.path().join("trees/000000.psv"), &kept).unwrap();
    let (success, said) = run("leaves --nodes 50 -o trees a.shard");
    assert!(!success && said.contains("made otherwise"), "{said}");
}
