//! A USI engine that plays random legal moves at once, with faults that its arguments choose.
//!
//! Arguments, each `key` or `key=value`; `@K` means "at the K-th `go` of the process, and only then": `greedy` mates in
//! one, or else plays what leaves it the most material one ply ahead (at random among equals); `sleep=MS` before
//! each answer; `chatty` prints info lines; `score=CP` in them; `resign-after=PLY`; `mute=usi`, `mute=isready` never
//! answer those; `crash@K`, `exit-early` (before `usiok`), `hang@K` (ignores `stop`), `late=MS@K`, `flood@K` (100 MB),
//! `half@K` (half a line, then silence), `half-exit@K`, `twice` (every answer twice), `noise` (rubbish before every
//! answer), `grumble` (300 kB on stderr before every answer), `crash-after-game`, `illegal@K`, `garbage@K`, `empty@K`,
//! `win@K`, `resign@K`, `illegal-line@K` (in what `chatty` shows); `ignore-quit` (also the end of its input); `deaf@K`;
//! `log=FILE` logs its input; `pulse=FILE` grows that file as long as the process lives; `picky` rejects every option; `needs=NAME:VALUE` ends the process at
//! `isready` unless that option has been set so.

use std::io::{BufRead, Write, stdin, stdout};
use std::thread::sleep;
use std::time::Duration;

use hagane::position::{Position, exchange_value};
use hagane::types::Move;

struct Stub {
    arguments: Vec<String>,
    go_count: u32,
    random: u64,
    /// The `setoption` lines so far.
    options: Vec<String>,
}

impl Stub {
    fn has(&self, key: &str) -> bool {
        self.arguments.iter().any(|argument| argument == key)
    }

    fn value(&self, key: &str) -> Option<u64> {
        let text = self.arguments.iter().find_map(|a| a.strip_prefix(key)?.strip_prefix('='))?;
        text.split('@').next()?.parse().ok()
    }

    /// Whether `key@K` or `key=VALUE@K` applies now.
    fn due(&self, key: &str) -> bool {
        self.arguments.iter().any(|argument| {
            let Some((what, at)) = argument.split_once('@') else {
                return false;
            };
            let what = what.split('=').next().unwrap_or("");
            what == key && at.parse() == Ok(self.go_count)
        })
    }

    /// Appends an input line to the file of `log=`.
    fn log(&self, line: &str) {
        let file = self.arguments.iter().find_map(|a| a.strip_prefix("log="));
        if let Some(file) = file {
            let mut options = std::fs::OpenOptions::new();
            let mut file = options.append(true).create(true).open(file).expect("the log can be written");
            let _ = writeln!(file, "{line}");
        }
    }

    fn is_content(&self) -> bool {
        let mut needs = self.arguments.iter().filter_map(|a| a.strip_prefix("needs=")?.split_once(':'));
        needs.all(|(name, value)| {
            let head = format!("setoption name {name} value ");
            let mut set = self.options.iter().rev();
            set.find_map(|line| line.strip_prefix(&head)) == Some(value)
        })
    }

    fn say(&self, text: &str) {
        // One write, so that nothing comes between the two lines of a double answer. A closed pipe ends the engine.
        let text = format!("{text}\n");
        if stdout().write_all(text.as_bytes()).and_then(|()| stdout().flush()).is_err() && !self.has("ignore-quit") {
            std::process::exit(0);
        }
    }

    fn random_move(&mut self, position: &Position) -> String {
        self.random_of(&position.legal_moves())
    }

    /// One of some moves; resignation where there is none.
    fn random_of(&mut self, moves: &[Move]) -> String {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        match moves.len() {
            0 => "resign".to_owned(),
            count => moves[(self.random >> 33) as usize % count].to_string(),
        }
    }

    /// A mate in one, or else the best move by the material after it, at random among equals.
    fn greedy_move(&mut self, position: &Position) -> String {
        let value = |mv: Move| {
            let mut after = position.clone();
            after.do_move(mv);
            if after.in_check() && after.legal_moves().is_empty() { i32::MAX } else { -material(&after) }
        };
        let valued: Vec<(i32, Move)> = position.legal_moves().iter().map(|&mv| (value(mv), mv)).collect();
        let best: Vec<Move> = match valued.iter().map(|&(value, _)| value).max() {
            Some(most) => valued.iter().filter(|&&(value, _)| value == most).map(|&(_, mv)| mv).collect(),
            None => Vec::new(),
        };
        self.random_of(&best)
    }

    fn go(&mut self, position: &Position) {
        self.go_count += 1;
        if let Some(ms) = self.value("sleep") {
            sleep(Duration::from_millis(ms));
        }
        if self.due("late") {
            sleep(Duration::from_millis(self.value("late").unwrap_or(0)));
        }
        if self.due("crash") {
            eprintln!("stub: as ordered, I crash");
            std::process::abort();
        }
        if self.due("hang") {
            loop {
                sleep(Duration::from_secs(1));
            }
        }
        if self.due("deaf") {
            // Prints for ever without reading.
            loop {
                self.say("info string deaf");
                sleep(Duration::from_millis(10));
            }
        }
        if self.due("flood") {
            let line = "info string ".to_owned() + &"x".repeat(988);
            for _ in 0..100_000 {
                self.say(&line);
            }
        }
        if self.due("half") || self.due("half-exit") {
            print!("bestmove 7g");
            let _ = stdout().flush();
            if self.due("half-exit") {
                std::process::exit(0);
            }
            return;
        }
        if self.has("grumble") {
            // Far more than a pipe holds: a client that does not read stderr never gets the answer.
            let _ = std::io::stderr().write_all(&[b'x'; 300_000]);
        }
        if self.has("noise") {
            // Binary data, an overlong line, lines that only look like USI.
            let mut rubbish = vec![0xFF, 0x00, 0x80, b'\n'];
            // Longer than the line limit, but only once, so that it is no flood.
            let length = if self.go_count == 1 { 200_000 } else { 2_000 };
            rubbish.extend(std::iter::repeat_n(b'#', length));
            rubbish.extend(b"\nbestmoves 7g7f\n info depth x score cp nonsense pv\n\n");
            let _ = stdout().write_all(&rubbish).and_then(|()| stdout().flush());
        }
        let answer = if self.due("illegal") {
            "9i9a".to_owned()
        } else if self.due("garbage") {
            "xyzzy".to_owned()
        } else if self.due("empty") {
            String::new()
        } else if self.due("win") {
            "win".to_owned()
        } else if self.due("resign")
            || self.value("resign-after").is_some_and(|ply| position.game_length() as u64 >= ply)
        {
            "resign".to_owned()
        } else if self.has("greedy") {
            self.greedy_move(position)
        } else {
            self.random_move(position)
        };
        if self.has("chatty") {
            let score = self.arguments.iter().find_map(|a| a.strip_prefix("score="));
            let score = score.unwrap_or("0");
            let line = if self.due("illegal-line") { "9i9a" } else { &answer };
            for depth in 1..=12 {
                self.say(&format!(
                    "info depth {depth} seldepth {depth} score cp {score} nodes {} nps 100000 time {depth} pv {line}",
                    depth * 1000
                ));
            }
        }
        let line = format!("bestmove {answer}");
        if self.has("twice") {
            self.say(&format!("{line}\n{line}"));
        } else {
            self.say(line.trim_end());
        }
    }
}

/// The material of the side to move beyond the opponent's, on the board and in hand.
fn material(position: &Position) -> i32 {
    let side = |color| {
        let board = position.by_color(color).into_iter().filter_map(|square| position.piece_on(square));
        let hand = position.hand(color).iter().map(|(kind, count)| exchange_value(kind) * count as i32);
        board.map(|piece| exchange_value(piece.piece_type())).sum::<i32>() + hand.sum::<i32>()
    };
    side(position.side_to_move()) - side(!position.side_to_move())
}

/// The position of a `position` line.
fn read_position(line: &str) -> Position {
    let text = line.strip_prefix("position ").unwrap_or("");
    let (base, moves) = text.split_once(" moves").unwrap_or((text, ""));
    let mut position = match base.strip_prefix("sfen ") {
        Some(sfen) => Position::from_sfen(sfen).expect("the arena sends good positions"),
        None => Position::startpos(),
    };
    for token in moves.split_whitespace() {
        position.do_move(token.parse().expect("the arena sends good moves"));
    }
    position
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let random = u64::from(std::process::id());
    let mut stub = Stub { arguments, go_count: 0, random, options: Vec::new() };
    if let Some(file) = stub.arguments.iter().find_map(|a| a.strip_prefix("pulse=")).map(str::to_owned) {
        std::thread::spawn(move || {
            let mut options = std::fs::OpenOptions::new();
            let mut file = options.append(true).create(true).open(file).expect("the pulse can be written");
            while file.write_all(b".").is_ok() {
                sleep(Duration::from_millis(10));
            }
        });
    }
    if let Some(seed) = stub.value("seed") {
        stub.random = seed;
    }
    let mut position = Position::startpos();
    for line in stdin().lock().lines().map_while(Result::ok) {
        stub.log(&line);
        match line.split_whitespace().next().unwrap_or("") {
            "usi" if stub.has("exit-early") => std::process::exit(7),
            "usi" if stub.has("mute=usi") => {}
            "usi" => {
                stub.say("id name Stub");
                stub.say("option name Threads type spin default 1 min 1 max 8");
                stub.say("option name USI_Ponder type check default false");
                stub.say("usiok");
            }
            "isready" if stub.has("mute=isready") => {}
            "isready" if !stub.is_content() => std::process::exit(9),
            "isready" => stub.say("readyok"),
            "setoption" => {
                if stub.has("picky") {
                    stub.say(&format!("No such option: {}", line.split_whitespace().nth(2).unwrap_or("")));
                }
                stub.options.push(line);
            }
            "position" => position = read_position(&line),
            "go" => stub.go(&position),
            "gameover" if stub.has("crash-after-game") => std::process::abort(),
            "quit" if !stub.has("ignore-quit") => return,
            _ => {}
        }
    }
    while stub.has("ignore-quit") {
        sleep(Duration::from_secs(1));
    }
}
