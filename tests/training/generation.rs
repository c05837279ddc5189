//! Generated games: the same seed, the same shards; where games begin.

use std::path::Path;

use hagane::platform::random::Random;
use hagane::position::Position;
use hagane::training::data::game::Game;
use hagane::training::data::manifest::{GenerateSettings, StartShares};
use hagane::training::data::shard;
use hagane::training::selfplay::generate::{self, GenerateError};
use hagane::training::selfplay::opening::{self, StartKind};
use hagane::training::selfplay::player::Player;
use hagane::types::Color;

use super::{Greedy, generate_some, settings, some_games, train};

fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension != "journal"))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read(&path).expect("readable"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn the_same_seed_makes_the_same_shards_however_often_it_is_killed() {
    let (whole, pieces) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    generate_some(whole.path(), 25, 1, u64::MAX);
    // Stopped after every fourth game, on another number of threads each time; once with a torn journal.
    for round in 0..8 {
        generate_some(pieces.path(), 25, 1 + round % 3, 4);
        if round == 2 {
            let journal = pieces.path().join("unfinished.journal");
            let bytes = std::fs::read(&journal).unwrap();
            std::fs::write(&journal, &bytes[..bytes.len().saturating_sub(5)]).unwrap();
        }
    }
    generate_some(pieces.path(), 25, 2, u64::MAX);
    let (whole, pieces) = (contents(whole.path()), contents(pieces.path()));
    assert_eq!(whole.len(), 5, "three shards, the manifest and the lock");
    assert!(whole == pieces);
}

#[test]
fn a_folder_of_other_games_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    generate_some(folder.path(), 10, 1, u64::MAX);
    let before = contents(folder.path());
    let other = GenerateSettings { seed: 6, ..settings() };
    let players = vec![Box::<Greedy>::default() as Box<dyn Player>];
    let refused = generate::run(folder.path(), 20, &other, "greedy", players, |_| true);
    assert!(matches!(refused, Err(GenerateError::Different { what: "seed", .. })));
    assert!(before == contents(folder.path()));
}

#[test]
fn two_runs_do_not_play_into_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let players = || vec![Box::<Greedy>::default() as Box<dyn Player>];
    let run = |progress: &mut dyn FnMut() -> bool| {
        generate::run(folder.path(), 2, &settings(), "greedy", players(), |_| progress())
    };
    let mut second = None;
    let first = run(&mut || second.insert(run(&mut || true)).is_err());
    assert!(first.is_ok());
    assert!(matches!(second, Some(Err(GenerateError::InUse(_)))));
    assert!(run(&mut || true).is_ok(), "the lock outlives its run");
}

#[test]
fn sound_openings_lose_little_and_differ() {
    let mut seen = std::collections::HashSet::new();
    let mut worse = 0;
    for number in 0..40 {
        let mut random = Random::for_item(7, number);
        let opening = opening::draw(&mut random, StartKind::Sound, &[], &mut Greedy::default());
        assert!((2..=28).contains(&opening.given.len()));
        let mut position = Position::startpos();
        for &played in &opening.given {
            let mut greedy = Greedy::default();
            let (_, highest) = greedy.think(&position).unwrap();
            let (_, score) = greedy.choose(&position, &[played]).unwrap();
            assert!(score.0 >= highest.0 - 80);
            worse += usize::from(score < highest);
            position.do_move(played);
        }
        assert_eq!(position.to_sfen(), opening.position.to_sfen());
        seen.insert(position.to_sfen());
    }
    assert_eq!(seen.len(), 40);
    assert!(worse > 100, "always the best move");
}

#[test]
fn castled_openings_are_games_whose_kings_have_left_the_middle() {
    let mut seen = std::collections::HashSet::new();
    let mut aside = 0;
    for number in 0..60 {
        let mut random = Random::for_item(8, number);
        let opening = opening::draw(&mut random, StartKind::Castles, &[], &mut Greedy::default());
        assert!(opening.given.len() <= 6);
        let mut position = Position::from_sfen(&opening.start).expect("a start within the rules");
        for color in Color::ALL {
            let king = position.king(color).expect("a king").relative_to(color);
            aside += usize::from(king.rank() >= 7 && (king.file() <= 2 || king.file() >= 6));
        }
        for &played in &opening.given {
            position.do_move(played);
        }
        assert_eq!(position.to_sfen(), opening.position.to_sfen());
        seen.insert(position.to_sfen());
    }
    assert!(seen.len() >= 58, "{} different of 60", seen.len());
    // 17 of the 20 castles.
    assert!(aside > 85, "{aside} of 120 kings");
}

#[test]
fn games_branch_off_where_earlier_ones_were_even() {
    let mut earlier = some_games();
    earlier.retain(|game| game.moves.len() > 60);
    assert!(!earlier.is_empty());
    let even_at = |number: usize, game: &Game| [game.given + 2, 50 + number % 8];
    for (number, game) in earlier.iter_mut().enumerate() {
        let even = even_at(number, game);
        for (ply, score) in (game.given..).zip(&mut game.scores) {
            *score = if even.contains(&ply) { -500 } else { 501 };
        }
    }
    let mut plies = std::collections::HashSet::new();
    for number in 0..40 {
        let mut random = Random::for_item(9, number);
        let opening = opening::draw(&mut random, StartKind::BranchOff, &earlier, &mut Greedy::default());
        let branched = earlier.iter().enumerate().any(|(number, game)| {
            even_at(number, game).into_iter().any(|at| {
                let more = opening.given.len().checked_sub(at);
                game.start == opening.start
                    && more.is_some_and(|more| more <= 2)
                    && game.moves[..at] == opening.given[..at]
            })
        });
        assert!(branched, "{} given moves", opening.given.len());
        plies.insert(opening.given.len());
    }
    assert!(plies.iter().any(|&ply| ply < 40) && plies.iter().any(|&ply| ply >= 50), "{plies:?}");
}

#[test]
fn branching_off_wants_games_that_were_even() {
    let folder = tempfile::tempdir().unwrap();
    let [earlier, target] = ["earlier", "target"].map(|name| folder.path().join(name));
    let run = |folder: &Path, settings: &GenerateSettings| {
        let players = vec![Box::<Greedy>::default() as Box<dyn Player>];
        generate::run(folder, 3, settings, "a test", players, |_| true)
    };
    let branching = GenerateSettings {
        shares: StartShares { branch_off: 0.5, ..settings().shares },
        earlier: Some(earlier.clone()),
        ..settings()
    };
    let error = run(&target, &branching).unwrap_err().to_string();
    assert!(error.contains("no finished shards"), "{error}");

    let mut lopsided = some_games();
    for score in lopsided.iter_mut().flat_map(|game| &mut game.scores) {
        *score = 501;
    }
    run(&earlier, &settings()).unwrap();
    std::fs::write(earlier.join("000000.shard"), shard::encode(&lopsided).unwrap()).unwrap();
    let error = run(&target, &branching).unwrap_err().to_string();
    assert!(error.contains("no earlier game has an even position"), "{error}");
    std::fs::write(earlier.join("000000.shard"), shard::encode(&some_games()).unwrap()).unwrap();
    run(&target, &branching).unwrap();
}

/// The built-in network plays by default; the hand-crafted evaluation only on request.
#[test]
fn generate_plays_with_the_network_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        |evaluation: &str| train(folder.path(), &format!("generate games --games 1 --nodes 10 --shard 1 {evaluation}"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("eval/hagane.nn");
    assert!(run("").0);
    let manifest = std::fs::read_to_string(folder.path().join("games/manifest.json")).unwrap();
    assert!(manifest.contains("network"), "{manifest}");
    assert!(run(&format!("--network {}", file.display())).0);
    let (success, said) = run("--hand-crafted");
    assert!(!success && said.contains("evaluation"), "{said}");
    let (success, said) = run("--hand-crafted --network a.nn");
    assert!(!success && said.contains("--hand-crafted"), "{said}");
}
