//! How networks rank a position's moves, and positions among each other.
//!
//! A search compares the positions after moves of one root, so what static values say within a root decides which move
//! it likes, and what they say between roots whether it is content with it. A thorough search of a few thousand
//! positions with several lines gives both orders, and networks are asked at once how far they agree: the labels are
//! apart from what they learned, and those of a far better network tell networks apart whose own games no longer do.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::generate::GenerateError;
use super::placement::Placement;
use super::source::{self, SourceError};
use super::thinker::Searcher;
use super::yardstick::{Distance, Labels, correlation};
use crate::platform::random::Random;
use crate::position::Position;
use crate::types::{Move, Score};

/// Moves whose score is larger than this say who has won.
const LARGEST_SCORE: i32 = 2000;

/// So many positions are ranked between two writings.
const AT_ONCE: usize = 32;

/// A position whose best moves were ranked: a line of JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ranked {
    /// The position.
    pub sfen: String,
    /// The scores of moves in USI notation, in centipawns for who makes them.
    pub moves: BTreeMap<String, i32>,
    /// Who says so: free text.
    #[serde(default)]
    pub by: String,
}

/// Which positions are ranked.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// How many; all where there are fewer.
    pub positions: usize,
    /// Largest score of a position, either way, in centipawns.
    pub largest_score: u16,
    /// How many of the best moves get a score.
    pub moves: usize,
    /// Seed of the choice.
    pub seed: u64,
}

impl Choice {
    /// So many of the sources' positions by chance, each as likely (Vitter 1985, algorithm R); none in check.
    fn of(&self, sources: &[PathBuf]) -> Result<Vec<String>, SourceError> {
        let mut random = Random::new(self.seed);
        let (mut chosen, mut seen) = (Vec::new(), 0);
        for path in source::files(sources)? {
            source::read(&path, |labelled, context| {
                if labelled.score.unsigned_abs() > self.largest_score {
                    return;
                }
                let sfen = || labelled.position.to_sfen();
                let in_check = context
                    .in_check
                    .unwrap_or_else(|| Position::from_sfen(&sfen()).is_ok_and(|position| position.in_check()));
                if in_check {
                    return;
                }
                seen += 1;
                if chosen.len() < self.positions {
                    chosen.push(sfen());
                } else {
                    let place = random.below(seen);
                    if place < self.positions {
                        chosen[place] = sfen();
                    }
                }
            })?;
        }
        Ok(chosen)
    }
}

/// Ranks the moves of chosen positions into a file, a line a position. What the file holds already stays, so a run that
/// was killed goes on where it stopped. `each` hears how many of how many are done. Returns how many lines the file
/// holds.
///
/// # Errors
/// Damaged sources; a searcher that cannot be had; a file that cannot be written or that holds other positions, or the
/// same by another searcher.
pub fn rank(
    sources: &[PathBuf],
    choice: &Choice,
    by: &str,
    target: &Path,
    searcher: impl Fn() -> Result<Searcher, GenerateError> + Sync,
    each: impl Fn(usize, usize),
) -> Result<usize, SourceError> {
    let io = |source| SourceError::Io { path: target.to_owned(), source };
    let chosen = choice.of(sources)?;
    let mut file = fs::File::options().append(true).create(true).open(target).map_err(io)?;
    let text = fs::read_to_string(target).map_err(io)?;
    let different = || SourceError::Different(target.to_owned());
    let whole = whole_lines(&text, "{\"sfen\":\"").ok_or_else(different)?;
    let earlier = parse(&text[..whole], target)?;
    let same = |(ranked, sfen): (&Ranked, &String)| ranked.sfen == *sfen && ranked.by == by;
    if earlier.len() > chosen.len() || !earlier.iter().zip(&chosen).all(same) {
        return Err(different());
    }
    file.set_len(whole as u64).map_err(io)?;
    let mut done = earlier.len();
    for sfens in chosen[done..].chunks(AT_ONCE) {
        each(done, chosen.len());
        let lines: Vec<String> = sfens
            .par_iter()
            .map(|sfen| {
                let ranked = Ranked {
                    sfen: sfen.clone(),
                    moves: scores(sfen, choice.moves, &mut searcher()?)?,
                    by: by.to_owned(),
                };
                Ok(serde_json::to_string(&ranked).unwrap_or_default() + "\n")
            })
            .collect::<Result<_, GenerateError>>()?;
        file.write_all(lines.concat().as_bytes()).map_err(io)?;
        done += sfens.len();
    }
    each(done, chosen.len());
    Ok(done)
}

/// The scores of a position's best moves.
fn scores(sfen: &str, moves: usize, searcher: &mut Searcher) -> Result<BTreeMap<String, i32>, GenerateError> {
    let position = Position::from_sfen(sfen).map_err(|error| GenerateError::Setup(format!("{sfen}: {error}")))?;
    let best = searcher.best(&position, &position.legal_moves(), moves);
    Ok(best
        .into_iter()
        .filter(|&(_, score)| score > -Score::INFINITE)
        .map(|(mv, score)| (mv.to_string(), score.0))
        .collect())
}

/// How many bytes of a file that grows by lines are whole lines; the last may be torn. What is torn must be the
/// beginning of such a line: `None` where it is not, for anything else is not to be cut off.
pub(super) fn whole_lines(text: &str, beginning: &str) -> Option<usize> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let torn = &text[whole..];
    (torn.starts_with(beginning) || beginning.starts_with(torn)).then_some(whole)
}

fn parse(text: &str, path: &Path) -> Result<Vec<Ranked>, SourceError> {
    let line = |(number, line)| serde_json::from_str(line).map_err(|error| wrong(path, number, error.to_string()));
    text.lines().enumerate().map(line).collect()
}

/// What is wrong with a line, numbered from 0.
fn wrong(path: &Path, number: usize, what: String) -> SourceError {
    SourceError::Line { path: path.to_owned(), number: number + 1, what }
}

/// Positions after ranked moves.
#[derive(Default)]
pub struct Ranking {
    labels: Labels,
    /// The number of each position's root, ascending from 0 without gaps.
    roots: Vec<usize>,
    count: usize,
}

/// How static values agree with a ranking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// On all positions, whatever their root.
    pub distance: Distance,
    /// Correlation of what is expected beyond the mean of a root, -1..=1.
    pub within: f64,
    /// Correlation of the means of roots, -1..=1.
    pub between: f64,
}

impl Ranking {
    /// Reads ranked positions, whose scores are of this scale. Moves that give check or decide the game are left out,
    /// and positions with fewer than two others.
    ///
    /// # Errors
    /// Files that cannot be read, lines that are not as [`Ranked`] says.
    pub fn read(paths: &[PathBuf], scale: f32) -> Result<Self, SourceError> {
        let mut ranking = Self::default();
        for path in paths {
            let text = fs::read_to_string(path).map_err(|source| SourceError::Io { path: path.clone(), source })?;
            for (number, ranked) in parse(&text, path)?.into_iter().enumerate() {
                let after = followers(&ranked).map_err(|what| wrong(path, number, what))?;
                ranking.push(after, scale);
            }
        }
        Ok(ranking)
    }

    fn push(&mut self, after: Vec<(Placement, i32)>, scale: f32) {
        if after.len() < 2 {
            return;
        }
        for (position, score) in after {
            self.labels.push(position, score as f32, scale);
            self.roots.push(self.count);
        }
        self.count += 1;
    }

    /// The positions, in the order in which [`Ranking::agreement`] takes their values.
    pub fn positions(&self) -> &[Placement] {
        self.labels.positions()
    }

    /// How many roots the positions come from.
    pub fn roots(&self) -> usize {
        self.count
    }

    /// Compares values, in centipawns for the side to move, with the ranking; `None` where there is none.
    ///
    /// # Panics
    /// Where there are not as many values as positions.
    pub fn agreement(&self, values: &[i32]) -> Option<Agreement> {
        let distance = self.labels.distance(values)?;
        let pairs = self.labels.pairs(values, distance.scale);
        let (mut beyond, mut means) = (Vec::new(), Vec::new());
        let mut rest = pairs.as_slice();
        for root in self.roots.chunk_by(|a, b| a == b) {
            let siblings;
            (siblings, rest) = rest.split_at(root.len());
            let mean = [0, 1].map(|i| siblings.iter().map(|pair| pair[i]).sum::<f64>() / siblings.len() as f64);
            beyond.extend(siblings.iter().map(|pair| [0, 1].map(|i| pair[i] - mean[i])));
            means.push(mean);
        }
        Some(Agreement { distance, within: correlation(&beyond), between: correlation(&means) })
    }
}

/// The positions after ranked moves with their scores, both for the side to move there.
fn followers(ranked: &Ranked) -> Result<Vec<(Placement, i32)>, String> {
    let mut position = Position::from_sfen(&ranked.sfen).map_err(|error| error.to_string())?;
    let mut after = Vec::new();
    for (text, &score) in &ranked.moves {
        let mv: Move = text.parse().map_err(|error| format!("{text}: {error}"))?;
        if !position.is_legal(mv) {
            return Err(format!("{text} is no legal move of {}", ranked.sfen));
        }
        position.do_move(mv);
        // The most negative number has no opposite.
        if score.unsigned_abs() <= LARGEST_SCORE.unsigned_abs() && !position.in_check() {
            after.push((Placement::from(&position), -score));
        }
        position.undo_move();
    }
    Ok(after)
}

#[cfg(test)]
mod tests {
    use super::super::generate::Settings;
    use super::super::record::{Labelled, Psv};
    use super::*;
    use crate::search::Evaluator;

    /// Ranked moves of two positions, as a far better player might see them.
    const LINES: [&str; 2] = [
        r#"{"sfen": "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "moves": {"7g7f": 100, "2g2f": 40, "9g9f": -80}}"#,
        r#"{"sfen": "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3", "moves": {"8h2b+": 600, "2g2f": 700, "6i7h": 620}}"#,
    ];

    fn read(lines: &[&str]) -> Result<Ranking, SourceError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), lines.join("\n")).unwrap();
        Ranking::read(&[file.path().to_owned()], 600.0)
    }

    #[test]
    fn orders_within_and_between_are_told_apart() {
        let ranking = read(&LINES).unwrap();
        assert_eq!(ranking.roots(), 2);
        // In the order of the moves' names, for the opponent.
        let truth = [-40, -100, 80, -700, -620, -600];
        let same = ranking.agreement(&truth).unwrap();
        assert!(same.within > 0.9999 && same.between > 0.9999, "{same:?}");
        assert_eq!(same.distance.scale, 600);
        let moves_mixed_up = ranking.agreement(&[-100, 80, -40, -600, -700, -620]).unwrap();
        assert!(moves_mixed_up.within < 0.0, "{moves_mixed_up:?}");
        assert!(moves_mixed_up.between > 0.99, "{moves_mixed_up:?}");
        let roots_mixed_up = ranking.agreement(&[-640, -700, -520, -100, -20, 0]).unwrap();
        assert!(roots_mixed_up.within > 0.9, "{roots_mixed_up:?}");
        assert!(roots_mixed_up.between < -0.99, "{roots_mixed_up:?}");
        assert_eq!(read(&[]).unwrap().agreement(&[]), None);
    }

    #[test]
    fn checks_and_decided_moves_are_left_out() {
        let check = r#"{"sfen": "4k4/9/9/9/9/9/9/9/R3K4 b G 1", "moves": {"9i9a+": 300, "9i8i": 100, "9i7i": 2001, "G*6g": 50}}"#;
        let one = r#"{"sfen": "4k4/9/9/9/9/9/9/9/R3K4 b G 1", "moves": {"9i9a+": 300, "G*6g": 50}}"#;
        let ranking = read(&[check, one]).unwrap();
        assert_eq!((ranking.positions().len(), ranking.roots()), (2, 1));
    }

    #[test]
    fn wrong_lines_are_named() {
        for (line, complaint) in [
            ("{", "line 2: EOF"),
            (r#"{"sfen": "x", "moves": {}}"#, "line 2: "),
            (&LINES[0].replace("7g7f", "7g7e"), "7g7e is no legal move"),
            (&LINES[0].replace("7g7f", "pass"), "pass"),
        ] {
            let error = read(&[LINES[1], line]).map(drop).unwrap_err().to_string();
            assert!(error.contains(complaint), "{error}");
        }
    }

    #[test]
    fn a_torn_file_is_gone_on_with_and_another_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let [games, target] = ["a.psv", "ranked.jsonl"].map(|name| folder.path().join(name));
        let mut position = Position::startpos();
        let mut records = Vec::new();
        for number in 0..40 {
            let labelled = Labelled::judged(&position, Score(20 * number), None);
            records.extend_from_slice(&Psv::encode(&labelled).unwrap().0);
            let moves = position.legal_moves().to_vec();
            position.do_move(moves[moves.len() / 2]);
        }
        fs::write(&games, records).unwrap();
        let searcher = || {
            let settings = Settings { nodes: 300, hash: 1, ..Settings::default() };
            Searcher::new(&settings, Evaluator::HandCrafted)
        };
        let run = |positions, seed| {
            let choice = Choice { positions, largest_score: 700, moves: 3, seed };
            let games = [games.clone()];
            rank(&games, &choice, "a test", &target, searcher, |_, _| {})
        };
        // Scores 0 to 700 are 36 positions, fewer where there are checks.
        let all = run(100, 1).unwrap();
        assert!((AT_ONCE + 1..=36).contains(&all), "{all}");
        let whole = fs::read_to_string(&target).unwrap();
        for line in parse(&whole, &target).unwrap() {
            assert_eq!(line.moves.len(), 3, "{line:?}");
        }
        fs::write(&target, &whole[..whole.len() / 2]).unwrap();
        assert_eq!(run(100, 1).unwrap(), all);
        assert_eq!(fs::read_to_string(&target).unwrap(), whole);
        for (positions, seed) in [(5, 1), (5, 2)] {
            let error = run(positions, seed).unwrap_err().to_string();
            assert!(error.contains("made otherwise"), "{error}");
            assert_eq!(fs::read_to_string(&target).unwrap(), whole);
        }
        let foreign = "a note of the user's";
        fs::write(&target, foreign).unwrap();
        let error = run(5, 2).unwrap_err().to_string();
        assert!(error.contains("made otherwise"), "{error}");
        assert_eq!(fs::read_to_string(&target).unwrap(), foreign);
        fs::remove_file(&target).unwrap();
        assert_eq!(run(5, 2).unwrap(), 5);
    }
}
