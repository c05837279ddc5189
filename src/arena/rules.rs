//! The referees of games: the full rules of shogi, or none (USI-X).

mod opaque;
mod referee;
mod shogi;

pub use opaque::Opaque;
pub use referee::Referee;
pub use shogi::{Shogi, ShogiRules};
