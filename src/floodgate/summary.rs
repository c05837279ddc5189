//! What a server says of a game before it begins.

use std::fmt;
use std::time::Duration;

use super::player_clock::{PlayerClock, TimeRules};
use crate::position::Position;
use crate::record::{Document, FileFormat, Record};
use crate::types::{Color, Move};

/// Lines that a summary may have at most.
const MOST_LINES: usize = 4000;

/// A game that a server offers.
#[derive(Clone)]
pub struct Summary {
    /// `Game_ID`
    pub game_id: String,
    /// The names of both players.
    pub names: [String; 2],
    /// Our colour.
    pub us: Color,
    /// The game ends after so many moves, those that the summary lists included; `None` where it says nothing.
    pub max_moves: Option<u32>,
    /// Both clocks as they stand at the start.
    pub clocks: [PlayerClock; 2],
    /// Whether our time is counted.
    pub has_clock: bool,
    /// The start and the moves that were made already, with their times.
    pub record: Record,
    /// The start, moves numbered from 1.
    pub start: Position,
    /// The moves that were made already.
    pub moves: Vec<Move>,
}

impl fmt::Debug for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Summary").field("game_id", &self.game_id).field("us", &self.us).finish_non_exhaustive()
    }
}

impl Summary {
    /// The name of the game that was asked for, the second part of the id: `floodgate-300-10F`.
    pub fn game_name(&self) -> &str {
        self.game_id.split('+').nth(1).unwrap_or("")
    }

    /// The opponent's name.
    pub fn opponent(&self) -> &str {
        &self.names[self.us.flip().index()]
    }
}

/// Why a summary cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct SummaryError {
    /// The id of the game, where it was given.
    pub game_id: String,
    /// What is wrong, in one sentence.
    pub reason: String,
}

/// Collects the lines of a summary, from the one after `BEGIN Game_Summary` to `END Game_Summary`.
#[derive(Debug, Default)]
pub struct SummaryReader {
    /// The blocks that have begun and not ended: `Time`, `Position`, and those of no known name.
    blocks: Vec<String>,
    keys: Vec<(String, String)>,
    /// `Time`, `Time+`, `Time-`: keys with their block.
    times: Vec<(String, String, String)>,
    position: Vec<String>,
    lines: usize,
    fault: Option<String>,
}

impl SummaryReader {
    /// Takes a line; `Some` once the summary is complete.
    pub fn take(&mut self, line: &str) -> Option<Result<Summary, SummaryError>> {
        self.lines += 1;
        if self.lines > MOST_LINES {
            return Some(Err(self.error(format!("the game summary has more than {MOST_LINES} lines"))));
        }
        let text = line.trim();
        if text.is_empty() || text.starts_with("##") {
            return None;
        }
        if let Some(block) = text.strip_prefix("BEGIN ") {
            self.blocks.push(block.trim().to_owned());
            return None;
        }
        if let Some(block) = text.strip_prefix("END ") {
            return self.end(block.trim());
        }
        match self.blocks.last().map(String::as_str) {
            Some("Position") => self.position.push(text.to_owned()),
            Some(block @ ("Time" | "Time+" | "Time-")) => {
                let block = block.to_owned();
                self.pair(text, |reader, key, value| reader.times.push((block, key, value)));
            }
            // A block of no known name.
            Some(_) => {}
            None => self.pair(text, |reader, key, value| reader.keys.push((key, value))),
        }
        None
    }

    fn pair(&mut self, text: &str, push: impl FnOnce(&mut Self, String, String)) {
        // A line that is no pair says nothing that could be asked for.
        if let Some((key, value)) = text.split_once(':') {
            push(self, key.trim().to_owned(), value.trim().to_owned());
        }
    }

    fn end(&mut self, block: &str) -> Option<Result<Summary, SummaryError>> {
        if block == "Game_Summary" {
            if let Some(open) = self.blocks.last() {
                self.fault.get_or_insert(format!("'END {open}' is missing"));
            }
            return Some(self.summary().map_err(|reason| self.error(reason)));
        }
        match self.blocks.pop() {
            Some(open) if open == block => {}
            Some(open) => {
                self.fault.get_or_insert(format!("'END {block}' ends the block {open}"));
            }
            None => {
                self.fault.get_or_insert(format!("'END {block}' ends no block"));
            }
        }
        None
    }

    fn error(&self, reason: String) -> SummaryError {
        SummaryError { game_id: self.value("Game_ID").unwrap_or("").to_owned(), reason }
    }

    /// The last value of a key.
    fn value(&self, key: &str) -> Option<&str> {
        self.keys.iter().rev().find(|(other, _)| other == key).map(|(_, value)| value.as_str())
    }

    fn summary(&self) -> Result<Summary, String> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        if let Some(format) = self.value("Format")
            && format != "Shogi 1.0"
        {
            return Err(format!("the format '{format}' is not Shogi 1.0"));
        }
        let us = match self.value("Your_Turn") {
            Some("+") => Color::Black,
            Some("-") => Color::White,
            other => return Err(format!("Your_Turn is '{}' instead of + or -", other.unwrap_or(""))),
        };
        let max_moves = match self.value("Max_Moves") {
            None => None,
            Some(text) => Some(text.parse().map_err(|_| format!("Max_Moves is '{text}', which is no number"))?),
        };
        let record = self.record()?;
        let (start, moves, last) = replay(&record)?;
        if let Some(to_move @ ("+" | "-")) = self.value("To_Move") {
            let stated = if to_move == "+" { Color::Black } else { Color::White };
            if stated != last.side_to_move() {
                return Err(format!(
                    "To_Move is {to_move}, but after the moves of the position it is the other's turn"
                ));
            }
        }
        let mut clocks = Vec::new();
        for color in Color::ALL {
            clocks.push(PlayerClock::new(self.time_rules(color)?, &earlier_times(&record, color)));
        }
        let name = |key: &str| self.value(key).unwrap_or("").to_owned();
        Ok(Summary {
            game_id: self.value("Game_ID").unwrap_or("").to_owned(),
            names: [name("Name+"), name("Name-")],
            us,
            // 0 is no limit to any server that sends it.
            max_moves: max_moves.filter(|&moves| moves > 0),
            clocks: [clocks[0], clocks[1]],
            has_clock: !clocks[us.index()].rules().is_untimed(),
            record,
            start,
            moves,
        })
    }

    /// The start and the moves of the block `Position`, which is a record in CSA's format.
    fn record(&self) -> Result<Record, String> {
        if self.position.is_empty() {
            return Err("there is no position".to_owned());
        }
        let text = format!("V2.2\n{}\n", self.position.join("\n"));
        let mut document = Document::read(text.as_bytes(), Some(FileFormat::Csa))
            .map_err(|error| format!("the position cannot be read: {}", error.reason))?;
        let mut record = document.games.swap_remove(0);
        record.csa_version = None;
        Ok(record)
    }

    /// The keys on a player's time: those of the player's own block, of the common one, and those beside them.
    fn time_keys(&self, color: Color) -> impl Iterator<Item = (&str, &str)> {
        const KEYS: [&str; 7] =
            ["Time_Unit", "Total_Time", "Byoyomi", "Increment", "Least_Time_Per_Move", "Time_Roundup", "Delay"];
        let own = if color == Color::Black { "Time+" } else { "Time-" };
        let in_blocks = move |wanted: &'static str| {
            self.times
                .iter()
                .rev()
                .filter(move |(block, ..)| block == wanted)
                .map(|(_, key, value)| (key.as_str(), value.as_str()))
        };
        let beside = self.keys.iter().filter(|(key, _)| KEYS.contains(&key.as_str()));
        in_blocks(own).chain(in_blocks("Time")).chain(beside.map(|(key, value)| (key.as_str(), value.as_str())))
    }

    fn time_rules(&self, color: Color) -> Result<TimeRules, String> {
        let value = |key: &str| self.time_keys(color).find(|&(other, _)| other == key).map(|(_, value)| value);
        let unit = value("Time_Unit").map_or(Some(Duration::from_secs(1)), read_unit);
        let unit =
            unit.ok_or_else(|| format!("Time_Unit is '{}', which is no time", value("Time_Unit").unwrap_or("")))?;
        let time = |key: &str| match value(key) {
            None => Ok(Duration::ZERO),
            Some(text) => {
                let units: f64 = text.parse().map_err(|_| format!("{key} is '{text}', which is no number"))?;
                let time = Duration::try_from_secs_f64(units * unit.as_secs_f64());
                // Ten years are as good as no limit, and leave room for sums.
                time.ok()
                    .filter(|time| time.as_secs() < 315_360_000)
                    .map(|time| Duration::from_millis(time.as_millis() as u64))
                    .ok_or_else(|| format!("{key} is '{text}', which is no time"))
            }
        };
        Ok(TimeRules {
            total: time("Total_Time")?,
            byoyomi: time("Byoyomi")?,
            increment: time("Increment")?,
            unit,
            round_up: value("Time_Roundup").is_some_and(|text| text.eq_ignore_ascii_case("YES")),
        })
    }
}

/// `1sec`, `1min`, `100msec`.
fn read_unit(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let count: u32 = if digits == 0 { 1 } else { text[..digits].parse().ok()? };
    let unit = match text[digits..].trim() {
        "msec" | "ms" => Duration::from_millis(1),
        "sec" | "s" | "" => Duration::from_secs(1),
        "min" => Duration::from_secs(60),
        _ => return None,
    };
    (count > 0).then(|| unit * count)
}

/// The start, the moves and the position after them, all within the rules.
fn replay(record: &Record) -> Result<(Position, Vec<Move>, Position), String> {
    let start = Position::from_board(&record.start.diagram, 1).map_err(|error| format!("the position: {error}"))?;
    let moves = record.moves_to(record.main_end());
    let mut position = start.clone();
    for (number, &mv) in (1..).zip(&moves) {
        position.check_move(mv).map_err(|error| format!("move {number} of the position, {mv}: {error}"))?;
        position.do_move(mv);
    }
    for color in Color::ALL {
        if position.king(color).is_none() {
            return Err(format!("the position: {color} has no king"));
        }
    }
    Ok((start, moves, position))
}

/// The times of a player's moves in the position.
fn earlier_times(record: &Record, color: Color) -> Vec<Duration> {
    let mut mover = record.start.diagram.side_to_move();
    let mut times = Vec::new();
    for id in record.main_line() {
        let node = record.node(id);
        if node.mv().is_some() {
            if mover == color {
                times.push(node.clock.map_or(Duration::ZERO, |clock| clock.spent));
            }
            mover = !mover;
        }
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVEN: &str = "BEGIN Position\nPI\n+\nEND Position\n";

    fn read(text: &str) -> Result<Summary, SummaryError> {
        let mut reader = SummaryReader::default();
        let lines = text.lines().chain(["END Game_Summary"]);
        let mut results = lines.filter_map(|line| reader.take(line));
        results.next().expect("the end")
    }

    /// A summary with the usual keys, and what is given instead of the block of time and of the position.
    fn summary(time: &str, position: &str) -> Result<Summary, SummaryError> {
        let head = "Protocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\nDeclaration:Jishogi 1.1\n\
                    Game_ID:floodgate+floodgate-60-10F+fa+fb+20261126124000\nName+:fa\nName-:fb\nYour_Turn:-\n\
                    Rematch_On_Draw:NO\n";
        read(&format!("{head}{time}{position}"))
    }

    fn reason(result: Result<Summary, SummaryError>) -> String {
        result.expect_err("refused").reason
    }

    const ROWS: &str = "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA *\n\
                        P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4 *  *  *  *  *  *  *  *  * \n\
                        P5 *  *  *  *  *  *  *  *  *\nP6 *  *  *  *  *  *  *  *  * \n\
                        P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI * \n\
                        P9+KY+KE+GI+KI+OU+KI+GI+KE+KY\nP+\nP-\n+\n";

    #[test]
    fn a_whole_summary_with_moves() {
        let time = "To_Move:+\nMax_Moves:320\nBEGIN Time\nTime_Unit:1sec\nTotal_Time:60\nByoyomi:0\nIncrement:10\n\
                    Least_Time_Per_Move:1\nEND Time\n";
        let position = format!("BEGIN Position\n{ROWS}+7776FU,T1\n-3334FU,T2\nEND Position\n");
        let summary = summary(time, &position).unwrap();
        assert_eq!((summary.us, summary.max_moves), (Color::White, Some(320)));
        assert_eq!((summary.game_name(), summary.opponent()), ("floodgate-60-10F", "fa"));
        assert_eq!(summary.start.to_sfen(), Position::STARTPOS);
        assert_eq!(summary.moves.iter().map(Move::to_string).collect::<Vec<_>>(), ["7g7f", "3c3d"]);
        assert_eq!(summary.clocks.map(|clock| clock.allowance().as_secs()), [70, 70]);
        assert!(summary.has_clock);
    }

    #[test]
    fn anything_but_colour_and_position_may_be_missing() {
        let summary = read(&format!("Your_Turn:+\nSomething:new\n{EVEN}")).unwrap();
        assert_eq!((summary.max_moves, summary.game_id.as_str()), (None, ""));
        assert!(!summary.has_clock && summary.moves.is_empty());
        let text = "Your_Turn:+\nReconnect_Token:abc\nBEGIN New\nBEGIN Inner\nTotal_Time:5\nEND Inner\nEND New\n\
                    ##[CHAT][x] BEGIN Time\n\nTotal_Time:9\n";
        let summary = read(&format!("{text}{EVEN}")).unwrap();
        assert_eq!(summary.clocks[0].remaining(), Duration::from_secs(9), "beside any block");
    }

    #[test]
    fn clocks_of_both_sides_and_other_units() {
        let time = "Time_Unit:1min\nBEGIN Time+\nTotal_Time:15\nEND Time+\nBEGIN Time-\nTime_Unit:100msec\n\
                    Total_Time:25\nByoyomi:15.5\nTime_Roundup:YES\nEND Time-\n";
        let clocks = summary(time, EVEN).unwrap().clocks;
        assert_eq!(clocks[0].remaining(), Duration::from_secs(900));
        assert_eq!((clocks[0].rules().unit, clocks[0].rules().round_up), (Duration::from_secs(60), false));
        assert_eq!(clocks[1].remaining(), Duration::from_millis(2500));
        assert_eq!(clocks[1].rules().byoyomi, Duration::from_millis(1550));
        assert!(clocks[1].rules().round_up);
        let common = "BEGIN Time\nTotal_Time:60\nByoyomi:5\nEND Time\nBEGIN Time+\nTotal_Time:30\nEND Time+\n";
        let clocks = summary(common, EVEN).unwrap().clocks;
        assert_eq!(clocks.map(|clock| clock.allowance().as_secs()), [35, 65]);
    }

    #[test]
    fn handicaps_hands_and_white_to_move() {
        let handicap = ROWS.replace("P8 * +KA *  *  *  *  * +HI * ", "P8 *  *  *  *  *  *  * +HI * ");
        let summary = summary("To_Move:+\n", &format!("BEGIN Position\n{handicap}END Position\n")).unwrap();
        assert!(summary.start.to_sfen().contains("/7R1/"), "{}", summary.start.to_sfen());
        let problem = "BEGIN Position\nP1 *  *  *  * -OU *  *  *  * \nP5 *  *  *  * +OU *  *  *  * \nP+00HI00FU\nP-00AL\n-\nEND Position\n";
        let summary = super::tests::summary("To_Move:-\n", problem).unwrap();
        assert_eq!(summary.start.side_to_move(), Color::White);
        assert!(summary.start.to_sfen().ends_with(" w RPr2b4g4s4n4l17p 1"), "{}", summary.start.to_sfen());
        let removed = summary_of_removed();
        assert!(removed.start.to_sfen().starts_with("lnsgkgsnl/7b1/"), "{}", removed.start.to_sfen());
    }

    fn summary_of_removed() -> Summary {
        summary("", "BEGIN Position\nPI82HI\n-\nEND Position\n").unwrap()
    }

    #[test]
    fn what_cannot_be_played_is_refused_with_its_culprit() {
        for (text, culprit) in [
            (format!("Your_Turn:x\n{EVEN}"), "'x'"),
            (format!("Your_Turn:+\nFormat:Shogi 2.0\n{EVEN}"), "Shogi 2.0"),
            (format!("Your_Turn:+\nMax_Moves:many\n{EVEN}"), "'many'"),
            (format!("Your_Turn:+\nTime_Unit:1hour\n{EVEN}"), "'1hour'"),
            (format!("Your_Turn:+\nTotal_Time:-5\n{EVEN}"), "'-5'"),
            (format!("Your_Turn:+\nByoyomi:ten\n{EVEN}"), "'ten'"),
            (format!("Your_Turn:+\nTo_Move:-\n{EVEN}"), "To_Move"),
            (format!("Your_Turn:+\nBEGIN Time\n{EVEN}"), "'END Time' is missing"),
            (format!("Your_Turn:+\nEND Time\n{EVEN}"), "'END Time'"),
            ("Your_Turn:+\n".to_owned(), "no position"),
            ("Your_Turn:+\nBEGIN Position\nPI\n+\n".to_owned(), "'END Position' is missing"),
            ("Your_Turn:+\nBEGIN Position\nP1-XX\n+\nEND Position\n".to_owned(), "XX"),
            ("Your_Turn:+\nBEGIN Position\nPI\n+\n+7775FU\nEND Position\n".to_owned(), "7g7e"),
            ("Your_Turn:+\nBEGIN Position\nPI59OU\n+\nEND Position\n".to_owned(), "no king"),
        ] {
            let reason = reason(read(&text));
            assert!(reason.contains(culprit), "{text}: {reason}");
        }
        let mut reader = SummaryReader::default();
        assert!((0..5000).any(|_| reader.take("x:y").is_some()), "an endless summary is given up");
    }
}
