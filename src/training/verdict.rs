//! What deep games say of a lesson: how much of the way from one network to another they want.
//!
//! Networks that learned from cheap games must prove themselves where much is searched, and matches there take hours.
//! But the later scores and the results of a few thousand games of deep searches, which no network has learned from,
//! can be asked at once. What followed is written as the first network's expectation, to some scale and with some worth
//! of the turn, and a share of the way from there to the other's (least squares): the share says how far one should go,
//! and what it explains says what the way is worth, whatever its length. (Scale and turn are free since they choose
//! hardly any move, but are much of what games of few nodes say otherwise than games of many.) Neighbouring positions
//! of a game tell the same, so the deviation is that of games (Liang and Zeger 1986).
//!
//! Several ways at once make a mean of the networks.

use std::path::PathBuf;

use super::fit::batch::Blend;
use super::fit::data::{Data, Filter};
use super::fit::foresight::Foresight;
use super::fit::inputs;
use super::fit::loss::{CUSTOMARY_SCALE, Power, expectation};
use super::least_squares::Sums;
use super::packed::PackError;
use super::placement::Placement;
use super::source::{self, SourceError};

/// Centipawns above which a position is as good as decided: larger values of the first network are left out.
const LARGEST_VALUE: i32 = 1500;

/// Fewer games say nothing, not even how far they may be from the truth.
const FEWEST_GAMES: usize = 10;

/// So many parts of the games are foretold by the others, to say what a mean of networks is worth.
const PARTS: usize = 10;

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
    #[error("no way: but for their scale and the turn its values are the first network's")]
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
    /// The standard deviation of the share, as if the values' scale and the turn's worth were known.
    pub deviation: f64,
    /// By how much that share of the way lowers the mean squared difference from what followed, less what chance would
    /// have lowered it by; negative where the games want the opposite way.
    pub worth: f64,
}

/// What games say of the ways to several networks taken together.
#[derive(Clone, PartialEq, Debug)]
pub struct Mean {
    /// How many positions were asked.
    pub positions: usize,
    /// Of how many games they are.
    pub games: usize,
    /// The share of each way that the games want beside the others. What they lack to 1 is the first network's weight
    /// in the mean; it may be negative.
    pub shares: Vec<f64>,
    /// By how much the mean lowers the mean squared difference from what followed: in games whose shares are found
    /// without them.
    pub worth: f64,
}

/// A position that is asked.
struct Row {
    /// The number of its game.
    game: usize,
    /// What the first network expects, from -0.5 to 0.5.
    start: f64,
    /// What the others expect beyond that.
    ways: Vec<f64>,
    /// What followed, from -0.5 to 0.5.
    followed: f64,
}

impl Games {
    /// Reads games; `lambda` is the weight of scores against results (of a drawn game the score alone counts),
    /// `foresight` that of later scores in a position's (see [`super::fit::foresight`]).
    ///
    /// # Errors
    /// Files or positions that cannot be read.
    pub fn read(paths: &[PathBuf], lambda: f32, foresight: Foresight) -> Result<Self, VerdictError> {
        let data = Data {
            files: source::files(paths)?,
            filter: Filter::default(),
            validation: 0,
            buffer: 0,
            seed: 0,
            foresight: (foresight, CUSTOMARY_SCALE),
        };
        let blend = Blend { lambda, scale: CUSTOMARY_SCALE, power: Power::Two };
        let mut games = Self { positions: Vec::new(), targets: Vec::new(), game_of: Vec::new() };
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
    /// Too few games, or networks that do not differ by more than a factor and the turn.
    ///
    /// # Panics
    /// Where there are not as many values as positions.
    pub fn verdict(&self, from: &[i32], to: &[i32], phase: Option<usize>) -> Result<Verdict, VerdictError> {
        let rows = self.rows(from, &[to], phase)?;
        let (way_scale, ways) = beyond_start(&rows, |row| row.ways[0]);
        let (followed_scale, followed) = beyond_start(&rows, |row| row.followed);
        let count = rows.len() as f64;
        let length = rows.iter().map(|row| row.ways[0].powi(2)).sum::<f64>() / count;
        let squares: f64 = ways.iter().map(|way| way * way).sum();
        if squares <= 1e-9 * length * count {
            return Err(VerdictError::NoWay);
        }
        let products = ways.iter().zip(&followed).map(|(way, rest)| way * rest);
        let share = products.sum::<f64>() / squares;
        let mut left = ways.iter().zip(&followed);
        let pulls: f64 = by_game(&rows)
            .map(|game| {
                let game = left.by_ref().take(game.len());
                game.map(|(way, rest)| way * (rest - share * way)).sum::<f64>().powi(2)
            })
            .sum();
        let games = by_game(&rows).count();
        let few = games as f64 / (games - 1) as f64;
        let deviation = (pulls * few).sqrt() / squares;
        let explained = (share * share - deviation * deviation) * squares / count;
        // Values may be too small on the whole, all of them alike: that is not a matter of the way.
        let scale = positive(followed_scale - share * way_scale);
        Ok(Verdict {
            positions: rows.len(),
            games,
            length,
            share: share / scale,
            deviation: deviation / scale,
            worth: if share < 0.0 { -explained.abs() } else { explained },
        })
    }

    /// What the games say of the ways from one network to several others taken together, as [`Games::verdict`] of one.
    ///
    /// # Errors
    /// Too few games.
    ///
    /// # Panics
    /// Where there are not as many values as positions.
    pub fn mean(&self, from: &[i32], to: &[Vec<i32>]) -> Result<Mean, VerdictError> {
        let to: Vec<&[i32]> = to.iter().map(Vec::as_slice).collect();
        let rows = self.rows(from, &to, None)?;
        let factors = |row: &Row| [&[1.0, row.start], row.ways.as_slice()].concat();
        let unknowns = 2 + to.len();
        let mut parts = vec![Sums::new(unknowns); PARTS];
        for (number, game) in by_game(&rows).enumerate() {
            for row in game {
                parts[number % PARTS].add(&factors(row), row.followed);
            }
        }
        let mut all = Sums::new(unknowns);
        for part in &parts {
            all.add_sums(part, 1.0);
        }
        // What the other parts foretell of a part, with the ways and with the first network alone.
        let others: Vec<[Vec<f64>; 2]> = parts
            .iter()
            .map(|part| {
                let mut others = all.clone();
                others.add_sums(part, -1.0);
                [others.clone().solve(), others.first(2).solve()]
            })
            .collect();
        let mut worth = 0.0;
        for (number, game) in by_game(&rows).enumerate() {
            for row in game {
                let factors = factors(row);
                let [with, without] = &others[number % PARTS];
                let error = |found: &[f64]| {
                    let foretold: f64 = found.iter().zip(&factors).map(|(a, b)| a * b).sum();
                    (row.followed - foretold).powi(2)
                };
                worth += error(without) - error(with);
            }
        }
        let found = all.solve();
        let scale = positive(found[1]);
        Ok(Mean {
            positions: rows.len(),
            games: by_game(&rows).count(),
            shares: found[2..].iter().map(|share| share / scale).collect(),
            worth: worth / rows.len() as f64,
        })
    }

    /// The positions that are asked, those of a game together.
    fn rows(&self, from: &[i32], to: &[&[i32]], phase: Option<usize>) -> Result<Vec<Row>, VerdictError> {
        for values in to.iter().chain([&from]) {
            assert_eq!(values.len(), self.positions.len(), "a value a position");
        }
        let expected = |value: i32| f64::from(expectation(value as f32, CUSTOMARY_SCALE)) - 0.5;
        let rows: Vec<Row> = (0..from.len())
            .filter(|&i| from[i].abs() <= LARGEST_VALUE)
            .filter(|&i| phase.is_none_or(|phase| inputs::phase(&self.positions[i]) == phase))
            .map(|i| {
                let start = expected(from[i]);
                Row {
                    game: self.game_of[i],
                    start,
                    ways: to.iter().map(|to| expected(to[i]) - start).collect(),
                    followed: self.targets[i] - 0.5,
                }
            })
            .collect();
        let games = by_game(&rows).count();
        if games < FEWEST_GAMES {
            return Err(VerdictError::Few(games));
        }
        Ok(rows)
    }
}

/// The positions of each game.
fn by_game(rows: &[Row]) -> impl Iterator<Item = &[Row]> {
    rows.chunk_by(|a, b| a.game == b.game)
}

/// By how much a number grows with what the first network expects, and what of it neither that nor the turn foretells.
fn beyond_start(rows: &[Row], of: impl Fn(&Row) -> f64) -> (f64, Vec<f64>) {
    let mut sums = Sums::new(2);
    for row in rows {
        sums.add(&[1.0, row.start], of(row));
    }
    let found = sums.solve();
    let rest = |row: &Row| of(row) - found[0] - found[1] * row.start;
    (found[1], rows.iter().map(rest).collect())
}

/// A scale that makes sense.
fn positive(scale: f64) -> f64 {
    if scale > 0.0 { scale } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::random::Random;
    use crate::position::Position;

    /// So many games of ten positions each, values of a first network, and the truth in centipawns; what followed is
    /// the truth's result, drawn once a game.
    fn games(count: usize) -> (Games, Vec<i32>, Vec<i32>) {
        let mut random = Random::new(7);
        let mut games = Games { positions: Vec::new(), targets: Vec::new(), game_of: Vec::new() };
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
        let twice = games.verdict(&first, &towards(&first, &truth, 2), None).unwrap();
        assert!((twice.share / verdict.share - 0.5).abs() < 0.1, "{twice:?}");
        assert!((twice.worth / verdict.worth - 1.0).abs() < 0.1, "{twice:?}");
        let back = games.verdict(&first, &towards(&first, &truth, -1), None).unwrap();
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
        let noise: Vec<i32> = first.iter().map(|value| value + (random.unit() * 600.0) as i32 - 300).collect();
        let verdict = games.verdict(&first, &noise, None).unwrap();
        assert!((0.02..0.2).contains(&verdict.deviation), "{verdict:?}");
        assert!(verdict.share.abs() < 3.0 * verdict.deviation);
        let true_one = games.verdict(&first, &truth, None).unwrap();
        assert!(verdict.worth.abs() < 0.1 * true_one.worth, "{verdict:?}");
    }

    #[test]
    fn several_ways_share_out_the_truth() {
        let (games, first, truth) = games(2000);
        // Two ways that together are the truth, and one into the blue.
        let mut random = Random::new(9);
        let (mut one, mut other, mut blue) = (Vec::new(), Vec::new(), Vec::new());
        for (first, truth) in first.iter().zip(&truth) {
            let aside = (random.unit() * 400.0) as i32 - 200;
            one.push(truth + aside);
            other.push(first - aside);
            blue.push(first + (random.unit() * 600.0) as i32 - 300);
        }
        let mean = games.mean(&first, &[one, other, blue]).unwrap();
        assert_eq!((mean.games, mean.positions), (2000, 20_000));
        let alone = games.verdict(&first, &truth, None).unwrap();
        for (share, expected) in mean.shares.iter().zip([alone.share, alone.share, 0.0]) {
            assert!((share - expected).abs() < 0.15, "{mean:?} {alone:?}");
        }
        assert!((mean.worth / alone.worth - 1.0).abs() < 0.1, "{mean:?}");
        // What says nothing is worth nothing: a little less, for its shares are chance.
        let nothing = games.mean(&first, std::slice::from_ref(&first)).unwrap();
        assert_eq!((nothing.shares[0], nothing.worth), (0.0, 0.0));
    }

    #[test]
    fn where_nothing_can_be_said_nothing_is() {
        let (few, first, truth) = games(9);
        assert!(matches!(few.verdict(&first, &truth, None), Err(VerdictError::Few(9))));
        let (games, first, truth) = games(50);
        for same in [&first, &vec![0; first.len()]] {
            assert!(matches!(games.verdict(&first, same, None), Err(VerdictError::NoWay)));
        }
        let decided = vec![1501; first.len()];
        assert!(matches!(games.verdict(&decided, &truth, None), Err(VerdictError::Few(0))));
        assert!(games.verdict(&vec![0; first.len()], &truth, None).is_ok());
    }
}
