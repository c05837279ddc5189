//! Lengths without futile interpositions, see docs/futile-interpositions.md.

use std::sync::atomic::AtomicBool;

use hagane::mate::{FutileInterpositions, MateLength, MateSettings, MateVerdict, Solver};
use hagane::platform::random::Random;
use hagane::position::Position;

use crate::positions::distant;
use crate::referee::{CountedReferee, Referee};

pub fn counted_length(position: &Position, limit: u32) -> Option<u32> {
    CountedReferee::default().attack(&mut position.clone(), limit)
}

/// The length that the solver says for a problem by the customary convention.
pub fn solved_length(position: &Position, nodes: Option<u64>) -> Option<(usize, bool)> {
    solved_length_by(FutileInterpositions::default(), position, nodes)
}

/// The length that the solver says for a problem by a convention.
pub fn solved_length_by(
    futile: FutileInterpositions,
    position: &Position,
    nodes: Option<u64>,
) -> Option<(usize, bool)> {
    shown_length(MateLength::Exact, futile, position, nodes)
}

/// The length of the line that the solver shows, and whether it is proven to be the shortest.
fn shown_length(
    length: MateLength,
    futile: FutileInterpositions,
    position: &Position,
    nodes: Option<u64>,
) -> Option<(usize, bool)> {
    let settings = MateSettings { nodes, length, futile, ..MateSettings::default() };
    match Solver::new(64).solve(position, &settings, &AtomicBool::new(false), &mut |_| {}).verdict {
        MateVerdict::Mate(mate) => Some((mate.line.len(), mate.shortest)),
        _ => None,
    }
}

/// Compares counted lengths up to some plies with the referee's on random problems with distant sliders.
fn compare_counted(futile: FutileInterpositions, count: usize, limit: u32, seed: u64) {
    let mut random = Random::new(seed);
    let (mut mates, mut differ, mut undecided) = (0, 0, 0);
    for _ in 0..count {
        let position = distant(&mut random);
        let expected = CountedReferee::new(futile).attack(&mut position.clone(), limit);
        let found = solved_length_by(futile, &position, Some(300_000));
        let shown = shown_length(MateLength::First, futile, &position, Some(300_000));
        if let (Some(expected), Some((length, _))) = (expected, shown) {
            assert!(length >= expected as usize, "{length} for {expected} is shown: {}", position.to_sfen());
        }
        match (expected, found) {
            (Some(expected), Some((length, true))) => {
                assert_eq!(length, expected as usize, "{}", position.to_sfen());
                mates += 1;
                differ += usize::from(Referee::shortest(&position, limit) != Some(expected));
            }
            (None, Some((length, true))) => assert!(length > limit as usize, "{}", position.to_sfen()),
            (Some(_), None) => undecided += 1,
            (Some(expected), Some((length, false))) => {
                assert!(length >= expected as usize, "{}", position.to_sfen());
                undecided += 1;
            }
            _ => {}
        }
    }
    println!(
        "{futile:?}: {count} positions, {mates} mates, {differ} longer with futile interpositions, {undecided} undecided"
    );
    assert!(mates * 10 > count && differ * 100 > count && undecided * 50 < count);
}

#[test]
fn lengths_without_futile_interpositions_are_the_referees() {
    compare_counted(FutileInterpositions::Drops, 100, 3, 11);
    compare_counted(FutileInterpositions::Moves, 40, 3, 14);
    compare_counted(FutileInterpositions::Any, 40, 3, 15);
}

#[test]
#[ignore = "takes minutes"]
fn lengths_without_futile_interpositions_are_the_referees_on_4000_positions() {
    for futile in [FutileInterpositions::Drops, FutileInterpositions::Moves, FutileInterpositions::Any] {
        compare_counted(futile, 4000, 3, 12);
        compare_counted(futile, 250, 5, 13);
    }
}

/// Zuko 33 and Muso 11: what the table knows of their defences is far too long, and was once taken as it is.
#[test]
fn lines_of_two_classics_are_no_shorter_than_their_shortest_mates() {
    for (sfen, shortest) in [
        ("l8/1n7/np3B3/SR1+P5/k1N6/9/1Ps6/1N7/5+B3 b r4g2s3l15p 1", 17),
        ("1s2g4/Pk2p4/n1p1n4/BP1s5/2P1Ps3/1g2Br3/G8/2N6/1L7 b S3Prgn3l9p 1", 31),
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(solved_length(&position, None), Some((shortest, true)), "{sfen}");
        for length in [MateLength::First, MateLength::Short] {
            let shown = shown_length(length, FutileInterpositions::default(), &position, None);
            assert!(shown.is_some_and(|(plies, _)| plies >= shortest), "{length:?}: {shown:?} for {sfen}");
        }
    }
}

#[test]
fn drops_of_public_reports_are_judged_as_the_reporters_say() {
    // KomoringHeights, issue 8; shtsume, issues 14 to 16; tsumeshogi-solver, issue 20.
    for (sfen, plies) in [
        ("6p2/8k/9/6P2/8+P/9/9/9/8L b G2r2b3g4s4n3l15p 1", 11),
        ("7l1/7pk/9/9/8+P/9/9/9/8L b 2r2b4g4s4n2l16p 1", 1),
        ("3+R3nk/8p/7P1/9/9/9/9/9/8B b 16p4l3n4s4gbr 1", 1),
        ("3+R3sk/8p/7P1/9/9/9/9/9/8B b rb4g3s4n4l16p 1", 1),
        ("3+R3nk/9/5p1G1/9/9/9/8p/9/8L b 16p3l3n4s3g2br 1", 1),
        ("9/9/2+R6/9/4+p2n1/7G1/6pS1/5S3/7k1 b Lr2b3g2s3n3l16p 1", 5),
        ("9/9/6P2/9/4B4/9/6R2/7k+p/9 b Grb3g4s4n4l16p 1", 3),
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(solved_length(&position, None), Some((plies, true)), "{sfen}");
    }
    // Drops that draw the checker away count.
    for sfen in ["4k4/3P5/3+B5/3B5/9/9/9/9/9 b L2r4g4s4n3l17p 1", "4k4/9/3+B5/1N1B5/9/9/9/9/9 b L2r4g4s3n3l18p 1"] {
        let position = Position::from_sfen(sfen).unwrap();
        let length = solved_length(&position, Some(100_000));
        assert!(length.is_none_or(|(plies, _)| plies > 1), "{sfen}: {length:?}");
    }
}

#[test]
fn conventions_differ_where_moves_and_other_captors_are_futile() {
    use FutileInterpositions::{Any, Drops, Moves};
    for (sfen, plies) in [
        ("5b3/2+P2k3/8R/2s6/5P3/9/9/9/9 b GL 1", [5, 3, 3]),
        ("2B1b4/2k6/9/3+P5/1R1p5/9/9/9/9 b L 1", [5, 3, 3]),
        ("7+p1/4sk3/9/3L2+B2/4+P4/9/6L2/9/9 b L 1", [5, 5, 3]),
        ("9/5g3/5k3/4L3R/3B1+P3/7N1/9/9/9 b G 1", [7, 5, 5]),
        ("5+B3/B8/g1k6/9/1n3+P3/1G7/9/9/1R7 b G 1", [7, 5, 5]),
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        for (futile, plies) in [Drops, Moves, Any].into_iter().zip(plies) {
            assert_eq!(solved_length_by(futile, &position, None), Some((plies, true)), "{futile:?} {sfen}");
            let expected = CountedReferee::new(futile).attack(&mut position.clone(), plies as u32);
            assert_eq!(expected, Some(plies as u32), "{futile:?} {sfen}");
        }
    }
    // One solver may be asked by one convention after the other.
    let position = Position::from_sfen("5b3/2+P2k3/8R/2s6/5P3/9/9/9/9 b GL 1").unwrap();
    let mut solver = Solver::new(16);
    let lengths = [Any, Drops, Moves, Drops].map(|futile| {
        let settings = MateSettings { length: MateLength::Exact, futile, ..MateSettings::default() };
        match solver.solve(&position, &settings, &AtomicBool::new(false), &mut |_| {}).verdict {
            MateVerdict::Mate(mate) => mate.line.len(),
            other => panic!("{other:?}"),
        }
    });
    assert_eq!(lengths, [3, 5, 3, 5]);
}

#[test]
fn a_checker_further_off_mates_no_later() {
    // The drop beside the king counts; those further off only put the mate off.
    for (sfen, plies) in [
        ("8k/6+N2/9/9/9/9/8N/9/8L b S2r2b4g3s2n3l18p 1", 3),
        ("8k/6+N2/9/9/9/9/8N/8L/9 b S2r2b4g3s2n3l18p 1", 3),
        ("8k/R7+b/g5N2/1R7/9/9/9/9/9 b b3g4s3n4l18p 1", 11),
        ("8k/R7+b/g5N2/3R5/9/9/9/9/9 b b3g4s3n4l18p 1", 11),
        ("8k/R7+b/g5N2/5R3/9/9/9/9/9 b b3g4s3n4l18p 1", 11),
        ("8k/6+N2/9/9/9/8L/9/9/9 w S2r2b4g3s3n3l18p 1", 2),
        ("8k/6+N2/9/9/9/9/9/9/8L w S2r2b4g3s3n3l18p 1", 2),
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(solved_length(&position, None), Some((plies, true)), "{sfen}");
    }
}
