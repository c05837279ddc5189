//! Shards, packed positions, and the records of other programs.

use std::path::{Path, PathBuf};

use hagane::platform::random::Random;
use hagane::position::Board;
use hagane::position::Position;
use hagane::position::packed::{Code, pack, unpack};
use hagane::training::data::convert::{Converted, convert};
use hagane::training::data::game::{Ending, Game};
use hagane::training::data::record::{Hcpe, Labelled, Psv};
use hagane::training::data::shard::{self, Shard, ShardError};
use hagane::training::data::{source, stats};

use super::some_games;

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
    assert!(matches!(read(b"PSV or whatever"), Err(ShardError::Foreign(_))));
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
            let placement = Board::from(&position);
            assert_eq!(placement.to_sfen(position.move_number()), position.to_sfen());
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
    for (name, own_moves) in [("psv_to_hcpe3_sample", false), ("psv_to_hcpe3_yaneuraou_sample", true)] {
        let psv = std::fs::read(folder.join(format!("{name}.psv"))).unwrap();
        let hcpe = std::fs::read(folder.join(format!("{name}.hcpe"))).unwrap();
        let (psv, rest) = psv.as_chunks::<{ Psv::SIZE }>();
        assert!(rest.is_empty() && !psv.is_empty());
        let (hcpe, rest) = hcpe.as_chunks::<{ Hcpe::SIZE }>();
        assert!(rest.is_empty());
        let decoded: Vec<Labelled> = psv.iter().map(|bytes| Psv(*bytes).decode().unwrap()).collect();
        for (labelled, bytes) in decoded.iter().zip(psv) {
            let sfen = labelled.position.to_sfen(labelled.ply.max(1).into());
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
            let simple = hagane::types::Color::ALL.into_iter().all(|color| labelled.position.held(color).count() < 2);
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
            assert_eq!((other.score, other.result), (labelled.score, labelled.result));
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
    let all = Converted { positions: positions as u64, left_out: 0 };
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
    assert_eq!(std::fs::read(path("b.psv")).unwrap(), std::fs::read(path("d.psv")).unwrap());

    let hcpe = convert(&[path("a.shard")], &path("e.hcpe")).unwrap();
    assert!(hcpe.left_out > 0 && hcpe.positions + hcpe.left_out == positions as u64, "{hcpe:?}");
    assert_eq!(convert(&[path("e.hcpe")], &path("f.psv")).unwrap().positions, hcpe.positions);

    let stats = stats::collect(&[path("a.shard")]).unwrap();
    assert_eq!((stats.games, stats.positions), (games.len() as u64, positions as u64));
    assert_eq!(stats.results.iter().sum::<u64>(), stats.positions);
    assert_eq!(stats.endings.iter().sum::<u64>(), stats.games);
    assert!(stats.handicap > 0, "{stats}");
    assert!(stats.entered[1] > 0 && stats.entered[1] < stats.positions, "{stats}");
    assert_eq!(stats.endings[Ending::Repetition as usize], count(&games, Ending::Repetition));
    assert!(stats.to_string().contains("handicap"));

    std::fs::write(path("g.psv"), [0; 45]).unwrap();
    let error = source::read(&path("g.psv"), |_, _| ()).unwrap_err().to_string();
    assert!(error.contains("45 bytes"), "{error}");
    assert!(convert(&[path("nothing.txt")], &path("h.psv")).is_err());
}

fn count(games: &[Game], ending: Ending) -> u64 {
    games.iter().filter(|game| game.ending == ending).count() as u64
}
