//! Published perft figures.

use std::fmt;
use std::ops::Add;

use rayon::prelude::*;

use crate::position::{Generate, MoveList, Position, perft_divide};

/// The counts at one depth of one position; those that are not published are `None`.
pub(super) struct Figure {
    position: &'static str,
    sfen: &'static str,
    depth: u32,
    /// Leaves: lines of legal moves of that length, all non-promotions included.
    pub(super) nodes: u64,
    /// Captures, promotions, checks and mates among the last moves of those lines.
    kinds: [Option<u64>; 4],
}

/// Larger figures are verified in the long run only.
pub(super) const LONG: u64 = 60_000_000;

const KINDS: [&str; 4] = ["captures", "promotions", "checks", "mates"];

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "perft {} of {}: {}", self.depth, self.position, self.nodes)
    }
}

impl Figure {
    pub(super) fn prove(&self) -> Result<(), String> {
        let position = Position::from_sfen(self.sfen).map_err(|error| error.to_string())?;
        if self.kinds.iter().all(Option::is_none) {
            let nodes = perft_divide(&position, self.depth).iter().map(|(_, nodes)| nodes).sum();
            return agree("nodes", self.nodes, nodes);
        }
        let tally = count(&position, self.depth);
        agree("nodes", self.nodes, tally.nodes)?;
        for ((name, expected), found) in KINDS.into_iter().zip(self.kinds).zip(tally.kinds) {
            if let Some(expected) = expected {
                agree(name, expected, found)?;
            }
        }
        Ok(())
    }
}

fn agree(what: &str, expected: u64, found: u64) -> Result<(), String> {
    if expected == found { Ok(()) } else { Err(format!("{expected} {what} expected, {found} found")) }
}

#[derive(Clone, Copy, Default)]
struct Tally {
    nodes: u64,
    kinds: [u64; 4],
}

impl Add for Tally {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self.nodes += other.nodes;
        for (kind, other) in self.kinds.iter_mut().zip(other.kinds) {
            *kind += other;
        }
        self
    }
}

/// Leaves and their kinds, over all cores.
fn count(position: &Position, depth: u32) -> Tally {
    if depth <= 2 {
        return walk(&mut position.clone(), depth);
    }
    let moves = position.legal_moves();
    let below = |position: &mut Position, &mv: &_| {
        position.do_move(mv);
        let tally = walk(position, depth - 1);
        position.undo_move();
        tally
    };
    moves.par_iter().map_with(position.clone(), below).reduce(Tally::default, Tally::add)
}

fn walk(position: &mut Position, depth: u32) -> Tally {
    let mut tally = Tally::default();
    let mut list = MoveList::new();
    position.generate(Generate::LegalAll, &mut list);
    for &mv in &list {
        let (capture, promotion) = (position.is_capture(mv), mv.is_promotion());
        position.do_move(mv);
        tally = tally
            + if depth > 1 {
                walk(position, depth - 1)
            } else {
                let check = position.in_check();
                let mate = check && !position.has_legal_move();
                Tally { nodes: 1, kinds: [capture, promotion, check, mate].map(u64::from) }
            };
        position.undo_move();
    }
    tally
}

const START: (&str, &str) = ("the start", Position::STARTPOS);
const FESTIVAL: (&str, &str) =
    ("the festival", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1");
const MOST_MOVES: (&str, &str) = ("593 moves", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1");
const KNIGHT: (&str, &str) = ("the knight's edge", "7k1/9/9/9/l2s5/6snb/9/9/8K b 2G 1");
const PAWN_DROP: (&str, &str) = ("the pawn-drop mate", "7lk/9/8S/9/9/9/9/7L1/8K b P 1");
const DROPS: (&str, &str) = ("the bare kings", "9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1");

const fn figure((position, sfen): (&'static str, &'static str), depth: u32, nodes: u64) -> Figure {
    Figure { position, sfen, depth, nodes, kinds: [None; 4] }
}

const fn full(
    (position, sfen): (&'static str, &'static str),
    depth: u32,
    nodes: u64,
    kinds: [Option<u64>; 4],
) -> Figure {
    Figure { position, sfen, depth, nodes, kinds }
}

/// The published figures, in order of size.
///
/// Sources: the start and the festival position (指し手生成祭り) YaneuraOu's unit tests and several others; the start's and
/// the 593 moves' kinds from an article on qiita by ak11; the next two from the TalkChess thread on shogi perft
/// (t=71550); the bare kings from Peeper's table, whose other positions have three bishops, which no game has.
pub(super) static FIGURES: &[Figure] = &[
    figure(START, 1, 30),
    figure(KNIGHT, 1, 76),
    figure(PAWN_DROP, 1, 85),
    figure(FESTIVAL, 1, 207),
    figure(DROPS, 1, 524),
    full(MOST_MOVES, 1, 593, [None, Some(52), Some(40), Some(6)]),
    figure(PAWN_DROP, 2, 639),
    figure(START, 2, 900),
    figure(KNIGHT, 2, 2606),
    figure(PAWN_DROP, 3, 10_786),
    full(START, 3, 25_470, [Some(59), Some(30), Some(48), None]),
    figure(FESTIVAL, 2, 28_684),
    full(MOST_MOVES, 2, 105_677, [Some(538), Some(0), Some(3802), Some(0)]),
    figure(PAWN_DROP, 4, 167_089),
    figure(KNIGHT, 3, 201_658),
    figure(DROPS, 2, 248_257),
    full(START, 4, 719_731, [Some(1803), Some(842), Some(1121), None]),
    figure(FESTIVAL, 3, 4_809_015),
    figure(KNIGHT, 4, 6_768_869),
    full(START, 5, 19_861_490, [Some(113_680), Some(57_214), Some(71_434), None]),
    full(MOST_MOVES, 3, 53_393_368, [Some(197_899), Some(4_875_102), Some(3_493_971), Some(566_203)]),
    figure(DROPS, 3, 112_911_856),
    figure(FESTIVAL, 4, 516_925_165),
    full(START, 6, 547_581_517, [Some(3_387_051), Some(1_588_324), Some(1_730_177), None]),
    full(MOST_MOVES, 4, 9_342_410_965, [Some(60_043_133), Some(19_957_096), Some(335_329_926), None]),
    full(START, 7, 15_086_269_607, [Some(156_289_904), Some(78_496_954), Some(79_636_812), Some(29)]),
    figure(DROPS, 4, 50_852_853_772),
    full(START, 8, 416_062_133_009, [Some(4_713_670_699), Some(2_222_896_064), Some(2_047_229_304), Some(3420)]),
];
