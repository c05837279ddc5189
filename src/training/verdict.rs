//! What deep games say of a lesson: how much of the way from one network to another they want.
//!
//! Networks that learned from cheap games must prove themselves where much is searched, and matches there take hours. But
//! the later scores and the results of a few thousand games of deep searches, which no network has learned from, can be
//! asked at once. Their expectation is written as that of the first network and a share of the way to the other (least
//! squares): the share says how far one should go, and what it explains says what the way is worth, whatever its length.
//! Neighbouring positions of a game tell the same, so the deviation is that of games (Liang and Zeger 1986).

use std::path::PathBuf;

use super::fit::batch::Blend;
use super::fit::data::{Data, Filter};
use super::fit::loss::{CUSTOMARY_SCALE, Power, expectation};
use super::packed::PackError;
use super::placement::Placement;
use super::record::Psv;
use super::source::{self, SourceError};

/// Centipawns above which a position is as good as decided: larger values of either network are left out.
const LARGEST_VALUE: i32 = 1500;

/// Why games cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum VerdictError {
    /// They cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A position cannot be unpacked.
    #[error(transparent)]
    Position(#[from] PackError),
}

/// Quiet positions of games, with what followed.
pub struct Games {
    positions: Vec<Placement>,
    /// What was to be expected, 0..=1 for the side to move.
    targets: Vec<f64>,
    /// Each position's game.
    games: Vec<usize>,
}

/// What games say of the way between two networks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// The way's length: the mean squared difference of the two expectations.
    pub length: f64,
    /// The share of it that the games want, and its standard deviation.
    pub share: (f64, f64),
    /// What that share explains: by how much the mean squared difference from what followed falls.
    pub worth: f64,
}

impl Games {
    /// Reads games; `lambda` is the weight of scores against results, `foresight` that of later scores in a position's (see
    /// [`super::fit::foresight`]).
    ///
    /// # Errors
    /// Files that cannot be read, or positions that cannot.
    pub fn read(paths: &[PathBuf], lambda: f32, foresight: f32) -> Result<Self, VerdictError> {
        let data = Data {
            files: source::files(paths)?,
            filter: Filter::default(),
            validation: 1,
            buffer: 0,
            seed: 1,
            foresight: (foresight, CUSTOMARY_SCALE),
        };
        let blend = Blend {
            lambda,
            scale: CUSTOMARY_SCALE,
            power: Power::Two,
        };
        Self::of(&data.validation(usize::MAX)?, blend)
    }

    /// Records game by game: one begins where the ply falls.
    fn of(records: &[Psv], blend: Blend) -> Result<Self, VerdictError> {
        let mut games = Self {
            positions: Vec::new(),
            targets: Vec::new(),
            games: Vec::new(),
        };
        let (mut game, mut last) = (0, 0);
        for record in records {
            if record.ply() <= last {
                game += 1;
            }
            last = record.ply();
            games.positions.push(record.position()?);
            games.targets.push(f64::from(blend.target(record)));
            games.games.push(game);
        }
        Ok(games)
    }

    /// The positions, in the order in which [`Games::verdict`] takes their values.
    pub fn positions(&self) -> &[Placement] {
        &self.positions
    }

    /// How many games there are.
    pub fn count(&self) -> usize {
        self.games.last().map_or(0, |last| last + 1)
    }

    /// What the games say of the way between two networks, whose values are in centipawns for the side to move; `None` where
    /// the networks do not differ.
    ///
    /// # Panics
    /// Where there are not as many values as positions.
    pub fn verdict(&self, from: &[i32], to: &[i32]) -> Option<Verdict> {
        assert_eq!(from.len(), self.positions.len(), "a value a position");
        assert_eq!(to.len(), self.positions.len(), "a value a position");
        let expected = |value: i32| f64::from(expectation(value as f32, CUSTOMARY_SCALE)) - 0.5;
        let open = |value: i32| value.abs() < LARGEST_VALUE;
        // Game, expectation of the first network, way to the second, what followed.
        let rows: Vec<(usize, f64, f64, f64)> = (0..from.len())
            .filter(|&i| open(from[i]) && open(to[i]))
            .map(|i| {
                let (start, end) = (expected(from[i]), expected(to[i]));
                (self.games[i], start, end - start, self.targets[i] - 0.5)
            })
            .collect();
        let sum = |of: fn(f64, f64, f64) -> f64| -> f64 {
            rows.iter()
                .map(|&(_, start, way, followed)| of(start, way, followed))
                .sum()
        };
        let starts = sum(|start, _, _| start * start);
        let ways = sum(|_, way, _| way * way);
        let both = sum(|start, way, _| start * way);
        let start_followed = sum(|start, _, followed| start * followed);
        let way_followed = sum(|_, way, followed| way * followed);
        // The way beyond what is only a larger or smaller scale of the first network's values.
        let beyond = ways - both * both / starts;
        if beyond.is_nan() || beyond <= 1e-9 * ways {
            return None;
        }
        let share = (way_followed - both / starts * start_followed) / beyond;
        let scale = (start_followed - share * both) / starts;
        let mut by_game = vec![0.0; self.count()];
        for &(game, start, way, followed) in &rows {
            let left = followed - scale * start - share * way;
            by_game[game] += (way - both / starts * start) * left;
        }
        let spread: f64 = by_game.iter().map(|sum| sum * sum).sum();
        let count = rows.len() as f64;
        Some(Verdict {
            length: ways / count,
            share: (share, spread.sqrt() / beyond),
            worth: share * share * beyond / count,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::random::Random;
    use crate::training::record::Labelled;
    use crate::types::Score;

    /// 2000 games of ten positions, values of a first network, and the truth in centipawns; what followed is the truth's
    /// result, drawn once a game.
    fn games() -> (Games, Vec<i32>, Vec<i32>) {
        let mut random = Random::new(7);
        let (mut records, mut first, mut truth) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..2000 {
            let value = (random.unit() * 1200.0) as i32 - 600;
            let error = (random.unit() * 600.0) as i32 - 300;
            let won = random.chance(expectation((value + error) as f32, CUSTOMARY_SCALE));
            for ply in 1..=10 {
                let mut labelled = Labelled::judged(&Position::startpos(), Score(0), None);
                labelled.ply = ply;
                labelled.result = if won { 1 } else { -1 };
                records.push(Psv::encode(&labelled).unwrap());
                first.push(value);
                truth.push(value + error);
            }
        }
        let blend = Blend {
            lambda: 0.0,
            scale: CUSTOMARY_SCALE,
            power: Power::Two,
        };
        (Games::of(&records, blend).unwrap(), first, truth)
    }

    #[test]
    fn the_way_to_the_truth_is_wanted_whole() {
        let (games, first, truth) = games();
        assert_eq!((games.count(), games.positions().len()), (2000, 20_000));
        let verdict = games.verdict(&first, &truth).unwrap();
        let (share, deviation) = verdict.share;
        assert!((share - 1.0).abs() < 3.0 * deviation, "{verdict:?}");
        // 2000 results, of 0.25 variance, over ways of that length; ten equal positions count as one.
        let expected = (0.25 / 2000.0 / verdict.length).sqrt();
        assert!((0.7..1.2).contains(&(deviation / expected)), "{verdict:?}");
        // Twice the way is wanted half, and is worth as much.
        let twice: Vec<i32> = (0..first.len())
            .map(|i| first[i] + 2 * (truth[i] - first[i]))
            .collect();
        let further = games.verdict(&first, &twice).unwrap();
        assert!((further.share.0 / share - 0.5).abs() < 0.1, "{further:?}");
        assert!((further.worth / verdict.worth - 1.0).abs() < 0.1);
    }

    #[test]
    fn a_way_into_the_blue_is_not_wanted() {
        let (games, first, _) = games();
        let mut random = Random::new(8);
        let noise: Vec<i32> = first
            .iter()
            .map(|value| value + (random.unit() * 600.0) as i32 - 300)
            .collect();
        let verdict = games.verdict(&first, &noise).unwrap();
        assert!(verdict.share.0.abs() < 3.0 * verdict.share.1, "{verdict:?}");
        assert_eq!(games.verdict(&first, &first), None);
    }
}
