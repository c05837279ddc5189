//! Making networks: self-play games, their storage and exchange, and the trainer.
//!
//! [`generate`] plays games and writes [`shard`]s with a [`manifest`], and what their searches found out besides
//! ([`harvest`]); [`fit`] makes a network of shards (or of records that came from elsewhere) and exports it;
//! [`average`] makes one of several.
//!
//! Networks are judged without matches by labels ([`yardstick`]), by games ([`verdict`]) and by ranked moves
//! ([`ranking`]), which judge the search's margins too ([`tuning`]).

pub mod average;
mod bits;
pub mod camp;
pub mod convert;
pub mod correction;
pub mod derived;
pub mod fit;
pub mod game;
pub mod generate;
pub mod harvest;
mod journal;
pub mod leaf;
mod least_squares;
pub mod manifest;
pub mod opening;
pub mod packed;
pub mod placement;
pub mod ranking;
pub mod record;
pub mod shard;
pub mod source;
pub mod stats;
pub mod thinker;
pub mod tree;
pub mod tuning;
pub mod variation;
mod varint;
pub mod verdict;
pub mod yardstick;
