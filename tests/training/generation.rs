//! Generated games: the same seed, the same shards; where games begin and end; trees kept beside them.

use std::path::Path;

use hagane::platform::random::Random;
use hagane::position::Position;
use hagane::search::Evaluator;
use hagane::training::game::Ending;
use hagane::training::generate::{self, GenerateError, Settings, Thinker};
use hagane::training::harvest;
use hagane::training::opening::{self, Kind, Shares};
use hagane::training::record::Psv;
use hagane::training::shard;
use hagane::training::source;
use hagane::training::thinker::Searcher;
use hagane::types::{Color, Move, Score};

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
    assert_eq!(whole.len(), 4, "three shards and the manifest");
    assert!(whole == pieces);
}

/// Games of real searches, whose trees are read at so many plies; the run ends after `most` games.
fn harvest_some(folder: &Path, least: i32, threads: usize, most: u64) {
    let settings = Settings {
        nodes: 300,
        hash: 1,
        games_per_shard: 3,
        longest: 60,
        harvest: harvest::Settings { least, share: 0.5 },
        ..settings()
    };
    let thinker = |_| Box::new(Searcher::new(&settings, Evaluator::HandCrafted).unwrap());
    let thinkers = (0..threads).map(|thread| thinker(thread) as Box<dyn Thinker>).collect();
    let mut finished = 0;
    generate::run(folder, 6, &settings, "made by hand", thinkers, |_| {
        finished += 1;
        finished < most
    })
    .expect("generates");
}

#[test]
fn trees_come_beside_the_games_and_leave_them_as_they_are() {
    let [whole, pieces, bare] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    harvest_some(whole.path(), 2, 1, u64::MAX);
    for threads in [1, 2, 1] {
        harvest_some(pieces.path(), 2, threads, 2);
    }
    harvest_some(pieces.path(), 2, 2, u64::MAX);
    let files = contents(whole.path());
    assert_eq!(files.len(), 5, "two shards, their records and the manifest");
    assert!(files == contents(pieces.path()));

    harvest_some(bare.path(), 0, 1, u64::MAX);
    let games = |files: &[(String, Vec<u8>)]| -> Vec<_> {
        let shard = |file: &&(String, Vec<u8>)| file.0.ends_with(shard::EXTENSION);
        files.iter().filter(shard).cloned().collect()
    };
    let without = contents(bare.path());
    assert_eq!(without.len(), 3, "two shards and the manifest");
    assert!(games(&files) == games(&without));

    // A folder stands for its games; the records are read by their names.
    let shards = source::files(&[whole.path().to_owned()]).unwrap();
    assert_eq!(shards.len(), 2);
    let mut quiet = 0;
    for (name, bytes) in files.iter().filter(|file| file.0.ends_with(".psv")) {
        assert_eq!(bytes.len() % Psv::SIZE, 0, "{name}");
        for record in bytes.as_chunks::<{ Psv::SIZE }>().0 {
            let labelled = Psv(*record).decode().expect("a record");
            let sfen = format!("{} 1", labelled.position.to_sfen());
            let position = Position::from_sfen(&sfen).expect("within the rules");
            assert!(!position.in_check(), "{sfen}");
            quiet += 1;
        }
    }
    assert!(quiet > 200, "{quiet}");

    let thinkers = vec![Box::<Greedy>::default() as Box<dyn Thinker>];
    let other = Settings { harvest: harvest::Settings { least: 3, ..harvest::Settings::default() }, ..settings() };
    let bare = tempfile::tempdir().unwrap();
    generate_some(bare.path(), 10, 1, u64::MAX);
    let refused = generate::run(bare.path(), 20, &other, "greedy", thinkers, |_| true);
    let error = refused.expect_err("made otherwise").to_string();
    assert!(error.contains("--tree"), "{error}");
}

#[test]
fn a_share_of_trees_that_nobody_reads_makes_no_other_games() {
    let mut other = settings();
    assert_eq!(other.harvest.least, 0);
    other.harvest.share = 0.9;
    let folder = tempfile::tempdir().unwrap();
    generate_some(folder.path(), 10, 1, 1);
    let thinkers = vec![Box::<Greedy>::default() as Box<dyn Thinker>];
    generate::run(folder.path(), 10, &other, "greedy", thinkers, |_| true).expect("goes on with the same games");
}

#[test]
fn a_folder_of_other_games_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    generate_some(folder.path(), 10, 1, u64::MAX);
    let before = contents(folder.path());
    let other = Settings { seed: 6, ..settings() };
    let thinkers = vec![Box::<Greedy>::default() as Box<dyn Thinker>];
    let refused = generate::run(folder.path(), 20, &other, "greedy", thinkers, |_| true);
    assert!(matches!(refused, Err(GenerateError::Different { what: "seed", .. })));
    assert!(before == contents(folder.path()));
}

#[test]
fn sound_openings_lose_little_and_differ() {
    let mut seen = std::collections::HashSet::new();
    let mut worse = 0;
    for number in 0..40 {
        let mut random = Random::for_item(7, number);
        let opening = opening::draw(&mut random, Kind::Sound, &[], &mut Greedy::default());
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
        let opening = opening::draw(&mut random, Kind::Castles, &[], &mut Greedy::default());
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
    // 17 of the 20 camps.
    assert!(aside > 85, "{aside} of 120 kings");
}

#[test]
fn middles_begin_where_earlier_games_were_even() {
    let mut earlier = some_games();
    earlier.retain(|game| game.moves.len() > 60);
    assert!(!earlier.is_empty());
    for (number, game) in earlier.iter_mut().enumerate() {
        for (ply, score) in (game.given..).zip(&mut game.scores) {
            // Even in the opening too, where no game is to begin.
            *score = if ply < 40 || ply == 50 + number % 8 { -500 } else { 501 };
        }
    }
    let mut plies = std::collections::HashSet::new();
    for number in 0..40 {
        let mut random = Random::for_item(9, number);
        let opening = opening::draw(&mut random, Kind::Middle, &earlier, &mut Greedy::default());
        let branched = earlier.iter().enumerate().any(|(number, game)| {
            let at = 50 + number % 8;
            let more = opening.given.len().checked_sub(at);
            game.start == opening.start && more.is_some_and(|more| more <= 2) && game.moves[..at] == opening.given[..at]
        });
        assert!(branched, "{} given moves", opening.given.len());
        plies.insert(opening.given.len());
    }
    assert!(plies.len() > 2, "{plies:?}");
}

#[test]
fn middles_want_games_that_have_them() {
    let folder = tempfile::tempdir().unwrap();
    let [earlier, target] = ["earlier", "target"].map(|name| folder.path().join(name));
    let run = |folder: &Path, settings: &Settings| {
        let thinkers = vec![Box::<Greedy>::default() as Box<dyn Thinker>];
        generate::run(folder, 3, settings, "a test", thinkers, |_| true)
    };
    let short = Settings { longest: 30, games_per_shard: 3, ..settings() };
    run(&earlier, &short).unwrap();
    let settings =
        Settings { shares: Shares { middles: 0.5, ..settings().shares }, earlier: Some(earlier), ..settings() };
    let error = run(&target, &settings).unwrap_err().to_string();
    assert!(error.contains("even positions"), "{error}");
}

/// Finds a mate when it has been asked so many times.
struct Finds(Greedy, usize);

impl Thinker for Finds {
    fn new_game(&mut self) {}

    fn choose(&mut self, position: &Position, among: &[Move]) -> Option<(Move, Score)> {
        self.0.choose(position, among)
    }

    fn mates(&mut self, _: &Position) -> bool {
        self.1 -= 1;
        self.1 == 0
    }

    fn nodes(&self) -> u64 {
        self.0.nodes
    }
}

#[test]
fn a_mate_that_is_proven_ends_a_game() {
    let settings = Settings { to_the_end: 1.0, ..settings() };
    for asked in [1, 2, 5] {
        let mut thinker = Finds(Greedy::default(), asked);
        let game = generate::play(3, &settings, &[], &mut thinker).game;
        // The first position is not asked about, for a game needs a score.
        assert_eq!(game.scores.len(), asked);
        assert_eq!(game.ending, Ending::Proven);
        let mut position = shard::start_position(&game.start).unwrap();
        for &played in &game.moves {
            position.do_move(played);
        }
        assert_eq!(game.winner, Some(position.side_to_move()));
    }
}

#[test]
fn the_engine_as_a_player_sees_mates_where_it_is_to_look_for_them() {
    let mate = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
    for (mates, seen) in [(0, false), (100, true)] {
        let settings = Settings { nodes: 100, hash: 1, mates, ..Settings::default() };
        let mut searcher = Searcher::new(&settings, Evaluator::HandCrafted).unwrap();
        searcher.new_game();
        assert_eq!(searcher.mates(&mate), seen);
        assert!(!searcher.mates(&Position::startpos()));
    }
}

/// Where nothing is said the built-in network plays; the evaluation made by hand only where it is asked for.
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
    let (success, said) = run("--by-hand");
    assert!(!success && said.contains("evaluation"), "{said}");
    let (success, said) = run("--by-hand --network a.nn");
    assert!(!success && said.contains("--by-hand"), "{said}");
}
