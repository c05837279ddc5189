//! The values that the leading engine computes, exactly.

use std::path::{Path, PathBuf};

use hagane::nnue::{Accumulators, FvScale, Network};
use hagane::position::{Board, Position};

use crate::reference;

/// The known values: sfen, then one column per network.
struct Table {
    names: Vec<String>,
    rows: Vec<(String, Vec<i32>)>,
}

/// The file beside the repository if there is one, which has all positions, else the part of it that is committed.
fn table() -> Table {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let whole = root.join("../shared/data/nnue/expected.tsv");
    let path = if whole.exists() { whole } else { root.join("tests/data/nnue_expected.tsv") };
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let names = lines.next().unwrap().split('\t').skip(1).map(str::to_owned).collect();
    let rows: Vec<_> = lines
        .map(|line| {
            let (sfen, values) = line.split_once('\t').unwrap();
            let values = values.split('\t').map(|value| value.parse().unwrap()).collect();
            (sfen.to_owned(), values)
        })
        .collect();
    assert!(rows.len() >= 40, "{}", path.display());
    Table { names, rows }
}

/// Compares a network with a column: from nothing for every row, and with every instruction set where games can lead
/// there.
fn check(name: &str, bytes: &[u8], scale: FvScale) {
    let table = table();
    let Some(column) = table.names.iter().position(|column| column == name) else {
        println!("skipped: no values for {name} here");
        return;
    };
    let network = Network::from_bytes(bytes).unwrap().with_fv_scale(scale);
    for (sfen, values) in &table.rows {
        // Some of the positions are none that a game can lead to.
        let (board, _) = Board::from_sfen(sfen).unwrap();
        assert_eq!(network.evaluate_board(&board), values[column], "{name}: {sfen}");
    }
    let mut compared = 0;
    for simd in hagane::nnue::Simd::available() {
        let network = Network::from_bytes(bytes).unwrap().with_fv_scale(scale);
        let Some(network) = network.with_simd(simd) else {
            continue;
        };
        let mut accumulators = Accumulators::new(&network);
        for (sfen, values) in &table.rows {
            let Ok(position) = Position::from_sfen(sfen) else {
                continue;
            };
            accumulators.reset(&position);
            let value = network.evaluate(&position, &mut accumulators);
            assert_eq!(value, values[column], "{name} {}: {sfen}", simd.name());
            compared += 1;
        }
    }
    assert!(compared >= 40, "{compared} positions compared");
}

#[test]
fn k_p_256() {
    check("kp256", &reference::known("kp256").unwrap(), FvScale::Automatic);
}

#[test]
fn halfkp_256_at_two_scales() {
    let bytes = reference::known("halfkp256").unwrap();
    check("halfkp256", &bytes, FvScale::Automatic);
    check("halfkp256@24", &bytes, FvScale::Fixed(24));
}

#[test]
fn halfkp_1024_8_32() {
    check("halfkp1024_8_32", &reference::known("halfkp1024_8_32").unwrap(), FvScale::Automatic);
}

#[test]
fn sfnn_1536() {
    check("sfnn1536", &reference::known("sfnn1536").unwrap(), FvScale::Automatic);
}

/// A network file beside the repository.
fn foreign(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/nets").join(name);
    let there = path.exists();
    if !there {
        println!("skipped: {} is not there", path.display());
    }
    there.then_some(path)
}

#[test]
fn real_networks_where_present() {
    for (file, column) in [
        ("suishopetite.k-p-256x2-32-32.nn.bin", "suishopetite-kp@16"),
        ("yaneuraou20190115.k-p-256x2-32-32.nn.bin", "yaneuraou2019-kp@16"),
    ] {
        if let Some(path) = foreign(file) {
            check(column, &std::fs::read(path).unwrap(), FvScale::Fixed(16));
        }
    }
}

#[test]
fn the_known_scale_of_a_real_network_is_found() {
    if let Some(path) = foreign("suishopetite.k-p-256x2-32-32.nn.bin") {
        assert_eq!(Network::load(&path).unwrap().scale(), "FV_SCALE 24");
    }
}
