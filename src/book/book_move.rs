//! A move in a book, and lists of them.

use std::cmp::Reverse;

use crate::types::Move;

/// A move that a book has for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move; not necessarily legal.
    pub mv: Move,
    /// The answer that the book expects.
    pub reply: Option<Move>,
    /// Centipawns for the side to move; `None` where the book says that it does not know.
    pub value: Option<i32>,
    /// Depth of the search that gave the value; `None` where the book says that it does not know.
    pub depth: Option<u32>,
    /// How often it was played, or another weight; 0 where the format has none.
    pub count: u64,
}

impl BookMove {
    /// A move about which nothing is said: what a file means that leaves the other fields out.
    pub const fn bare(mv: Move) -> Self {
        Self { mv, reply: None, value: Some(0), depth: Some(0), count: 1 }
    }

    /// The same move of the other colour, on the board turned.
    pub fn turned(self) -> Self {
        Self { mv: self.mv.rotate(), reply: self.reply.map(Move::rotate), ..self }
    }
}

/// Adds those moves that the list does not have: what is said first counts.
pub fn merge(moves: &mut Vec<BookMove>, more: impl IntoIterator<Item = BookMove>) {
    for new in more {
        if !moves.iter().any(|known| known.mv == new.mv) {
            moves.push(new);
        }
    }
}

/// The order of moves, the best first: the most frequent, among equals the one of the highest value (YaneuraOu's order;
/// most books have either counts or values).
pub fn rank(entry: &BookMove) -> Reverse<(u64, Option<i32>)> {
    Reverse((entry.count, entry.value))
}

/// Sorts the best move to the front.
pub fn sort(moves: &mut [BookMove]) {
    moves.sort_by_key(rank);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_come_before_values_and_the_unknown_last() {
        let entry = |mv: &str, count, value| BookMove { count, value, ..BookMove::bare(mv.parse().unwrap()) };
        let mut moves = vec![entry("7g7f", 1, None), entry("2g2f", 1, Some(-5)), entry("9g9f", 1, Some(7))];
        merge(&mut moves, [entry("2g2f", 9, None), entry("5g5f", 2, Some(-900))]);
        sort(&mut moves);
        let order: Vec<String> = moves.iter().map(|entry| entry.mv.to_string()).collect();
        assert_eq!(order, ["5g5f", "9g9f", "2g2f", "7g7f"]);
        assert_eq!(moves[2].turned().mv.to_string(), "8c8d");
    }
}
