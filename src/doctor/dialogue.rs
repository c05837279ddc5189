//! A dialogue that was logged: the first thing that went wrong in it.

use std::collections::BTreeMap;

use super::clock::{Allowance, allowance};
use super::finding::{Findings, Grade};
use super::log_line::{LogLine, Speaker, parse};
use super::usi_line::{judge_best, judge_info, judge_option, position, side};
use crate::platform::wording::counted;
use crate::position::Position;

/// Seconds that clients give: for `usiok`, of silence before `readyok`, after `stop`.
const USIOK: f64 = 5.0;
const SILENCE: f64 = 30.0;
const STOP: f64 = 2.0;
/// Faults that are named.
const NAMED: usize = 5;

/// Reads a log and names what went wrong, the first thing first.
pub fn read_log(bytes: &[u8]) -> Findings {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => encoding_rs::SHIFT_JIS.decode(bytes).0,
    };
    let lines: Vec<(usize, LogLine)> =
        (1..).zip(text.lines()).filter_map(|(number, line)| Some((number, parse(line)?))).collect();
    let mut findings = Findings::default();
    if lines.is_empty() {
        findings.fault("log", "there is no line of USI in it");
        return findings;
    }
    // Clocks that show whole seconds say nothing about less.
    let exact = lines.iter().any(|(_, line)| line.time.is_some_and(|time| time.fract() != 0.0));
    let mut reader = Reader { margin: if exact { 0.05 } else { 1.0 }, ..Reader::default() };
    let mut engines: BTreeMap<String, Engine> = BTreeMap::new();
    for (number, line) in &lines {
        let engine = engines.entry(line.engine.clone()).or_default();
        reader.place = Place { number: *number, time: line.time };
        match line.speaker {
            Speaker::Client => reader.client_says(engine, &line.text),
            Speaker::Engine => reader.engine_says(engine, &line.text),
        }
    }
    for engine in engines.values() {
        reader.end(engine);
    }
    let searches = engines.values().map(|engine| engine.searches).sum::<usize>();
    findings.fine(
        "log",
        format!("{}, {}", counted(lines.len(), "line of USI", "lines of USI"), counted(searches, "search", "searches")),
    );
    if lines.iter().all(|(_, line)| line.time.is_none()) {
        findings.warn("log", "it has no times: who was late cannot be told");
    }
    // What was noticed at the end of the log may have begun before other things.
    reader.troubles.sort_by_key(|trouble| trouble.number);
    let count = reader.troubles.len();
    if count == 0 {
        findings.fine("first fault", "none: everybody answered, in time and well-formed");
    }
    for (place, trouble) in reader.troubles.into_iter().take(NAMED).enumerate() {
        let topic = if place == 0 { "first fault" } else { "then" };
        findings.add(topic, trouble.grade, format!("line {}: {}", trouble.number, trouble.text));
    }
    if count > NAMED {
        findings.fine("then", format!("{} more", count - NAMED));
    }
    findings
}

/// Where in the log a line stands.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    number: usize,
    time: Option<f64>,
}

impl Place {
    /// Seconds since another place, also over midnight.
    fn since(self, other: Self) -> Option<f64> {
        let passed = self.time? - other.time?;
        Some(if passed < -43_200.0 { passed + 86_400.0 } else { passed })
    }
}

struct Trouble {
    number: usize,
    grade: Grade,
    text: String,
}

#[derive(Default)]
struct Reader {
    margin: f64,
    place: Place,
    troubles: Vec<Trouble>,
}

/// What is known of one engine.
#[derive(Default)]
struct Engine {
    /// `usi` and `isready` that are not answered yet.
    usi: Option<Place>,
    isready: Option<Place>,
    /// Its last line.
    spoke: Option<Place>,
    position: Option<Position>,
    search: Option<Search>,
    searches: usize,
    quit: bool,
}

/// A `go` without an answer.
struct Search {
    begun: Place,
    /// When its clock started: at `go`, or at `ponderhit`.
    clock: Option<Place>,
    stopped: Option<Place>,
    allowance: Allowance,
    arguments: String,
}

impl Reader {
    fn trouble(&mut self, grade: Grade, text: String) {
        self.troubles.push(Trouble { number: self.place.number, grade, text });
    }

    fn fault(&mut self, text: String) {
        self.trouble(Grade::Fault, text);
    }

    fn warn(&mut self, text: String) {
        self.trouble(Grade::Warning, text);
    }

    fn client_says(&mut self, engine: &mut Engine, text: &str) {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match word {
            // A new process begins with it.
            "usi" => *engine = Engine { usi: Some(self.place), searches: engine.searches, ..Engine::default() },
            "isready" => engine.isready = Some(self.place),
            "position" => match position(rest) {
                Ok(position) => engine.position = Some(position),
                Err(why) => {
                    engine.position = None;
                    self.fault(format!("the client's position is wrong: {why}"));
                }
            },
            "go" => {
                if let Some(ready) = engine.isready {
                    self.warn(format!("the client says go before the readyok to line {}", ready.number));
                }
                if let Some(search) = &engine.search {
                    let begun = search.begun.number;
                    self.fault(format!("the client says go while the search of line {begun} is not answered"));
                }
                let to_move = engine.position.as_ref().map_or(crate::types::Color::Black, Position::side_to_move);
                let allowance = allowance(rest, to_move);
                engine.searches += 1;
                engine.search = Some(Search {
                    begun: self.place,
                    clock: (!allowance.waits).then_some(self.place),
                    stopped: None,
                    allowance,
                    arguments: rest.to_owned(),
                });
            }
            "ponderhit" => match &mut engine.search {
                Some(search) => {
                    search.clock = Some(self.place);
                    search.allowance.waits = false;
                }
                None => self.warn("the client says ponderhit when nothing is searched".to_owned()),
            },
            "stop" => {
                if let Some(search) = &mut engine.search {
                    search.stopped.get_or_insert(self.place);
                }
            }
            "quit" => engine.quit = true,
            _ => {}
        }
    }

    fn engine_says(&mut self, engine: &mut Engine, text: &str) {
        let last = engine.spoke.replace(self.place);
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match word {
            "option" => {
                if let Err(why) = judge_option(text) {
                    self.fault(format!("the engine's option is malformed: {why}"));
                }
            }
            "usiok" => {
                let waited = engine.usi.take().and_then(|asked| self.place.since(asked));
                if let Some(waited) = waited.filter(|waited| *waited > USIOK + self.margin) {
                    self.fault(format!("the engine said usiok after {waited:.1} s: Shogidokoro gives {USIOK} s"));
                }
            }
            "readyok" => {
                let asked = engine.isready.take();
                let since = asked.into_iter().chain(last).max_by_key(|place| place.number);
                let silent = since.and_then(|since| self.place.since(since));
                if let Some(silent) = silent.filter(|silent| *silent > SILENCE + self.margin) {
                    self.fault(format!(
                        "the engine was silent for {silent:.1} s before readyok: ShogiGUI gives {SILENCE} s"
                    ));
                }
            }
            "info" => {
                if let Some(position) = engine.search.as_ref().and(engine.position.as_ref())
                    && let Err(why) = judge_info(text, position)
                {
                    self.warn(format!("the engine's info is malformed: {why}"));
                }
                if rest.to_ascii_lowercase().starts_with("string error") {
                    self.warn(format!("the engine says: {rest}"));
                }
            }
            "bestmove" | "checkmate" => self.answer(engine, word, rest),
            "" | "id" | "copyprotection" | "registration" => {}
            _ if engine.usi.is_some() || engine.search.is_some() => {
                self.warn(format!("the engine says what is not USI: {text}"));
            }
            _ => {}
        }
    }

    fn answer(&mut self, engine: &mut Engine, word: &str, rest: &str) {
        let Some(search) = engine.search.take() else {
            self.fault(format!("the engine says {word} {rest}, which nobody asked for"));
            return;
        };
        if (word == "checkmate") != search.allowance.mate {
            self.fault(format!("the engine answers go {} by {word}", search.arguments));
        }
        if search.allowance.waits && search.stopped.is_none() {
            self.fault(format!("the engine answers go {} before stop or ponderhit", search.arguments));
        }
        if let (Some(time), Some(used)) =
            (search.allowance.time, search.clock.and_then(|clock| self.place.since(clock)))
        {
            let over = used - time.as_secs_f64();
            if over > self.margin && search.stopped.is_none() {
                self.fault(format!("the engine was late: {used:.2} s of {:.2} s", time.as_secs_f64()));
            }
        }
        if let Some(waited) = search.stopped.and_then(|stop| self.place.since(stop))
            && waited > STOP + self.margin
        {
            self.fault(format!("the engine answered stop after {waited:.1} s: some clients kill it after {STOP} s"));
        }
        if word == "bestmove"
            && let Some(position) = &engine.position
            && let Err(why) = judge_best(rest.split_whitespace().next().unwrap_or_default(), position)
        {
            let mover = side(position);
            self.fault(format!("the engine's move is not legal ({mover} is to move): bestmove {rest}: {why}"));
        }
    }

    /// What was still waited for when the log ended.
    fn end(&mut self, engine: &Engine) {
        let last = self.place;
        let waited = |since: Place| last.since(since).map_or_else(String::new, |time| format!(" for {time:.1} s"));
        let mut silent = |since: Place, text: String| {
            self.troubles.push(Trouble { number: since.number, grade: Grade::Fault, text });
        };
        if let Some(usi) = engine.usi {
            silent(usi, format!("usi was never answered{} until the end of the log", waited(usi)));
        }
        if let Some(ready) = engine.isready {
            silent(ready, format!("isready was never answered{} until the end of the log", waited(ready)));
        }
        // A search that is cut off by quit or by the end of a log is not a fault by itself.
        if let Some(search) = &engine.search {
            let overdue = match (search.allowance.time, search.clock.and_then(|clock| last.since(clock))) {
                (Some(time), Some(used)) => used > time.as_secs_f64() + 1.0,
                _ => false,
            };
            let deaf = search.stopped.is_some_and(|stop| last.since(stop).is_none_or(|time| time > STOP));
            if deaf || (overdue && !engine.quit) {
                let after = if deaf { " and stop" } else { "" };
                let text = format!(
                    "the engine stopped answering: no answer to go {}{after}{}",
                    search.arguments,
                    waited(search.begun)
                );
                silent(search.begun, text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The grade and the text of the first fault.
    fn first(log: &str) -> (Grade, String) {
        let findings = read_log(log.as_bytes());
        let found = findings.iter().find(|finding| finding.topic == "first fault").expect("a verdict");
        (found.grade, found.text.clone())
    }

    const START: &str = "0.000 > usi\n0.010 < id name x\n0.020 < usiok\n0.030 > isready\n0.500 < readyok\n1.000 > position startpos moves 7g7f\n";

    #[test]
    fn a_good_game_has_no_fault() {
        let log = format!(
            "{START}1.100 > go btime 0 wtime 0 byoyomi 1000\n1.500 < info depth 3 score cp 5 pv 3c3d\n2.050 < bestmove 3c3d\n\
             2.100 > go ponder btime 0 wtime 0 byoyomi 1000\n9.000 > ponderhit\n9.900 < bestmove 8c8d\n9.950 > quit\n"
        );
        assert_eq!(first(&log).0, Grade::Fine, "{:?}", first(&log));
    }

    #[test]
    fn the_first_thing_that_went_wrong_is_named() {
        for (rest, number, words) in [
            (
                "1.1 > go byoyomi 1000\n3.0 < bestmove 3c3d\n3.1 > go nodes 1\n3.2 < bestmove 1a9i",
                8,
                "late: 1.90 s of 1.00 s",
            ),
            ("1.1 > go nodes 1\n3.0 < bestmove 7g7f", 8, "not legal (White is to move)"),
            ("1.1 > go infinite\n3.0 < bestmove 3c3d", 8, "before stop or ponderhit"),
            ("1.1 > go infinite\n2.0 > stop\n6.0 < bestmove 3c3d", 9, "after 4.0 s"),
            (
                "1.1 > go byoyomi 500\n9.0 > gameover lose",
                7,
                "stopped answering: no answer to go byoyomi 500 for 7.9 s",
            ),
            ("1.1 > go infinite\n2.0 > stop\n9.0 > gameover lose", 7, "and stop"),
            ("1.1 > go mate 500\n1.3 < bestmove 3c3d", 8, "answers go mate 500 by bestmove"),
            ("1.1 < bestmove 3c3d", 7, "nobody asked for"),
            ("1.1 > position startpos moves 7g7f 7g7f", 7, "the client's position is wrong: move 2: 7g7f"),
            ("1.1 > go nodes 5\n1.2 < info depth x\n1.3 < bestmove 3c3d", 8, "info is malformed"),
            ("1.1 > usi\n1.2 < option name A B type check default true\n1.3 < usiok", 8, "blanks"),
            ("1.1 > usi\n9.2 < usiok", 8, "usiok after 8.1 s"),
            ("1.1 > isready\n50.0 < readyok", 8, "silent for 48.9 s"),
            ("1.1 > isready\n50.0 > quit", 7, "isready was never answered"),
            (
                "1.1 > isready\n1.2 > go movetime 1000\n9.0 < readyok\n9.1 < bestmove 3c3d",
                8,
                "go before the readyok to line 7",
            ),
        ] {
            let (grade, text) = first(&format!("{START}{rest}\n"));
            assert!(grade != Grade::Fine && text.starts_with(&format!("line {number}: ")), "{rest}: {text}");
            assert!(text.contains(words), "{rest}: {text}");
        }
        assert_eq!(read_log(b"a letter\n").worst(), Grade::Fault);
    }

    #[test]
    fn engines_are_told_apart_and_code_pages_are_read() {
        let log = "> 1:usi\n> 2:usi\n< 1:usiok\n< 2:usiok\n> 1:isready\n< 2:readyok\n";
        assert!(first(log).1.starts_with("line 5: isready was never answered"), "{:?}", first(log));
        let (bytes, ..) =
            encoding_rs::SHIFT_JIS.encode("00:00:01 > setoption name EvalDir value 評価\n00:00:02 < bestmove 7g7f\n");
        assert_eq!(read_log(&bytes).worst(), Grade::Fault);
    }
}
