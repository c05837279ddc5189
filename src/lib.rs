//! Hagane (鋼): a complete shogi engine.
//!
//! The layers, from the ground up; a module may use what stands below it, never what stands above or beside it
//! (`tests/layers.rs` checks that):
//!
//! - [`types`] - colours, squares, pieces, hands, moves, scores.
//! - [`bitboard`] - sets of squares and the attacks of every piece.
//! - [`position`] - the rules: do and undo, move generation, legality, repetition, declaration, SFEN.
//! - [`tt`] - the transposition table.
//! - [`clock`] - what `go` says about time becomes bounds for one move.
//! - [`search`] - alpha-beta.
//! - [`engine`] - the engine as a component, without text.

pub mod bitboard;
pub mod clock;
pub mod engine;
pub mod position;
pub mod search;
pub mod tt;
pub mod types;
