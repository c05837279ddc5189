//! Castles (囲い): one side's twenty pieces as they stand when the opening is over, as start positions of games.
//!
//! An engine that learns from its own games hardly sees a castle before it knows the value of one: in games that began
//! with random or sound moves one king in a hundred stood in an anaguma at ply 96, and one in six on files 2 and 8;
//! after openings of human players it is one in seven and one in four.

use crate::platform::random::Random;
use crate::position::Board;
use crate::types::{Color, Piece, PieceType, Square};

/// Sixth to ninth ranks as Black sees them, written as in SFEN. Static rook first, then ranging rook.
const CASTLES: [&str; 20] = [
    // The initial position.
    "9/PPPPPPPPP/1B5R1/LNSGKGSNL",
    // Yagura (矢倉), and with the king still on its way (土居矢倉).
    "2PPPPPP1/PPSG1S2P/1KGB3R1/LN5NL",
    "2PPPPPP1/PPSG1S2P/2KBG2R1/LN5NL",
    // Gangi (雁木).
    "2PPPPPP1/PP1SS3P/1BG1G2R1/LN1K3NL",
    // Static rook anaguma (居飛車穴熊), with one silver and with two.
    "2P1P1PP1/PPBP1P2P/LSGS3R1/KNG4NL",
    "2P1P1PP1/PPBPSP2P/LSG4R1/KNG4NL",
    // Boat castle (舟囲い) and left mino (左美濃).
    "2P1P1PP1/PP1P1P2P/1BK1GS1R1/LNSG3NL",
    "2P1P1PP1/PPBPSP2P/1KS1G2R1/LN1G3NL",
    // Millennium (ミレニアム).
    "2PPP1PP1/PPN1SP2P/1SGB3R1/LKG4NL",
    // Silver on 5六 (腰掛け銀), and the king on the right (右玉).
    "P1PPSPPPP/1PS1P1N2/1BG2G1R1/LNK5L",
    "P1PPPPP1P/1PS2SNP1/1BG2GK2/LN5RL",
    // King in the middle (中住まい).
    "P1P3P1P/1P1PPP1P1/1BG1KSGR1/LNS4NL",
    // Mino (美濃): the rook on the fourth file, high, silver crown (銀冠).
    "P1PP4P/1PBSPPPP1/3RG1SK1/LN3G1NL",
    "P1PP1PP1P/1PBSPG1P1/3R2SK1/LN3G1NL",
    "P1PPPPPPP/1PBS1G1S1/3R2GK1/LN5NL",
    // The rook on the fifth, third and second file.
    "2PPP3P/PPBS1PPP1/2G1R1SK1/LN3G1NL",
    "2PP4P/PPB1PPPP1/2RSG1SK1/LN3G1NL",
    "2PP4P/PPBSPPPP1/1RG3SK1/LN3G1NL",
    // Ranging rook anaguma (振り飛車穴熊).
    "P1PPP4/1PBS1PPPP/3R2GSL/LN4GNK",
    "2PPP4/PPBS1PPPP/4R1GSL/LN4GNK",
];

/// The rank of the first row of a castle, from 0.
const FIRST_RANK: u8 = 5;
/// The probability that a pawn is pushed one rank.
const PUSHED: f32 = 0.12;
/// The probability that the bishops are exchanged.
const EXCHANGED: f32 = 0.35;

/// Two castles facing each other; some pawns pushed, sometimes the bishops exchanged, either side to move.
///
/// The position may break the rules where lines are open (a king that could be taken); [`Position::from_sfen`] tells.
///
/// [`Position::from_sfen`]: crate::position::Position::from_sfen
pub fn draw(random: &mut Random) -> Board {
    let mut board = Board::EMPTY;
    for color in Color::ALL {
        let castle = CASTLES[random.below(CASTLES.len())];
        for (square, kind) in pieces(castle) {
            board.set(square.relative_to(color), Some(Piece::new(color, kind)));
        }
    }
    for color in Color::ALL {
        push_pawns(random, &mut board, color);
    }
    if random.chance(EXCHANGED) {
        for square in Square::all() {
            if board.piece_on(square).is_some_and(|piece| piece.piece_type() == PieceType::Bishop) {
                board.set(square, None);
            }
        }
        for color in Color::ALL {
            board.set_hand(color, PieceType::Bishop, 1);
        }
    }
    if random.chance(0.5) {
        board.set_side_to_move(Color::White);
    }
    board
}

/// The pieces of a castle, as its owner sees them.
fn pieces(castle: &str) -> impl Iterator<Item = (Square, PieceType)> {
    // The strings are constants; a test parses all of them.
    let board = Board::from_sfen(&format!("9/9/9/9/9/{castle} b -")).map_or(Board::EMPTY, |(board, _)| board);
    let pieces: Vec<_> = board.pieces().map(|(square, piece)| (square, piece.piece_type())).collect();
    pieces.into_iter()
}

/// Pushes some pawns of a side one rank where the square ahead is empty.
fn push_pawns(random: &mut Random, board: &mut Board, color: Color) {
    let pawn = Some(Piece::new(color, PieceType::Pawn));
    for file in 0..9 {
        for rank in [FIRST_RANK, FIRST_RANK + 1] {
            let [from, to] = [rank, rank - 1].map(|rank| Square::new(file, rank).relative_to(color));
            if board.piece_on(from) == pawn && random.chance(PUSHED) && board.piece_on(to).is_none() {
                board.set(from, None);
                board.set(to, pawn);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn a_castle_is_a_full_set_of_one_side_within_four_ranks() {
        for castle in CASTLES {
            assert_eq!(castle.split('/').count(), 4, "{castle}");
            for row in castle.split('/') {
                let width: u32 = row.chars().map(|c| c.to_digit(10).unwrap_or(1)).sum();
                assert_eq!(width, 9, "{castle}: {row}");
            }
            let mut kinds: Vec<PieceType> = pieces(castle).map(|(_, kind)| kind).collect();
            let mut even: Vec<PieceType> = pieces(CASTLES[0]).map(|(_, kind)| kind).collect();
            kinds.sort_unstable();
            even.sort_unstable();
            assert_eq!(kinds, even, "{castle}");
            let mut pawns: Vec<u8> =
                pieces(castle).filter(|&(_, kind)| kind == PieceType::Pawn).map(|(square, _)| square.file()).collect();
            pawns.sort_unstable();
            assert_eq!(pawns, (0..9).collect::<Vec<u8>>(), "{castle}");
        }
    }

    #[test]
    fn most_draws_are_positions_within_the_rules_and_no_two_are_alike() {
        let mut random = Random::new(7);
        let drawn: Vec<String> = (0..400).map(|_| draw(&mut random).to_sfen(1)).collect();
        let legal = drawn.iter().filter(|sfen| Position::from_sfen(sfen).is_ok()).count();
        assert!(legal >= 360, "{legal} of 400");
        let distinct: std::collections::HashSet<&String> = drawn.iter().collect();
        assert!(distinct.len() >= 395, "{}", distinct.len());
    }
}
