//! `go`, `stop`, `ponderhit`, `gameover`: what is searched, and exactly one answer each time.

use std::time::{Duration, Instant};

use crate::common::client::{Client, TRANSLATED, field};

const SHORT: Duration = Duration::from_millis(400);
/// After a `stop` the answer comes at once; some clients kill after two seconds.
const AT_ONCE: Duration = Duration::from_millis(500);

/// White is mated.
const MATED: &str = "position sfen 8k/8G/8P/9/9/9/9/9/4K4 w - 1";
/// Black has one legal move: the king takes the rook.
const ONE_MOVE: &str = "position sfen 4k4/9/9/9/9/9/4g4/3g5/4Kr3 b - 1";
/// Black may declare, with one pawn more than it needs.
const DECLARABLE: &str = "position sfen K+P+P+P+P+P+P2/+P+P+P+P5/9/9/9/9/9/9/8k b 2RB4P 1";

#[track_caller]
fn stopped(client: &mut Client) -> crate::common::client::Answer {
    let asked = Instant::now();
    client.say("stop");
    let answer = client.answer();
    assert!(asked.elapsed() < AT_ONCE, "{:?} after stop", asked.elapsed());
    answer
}

#[test]
fn a_table_that_has_yet_to_take_its_memory_keeps_nobody_waiting() {
    let mut client = Client::start();
    client.say("setoption name Threads value 1");
    client.say("setoption name USI_Hash value 600");
    client.say("isready");
    client.say("position startpos");
    client.say("go infinite");
    client.hear("readyok");
    stopped(&mut client);
    // Before, while and after the table takes the rest; the pause that begins it is 20 ms.
    for pause in [0, 15, 25, 100, 400] {
        std::thread::sleep(Duration::from_millis(pause));
        client.say("go infinite");
        stopped(&mut client);
    }
    client.quit();
}

#[test]
fn nothing_is_said_before_stop_in_an_infinite_or_ponder_search() {
    let mut client = Client::ready();
    for position in [MATED, ONE_MOVE, DECLARABLE, "position startpos"] {
        for go in ["go infinite", "go ponder btime 100 wtime 100 byoyomi 100", "go ponder", "go infinite depth 1"] {
            client.say(position);
            client.say(go);
            let heard = client.listen(SHORT);
            assert!(heard.iter().all(|line| line.starts_with("info ")), "{position} {go}: {heard:?}");
            stopped(&mut client);
        }
    }
    client.quit();
}

#[test]
fn a_ponderhit_makes_it_a_normal_search() {
    let mut client = Client::ready();
    client.say("position startpos moves 7g7f 3c3d");
    client.say("go ponder btime 0 wtime 0 byoyomi 500");
    client.listen(SHORT);
    let hit = Instant::now();
    client.say("ponderhit");
    client.answer();
    // The byoyomi began with the hit, and is used.
    let used = hit.elapsed();
    assert!(used > Duration::from_millis(350) && used < Duration::from_millis(700), "{used:?}");

    // With clocks of its own.
    client.say("go ponder");
    client.listen(SHORT);
    let hit = Instant::now();
    client.say("ponderhit btime 0 wtime 0 binc 300 winc 300");
    client.answer();
    let used = hit.elapsed();
    assert!(used < Duration::from_millis(500), "{used:?}");

    for (position, choice) in [(MATED, "resign"), (ONE_MOVE, "5i4i"), (DECLARABLE, "win")] {
        // UCI has no word for a declaration.
        if TRANSLATED && choice == "win" {
            continue;
        }
        client.say(position);
        client.say("go ponder btime 10000 wtime 10000 binc 1000 winc 1000");
        client.listen(Duration::from_millis(100));
        client.say("ponderhit");
        assert_eq!(client.answer().choice(), choice);
    }
    client.quit();
}

#[test]
fn a_ponderhit_nobody_waits_for_is_ignored() {
    let mut client = Client::ready();
    client.say("ponderhit\nstop\ngameover\nponderhit btime 1 wtime 1");
    client.silence(Duration::from_millis(100));
    client.accepted();
    client.say("position startpos");
    client.say("go infinite");
    client.say("ponderhit");
    let heard = client.listen(SHORT);
    assert!(heard.iter().all(|line| line.starts_with("info ")));
    stopped(&mut client);
    client.quit();
}

#[test]
fn exactly_one_answer_for_every_go() {
    let mut client = Client::ready();
    client.say("position startpos");
    // A stop too late, too many stops, a go in the middle of a search.
    client.go("go depth 1");
    client.say("stop\nstop");
    client.silence(Duration::from_millis(100));
    client.say("go infinite\nstop\nstop\nisready");
    let heard = client.hear("readyok");
    assert_eq!(heard.iter().filter(|line| line.starts_with("bestmove")).count(), 1);
    client.say("go infinite\nposition startpos moves 7g7f\ngo depth 2\nisready");
    let mut heard = client.answer().infos;
    heard.extend(client.hear("bestmove"));
    // `readyok` waits for no search, so it may come before or after either move.
    if !heard.iter().any(|line| line == "readyok") {
        heard.extend(client.hear("readyok"));
    }
    let count = |word: &str| heard.iter().filter(|line| line.starts_with(word)).count();
    assert_eq!((count("bestmove"), count("readyok")), (1, 1), "{heard:?}");
    client.silence(Duration::from_millis(100));
    client.quit();
}

#[test]
fn many_games_of_quick_gos() {
    let mut client = Client::ready();
    client.say("position startpos");
    for round in 0..100 {
        client.say("go infinite");
        if round % 3 == 0 {
            client.say("isready");
        }
        client.say("stop");
        client.answer();
    }
    client.listen(Duration::from_millis(50));
    client.quit();
}

#[test]
fn a_ponder_miss_is_followed_by_the_right_position() {
    let mut client = Client::ready();
    client.say("position startpos moves 7g7f 3c3d");
    client.say("go ponder btime 1000 wtime 1000 binc 100 winc 100");
    client.say("stop");
    client.answer();
    client.say("position startpos moves 7g7f 8c8d");
    client.go("go btime 1000 wtime 1000 binc 100 winc 100");
    client.quit();
}

#[test]
fn gameover_ends_a_search_by_itself() {
    for gameover in ["gameover", "gameover win", "gameover lose", "gameover draw"] {
        let mut client = Client::ready();
        client.say("position startpos");
        client.say("go ponder");
        client.listen(Duration::from_millis(50));
        let asked = Instant::now();
        client.say(gameover);
        client.answer();
        assert!(asked.elapsed() < AT_ONCE);
        client.is_ready();
        client.quit();
    }
}

#[test]
fn searchmoves_bind_the_root() {
    let mut client = Client::ready();
    client.say("position startpos");
    let answer = client.go("go depth 4 searchmoves 9g9f");
    assert_eq!(answer.choice(), "9g9f");
    client.say("go infinite searchmoves 1g1f 9g9f");
    client.listen(SHORT);
    let answer = stopped(&mut client);
    assert!(["1g1f", "9g9f"].contains(&answer.choice()), "{}", answer.choice());
    let answer = client.go("go searchmoves 9g9f joho depth 2");
    assert_eq!(answer.choice(), "9g9f");
    // Those that are not legal are left out, with a word about it.
    let answer = client.go("go depth 2 searchmoves 5a5b 9g9f");
    assert_eq!(answer.choice(), "9g9f");
    assert!(answer.infos[0].contains("5a5b"), "{:?}", answer.infos);
    client.go("go depth 2 searchmoves 5a5b");
    client.quit();
}

#[test]
fn depth_and_nodes_end_a_search() {
    let mut client = Client::ready();
    client.say("position startpos");
    let answer = client.go("go depth 3");
    assert_eq!(field(answer.last_pv(), "depth"), Some("3"));
    let answer = client.go("go nodes 5000");
    let nodes: u64 = field(answer.last_pv(), "nodes").and_then(|nodes| nodes.parse().ok()).expect("nodes");
    assert!(nodes <= 6000, "{nodes}");
    // The smallest limit wins.
    for go in [
        "go depth 2 btime 600000 wtime 600000 byoyomi 60000",
        "go nodes 1000 movetime 60000",
        "go movetime 100 depth 99 nodes 999999999",
        "go btime 0 wtime 0 byoyomi 60000 binc 1000 winc 1000 movetime 200 depth 90 nodes 900000000",
    ] {
        let asked = Instant::now();
        client.go(go);
        assert!(asked.elapsed() < Duration::from_secs(2), "{go}: {:?}", asked.elapsed());
    }
    client.quit();
}

/// Helpers go on while the first thread finishes the depth that was asked for; what they find beyond is not the answer.
#[test]
fn a_depth_is_not_exceeded_with_more_threads() {
    let mut client = Client::ready();
    client.say("setoption name Threads value 4");
    client.is_ready();
    client.say("position startpos");
    for depth in (4..9).cycle().take(25) {
        client.say("usinewgame");
        let answer = client.go(&format!("go depth {depth}"));
        let deepest = answer.infos.iter().filter_map(|info| field(info, "depth")?.parse::<u32>().ok()).max();
        assert_eq!(deepest, Some(depth), "{:?}", answer.infos);
    }
    client.quit();
}

#[test]
fn options_limit_depth_and_nodes_too() {
    let mut client = Client::ready();
    client.say("setoption name DepthLimit value 2");
    client.say("position startpos");
    let answer = client.go("go movetime 60000");
    assert_eq!(field(answer.last_pv(), "depth"), Some("2"));
    client.say("setoption name DepthLimit value 0");
    client.say("setoption name NodesLimit value 3000");
    let asked = Instant::now();
    client.go("go movetime 60000");
    assert!(asked.elapsed() < Duration::from_secs(2));
    client.quit();
}

#[test]
fn multipv_gives_that_many_lines_and_never_more_than_there_are_moves() {
    let mut client = Client::ready();
    client.say("setoption name MultiPV value 3");
    client.say("position startpos");
    let answer = client.go("go depth 3");
    for number in ["1", "2", "3"] {
        assert!(answer.infos.iter().any(|info| field(info, "multipv") == Some(number)), "{number}");
    }
    assert!(answer.infos.iter().all(|info| field(info, "multipv") != Some("4")));
    assert_eq!(field(answer.last_pv(), "multipv"), Some("1"));
    client.say("setoption name MultiPV value 99");
    client.say(ONE_MOVE);
    let answer = client.go("go depth 3");
    assert_eq!(answer.choice(), "5i4i");
    assert!(answer.infos.iter().all(|info| field(info, "multipv").is_none_or(|number| number == "1")));
    client.quit();
}

#[test]
fn a_mated_player_resigns_and_a_mate_is_played() {
    let mut client = Client::ready();
    client.say(MATED);
    assert_eq!(client.go("go btime 1000 wtime 1000 byoyomi 100").bestmove, "bestmove resign");
    assert_eq!(client.go("go depth 5").bestmove, "bestmove resign");
    client.say("position sfen 8k/9/8P/9/9/9/9/9/4K4 b G 1");
    let answer = client.go("go depth 3");
    assert_eq!(answer.choice(), "G*1b");
    assert!(answer.last_pv().contains("score mate 1 "), "{}", answer.last_pv());
    // A limit of nodes is no wish for all of them.
    let answer = client.go("go nodes 1000000000000");
    assert!(answer.last_pv().contains("score mate 1 "), "{}", answer.last_pv());
    client.quit();
}

#[test]
fn a_win_is_declared_where_the_rule_allows_it() {
    if TRANSLATED {
        return; // UCI has no word for this.
    }
    let mut client = Client::ready();
    client.say(DECLARABLE);
    assert_eq!(client.go("go btime 1000 wtime 1000 byoyomi 1000").bestmove, "bestmove win");
    client.say("setoption name MultiPV value 3");
    assert_eq!(client.go("go depth 3 searchmoves 1i1h").bestmove, "bestmove win");
    // Not even a score that would be resigned is resigned.
    client.say("setoption name ResignValue value 0");
    assert_eq!(client.go("go depth 3").bestmove, "bestmove win");
    client.say("setoption name ResignValue value 99999");
    client.say("setoption name MultiPV value 1");
    // In check never.
    client.say("position sfen K+P+P+P+P+P+P2/+P1+P+P+P4/9/9/9/9/9/9/7kb b 2RB7P 1");
    assert_ne!(client.go("go depth 3").bestmove, "bestmove win");
    // Without the rule, or under one that asks for more, never.
    client.say(DECLARABLE);
    for rule in ["NoEnteringKing", "CSARule24", "CSARule24H", "TryRule"] {
        client.say(&format!("setoption name EnteringKingRule value {rule}"));
        assert_ne!(client.go("go depth 2").bestmove, "bestmove win", "{rule}");
    }
    // One point too few.
    client.say("setoption name EnteringKingRule value CSARule27");
    client.say("position sfen K+P+P+P+P+P+P2/+P+P+P+P5/9/9/9/9/9/9/8k b 2RB2P 1");
    assert_ne!(client.go("go depth 2").bestmove, "bestmove win");
    client.quit();
}

#[test]
fn a_side_without_a_king_can_be_searched() {
    let mut client = Client::ready();
    client.say("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1");
    assert_eq!(client.go("go depth 3").choice(), "G*5b");
    client.say("position sfen 4k4/9/9/9/9/9/9/9/9 w G 1");
    client.go("go depth 3");
    client.quit();
}

#[test]
fn the_move_limit_is_a_draw() {
    let mut client = Client::ready();
    // Black is a rook up, but the game is drawn after its next move unless that mates.
    client.say("setoption name MaxMovesToDraw value 100");
    client.say("position sfen 4k4/9/9/9/9/9/9/9/R3K4 b - 100");
    let answer = client.go("go depth 4");
    let cp: i32 = field(answer.last_pv(), "cp").and_then(|cp| cp.parse().ok()).expect("a score");
    assert!(cp.abs() < 50, "{}", answer.last_pv());
    // A mate by the last move is a draw too, for whoever looks at it from how far ever.
    client.say("setoption name MaxMovesToDraw value 10");
    client.say("position sfen 7lk/7p1/8P/9/9/9/9/9/K8 w G 9");
    let answer = client.go("go depth 6");
    assert!(!answer.infos.iter().any(|line| line.contains("mate")), "{}", answer.last_pv());
    client.say("setoption name MaxMovesToDraw value 11");
    client.say("position sfen 7lk/7p1/8P/9/9/9/9/9/K8 w G 9");
    assert!(client.go("go depth 6").last_pv().contains("score mate -2"));
    client.say("setoption name MaxMovesToDraw value 100");
    client.say("position sfen 4k4/9/9/9/9/9/9/9/R3K4 b - 1");
    let answer = client.go("go depth 4");
    assert!(!answer.last_pv().contains("score cp 0 "), "{}", answer.last_pv());
    client.quit();
}

#[test]
fn resign_value_is_kept() {
    if TRANSLATED {
        return; // UCI has no word for this.
    }
    let mut client = Client::ready();
    client.say("setoption name ResignValue value 1000");
    client.say("position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g 1");
    assert_eq!(client.go("go depth 2").choice(), "resign");
    client.say("setoption name ResignValue value 99999");
    assert_ne!(client.go("go depth 2").choice(), "resign");
    client.quit();
}

const MATE: &str = "position sfen 8k/9/8P/9/9/9/9/9/9 b G 1";
const NO_MATE: &str = "position sfen 8k/9/9/9/9/9/9/9/9 b P 1";

#[test]
fn every_go_mate_is_answered_once_with_checkmate() {
    if TRANSLATED {
        return; // UCI has no word for this.
    }
    let mut client = Client::ready();
    client.say(MATE);
    for go in ["go mate 1000", "go mate infinite", "go mate", "go mate nodes 100000", "go mate 500 nodes 100000"] {
        client.say(go);
        let heard = client.hear("checkmate");
        assert_eq!(heard.last().map(String::as_str), Some("checkmate G*1b"), "{go}");
        assert!(heard.iter().all(|line| !line.starts_with("bestmove")));
    }
    client.say(NO_MATE);
    client.say("go mate infinite");
    assert_eq!(client.hear("checkmate").last().map(String::as_str), Some("checkmate nomate"));
    client.silence(Duration::from_millis(100));
    client.quit();
}

/// A problem of many hundred plies: nothing is known of it so soon.
const HARD: &str =
    "position sfen g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";

#[test]
fn a_mate_that_is_not_found_in_time_is_a_timeout() {
    if TRANSLATED {
        return; // UCI has no word for this.
    }
    let mut client = Client::ready();
    client.say(HARD);
    let asked = Instant::now();
    client.say("go mate 300");
    let heard = client.hear("checkmate");
    assert_eq!(heard.last().map(String::as_str), Some("checkmate timeout"));
    assert!(asked.elapsed() < Duration::from_millis(600), "{:?}", asked.elapsed());
    client.say("go mate nodes 1000");
    assert_eq!(client.hear("checkmate").last().map(String::as_str), Some("checkmate timeout"));
    for end in ["stop", "gameover win"] {
        client.say("go mate infinite");
        client.say("isready");
        client.hear("readyok");
        client.listen(Duration::from_millis(200));
        let asked = Instant::now();
        client.say(end);
        let heard = client.hear("checkmate");
        assert_eq!(heard.last().map(String::as_str), Some("checkmate timeout"));
        assert!(asked.elapsed() < AT_ONCE, "{:?}", asked.elapsed());
    }
    // A new order ends the old one, and both are answered.
    client.say("go mate infinite\nposition startpos\ngo depth 1");
    client.hear("checkmate");
    client.answer();
    client.quit();
}

/// The search's table leaves the mate solver little of the memory here: the client is told.
#[test]
fn a_mate_solver_with_less_table_than_asked_for_says_so() {
    // UCI has no word for this, and a machine may have more memory than `USI_Hash` can ask for.
    if TRANSLATED || hagane::platform::machine::memory().is_none_or(|megabytes| megabytes > 1 << 20) {
        return;
    }
    let mut client = Client::ready();
    client.say(MATE);
    let told = |client: &mut Client| {
        client.say("go mate 1000");
        let heard = client.hear("checkmate");
        assert_eq!(heard.last().map(String::as_str), Some("checkmate G*1b"));
        heard.into_iter().find(|line| line.starts_with("info string the solver"))
    };
    assert_eq!(told(&mut client), None);
    // Not allocated before `isready`.
    client.say("setoption name USI_Hash value 1048576");
    assert!(told(&mut client).is_some_and(|line| line.contains(" 64 MiB each: USI_Hash 1048576 ")));
    client.quit();
}

/// What lishogi's bots and others send: the whole part counts, and every search ends.
#[test]
fn numbers_as_clients_write_them_end_every_search() {
    let mut client = Client::ready();
    client.say("position startpos moves 7g7f");
    for (go, most) in [
        ("go movetime 0.9 btime 56712 wtime 2000 binc 0 winc 0 byoyomi 0", 500),
        ("go btime 2000.5 wtime 2000.5 byoyomi 300.25", 2300),
        ("go movetime -1", 500),
        ("go btime -500 wtime -500 byoyomi 0", 500),
        ("go btime 0 wtime 0 byoyomi 0", 500),
        ("go movetime 0", 500),
        ("go movetime 300.0", 800),
        ("go btime 1000.0 wtime 1000.0 binc 0 winc 0", 1000),
        ("go btime 1e3 wtime 1e3", 1000),
        ("go btime +1000 wtime +1000", 1000),
        ("go byoyomi 300ms", 800),
        ("go nodes 1000.0", 1000),
        ("go movetime 0.3s", 800),
        ("go nodes x", 1500),
        ("go btime", 1500),
    ] {
        let begin = Instant::now();
        client.go(go);
        // A busy machine may be late.
        assert!(begin.elapsed() < Duration::from_millis(most + 1500), "{go}: {:?}", begin.elapsed());
    }
    if TRANSLATED {
        return client.quit();
    }
    client.say("go mate 500.0");
    client.hear("checkmate ");
    client.say("go mate x");
    client.hear("checkmate ");
    client.quit();
}
