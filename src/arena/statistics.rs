//! Strength estimates from the results of a match: score, Elo, normalised Elo, likelihood of superiority.
//!
//! The unit is the *pair*: two games of one opening with colours swapped. The two results are correlated, so the
//! variance is that of the five possible pair results (the pentanomial); that of single games would be too large.
//! (Michel Van den Bergh, "Normalized Elo", and the Fishtest project's mathematics page.)

mod distribution;
mod rating;
mod sprt;

pub use distribution::{
    Distribution, Estimate, NELO_SCALE, Pentanomial, Wdl, Z95, elo, elo_estimate, los, nelo_estimate, score_of_elo,
};
pub use rating::{PairingScore, Rating, ratings};
pub use sprt::{Decision, Model, Sprt};
