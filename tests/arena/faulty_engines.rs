//! Faulty engines: each fault is counted for the right engine, and no process is left behind.

use hagane::arena::{FaultKind, GameResult, MatchSummary, Reason, StopReason};

use super::{assert_gone, play, stub};

/// A match of four games, `bad` with the given arguments against a good engine. The time limits allow for a busy
/// machine, which may delay the good engine, too; only one that is to be mute is waited for briefly.
fn against(arguments: &str, settings: &str) -> (MatchSummary, Vec<GameResult>) {
    // Marks the processes of this match.
    let mark = format!("mark-{:?}", std::thread::current().id()).replace(['(', ')'], "");
    let text = format!(
        "games = 4\nmax-moves = 40\n{}[each]\nmovetime = 0.2\nmargin = 1.5\nstop-timeout = 1\nquit-timeout = 1\n{}{}{}",
        settings,
        stub("good", &format!("{mark} sleep=2")),
        stub("bad", &format!("{mark} {arguments}")),
        if arguments.starts_with("mute") { "usi-timeout = 1.5\nready-timeout = 1.5\n" } else { "" }
    );
    let played = play(&text);
    assert_gone(&mark);
    played
}

fn faults(summary: &MatchSummary, kind: FaultKind) -> u32 {
    assert_eq!(summary.tally.fault_count(Some(0)), 0, "the good engine is blamed");
    summary.tally.faults.get(&(1, kind)).map_or(0, |(count, _)| *count)
}

fn only_fault(summary: &MatchSummary, kind: FaultKind) -> u32 {
    assert_eq!(summary.tally.fault_count(None), faults(summary, kind), "{:?}", summary.tally.faults);
    faults(summary, kind)
}

/// The bad engine lost every game for one reason; a new process is started for each.
fn loses_all(arguments: &str, kind: FaultKind, reason: Reason) -> MatchSummary {
    let (summary, results) = against(arguments, "");
    assert_eq!(summary.stop, StopReason::Complete);
    assert_eq!(only_fault(&summary, kind), 4);
    assert_eq!(summary.tally.total(0).wins, 4);
    assert_eq!(summary.tally.main().1, [0, 0, 0, 0, 2]);
    assert!(results.iter().all(|result| result.reason == reason), "{results:?}");
    summary
}

/// The bad engine lost the first game for one reason; the same process plays the others.
fn loses_once(arguments: &str, kind: FaultKind, reason: Reason) -> GameResult {
    let (summary, results) = against(arguments, "");
    assert_eq!(summary.stop, StopReason::Complete);
    assert_eq!(only_fault(&summary, kind), 1);
    assert_eq!(summary.tally.total(1).games(), 4);
    assert_eq!(results[0].reason, reason);
    assert_eq!(results[0].winner.half_points(hagane::types::Color::Black), 2);
    assert!(results[1..].iter().all(|result| result.faults.is_empty()));
    results[0].clone()
}

#[test]
fn crashes_at_its_third_move() {
    let summary = loses_all("crash@3", FaultKind::Crash, Reason::Crash);
    let (_, detail) = &summary.tally.faults[&(1, FaultKind::Crash)];
    // An abort in the words of Unix, and of Windows.
    assert!(["signal: 6", "exit code: 0xc0000409"].iter().any(|words| detail.contains(words)), "{detail}");
    assert!(detail.contains("as ordered, I crash"), "{detail}");
    // Games of five or six moves: the crash comes at the third.
    assert_eq!(summary.tally.plies, 5 + 4 + 5 + 4);
}

#[test]
fn crashes_between_games() {
    let (summary, results) = against("crash-after-game", "");
    // After the last game it is not used again.
    assert_eq!(only_fault(&summary, FaultKind::Crash), 3);
    assert!(results.iter().all(|result| result.reason == Reason::MoveLimit));
}

#[test]
fn silent_at_usi() {
    let (summary, results) = against("mute=usi", "");
    assert_eq!(summary.stop, StopReason::Withdrawn(vec![1]));
    assert_eq!((results.len(), only_fault(&summary, FaultKind::NoUsiok)), (3, 3));
    assert!(results.iter().all(|result| result.reason == Reason::NoStart));
}

#[test]
fn silent_at_isready() {
    let (summary, results) = against("mute=isready", "start-failures = 2\n");
    assert_eq!(summary.stop, StopReason::Withdrawn(vec![1]));
    assert_eq!((results.len(), only_fault(&summary, FaultKind::NoReadyok)), (2, 2));
}

#[test]
fn ends_before_usiok() {
    let (summary, _) = against("exit-early", "");
    assert_eq!(summary.stop, StopReason::Withdrawn(vec![1]));
    assert_eq!(only_fault(&summary, FaultKind::Crash), 3);
    let (_, detail) = &summary.tally.faults[&(1, FaultKind::Crash)];
    assert!(["exit status: 7", "exit code: 7"].iter().any(|words| detail.contains(words)), "{detail}");
}

#[test]
fn a_program_that_is_none() {
    let config: hagane::arena::MatchConfig = toml::from_str(
        "[each]\nnodes = 1\n[[engine]]\nname = 'x'\npath = '/nonexistent/engine'\n[[engine]]\nname = 'y'\npath = '/'\n",
    )
    .unwrap();
    let interrupt = hagane::client::Interrupt::never();
    let error = hagane::arena::run(&config.build().unwrap(), &interrupt, &mut |_| {});
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("engine x cannot be started: /nonexistent/engine"), "{error}");
}

#[test]
fn never_answers_go() {
    loses_all("hang@2", FaultKind::Hang, Reason::Hang);
}

#[test]
fn answers_too_late() {
    let result = loses_once("late=2200@2", FaultKind::Late, Reason::Time);
    assert!(result.detail.contains("0.200 s allowed"), "{}", result.detail);
    assert!(result.efforts[1].latest > 1.95, "{result:?}");
}

#[test]
fn floods_its_output() {
    loses_all("flood@2", FaultKind::Flood, Reason::Flood);
}

#[test]
fn stops_in_the_middle_of_a_line() {
    loses_all("half@2", FaultKind::Hang, Reason::Hang);
}

#[test]
fn ends_in_the_middle_of_a_line() {
    loses_all("half-exit@2", FaultKind::Crash, Reason::Crash);
}

#[test]
fn answers_twice() {
    let (summary, results) = against("twice", "");
    assert_eq!(only_fault(&summary, FaultKind::StrayBestmove), 4);
    // Every second answer in 4 games of 20 moves is counted, and none disturbs a game.
    let strays: u32 = results
        .iter()
        .flat_map(|result| &result.faults)
        .map(|blame| blame.detail.split(' ').next().unwrap().parse::<u32>().unwrap())
        .sum();
    // The last one of a game may come too late to be counted.
    assert!((76..=80).contains(&strays), "{strays}");
    assert!(results.iter().all(|result| result.reason == Reason::MoveLimit && result.plies == 40));
}

#[test]
fn prints_rubbish() {
    let (summary, results) = against("noise", "");
    assert_eq!(summary.tally.fault_count(None), 0, "{:?}", summary.tally.faults);
    assert!(results.iter().all(|result| result.reason == Reason::MoveLimit));
    // Three such lines before each of 20 answers of 4 games.
    assert_eq!(summary.tally.efforts[1].noise, 3 * 20 * 4);
    assert_eq!(summary.tally.efforts[0].noise, 0);
}

#[test]
fn grumbles_on_stderr() {
    let (summary, results) = against("grumble", "");
    assert_eq!((results.len(), summary.tally.fault_count(None)), (4, 0), "{:?}", summary.tally.faults);
}

#[test]
fn plays_an_illegal_move() {
    let result = loses_once("illegal@2", FaultKind::IllegalMove, Reason::IllegalMove);
    assert!(result.detail.starts_with("9i9a: "), "{}", result.detail);
    assert!(result.detail.contains("position sfen "), "{}", result.detail);
}

#[test]
fn answers_with_no_move() {
    let result = loses_once("garbage@2", FaultKind::NoMove, Reason::NoMove);
    assert!(result.detail.contains("xyzzy"), "{}", result.detail);
    loses_once("empty@2", FaultKind::NoMove, Reason::NoMove);
}

#[test]
fn declares_falsely() {
    loses_once("win@2", FaultKind::FalseDeclaration, Reason::FalseDeclaration);
}

#[test]
fn resigns_a_won_game() {
    let result = loses_once("chatty score=2500 resign@3", FaultKind::ResignedWinning, Reason::Resign);
    assert!(result.faults[0].detail.contains("cp 2500"), "{result:?}");
}

#[test]
fn shows_an_illegal_line() {
    let (summary, results) = against("chatty illegal-line@2", "");
    // One process plays all four games.
    assert_eq!(only_fault(&summary, FaultKind::IllegalLine), 1);
    let detail = &summary.tally.faults[&(1, FaultKind::IllegalLine)].1;
    assert!(detail.starts_with("pv 9i9a: "), "{detail}");
    assert!(results.iter().all(|result| result.reason == Reason::MoveLimit), "{results:?}");
}

#[test]
fn does_not_take_an_option() {
    let (_guard, folder) = super::folder();
    let log = folder.join("log");
    let (summary, results) = play(&format!(
        "games = 4\nmax-moves = 10\n[each]\nnodes = 1\n{}{}options = {{ Foo = 1, Threads = 99, USI_Hash = 16 }}\n",
        stub("good", ""),
        stub("bad", &format!("log={}", log.display()))
    ));
    // Counted when the engine starts; the games go on.
    assert_eq!((results.len(), only_fault(&summary, FaultKind::RefusedOption)), (4, 2));
    let detail = &summary.tally.faults[&(1, FaultKind::RefusedOption)].1;
    assert!(detail.starts_with("the engine does not offer the option Foo; '99' does not fit"), "{detail}");
    assert!(detail.contains("the option Threads"), "{detail}");
    let told = std::fs::read_to_string(log).unwrap();
    // What it does not offer is not sent; the hash is an option of every engine.
    assert!(!told.contains("Foo") && !told.contains("99") && told.contains("USI_Hash value 16"), "{told}");
    let (summary, _) = play(&format!(
        "games = 2\nmax-moves = 10\n[each]\nnodes = 1\n{}{}options = {{ Threads = 2 }}\n",
        stub("good", ""),
        stub("bad", "picky")
    ));
    let detail = &summary.tally.faults[&(1, FaultKind::RefusedOption)].1;
    assert!(detail.contains("No such option: Threads"), "{detail}");
}

#[test]
fn ignores_quit() {
    let (summary, results) = against("ignore-quit", "");
    assert_eq!((results.len(), only_fault(&summary, FaultKind::IgnoredQuit)), (4, 1));
}

#[test]
fn reads_no_more() {
    loses_all("deaf@2", FaultKind::Hang, Reason::Hang);
}

#[test]
fn all_at_once_and_concurrently() {
    let arguments = "seed=5 crash@2 twice ignore-quit chatty";
    let (summary, results) = against(arguments, "concurrency = 4\n");
    assert_eq!((results.len(), summary.tally.total(0).wins), (4, 4));
    assert_eq!(faults(&summary, FaultKind::Crash), 4);
}
