//! What the results of a match say about strength: score, Elo, normalised Elo, likelihood of superiority.
//!
//! The unit is the *pair*: two games from one opening with colours swapped. Their results depend on one another, so the
//! five results that a pair can have (the pentanomial) carry the true variance, which single games would overstate.
//! (Michel Van den Bergh, "Normalized Elo", and the Fishtest project's mathematics page.)

mod distribution;
mod rating;
mod sprt;

pub use distribution::{
    Distribution, Estimate, NELO_SCALE, Pentanomial, Wdl, Z95, elo, elo_estimate, los, nelo_estimate, score_of_elo,
};
pub use rating::{PairingScore, Rating, ratings};
pub use sprt::{Decision, Model, Sprt};
