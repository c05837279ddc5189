//! Several best lines in comments: no move twice, no stale line, and ShogiHome sees the best one.

use std::path::Path;
use std::process::Command;

use hagane::analysis::{EngineLine, Evaluation, read_engine_lines};
use hagane::position::Position;
use hagane::record::{Action, Document, Encoding, FileFormat, Handicap, NodeId, Record, Start};
use hagane::types::Color;

use super::{succeed, wander, write};

/// A game of random moves: many pieces hang, so that many best lines begin with a recapture.
fn game(seed: u64, plies: usize) -> String {
    let mut record = Record::new(Start::of(Handicap::Even));
    let mut at = NodeId::ROOT;
    for mv in wander(&mut Position::startpos(), plies, seed) {
        at = record.add(at, Action::Move(mv));
    }
    record.write(FileFormat::Kif).0
}

/// The analysed game, and the engine lines at each ply in the order of the file.
fn analysed(path: &Path) -> Vec<Vec<EngineLine>> {
    let document = Document::open(path).unwrap();
    let game = &document.games[0];
    game.main_line().into_iter().map(|id| read_engine_lines(game, id)).collect()
}

/// Larger is better for the side to move.
fn value(line: &EngineLine, turn: Color) -> i32 {
    let number = line.evaluation.map_or(0, Evaluation::number);
    if turn == Color::Black { number } else { -number }
}

#[test]
fn no_move_twice_no_stale_line_the_best_last() {
    let folder = tempfile::tempdir().unwrap();
    for (effort, count, mate) in [("--nodes", "900", "0"), ("--nodes", "4000", "10"), ("--depth", "5", "0")] {
        let path = write(folder.path(), &format!("{count}.kif"), &game(7, 40), Encoding::Utf8 { bom: false });
        succeed(&["--in-place", "--multipv", "3", effort, count, "--mate", mate, path.to_str().unwrap()]);
        for (ply, lines) in analysed(&path).iter().enumerate() {
            let turn = Color::ALL[ply % 2];
            let mut first_moves: Vec<_> = lines.iter().map(|line| line.pv[0]).collect();
            first_moves.sort_by_key(ToString::to_string);
            first_moves.dedup();
            assert_eq!(first_moves.len(), lines.len(), "ply {ply}: {lines:?}");
            let depths = lines.iter().filter_map(|line| line.depth);
            let (low, high) = (depths.clone().min().unwrap(), depths.max().unwrap());
            assert!(high - low <= 1, "ply {ply}: depths {low} to {high}");
            let best = lines.last().unwrap();
            // A search cut short plays a move that has just proved better than its last exact score.
            for line in lines.iter().filter(|line| effort == "--depth" && line.depth == best.depth) {
                assert!(value(best, turn) >= value(line, turn), "ply {ply}: {lines:?}");
            }
        }
    }
}

/// ShogiHome's own rules, with its own library (`npm install tsshogi`; `NODE_PATH` says where).
#[test]
fn shogihome_reads_the_best_line_and_every_move() {
    let node = |arguments: &[&str]| Command::new("node").args(arguments).output();
    if !node(&["-e", "require('tsshogi')"]).is_ok_and(|output| output.status.success()) {
        println!("skipped: node with tsshogi is not at hand");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> = (1..=3)
        .map(|seed| write(folder.path(), &format!("{seed}.kif"), &game(seed, 60), Encoding::Utf8 { bom: false }))
        .collect();
    succeed(&["--in-place", "--multipv", "3", "--nodes", "1500", "--mate", "10", folder.path().to_str().unwrap()]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/analysis/shogihome.cjs");
    let mut arguments = vec![script.to_str().unwrap()];
    arguments.extend(paths.iter().map(|path| path.to_str().unwrap()));
    let output = node(&arguments).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let files: Vec<Vec<serde_json::Value>> = serde_json::from_slice(&output.stdout).unwrap();
    let mut positions = 0;
    for (path, plies) in paths.iter().zip(&files) {
        for (lines, seen) in analysed(path).iter().zip(plies) {
            positions += 1;
            let best = lines.last().unwrap();
            match best.evaluation.unwrap() {
                Evaluation::Cp(cp) => {
                    assert_eq!(seen["score"], cp, "{}: {seen}", path.display());
                    assert!(seen["mate"].is_null(), "{}: {seen}", path.display());
                }
                Evaluation::Mate { winner, plies } => {
                    let plies = plies.unwrap_or(1000) as i32;
                    assert_eq!(seen["mate"], if winner == Color::Black { plies } else { -plies }, "{seen}");
                }
            }
            let words: Vec<Vec<String>> =
                lines.iter().map(|line| line.pv.iter().map(ToString::to_string).collect()).collect();
            assert_eq!(seen["lines"], serde_json::json!(words), "{}: {seen}", path.display());
            assert_eq!(seen["errors"], serde_json::json!([]), "{}", path.display());
        }
    }
    println!("ShogiHome reads {positions} positions as they are");
    assert!(positions > 100);
}
