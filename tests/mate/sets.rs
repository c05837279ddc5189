//! Problem sets beside the checkout; skipped where they are absent.

use std::collections::HashSet;

use hagane::mate::{self, MateLength, MateVerdict, Solver};
use hagane::position::{CheckInfo, Position};

use crate::counted::{counted_length, solved_length};
use crate::proofs::{WALK, replay, walk};
use crate::referee::Referee;
use crate::solver::solve;

/// The problems of a file beside the checkout, and how many of its lines are no legal position; `None` where there is
/// no such file.
fn problem_set(name: &str) -> Option<(Vec<Position>, usize)> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/tsume").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: there is no {}", path.display());
        return None;
    };
    let mut illegal = 0;
    let positions = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| {
            let sfen = line.split(['\t']).next()?.split(" moves").next()?;
            let position = Position::from_sfen(sfen.trim_start_matches("sfen ").trim()).ok();
            illegal += usize::from(position.is_none());
            position
        })
        .collect();
    Some((positions, illegal))
}

#[test]
#[ignore = "takes minutes"]
fn the_problem_sets_have_the_lengths_that_they_state() {
    for stated in [1, 3, 5, 7, 9, 11] {
        for kind in ["game", "composed"] {
            let name = format!("{kind}_mate{stated}.sfen");
            let Some((positions, illegal)) = problem_set(&name) else {
                continue;
            };
            let mut shorter = 0;
            for position in &positions {
                let verdict = solve(&mut Solver::new(256), position, MateLength::Exact, 10_000_000);
                let MateVerdict::Mate(found) = verdict else {
                    panic!("{name}: {verdict:?} of {}", position.to_sfen());
                };
                replay(position, &found.line);
                assert!(found.shortest, "{name}: {}", position.to_sfen());
                if found.line.len() != stated {
                    // Who is wrong? The referee decides.
                    let expected = Referee::shortest(position, stated as u32);
                    assert_eq!(expected, Some(found.line.len() as u32));
                    println!("{name}: mate in {} {}", found.line.len(), position.to_sfen());
                    shorter += 1;
                }
            }
            println!(
                "{name}: {} problems, {shorter} shorter than stated, {illegal} illegal positions left out",
                positions.len()
            );
        }
    }
    if let Some((positions, _)) = problem_set("no_mate1.sfen") {
        for position in &positions {
            assert_eq!(mate::one_ply(position, &CheckInfo::new(position)), None, "{}", position.to_sfen());
        }
        println!("no_mate1.sfen: {} positions", positions.len());
    }
}

#[test]
#[ignore = "takes minutes"]
fn counted_lengths_of_the_problem_sets_are_the_referees() {
    for (stated, count) in [(1, 200), (3, 200), (5, 40)] {
        for kind in ["game", "composed"] {
            let name = format!("{kind}_mate{stated}.sfen");
            let Some((positions, _)) = problem_set(&name) else {
                continue;
            };
            let mut shorter = 0;
            for position in positions.iter().take(count) {
                let expected = counted_length(position, stated as u32).map(|plies| (plies as usize, true));
                assert_eq!(solved_length(position, None), expected, "{name}: {}", position.to_sfen());
                shorter += usize::from(expected.is_some_and(|(plies, _)| plies < stated));
            }
            println!("{name}: {shorter} of {} shorter without futile interpositions", positions.len().min(count));
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn the_proofs_of_the_classics_stand() {
    // The walk goes as deep as the mate.
    let walks = || {
        let (mut whole, mut parts, mut total) = (0, 0, 0);
        let (positions, _) = problem_set("classics_muso_zuko_odd.tsv").unwrap_or_default();
        for position in &positions {
            let mut solver = Solver::new(256);
            let verdict = solve(&mut solver, position, MateLength::First, 500_000);
            let MateVerdict::Mate(found) = verdict else {
                continue;
            };
            replay(position, &found.line);
            let mut seen = HashSet::new();
            total += walk(&solver, &mut position.clone(), 5000, &mut seen);
            if seen.len() < WALK {
                whole += 1;
            } else {
                parts += 1;
            }
        }
        println!("{whole} proofs walked whole, {parts} in part, {total} attacker's positions");
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1 << 30);
        thread.spawn_scoped(scope, walks).unwrap().join().unwrap();
    });
}

#[test]
#[ignore = "takes minutes and gigabytes"]
fn the_size_of_the_table_changes_no_verdict() {
    let (mut mates, mut unknown) = (0, 0);
    for name in ["classics_muso_zuko_odd.tsv", "game_mate9.sfen", "game_mate11.sfen"] {
        let Some((positions, _)) = problem_set(name) else {
            continue;
        };
        for position in positions.iter().take(100) {
            let verdicts = [16, 256, 4096].map(|megabytes| {
                match solve(&mut Solver::new(megabytes), position, MateLength::First, 1_000_000) {
                    MateVerdict::Mate(found) => {
                        replay(position, &found.line);
                        mates += 1;
                        Some(true)
                    }
                    MateVerdict::NoMate => Some(false),
                    MateVerdict::Unknown => {
                        unknown += 1;
                        None
                    }
                }
            });
            let known: HashSet<bool> = verdicts.into_iter().flatten().collect();
            assert!(known.len() < 2, "{verdicts:?} of {}", position.to_sfen());
        }
    }
    println!("{mates} mates, {unknown} unknown, over three sizes");
}
