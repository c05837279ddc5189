//! Inference by architecture and instruction set, in nanoseconds: each step alone, then whole evaluations in a tree.
//!
//! `cargo bench --bench nnue`; an argument names the networks to measure (`cargo bench --bench nnue -- HalfKP`), and a
//! file (`-- file=nn.bin`) is measured too. Networks are made of random numbers: about half of their inputs to the
//! dense layers are not zero.

#[path = "../tests/nnue/reference.rs"]
mod reference;

use std::hint::black_box;
use std::time::Instant;

use hagane::nnue::{Accumulators, FeatureKind, Network, Simd};
use hagane::position::Position;
use hagane::types::Move;

use reference::{file, own, plain, sfnn};

const ROUNDS: usize = 7;
const MIDDLEGAME: &str = "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1";
const KINGS_OUT: &str = "ln1gg2nl/1r1s3b1/2pppp1pp/pp1k2p2/9/2P1K1P2/PP1PPP1PP/1B1S3R1/LN1GG1SNL b - 1";

/// The shortest of some runs, in nanoseconds per operation.
fn shortest(operations: usize, mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_nanos() as f64);
    }
    best / operations as f64
}

/// Quiet moves, captures and drops of both sides without king moves, and the walk's cost alone is subtracted.
fn update(network: &Network, position: &mut Position) -> f64 {
    let king =
        |position: &Position, mv: &Move| mv.from().is_some() && mv.from() == position.king(position.side_to_move());
    let mut accumulators = Accumulators::new(network);
    accumulators.reset(position);
    network.update(position, &mut accumulators);
    let moves: Vec<Move> = position.legal_moves().iter().copied().filter(|mv| !king(position, mv)).collect();
    let bare = shortest(moves.len() * 50, || {
        for mv in (0..50).flat_map(|_| &moves) {
            position.do_move(*mv);
            black_box(&position);
            position.undo_move();
        }
    });
    let with = shortest(moves.len() * 50, || {
        for mv in (0..50).flat_map(|_| &moves) {
            position.do_move_observed(*mv, &mut accumulators);
            network.update(position, &mut accumulators);
            position.undo_move();
            accumulators.pop();
        }
    });
    with - bare
}

/// The same for king moves alone: one perspective leaves its plane where the inputs have planes.
fn king_update(network: &Network, position: &mut Position) -> f64 {
    let mut accumulators = Accumulators::new(network);
    accumulators.reset(position);
    network.update(position, &mut accumulators);
    let king = position.king(position.side_to_move());
    let moves: Vec<Move> = position.legal_moves().iter().copied().filter(|mv| mv.from() == king).collect();
    let bare = shortest(moves.len() * 200, || {
        for mv in (0..200).flat_map(|_| &moves) {
            position.do_move(*mv);
            black_box(&position);
            position.undo_move();
        }
    });
    let with = shortest(moves.len() * 200, || {
        for mv in (0..200).flat_map(|_| &moves) {
            position.do_move_observed(*mv, &mut accumulators);
            network.update(position, &mut accumulators);
            position.undo_move();
            accumulators.pop();
        }
    });
    with - bare
}

/// Both perspectives from nothing.
fn refresh(network: &Network, position: &Position) -> f64 {
    let mut accumulators = Accumulators::new(network);
    let clear = shortest(100, || {
        for _ in 0..100 {
            accumulators.clear_cache(network);
            black_box(&accumulators);
        }
    });
    let both = shortest(100, || {
        for _ in 0..100 {
            accumulators.clear_cache(network);
            accumulators.reset(position);
            network.update(position, &mut accumulators);
        }
    });
    both - clear
}

fn propagate(network: &Network, position: &Position) -> f64 {
    let mut accumulators = Accumulators::new(network);
    accumulators.reset(position);
    network.update(position, &mut accumulators);
    shortest(2000, || {
        for _ in 0..2000 {
            black_box(network.propagate(position, &mut accumulators));
        }
    })
}

/// Every position two plies deep evaluated, moves made and taken back as a search does it; the walk's cost included.
fn tree(network: &Network, position: &mut Position) -> (f64, usize) {
    fn walk(network: &Network, position: &mut Position, accumulators: &mut Accumulators, depth: u32) -> usize {
        black_box(network.evaluate(position, accumulators));
        let mut count = 1;
        if depth > 0 {
            for &mv in position.legal_moves().iter() {
                position.do_move_observed(mv, accumulators);
                count += walk(network, position, accumulators, depth - 1);
                position.undo_move();
                accumulators.pop();
            }
        }
        count
    }
    let mut accumulators = Accumulators::new(network);
    accumulators.reset(position);
    let count = walk(network, position, &mut accumulators, 2);
    (
        shortest(count, || {
            black_box(walk(network, position, &mut accumulators, 2));
        }),
        count,
    )
}

fn measure(name: &str, load: impl Fn() -> Network) {
    for simd in Simd::available() {
        let Some(network) = load().with_simd(simd) else {
            continue;
        };
        let mut position = Position::from_sfen(MIDDLEGAME).expect("a valid SFEN");
        let mut kings = Position::from_sfen(KINGS_OUT).expect("a valid SFEN");
        let (whole, _) = tree(&network, &mut position);
        println!(
            "{name:34} {:13} {:8.0} {:8.0} {:8.0} {:9.0} {:8.0}",
            simd.name(),
            refresh(&network, &position),
            update(&network, &mut position),
            king_update(&network, &mut kings),
            propagate(&network, &position),
            whole,
        );
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let wanted = |name: &str| {
        arguments.is_empty() || arguments.iter().any(|word| name.to_lowercase().contains(&word.to_lowercase()))
    };
    println!("nanoseconds; 'tree' includes making moves and generating them");
    println!(
        "{:34} {:13} {:>8} {:>8} {:>8} {:>9} {:>8}",
        "network", "instructions", "refresh", "update", "king", "propagate", "tree"
    );
    for path in arguments.iter().filter_map(|word| word.strip_prefix("file=")) {
        let bytes = std::fs::read(path).expect("the file can be read");
        measure(path.rsplit('/').next().unwrap_or(path), || Network::from_bytes(&bytes).expect("a network"));
    }
    for l1 in [256, 512, 768] {
        let name = format!("Hagane {l1}-16-32, 8 stacks");
        if wanted(&name) {
            let parameters = own(l1, 16, 32, 1, &[2, 4, 7, 10, 14, 18, 22]);
            measure(&name, || Network::from_parameters(&parameters).expect("a network"));
        }
    }
    for architecture in [
        plain(FeatureKind::KP, 256, 32, 32),
        plain(FeatureKind::HalfKp, 256, 32, 32),
        plain(FeatureKind::HalfKp, 512, 8, 96),
        plain(FeatureKind::HalfKp, 1024, 8, 32),
        plain(FeatureKind::HalfKpE9, 256, 32, 32),
        sfnn(FeatureKind::HalfKaHm2, 1536, 15, 32, 9),
    ] {
        let name = architecture.to_string();
        if wanted(&name) {
            let layered = architecture.stacks > 1;
            let text = if layered { "SFNN-1536{LayerStack=9}" } else { "" };
            let bytes = file(&architecture, text, layered, false);
            measure(&name, || Network::from_bytes(&bytes).expect("a network"));
        }
    }
}
