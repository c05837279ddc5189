//! Random games: the accumulators that follow the moves give the value that is computed from nothing.

use hagane::nnue::{Accumulators, FeatureKind, Network, Simd};
use hagane::platform::random::Random;
use hagane::position::{Board, Position};

use crate::reference::{self, file, plain, sfnn};

const STARTS: [&str; 4] = [
    Position::STARTPOS,
    // Handicaps: pieces are missing.
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    // An endgame with full hands and the kings in the open.
    "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
    // Kings about to enter, few pieces.
    "4K4/9/3g1g3/9/9/9/3G1G3/9/4k4 b RBrb4s4n4l18p 1",
];

/// Plays games, takes moves back at random, passes now and then, and compares at some of the positions, so that several
/// moves wait to be added up.
fn follow(network: &Network, games: usize) -> usize {
    let mut random = Random::new(7);
    let mut accumulators = Accumulators::new(network);
    let mut compared = 0;
    for game in 0..games {
        let mut position = Position::from_sfen(STARTS[game % STARTS.len()]).unwrap();
        accumulators.reset(&position);
        for _ in 0..120 {
            let Some(any) = position.random_move(&mut random) else {
                break;
            };
            // King moves are what caches are for: make them common.
            let king = position.king(position.side_to_move());
            let mut kings = position.legal_moves().to_vec();
            kings.retain(|mv| mv.from().is_some() && mv.from() == king);
            let mv = match kings[..] {
                [] => any,
                _ if random.below(4) > 0 => any,
                _ => kings[random.below(kings.len())],
            };
            position.do_move_observed(mv, &mut accumulators);
            if position.game_length() > 1 && random.below(6) == 0 {
                let back = 1 + random.below(3.min(position.game_length()));
                for _ in 0..back {
                    position.undo_move();
                    accumulators.pop();
                }
            }
            if random.below(3) > 0 {
                compare(network, &position, &mut accumulators);
                compared += 1;
            }
            if random.below(8) == 0 && !position.in_check() {
                position.do_null_move();
                compare(network, &position, &mut accumulators);
                position.undo_null_move();
            }
        }
    }
    compared
}

fn compare(network: &Network, position: &Position, accumulators: &mut Accumulators) {
    let expected = network.evaluate_board(&Board::from(position));
    assert_eq!(
        network.evaluate(position, accumulators),
        expected,
        "{} {}: {}",
        network.architecture(),
        network.simd().name(),
        position.to_sfen()
    );
}

/// Follows games with every instruction set that suits the network.
fn follow_all(load: impl Fn() -> Network) {
    let mut sets = 0;
    for simd in Simd::available() {
        if let Some(network) = load().with_simd(simd) {
            assert!(follow(&network, 8) > 200);
            sets += 1;
        }
    }
    assert!(sets > 0, "{}", load().architecture());
}

#[test]
fn every_plain_architecture() {
    for features in FeatureKind::NN_BIN {
        let bytes = file(&plain(features, 32, 8, 32), "", false, false);
        follow_all(|| {
            let network = Network::from_bytes(&bytes).unwrap();
            assert_eq!(network.architecture(), plain(features, 32, 8, 32));
            network
        });
    }
}

#[test]
fn widths_and_layers() {
    for (l1, h1, h2) in [(256, 32, 32), (512, 16, 32), (512, 8, 96), (768, 16, 64), (1024, 8, 64)] {
        let bytes = file(&plain(FeatureKind::KP, l1, h1, h2), "", false, false);
        follow_all(|| {
            let network = Network::from_bytes(&bytes).unwrap();
            assert_eq!(network.architecture(), plain(FeatureKind::KP, l1, h1, h2));
            network
        });
    }
}

#[test]
fn sfnn_with_every_rule() {
    use FeatureKind::*;
    for (features, l1, h1, h2, stacks, rule, progress) in [
        (HalfKaHm2, 64, 15, 32, 9, "k3k3", false),
        (KP, 128, 7, 64, 81, "k9k9", false),
        (KP, 128, 16, 32, 81, "k9k9z", false),
        (KP, 64, 8, 32, 169, "k13k13z", false),
        (KP, 64, 8, 32, 441, "k21k21", false),
        (KP, 64, 8, 32, 841, "k29k29", false),
        (KP, 64, 15, 32, 4, "hand4", false),
        (KP, 64, 15, 32, 16, "hand16", false),
        (KP, 64, 15, 32, 64, "hand64", false),
        (KP, 64, 15, 32, 64 * 81, "hand64z k9k9z", false),
        (KP, 64, 15, 32, 256, "hand256", false),
        (KP, 64, 15, 32, 1024, "hand1024", false),
        (KP, 256, 7, 64, 8, "progress8", true),
        (KA2, 256, 31, 32, 9 * 8, "k3k3 progress8", true),
    ] {
        let architecture = sfnn(features, l1, h1, h2, stacks);
        let name = rule.to_uppercase().replace(' ', "_");
        let text = format!("Network=SFNN_X_{l1}_{h1}_{h2}_{name}{{LayerStack={stacks}}}");
        let bytes = file(&architecture, &text, true, progress);
        follow_all(|| {
            let network = Network::from_bytes(&bytes).unwrap();
            assert_eq!(network.architecture(), architecture, "{rule}");
            assert_eq!(network.bucket_rule(), rule);
            network
        });
    }
}

#[test]
fn own_networks_of_every_width() {
    for (l1, zones, thresholds) in [
        (64, 1, &[][..]),
        (128, 1, &[2, 4, 7, 10, 14, 18, 22]),
        (256, 4, &[5]),
        (384, 1, &[2, 4, 7, 10, 14, 18, 22]),
        (512, 1, &[2, 4, 7, 10, 14, 18, 22]),
        (768, 2, &[2, 4, 7, 10, 14, 18, 22]),
    ] {
        let parameters = reference::own(l1, 16, 32, zones, thresholds);
        let bytes = parameters.to_bytes();
        follow_all(|| Network::from_bytes(&bytes).unwrap());
    }
}

/// The accumulators of one network serve another one from then on.
#[test]
fn accumulators_notice_another_network() {
    let [small, large] = [64, 128].map(|l1| Network::from_parameters(&reference::own(l1, 16, 32, 1, &[])).unwrap());
    let mut position = Position::startpos();
    let mut accumulators = Accumulators::new(&small);
    accumulators.reset(&position);
    position.do_move_observed(position.legal_moves()[0], &mut accumulators);
    compare(&small, &position, &mut accumulators);
    compare(&large, &position, &mut accumulators);
    position.undo_move();
    accumulators.pop();
    compare(&large, &position, &mut accumulators);
}
