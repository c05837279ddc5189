//! What is in training data: counts, results, scores, phases, duplicates.

use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use super::game::Ending;
use super::phase::phase;
use super::source::{self, FileKind, SourceError};
use crate::types::Color;

/// The upper ends of the bins of absolute scores; the last bin is what is left.
const SCORE_BINS: [i16; 9] = [25, 50, 100, 200, 400, 800, 1500, 3000, 31000];

/// The figures.
#[derive(Clone, Default, Debug)]
pub struct Stats {
    /// Files read.
    pub files: u64,
    /// Their length in bytes.
    pub bytes: u64,
    /// Games; in records, runs of growing plies.
    pub games: u64,
    /// Positions with a score.
    pub positions: u64,
    /// Positions that were seen before (board, hands, side to move).
    pub duplicates: u64,
    /// Positions whose side to move won, drew, lost.
    pub results: [u64; 3],
    /// Positions by absolute score.
    pub scores: [u64; SCORE_BINS.len() + 1],
    /// Positions by phase.
    pub phases: [u64; 8],
    /// Positions in check; only shards tell.
    pub in_check: u64,
    /// Positions with a king in the enemy's camp, and with both.
    pub entered: [u64; 2],
    /// Positions without a full set of pieces.
    pub handicap: u64,
    /// Games by their ending; only shards tell.
    pub endings: [u64; Ending::ALL.len()],
    /// Games won by Black, drawn, won by White.
    pub winners: [u64; 3],
    /// Plies of all games, the given ones included.
    pub plies: u64,
}

/// Counts all positions of files and folders.
pub fn collect(paths: &[PathBuf]) -> Result<Stats, SourceError> {
    let mut stats = Stats::default();
    let mut seen: HashSet<u64> = HashSet::new();
    for path in source::files(paths)? {
        stats.files += 1;
        stats.bytes += std::fs::metadata(&path).map_err(|source| SourceError::Io { path: path.clone(), source })?.len();
        let mut last_game = None;
        source::read(&path, |labelled, context| {
            if last_game != Some(context.game) {
                last_game = Some(context.game);
                stats.games += 1;
            }
            stats.positions += 1;
            let position = &labelled.position;
            let mut hasher = DefaultHasher::new();
            position.hash(&mut hasher);
            stats.duplicates += u64::from(!seen.insert(hasher.finish()));
            stats.results[(1 - labelled.result) as usize] += 1;
            let size = labelled.score.unsigned_abs();
            let bin = SCORE_BINS.iter().position(|&end| size <= end.unsigned_abs());
            stats.scores[bin.unwrap_or(SCORE_BINS.len())] += 1;
            stats.phases[phase(position)] += 1;
            stats.in_check += u64::from(context.in_check == Some(true));
            let entered =
                Color::ALL.map(|color| position.king(color).is_some_and(|king| king.in_promotion_zone(color)));
            stats.entered[0] += u64::from(entered[0] || entered[1]);
            stats.entered[1] += u64::from(entered[0] && entered[1]);
            let held: usize =
                Color::ALL.into_iter().flat_map(|color| position.held(color)).map(|(_, n)| usize::from(n)).sum();
            stats.handicap += u64::from(position.pieces().count() + held < 40);
        })?;
        if FileKind::of(&path) == Some(FileKind::Shard) {
            source::read_games(&path, |_, game, _| {
                stats.endings[game.ending as usize] += 1;
                stats.plies += game.moves.len() as u64;
                let winner = match game.winner {
                    Some(Color::Black) => 0,
                    None => 1,
                    Some(Color::White) => 2,
                };
                stats.winners[winner] += 1;
            })?;
        }
    }
    Ok(stats)
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let all = self.positions;
        writeln!(f, "files       {:>12}", self.files)?;
        writeln!(f, "bytes       {:>12}  {:.2} a position", self.bytes, self.bytes as f64 / all.max(1) as f64)?;
        writeln!(f, "games       {:>12}  {:.1} positions a game", self.games, all as f64 / self.games.max(1) as f64)?;
        writeln!(f, "positions   {all:>12}")?;
        let mut line =
            |name: &str, count: u64, whole: u64| writeln!(f, "{name:<22} {count:>12}  {:5.1} %", share(count, whole));
        line("duplicates", self.duplicates, all)?;
        line("in check", self.in_check, all)?;
        line("a king entered", self.entered[0], all)?;
        line("both kings entered", self.entered[1], all)?;
        line("handicap", self.handicap, all)?;
        for (name, count) in ["mover won", "draw", "mover lost"].iter().zip(self.results) {
            line(name, count, all)?;
        }
        for (bin, count) in self.scores.iter().enumerate() {
            let name = match SCORE_BINS.get(bin) {
                Some(end) => format!("|score| <= {end}"),
                None => "mate scores".to_owned(),
            };
            line(&name, *count, all)?;
        }
        for (stack, count) in self.phases.iter().enumerate() {
            line(&format!("phase {stack}"), *count, all)?;
        }
        let games: u64 = self.winners.iter().sum();
        for (name, count) in ["Black won", "drawn", "White won"].iter().zip(self.winners) {
            line(name, count, games)?;
        }
        for ending in Ending::ALL {
            line(ending.name(), self.endings[ending as usize], games)?;
        }
        Ok(())
    }
}
