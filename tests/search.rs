//! The search through the engine's facade: legal, deterministic, obedient.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hagane::clock;
use hagane::engine::{BestMove, Engine, EngineError, InProcess, Report};
use hagane::position::Position;
use hagane::search::{Limits, Line, Progress};
use hagane::types::{Bound, Move, Score};

/// An engine with one small table.
struct Bench(InProcess);

/// What one search said.
struct Result {
    choice: BestMove,
    lines: Vec<Line>,
}

impl Bench {
    fn new(options: &[(&'static str, &'static str)]) -> Self {
        let all = [("USI_Hash", "16"), ("Threads", "1"), ("PvInterval", "0")].iter().chain(options).copied();
        let mut engine = InProcess::new(all).unwrap();
        engine.timeout = Duration::from_secs(60);
        Self(engine)
    }

    fn result(&mut self) -> Result {
        let mut lines = Vec::new();
        let choice = self.0.answer(|progress| {
            if let Progress::Line(line) = progress {
                lines.push(line);
            }
        });
        Result { choice: choice.expect("a move is reported"), lines }
    }

    fn go(&mut self, sfen: &str, limits: Limits) -> Result {
        self.0.engine.set_position(Position::from_sfen(sfen).unwrap());
        self.0.engine.go(limits).unwrap();
        self.result()
    }
}

fn depth(depth: i32) -> Limits {
    Limits { depth, ..Limits::default() }
}

fn move_time(ms: u64) -> Limits {
    let clocks = clock::Clocks { move_time: Some(Duration::from_millis(ms)), ..clock::Clocks::default() };
    Limits { clocks, ..Limits::default() }
}

fn best(choice: BestMove) -> Move {
    match choice {
        BestMove::Move { best, .. } => best,
        other => panic!("no move but {other:?}"),
    }
}

/// Plays a line and panics at the first illegal move.
fn assert_legal(sfen: &str, line: &Line) {
    let mut position = Position::from_sfen(sfen).unwrap();
    for &mv in &line.pv {
        if let Err(error) = position.check_move(mv) {
            panic!("{sfen}: {mv} in {:?}: {error}", line.pv);
        }
        position.do_move(mv);
    }
}

const MIDDLEGAME: &str = "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1";
const OPENING: &str = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 4";

#[test]
fn lines_are_legal_and_the_last_one_is_the_move() {
    let mut bench = Bench::new(&[]);
    for sfen in [Position::STARTPOS, OPENING, MIDDLEGAME] {
        let result = bench.go(sfen, depth(5));
        let last = result.lines.last().unwrap();
        assert_eq!(last.pv[0], best(result.choice));
        assert_eq!((last.multipv, last.bound), (1, Bound::Exact));
        for line in &result.lines {
            assert_legal(sfen, line);
            assert!(!line.pv.is_empty() && line.nodes > 0 || line.depth == 1);
        }
        if let BestMove::Move { best, ponder: Some(ponder) } = result.choice {
            let mut position = Position::from_sfen(sfen).unwrap();
            position.do_move(best);
            assert!(position.is_legal(ponder));
        }
    }
}

#[test]
fn one_thread_searches_the_same_tree_twice() {
    let nodes = || {
        let mut bench = Bench::new(&[]);
        let mut nodes = Vec::new();
        for sfen in [Position::STARTPOS, OPENING, MIDDLEGAME] {
            bench.0.engine.new_game();
            nodes.extend(bench.go(sfen, depth(4)).lines.iter().map(|line| (line.nodes, line.score)));
        }
        nodes
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn mates_are_found_and_counted_in_plies() {
    let mut bench = Bench::new(&[]);
    for (sfen, plies, depth_needed) in [
        ("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", 1, 2),
        ("ln1gkg1nl/6+P2/2sppps1p/2p3p2/p8/P1P1P3P/2NP1PP2/3s1KSR1/L1+b2G1NL w R2Pbgp 42", 3, 4),
    ] {
        let result = bench.go(sfen, depth(depth_needed));
        let last = result.lines.last().unwrap();
        assert_eq!(last.score, Score::mate_in(plies), "{sfen}");
        assert_eq!(last.pv.len(), plies);
        assert_legal(sfen, last);
    }
}

/// A mate in 19 plies or less, from a game.
const LONG_MATE: &str = "l8/3R1n3/p1g1p1Gpp/2s1k1L2/Pp1p5/2pPP2P1/1PS2P2P/1KG1g4/LNPs1b1NL b SN3Prb 105";

#[test]
fn a_long_mate_is_found_by_the_solver_beside_the_search_and_its_line_mates() {
    let mut bench = Bench::new(&[]);
    let nodes = Limits { nodes: 200_000, ..Limits::default() };
    let result = bench.go(LONG_MATE, nodes.clone());
    let last = result.lines.last().unwrap();
    assert!(last.score.is_win() && last.nodes <= 200_001, "{last:?}");
    assert_eq!(last.pv.len(), (Score::MATE - last.score) as usize);
    assert_legal(LONG_MATE, last);
    let mut position = Position::from_sfen(LONG_MATE).unwrap();
    last.pv.iter().for_each(|&mv| position.do_move(mv));
    assert!(position.in_check() && !position.has_legal_move());

    // A mate that comes after the move limit is none.
    bench.0.engine.set_option("MaxMovesToDraw", "110").unwrap();
    let limited = bench.go(LONG_MATE, nodes);
    assert!(!limited.lines.last().unwrap().score.is_win());
}

/// Positions of games in which `go mate` finds a mate of 9 to 31 plies within 60,000 nodes, a tenth of a second. A search
/// of 2.5 million nodes takes some four seconds.
#[test]
#[ignore = "some minutes"]
fn what_go_mate_finds_at_once_a_long_search_does_not_miss() {
    let mut bench = Bench::new(&[]);
    let positions = include_str!("data/game_mates.sfen");
    let mut missed = Vec::new();
    for sfen in positions.lines() {
        bench.0.engine.new_game();
        let result = bench.go(sfen, Limits { nodes: 2_500_000, ..Limits::default() });
        if !result.lines.last().unwrap().score.is_win() {
            missed.push(sfen);
        }
    }
    println!("{} of {} missed: {missed:#?}", missed.len(), positions.lines().count());
    assert!(missed.len() <= 5);
}

#[test]
fn the_mated_side_resigns_and_says_so() {
    let mut bench = Bench::new(&[]);
    let result = bench.go("4k4/4G4/4P4/9/9/9/9/9/9 w 2r2b3g4s4n4l17p 1", depth(3));
    assert_eq!(result.choice, BestMove::Resign);
    assert_eq!(result.lines.last().unwrap().score, Score::mated_in(0));
}

#[test]
fn an_entered_king_declares() {
    let mut bench = Bench::new(&[]);
    let sfen = "K+P+P+P+P+P+P2/+P+P+P+P5/9/9/9/9/9/9/8k b 2RB3P 1";
    assert_eq!(bench.go(sfen, depth(3)).choice, BestMove::DeclareWin);
    bench.0.engine.set_option("EnteringKingRule", "NoEnteringKing").unwrap();
    best(bench.go(sfen, depth(3)).choice);
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut bench = Bench::new(&[("MultiPV", "5")]);
    let search_moves = ["9g9f", "1g1f", "5i5i+", "9a9b"].iter().filter_map(|text| text.parse().ok()).collect();
    let result = bench.go(Position::STARTPOS, Limits { search_moves, ..depth(4) });
    assert!(["9g9f", "1g1f"].contains(&best(result.choice).to_string().as_str()));
    let last: Vec<_> = result.lines.iter().rev().take(2).collect();
    assert_eq!((last[1].multipv, last[0].multipv), (1, 2));
    assert!(last[1].score >= last[0].score && last[1].pv[0] != last[0].pv[0]);
}

#[test]
fn node_limits_are_kept() {
    let mut bench = Bench::new(&[]);
    let result = bench.go(MIDDLEGAME, Limits { nodes: 20_000, ..Limits::default() });
    best(result.choice);
    assert!(result.lines.last().unwrap().nodes <= 20_001);
    let one = bench.go(MIDDLEGAME, Limits { nodes: 1, ..Limits::default() });
    best(one.choice);
    assert_legal(MIDDLEGAME, one.lines.last().unwrap());
}

#[test]
fn a_stop_is_obeyed_at_once_whenever_it_comes() {
    let mut times = Vec::new();
    for threads in ["1", "3"] {
        let mut bench = Bench::new(&[("Threads", threads)]);
        bench.0.engine.set_position(Position::from_sfen(MIDDLEGAME).unwrap());
        for round in 0..20u64 {
            bench.0.engine.go(Limits { infinite: true, ..Limits::default() }).unwrap();
            std::thread::sleep(Duration::from_micros(round * round * 97 % 20_000));
            assert!(bench.0.engine.is_searching());
            let stopped = Instant::now();
            bench.0.engine.stop();
            let result = bench.result();
            times.push(stopped.elapsed());
            best(result.choice);
            assert_legal(MIDDLEGAME, result.lines.last().unwrap());
        }
    }
    // The limit is 10 ms; a machine busy with other tests may now and then take longer to wake a thread.
    times.sort();
    let median = times[times.len() / 2];
    assert!(median < Duration::from_millis(10), "{median:?}");
    assert!(times[times.len() - 1] < Duration::from_secs(2), "{times:?}");
}

#[test]
fn a_ponder_search_waits_for_its_hit() {
    let mut bench = Bench::new(&[]);
    for time in [None, Some(clock::Clocks { move_time: Some(Duration::from_millis(30)), ..Default::default() })] {
        bench.0.engine.set_position(Position::from_sfen(MIDDLEGAME).unwrap());
        bench.0.engine.go(Limits { ponder: true, ..move_time(20) }).unwrap();
        std::thread::sleep(Duration::from_millis(60));
        assert!(bench.0.engine.is_searching(), "no move while pondering");
        assert!(matches!(bench.0.engine.go(depth(1)), Err(EngineError::Searching)));
        let hit = Instant::now();
        bench.0.engine.ponder_hit(time);
        best(bench.result().choice);
        assert!(hit.elapsed() >= Duration::from_millis(15));
        assert!(!bench.0.engine.is_searching());
    }
}

#[test]
fn a_stochastic_ponder_thinks_about_the_opponent() {
    let mut bench = Bench::new(&[("Stochastic_Ponder", "true")]);
    let mut position = Position::startpos();
    for mv in ["7g7f", "3c3d"] {
        position.do_move(mv.parse().unwrap());
    }
    for hit in [true, false] {
        bench.0.engine.set_position(position.clone());
        bench.0.engine.go(Limits { ponder: true, ..move_time(20) }).unwrap();
        std::thread::sleep(Duration::from_millis(20));
        assert!(bench.0.engine.is_searching());
        if hit {
            bench.0.engine.ponder_hit(None);
        } else {
            bench.0.engine.stop();
        }
        let result = bench.result();
        assert!(position.is_legal(best(result.choice)));
        for line in &result.lines {
            assert_legal(&position.to_sfen(), line);
        }
    }
}

#[test]
fn the_move_limit_is_a_draw() {
    // White is a rook up, but the game ends with this move.
    let sfen = "r3k4/9/9/9/9/9/9/9/4K4 b 2b4g4s4n4l18p 256";
    let mut bench = Bench::new(&[("MaxMovesToDraw", "256"), ("DrawValueBlack", "77")]);
    assert_eq!(bench.go(sfen, depth(4)).lines.last().unwrap().score, Score(77));
}

#[test]
fn a_table_too_large_is_refused_and_the_old_one_works_on() {
    let mut bench = Bench::new(&[]);
    bench.0.ready().unwrap();
    bench.0.engine.set_option("USI_Hash", "1048576").unwrap();
    // A machine with more than a terabyte of memory has nothing to refuse.
    if let Err(error) = bench.0.ready() {
        assert!(error.to_string().contains("16 MiB"), "{error}");
    }
    best(bench.go(Position::STARTPOS, depth(2)).choice);
}

#[test]
fn two_engines_live_side_by_side() {
    let count = Arc::new(Mutex::new(0));
    let engines: Vec<_> = (0..2)
        .map(|_| {
            let count = Arc::clone(&count);
            let mut engine = Engine::new(move |report| {
                if let Report::BestMove(_) = report {
                    *count.lock().unwrap() += 1;
                }
            });
            engine.set_option("USI_Hash", "4").unwrap();
            engine.set_option("USI_OwnBook", "false").unwrap();
            engine.go(depth(3)).unwrap();
            engine
        })
        .collect();
    for engine in &engines {
        engine.wait();
    }
    assert_eq!(*count.lock().unwrap(), 2);
    // Dropping an engine in the middle of a search ends the search.
    let mut engine = engines.into_iter().next().unwrap();
    engine.go(Limits { infinite: true, ..Limits::default() }).unwrap();
    drop(engine);
}
