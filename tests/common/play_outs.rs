//! Random games from even, handicap and endgame starts.

use hagane::platform::random::Random;
use hagane::position::Position;
use hagane::types::Move;

/// Even game, the usual handicaps, and endings with entered kings, full hands and bare kings.
pub const STARTS: &[&str] = &[
    Position::STARTPOS,
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 9p 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
    "+P+P+PK5/+P+PG1S4/1+B7/9/9/9/4p4/1+r3+pgs1/2+p+p1k1+p1 b RBG2S4N4L8P 1",
    "7lk/9/8S/9/9/9/9/7L1/8K b P 1",
    "4k4/9/9/9/9/9/9/9/4K4 w R2B4G4S4N4L18Pr 1",
];

/// Visits `count` positions of random games in turn from every start, each game up to 200 plies, with the move that is
/// going to be played (`None` where there is none).
pub fn visit(count: usize, seed: u64, mut visitor: impl FnMut(&Position, Option<Move>)) {
    let mut random = Random::new(seed);
    let mut visited = 0;
    for start in STARTS.iter().cycle() {
        let mut position = Position::from_sfen(start).unwrap();
        for _ in 0..200 {
            if visited == count {
                return;
            }
            visited += 1;
            let mv = position.random_move(&mut random);
            visitor(&position, mv);
            match mv {
                Some(mv) => position.do_move(mv),
                None => break,
            }
        }
    }
}
