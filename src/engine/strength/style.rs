//! Plans: where a player wants its pieces in the first part of a game.
//!
//! A weak player has a favourite opening and follows it, whatever the opponent does. Each plan is a list of squares,
//! from Black's side, that its pieces like to stand on.

use crate::position::Position;
use crate::types::{Color, PieceType, Square};

use PieceType::*;

/// A piece, its square by file and rank (7g is 7, 7), and what standing there is worth in centipawns.
type Wish = (PieceType, u8, u8, i16);

/// Climbing silver (棒銀): rook, silver and pawns on the second file.
const CLIMBING_SILVER: &[Wish] = &[
    (Pawn, 2, 6, 50),
    (Pawn, 2, 5, 90),
    (Silver, 3, 8, 20),
    (Silver, 2, 7, 50),
    (Silver, 2, 6, 90),
    (Silver, 2, 5, 110),
    (Rook, 2, 8, 120),
    (Gold, 7, 8, 70),
    (King, 6, 9, 60),
    (Pawn, 7, 6, 50),
];

/// Fourth-file rook (四間飛車) with a Mino castle (美濃囲い).
const FOURTH_FILE_ROOK: &[Wish] = &[
    (Rook, 6, 8, 150),
    (Pawn, 7, 6, 60),
    (Pawn, 6, 6, 60),
    (Bishop, 7, 7, 50),
    (King, 4, 8, 30),
    (King, 3, 8, 60),
    (King, 2, 8, 110),
    (Silver, 3, 8, 80),
    (Gold, 4, 9, 30),
    (Gold, 5, 8, 50),
    (Silver, 7, 8, 30),
    (Silver, 6, 7, 50),
];

/// Central rook (中飛車).
const CENTRAL_ROOK: &[Wish] = &[
    (Rook, 5, 8, 150),
    (Pawn, 7, 6, 50),
    (Pawn, 5, 6, 60),
    (Pawn, 5, 5, 80),
    (King, 4, 8, 30),
    (King, 3, 8, 70),
    (King, 2, 8, 90),
    (Silver, 3, 8, 60),
    (Silver, 5, 7, 60),
    (Gold, 7, 8, 40),
];

/// Third-file rook (三間飛車).
const THIRD_FILE_ROOK: &[Wish] = &[
    (Rook, 7, 8, 150),
    (Pawn, 7, 6, 50),
    (Pawn, 6, 6, 60),
    (Pawn, 7, 5, 70),
    (Bishop, 7, 7, 40),
    (King, 4, 8, 30),
    (King, 3, 8, 60),
    (King, 2, 8, 110),
    (Silver, 3, 8, 80),
    (Gold, 5, 8, 50),
];

/// Fortress (矢倉).
const FORTRESS: &[Wish] = &[
    (Rook, 2, 8, 80),
    (Pawn, 7, 6, 50),
    (Pawn, 6, 6, 50),
    (Pawn, 2, 6, 40),
    (Silver, 6, 8, 30),
    (Silver, 7, 7, 80),
    (Gold, 7, 8, 70),
    (Gold, 5, 8, 30),
    (Gold, 6, 7, 70),
    (King, 6, 9, 40),
    (King, 7, 9, 70),
    (King, 8, 8, 120),
];

/// Static rook with the king on its quick way to the left (舟囲い).
const BOAT: &[Wish] = &[
    (Rook, 2, 8, 100),
    (Pawn, 7, 6, 50),
    (Pawn, 2, 6, 40),
    (Pawn, 2, 5, 70),
    (King, 6, 8, 50),
    (King, 7, 8, 100),
    (Gold, 5, 8, 60),
    (Silver, 4, 8, 30),
    (Silver, 5, 7, 50),
    (Pawn, 5, 6, 30),
];

/// What everybody learns first, whatever the plan: the bishop's way is opened, lances and knights wait at home.
const HABITS: &[Wish] =
    &[(Pawn, 7, 6, 80), (Lance, 1, 9, 90), (Lance, 9, 9, 90), (Knight, 2, 9, 40), (Knight, 8, 9, 40)];

const PLANS: [&[Wish]; 6] = [CLIMBING_SILVER, FOURTH_FILE_ROOK, CENTRAL_ROOK, THIRD_FILE_ROOK, FORTRESS, BOAT];

/// After so many plies the opening begins to end, and after so many it has ended.
const ENDING: f64 = 20.0;
const ENDED: f64 = 60.0;

/// How much of the opening is left, 1 to 0. With anything but pawns and bishops in hand, or in check, it is over.
pub(super) fn opening(position: &Position) -> f64 {
    let exchanged = |color| position.hand(color).iter().any(|(kind, _)| !matches!(kind, Pawn | Bishop));
    if position.in_check() || Color::ALL.into_iter().any(exchanged) {
        return 0.0;
    }
    ((ENDED - f64::from(position.move_number())) / (ENDED - ENDING)).clamp(0.0, 1.0)
}

/// The wishes of the plan with a number, and everybody's: pieces, squares from Black's side, and values.
pub(super) fn wishes(plan: u64) -> impl Iterator<Item = (PieceType, Square, i16)> {
    let plan = PLANS[(plan % PLANS.len() as u64) as usize];
    plan.iter().chain(HABITS).map(|&(kind, file, rank, value)| (kind, Square::new(file - 1, rank - 1), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opening_ends_with_time_exchanges_and_checks() {
        let left = |sfen: &str| opening(&Position::from_sfen(sfen).unwrap());
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
        assert_eq!((left(&format!("{start} 1")), left(&format!("{start} 20"))), (1.0, 1.0));
        assert_eq!((left(&format!("{start} 40")), left(&format!("{start} 60"))), (0.5, 0.0));
        // A pawn or the bishops may be exchanged; a silver, or a check, is where people begin to err.
        let board = "lnsgkg1nl/1r7/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b";
        assert_eq!((left(&format!("{board} Bb 9")), left(&format!("{board} s 9"))), (1.0, 0.0));
        assert_eq!(left("4k4/9/9/9/4r4/9/9/9/4K4 b - 3"), 0.0);
    }
}
