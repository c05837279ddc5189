//! The transposition table: what was found about positions, shared by all search threads without locks.
//!
//! A cluster of four 16-byte entries fills one cache line; the high bits of a position's key choose the cluster. An
//! entry is two atomic words, the data and `key ^ data`, so that an entry torn by two writers does not match any key
//! and is simply not found (Hyatt and Mann, *A lock-less transposition table implementation for parallel search*, ICGA
//! Journal 25, 2002). All accesses are relaxed atomics: no data race, no lock, no order needed.

mod entry;
mod memory;
mod table;

pub use entry::{DEPTH_NONE, Entry};
pub use table::{TableError, TranspositionTable};
