//! A USI engine that answers from a script.
//!
//! Arguments: `name=NAME`, `log=FILE` (its input), `margin` (offers `NetworkDelay2` and what else servers ask for),
//! `count=FILE` (answers given so far, so that a process started again goes on), and `answer=SCRIPT`, one for each
//! answer in turn. A script has steps with `;` between them: `info ...` is printed; `sleep MS`; `wait` waits for `stop`;
//! `crash`; `hang` never answers again; `flood`; `silent` gives no answer to this search; anything else is what follows
//! `bestmove`. After the last script it resigns. While it ponders it waits for `ponderhit` or `stop`.
//!
//! `chatter=N`: it prints for five seconds before its N-th `readyok`. `exit`: it ends after its first `readyok`, in the
//! first of the processes that share a `count`.

use std::io::{BufRead, Write, stdin, stdout};
use std::time::Duration;

struct Engine {
    arguments: Vec<String>,
    /// Answers given.
    given: usize,
    /// `readyok`s given.
    readied: usize,
    pondering: bool,
    /// The rest of a script that waits for `stop`.
    waiting: Option<Vec<String>>,
}

fn say(text: &str) {
    println!("{text}");
    let _ = stdout().flush();
}

impl Engine {
    fn value(&self, key: &str) -> Option<&str> {
        self.arguments.iter().find_map(|argument| argument.strip_prefix(key)?.strip_prefix('='))
    }

    fn ready(&mut self) {
        self.readied += 1;
        if self.value("chatter") == Some(&self.readied.to_string()) {
            for _ in 0..250 {
                say("info string loading");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        say("readyok");
        if self.arguments.iter().any(|argument| argument == "exit")
            && let Some(file) = self.value("count")
            && !std::path::Path::new(file).exists()
        {
            std::fs::write(file, "0").expect("the count can be written");
            std::process::exit(0);
        }
    }

    fn answer(&mut self) {
        let script = self.arguments.iter().filter_map(|argument| argument.strip_prefix("answer=")).nth(self.given);
        let steps = script.unwrap_or("resign").split(';').map(str::to_owned).collect();
        self.given += 1;
        if let Some(file) = self.value("count") {
            std::fs::write(file, self.given.to_string()).expect("the count can be written");
        }
        self.carry_out(steps);
    }

    fn carry_out(&mut self, steps: Vec<String>) {
        for (index, step) in steps.iter().enumerate() {
            match step.split(' ').next().unwrap_or("") {
                "info" => say(step),
                "sleep" => {
                    let ms = step.split(' ').nth(1).and_then(|ms| ms.parse().ok());
                    std::thread::sleep(Duration::from_millis(ms.unwrap_or(0)));
                }
                "wait" => {
                    self.waiting = Some(steps[index + 1..].to_vec());
                    return;
                }
                "crash" => std::process::abort(),
                "hang" => loop {
                    std::thread::sleep(Duration::from_secs(1));
                },
                "flood" => {
                    let line = "info string ".to_owned() + &"x".repeat(988);
                    (0..50_000).for_each(|_| println!("{line}"));
                }
                "silent" => {}
                _ => say(&format!("bestmove {step}")),
            }
        }
    }
}

fn main() {
    let mut engine =
        Engine { arguments: std::env::args().skip(1).collect(), given: 0, readied: 0, pondering: false, waiting: None };
    if let Some(file) = engine.value("count") {
        engine.given = std::fs::read_to_string(file).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    }
    for line in stdin().lock().lines().map_while(Result::ok) {
        if let Some(file) = engine.value("log") {
            let mut file = std::fs::OpenOptions::new().append(true).create(true).open(file).expect("the log opens");
            let _ = writeln!(file, "{line}");
        }
        let mut words = line.split(' ');
        match (words.next().unwrap_or(""), words.next()) {
            ("usi", _) => {
                say(&format!("id name {}", engine.value("name").unwrap_or("Scripted")));
                say("option name USI_Ponder type check default false");
                say("option name MaxMovesToDraw type spin default 0 min 0 max 100000");
                if engine.arguments.iter().any(|argument| argument == "margin") {
                    say("option name NetworkDelay type spin default 15 min 0 max 10000");
                    say("option name NetworkDelay2 type spin default 30 min 0 max 10000");
                    say("option name RoundUpToFullSecond type check default false");
                }
                say("usiok");
            }
            ("isready", _) => engine.ready(),
            ("go", Some("ponder")) => engine.pondering = true,
            ("go", _) => engine.answer(),
            ("ponderhit", _) if engine.pondering => {
                engine.pondering = false;
                engine.answer();
            }
            ("stop", _) if engine.pondering => {
                engine.pondering = false;
                say("bestmove resign");
            }
            ("stop", _) => {
                if let Some(steps) = engine.waiting.take() {
                    engine.carry_out(steps);
                }
            }
            ("quit", _) => return,
            _ => {}
        }
    }
}
