//! Moves as Western players write them: `P-7f`, `Bx2b+`, `S*4e`, `G6i-5h` (George Hodges' notation, with USI's letters
//! for the ranks).

use super::notation::{candidates, declines_promotion, moved_kind, side_mark, words_of_line};
use crate::position::Board;
use crate::types::{Color, Move, Piece};

/// A move in Western notation with its side's mark: `▲P-7f`, `△Sx2b`. The origin is added if another piece of the same
/// type could go there too; `+` means promotion, `=` a promotion declined.
pub fn move_in_english(before: &Board, mv: Move) -> String {
    let (mark, to) = (side_mark(before.side_to_move()), mv.to());
    let kind = moved_kind(before, mv);
    let letter = Piece::new(Color::Black, kind);
    let Some(from) = mv.from() else {
        return format!("{mark}{letter}*{to}");
    };
    let origin = if candidates(before, kind, to).len() > 1 { from.to_string() } else { String::new() };
    let capture = if before.piece_on(to).is_some() { 'x' } else { '-' };
    let promotion = if mv.is_promotion() {
        "+"
    } else if declines_promotion(before, mv, kind) {
        "="
    } else {
        ""
    };
    format!("{mark}{letter}{origin}{capture}{to}{promotion}")
}

/// A line of play in Western notation, up to the first impossible move.
pub fn line_in_english(start: &Board, moves: &[Move]) -> String {
    words_of_line(start, moves, None, |before, mv, _| move_in_english(before, mv)).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Handicap;

    #[test]
    fn captures_drops_promotions_and_origins() {
        let start = Handicap::Even.diagram();
        let moves: Vec<Move> =
            ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "4a5b", "6i5h", "5a4b", "4e3d", "2b3c", "3d5b", "6a5b"]
                .map(|mv| mv.parse().unwrap())
                .to_vec();
        assert_eq!(
            line_in_english(&start, &moves),
            "▲P-7f △P-3d ▲Bx2b+ △Sx2b ▲B*4e △G4a-5b ▲G6i-5h △K-4b ▲Bx3d △S-3c ▲Bx5b= △Gx5b"
        );
        let dragon = Board::from_sfen("k8/+R8/9/9/9/9/9/9/K8 b - 1").unwrap().0;
        assert_eq!(move_in_english(&dragon, "9b8b".parse().unwrap()), "▲+R-8b");
    }
}
