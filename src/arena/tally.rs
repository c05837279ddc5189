//! The tally of a match's results.

use std::collections::{BTreeMap, HashMap};

use super::result::{Effort, EngineFault, FaultKind, GameResult, Reason};
use super::setup::{Match, Rules};
use super::statistics::{PairingScore, Pentanomial, Sprt, Wdl, elo_estimate};
use crate::types::Color;

/// The games between two engines, from the view of the one with the lower index.
#[derive(Clone, Debug, Default)]
pub struct Versus {
    /// Games.
    pub wdl: Wdl,
    /// Complete pairs by their half points, 0 to 4.
    pub pairs: Pentanomial,
    /// The half points of the first finished game of incomplete pairs.
    half: HashMap<u32, u8>,
}

/// A point of the match's chart.
#[derive(Clone, Copy, Debug)]
pub struct CoursePoint {
    /// Games finished.
    pub games: u64,
    /// The first engine's Elo.
    pub elo: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The log-likelihood ratio, if a test runs.
    pub llr: f64,
}

/// The results of a match so far.
#[derive(Clone, Debug)]
pub struct Tally {
    sprt: Option<Sprt>,
    solo: bool,
    /// Games finished.
    pub games: u64,
    /// By engine: results with Black and with White.
    pub colors: Vec<[Wdl; 2]>,
    /// By pairing, the lower index first.
    pub versus: BTreeMap<(usize, usize), Versus>,
    /// Search statistics by engine.
    pub efforts: Vec<Effort>,
    /// The number of faults by engine and kind, with the particulars of the first; of refused options, those of all.
    pub faults: BTreeMap<(usize, FaultKind), (u32, String)>,
    /// The number of games by the reason of their end.
    pub reasons: BTreeMap<Reason, u64>,
    /// The course of a match of two engines, a point per game.
    pub course: Vec<CoursePoint>,
    /// The scores of solo games, by engine and token sequence.
    pub solo_scores: Vec<BTreeMap<u32, f64>>,
    /// Moves in all games, those of the openings included.
    pub plies: u64,
}

impl Tally {
    /// An empty tally.
    pub fn new(setup: &Match) -> Self {
        let engines = setup.players.len();
        Self {
            sprt: setup.sprt,
            solo: matches!(setup.rules, Rules::Solo { .. }),
            games: 0,
            colors: vec![Default::default(); engines],
            versus: BTreeMap::new(),
            efforts: vec![Effort::default(); engines],
            faults: BTreeMap::new(),
            reasons: BTreeMap::new(),
            course: Vec::new(),
            solo_scores: vec![BTreeMap::new(); engines],
            plies: 0,
        }
    }

    /// Adds a game.
    pub fn add(&mut self, result: &GameResult) {
        self.games += 1;
        self.plies += u64::from(result.plies);
        *self.reasons.entry(result.reason).or_default() += 1;
        for fault in &result.faults {
            self.add_fault(fault);
        }
        let [black, white] = result.players;
        self.efforts[black].add(&result.efforts[0]);
        if self.solo {
            if let Some(score) = result.score {
                self.solo_scores[black].insert(result.pair, score);
            }
            return;
        }
        self.efforts[white].add(&result.efforts[1]);
        for color in Color::ALL {
            let engine = result.players[color.index()];
            self.colors[engine][color.index()].add(result.winner.half_points(color));
        }
        let (first, side) = if black < white { (black, Color::Black) } else { (white, Color::White) };
        let points = result.winner.half_points(side);
        let versus = self.versus.entry((first, black.max(white))).or_default();
        versus.wdl.add(points);
        match versus.half.remove(&result.pair) {
            Some(other) => versus.pairs[usize::from(other + points)] += 1,
            None => {
                versus.half.insert(result.pair, points);
            }
        }
        if self.colors.len() == 2 {
            self.mark();
        }
    }

    /// Adds a fault.
    pub fn add_fault(&mut self, fault: &EngineFault) {
        let entry = self.faults.entry((fault.engine, fault.kind)).or_default();
        if entry.0 == 0 {
            entry.1 = fault.detail.clone();
        } else if fault.kind == FaultKind::RefusedOption && !entry.1.split("; ").any(|known| known == fault.detail) {
            // Every option that is not taken is named.
            entry.1 = format!("{}; {}", entry.1, fault.detail);
        }
        entry.0 += 1;
    }

    /// The number of faults of an engine, or of all.
    pub fn fault_count(&self, engine: Option<usize>) -> u32 {
        self.faults
            .iter()
            .filter(|((culprit, _), _)| engine.is_none_or(|engine| engine == *culprit))
            .map(|(_, (count, _))| count)
            .sum()
    }

    /// The results of the first two engines, from the first one's view.
    pub fn main(&self) -> (Wdl, Pentanomial) {
        self.versus.get(&(0, 1)).map_or_else(Default::default, |versus| (versus.wdl, versus.pairs))
    }

    /// The test's log-likelihood ratio.
    pub fn llr(&self) -> Option<f64> {
        self.sprt.map(|sprt| sprt.llr(&self.main().1))
    }

    /// The counts to estimate strength from: pairs if there are any, else single games.
    pub fn best_counts(wdl: &Wdl, pairs: &Pentanomial) -> Vec<u64> {
        if pairs.iter().any(|&count| count > 0) { pairs.to_vec() } else { wdl.counts().to_vec() }
    }

    fn mark(&mut self) {
        let (wdl, pairs) = self.main();
        let estimate = elo_estimate(&Self::best_counts(&wdl, &pairs));
        self.course.push(CoursePoint {
            games: wdl.games(),
            elo: estimate.value,
            low: estimate.low,
            high: estimate.high,
            llr: self.llr().unwrap_or(0.0),
        });
    }

    /// All results of one engine.
    pub fn total(&self, engine: usize) -> Wdl {
        let [black, white] = self.colors[engine];
        Wdl { wins: black.wins + white.wins, draws: black.draws + white.draws, losses: black.losses + white.losses }
    }

    /// The scores of all pairings, for the rating table.
    pub fn pairing_scores(&self) -> Vec<PairingScore> {
        self.versus
            .iter()
            .map(|(&(first, second), versus)| PairingScore {
                first,
                second,
                games: versus.wdl.games() as f64,
                points: versus.wdl.wins as f64 + versus.wdl.draws as f64 / 2.0,
            })
            .collect()
    }
}
