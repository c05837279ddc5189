//! Training: the record formats, shards, generation and the trainer, from end to end.

use std::path::{Path, PathBuf};

use hagane::evaluation::evaluate;
use hagane::nnue;
use hagane::nnue::embedded::Parameters;
use hagane::position::Position;
use hagane::random::Random;
use hagane::search::Evaluator;
use hagane::training::convert::{Converted, convert};
use hagane::training::correction::Correction;
use hagane::training::fit::batch::{Batch, Blend};
use hagane::training::fit::inputs::{Inputs, phase};
use hagane::training::fit::loss::{Power, expectation};
use hagane::training::fit::shape::Shape;
use hagane::training::fit::{self, checkpoint, export, import};
use hagane::training::game::{Ending, Game};
use hagane::training::generate::{self, GenerateError, Settings, Thinker};
use hagane::training::harvest;
use hagane::training::leaf::{self, Finder, leaves};
use hagane::training::opening::{self, Kind, Shares};
use hagane::training::packed::{Code, pack, unpack};
use hagane::training::placement::Placement;
use hagane::training::record::{Hcpe, Labelled, Psv};
use hagane::training::shard::{self, Shard, ShardError};
use hagane::training::thinker::Searcher;
use hagane::training::tree::Tree;
use hagane::training::variation::{self, Judge, Searched, Static, vary};
use hagane::training::{source, stats};
use hagane::types::{Color, Move, PieceType, Score};

/// Plays the move after which the evaluation made by hand likes the position best.
#[derive(Default)]
struct Greedy {
    nodes: u64,
}

impl Thinker for Greedy {
    fn new_game(&mut self) {}

    fn choose(&mut self, position: &Position, among: &[Move]) -> Option<(Move, Score)> {
        let mut position = position.clone();
        let mut best: Option<(Move, Score)> = None;
        for &mv in among {
            self.nodes += 1;
            position.do_move(mv);
            let score = -evaluate(&position);
            position.undo_move();
            if best.is_none_or(|(_, highest)| score > highest) {
                best = Some((mv, score));
            }
        }
        best
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

fn settings() -> Settings {
    Settings {
        seed: 5,
        games_per_shard: 10,
        shares: Shares {
            own_games: 0.0,
            handicap: 0.25,
            entering_king: 0.35,
            sound: 0.2,
            castles: 0.1,
            middles: 0.0,
        },
        longest: 120,
        ..Settings::default()
    }
}

/// Games `0..games` on some threads; the display ends the run after `most` games.
fn generate_some(folder: &Path, games: u64, threads: usize, most: u64) {
    let thinkers = (0..threads)
        .map(|_| Box::<Greedy>::default() as Box<dyn Thinker>)
        .collect();
    let mut finished = 0;
    generate::run(folder, games, &settings(), "greedy", thinkers, |_| {
        finished += 1;
        finished < most
    })
    .expect("generates");
}

fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension != "journal")
        })
        .map(|path| {
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
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
    let thinker = |_| Box::new(Searcher::new(&settings, Evaluator::Handmade).unwrap());
    let thinkers = (0..threads)
        .map(|thread| thinker(thread) as Box<dyn Thinker>)
        .collect();
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
    let other = Settings {
        harvest: harvest::Settings {
            least: 3,
            ..harvest::Settings::default()
        },
        ..settings()
    };
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
    generate::run(folder.path(), 10, &other, "greedy", thinkers, |_| true)
        .expect("goes on with the same games");
}

#[test]
fn a_folder_of_other_games_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    generate_some(folder.path(), 10, 1, u64::MAX);
    let before = contents(folder.path());
    let other = Settings {
        seed: 6,
        ..settings()
    };
    let thinkers = vec![Box::<Greedy>::default() as Box<dyn Thinker>];
    let refused = generate::run(folder.path(), 20, &other, "greedy", thinkers, |_| true);
    assert!(matches!(
        refused,
        Err(GenerateError::Different { what: "seed", .. })
    ));
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
            *score = if ply < 40 || ply == 50 + number % 8 {
                -500
            } else {
                501
            };
        }
    }
    let mut plies = std::collections::HashSet::new();
    for number in 0..40 {
        let mut random = Random::for_item(9, number);
        let opening = opening::draw(&mut random, Kind::Middle, &earlier, &mut Greedy::default());
        let branched = earlier.iter().enumerate().any(|(number, game)| {
            let at = 50 + number % 8;
            let more = opening.given.len().checked_sub(at);
            game.start == opening.start
                && more.is_some_and(|more| more <= 2)
                && game.moves[..at] == opening.given[..at]
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
    let short = Settings {
        longest: 30,
        games_per_shard: 3,
        ..settings()
    };
    run(&earlier, &short).unwrap();
    let settings = Settings {
        shares: Shares {
            middles: 0.5,
            ..settings().shares
        },
        earlier: Some(earlier),
        ..settings()
    };
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
    let settings = Settings {
        to_the_end: 1.0,
        ..settings()
    };
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
        let settings = Settings {
            nodes: 100,
            hash: 1,
            mates,
            ..Settings::default()
        };
        let mut searcher = Searcher::new(&settings, Evaluator::Handmade).unwrap();
        searcher.new_game();
        assert_eq!(searcher.mates(&mate), seen);
        assert!(!searcher.mates(&Position::startpos()));
    }
}

fn some_games() -> Vec<Game> {
    let mut thinker = Greedy::default();
    (0..12)
        .map(|number| generate::play(number, &settings(), &[], &mut thinker).game)
        .collect()
}

#[test]
fn shards_read_back_and_damage_is_told() {
    let games = some_games();
    assert!(games.iter().any(|game| game.start.is_empty()));
    assert!(games.iter().any(|game| !game.start.is_empty()));
    let bytes = shard::encode(&games).unwrap();
    let name = Path::new("memory.shard");
    let read = |bytes: &[u8]| Shard::from_bytes(name, bytes).and_then(Shard::read_all);
    assert_eq!(read(&bytes).unwrap(), games);
    for length in 0..bytes.len() {
        let error = read(&bytes[..length]).expect_err("a prefix is torn");
        let foreign = matches!(error, ShardError::Foreign(_));
        assert_eq!(foreign, length < 8, "{length}: {error}");
    }
    let mut random = Random::new(3);
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        let at = random.below(damaged.len());
        damaged[at] ^= 1 << random.below(8);
        assert!(read(&damaged).is_err(), "byte {at}");
    }
    assert!(matches!(
        read(b"PSV or whatever"),
        Err(ShardError::Foreign(_))
    ));
}

#[test]
fn a_shard_with_impossible_contents_is_refused_though_its_checksum_is_right() {
    let mut games = some_games();
    let game = &mut games[0];
    game.moves[3] = "1a1b".parse().unwrap();
    assert!(shard::encode(&games).unwrap_err().contains("not legal"));
    games[0].moves.pop();
    assert!(shard::encode(&games).is_err());
}

#[test]
fn both_packed_codes_hold_every_position_of_games() {
    for game in some_games() {
        let mut position = shard::start_position(&game.start).unwrap();
        for &mv in &game.moves {
            let placement = Placement::from(&position);
            assert!(position.to_sfen().starts_with(&placement.to_sfen()));
            let packed = pack(&placement, Code::PackedSfen).unwrap();
            assert_eq!(unpack(&packed, Code::PackedSfen).unwrap(), placement);
            match pack(&placement, Code::Huffman) {
                Ok(packed) => assert_eq!(unpack(&packed, Code::Huffman).unwrap(), placement),
                // Handicaps only.
                Err(error) => assert!(game.start.contains(" w - 1"), "{error}"),
            }
            position.do_move(mv);
        }
    }
}

#[test]
fn random_bytes_are_no_disaster() {
    let mut random = Random::new(8);
    for _ in 0..20_000 {
        let bytes: [u8; 32] = std::array::from_fn(|_| random.next_u64() as u8);
        for code in [Code::PackedSfen, Code::Huffman] {
            if let Ok(placement) = unpack(&bytes, code) {
                let _ = pack(&placement, code);
            }
        }
    }
}

/// The fixtures hold the same positions in several formats, written by other programs.
#[test]
fn records_of_other_programs_are_read_and_written() {
    let folder = PathBuf::from("../shared/data/training/psv_fixtures");
    if !folder.is_dir() {
        println!("skipped: no {}", folder.display());
        return;
    }
    // The moves of the first pair are not in the code that its format asks for.
    for (name, own_moves) in [
        ("psv_to_hcpe3_sample", false),
        ("psv_to_hcpe3_yaneuraou_sample", true),
    ] {
        let psv = std::fs::read(folder.join(format!("{name}.psv"))).unwrap();
        let hcpe = std::fs::read(folder.join(format!("{name}.hcpe"))).unwrap();
        let (psv, rest) = psv.as_chunks::<{ Psv::SIZE }>();
        assert!(rest.is_empty() && !psv.is_empty());
        let (hcpe, rest) = hcpe.as_chunks::<{ Hcpe::SIZE }>();
        assert!(rest.is_empty());
        let decoded: Vec<Labelled> = psv
            .iter()
            .map(|bytes| Psv(*bytes).decode().unwrap())
            .collect();
        for (labelled, bytes) in decoded.iter().zip(psv) {
            let sfen = format!("{} {}", labelled.position.to_sfen(), labelled.ply.max(1));
            let position = Position::from_sfen(&sfen).expect("a legal position");
            let mut written = Psv::encode(labelled).unwrap().0;
            // The last byte is padding, which some programs use for flags.
            written[39] = bytes[39];
            if own_moves {
                assert!(position.is_legal(labelled.best.expect("a move")), "{sfen}");
            } else {
                written[34..36].copy_from_slice(&bytes[34..36]);
            }
            // The order of a hand's kinds is the writer's to choose; these files have it the other way round.
            let simple = labelled
                .position
                .hands
                .iter()
                .all(|hand| hand.iter().count() < 2);
            if simple {
                assert_eq!(&written, bytes, "{sfen}");
            } else {
                assert_eq!(Psv(written).position().unwrap(), labelled.position);
                assert_eq!(written[32..], bytes[32..]);
            }
        }
        assert_eq!(hcpe.len(), psv.len());
        for (labelled, bytes) in decoded.iter().zip(hcpe) {
            let other = Hcpe(*bytes).decode().unwrap();
            assert_eq!(other.position, labelled.position);
            assert_eq!(
                (other.score, other.result),
                (labelled.score, labelled.result)
            );
            let mut written = Hcpe::encode(labelled).unwrap().0;
            written[37] = bytes[37];
            if own_moves {
                assert_eq!(other.best, labelled.best);
            } else {
                written[34..36].copy_from_slice(&bytes[34..36]);
            }
            assert_eq!(&written, bytes);
        }
    }
}

#[test]
fn games_survive_the_way_through_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let games = some_games();
    let positions: usize = games.iter().map(Game::labelled).sum();
    std::fs::write(path("a.shard"), shard::encode(&games).unwrap()).unwrap();
    let all = Converted {
        positions: positions as u64,
        left_out: 0,
    };
    assert_eq!(convert(&[path("a.shard")], &path("b.psv")).unwrap(), all);
    assert_eq!(convert(&[path("b.psv")], &path("c.shard")).unwrap(), all);
    let back = Shard::open(&path("c.shard")).unwrap().read_all().unwrap();
    assert_eq!(back.len(), games.len());
    for (game, back) in games.iter().zip(&back) {
        // The given moves are gone: a record has none.
        assert_eq!(back.moves, game.moves[game.given..]);
        assert_eq!((&back.scores, back.winner), (&game.scores, game.winner));
    }
    assert_eq!(convert(&[path("c.shard")], &path("d.psv")).unwrap(), all);
    assert_eq!(
        std::fs::read(path("b.psv")).unwrap(),
        std::fs::read(path("d.psv")).unwrap()
    );

    let hcpe = convert(&[path("a.shard")], &path("e.hcpe")).unwrap();
    assert!(
        hcpe.left_out > 0 && hcpe.positions + hcpe.left_out == positions as u64,
        "{hcpe:?}"
    );
    assert_eq!(
        convert(&[path("e.hcpe")], &path("f.psv"))
            .unwrap()
            .positions,
        hcpe.positions
    );

    let stats = stats::collect(&[path("a.shard")]).unwrap();
    assert_eq!(
        (stats.games, stats.positions),
        (games.len() as u64, positions as u64)
    );
    assert_eq!(stats.results.iter().sum::<u64>(), stats.positions);
    assert_eq!(stats.endings.iter().sum::<u64>(), stats.games);
    assert!(stats.handicap > 0, "{stats}");
    assert!(
        stats.entered[1] > 0 && stats.entered[1] < stats.positions,
        "{stats}"
    );
    assert_eq!(
        stats.endings[Ending::Repetition as usize],
        count(&games, Ending::Repetition)
    );
    assert!(stats.to_string().contains("handicap"));

    std::fs::write(path("g.psv"), [0; 45]).unwrap();
    let error = source::read(&path("g.psv"), |_, _| ())
        .unwrap_err()
        .to_string();
    assert!(error.contains("45 bytes"), "{error}");
    assert!(convert(&[path("nothing.txt")], &path("h.psv")).is_err());
}

fn count(games: &[Game], ending: Ending) -> u64 {
    games.iter().filter(|game| game.ending == ending).count() as u64
}

/// A folder with a shard or two of games, for the trainer.
fn data(folder: &Path, games: u64) -> Vec<PathBuf> {
    generate_some(folder, games, 2, u64::MAX);
    source::files(&[folder.to_owned()]).unwrap()
}

/// Whether `hagane train` succeeds in a folder, and what it says.
fn train(folder: &Path, arguments: &str) -> (bool, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_hagane"))
        .current_dir(folder)
        .arg("train")
        .args(arguments.split_whitespace())
        .output()
        .unwrap();
    (
        output.status.success(),
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(),
    )
}

/// Where nothing is said the built-in network plays; the evaluation made by hand only where it is asked for.
#[test]
fn generate_plays_with_the_network_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let run = |evaluation: &str| {
        train(
            folder.path(),
            &format!("generate games --games 1 --nodes 10 --shard 1 {evaluation}"),
        )
    };
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

fn quick(shape: Shape, files: Vec<PathBuf>) -> fit::Settings {
    let mut settings = fit::Settings::new(shape, files);
    settings.batch = 256;
    settings.warm_up = 1000;
    settings.interval = 1000;
    settings.validation = 8;
    settings.epochs = 3;
    settings.filter.tactical = false;
    settings
}

/// A run of the trainer on some threads that is stopped after every so many batches and goes on from its checkpoint.
fn fit_in_pieces(
    settings: &fit::Settings,
    out: &Path,
    threads: usize,
    stop_at: u64,
) -> (Vec<u8>, Vec<fit::curve::Point>) {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(|| {
        let mut from = None;
        loop {
            let mut batches = 0;
            let fitted = fit::run(settings, from.take(), out, |_| {
                batches += 1;
                batches < stop_at
            })
            .unwrap();
            if let Some(network) = fitted.network {
                return (export::export(&network, "test"), fitted.curve);
            }
            let (network, kept, place) = checkpoint::load(&out.join(fit::CHECKPOINT)).unwrap();
            assert_eq!(&kept, settings);
            from = Some((network, place));
        }
    })
}

#[test]
fn training_repeats_and_resumes_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let files = data(&folder.path().join("games"), 40);
    let mut settings = quick(Shape::own(128), files);
    // A buffer smaller than the data: the epoch takes several fillings.
    settings.buffer = 500;
    for neighbours in [0.0, 1.0] {
        settings.neighbours = neighbours;
        let path = |name: &str| folder.path().join(format!("{name} {neighbours}"));
        let (file, curve) = fit_in_pieces(&settings, &path("whole"), 1, u64::MAX);
        assert!(curve.len() >= 3);
        assert!(
            curve.last().unwrap().training < curve[0].training,
            "{curve:?}"
        );
        let again = fit_in_pieces(&settings, &path("again"), 2, u64::MAX);
        assert!(file == again.0 && curve == again.1);
        let pieces = fit_in_pieces(&settings, &path("pieces"), 1, 5);
        assert!(file == pieces.0);
        for name in ["curve.csv", "curve.svg", fit::CHECKPOINT] {
            let whole = std::fs::read(path("whole").join(name)).unwrap();
            assert!(
                whole == std::fs::read(path("pieces").join(name)).unwrap(),
                "{name}"
            );
        }
    }
}

#[test]
fn checkpoints_with_common_rows_and_without_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let files = data(&folder.path().join("games"), 12);
    let mut settings = quick(Shape::own(128), files);
    settings.epochs = 1;
    settings.neighbours = 0.5;
    fit_in_pieces(&settings, &folder.path().join("with"), 1, u64::MAX);
    let path = folder.path().join("with").join(fit::CHECKPOINT);
    let bytes = std::fs::read(&path).unwrap();
    assert!(checkpoint::parse(&path, &bytes).is_ok());
    for other in [&bytes[..bytes.len() - 4], &[&bytes[..], &[0; 4]].concat()] {
        assert!(checkpoint::parse(&path, other).is_err());
    }
    // Another run that begins there has none, nor have its own checkpoints.
    let (mut network, _, _) = checkpoint::load(&path).unwrap();
    network.forget_moments();
    settings.neighbours = 0.0;
    let out = folder.path().join("without");
    let from = Some((network, checkpoint::Place::default()));
    assert!(
        fit::run(&settings, from, &out, |_| false)
            .unwrap()
            .network
            .is_none()
    );
    let path = out.join(fit::CHECKPOINT);
    assert!(checkpoint::load(&path).is_ok());
    // Files from before there were any do not speak of them.
    let text = std::fs::read(&path).unwrap();
    let end = text.iter().position(|&byte| byte == b'\n').unwrap();
    let mut header: serde_json::Value = serde_json::from_slice(&text[..end]).unwrap();
    assert!(
        header
            .as_object_mut()
            .unwrap()
            .remove("common_rows")
            .is_some()
    );
    let kept = header["settings"].as_object_mut().unwrap();
    assert!(kept.remove("neighbours").is_some());
    let old = [header.to_string().as_bytes(), &text[end..]].concat();
    let (_, read, _) = checkpoint::parse(&path, &old).unwrap();
    assert_eq!(read, settings);
}

#[test]
fn fit_refuses_common_rows_where_there_can_be_none() {
    let folder = tempfile::tempdir().unwrap();
    let games = shard::encode(&some_games()).unwrap();
    std::fs::write(folder.path().join("a.shard"), games).unwrap();
    for (arguments, complaint) in [
        ("--neighbours=-1", "--neighbours must be 0 to 100, not -1"),
        ("--neighbours nan", "--neighbours must be 0 to 100, not NaN"),
        ("--neighbours inf", "--neighbours must be 0 to 100, not inf"),
        (
            "--neighbours 1 --architecture halfkp",
            "own architecture only",
        ),
    ] {
        let (success, said) = train(folder.path(), &format!("fit a.shard -o out {arguments}"));
        assert!(!success && said.contains(complaint), "{said}");
    }
}

#[test]
fn exported_integers_say_what_the_trained_network_says() {
    let folder = tempfile::tempdir().unwrap();
    let files = data(&folder.path().join("games"), 20);
    for (shape, power) in [
        (Shape::own(128), Power::FiveHalves),
        (Shape::HALFKP, Power::ThreeHalves),
    ] {
        let mut settings = quick(shape, files.clone());
        settings.epochs = 1;
        settings.power = power;
        let fitted = fit::run(&settings, None, folder.path(), |_| true).unwrap();
        let mut network = fitted.network.unwrap();
        let file = export::export(&network, "a test");
        let loaded = nnue::Network::from_bytes(&file).unwrap();
        assert!(loaded.description().contains("a test"));
        assert!(!fitted.validation.is_empty());
        let blend = settings.blend_at(1.0);
        let float = fit::mean_loss(&mut network, &settings, &fitted.validation)
            .unwrap()
            .unwrap();
        let check = export::check(&mut network, &file, &fitted.validation, blend)
            .unwrap()
            .unwrap();
        assert!(check.difference < 12.0, "{shape:?}: {check:?}");
        assert!(
            (check.loss - float).abs() < 0.02 * float,
            "{float} {check:?}"
        );
        // What was exported can be trained on: nothing but the rounding is lost.
        let again = import::import(&file);
        if shape == Shape::HALFKP {
            assert!(again.is_err());
        } else {
            assert!(export::export(&again.unwrap(), "a test") == file);
        }
    }
}

/// The trainer's rows and stacks are those that the engine's own format defines.
#[test]
fn trainer_and_engine_see_the_same_inputs() {
    let file = export::export(&fit::network::Network::new(Shape::own(128), 1), "");
    let parameters = nnue::embedded::Parameters::from_bytes(&file).unwrap();
    for game in some_games().iter().take(6) {
        let mut position = shard::start_position(&game.start).unwrap();
        for &mv in &game.moves {
            let placement = Placement::from(&position);
            let engine = nnue::Placement {
                squares: placement.board,
                hands: placement.hands,
            };
            for color in Color::ALL {
                let mut rows = [0; 40];
                Inputs::PieceSquare.active(&placement, color, &mut rows);
                let mut rows: Vec<usize> = rows
                    .iter()
                    .map(|&row| row as usize)
                    .filter(|&row| row < 2344)
                    .collect();
                let mut expected = parameters.active_inputs(&engine, color);
                rows.sort_unstable();
                expected.sort_unstable();
                assert_eq!(rows, expected);
            }
            assert_eq!(phase(&placement), parameters.stack_for(engine.phase()));
            position.do_move(mv);
        }
    }
}

/// The variations of some games, and what they are made of.
fn variations(
    folder: &Path,
    name: &str,
    nodes: u64,
    judge: impl Fn() -> Result<Box<dyn Judge>, GenerateError> + Sync,
) -> (u64, Result<Vec<PathBuf>, source::SourceError>) {
    let settings = variation::Settings {
        seed: 1,
        share: 0.5,
        copies: 2,
        nodes,
        evaluation: "test".to_owned(),
        tree: 0,
    };
    let target = folder.join(name);
    let games = [folder.join("a.shard"), folder.join("b.shard")];
    let written = vary(&games, &settings, &target, judge, |_, _, _| {}).unwrap();
    (written, source::files(&[target]))
}

fn all_bytes(files: &[PathBuf]) -> Vec<u8> {
    files
        .iter()
        .flat_map(|file| std::fs::read(file).unwrap())
        .collect()
}

#[test]
fn variations_carry_the_value_of_the_evaluation() {
    let folder = tempfile::tempdir().unwrap();
    let games = some_games();
    for name in ["a.shard", "b.shard"] {
        std::fs::write(folder.path().join(name), shard::encode(&games).unwrap()).unwrap();
    }
    let made = |name: &str| {
        variations(folder.path(), name, 0, || {
            Ok(Box::new(Static {
                evaluator: Evaluator::Handmade,
                correction: None,
            }))
        })
    };
    let (written, files) = made("static");
    let files = files.unwrap();
    assert_eq!(files.len(), 2);
    // Twice two variations of half the positions; those in check have no static value.
    let all = 2 * games
        .iter()
        .map(|game| game.moves.len() as u64)
        .sum::<u64>();
    assert!(
        written > all / 2 && written < all * 5 / 4,
        "{written} of {all}"
    );
    let mut seen = 0;
    for file in &files {
        source::read(file, |labelled, _| {
            let sfen = format!("{} {}", labelled.position.to_sfen(), labelled.ply);
            let position = Position::from_sfen(&sfen).expect("a legal position");
            assert!(!position.in_check());
            assert_eq!(
                evaluate(&position),
                Score(i32::from(labelled.score)),
                "{sfen}"
            );
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
    for name in ["a.shard", "b.shard"] {
        let bytes = shard::encode(&some_games()).unwrap();
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    // Whoever has a pawn more in hand expects more than the static value of 0 says.
    let ahead = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 1").unwrap();
    let found = Correction::fit(&[Placement::from(&ahead)], &[0], &[0.75]);
    assert!(found.in_hand(PieceType::Pawn) > 10.0);
    let (_, files) = variations(folder.path(), "corrected", 0, || {
        Ok(Box::new(Static {
            evaluator: Evaluator::Handmade,
            correction: Some((found.clone(), 3.0)),
        }))
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
    let run = |arguments: &str| {
        train(
            folder.path(),
            &format!("vary a.shard --by-hand -o {arguments}"),
        )
    };
    assert!(run("labels --copies 1 --nodes 20").0);
    for (arguments, complaint) in [
        ("out --corrected-by labels --nodes 10", "leave --nodes out"),
        (
            "out --corrected-by labels --factor nan",
            "--factor must be 0 to 100, not NaN",
        ),
        (
            "out --corrected-by labels --factor 1e9",
            "--factor must be 0 to 100",
        ),
        ("out --corrected-by none.psv", "none.psv"),
        (
            "out --corrected-by empty.psv",
            "there is no labelled position",
        ),
        ("out --factor 2", "--corrected-by"),
    ] {
        let (success, said) = run(arguments);
        assert!(!success && said.contains(complaint), "{arguments}: {said}");
    }
    let (success, said) = run("out --corrected-by labels --factor 2");
    assert!(
        success && said.contains("beyond the static value"),
        "{said}"
    );
    // The same goes on where it is; with another factor it is another set.
    assert!(run("out --corrected-by labels --factor 2 --threads 1").0);
    let (success, said) = run("out --corrected-by labels --factor 3");
    assert!(!success && said.contains("made otherwise"), "{said}");
}

#[test]
fn variations_valued_by_a_search_are_quiet() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.shard", "b.shard"] {
        std::fs::write(
            folder.path().join(name),
            shard::encode(&some_games()).unwrap(),
        )
        .unwrap();
    }
    let search = || -> Result<Box<dyn Judge>, GenerateError> {
        Ok(Box::new(Searched {
            quick: Greedy::default(),
            thorough: Greedy::default(),
            tree: Tree::default(),
        }))
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
    let other = variation::Settings {
        seed: 2,
        share: 0.5,
        copies: 2,
        nodes: 5,
        evaluation: "test".to_owned(),
        tree: 0,
    };
    let error = vary(
        &[folder.path().join("a.shard")],
        &other,
        &folder.path().join("searched"),
        search,
        |_, _, _| {},
    )
    .unwrap_err();
    assert!(error.to_string().contains("made otherwise"), "{error}");
}

#[test]
fn ends_of_lines_have_what_their_games_say() {
    let folder = tempfile::tempdir().unwrap();
    let games = some_games();
    let shards = ["a.shard", "b.shard"].map(|name| folder.path().join(name));
    for shard in &shards {
        std::fs::write(shard, shard::encode(&games[..3]).unwrap()).unwrap();
    }
    let search = Settings {
        nodes: 200,
        hash: 1,
        ..Settings::default()
    };
    let finder = || -> Result<_, GenerateError> {
        Ok(Finder {
            thinker: Searcher::new(&search, Evaluator::Handmade)?,
            evaluator: Evaluator::Handmade,
        })
    };
    let settings = leaf::Settings {
        nodes: 200,
        evaluation: "test".to_owned(),
    };
    let made = |name: &str, threads: usize| {
        let target = folder.path().join(name);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        pool.install(|| leaves(&shards, &settings, &target, finder, |_, _, _| {}))
            .map(|written| (written, source::files(&[target]).unwrap()))
    };
    let (written, files) = made("ends", 1).unwrap();
    let mut of_games = Vec::new();
    source::read(&shards[0], |labelled, _| of_games.push(labelled)).unwrap();
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
    std::fs::remove_file(&files[0]).unwrap();
    assert_eq!(all_bytes(&made("ends", 2).unwrap().1), bytes);
    let other = leaf::Settings {
        nodes: 300,
        ..settings.clone()
    };
    let target = folder.path().join("ends");
    let error = leaves(&shards, &other, &target, finder, |_, _, _| {}).unwrap_err();
    assert!(error.to_string().contains("made otherwise"), "{error}");
}

#[test]
fn trees_give_more_positions_and_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let games = some_games();
    let shards = ["a.shard", "b.shard"].map(|name| folder.path().join(name));
    for shard in &shards {
        std::fs::write(shard, shard::encode(&games[..3]).unwrap()).unwrap();
    }
    let search = Settings {
        nodes: 200,
        hash: 1,
        ..Settings::default()
    };
    let judge = || -> Result<Box<dyn Judge>, GenerateError> {
        Ok(Box::new(Searched {
            quick: Searcher::new(&search, Evaluator::Handmade)?,
            thorough: Searcher::new(&search, Evaluator::Handmade)?,
            tree: Tree::default(),
        }))
    };
    let made = |name: &str, tree: i32, threads: usize| {
        let settings = variation::Settings {
            seed: 1,
            share: 0.2,
            copies: 1,
            nodes: 200,
            evaluation: "test".to_owned(),
            tree,
        };
        let target = folder.path().join(name);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build()
            .unwrap()
            .install(|| vary(&shards, &settings, &target, judge, |_, _, _| {}))
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

#[test]
fn batches_keep_every_position_with_its_target() {
    let games = some_games();
    let mut records = Vec::new();
    let path = tempfile::tempdir().unwrap();
    let file = path.path().join("a.shard");
    std::fs::write(&file, shard::encode(&games).unwrap()).unwrap();
    source::read(&file, |labelled, _| {
        records.push(Psv::encode(&labelled).unwrap())
    })
    .unwrap();
    let batch = Batch::new(
        &records,
        &Shape::own(128),
        Blend {
            lambda: 0.0,
            scale: 400.0,
            power: Power::Two,
        },
    )
    .unwrap();
    assert_eq!(batch.len(), records.len());
    assert_eq!(batch.stack_sizes.iter().sum::<usize>(), records.len());
    for (index, &origin) in batch.origin.iter().enumerate() {
        let record = &records[origin as usize];
        let target = match record.result() {
            // A draw says nothing: there the score counts, whatever its weight.
            0 => expectation(f32::from(record.score()), 400.0),
            result => (f32::from(result) + 1.0) / 2.0,
        };
        assert_eq!(batch.targets[index], target);
    }
}

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
        (
            output.status.success(),
            String::from_utf8(output.stderr).unwrap(),
        )
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
    let expected = Parameters {
        description,
        ..read(Path::new(network))
    };
    assert_eq!(read(&mean), expected);
    let (success, said) = run(&[network, network, "--weights=-0.5,1.5"], "twice the same");
    assert!(success, "{said}");
    assert_eq!(read(&mean), expected);
    let (success, said) = run(&[network, "--centipawns", "123"], "twice the same");
    assert!(success, "{said}");
    let centipawns = 123;
    assert_eq!(
        read(&mean),
        Parameters {
            centipawns,
            ..expected
        }
    );
}

#[test]
fn judge_says_what_games_want_and_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let games = shard::encode(&some_games()).unwrap();
    for name in ["a.shard", "b.shard"] {
        std::fs::write(folder.path().join(name), &games).unwrap();
    }
    std::fs::write(folder.path().join("empty.psv"), b"").unwrap();
    let other = fit::network::Network::new(Shape::own(128), 1);
    std::fs::write(
        folder.path().join("other.nn"),
        export::export(&other, "a test"),
    )
    .unwrap();
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/eval/hagane.nn");
    std::fs::copy(shipped, folder.path().join("shipped.nn")).unwrap();
    let run = |arguments: &str| train(folder.path(), &format!("judge {arguments}"));
    for (arguments, complaint) in [
        ("other.nn none.nn --games a.shard", "none.nn"),
        ("none.nn other.nn --games a.shard", "none.nn"),
        ("other.nn other.nn --games none.shard", "none.shard"),
        ("other.nn other.nn --games empty.psv", "0 games"),
        (
            "other.nn other.nn --games a.shard --lambda 1.5",
            "--lambda must lie between 0 and 1",
        ),
        (
            "other.nn other.nn --games a.shard --foresight 1.5",
            "\"1.5\" is no number between 0 and 1",
        ),
    ] {
        let (success, said) = run(arguments);
        assert!(!success && said.contains(complaint), "{arguments}: {said}");
    }
    for lambda in [0.0, 1.0] {
        let (success, said) = run(&format!(
            "shipped.nn shipped.nn other.nn --games a.shard --lambda {lambda}"
        ));
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
        .filter_map(|line| {
            line.split_once(" positions of ")?
                .0
                .rsplit_once('(')?
                .1
                .parse()
                .ok()
        })
        .collect();
    let (all, phases) = each.split_first().unwrap();
    assert!(
        !phases.is_empty() && phases.iter().sum::<usize>() <= *all,
        "{said}"
    );
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
    assert!(
        second != 0.0 && (first + second - 1.0f64).abs() < 0.002,
        "{said}"
    );
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
    let rank =
        "rank a.shard -o ranked.jsonl --positions 20 --moves 3 --nodes 200 --largest-score 3000";
    let (success, said) = run(rank);
    assert!(
        success && said.contains("20 positions in ranked.jsonl"),
        "{said}"
    );
    let (success, said) = run("compare shipped.nn --ranked ranked.jsonl");
    assert!(success && said.contains(" moves of "), "{said}");
    let line = said
        .lines()
        .find(|line| line.ends_with("shipped.nn"))
        .unwrap();
    let within: f64 = line.split_whitespace().next().unwrap().parse().unwrap();
    // What a search of the same network says it says too, by and large.
    assert!((0.1..=1.0).contains(&within), "{said}");
    std::fs::write(folder.path().join("empty.jsonl"), "").unwrap();
    for (arguments, complaint) in [
        (format!("{rank} --by-hand").as_str(), "made otherwise"),
        ("rank none.shard -o new.jsonl", "none.shard"),
        (
            "rank a.shard -o none/new.jsonl --positions 1",
            "none/new.jsonl",
        ),
        ("compare shipped.nn --ranked none.jsonl", "none.jsonl"),
        ("compare shipped.nn --ranked a.shard", "a.shard"),
        (
            "compare shipped.nn --ranked empty.jsonl",
            "no ranked position",
        ),
        ("compare shipped.nn", "--labels"),
    ] {
        let (success, said) = run(arguments);
        assert!(!success && said.contains(complaint), "{arguments}: {said}");
    }
}
