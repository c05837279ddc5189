//! Facts about a move, in plain words.

use super::language::Language;
use crate::platform::wording::counted;
use crate::record::piece_in_japanese;
use crate::types::PieceType;

/// A fact about a move that explains its mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// There was a mate, and the move misses it.
    MissedMate {
        /// Its length in plies, where known.
        plies: Option<u32>,
    },
    /// The move allows a mate that was not there.
    AllowedMate {
        /// Its length in plies, where known.
        plies: Option<u32>,
    },
    /// The move loses material in comparison with the best line.
    LostMaterial {
        /// The most valuable piece lost.
        kind: PieceType,
        /// The loss in hundredths of a pawn.
        value: u32,
    },
    /// The game could have been won by declaration.
    MissedDeclaration,
}

impl Fact {
    /// The fact as a sentence.
    pub fn text(self, language: Language) -> String {
        use Language::{English, Japanese};
        match (self, language) {
            (Self::MissedMate { plies: Some(plies) }, Japanese) => {
                format!("{plies}手詰を逃しました。")
            }
            (Self::MissedMate { plies: None }, Japanese) => "詰みを逃しました。".to_owned(),
            (Self::MissedMate { plies: Some(plies) }, English) => {
                format!("Missed a mate in {}.", counted(plies, "ply", "plies"))
            }
            (Self::MissedMate { plies: None }, English) => "Missed a mate.".to_owned(),
            (Self::AllowedMate { plies: Some(plies) }, Japanese) => {
                format!("{plies}手で詰まされる形になりました。")
            }
            (Self::AllowedMate { plies: None }, Japanese) => "詰まされる形になりました。".to_owned(),
            (Self::AllowedMate { plies: Some(plies) }, English) => {
                format!("Allows a mate in {}.", counted(plies, "ply", "plies"))
            }
            (Self::AllowedMate { plies: None }, English) => "Allows a mate.".to_owned(),
            (Self::LostMaterial { kind, value }, Japanese) => {
                format!("{}を損します（最善の順に比べて歩およそ{}枚分）。", piece_in_japanese(kind), (value + 50) / 100)
            }
            (Self::LostMaterial { kind, value }, English) => {
                format!("Loses a {} (about {} pawns compared with the best line).", kind.name(), (value + 50) / 100)
            }
            (Self::MissedDeclaration, Japanese) => "入玉宣言で勝てる局面でした。".to_owned(),
            (Self::MissedDeclaration, English) => "The game could have been won by declaration.".to_owned(),
        }
    }
}
