//! The languages in which moves are written for people.

use std::str::FromStr;

use super::{line_in_english, line_in_japanese, move_in_english, move_in_japanese};
use crate::position::Board;
use crate::types::{Move, Square};

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// 日本語
    Japanese,
    /// English.
    English,
}

impl Language {
    /// A move in the notation of the language; `last_to` is the destination of the move before it.
    pub fn move_text(self, before: &Board, mv: Move, last_to: Option<Square>) -> String {
        match self {
            Self::Japanese => move_in_japanese(before, mv, last_to),
            Self::English => move_in_english(before, mv),
        }
    }

    /// A line of play, see [`Language::move_text`].
    pub fn line_text(self, start: &Board, moves: &[Move], last_to: Option<Square>) -> String {
        match self {
            Self::Japanese => line_in_japanese(start, moves, last_to),
            Self::English => line_in_english(start, moves),
        }
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "ja" => Ok(Self::Japanese),
            "en" => Ok(Self::English),
            _ => Err(format!("'{text}' is not a language (expected ja or en)")),
        }
    }
}
