//! Ranking moves: thorough searches of positions with several lines, as a suite with the scores of the best moves.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::platform::line_journal::{LineJournal, LineJournalError};
use crate::platform::random::Random;
use crate::position::Position;
use crate::training::data::source::{self, SourceError};
use crate::training::selfplay::player::{PlayerError, SearchPlayer};
use crate::types::Score;

/// How many positions are ranked between two writes.
const AT_ONCE: usize = 32;

/// Why moves cannot be ranked.
#[derive(Debug, thiserror::Error)]
pub enum RankError {
    /// The positions cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// There is no player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file holds something else.
    #[error("{0} was made otherwise; continue with the same settings and sources or write elsewhere")]
    Different(PathBuf),
    /// A line of the file is damaged.
    #[error("{path}: line {number}: {source}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        number: usize,
        /// What does not fit.
        source: serde_json::Error,
    },
    /// A position is illegal.
    #[error("{0}")]
    Position(String),
}

/// A position whose best moves were ranked: a line of JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ranked {
    /// The position.
    pub sfen: String,
    /// The scores of moves in USI notation, in centipawns for the side to move.
    pub moves: BTreeMap<String, i32>,
    /// Who ranked them: free text.
    #[serde(default)]
    pub by: String,
}

/// Which positions are ranked.
#[derive(Clone, Copy, Debug)]
pub struct PositionChoice {
    /// How many; all where there are fewer.
    pub positions: usize,
    /// Largest score of a position, either way, in centipawns.
    pub largest_score: u16,
    /// How many of the best moves get a score.
    pub moves: usize,
    /// Seed of the choice.
    pub seed: u64,
}

impl PositionChoice {
    /// A random sample of the sources' positions (Vitter 1985, algorithm R), none in check.
    fn of(&self, sources: &[PathBuf]) -> Result<Vec<String>, SourceError> {
        let mut random = Random::new(self.seed);
        let (mut chosen, mut seen) = (Vec::new(), 0);
        for path in source::files(sources)? {
            source::read(&path, |labelled, context| {
                if labelled.score.unsigned_abs() > self.largest_score {
                    return;
                }
                let sfen = || labelled.position.to_sfen(1);
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

/// Ranks the moves of chosen positions into a file, a line a position. Lines that are there are kept, so a run that was
/// killed continues where it stopped. `each` is told how many of how many positions are done. Returns how many lines
/// the file holds.
///
/// # Errors
/// Damaged sources; a player that cannot be had; a file that cannot be written or that holds other positions, or the
/// same ranked by another player.
pub fn rank(
    sources: &[PathBuf],
    choice: &PositionChoice,
    by: &str,
    target: &Path,
    player: impl Fn() -> Result<SearchPlayer, PlayerError> + Sync,
    each: impl Fn(usize, usize),
) -> Result<usize, RankError> {
    let io = |source| RankError::Io { path: target.to_owned(), source };
    let chosen = choice.of(sources)?;
    let different = || RankError::Different(target.to_owned());
    let opened = LineJournal::open(target, &["{\"sfen\":\""]).and_then(|file| Ok((file.entries::<Ranked>()?, file)));
    let (earlier, file) = opened.map_err(|error| match error {
        LineJournalError::Io(source) => io(source),
        LineJournalError::Line(number, source) => RankError::Line { path: target.to_owned(), number, source },
        LineJournalError::InUse => io(io::Error::other(error)),
        LineJournalError::Foreign(_) => different(),
    })?;
    let same = |(ranked, sfen): (&Ranked, &String)| ranked.sfen == *sfen && ranked.by == by;
    if earlier.len() > chosen.len() || !earlier.iter().zip(&chosen).all(same) {
        return Err(different());
    }
    let mut file = file.resume().map_err(io)?;
    let mut done = earlier.len();
    for sfens in chosen[done..].chunks(AT_ONCE) {
        each(done, chosen.len());
        let ranked: Vec<Ranked> = sfens
            .par_iter()
            .map(|sfen| {
                let moves = scores(sfen, choice.moves, &mut player()?)?;
                Ok(Ranked { sfen: sfen.clone(), moves, by: by.to_owned() })
            })
            .collect::<Result<_, RankError>>()?;
        file.append_all(&ranked).map_err(io)?;
        done += sfens.len();
    }
    each(done, chosen.len());
    Ok(done)
}

/// The scores of a position's best moves.
fn scores(sfen: &str, moves: usize, player: &mut SearchPlayer) -> Result<BTreeMap<String, i32>, RankError> {
    let position = Position::from_sfen(sfen).map_err(|error| RankError::Position(format!("{sfen}: {error}")))?;
    let best = player.best(&position, &position.legal_moves(), moves);
    Ok(best
        .into_iter()
        .filter(|&(_, score)| score > -Score::INFINITE)
        .map(|(mv, score)| (mv.to_string(), score.0))
        .collect())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::search::Evaluator;
    use crate::training::data::record::{Labelled, Psv};
    use crate::training::selfplay::player::SearchSettings;

    #[test]
    fn a_torn_file_is_gone_on_with_and_another_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let [games, target] = ["a.psv", "ranked.jsonl"].map(|name| folder.path().join(name));
        let mut position = Position::startpos();
        let mut records = Vec::new();
        for number in 0..40 {
            let labelled = Labelled::new(&position, Score(20 * number), None);
            records.extend_from_slice(&Psv::encode(&labelled).unwrap().0);
            let moves = position.legal_moves().to_vec();
            position.do_move(moves[moves.len() / 2]);
        }
        fs::write(&games, records).unwrap();
        let player = || SearchPlayer::new(SearchSettings { nodes: 300, hash: 1, longest: 320 }, Evaluator::HandCrafted);
        let run = |positions, seed| {
            let choice = PositionChoice { positions, largest_score: 700, moves: 3, seed };
            let games = [games.clone()];
            rank(&games, &choice, "a test", &target, player, |_, _| {})
        };
        // Scores 0 to 700 are 36 positions, fewer where there are checks.
        let all = run(100, 1).unwrap();
        assert!((AT_ONCE + 1..=36).contains(&all), "{all}");
        let whole = fs::read_to_string(&target).unwrap();
        for line in whole.lines().map(|line| serde_json::from_str::<Ranked>(line).unwrap()) {
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
