//! Training data: games and labelled positions, their files, conversion and statistics.

pub mod convert;
pub mod game;
pub mod manifest;
pub mod phase;
pub mod record;
pub mod shard;
pub mod source;
pub mod stats;
mod varint;
