//! The mean of a network's weights over the last part of a run.
//!
//! The weights of single batches scatter around what they have in common; their mean does not, and errs less
//! (stochastic weight averaging: Izmailov et al., *Averaging Weights Leads to Wider Optima and Better Generalization*,
//! 2018).

use super::network::Network;

/// The share of a run before the averaging begins.
pub const BEGIN: f32 = 0.75;

/// A running mean.
#[derive(Default)]
pub struct WeightAverage {
    /// How many batches it is of.
    pub count: u32,
    /// The means, in the order of [`Network::parameters`].
    pub means: Vec<f32>,
}

impl WeightAverage {
    /// Adds the weights after a batch.
    pub fn add(&mut self, network: &Network) {
        self.count += 1;
        if self.count == 1 {
            self.means = network.parameters().flatten().copied().collect();
            return;
        }
        let share = 1.0 / self.count as f32;
        for (mean, weight) in self.means.iter_mut().zip(network.parameters().flatten()) {
            *mean += share * (weight - *mean);
        }
    }

    /// Gives the network the mean weights, if there are any.
    pub fn apply(self, network: &mut Network) {
        if self.count == 0 {
            return;
        }
        let mut means = &self.means[..];
        network.for_each_parameters(|parameters| {
            let (own, rest) = means.split_at(parameters.len());
            parameters.copy_from_slice(own);
            means = rest;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::shape::Shape;
    use super::*;

    #[test]
    fn the_mean_is_that_of_all_that_were_added() {
        let mut average = WeightAverage::default();
        let mut network = Network::new(Shape::own(128), 1);
        for value in [1.0, 2.0, 6.0] {
            network.for_each_parameters(|parameters| parameters.fill(value));
            average.add(&network);
        }
        average.apply(&mut network);
        assert!(network.parameters().flatten().all(|weight| (weight - 3.0).abs() < 1e-6));
        let before: Vec<f32> = network.parameters().flatten().copied().collect();
        WeightAverage::default().apply(&mut network);
        assert!(network.parameters().flatten().eq(&before));
    }
}
