//! An engine is asked what GUIs ask, and must answer as they want it.

use std::time::{Duration, Instant};

use super::finding::Findings;
use super::usi_line::{judge_best, judge_info, judge_option, position};
use crate::client::{Client, ClientError, EngineSpec, Fault, Interrupt};
use crate::position::Position;

/// What Shogidokoro gives an engine until `usiok`; ShogiHome gives 10 s.
const USIOK: Duration = Duration::from_secs(5);
/// How long an engine may be silent before `readyok`: ShogiGUI.
const SILENCE: Duration = Duration::from_secs(30);
/// What some give until the answer to `stop`.
const STOP: Duration = Duration::from_secs(2);
/// Pipes and a busy machine may add this to an answer.
const MARGIN: Duration = Duration::from_millis(50);
/// When an answer is waited for no longer.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long the searches of an examination are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Half a second: for this program, which is asked on every visit.
    Quick,
    /// A second, what games begin at.
    Thorough,
}

impl Pace {
    const fn millis(self) -> u64 {
        match self {
            Self::Quick => 500,
            Self::Thorough => 1000,
        }
    }
}

/// Starts an engine and examines it. What it reports of itself before `readyok` (`info string`) is among the findings.
pub fn examine(engine: &EngineSpec, pace: Pace, interrupt: &Interrupt) -> Findings {
    let mut findings = Findings::default();
    match Client::start_silently(engine, interrupt) {
        Err(error) => findings.fault("start", error.to_string()),
        Ok(client) => {
            let mut exam = Exam { client, findings: Findings::default(), info_fault: None, timeout: STOP };
            let outcome = exam.run(pace);
            if let Some(why) = exam.info_fault.take() {
                exam.findings.warn("info", why);
            }
            findings = exam.findings;
            match outcome {
                Err(error) => findings.fault("end", error.to_string()),
                Ok(()) => match exam.client.quit() {
                    Ok(()) => findings.fine("quit", "ended at quit"),
                    Err(error) => findings.fault("quit", error.to_string()),
                },
            }
        }
    }
    findings
}

struct Exam {
    client: Client,
    findings: Findings,
    /// The first `info` line that is not as it should be.
    info_fault: Option<String>,
    /// How long an answer to `stop` is waited for.
    timeout: Duration,
}

/// What came after a command.
struct Heard {
    /// The lines, without the last one where it is the one that was waited for.
    lines: Vec<String>,
    /// The line that was waited for, and after what time.
    answer: Option<(Duration, String)>,
    /// The longest time without a line.
    silence: Duration,
}

impl Heard {
    /// The word after the answer's first.
    fn word(&self) -> &str {
        let answer = self.answer.as_ref().map_or("", |(_, line)| line);
        answer.split_whitespace().nth(1).unwrap_or_default()
    }
}

impl Exam {
    /// The examination, as far as the engine lives.
    fn run(&mut self, pace: Pace) -> Result<(), ClientError> {
        if !self.handshake()? || !self.ready()? {
            return Ok(());
        }
        let budget = pace.millis();
        // A move from a book says nothing about the clock.
        self.say("setoption name USI_OwnBook value false")?;
        self.say("usinewgame")?;
        self.clock("byoyomi", &format!("btime 0 wtime 0 byoyomi {budget}"), Duration::from_millis(budget))?;
        let fischer = format!("btime 0 wtime 0 binc {budget} winc {budget}");
        self.clock("increment", &fischer, Duration::from_millis(budget))?;
        self.infinite()?;
        self.ponder(budget)?;
        self.mate(budget)?;
        self.say("gameover draw")?;
        // Clients begin the next game at once.
        let again = self.ask("isready", &["readyok"], PATIENCE)?;
        match again.answer {
            Some((time, _)) => self.findings.fine("next game", format!("readyok after {}", seconds(time))),
            None => self.findings.fault("next game", "no readyok after gameover"),
        }
        Ok(())
    }

    fn say(&mut self, line: &str) -> Result<(), ClientError> {
        self.client.send(line)
    }

    /// Says something and listens until a line begins with one of some words, or nothing has come for `patience`.
    fn ask(&mut self, line: &str, answers: &[&str], patience: Duration) -> Result<Heard, ClientError> {
        let start = Instant::now();
        self.say(line)?;
        self.listen(start, answers, patience)
    }

    fn listen(&mut self, start: Instant, answers: &[&str], patience: Duration) -> Result<Heard, ClientError> {
        let mut heard = Heard { lines: Vec::new(), answer: None, silence: Duration::ZERO };
        let mut last = start;
        // An engine that talks for ever without answering must not hold us for ever.
        while start.elapsed() < patience * 10 {
            let next = self.client.next_line(patience).inspect_err(|_| {
                // Often the reason.
                if let Some(line) = heard.lines.last() {
                    self.findings.warn("last words", line.as_str());
                }
            });
            let Some((at, line)) = next? else {
                heard.silence = heard.silence.max(last.elapsed());
                break;
            };
            heard.silence = heard.silence.max(at.saturating_duration_since(last));
            last = at;
            if answers.contains(&line.split_whitespace().next().unwrap_or_default()) {
                heard.answer = Some((at.saturating_duration_since(start), line));
                break;
            }
            heard.lines.push(line);
        }
        Ok(heard)
    }

    /// `usi`: the name, the options, the time. `false` where going on has no sense.
    fn handshake(&mut self) -> Result<bool, ClientError> {
        let heard = self.ask("usi", &["usiok"], PATIENCE)?;
        let Some((time, answer)) = &heard.answer else {
            self.findings.fault("usi", format!("no usiok within {PATIENCE:?}: this is no USI engine"));
            return Ok(false);
        };
        let text = format!("usiok after {}", seconds(*time));
        match *time > USIOK {
            true => self.findings.fault("usi", format!("{text}: Shogidokoro gives {USIOK:?}")),
            false => self.findings.fine("usi", text),
        }
        if answer != "usiok" {
            self.findings.warn("usi", format!("'{answer}' has more than the word: ShogiHome does not see it"));
        }
        match heard.lines.iter().find_map(|line| line.strip_prefix("id name ")) {
            Some(name) if name.is_ascii() => self.findings.fine("name", name),
            Some(name) => self.findings.warn("name", format!("{name} is not ASCII: some clients garble it")),
            None => self.findings.fault("name", "no 'id name': some clients do not go on"),
        }
        let options: Vec<&String> = heard.lines.iter().filter(|line| line.starts_with("option")).collect();
        let mut bad = options.iter().filter_map(|line| Some((line, judge_option(line).err()?)));
        match bad.next() {
            None => self.findings.fine("options", format!("{}, all well-formed", options.len())),
            Some((line, why)) => self.findings.fault("options", format!("{line}: {why}")),
        }
        if let Some(long) = options.iter().find(|line| line.len() > 1023) {
            self.findings.warn("options", format!("a line of {} bytes: UCI2WB reads 1023", long.len()));
        }
        let is_known = |line: &&String| {
            let first = line.split_whitespace().next().unwrap_or_default();
            ["", "id", "option", "info", "copyprotection", "registration"].contains(&first)
        };
        if let Some(noise) = heard.lines.iter().find(|line| !is_known(line)) {
            self.findings.warn("usi", format!("says '{noise}', which is not USI"));
        }
        Ok(true)
    }

    /// `isready`: the time, and what the engine says of itself.
    fn ready(&mut self) -> Result<bool, ClientError> {
        let heard = self.ask("isready", &["readyok"], SILENCE * 2)?;
        for note in heard.lines.iter().filter_map(|line| line.strip_prefix("info string ")) {
            match is_complaint(note) {
                true => self.findings.warn("it says", note),
                false => self.findings.fine("it says", note),
            }
        }
        let Some((time, _)) = heard.answer else {
            self.findings.fault("isready", format!("no readyok, and silent for {}", seconds(heard.silence)));
            return Ok(false);
        };
        let text = format!("readyok after {}", seconds(time));
        match heard.silence > SILENCE {
            true => {
                self.findings.fault("isready", format!("{text}, silent for more than {SILENCE:?}: ShogiGUI gives up"))
            }
            false => self.findings.fine("isready", text),
        }
        Ok(true)
    }

    /// Begins a search of a position; returns when, and that position.
    fn go(&mut self, text: &str, arguments: &str) -> Result<(Instant, Position), ClientError> {
        self.say(&format!("position {text}"))?;
        let start = self.client.go(arguments)?;
        Ok((start, position(text).unwrap_or_else(|_| Position::startpos())))
    }

    /// A move by the clock.
    fn clock(&mut self, topic: &'static str, arguments: &str, budget: Duration) -> Result<(), ClientError> {
        let (start, position) = self.go("startpos moves 7g7f", arguments)?;
        let mut heard = self.listen(start, &["bestmove"], PATIENCE)?;
        if heard.answer.is_none() {
            self.findings.fault(topic, format!("no bestmove within {PATIENCE:?} after go {arguments}"));
            heard = self.ask("stop", &["bestmove"], self.timeout)?;
            if heard.answer.is_none() {
                return Err(Fault::NoBestmove(self.timeout).into());
            }
            return Ok(());
        }
        self.judge_infos(&heard, &position);
        if let Err(why) = judge_best(heard.word(), &position) {
            self.findings.fault(topic, format!("bestmove {}: {why}", heard.word()));
        }
        let time = heard.answer.as_ref().map_or(Duration::ZERO, |(time, _)| *time);
        let text = format!("a move in {} of {}", seconds(time), seconds(budget));
        match time > budget + MARGIN {
            true => self.findings.fault(topic, format!("{text}: it loses on time")),
            false => self.findings.fine(topic, text),
        }
        let mut infos = heard.lines.iter().filter(|line| line.starts_with("info ") && line.contains(" pv "));
        if infos.next_back().is_none_or(|line| !line.contains(" score ")) && heard.word() != "resign" {
            self.findings.warn(topic, "no info line with score and pv before bestmove: graphs stay empty");
        }
        Ok(())
    }

    fn judge_infos(&mut self, heard: &Heard, position: &Position) {
        let infos = heard.lines.iter().filter(|line| line.starts_with("info "));
        let fault = infos.filter_map(|line| Some(format!("{line}: {}", judge_info(line, position).err()?))).next();
        self.info_fault = self.info_fault.take().or(fault);
    }

    /// A search without end, and `stop`.
    fn infinite(&mut self) -> Result<(), ClientError> {
        let (start, position) = self.go("startpos", "infinite")?;
        let heard = self.listen_until_stop(start)?;
        self.judge_infos(&heard, &position);
        if let Some((time, line)) = heard.answer {
            self.findings.fault("stop", format!("{line} {} after go infinite, without stop", seconds(time)));
            return Ok(());
        }
        self.stop("stop")
    }

    /// Listens for a moment, in which no answer should come.
    fn listen_until_stop(&mut self, start: Instant) -> Result<Heard, ClientError> {
        let until = start + Duration::from_millis(400);
        let mut heard = Heard { lines: Vec::new(), answer: None, silence: Duration::ZERO };
        while let Some((at, line)) = self.client.next_line(until.saturating_duration_since(Instant::now()))? {
            if line.starts_with("bestmove") || line.starts_with("checkmate") {
                heard.answer = Some((at.saturating_duration_since(start), line));
                break;
            }
            heard.lines.push(line);
            if at > until {
                break;
            }
        }
        Ok(heard)
    }

    fn stop(&mut self, topic: &'static str) -> Result<(), ClientError> {
        let heard = self.ask("stop", &["bestmove", "checkmate"], PATIENCE)?;
        let Some((time, _)) = heard.answer else {
            return Err(Fault::NoBestmove(PATIENCE).into());
        };
        let text = format!("an answer {} after stop", seconds(time));
        match time > STOP {
            true => self.findings.fault(topic, format!("{text}: some clients kill it after {STOP:?}")),
            false => self.findings.fine(topic, text),
        }
        Ok(())
    }

    /// Thinking on the opponent's time.
    fn ponder(&mut self, budget: u64) -> Result<(), ClientError> {
        let arguments = format!("ponder btime 0 wtime 0 byoyomi {budget}");
        let (start, _) = self.go("startpos moves 7g7f 3c3d", &arguments)?;
        if let Some((_, line)) = self.listen_until_stop(start)?.answer {
            self.findings.warn("ponder", format!("{line} before ponderhit: leave USI_Ponder off"));
            return Ok(());
        }
        let heard = self.ask("ponderhit", &["bestmove"], PATIENCE)?;
        let Some((time, _)) = heard.answer else {
            self.findings.fault("ponder", format!("no bestmove within {PATIENCE:?} after ponderhit"));
            return self.stop("ponder");
        };
        let text = format!("a move {} after ponderhit", seconds(time));
        match time > Duration::from_millis(budget) + MARGIN {
            true => self.findings.fault("ponder", format!("{text}: it loses on time")),
            false => self.findings.fine("ponder", text),
        }
        Ok(())
    }

    /// A mate problem: gold to 2b mates.
    fn mate(&mut self, budget: u64) -> Result<(), ClientError> {
        let (start, _) = self.go("sfen 7k1/9/7GP/9/9/9/9/9/9 b G 1", &format!("mate {budget}"))?;
        let heard = self.listen(start, &["checkmate", "bestmove"], PATIENCE)?;
        match &heard.answer {
            None => {
                self.findings.warn("mate", "no answer to go mate: a search for mate hangs the client");
                // Whatever it does now, it must not be in the way of what follows.
                let _ = self.ask("stop", &["checkmate", "bestmove"], self.timeout)?;
            }
            Some((_, line)) if line.starts_with("bestmove") => {
                self.findings
                    .warn("mate", format!("answers go mate by {line}: ShogiHome waits for checkmate for ever"));
            }
            Some((_, line)) => match heard.word() {
                "notimplemented" => self.findings.fine("mate", "says that it does not solve mates"),
                "nomate" | "timeout" => self.findings.warn("mate", format!("{line} where there is a mate in one")),
                _ => self.findings.fine("mate", line.clone()),
            },
        }
        Ok(())
    }
}

/// Whether an engine tells of something that it cannot use: a network, a book, an option; in its own words.
fn is_complaint(note: &str) -> bool {
    let note = note.to_ascii_lowercase();
    let words = [
        "not used",
        "engine_options.txt, line",
        "error",
        "fail",
        "cannot",
        "can't",
        "could not",
        "not found",
        "no such",
    ];
    words.iter().any(|words| note.contains(words))
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_told_from_news() {
        for note in [
            "book my.db is not used: it is no opening book",
            "engine_options.txt, line 3: there is no option Nonsense",
            "Error! failed to read nn.bin",
        ] {
            assert!(is_complaint(note), "{note}");
        }
        for note in ["book (built in): 13400 positions", "set by engine_options.txt: Threads"] {
            assert!(!is_complaint(note), "{note}");
        }
    }
}
