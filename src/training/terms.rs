//! The weights of the attack terms for a network: a ridge regression of what became of positions on their terms, given
//! the network's value.
//!
//! The expected result is linear in the weights near the network's value: a term's effect is its weight times the slope
//! of the logistic curve there. The size of the network's value is corrected in the same regression and then left as it
//! is, so that the terms do not stand for it.

use std::fmt::Write;

use rayon::prelude::*;

use crate::attack_terms::{self, PARTS, TERMS};
use crate::nnue::{Accumulators, Network};
use crate::position::Position;
use crate::position::packed::PackError;
use crate::training::data::record::Psv;
use crate::training::data::source::SourceError;
use crate::training::fit::data::Data;
use crate::training::fit::loss::expectation;
use crate::training::fit::settings::FitSettings;

/// Numbers that correct the size of the network's value: its own, times its size, and its third power.
const SIZE: usize = 3;
/// All that is fitted.
const ALL: usize = SIZE + TERMS;
/// Values of the network beyond this say who wins, whatever is attacked.
const LARGEST_VALUE: i32 = 3000;
/// Positions of one partial sum, so that sums do not depend on the number of threads.
const PART: usize = 8192;

/// Why there are no weights.
#[derive(Debug, thiserror::Error)]
pub enum TermsError {
    /// The data cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A record is damaged.
    #[error("a position of the data: {0}")]
    Record(#[from] PackError),
    /// There is too little to learn from.
    #[error("{0} quiet positions outside check to learn from; {ALL} at least are needed")]
    TooFew(usize),
}

/// Weights, and how well they do.
pub struct FittedTerms {
    /// In parts of a centipawn.
    pub weights: Vec<i16>,
    /// Positions that were learned.
    pub positions: usize,
    /// Positions of other games, on which they were tested.
    pub tested: usize,
    /// The mean square there of what the network expects, against what became of them; 0 without such positions.
    pub network: f64,
    /// The same with the terms as they are written.
    pub with_terms: f64,
}

/// The sums of a regression: of products of what is known, and of these with what is to be explained.
struct Sums {
    products: Vec<f64>,
    targets: Vec<f64>,
    positions: usize,
}

impl Sums {
    fn new() -> Self {
        Self { products: vec![0.0; ALL * ALL], targets: vec![0.0; ALL], positions: 0 }
    }

    fn add(&mut self, other: &Self) {
        let sum = |to: &mut [f64], from: &[f64]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        sum(&mut self.products, &other.products);
        sum(&mut self.targets, &other.targets);
        self.positions += other.positions;
    }
}

/// A position as the regression sees it.
struct Row {
    /// What is known, by index.
    known: Vec<(usize, f64)>,
    /// The network's value in scales.
    value: f64,
    /// What became of the position.
    target: f64,
}

/// Fits the weights of the attack terms to the games of `settings.files`, of which everything counts that chooses and
/// mixes positions. `ridge` is what a squared weight (1.0 is `settings.scale` centipawns) costs, in positions.
///
/// # Errors
/// Data that cannot be read, or holds too few positions.
pub fn fit(network: &Network, settings: &FitSettings, ridge: f64) -> Result<FittedTerms, TermsError> {
    let data = Data::new(settings);
    let scale = f64::from(settings.scale);
    let mut sums = Sums::new();
    let mut read = 0;
    while let Some(filling) = data.fill(0, read)? {
        read = filling.files_read;
        // As many parts at a time as fit into memory easily, added in their order.
        for parts in filling.records.chunks(16 * PART) {
            let parts: Vec<Sums> = parts
                .par_chunks(PART)
                .map(|part| -> Result<Sums, PackError> {
                    let mut sums = Sums::new();
                    for row in rows(network, part, scale) {
                        take(&row?, &mut sums);
                    }
                    Ok(sums)
                })
                .collect::<Result<_, _>>()?;
            for part in &parts {
                sums.add(part);
            }
        }
    }
    if sums.positions < ALL {
        return Err(TermsError::TooFew(sums.positions));
    }
    let solution = solve(&sums, ridge);
    let weight = |&w: &f64| (w * scale * f64::from(PARTS)).round().clamp(f64::from(i16::MIN), f64::from(i16::MAX));
    let weights: Vec<i16> = solution[SIZE..].iter().map(|w| weight(w) as i16).collect();
    let mut fitted = FittedTerms { weights, positions: sums.positions, tested: 0, network: 0.0, with_terms: 0.0 };
    let validation = data.validation(settings.validation_positions)?;
    for row in rows(network, &validation, scale) {
        let row = row?;
        let weighted = |&(k, times): &(usize, f64)| k.checked_sub(SIZE).map(|k| times * f64::from(fitted.weights[k]));
        let terms: f64 = row.known.iter().filter_map(weighted).sum();
        fitted.network += (row.target - expected(row.value)).powi(2);
        fitted.with_terms += (row.target - expected(row.value + terms / f64::from(PARTS) / scale)).powi(2);
        fitted.tested += 1;
    }
    let tested = fitted.tested.max(1) as f64;
    fitted.network /= tested;
    fitted.with_terms /= tested;
    Ok(fitted)
}

/// The rows of records whose positions the network values within the limit.
fn rows<'a>(
    network: &'a Network,
    records: &'a [Psv],
    scale: f64,
) -> impl Iterator<Item = Result<Row, PackError>> + use<'a> {
    let mut accumulators = Accumulators::new(network);
    records.iter().filter_map(move |record| {
        let board = match record.position() {
            Ok(board) => board,
            Err(error) => return Some(Err(error)),
        };
        let position = Position::from_board(&board, 1).ok()?;
        accumulators.reset(&position);
        let value = network.evaluate(&position, &mut accumulators);
        if value.abs() >= LARGEST_VALUE {
            return None;
        }
        let value = f64::from(value) / scale;
        let mut known = vec![(0, value), (1, value * value.abs()), (2, value.powi(3))];
        attack_terms::visit(&position, |term, times| {
            if times > 0 {
                known.push((SIZE + term, f64::from(times)));
            }
        });
        Some(Ok(Row { known, value, target: expected(f64::from(record.score()) / scale) }))
    })
}

/// The expected result of a value in scales, the same on every machine.
fn expected(value: f64) -> f64 {
    f64::from(expectation(value as f32, 1.0))
}

fn take(row: &Row, sums: &mut Sums) {
    let network = expected(row.value);
    let rest = row.target - network;
    let slope = network * (1.0 - network);
    for &(i, x) in &row.known {
        let products = &mut sums.products[i * ALL..][..ALL];
        for &(j, y) in &row.known {
            products[j] += slope * slope * x * y;
        }
        sums.targets[i] += slope * x * rest;
    }
    sums.positions += 1;
}

/// Solves the regression by Cholesky's decomposition; what never occurs, or says nothing beside the others, gets 0.
fn solve(sums: &Sums, ridge: f64) -> Vec<f64> {
    let seen: Vec<usize> = (0..ALL).filter(|&k| sums.products[k * ALL + k] > 0.0).collect();
    let n = seen.len();
    let mut lower = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let own = if i == j && seen[i] >= SIZE { ridge } else { 0.0 };
            let before: f64 = (0..j).map(|k| lower[i * n + k] * lower[j * n + k]).sum();
            let rest = sums.products[seen[i] * ALL + seen[j]] + own - before;
            lower[i * n + j] = match i == j {
                // Nothing is left of it: an infinite pivot makes its solution 0.
                true if rest <= 1e-10 * sums.products[seen[i] * ALL + seen[i]] => f64::INFINITY,
                true => rest.sqrt(),
                false => rest / lower[j * n + j],
            };
        }
    }
    let mut x: Vec<f64> = seen.iter().map(|&k| sums.targets[k]).collect();
    for i in 0..n {
        let before: f64 = (0..i).map(|k| lower[i * n + k] * x[k]).sum();
        x[i] = (x[i] - before) / lower[i * n + i];
    }
    for i in (0..n).rev() {
        let after: f64 = (i + 1..n).map(|k| lower[k * n + i] * x[k]).sum();
        x[i] = (x[i] - after) / lower[i * n + i];
    }
    let mut solution = vec![0.0; ALL];
    for (&k, &x) in seen.iter().zip(&x) {
        solution[k] = x;
    }
    solution
}

/// Weights as the text that [`AttackTerms::parse`](crate::attack_terms::AttackTerms::parse) reads.
pub fn text(weights: &[i16]) -> String {
    let mut text =
        format!("# Weights of the attack terms (src/attack_terms.rs), in 1/{PARTS} centipawn for the side to move.\n");
    let mut weights = weights.iter();
    for section in attack_terms::SECTIONS {
        let _ = writeln!(text, "# {}", section.title);
        for row in section.rows {
            for weight in weights.by_ref().take(section.columns) {
                let _ = write!(text, " {weight:>5}");
            }
            let _ = writeln!(text, "{}{row}", if row.is_empty() { "" } else { "  # " });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that a sum of two terms explains are explained by their weights.
    #[test]
    fn weights_are_found_again() {
        let mut sums = Sums::new();
        let mut random = crate::platform::random::Random::new(5);
        for _ in 0..2000 {
            let (a, b) = (random.below(5) as f64, random.below(3) as f64);
            let known = vec![(0, 1.0), (SIZE + 4, a), (SIZE + 9, b)];
            let target = 0.5 + 0.25 * (0.1 + 0.3 * a - 0.2 * b);
            take(&Row { known, value: 0.0, target }, &mut sums);
        }
        let solution = solve(&sums, 1e-9);
        for (k, weight) in solution.iter().enumerate() {
            let expected = match k {
                0 => 0.1,
                _ if k == SIZE + 4 => 0.3,
                _ if k == SIZE + 9 => -0.2,
                _ => 0.0,
            };
            assert!((weight - expected).abs() < 1e-6, "{k}: {weight}");
        }
        // What a weight costs makes it smaller.
        assert!(solve(&sums, 1000.0)[SIZE + 4] < 0.2);
        // What says the same twice has a solution all the same.
        let mut twice = Sums::new();
        for _ in 0..3 {
            take(&Row { known: vec![(0, 1.0), (1, 1.0)], value: 0.0, target: 0.6 }, &mut twice);
        }
        let solution = solve(&twice, 1.0);
        assert!((solution[0] + solution[1] - 0.4).abs() < 1e-6, "{:?}", &solution[..2]);
    }

    #[test]
    fn the_text_is_read_back() {
        let mut weights: Vec<i16> = (0..TERMS as i16).collect();
        weights[5..9].copy_from_slice(&[i16::MIN, i16::MAX, -10000, i16::MIN]);
        let read = crate::attack_terms::AttackTerms::parse(&text(&weights)).expect("its own text");
        assert_eq!(read.weights()[..], weights);
    }
}
