//! Game records (棋譜): a tree of moves with comments, variations, headers and clocks, and the formats that hold it.
//!
//! A record keeps what a file says even where no game could be so: diagrams with eighteen pawns on a file, moves
//! that a referee would punish, puzzles without a king. [`Diagram`] is therefore a plain board that moves pieces
//! about; whether a move is legal is the [`position`](crate::position)'s to say, see [`Record::fouls`].
//!
//! ```
//! use hagane::record::{Document, Format};
//!
//! let document = Document::read("手合割：平手\n1 ７六歩(77)\n*good\n2 投了\n".as_bytes(), None)?;
//! let (text, losses) = document.games[0].write(Format::Csa);
//! assert!(text.contains("+7776FU\n'*good\n%TORYO") && losses.is_empty());
//! # Ok::<(), hagane::record::ReadError>(())
//! ```

mod compare;
mod csa;
mod diagram;
mod document;
mod encoding;
mod end;
mod error;
mod handicap;
mod jkf;
mod ki2;
mod kif;
mod kif_header;
mod legality;
mod notation;
mod tree;
mod usi;
mod western;

pub use csa::{csa_move as move_in_csa, read_csa_move};
pub use diagram::{Diagram, Impossible};
pub use document::{Document, Format, UnknownFormat, write_whole};
pub use encoding::{Encoding, Newline, UnknownEncoding};
pub use end::End;
pub use error::{ReadError, Warning};
pub use handicap::Handicap;
pub use legality::Foul;
pub use notation::{line_in_japanese, move_in_japanese, piece_in_japanese, read_japanese_line};
pub use tree::{Action, Clock, Comment, Node, NodeId, Record, Start};
pub use western::{line_in_english, move_in_english};

impl Record {
    /// The record in a format, and what the format could not hold, one sentence each.
    ///
    /// Lines end with `\n`; [`Document::to_bytes`] adds encoding, byte order mark and the source's line ends.
    pub fn write(&self, format: Format) -> (String, Vec<String>) {
        match format {
            Format::Kif => kif::write(self),
            Format::Ki2 => ki2::write(self),
            Format::Csa => csa::write(self),
            Format::Usi => usi::write(self),
            Format::Jkf => jkf::write(self),
        }
    }
}
