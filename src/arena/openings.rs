//! The start positions of games.

use std::path::{Path, PathBuf};

use crate::platform::random::Random;
use crate::position::Position;
use crate::record::ends_moves;

/// The index in the seed's stream that shuffles the openings; games use the indices from 0.
const ORDER: u64 = u64::MAX;

/// A start position and the moves already made from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// `startpos`, or `sfen` with the position's text.
    pub base: String,
    /// The moves, as the game writes them.
    pub moves: Vec<String>,
}

impl Opening {
    /// The start position.
    pub fn start() -> Self {
        Self { base: "startpos".to_owned(), moves: Vec::new() }
    }

    /// Reads `startpos moves ...`, `sfen ... moves ...`, either with `position` before it, or the bare text of a
    /// position. `None` for an empty line or a comment (`#`).
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.trim().trim_start_matches('\u{feff}');
        let line = line.strip_prefix("position ").unwrap_or(line).trim();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let mut words = line.split_whitespace();
        let mut base: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
        let moves = words.take_while(|word| !ends_moves(word)).map(str::to_owned).collect();
        if !matches!(base.first(), Some(&("startpos" | "sfen"))) {
            base.insert(0, "sfen");
        }
        Some(Self { base: base.join(" "), moves })
    }

    /// What follows `position`.
    pub fn text(&self) -> String {
        if self.moves.is_empty() { self.base.clone() } else { format!("{} moves {}", self.base, self.moves.join(" ")) }
    }

    /// The shogi position at the end of the opening, with its history.
    ///
    /// # Errors
    /// One sentence: which move cannot be made, or what is wrong with the position.
    pub fn position(&self) -> Result<Position, String> {
        let mut position = match self.base.strip_prefix("sfen ") {
            None => Position::startpos(),
            Some(sfen) => Position::from_sfen(sfen).map_err(|error| error.to_string())?,
        };
        for (index, token) in self.moves.iter().enumerate() {
            let place = |error: String| format!("move {} ({token}): {error}", index + 1);
            let mv = token.parse().map_err(|error| place(format!("{error}")))?;
            position.check_move(mv).map_err(|error| place(error.to_string()))?;
            position.do_move(mv);
        }
        Ok(position)
    }
}

/// Why openings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error("openings {0}: {1}")]
    Read(PathBuf, std::io::Error),
    /// It has no opening.
    #[error("openings {0}: no opening in the file")]
    Empty(PathBuf),
    /// A line is not a playable opening.
    #[error("openings {0}, line {1}: {2}")]
    Line(PathBuf, usize, String),
}

/// Where openings come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpeningSource {
    /// A file with one opening per line; without it every game begins at the start position.
    pub file: Option<PathBuf>,
    /// Whether to shuffle the lines.
    pub shuffle: bool,
    /// The first opening to use, from 1, in the order of use.
    pub first: usize,
    /// Random legal moves made after the opening (shogi only).
    pub random_plies: u32,
    /// The seed of the shuffle and of the random moves.
    pub seed: u64,
}

/// The openings of a match.
#[derive(Clone, Debug)]
pub struct Openings {
    list: Vec<Opening>,
    order: Vec<usize>,
    source: OpeningSource,
}

impl Openings {
    /// Reads the source; with `shogi` every line must be a legal shogi position with a legal move in it.
    ///
    /// # Errors
    /// The file cannot be read, is empty, or has a faulty line.
    pub fn load(source: &OpeningSource, shogi: bool) -> Result<Self, OpeningsError> {
        let list = match &source.file {
            None => vec![Opening::start()],
            Some(path) => read(path, shogi)?,
        };
        let mut order: Vec<usize> = (0..list.len()).collect();
        if source.shuffle {
            Random::for_item(source.seed, ORDER).shuffle(&mut order);
        }
        Ok(Self { list, order, source: source.clone() })
    }

    /// The opening of a number; past the end they start over.
    pub fn get(&self, number: u32) -> Opening {
        let place = (number as usize + self.source.first.saturating_sub(1)) % self.order.len();
        let opening = self.list[self.order[place]].clone();
        if self.source.random_plies == 0 {
            return opening;
        }
        let mut random = Random::for_item(self.source.seed, u64::from(number));
        // Retry if the random moves end in mate.
        (0..100).find_map(|_| with_random_moves(&opening, self.source.random_plies, &mut random)).unwrap_or(opening)
    }
}

fn read(path: &Path, shogi: bool) -> Result<Vec<Opening>, OpeningsError> {
    let bytes = std::fs::read(path).map_err(|error| OpeningsError::Read(path.to_owned(), error))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut list = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some(opening) = Opening::parse(line) else {
            continue;
        };
        if shogi {
            let fail = |error| OpeningsError::Line(path.to_owned(), index + 1, error);
            let position = opening.position().map_err(fail)?;
            if position.legal_moves().is_empty() {
                return Err(fail("the side to move has no legal move".to_owned()));
            }
        }
        list.push(opening);
    }
    if list.is_empty() {
        return Err(OpeningsError::Empty(path.to_owned()));
    }
    Ok(list)
}

fn with_random_moves(opening: &Opening, plies: u32, random: &mut Random) -> Option<Opening> {
    let mut position = opening.position().ok()?;
    let mut opening = opening.clone();
    let made = position.play_out(plies as usize, random, |_| {});
    opening.moves.extend(made.iter().map(ToString::to_string));
    // The game must not end before it begins.
    position.has_legal_move().then_some(opening)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_all_forms() {
        let parse = |line: &str| Opening::parse(line).map(|opening| opening.text());
        assert_eq!(parse("startpos moves 7g7f 3c3d "), Some("startpos moves 7g7f 3c3d".into()));
        assert_eq!(parse("position startpos"), Some("startpos".into()));
        assert_eq!(parse("startpos moves"), Some("startpos".into()));
        assert_eq!(parse("sfen X b - 1 moves a b\r"), Some("sfen X b - 1 moves a b".into()));
        assert_eq!(parse("9/9 b - 1"), Some("sfen 9/9 b - 1".into()));
        for end in ["resign", "rep_draw", "break", "timeout", "win", "%TORYO", "投了"] {
            assert_eq!(parse(&format!("startpos moves 7g7f {end}")), Some("startpos moves 7g7f".into()), "{end}");
        }
        assert_eq!(parse("# comment"), None);
        assert_eq!(parse("   "), None);
    }

    #[test]
    fn a_faulty_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.txt");
        let source = OpeningSource { file: Some(path.clone()), ..OpeningSource::default() };
        for (text, message) in [
            ("startpos moves 7g7f\nstartpos moves 7g7e\n", "line 2: move 1 (7g7e)"),
            ("\n\nnonsense\n", "line 3"),
            ("# nothing\n", "no opening"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = Openings::load(&source, true).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        std::fs::write(&path, "one\ntwo\nthree\n").unwrap();
        let openings = Openings::load(&source, false).unwrap();
        assert_eq!(openings.get(4).base, "sfen two");
        let openings = Openings::load(&OpeningSource { first: 3, ..source.clone() }, false).unwrap();
        assert_eq!(openings.get(0).base, "sfen three");
        let shuffled = OpeningSource { shuffle: true, seed: 5, ..source };
        let openings = Openings::load(&shuffled, false).unwrap();
        let mut used: Vec<_> = (0..3).map(|n| openings.get(n).base).collect();
        used.sort();
        assert_eq!(used, ["sfen one", "sfen three", "sfen two"]);
    }

    #[test]
    fn random_moves_are_legal_and_repeatable() {
        let source = OpeningSource { random_plies: 12, seed: 3, ..OpeningSource::default() };
        let openings = Openings::load(&source, true).unwrap();
        for number in 0..20 {
            let opening = openings.get(number);
            assert_eq!(opening.moves.len(), 12);
            assert!(opening.position().is_ok());
            assert_eq!(opening, openings.get(number));
        }
        assert_ne!(openings.get(0), openings.get(1));
    }
}
