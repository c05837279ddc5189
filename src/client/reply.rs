//! The engine's `bestmove` and `info` lines; malformed input is tolerated.

use std::time::Instant;

use crate::types::Score;

/// The rest of a line after its first word, if that is `word`.
pub(super) fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let rest = line.trim_start().strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim())
}

/// A `bestmove` line with the search information before it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// When the line was read from the pipe.
    pub at: Instant,
    /// The move, or a word such as `resign`; empty if the line had none.
    pub best: String,
    /// The reply that the engine expects.
    pub ponder: Option<String>,
    /// Whether the engine offers a draw (the word `draw` after its move).
    pub offers_draw: bool,
    /// The last information of the search.
    pub info: Info,
}

impl Answer {
    pub(super) fn parse(rest: &str) -> Self {
        let mut words = rest.split_whitespace();
        let mut answer = Self {
            at: Instant::now(),
            best: words.next().unwrap_or("").to_owned(),
            ponder: None,
            offers_draw: false,
            info: Info::default(),
        };
        while let Some(word) = words.next() {
            match word {
                "ponder" => answer.ponder = words.next().map(str::to_owned),
                "draw" => answer.offers_draw = true,
                _ => {}
            }
        }
        answer
    }
}

/// The answer to `go mate`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateAnswer {
    /// The line that mates, in the engine's words; nothing in it is verified.
    Mate(String),
    /// There is no mate.
    NoMate,
    /// Nothing was decided: `timeout`, or no word at all.
    Unknown,
    /// The engine solves no mates: it says so, or it made another search of the command.
    NotImplemented,
}

impl MateAnswer {
    /// Reads a `checkmate` or `bestmove` line; `None` for any other.
    pub fn of_line(line: &str) -> Option<Self> {
        let Some(rest) = after(line, "checkmate") else {
            return after(line, "bestmove").map(|_| Self::NotImplemented);
        };
        Some(match rest.split_whitespace().next() {
            Some("nomate") => Self::NoMate,
            Some("timeout") | None => Self::Unknown,
            Some("notimplemented") => Self::NotImplemented,
            Some(_) => Self::Mate(rest.to_owned()),
        })
    }
}

/// The largest number in a comment that is not a mate.
const CP_LIMIT: i32 = 29_000;

/// A score as the engine printed it, from its own view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreText {
    /// Centipawns.
    Cp(i32),
    /// The engine mates; the number of plies if given.
    Mate(Option<u32>),
    /// The engine is mated; the number of plies if given.
    Mated(Option<u32>),
}

impl ScoreText {
    /// The two words after `score`.
    fn parse(kind: &str, value: &str) -> Option<Self> {
        match kind {
            "cp" => value.parse().ok().map(Self::Cp),
            "mate" => {
                let plies = value.trim_start_matches(['+', '-']);
                let plies = if plies.is_empty() { None } else { Some(plies.parse().ok()?) };
                Some(if value.starts_with('-') { Self::Mated(plies) } else { Self::Mate(plies) })
            }
            _ => None,
        }
    }

    /// One number for comparisons: centipawns, mates beyond them (a mate without a number counts as 100 plies).
    pub fn value(self) -> Score {
        let plies = |plies: Option<u32>| plies.unwrap_or(100).min(200) as usize;
        match self {
            Self::Cp(cp) => Score(cp).clamp_eval(),
            Self::Mate(n) => Score::mate_in(plies(n)),
            Self::Mated(n) => Score::mated_in(plies(n)),
        }
    }

    /// The number that comments in records have for a score: centipawns up to ±29000, mates as ±(100000 - plies), as
    /// Floodgate's engines write them.
    pub fn number(self) -> i32 {
        let mate = |plies: Option<u32>| 100_000 - plies.unwrap_or(0).min(1000) as i32;
        match self {
            Self::Cp(cp) => cp.clamp(-CP_LIMIT, CP_LIMIT),
            Self::Mate(plies) => mate(plies),
            Self::Mated(plies) => -mate(plies),
        }
    }

    /// Reads such a number; mates also as ±(30000 - plies), another common form. Other numbers as large are mates of
    /// unknown length.
    pub fn of_number(number: i32) -> Self {
        let size = number.unsigned_abs();
        let plies = match size {
            99_000..=99_999 => Some(100_000 - size),
            29_001..=29_999 => Some(30_000 - size),
            _ => None,
        };
        match number {
            _ if size <= CP_LIMIT as u32 => Self::Cp(number),
            1.. => Self::Mate(plies),
            _ => Self::Mated(plies),
        }
    }

    /// The same from the opponent's view.
    pub fn reversed(self) -> Self {
        match self {
            Self::Cp(cp) => Self::Cp(cp.saturating_neg()),
            Self::Mate(n) => Self::Mated(n),
            Self::Mated(n) => Self::Mate(n),
        }
    }
}

/// `cp 35`, `mate 7`, `mate -`.
impl std::fmt::Display for ScoreText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cp(cp) => write!(f, "cp {cp}"),
            Self::Mate(None) => f.write_str("mate +"),
            Self::Mate(Some(n)) => write!(f, "mate {n}"),
            Self::Mated(None) => f.write_str("mate -"),
            Self::Mated(Some(n)) => write!(f, "mate -{n}"),
        }
    }
}

/// The content of `info` lines. Folding several keeps the last value of each field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Selective depth in plies.
    pub seldepth: Option<u32>,
    /// Search time in milliseconds, by the engine's clock.
    pub time_ms: Option<u64>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Permille of the transposition table in use.
    pub hashfull: Option<u32>,
    /// The rank among several best lines; a line without it is the first.
    pub multipv: Option<u32>,
    /// The score.
    pub score: Option<ScoreText>,
    /// `true` for a bound (`lowerbound` or `upperbound`) in place of an exact score.
    pub bound: bool,
    /// The principal variation.
    pub pv: Vec<String>,
    /// Score and principal variation of the last line whose score is exact.
    pub exact: Option<(ScoreText, Vec<String>)>,
    /// The text of `info string`.
    pub string: Option<String>,
}

impl Info {
    /// Parses what follows the word `info`; what cannot be parsed is skipped.
    pub fn parse(rest: &str) -> Self {
        let mut info = Self::default();
        let mut words = rest.split_whitespace();
        while let Some(word) = words.next() {
            // A missing number does not swallow the next key: `depth nodes 5`.
            let number = || words.clone().next().and_then(|word| word.parse::<u64>().ok());
            let narrow = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
            match word {
                "depth" => info.depth = number().map(narrow),
                "seldepth" => info.seldepth = number().map(narrow),
                "time" => info.time_ms = number(),
                "nodes" => info.nodes = number(),
                "nps" => info.nps = number(),
                "hashfull" => info.hashfull = number().map(narrow),
                "multipv" => info.multipv = number().map(narrow),
                "score" => {
                    let (kind, value) = (words.next(), words.clone().next());
                    info.score = ScoreText::parse(kind.unwrap_or(""), value.unwrap_or(""));
                }
                "lowerbound" | "upperbound" => info.bound = true,
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                "string" => {
                    let text = rest.split_once("string").map_or("", |(_, text)| text);
                    info.string = Some(text.trim().to_owned());
                    break;
                }
                _ => {}
            }
        }
        info
    }

    /// Folds in a later line. Lines of rank two and below do not change score and line.
    pub fn fold(&mut self, later: Self) {
        let main = later.multipv.is_none_or(|index| index <= 1);
        if main {
            self.depth = later.depth.or(self.depth);
            self.seldepth = later.seldepth.or(self.seldepth);
            if later.score.is_some() {
                self.score = later.score;
                self.bound = later.bound;
            }
            if !later.pv.is_empty() {
                self.pv = later.pv;
            }
            if let Some(score) = later.score.filter(|_| !later.bound) {
                self.exact = Some((score, self.pv.clone()));
            }
        }
        self.time_ms = later.time_ms.or(self.time_ms);
        self.nodes = later.nodes.or(self.nodes);
        self.nps = later.nps.or(self.nps);
        self.hashfull = later.hashfull.or(self.hashfull);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_answers() {
        for (line, answer) in [
            ("checkmate G*5b 4a5b", Some(MateAnswer::Mate("G*5b 4a5b".to_owned()))),
            ("checkmate nomate ", Some(MateAnswer::NoMate)),
            ("checkmate nomate 0", Some(MateAnswer::NoMate)),
            ("checkmate timeout", Some(MateAnswer::Unknown)),
            ("checkmate", Some(MateAnswer::Unknown)),
            ("checkmate notimplemented", Some(MateAnswer::NotImplemented)),
            ("bestmove 7g7f", Some(MateAnswer::NotImplemented)),
            ("checkmates G*5b", None),
            ("info string checkmate nomate", None),
        ] {
            assert_eq!(MateAnswer::of_line(line), answer, "{line}");
        }
    }

    #[test]
    fn bestmove_lines() {
        let answer = Answer::parse("7g7f ponder 3c3d");
        assert_eq!((answer.best.as_str(), answer.ponder.as_deref()), ("7g7f", Some("3c3d")));
        let answer = Answer::parse("f5 draw");
        assert!(answer.offers_draw && answer.ponder.is_none());
        assert_eq!(Answer::parse("").best, "");
        assert_eq!(after("bestmove", "bestmove"), Some(""));
        assert_eq!(after("bestmoves 7g7f", "bestmove"), None);
    }

    #[test]
    fn info_lines_fold_to_the_last_word() {
        let mut info = Info::default();
        for line in [
            "depth 5 seldepth 9 multipv 1 score cp 35 lowerbound nodes 100 nps 1000 time 20 pv 7g7f 3c3d",
            "depth 5 multipv 2 score cp -900 pv 9g9f",
            "nodes 250 time 31 hashfull 7",
            "currmove 2g2f depth x nodes",
            "string depth 99 score mate 1",
        ] {
            info.fold(Info::parse(line));
        }
        assert_eq!(info.score, Some(ScoreText::Cp(35)));
        assert_eq!((info.depth, info.nodes, info.time_ms), (Some(5), Some(250), Some(31)));
        assert!(info.bound && info.exact.is_none());
        assert_eq!(info.pv, ["7g7f", "3c3d"]);
        info.fold(Info::parse("score cp 30 pv 2g2f"));
        info.fold(Info::parse("score cp 90 lowerbound pv 7g7f"));
        assert_eq!(info.exact, Some((ScoreText::Cp(30), vec!["2g2f".to_owned()])));
    }

    #[test]
    fn numbers_of_comments_in_both_forms() {
        for (score, number) in [
            (ScoreText::Cp(-215), -215),
            (ScoreText::Cp(29_000), 29_000),
            (ScoreText::Mate(Some(7)), 99_993),
            (ScoreText::Mated(Some(12)), -99_988),
            (ScoreText::Mate(None), 100_000),
        ] {
            assert_eq!((score.number(), ScoreText::of_number(number)), (number, score));
        }
        assert_eq!(ScoreText::Cp(-31_000).number(), -29_000);
        for (number, score) in [
            (29_993, ScoreText::Mate(Some(7))),
            (-29_988, ScoreText::Mated(Some(12))),
            (30_000, ScoreText::Mate(None)),
            (-31_111, ScoreText::Mated(None)),
            (i32::MIN, ScoreText::Mated(None)),
        ] {
            assert_eq!(ScoreText::of_number(number), score);
        }
    }

    #[test]
    fn mates_with_and_without_number() {
        let score = |text| Info::parse(text).score;
        assert_eq!(score("score mate 7"), Some(ScoreText::Mate(Some(7))));
        assert_eq!(score("score mate -4 depth 2"), Some(ScoreText::Mated(Some(4))));
        assert_eq!(score("score mate +"), Some(ScoreText::Mate(None)));
        assert_eq!(score("score mate -"), Some(ScoreText::Mated(None)));
        assert_eq!(score("score cp"), None);
        assert_eq!(score("score nonsense 5"), None);
        assert!(ScoreText::Mate(None).value().is_win());
        assert!(ScoreText::Mate(Some(3)).reversed().value().is_loss());
    }
}
