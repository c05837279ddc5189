//! Labels: games relabelled, varied positions, trees.

use std::path::{Path, PathBuf};

use hagane::position::Position;
use hagane::search::Evaluator;
use hagane::training::data::game::Game;
use hagane::training::data::record::Labelled;
use hagane::training::data::shard;
use hagane::training::data::source;
use hagane::training::label::output::{LabelError, LabelSettings};
use hagane::training::label::{Labeller, label};
use hagane::training::selfplay::player::{Player, PlayerError, SearchPlayer, SearchSettings};
use hagane::types::{Color, Move};

use super::{Greedy, all_bytes, on_threads, some_games, train, two_shards};

/// Of all positions as they are.
fn plain() -> LabelSettings {
    LabelSettings {
        seed: 1,
        share: 1.0,
        random_moves: 0,
        nodes: 5,
        hash: 1,
        tree_strap: 0,
        evaluation: "test".to_owned(),
    }
}

/// Labels by a player that looks one move ahead: how many, and their files.
fn label_greedily(sources: &[PathBuf], settings: &LabelSettings, target: &Path) -> (u64, Vec<PathBuf>) {
    let greedy = || Ok(Labeller::new(Greedy::default(), Greedy::default()));
    let written = label(sources, settings, target, greedy, |_, _, _| {}).unwrap();
    (written, source::files(&[target.to_owned()]).unwrap())
}

fn records(file: &Path) -> Vec<Labelled> {
    let mut records = Vec::new();
    source::read(file, |labelled, _| records.push(labelled)).unwrap();
    records
}

/// The positions of some games with a score, by games: later beginnings first.
fn positions(folder: &Path, games: &[Game]) -> Vec<Vec<Labelled>> {
    let file = folder.join("one.shard");
    let mut positions: Vec<Vec<Labelled>> = games
        .iter()
        .map(|game| {
            std::fs::write(&file, shard::encode(std::slice::from_ref(game)).unwrap()).unwrap();
            records(&file)
        })
        .collect();
    positions.sort_by_key(|game| std::cmp::Reverse(game[0].ply));
    positions
}

fn position_of(labelled: &Labelled) -> Position {
    let sfen = labelled.position.to_sfen(labelled.ply.into());
    Position::from_sfen(&sfen).expect("a legal position")
}

fn is_quiet(position: &Position, best: Move) -> bool {
    !position.in_check() && !position.is_capture(best) && !best.is_promotion()
}

#[test]
fn relabelled_games_keep_results_and_order() {
    let folder = tempfile::tempdir().unwrap();
    let games = some_games();
    let shards = two_shards(folder.path(), &games);
    let (written, files) = label_greedily(&shards, &plain(), &folder.path().join("new"));
    let expected = positions(folder.path(), &games).concat();
    assert_eq!(written, 2 * expected.len() as u64);
    let labelled = records(&files[0]);
    assert_eq!(labelled.len(), expected.len());
    for (new, old) in labelled.iter().zip(&expected) {
        assert_eq!((&new.position, new.ply, new.result), (&old.position, old.ply, old.result));
        let (best, score) = Greedy::default().think(&position_of(new)).unwrap();
        assert_eq!((new.best, i32::from(new.score)), (Some(best), score.0));
    }
    assert!(labelled.iter().any(|labelled| labelled.result != 0));

    // The same again, also after a run that was killed when it had made one file only.
    let bytes = all_bytes(&files);
    std::fs::remove_file(&files[0]).unwrap();
    let (again, files) = label_greedily(&shards, &plain(), &folder.path().join("new"));
    assert_eq!((again, all_bytes(&files)), (written, bytes));

    // A share of them.
    let half = LabelSettings { share: 0.5, ..plain() };
    let (some, _) = label_greedily(&shards, &half, &folder.path().join("half"));
    assert!(some > written * 2 / 5 && some < written * 3 / 5, "{some} of {written}");
}

#[test]
fn varied_positions_are_quiet_and_have_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let shards = two_shards(folder.path(), &some_games());
    let settings = LabelSettings { share: 0.5, random_moves: 2, ..plain() };
    let target = folder.path().join("varied");
    let (written, files) = label_greedily(&shards, &settings, &target);
    assert!(written > 20);
    let mut seen = 0;
    for file in files {
        for labelled in records(&file) {
            let position = position_of(&labelled);
            let best = labelled.best.expect("a best move");
            assert!(is_quiet(&position, best));
            assert_eq!(labelled.result, 0);
            let (again, score) = Greedy::default().think(&position).unwrap();
            assert_eq!((again, score.0), (best, i32::from(labelled.score)));
            seen += 1;
        }
    }
    assert_eq!(seen, written);

    // Other settings do not continue in the same folder.
    let other = LabelSettings { seed: 2, ..settings };
    let greedy = || Ok(Labeller::new(Greedy::default(), Greedy::default()));
    let error = label(&shards, &other, &target, greedy, |_, _, _| {}).unwrap_err();
    assert!(matches!(error, LabelError::Different(_)), "{error}");
}

/// The engine's search, as short as a test can afford.
fn searching() -> Result<Labeller<SearchPlayer>, PlayerError> {
    let player = || SearchPlayer::new(SearchSettings { nodes: 200, hash: 1, longest: 320 }, Evaluator::HandCrafted);
    Ok(Labeller::new(player()?, player()?))
}

#[test]
fn trees_give_more_positions_and_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let shards = two_shards(folder.path(), &some_games()[..3]);
    for random_moves in [0, 2] {
        let made = |name: &str, tree_strap: i32, threads: usize| {
            let settings = LabelSettings { share: 0.2, random_moves, nodes: 200, tree_strap, ..plain() };
            let target = folder.path().join(format!("{name} {random_moves}"));
            on_threads(threads, || label(&shards, &settings, &target, searching, |_, _, _| {}))
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

        // The ply falls only where a game begins, and rises only from one position of a game to the next.
        let plies: Vec<u16> = records(&files[0]).iter().map(|labelled| labelled.ply).collect();
        let falls = plies.windows(2).filter(|pair| pair[1] < pair[0]).count();
        let rises = plies.windows(2).filter(|pair| pair[1] > pair[0]).count() as u64;
        assert!(falls <= 2, "{plies:?}");
        assert!(if random_moves == 0 { rises < alone } else { rises == 0 }, "{plies:?}");

        let error = made("trees", 3, 1).unwrap_err();
        assert!(error.to_string().contains("made otherwise"), "{error}");
    }
}

/// Labels of some shards or settings are not passed off as those of others.
#[test]
fn a_folder_holds_the_labels_of_the_same_shards() {
    let folder = tempfile::tempdir().unwrap();
    let games = some_games();
    two_shards(folder.path(), &games[..3]);
    let other = shard::encode(&games[3..5]).unwrap();
    std::fs::write(folder.path().join("c.shard"), other).unwrap();
    let run = |arguments: &str| train(folder.path(), &format!("label --hand-crafted {arguments}"));
    let new = "--nodes 50 --share 0.2 -o new";
    let (success, said) = run(&format!("{new} a.shard"));
    assert!(success && said.contains("positions in new"), "{said}");
    let first = folder.path().join("new/000000.psv");
    let kept = std::fs::read(&first).unwrap();
    for arguments in [
        "--nodes 60 --share 0.2 -o new a.shard".to_owned(),
        format!("{new} --random-moves 2 a.shard"),
        format!("{new} c.shard"),
        format!("{new} c.shard a.shard"),
    ] {
        let (success, said) = run(&arguments);
        assert!(!success && said.contains("made otherwise"), "{arguments}: {said}");
    }
    // More shards come after them, and the earlier ones alone are still what they were.
    for arguments in ["a.shard c.shard", "a.shard", "a.shard c.shard b.shard"] {
        let (success, said) = run(&format!("{new} {arguments}"));
        assert!(success, "{arguments}: {said}");
    }
    assert_eq!(std::fs::read(&first).unwrap(), kept);
    assert!(!run(&format!("{new} a.shard b.shard")).0);

    // Records without a note are something else.
    std::fs::create_dir(folder.path().join("records")).unwrap();
    std::fs::write(folder.path().join("records/000000.psv"), &kept).unwrap();
    let (success, said) = run("--nodes 50 -o records a.shard");
    assert!(!success && said.contains("made otherwise"), "{said}");
}

/// Relabelled games are read as games: their results are those of the games.
#[test]
fn results_are_those_of_the_side_to_move() {
    let folder = tempfile::tempdir().unwrap();
    let mut games = some_games();
    for game in &mut games {
        game.winner = Some(Color::White);
    }
    let shards = two_shards(folder.path(), &games);
    let (_, files) = label_greedily(&shards, &plain(), &folder.path().join("new"));
    for labelled in records(&files[0]) {
        assert_eq!(labelled.result == 1, labelled.position.side_to_move() == Color::White);
    }
}
