//! Game records (棋譜): a tree of moves with comments, variations, headers and clocks, and the formats that hold it.
//!
//! A record keeps what its file says, also where no legal game could get there: boards with nine pawns on a file,
//! illegal moves, problems without a king. [`Board`](crate::position::Board) is therefore a board without rules;
//! legality is checked by [`position`](crate::position), see [`Record::illegal_moves`].
//!
//! ```
//! use hagane::record::{Document, FileFormat};
//!
//! let document = Document::read("手合割：平手\n1 ７六歩(77)\n*good\n2 投了\n".as_bytes(), None)?;
//! let (text, losses) = document.games[0].write(FileFormat::Csa);
//! assert!(text.contains("+7776FU\n'*good\n%TORYO") && losses.is_empty());
//! # Ok::<(), hagane::record::ReadError>(())
//! ```

mod compare;
mod csa;
mod csa_move;
mod detect;
mod document;
mod encoding;
mod end;
mod error;
mod format;
mod handicap;
mod jkf;
mod ki2;
mod kif;
mod kif_body;
mod kif_head;
mod kif_row;
mod language;
mod legality;
mod notation;
mod time_used;
mod tree;
mod usi;
mod western;
mod written_move;

pub use csa_move::{csa_move as move_in_csa, read_csa_move};
pub use document::Document;
pub use encoding::{Encoding, Newline, UnknownEncoding};
pub use end::{End, ends_moves};
pub use error::{ReadError, Warning, WarningKind};
pub use format::{FileFormat, UnknownFileFormat};
pub use handicap::Handicap;
pub use language::Language;
pub use legality::RuleViolation;
pub use notation::{line_in_japanese, move_in_japanese, piece_in_japanese};
pub use time_used::{TimeUsed, read_seconds};
pub use tree::{Action, Comment, Node, NodeId, PreviousMove, Record, Start, UnknownLine};
pub use western::{line_in_english, move_in_english};
pub use written_move::read_japanese_line;
