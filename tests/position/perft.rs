//! Published perft figures. The deeper ones are walked by `hagane selftest --long`.

use hagane::position::{Position, perft};

/// SFEN, and the figures of depth 1, 2, ...; the sources agree on fully legal moves with all non-promotions.
///
/// The start position and the "festival" position: YaneuraOu's unit tests and several others; 593 moves: nine engines;
/// the rest: the TalkChess thread on shogi perft (t=71550) and Peeper's table (without its positions of three bishops).
const FIGURES: &[(&str, &[u64])] = &[
    (Position::STARTPOS, &[30, 900, 25470, 719_731, 19_861_490]),
    ("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1", &[207, 28684, 4_809_015]),
    ("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", &[593, 105_677, 53_393_368]),
    ("7k1/9/9/9/l2s5/6snb/9/9/8K b 2G 1", &[76, 2606, 201_658, 6_768_869]),
    ("7lk/9/8S/9/9/9/9/7L1/8K b P 1", &[85, 639, 10786, 167_089]),
    ("9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1", &[524, 248_257]),
];

#[test]
fn published_figures() {
    for (sfen, figures) in FIGURES {
        let mut position = Position::from_sfen(sfen).unwrap();
        for (depth, &nodes) in (1..).zip(*figures) {
            assert_eq!(perft(&mut position, depth), nodes, "{sfen} depth {depth}");
        }
    }
}
