//! Whole dialogues, both sides line by line: the situations of the 34 recorded ones that ShogiHome's bridge is tested
//! with, as far as they are not in the other files here.

use super::server::{EVEN, GAME_ID, Server, summary_on};
use super::{record, start};

const FISCHER: &str =
    "BEGIN Time\nTime_Unit:1sec\nTotal_Time:60\nByoyomi:0\nIncrement:5\nLeast_Time_Per_Move:0\nEND Time";

/// What is said in a game from its summary on.
struct Dialogue<'a> {
    us: char,
    time: &'a str,
    position: &'a str,
    /// The engine's answers.
    answers: &'a [&'a str],
    /// What the server says, and after `<` what it hears.
    lines: &'a [&'a str],
    /// The clocks that the engine is told.
    clocks: &'a [&'a str],
    /// The result, and the record from its last move on.
    end: (&'a str, &'a str),
}

impl Dialogue<'_> {
    #[track_caller]
    fn check(&self) {
        let server = Server::start();
        let answers: Vec<String> = self.answers.iter().map(|answer| format!("answer={answer}")).collect();
        // It keeps the margin itself: what it is told is what the server counts.
        let mut arguments = vec!["margin"];
        arguments.extend(answers.iter().map(String::as_str));
        let client = start(&server, &arguments, |_| {});
        let mut connection = server.log_in();
        connection.send(&summary_on(self.us, self.time, self.position));
        connection.expect(&format!("AGREE {GAME_ID}"));
        connection.send(&format!("START:{GAME_ID}"));
        for line in self.lines {
            match line.strip_prefix('<') {
                Some(heard) => connection.expect(heard),
                None => connection.send(line),
            }
        }
        let report = client.report();
        assert_eq!(report.result, self.end.0, "{:?}", self.lines);
        assert!(report.faults.is_empty(), "{:?}: {:?}", self.lines, report.faults);
        connection.expect("LOGOUT");
        client.engine_hears("quit");
        let told = client.engine_lines();
        let goes: Vec<&str> = told.iter().filter_map(|line| line.strip_prefix("go ")).collect();
        assert_eq!(goes.len(), self.clocks.len(), "{goes:?}");
        for (told, expected) in goes.iter().zip(self.clocks) {
            assert!(is_soon_after(told, expected), "'{told}' instead of '{expected}'");
        }
        let text = record(client.end().1.path());
        assert!(text.contains(self.end.1), "{:?}: {text}", self.lines);
    }
}

/// Whether an engine was told these clocks, or what was left of them a moment later.
fn is_soon_after(told: &str, expected: &str) -> bool {
    let (told, expected): (Vec<&str>, Vec<&str>) = (told.split(' ').collect(), expected.split(' ').collect());
    let word_fits = |(told, expected): (&&str, &&str)| match (told.parse::<u64>(), expected.parse::<u64>()) {
        (Ok(told), Ok(expected)) => told <= expected && expected - told < 2000,
        _ => told == expected,
    };
    told.len() == expected.len() && told.iter().zip(&expected).all(word_fits)
}

#[test]
fn captures_promotions_drops_and_moves_that_cost_nothing() {
    Dialogue {
        us: '-',
        time: FISCHER,
        position: EVEN,
        answers: &["3c3d", "2b8h+", "B*5e", "resign"],
        lines: &[
            "+7776FU,T2",
            "<-3334FU",
            "-3334FU,T0\n+2726FU,T1",
            "<-2288UM",
            "-2288UM,T0\n+7988GI,T3",
            "<-0055KA",
            "-0055KA,T0\n+3948GI,T1",
            "<%TORYO",
            "%TORYO,T0\n#RESIGN\n#LOSE",
        ],
        clocks: &[
            "btime 63000 wtime 60000 binc 5000 winc 5000",
            "btime 67000 wtime 65000 binc 5000 winc 5000",
            "btime 69000 wtime 70000 binc 5000 winc 5000",
            "btime 73000 wtime 75000 binc 5000 winc 5000",
        ],
        end: ("lose", "-0055KA\nT0\n+3948GI\nT1\n%TORYO\n"),
    }
    .check();
}

/// Three moves of White's after moves of Black's that cost 5, 7 and 25 s; White's own cost 3, 2 and 1.
#[track_caller]
fn check_clocks(time: &str, clocks: [&str; 3]) {
    Dialogue {
        us: '-',
        time,
        position: EVEN,
        answers: &["8c8d", "8d8e", "3c3d"],
        lines: &[
            "+2726FU,T5",
            "<-8384FU",
            "-8384FU,T3\n+2625FU,T7",
            "<-8485FU",
            "-8485FU,T2.5\n+6978KI,T25.",
            "<-3334FU",
            "-3334FU,T1\n#TIME_UP\n#WIN",
        ],
        clocks: &clocks,
        end: ("win", "-8485FU\nT2.500\n+6978KI\nT25\n-3334FU\nT1\n%TIME_UP\n"),
    }
    .check();
}

#[test]
fn clocks_of_every_kind() {
    let block = |keys: &str| format!("BEGIN Time\n{keys}\nEND Time");
    let byoyomi = ["btime 595000 wtime 600000 byoyomi 10000", "btime 588000 wtime 597000 byoyomi 10000"];
    check_clocks(
        &block("Time_Unit:1sec\nTotal_Time:600\nByoyomi:10\nLeast_Time_Per_Move:1"),
        [byoyomi[0], byoyomi[1], "btime 563000 wtime 594500 byoyomi 10000"],
    );
    // Where a begun second is charged in full, the last one is lost.
    check_clocks(
        &block("Time_Unit:1sec\nTotal_Time:600\nByoyomi:10\nTime_Roundup:YES"),
        [
            "btime 595000 wtime 599000 byoyomi 10000",
            "btime 588000 wtime 596000 byoyomi 10000",
            "btime 563000 wtime 593500 byoyomi 10000",
        ],
    );
    // More is charged than was left.
    check_clocks(
        &block("Total_Time:10\nByoyomi:30"),
        [
            "btime 5000 wtime 10000 byoyomi 30000",
            "btime 0 wtime 7000 byoyomi 30000",
            "btime 0 wtime 4500 byoyomi 30000",
        ],
    );
    check_clocks(
        &block("Total_Time:60"),
        ["btime 55000 wtime 60000 byoyomi 0", "btime 48000 wtime 57000 byoyomi 0", "btime 23000 wtime 54500 byoyomi 0"],
    );
    // Times of moves are seconds whatever the unit.
    for keys in ["Time_Unit:1msec\nTotal_Time:60000\nByoyomi:5000", "Time_Unit:1min\nTotal_Time:1\nByoyomi:0.0833334"] {
        check_clocks(
            &block(keys),
            [
                "btime 55000 wtime 60000 byoyomi 5000",
                "btime 48000 wtime 57000 byoyomi 5000",
                "btime 23000 wtime 54500 byoyomi 5000",
            ],
        );
    }
    // USI has byoyomi or increments, and our own is what counts.
    let black = "BEGIN Time+\nTotal_Time:600\nByoyomi:0\nIncrement:10\nEND Time+\n";
    check_clocks(
        &format!("{black}BEGIN Time-\nTotal_Time:600\nByoyomi:30\nIncrement:0\nEND Time-"),
        [
            "btime 605000 wtime 600000 byoyomi 30000",
            "btime 608000 wtime 597000 byoyomi 30000",
            "btime 593000 wtime 594500 byoyomi 30000",
        ],
    );
    check_clocks(
        &format!("{black}BEGIN Time-\nTotal_Time:60\nEND Time-"),
        [
            "btime 605000 wtime 60000 binc 10000 winc 0",
            "btime 608000 wtime 57000 binc 10000 winc 0",
            "btime 593000 wtime 54500 binc 10000 winc 0",
        ],
    );
}

#[test]
fn a_game_that_goes_on_from_moves_with_times() {
    for (times, clocks) in [
        // Nobody has more than at the start, even if increments say so.
        ([5, 3, 4], "btime 60000 wtime 60000 binc 5000 winc 5000"),
        ([25, 20, 4], "btime 41000 wtime 45000 binc 5000 winc 5000"),
    ] {
        let [first, second, third] = times;
        let position = format!("PI\n+\n+7776FU,T{first}\n-3334FU,T{second}\n+2726FU,T{third}");
        Dialogue {
            us: '-',
            time: FISCHER,
            position: &position,
            answers: &["8c8d"],
            lines: &["<-8384FU", "-8384FU,T1\n%TORYO,T2\n#RESIGN\n#WIN"],
            clocks: &[clocks],
            end: ("win", &format!("+2726FU\nT{third}\n-8384FU\nT1\n%TORYO\n")),
        }
        .check();
    }
}

#[test]
fn declarations_of_the_second_player() {
    // 27 points, which White needs.
    let entered = "P1+OU *  *  *  *  *  *  *  *\nP8-TO-TO-TO-TO *  *  *  *  *\nP9-OU-TO-TO-TO-TO-TO-TO *  *\n\
                   P-00HI00HI00KA00FU00FU\n-";
    for (answer, result, end) in [
        ("%KACHI,T8\n#JISHOGI\n#WIN", "win", "%KACHI\n"),
        // A server with other rules.
        ("%KACHI,T8\n#ILLEGAL_MOVE\n#LOSE", "lose", "%ILLEGAL_MOVE\n"),
    ] {
        Dialogue {
            us: '-',
            time: FISCHER,
            position: entered,
            answers: &["win"],
            lines: &["<%KACHI", answer],
            clocks: &["btime 60000 wtime 60000 binc 5000 winc 5000"],
            end: (result, end),
        }
        .check();
    }
}

/// Three rounds of four moves, ours being the second and the fourth, or the first and the third.
fn rounds(moves: [&str; 4], us: char) -> Vec<String> {
    let mut lines = Vec::new();
    for mv in (0..3).flat_map(|_| moves) {
        if mv.starts_with(us) {
            lines.push(format!("<{mv}"));
        }
        lines.push(format!("{mv},T1"));
    }
    lines
}

#[test]
fn repetitions() {
    let check_as = "P1 *  *  *  * -OU *  *  *  *\nP8 *  *  *  *  * +HI *  *  *\nP9+OU *  *  *  *  *  *  *  *\n+";
    let checked = "P1-OU *  *  *  *  *  *  *  *\nP2 *  *  *  *  * -HI *  *  *\nP9 *  *  *  * +OU *  *  *  *\n-";
    for (position, moves, ours, verdict, end) in [
        (EVEN, ["+2838HI", "-8272HI", "+3828HI", "-7282HI"], ["8b7b", "7b8b"], "#SENNICHITE\n#DRAW", "%SENNICHITE\n"),
        (
            // The last move is ours, the check was the opponent's.
            check_as,
            ["+4858HI", "-5141OU", "+5848HI", "-4151OU"],
            ["5a4a", "4a5a"],
            "#OUTE_SENNICHITE\n#WIN",
            "%ILLEGAL_MOVE\n",
        ),
        (
            // The last move is the opponent's, the check was ours.
            checked,
            ["-4252HI", "+5949OU", "-5242HI", "+4959OU"],
            ["4b5b", "5b4b"],
            "#OUTE_SENNICHITE\n#LOSE",
            "%ILLEGAL_MOVE\n",
        ),
    ] {
        let mut lines = rounds(moves, '-');
        // The result comes in one piece with the last move.
        let last = lines.pop().expect("lines");
        lines.push(format!("{last}\n{verdict}"));
        let server = Server::start();
        let mut answers: Vec<String> = (0..3).flat_map(|_| ours).map(|mv| format!("answer={mv}")).collect();
        // It may be asked before the verdict is read.
        answers.push("answer=wait;resign".to_owned());
        let client = start(&server, &answers.iter().map(String::as_str).collect::<Vec<_>>(), |_| {});
        let mut connection = server.begin('-', position);
        for line in &lines {
            match line.strip_prefix('<') {
                Some(heard) => connection.expect(heard),
                None => connection.send(line),
            }
        }
        let report = client.report();
        assert!(verdict.to_lowercase().ends_with(&report.result), "{verdict}: {}", report.result);
        assert!(report.faults.is_empty(), "{:?}", report.faults);
        let text = record(client.end().1.path());
        assert!(text.contains(&format!("{}\nT1\n{end}", moves[3])), "{text}");
    }
}

#[test]
fn comments_of_odd_information() {
    let lowerbound = "info depth 12 score cp 64 lowerbound multipv 1 pv 8c8d 2f2e";
    let second_line = "info depth 20 score mate 7 pv 8d8e 6i7h;info depth 20 multipv 2 score cp -500 pv 8d8e 1g1f";
    Dialogue {
        us: '-',
        time: FISCHER,
        position: EVEN,
        answers: &[
            &format!("info string thinking;{lowerbound};8c8d"),
            &format!("{second_line};8d8e"),
            "info depth 5 nodes 900 currmove 3c3d score cp 12;3c3d",
            "info depth 5 nodes 900;4a3b",
        ],
        lines: &[
            "+2726FU,T2",
            "<-8384FU,'* -64 +2625FU",
            "-8384FU,T1\n+2625FU,T2",
            "<-8485FU,'* -99993 +6978KI",
            "-8485FU,T1\n+6978KI,T3",
            "<-3334FU,'* -12",
            "-3334FU,T1\n+1716FU,T1",
            "<-4132KI",
            "-4132KI,T1\n%TORYO,T2\n#RESIGN\n#WIN",
        ],
        clocks: &[
            "btime 63000 wtime 60000 binc 5000 winc 5000",
            "btime 66000 wtime 64000 binc 5000 winc 5000",
            "btime 68000 wtime 68000 binc 5000 winc 5000",
            "btime 72000 wtime 72000 binc 5000 winc 5000",
        ],
        end: ("win", "-3334FU\nT1\n'** -12\n+1716FU\nT1\n-4132KI\nT1\n%TORYO\n"),
    }
    .check();
}
