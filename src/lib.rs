//! Hagane (鋼): a complete shogi engine.
//!
//! The layers, from the ground up; a module may use what stands below it, never what stands above or beside it
//! (`tests/layers.rs` checks that):
//!
//! - [`types`]: colours, squares, pieces, hands, moves, scores.

pub mod types;
