//! Self-play: games of the engine against itself, from varied start positions.

pub mod castles;
pub mod generate;
mod journal;
pub mod opening;
pub mod play;
pub mod player;
