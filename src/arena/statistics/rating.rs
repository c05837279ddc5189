//! Ratings of many engines from all their games: the Bradley-Terry model, the first engine fixed at 0.
//!
//! A draw counts as half a win. (R. A. Bradley and M. E. Terry, 1952; solved by Newton's method on the log-likelihood,
//! which is concave; the margins come from the inverse of the information matrix.)

use serde::Serialize;

use super::distribution::Z95;

/// The games between two engines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairingScore {
    /// Index of one engine.
    pub first: usize,
    /// Index of the other.
    pub second: usize,
    /// The number of games.
    pub games: f64,
    /// The first one's points, a draw being one half.
    pub points: f64,
}

/// A rating in Elo, relative to the first engine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Elo above the first engine; the margin is infinite if no chain of games connects the two.
    pub elo: f64,
    /// Half the 95 % interval; 0 for the first engine.
    pub margin: f64,
}

/// The ratings of `engines` engines.
///
/// If one group won every game against another there is no finite maximum. So one virtual drawn game is added to each
/// engine, spread evenly over its opponents; over many games it moves a rating by less than its margin.
pub fn ratings(engines: usize, records: &[PairingScore]) -> Vec<Rating> {
    if engines == 0 {
        return Vec::new();
    }
    let scale = 400.0 / std::f64::consts::LN_10;
    let connected = connected_to_first(engines, records);
    let mut games = vec![vec![0.0; engines]; engines];
    let mut points = vec![0.0; engines];
    for record in records {
        let (a, b) = (record.first, record.second);
        if record.games <= 0.0 || a == b || a >= engines || b >= engines {
            continue;
        }
        games[a][b] += record.games;
        games[b][a] += record.games;
        points[a] += record.points;
        points[b] += record.games - record.points;
    }
    let played = games.clone();
    for a in 0..engines {
        let opponents: Vec<usize> = (0..engines).filter(|&b| played[a][b] > 0.0).collect();
        for &b in &opponents {
            let share = 1.0 / opponents.len() as f64;
            games[a][b] += share;
            games[b][a] += share;
            points[a] += share / 2.0;
            points[b] += share / 2.0;
        }
    }
    let free: Vec<usize> = (1..engines).filter(|&i| connected[i]).collect();
    let mut strength = vec![0.0; engines];
    let mut inverse = Vec::new();
    for _ in 0..100 {
        // Gradient and information of the log-likelihood in natural units.
        let expected = |a: usize, b: usize| 1.0 / (1.0 + f64::exp(strength[b] - strength[a]));
        let gradient: Vec<f64> =
            free.iter().map(|&a| points[a] - (0..engines).map(|b| games[a][b] * expected(a, b)).sum::<f64>()).collect();
        let information: Vec<Vec<f64>> = free
            .iter()
            .map(|&a| {
                let weight = |b: usize| games[a][b] * expected(a, b) * expected(b, a);
                free.iter().map(|&b| if a == b { (0..engines).map(weight).sum() } else { -weight(b) }).collect()
            })
            .collect();
        let Some(solved) = invert(information) else {
            break;
        };
        inverse = solved;
        let mut largest: f64 = 0.0;
        for (row, &a) in inverse.iter().zip(&free) {
            let step: f64 = row.iter().zip(&gradient).map(|(x, g)| x * g).sum();
            // Limit the step: Newton's method may overshoot on one-sided results.
            let step = step.clamp(-1.0, 1.0);
            strength[a] += step;
            largest = largest.max(step.abs());
        }
        if largest < 1e-10 {
            break;
        }
    }
    (0..engines)
        .map(|i| match free.iter().position(|&a| a == i) {
            Some(row) => Rating {
                elo: strength[i] * scale,
                margin: inverse.get(row).map_or(f64::INFINITY, |r| Z95 * r[row].max(0.0).sqrt() * scale),
            },
            None if i == 0 => Rating { elo: 0.0, margin: 0.0 },
            None => Rating { elo: 0.0, margin: f64::INFINITY },
        })
        .collect()
}

fn connected_to_first(engines: usize, records: &[PairingScore]) -> Vec<bool> {
    let mut connected = vec![false; engines];
    connected[0] = true;
    for _ in 0..engines {
        for record in records.iter().filter(|record| record.games > 0.0) {
            let (a, b) = (record.first, record.second);
            if a < engines && b < engines && (connected[a] || connected[b]) {
                connected[a] = true;
                connected[b] = true;
            }
        }
    }
    connected
}

/// The inverse of a symmetric positive definite matrix by Gauss-Jordan elimination; `None` if it is singular.
fn invert(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..size).map(|i| (0..size).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let factor = 1.0 / matrix[column][column];
        for value in matrix[column].iter_mut().chain(&mut inverse[column]) {
            *value *= factor;
        }
        for row in (0..size).filter(|&row| row != column) {
            let factor = matrix[row][column];
            for j in 0..size {
                matrix[row][j] -= factor * matrix[column][j];
                inverse[row][j] -= factor * inverse[column][j];
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::super::distribution::{elo, score_of_elo};
    use super::*;

    #[test]
    fn two_engines_rate_as_their_score_says() {
        let record = PairingScore { first: 1, second: 0, games: 1000.0, points: 640.0 };
        let rating = ratings(2, &[record]);
        assert_eq!(rating[0], Rating { elo: 0.0, margin: 0.0 });
        assert!((rating[1].elo - elo(0.64)).abs() < 0.5, "{rating:?}");
        // The margin of independent games without draws: 1.96 · scale / √(n p q).
        let margin = Z95 * 400.0 / std::f64::consts::LN_10 / (1000f64 * 0.64 * 0.36).sqrt();
        assert!((rating[1].margin - margin).abs() < 0.2, "{rating:?}");
    }

    #[test]
    fn a_known_field_is_recovered() {
        let truth = [0.0, 120.0, -75.0, 40.0];
        let mut records = Vec::new();
        for first in 0..4 {
            for second in first + 1..4 {
                let games = 5000.0;
                let points = games * score_of_elo(truth[first] - truth[second]);
                records.push(PairingScore { first, second, games, points });
            }
        }
        for (rating, truth) in ratings(4, &records).iter().zip(truth) {
            assert!((rating.elo - truth).abs() < 1.0, "{rating:?} {truth}");
        }
    }

    #[test]
    fn one_sided_and_unconnected_results_stay_numbers() {
        let sweep = PairingScore { first: 0, second: 1, games: 10.0, points: 10.0 };
        let rating = ratings(3, &[sweep]);
        assert!(rating[1].elo < -400.0 && rating[1].elo.is_finite(), "{rating:?}");
        assert!(rating[2].margin.is_infinite());
        assert!(ratings(0, &[]).is_empty());
        assert_eq!(ratings(1, &[]).len(), 1);
    }
}
