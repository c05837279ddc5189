//! Playing levels: how the engine plays worse than it can, in ways that people do.
//!
//! What people complain of in weak levels is that they are unbeatable or absurd: a perfect opening, a rook given away,
//! then a mate in fifteen. So a level is made of five means, each a file of its own:
//!
//! | | file | |
//! |---|---|---|
//! | sight | `sight` | how far it looks: plies and nodes, never time, so that a level is as strong on every machine |
//! | judgement | `judgement` | what it thinks of a position: a taste for squares and a plan, the same all game long |
//! | oversight | `oversight` | answers of the opponent that it does not see, of the kinds that people overlook |
//! | choice | `choice` | which of the moves that seem good it plays, and what it never does |
//! | shape | `shape` | where it moves a piece when nothing calls for a move: no wandering, no drops where nothing happens |
//!
//! The upper levels look with the engine's own search, bounded in nodes, on a table and with histories of their own. So
//! full strength knows nothing of levels: a search after a limited game finds the engine as new. Everything follows
//! from the level, the position and a seed, so that the same seed gives the same game.
//!
//! `table` has the levels and what was measured of them. The idea that errors should come from judgement rather than
//! dice is Nakamichi and Ito's (ICGA Journal 2018), that nothing unnatural may be played Ikeda and Viennot's (2013).

mod choice;
mod finish;
mod grade;
mod judgement;
mod ladder;
mod level;
mod oversight;
mod pace;
mod player;
mod shape;
mod sight;
mod style;
mod table;

pub use grade::{elo_of_grade, grade_of_elo, level_of_elo};
pub use ladder::FULL;
pub use level::Level;
pub(super) use pace::pace;
pub(super) use player::Player;
pub use table::LEVELS;
