//! Who judges a game: the whole rules of shogi, or nothing but words (USI-X).

mod opaque;
mod referee;
mod shogi;

pub use opaque::Opaque;
pub use referee::Referee;
pub use shogi::{Shogi, ShogiRules};
