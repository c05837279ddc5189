//! Opening books (定跡): reading them, looking positions up, choosing a move.
//!
//! A [`Book`] is a file of any known format, told by its content: YaneuraOu's text (`.db`) and binary (`.ybb`) formats,
//! Apery's `book.bin`. It is loaded into memory, or searched in its file, with the same answers. [`choice`] judges what
//! it has by the user's limits.

mod apery;
mod book_move;
pub mod choice;
mod db_file;
mod db_lines;
mod db_table;
mod db_text;
mod error;
mod probe;
mod sbk;
mod storage;
mod ybb;

pub use apery::{AperyFile, key as apery_key};
pub use book_move::{BookMove, merge, rank, sort};
pub use db_lines::DbLines;
pub use db_table::Faults;
pub use db_text::{DbLine, HEADER, Key, board, key, move_line, read_sfen};
pub use error::BookError;
pub use probe::{Book, BookFormat, BookSize, Lookup};
pub use sbk::{SbkBook, SbkPosition, read as read_sbk};
pub use ybb::{YbbFile, YbbPosition, write as write_ybb};
