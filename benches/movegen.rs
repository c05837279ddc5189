//! Move generation against the crate haitaka: perft in turns in one run, so that the machine cancels out.
//!
//! `cargo bench --bench movegen`, or with `RUSTFLAGS="-C target-cpu=native"` for both sides built for this processor.
//! haitaka is used the fast way: the last ply is counted from its sets of destinations, as ours is.

use std::time::{Duration, Instant};

use hagane::position::{Position, perft};
use haitaka::Board;

/// Name, SFEN, depth.
const POSITIONS: [(&str, &str, u32); 2] =
    [("startpos", Position::STARTPOS, 6), ("593 moves", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 3)];

const ROUNDS: usize = 5;

fn haitaka_count(board: &Board) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        nodes += moves.into_iter().len() as u64;
        false
    });
    nodes
}

fn haitaka_perft(board: &Board, depth: u32) -> u64 {
    if depth == 1 {
        return haitaka_count(board);
    }
    let mut nodes = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += haitaka_perft(&child, depth - 1);
        }
        false
    });
    nodes
}

fn time(mut run: impl FnMut() -> u64) -> (u64, Duration) {
    let start = Instant::now();
    let nodes = run();
    (nodes, start.elapsed())
}

fn main() {
    for (name, sfen, depth) in POSITIONS {
        let mut position = Position::from_sfen(sfen).expect("a valid SFEN");
        let board: Board = sfen.parse().expect("a valid SFEN");
        let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
        let mut ratios = Vec::new();
        let mut nodes = 0;
        for _ in 0..ROUNDS {
            let (count, a) = time(|| perft(&mut position, depth));
            let (reference, b) = time(|| haitaka_perft(&board, depth));
            assert_eq!(count, reference, "{name}: the counts differ");
            nodes = count;
            ratios.push(b.as_secs_f64() / a.as_secs_f64());
            ours = ours.min(a);
            theirs = theirs.min(b);
        }
        ratios.sort_by(f64::total_cmp);
        let speed = |time: Duration| nodes as f64 / time.as_secs_f64() / 1e6;
        println!(
            "{name} depth {depth}: hagane {:.1} Mnodes/s, haitaka {:.1} Mnodes/s, ratio {:.2} (median of {ROUNDS}; {:.2} .. {:.2})",
            speed(ours),
            speed(theirs),
            ratios[ROUNDS / 2],
            ratios[0],
            ratios[ROUNDS - 1],
        );
    }
}
