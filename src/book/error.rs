//! Why a book cannot be used.

use std::io;

/// Why a book cannot be opened or read: one sentence each.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The file has no bytes.
    #[error("the file is empty")]
    Empty,
    /// The content is no book of a known format.
    #[error("it is no opening book (known are YaneuraOu's .db and .ybb and Apery's .bin)")]
    Unknown,
    /// A book that must be converted before it can be used.
    #[error("it is a book of ShogiGUI (.sbk): make a .db of it with 'hagane book convert'")]
    Sbk,
    /// A protocol buffer that is broken.
    #[error("it is a broken book of ShogiGUI (.sbk): {0}")]
    BrokenSbk(String),
    /// A .ybb file with features of another version.
    #[error("it has the flags {0:#x}, of which only 1 is known")]
    Flags(u64),
    /// The file is shorter than it says.
    #[error("it is cut short: {records} positions are announced, {bytes} bytes are there")]
    Truncated {
        /// Positions that the head announces.
        records: u64,
        /// Length of the file.
        bytes: u64,
    },
    /// An entry of a .ybb file points behind the end of the file.
    #[error("position {0} has moves behind the end of the file")]
    Offset(u64),
    /// The file is not sorted, so that positions in it cannot be found without loading it.
    #[error("it is not sorted, so that it cannot be searched without loading it: 'hagane book sort' helps")]
    Unsorted,
    /// More than the tables can count.
    #[error("it has too many moves to be loaded: use BookOnTheFly")]
    TooLarge,
}
