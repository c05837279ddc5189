//! Hagane (鋼): a complete shogi engine.
//!
//! The layers, from the ground up; a module may use what stands below it, never what stands above or beside it
//! (`tests/layers.rs` checks that):
//!
//! - [`types`]: colours, squares, pieces, hands, moves, scores.
//! - [`clock`]: what `go` says about time becomes bounds for one move.
//! - [`tt`][]: the transposition table.
//! - [`search`][]: alpha-beta.
//! - [`engine`][]: the engine as a component, without text.

pub mod clock;
pub mod engine;
pub mod search;
pub mod tt;
pub mod types;
