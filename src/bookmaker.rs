//! Making opening books: by own search, from records, and of other books.
//!
//! [`Collection`] is a whole book in memory, with what its owner has written into it. [`make`] searches a tree of
//! positions, best first; its searches are kept in a journal, so that it can be killed at any time.

pub mod check;
mod collection;
mod ends;
mod explore;
pub mod from_records;
pub mod make;
pub mod minimax;
mod search_journal;
mod searcher;
mod summary;
mod tree;
mod walk;

pub use collection::{Collection, Collision, CommentedMove, Entry, Fault};
pub use explore::{ExploreLimits, Root};
pub use summary::{Range, Summary};
