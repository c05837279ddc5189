//! What deep games say of a lesson: how much of the way from one network to another they want.
//!
//! Networks that learned from cheap games must prove themselves where much is searched, and matches there take hours. But
//! the later scores and the results of a few thousand games of deep searches, which no network has learned from, can be
//! asked at once. What followed is written as the first network's expectation, to some scale, and a share of the way from
//! there to the other's (least squares): the share says how far one should go, and what it explains says what the way is
//! worth, whatever its length. Neighbouring positions of a game tell the same, so the deviation is that of games (Liang and
//! Zeger 1986).

use std::path::PathBuf;

use super::fit::batch::Blend;
use super::fit::data::{Data, Filter};
use super::fit::foresight::Foresight;
use super::fit::inputs;
use super::fit::loss::{CUSTOMARY_SCALE, Power, expectation};
use super::packed::PackError;
use super::placement::Placement;
use super::source::{self, SourceError};

/// Centipawns above which a position is as good as decided: larger values of the first network are left out.
const LARGEST_VALUE: i32 = 1500;

/// Fewer games say nothing, not even how far they may be from the truth.
const FEWEST_GAMES: usize = 10;

/// Why games cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum VerdictError {
    /// They cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A position cannot be unpacked.
    #[error(transparent)]
    Position(#[from] PackError),
    /// There are none, or too few.
    #[error(
        "{0} games with open, quiet positions are too few to judge by: {FEWEST_GAMES} at least (files of .hcpe do not tell where a game begins)"
    )]
    Few(usize),
    /// There is nothing to be judged.
    #[error("no way: but for their scale its values are the first network's")]
    NoWay,
}

/// Quiet positions of games, with what followed.
pub struct Games {
    positions: Vec<Placement>,
    /// What was to be expected, 0..=1 for the side to move.
    targets: Vec<f64>,
    /// The number of each position's game.
    game_of: Vec<usize>,
}

/// What games say of the way between two networks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// How many positions were asked: quiet ones that the first network does not call decided.
    pub positions: usize,
    /// Of how many games they are.
    pub games: usize,
    /// The way's length: the mean squared difference of the two expectations.
    pub length: f64,
    /// The share of it that the games want: there and back these add up to 1, but for chance.
    pub share: f64,
    /// The standard deviation of the share, as if the values' scale were known.
    pub deviation: f64,
    /// By how much that share of the way lowers the mean squared difference from what followed, less what chance would have
    /// lowered it by; negative where the games want the opposite way.
    pub worth: f64,
}

impl Games {
    /// Reads games; `lambda` is the weight of scores against results (of a drawn game the score alone counts), `foresight`
    /// that of later scores in a position's (see [`super::fit::foresight`]).
    ///
    /// # Errors
    /// Files or positions that cannot be read.
    pub fn read(
        paths: &[PathBuf],
        lambda: f32,
        foresight: Foresight,
    ) -> Result<Self, VerdictError> {
        let data = Data {
            files: source::files(paths)?,
            filter: Filter::default(),
            validation: 0,
            buffer: 0,
            seed: 0,
            foresight: (foresight, CUSTOMARY_SCALE),
        };
        let blend = Blend {
            lambda,
            scale: CUSTOMARY_SCALE,
            power: Power::Two,
        };
        let mut games = Self {
            positions: Vec::new(),
            targets: Vec::new(),
            game_of: Vec::new(),
        };
        for (number, game) in data.games()?.into_iter().enumerate() {
            for record in game {
                games.positions.push(record.position()?);
                games.targets.push(f64::from(blend.target(&record)));
                games.game_of.push(number);
            }
        }
        Ok(games)
    }

    /// The positions, in the order in which [`Games::verdict`] takes their values.
    pub fn positions(&self) -> &[Placement] {
        &self.positions
    }

    /// What the games say of the way between two networks, whose values are in centipawns for the side to move; of all
    /// positions, or of those of one phase (see [`inputs::phase`]).
    ///
    /// # Errors
    /// Too few games, or networks that do not differ by more than a factor.
    ///
    /// # Panics
    /// Where there are not as many values as positions.
    pub fn verdict(
        &self,
        from: &[i32],
        to: &[i32],
        phase: Option<usize>,
    ) -> Result<Verdict, VerdictError> {
        assert_eq!(from.len(), self.positions.len(), "a value a position");
        assert_eq!(to.len(), self.positions.len(), "a value a position");
        let expected = |value: i32| f64::from(expectation(value as f32, CUSTOMARY_SCALE)) - 0.5;
        // Game, expectation of the first network, way to the second, what followed.
        let rows: Vec<(usize, f64, f64, f64)> = (0..from.len())
            .filter(|&i| from[i].abs() <= LARGEST_VALUE)
            .filter(|&i| phase.is_none_or(|phase| inputs::phase(&self.positions[i]) == phase))
            .map(|i| {
                let (start, end) = (expected(from[i]), expected(to[i]));
                (self.game_of[i], start, end - start, self.targets[i] - 0.5)
            })
            .collect();
        // Rows of a game lie together.
        let games = rows.chunk_by(|a, b| a.0 == b.0).count();
        if games < FEWEST_GAMES {
            return Err(VerdictError::Few(games));
        }
        let sum = |of: fn(f64, f64, f64) -> f64| -> f64 {
            rows.iter()
                .map(|&(_, start, way, followed)| of(start, way, followed))
                .sum()
        };
        let starts = sum(|start, _, _| start * start);
        let ways = sum(|_, way, _| way * way);
        let start_way = sum(|start, way, _| start * way);
        let start_followed = sum(|start, _, followed| start * followed);
        let way_followed = sum(|_, way, followed| way * followed);
        // What of the way is only a larger or smaller scale; where all values are 0 nothing is.
        let scaled = if starts > 0.0 {
            start_way / starts
        } else {
            0.0
        };
        let beyond = ways - scaled * start_way;
        if beyond <= 1e-9 * ways {
            return Err(VerdictError::NoWay);
        }
        let share = (way_followed - scaled * start_followed) / beyond;
        let scale = if starts > 0.0 {
            (start_followed - share * start_way) / starts
        } else {
            0.0
        };
        let squares: f64 = rows
            .chunk_by(|a, b| a.0 == b.0)
            .map(|game| {
                game.iter()
                    .map(|&(_, start, way, followed)| {
                        (way - scaled * start) * (followed - scale * start - share * way)
                    })
                    .sum::<f64>()
                    .powi(2)
            })
            .sum();
        let few = games as f64 / (games - 1) as f64;
        let deviation = (squares * few).sqrt() / beyond;
        let count = rows.len() as f64;
        let explained = (share * share - deviation * deviation) * beyond / count;
        // Values may be too small on the whole, all of them alike: that is not a matter of the way.
        let scale = if scale > 0.0 { scale } else { 1.0 };
        Ok(Verdict {
            positions: rows.len(),
            games,
            length: ways / count,
            share: share / scale,
            deviation: deviation / scale,
            worth: if share < 0.0 {
                -explained.abs()
            } else {
                explained
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::random::Random;

    /// So many games of ten positions each, values of a first network, and the truth in centipawns; what followed is the
    /// truth's result, drawn once a game.
    fn games(count: usize) -> (Games, Vec<i32>, Vec<i32>) {
        let mut random = Random::new(7);
        let mut games = Games {
            positions: Vec::new(),
            targets: Vec::new(),
            game_of: Vec::new(),
        };
        let (mut first, mut truth) = (Vec::new(), Vec::new());
        for game in 0..count {
            let value = (random.unit() * 1200.0) as i32 - 600;
            let error = (random.unit() * 600.0) as i32 - 300;
            let won = random.chance(expectation((value + error) as f32, CUSTOMARY_SCALE));
            for _ in 0..10 {
                games.positions.push(Placement::from(&Position::startpos()));
                games.targets.push(f64::from(u8::from(won)));
                games.game_of.push(game);
                first.push(value);
                truth.push(value + error);
            }
        }
        (games, first, truth)
    }

    /// As far from the first values as `factor` times the truth is.
    fn towards(first: &[i32], truth: &[i32], factor: i32) -> Vec<i32> {
        let pairs = first.iter().zip(truth);
        pairs.map(|(a, b)| a + factor * (b - a)).collect()
    }

    #[test]
    fn the_way_to_the_truth_is_wanted_whole() {
        let (games, first, truth) = games(2000);
        let verdict = games.verdict(&first, &truth, None).unwrap();
        assert_eq!((verdict.games, verdict.positions), (2000, 20_000));
        assert!((verdict.share - 1.0).abs() < 3.0 * verdict.deviation);
        // They are all of the first phase.
        assert_eq!(games.verdict(&first, &truth, Some(0)).unwrap(), verdict);
        let other = games.verdict(&first, &truth, Some(1));
        assert!(matches!(other, Err(VerdictError::Few(0))));
        // 2000 results, of 0.25 variance, over ways of that length; ten equal positions count as one.
        let expected = (0.25 / 2000.0 / verdict.length).sqrt();
        assert!((0.7..1.2).contains(&(verdict.deviation / expected)));
        // Such ways are hardly a matter of scale, and 2000 results say little by chance.
        let all = verdict.share * verdict.share * verdict.length;
        assert!((0.8..1.0).contains(&(verdict.worth / all)), "{verdict:?}");
        // Twice the way is wanted half, and is worth as much; the opposite way is worth the opposite.
        let twice = games
            .verdict(&first, &towards(&first, &truth, 2), None)
            .unwrap();
        assert!((twice.share / verdict.share - 0.5).abs() < 0.1, "{twice:?}");
        assert!((twice.worth / verdict.worth - 1.0).abs() < 0.1, "{twice:?}");
        let back = games
            .verdict(&first, &towards(&first, &truth, -1), None)
            .unwrap();
        assert!((back.share / verdict.share + 1.0).abs() < 0.1, "{back:?}");
        assert!((back.worth / verdict.worth + 1.0).abs() < 0.1, "{back:?}");
        // From the truth no way leads on, and timid values change nothing of it.
        let none = games.verdict(&truth, &first, None).unwrap();
        assert!((none.share + verdict.share - 1.0).abs() < 0.1, "{none:?}");
        let [half_first, half_truth] =
            [&first, &truth].map(|values| values.iter().map(|value| value / 2).collect::<Vec<_>>());
        let timid = games.verdict(&half_first, &half_truth, None).unwrap();
        assert!((timid.share - verdict.share).abs() < 0.1, "{timid:?}");
    }

    #[test]
    fn a_way_into_the_blue_is_not_wanted() {
        let (games, first, truth) = games(2000);
        let mut random = Random::new(8);
        let noise: Vec<i32> = first
            .iter()
            .map(|value| value + (random.unit() * 600.0) as i32 - 300)
            .collect();
        let verdict = games.verdict(&first, &noise, None).unwrap();
        assert!((0.02..0.2).contains(&verdict.deviation), "{verdict:?}");
        assert!(verdict.share.abs() < 3.0 * verdict.deviation);
        let true_one = games.verdict(&first, &truth, None).unwrap();
        assert!(verdict.worth.abs() < 0.1 * true_one.worth, "{verdict:?}");
    }

    #[test]
    fn where_nothing_can_be_said_nothing_is() {
        let (few, first, truth) = games(9);
        assert!(matches!(
            few.verdict(&first, &truth, None),
            Err(VerdictError::Few(9))
        ));
        let (games, first, truth) = games(50);
        for same in [&first, &vec![0; first.len()]] {
            assert!(matches!(
                games.verdict(&first, same, None),
                Err(VerdictError::NoWay)
            ));
        }
        let decided = vec![1501; first.len()];
        assert!(matches!(
            games.verdict(&decided, &truth, None),
            Err(VerdictError::Few(0))
        ));
        assert!(games.verdict(&vec![0; first.len()], &truth, None).is_ok());
    }
}
