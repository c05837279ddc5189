//! Least squares with a handful of unknowns, by their normal equations.

/// The sums over observations from which any of their least squares follow; those of disjoint sets of observations add
/// up.
#[derive(Clone, Debug, PartialEq)]
pub struct Sums {
    /// Sums of products of two unknowns' factors, row by row.
    products: Vec<Vec<f64>>,
    /// Sums of products of an unknown's factor and what was observed.
    observed: Vec<f64>,
}

impl Sums {
    /// Of no observation of so many unknowns.
    pub fn new(unknowns: usize) -> Self {
        Self { products: vec![vec![0.0; unknowns]; unknowns], observed: vec![0.0; unknowns] }
    }

    /// Adds an observation: `observed` is the sum of the unknowns times their `factors`, but for an error.
    ///
    /// # Panics
    /// Where there are more factors than unknowns.
    pub fn add(&mut self, factors: &[f64], observed: f64) {
        for (row, &factor) in factors.iter().enumerate().filter(|(_, f)| **f != 0.0) {
            self.observed[row] += factor * observed;
            for (product, other) in self.products[row].iter_mut().zip(factors) {
                *product += factor * other;
            }
        }
    }

    /// Adds the observations of other sums of as many unknowns, so many times; -1 takes them away again.
    pub fn add_sums(&mut self, other: &Self, times: f64) {
        for (row, more) in self.products.iter_mut().zip(&other.products) {
            for (product, more) in row.iter_mut().zip(more) {
                *product += times * more;
            }
        }
        for (observed, more) in self.observed.iter_mut().zip(&other.observed) {
            *observed += times * more;
        }
    }

    /// The same observations where only so many unknowns are there.
    pub fn first(&self, unknowns: usize) -> Self {
        let row = |row: &Vec<f64>| row[..unknowns].to_vec();
        Self {
            products: self.products[..unknowns].iter().map(row).collect(),
            observed: self.observed[..unknowns].to_vec(),
        }
    }

    /// Holds an unknown near 0 by as much as an observation of 0 with the root of `strength` as its factor.
    ///
    /// # Panics
    /// Where there is no such unknown.
    pub fn hold(&mut self, unknown: usize, strength: f64) {
        self.products[unknown][unknown] += strength;
    }

    /// The unknowns that leave the smallest sum of squared errors. One that the observations do not tell from those
    /// before it is 0.
    pub fn solve(mut self) -> Vec<f64> {
        let count = self.observed.len();
        let likely: Vec<f64> = (0..count).map(|i| self.products[i][i]).collect();
        // Elimination; a symmetric matrix of sums of squares needs no search for pivots.
        for pivot in 0..count {
            let (above, below) = self.products.split_at_mut(pivot + 1);
            let top = &mut above[pivot];
            if top[pivot] <= 1e-12 * likely[pivot] {
                top.fill(0.0);
                top[pivot] = 1.0;
                self.observed[pivot] = 0.0;
            }
            for (number, row) in below.iter_mut().enumerate() {
                let share = row[pivot] / top[pivot];
                for (value, taken) in row.iter_mut().zip(&*top) {
                    *value -= share * taken;
                }
                self.observed[pivot + 1 + number] -= share * self.observed[pivot];
            }
        }
        for pivot in (0..count).rev() {
            let known: f64 =
                (pivot + 1..count).map(|column| self.products[pivot][column] * self.observed[column]).sum();
            self.observed[pivot] = (self.observed[pivot] - known) / self.products[pivot][pivot];
        }
        self.observed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::random::Random;

    #[test]
    fn unknowns_are_found_again_and_what_cannot_be_told_is_nothing() {
        let mut random = Random::new(3);
        let unknowns = [2.0, -0.5, 0.25];
        let (mut one, mut other) = (Sums::new(4), Sums::new(4));
        for number in 0..100 {
            let factors = [1.0, f64::from(random.unit()), f64::from(random.unit())];
            let observed = factors.iter().zip(unknowns).map(|(a, b)| a * b).sum();
            // The fourth cannot be told from the second.
            let factors = [factors[0], factors[1], factors[2], 2.0 * factors[1]];
            let sums = if number % 2 == 0 { &mut one } else { &mut other };
            sums.add(&factors, observed);
        }
        let mut all = one.clone();
        all.add_sums(&other, 1.0);
        for sums in [all.clone(), one.clone(), other.clone()] {
            let found = sums.solve();
            for (found, expected) in found.iter().zip([2.0, -0.5, 0.25, 0.0]) {
                assert!((found - expected).abs() < 1e-6, "{found} for {expected}");
            }
        }
        // What was added can be taken away, and what is held strongly stays.
        all.add_sums(&other, -1.0);
        all.hold(2, 1e9);
        assert!(all.solve()[2].abs() < 1e-6);
        assert_eq!(Sums::new(2).solve(), [0.0, 0.0]);
    }
}
