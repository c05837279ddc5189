//! Matches without faults: clocks, other games, pondering, this engine itself.

use hagane::arena::{Reason, StopReason, Winner};

use super::{example, folder, play, stub};

/// The times of a record in USI notation.
fn times(record: &str) -> Vec<f64> {
    let lines = record.lines().filter_map(|line| line.strip_prefix("# times:"));
    lines.flat_map(str::split_whitespace).map(|word| word.parse().unwrap()).collect()
}

#[test]
fn a_sleep_of_100_ms_is_charged_as_such() {
    let (_folder, path) = folder();
    let record = path.join("games.usi");
    let (summary, _) = play(&format!(
        "games = 2\nmax-moves = 12\nrecord = '{}'\n[each]\nmovetime = 1\n{}{}",
        record.display(),
        stub("sleeper", "sleep=100"),
        stub("quick", "")
    ));
    let mut times = times(&std::fs::read_to_string(record).unwrap());
    times.sort_by(f64::total_cmp);
    let slept = &times[12..];
    assert_eq!(times.len(), 24);
    assert!(slept[0] >= 0.1, "{slept:?}");
    // Never less, and the best at most 2 ms more; a busy machine may add to the others.
    assert!(slept[0] <= 0.102, "{slept:?}");
    assert!(times[0] <= 0.002, "{times:?}");
    let average = summary.tally.efforts[0].seconds / 12.0;
    println!("charge of a sleep of 100 ms: {:.3} ms on average", average * 1000.0);
}

#[test]
fn a_thousand_moves_a_second() {
    let (summary, _) = play(&format!(
        "games = 40\nmax-moves = 200\n[each]\nnodes = 1\n{}{}",
        stub("a", "seed=1"),
        stub("b", "seed=2")
    ));
    let speed = summary.tally.plies as f64 / summary.seconds;
    println!("{speed:.0} moves a second");
    assert!(speed > 1000.0, "{speed}");
    assert_eq!((summary.stop, summary.tally.fault_count(None)), (StopReason::Complete, 0));
}

#[test]
fn pairs_share_their_opening_and_swap_colours() {
    let (_folder, path) = folder();
    let record = path.join("games.usi");
    play(&format!(
        "games = 6\nmax-moves = 20\nrandom-plies = 8\nrecord = '{}'\n[each]\nnodes = 1\n{}{}",
        record.display(),
        stub("a", ""),
        stub("b", "")
    ));
    let text = std::fs::read_to_string(record).unwrap();
    let openings: Vec<String> = text
        .lines()
        .filter(|line| line.starts_with("startpos"))
        .map(|line| line.split_whitespace().take(10).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(openings.len(), 6);
    for pair in openings.chunks(2) {
        assert_eq!(pair[0], pair[1]);
    }
    assert!(openings[0] != openings[2] && openings[2] != openings[4]);
    assert!(text.contains("a (black) - b (white)") && text.contains("b (black) - a (white)"));
}

#[test]
fn reversi_without_any_rules() {
    let engine = |name: &str, kind: &str| {
        format!("[[engine]]\nname = '{name}'\npath = '{}'\nargs = ['{kind}']\n", example("reversi_engine"))
    };
    let (summary, results) = play(&format!(
        "rules = 'none'\ngames = 4\n[each]\nmovetime = 1\n{}{}",
        engine("greedy", "greedy"),
        engine("first", "first")
    ));
    assert_eq!((summary.stop, summary.tally.fault_count(None)), (StopReason::Complete, 0));
    for result in &results {
        // Nearly all of the 60 squares are filled.
        assert!(result.plies > 40, "{result:?}");
        assert!(matches!(result.reason, Reason::Claim | Reason::Resign | Reason::DrawClaim));
    }
    // Both engines are deterministic.
    assert_eq!((results[0].winner, results[0].plies), (results[2].winner, results[2].plies));
    assert_eq!((results[1].winner, results[1].plies), (results[3].winner, results[3].plies));
    assert_eq!(summary.tally.main().1.iter().sum::<u64>(), 2);
}

#[test]
fn a_solo_game_with_a_token_source() {
    let engine = |name: &str| {
        format!("[[engine]]\nname = '{name}'\npath = '{}'\nargs = ['engine', '{name}']\n", example("ladder_engine"))
    };
    let (_folder, path) = folder();
    let record = path.join("games.usi");
    // A start position other than `startpos`.
    let start = path.join("start.txt");
    std::fs::write(&start, "sfen ten-rungs - 1\n").unwrap();
    let text = format!(
        "rules = 'solo'\ngames = 50\nconcurrency = 2\nopenings = '{}'\n\
         token-source = ['{}', 'source', '{{seed}}']\nrecord = '{}'\n[each]\nmovetime = 1\n{}{}",
        start.display(),
        example("ladder_engine"),
        record.display(),
        engine("middle"),
        engine("first")
    );
    let (summary, results) = play(&text);
    assert_eq!((summary.stop, summary.tally.fault_count(None)), (StopReason::Complete, 0));
    assert_eq!(results.len(), 100);
    assert!(results.iter().all(|result| result.winner == Winner::Draw));
    let scores = &summary.tally.solo_scores;
    let mean = |engine: usize| scores[engine].values().sum::<f64>() / scores[engine].len() as f64;
    assert!(mean(0) > mean(1) + 0.5, "{} {}", mean(0), mean(1));
    // A second match deals the same tokens, and both engines get the same first one.
    let (again, _) = play(&text.replace("games.usi", "again.usi"));
    assert_eq!(&again.tally.solo_scores, scores);
    let games = std::fs::read_to_string(record).unwrap();
    let first = |game: &str| {
        let head = format!("# game {game}:");
        let line = games.lines().skip_while(|line| !line.starts_with(&head)).nth(1).unwrap();
        let game = line.strip_prefix("sfen ten-rungs - 1 moves ").unwrap();
        game.split_whitespace().next().unwrap().to_owned()
    };
    assert_eq!(first("1"), first("2"));
    assert_eq!(first("3"), first("4"));
}

#[test]
fn round_robin_of_three() {
    let (summary, results) = play(&format!(
        "games = 2\nformat = 'round-robin'\nmax-moves = 20\n[each]\nnodes = 1\n{}{}{}",
        stub("a", ""),
        stub("b", "resign-after=4"),
        stub("c", "resign-after=8")
    ));
    assert_eq!(results.len(), 6);
    let total = |engine: usize| summary.tally.total(engine);
    assert_eq!((total(0).wins, total(1).losses, total(2).wins), (4, 4, 2));
    assert_eq!(summary.tally.versus.len(), 3);
}

#[test]
fn this_engine_plays_and_ponders() {
    let (summary, results) = play(
        "games = 2\nmax-moves = 24\n[each]\ntc = '1+0.05'\nponder = true\noptions = { USI_Hash = 1 }\nmargin = 5\n\
         [[engine]]\nname = 'a'\npath = 'HAGANE'\n[[engine]]\nname = 'b'\npath = 'HAGANE'\nponder = false\n"
            .replace("HAGANE", env!("CARGO_BIN_EXE_hagane"))
            .as_str(),
    );
    assert_eq!(summary.tally.fault_count(None), 0, "{:?}", summary.tally.faults);
    assert_eq!(results.len(), 2);
    assert!(summary.tally.efforts.iter().all(|effort| effort.moves > 0 && effort.nodes > 0));
}

#[test]
fn engines_are_told_of_the_match() {
    let (summary, _) = play(&format!(
        "games = 2\nformat = 'round-robin'\nmax-moves = 4\n[each]\nnodes = 1\n{}ponder = true\n{}{}options = {{ usi_ponder = true, Threads = 2 }}\n",
        stub("a", "needs=USI_Ponder:true"),
        stub("b", "needs=USI_Ponder:false"),
        stub("c", "needs=usi_ponder:true needs=Threads:2")
    ));
    assert_eq!(
        (&summary.stop, summary.tally.fault_count(None)),
        (&StopReason::Complete, 0),
        "{:?}",
        summary.tally.faults
    );
}

#[test]
fn an_engine_is_started_anew_for_every_game_and_ended_in_good_order() {
    let (_folder, path) = folder();
    let log = path.join("log");
    let (summary, results) = play(&format!(
        "games = 4\nmax-moves = 4\n[each]\nnodes = 1\n{}restart = true\n{}",
        stub("a", &format!("log={}", log.display())),
        stub("b", "")
    ));
    assert_eq!((results.len(), summary.tally.fault_count(None)), (4, 0), "{:?}", summary.tally.faults);
    let text = std::fs::read_to_string(log).unwrap();
    let count = |word: &str| text.lines().filter(|&line| line == word).count();
    assert_eq!((count("usi"), count("gameover draw"), count("quit")), (4, 4, 4));
}

#[test]
fn the_test_stops_the_match() {
    let (summary, results) = play(&format!(
        "games = 10000\n[sprt]\nelo1 = 100\n[each]\nnodes = 1\n{}{}",
        stub("a", ""),
        stub("b", "resign-after=3")
    ));
    assert_eq!(summary.stop, StopReason::Decided(hagane::arena::statistics::Decision::H1));
    assert!(results.len() < 100, "{}", results.len());
    assert!(summary.tally.llr().unwrap() >= 2.94);
}
