//! Hagane (鋼): a complete shogi engine.
//!
//! The layers, from the ground up; a module may use what stands below it, never what stands above or beside it
//! (`tests/layers.rs` checks that):
//!
//! - [`platform`] - memory on huge pages, thread scheduling, locks, random numbers.
//! - [`types`] - colours, squares, pieces, hands, moves, scores.
//! - [`bitboard`] - sets of squares and the attacks of every piece.
//! - [`position`] - the rules: do and undo, move generation, legality, repetition, declaration, SFEN.
//! - [`hand_crafted`] - a small hand-crafted evaluation (HCE), for when there is no network.
//! - [`nnue`] - evaluation by a neural network, its files and their formats.
//! - [`tt`] - the transposition table.
//! - [`clock`] - what `go` says about time becomes bounds for one move.
//! - [`record`] - game records with comments and variations: KIF, KI2, CSA, USI, JKF.
//! - [`mate`] - the mate solver.
//! - [`search`] - alpha-beta.
//! - [`engine`] - the engine as a component, without text.
//! - [`client`] - any USI engine in another process.
//! - [`arena`] - matches between engines, with honest statistics.
//! - [`usi`]: the protocol, between a client and the engine.
//! - [`training`] - self-play games, their storage, and the trainer of networks.
//! - [`analysis`] - thinking comments, judgement and reports of games.
//! - [`selftest`]: proof of the rules on the machine at hand.
//! - [`tsume`] - mate problems by the file.
//! - [`cli`]: the command line.

pub mod analysis;
pub mod arena;
pub mod bitboard;
pub mod cli;
pub mod client;
pub mod clock;
pub mod engine;
pub mod hand_crafted;
pub mod mate;
pub mod nnue;
pub mod platform;
pub mod position;
pub mod record;
pub mod search;
pub mod selftest;
pub mod training;
pub mod tsume;
pub mod tt;
pub mod types;
pub mod usi;
