//! The texts of the reports that depend on the language.

use super::engine_line::Evaluation;
use crate::record::End;
pub use crate::record::Language;
use crate::types::Color;

impl Language {
    /// Its code in HTML: `ja`, `en`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Japanese => "ja",
            Self::English => "en",
        }
    }

    /// `+215`, `先手勝ち 7手`, `Black wins in 7`; from Black's view.
    pub(super) fn evaluation_text(self, evaluation: Evaluation) -> String {
        let (winner, plies) = match evaluation {
            Evaluation::Cp(cp) => return format!("{cp:+}"),
            Evaluation::Mate { winner, plies } => (winner, plies),
        };
        let side = match (self, winner) {
            (Self::Japanese, Color::Black) => "先手勝ち",
            (Self::Japanese, Color::White) => "後手勝ち",
            (Self::English, Color::Black) => "Black wins",
            (Self::English, Color::White) => "White wins",
        };
        match (self, plies) {
            (_, None) => side.to_owned(),
            (Self::Japanese, Some(plies)) => format!("{side} {plies}手"),
            (Self::English, Some(plies)) => format!("{side} in {plies}"),
        }
    }

    /// How a game ended.
    pub(super) fn end_text(self, end: &End) -> &str {
        match (self, end) {
            (Self::Japanese, end) => end.word(),
            (Self::English, End::Resign) => "resigns",
            (Self::English, End::Interrupt) => "interrupted",
            (Self::English, End::Impasse) => "impasse",
            (Self::English, End::Repetition) => "repetition",
            (Self::English, End::Checkmate) => "checkmate",
            (Self::English, End::NoMate) => "no mate",
            (Self::English, End::TimeUp) => "loses on time",
            (Self::English, End::IllegalWin) => "wins by a foul",
            (Self::English, End::IllegalLoss) => "loses by a foul",
            (Self::English, End::Declaration) => "wins by declaration",
            (Self::English, End::Draw) => "draw",
            (Self::English, End::MaxMoves) => "move limit",
            (Self::English, End::DefaultWin) => "wins by default",
            (Self::English, End::DefaultLoss) => "loses by default",
            (Self::English, End::Sealed) => "sealed move",
            (Self::English, End::TakeBack) => "takes back",
            (Self::English, End::Error) => "error",
            (Self::English, End::Other(word)) => word,
        }
    }
}
