//! Making networks: `generate` -> `label` -> `fit` -> `average`.
//!
//! [`selfplay`] plays games and writes shards with a manifest ([`data`]); [`label`] searches positions of games anew
//! and writes records; [`fit`] trains a network on shards and records and exports it; [`average`] takes the mean of
//! several. `eval/recipe.sh` runs all of it. [`terms`] fits the attack terms, which stand beside a network; [`ranked`]
//! measures what the moves that searches choose lose.

pub mod average;
pub mod data;
pub mod fit;
pub mod label;
pub mod ranked;
pub mod selfplay;
pub mod terms;
