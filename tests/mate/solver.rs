//! The solver against the referee, and what it must never do.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use hagane::mate::{self, FutileInterpositions, MateLength, MateSettings, MateVerdict, Solver};
use hagane::platform::random::Random;
use hagane::position::{CheckInfo, Position};

use crate::positions::{game, problem};
use crate::proofs::{replay, walk};
use crate::referee::Referee;

pub fn solve(solver: &mut Solver, position: &Position, length: MateLength, nodes: u64) -> MateVerdict {
    let settings =
        MateSettings { nodes: Some(nodes), length, futile: FutileInterpositions::None, ..MateSettings::default() };
    solver.solve(position, &settings, &AtomicBool::new(false), &mut |_| {}).verdict
}

/// Compares one position; returns the length of its mate and how much of the proof was walked.
pub fn compare(position: &Position, limit: u32, nodes: u64) -> (Option<usize>, usize) {
    let expected = Referee::shortest(position, limit);
    assert_eq!(
        mate::one_ply(position, &CheckInfo::new(position)).is_some(),
        expected == Some(1),
        "{}",
        position.to_sfen()
    );
    let mut solver = Solver::new(16);
    match solve(&mut solver, position, MateLength::Exact, nodes) {
        MateVerdict::Mate(found) => {
            let length = found.line.len();
            replay(position, &found.line);
            match expected {
                Some(expected) if found.shortest => {
                    assert_eq!(length, expected as usize, "{}", position.to_sfen())
                }
                Some(expected) => assert!(length >= expected as usize, "{}", position.to_sfen()),
                None => assert!(length > limit as usize, "{}: {:?}", position.to_sfen(), found.line),
            }
            // The line of a mate that is not proven to be the shortest may be shorter than what the table has proven.
            let plies = if found.shortest { length as u16 } else { u16::MAX };
            let walked = walk(&solver, &mut position.clone(), plies, &mut HashSet::new());
            (Some(length), walked)
        }
        MateVerdict::NoMate => {
            assert_eq!(expected, None, "{}", position.to_sfen());
            (None, 0)
        }
        MateVerdict::Unknown => (None, 0),
    }
}

pub fn compare_many(count: usize, limit: u32, nodes: u64, seed: u64) {
    let mut random = Random::new(seed);
    let (mut mates, mut long, mut walked) = (0, 0, 0);
    for number in 0..count {
        let position = if number % 4 == 0 {
            game(&mut random)
        } else {
            loop {
                if let Some(position) = problem(&mut random) {
                    break position;
                }
            }
        };
        let (length, nodes) = compare(&position, limit, nodes);
        mates += usize::from(length.is_some());
        long += usize::from(length.is_some_and(|length| length > 3));
        walked += nodes;
    }
    println!("{count} positions, {mates} mates, {long} longer than 3 plies, {walked} positions of proofs walked");
    assert!(mates * 20 > count && long * 100 > count, "{mates} mates, {long} long");
}

#[test]
fn agrees_with_the_referee_and_every_proof_stands() {
    compare_many(60, 3, 30_000, 1);
}

#[test]
#[ignore = "takes minutes"]
fn agrees_with_the_referee_on_two_thousand_positions_up_to_seven_plies() {
    compare_many(2000, 7, 400_000, 2);
}

#[test]
fn no_mate_is_proven_where_there_is_none() {
    for sfen in [
        "lns3kn1/1r7/4pgs+R1/2pp1p3/pp2P4/2P1SP3/PPSP5/2GBG4/LN1K3N+l b BG3Pl3p 49",
        "9/7kp/R8/6P2/9/9/9/b8/9 b rb4g4s4n4l16p 1",
        "4k4/9/9/9/9/9/9/9/R8 b - 1",
        "4k4/9/9/4P4/9/9/9/9/9 b - 1",
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(solve(&mut Solver::new(64), &position, MateLength::First, 3_000_000), MateVerdict::NoMate, "{sfen}");
    }
}

#[test]
fn who_attacks_follows_from_the_kings_and_the_check() {
    let verdict = |sfen: &str| {
        let position = Position::from_sfen(sfen).unwrap();
        solve(&mut Solver::new(16), &position, MateLength::Exact, 100_000)
    };
    // White, in check by a side without a king, defends: one move later it is mated.
    match verdict("7k1/9/7GP/9/9/9/9/9/9 b G 1") {
        MateVerdict::Mate(mate) => assert_eq!(mate.line.len(), 1),
        other => panic!("{other:?}"),
    }
    match verdict("7k1/7G1/7P1/9/9/9/9/9/9 w - 1") {
        MateVerdict::Mate(mate) => assert!(mate.line.is_empty() && mate.shortest),
        other => panic!("{other:?}"),
    }
    match verdict("8k/9/7GP/9/9/8L/9/9/9 w G 1") {
        MateVerdict::NoMate => {}
        other => panic!("nobody is in check and Black has no king: {other:?}"),
    }
    // The attacker is in check itself and must answer by a check.
    let position = Position::from_sfen("3r1k3/9/3K1G3/9/9/9/9/9/9 b G 1").unwrap();
    assert!(position.in_check());
    compare(&position, 5, 10_000);
}

#[test]
fn several_threads_find_the_same() {
    let mut random = Random::new(5);
    let mut mates = 0;
    while mates < 3 {
        let Some(position) = problem(&mut random) else {
            continue;
        };
        let one = solve(&mut Solver::new(16), &position, MateLength::Exact, 20_000);
        let settings = MateSettings {
            nodes: Some(40_000),
            length: MateLength::Exact,
            threads: 3,
            futile: FutileInterpositions::None,
            ..MateSettings::default()
        };
        let three = Solver::new(16).solve(&position, &settings, &AtomicBool::new(false), &mut |_| {}).verdict;
        match (one, three) {
            (MateVerdict::Mate(one), MateVerdict::Mate(three)) => {
                replay(&position, &three.line);
                if one.shortest && three.shortest {
                    assert_eq!(one.line.len(), three.line.len(), "{}", position.to_sfen());
                }
                mates += 1;
            }
            (MateVerdict::Mate(_), MateVerdict::NoMate) | (MateVerdict::NoMate, MateVerdict::Mate(_)) => {
                panic!("threads disagree on {}", position.to_sfen())
            }
            _ => {}
        }
    }
}

#[test]
fn a_stop_ends_the_search_within_milliseconds() {
    use std::sync::atomic::Ordering;
    use std::time::{Duration, Instant};
    // A problem of more than a thousand plies, far beyond the time given.
    let position = Position::from_sfen(
        "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1",
    )
    .unwrap();
    let stop = AtomicBool::new(false);
    let mut reports = 0;
    let (verdict, late) = std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            let solution = Solver::new(64).solve(&position, &MateSettings::default(), &stop, &mut |_| reports += 1);
            (solution.verdict, Instant::now())
        });
        std::thread::sleep(Duration::from_millis(600));
        let asked = Instant::now();
        stop.store(true, Ordering::Relaxed);
        let (verdict, ended) = search.join().unwrap();
        (verdict, ended.saturating_duration_since(asked))
    });
    assert_eq!(verdict, MateVerdict::Unknown);
    assert!(late < Duration::from_millis(200), "{late:?}");
    assert!(reports >= 1);
}
