//! Camps: one side's twenty men as they stand when an opening is over, king in its castle (囲い), to begin games from.
//!
//! An engine that learns from its own games alone hardly sees a castle before it knows what one is worth: in games that
//! began with random or with sound moves one king in a hundred stood in an anaguma at ply 96, and one in six on files 2
//! and 8; after the openings of people it is one in seven and one in four.

use super::placement::Placement;
use crate::platform::random::Random;
use crate::position::parse_board;
use crate::types::{Color, Hand, Piece, PieceType, Square};

/// The camps' sixth to ninth ranks as Black sees them, written as in SFEN. Static rooks first, then ranging ones.
const CAMPS: [&str; 20] = [
    // The even start.
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

/// The rank of a camp's first row, from 0.
const FIRST_RANK: usize = 5;
/// The share of pawns that are drawn one rank further.
const PUSHED: f32 = 0.12;
/// The share of games that begin with both bishops exchanged.
const EXCHANGED: f32 = 0.35;

/// Two camps that face each other; some pawns pushed, now and then the bishops in hand, either side to move.
///
/// The position may break the rules where lines are open (a king that could be taken); [`Position::from_sfen`] tells.
///
/// [`Position::from_sfen`]: crate::position::Position::from_sfen
pub fn draw(random: &mut Random) -> Placement {
    let mut placement = Placement::EMPTY;
    for color in Color::ALL {
        let camp = CAMPS[random.below(CAMPS.len())];
        for (square, kind) in men(camp) {
            placement.board[square.relative_to(color).index()] = Some(Piece::new(color, kind));
        }
    }
    for color in Color::ALL {
        push_pawns(random, &mut placement, color);
    }
    if random.chance(EXCHANGED) {
        for square in &mut placement.board {
            if square.is_some_and(|piece| piece.piece_type() == PieceType::Bishop) {
                *square = None;
            }
        }
        for hand in &mut placement.hands {
            *hand = Hand::EMPTY;
            hand.add(PieceType::Bishop);
        }
    }
    if random.chance(0.5) {
        placement.side = Color::White;
    }
    placement
}

/// The squares and kinds of a camp, as its owner sees them.
fn men(camp: &str) -> impl Iterator<Item = (Square, PieceType)> {
    // The texts are constants that the tests read whole.
    let board = parse_board(&format!("9/9/9/9/9/{camp}")).unwrap_or([None; Square::COUNT]);
    Square::all().filter_map(move |square| Some((square, board[square.index()]?.piece_type())))
}

/// Moves some pawns of a side one rank on where nothing stands.
fn push_pawns(random: &mut Random, placement: &mut Placement, color: Color) {
    let pawn = Some(Piece::new(color, PieceType::Pawn));
    for file in 0..9 {
        for rank in [FIRST_RANK, FIRST_RANK + 1] {
            let at =
                |rank: usize| Square::from_index(file * 9 + rank).map_or(0, |square| square.relative_to(color).index());
            let (from, to) = (at(rank), at(rank - 1));
            if placement.board[from] == pawn && random.chance(PUSHED) && placement.board[to].is_none() {
                placement.board.swap(from, to);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn a_camp_is_a_full_set_of_one_side_within_four_ranks() {
        for camp in CAMPS {
            assert_eq!(camp.split('/').count(), 4, "{camp}");
            for row in camp.split('/') {
                let width: u32 = row.chars().map(|c| c.to_digit(10).unwrap_or(1)).sum();
                assert_eq!(width, 9, "{camp}: {row}");
            }
            let mut kinds: Vec<PieceType> = men(camp).map(|(_, kind)| kind).collect();
            let mut even: Vec<PieceType> = men(CAMPS[0]).map(|(_, kind)| kind).collect();
            kinds.sort_unstable();
            even.sort_unstable();
            assert_eq!(kinds, even, "{camp}");
            let mut pawns: Vec<u8> =
                men(camp).filter(|&(_, kind)| kind == PieceType::Pawn).map(|(square, _)| square.file()).collect();
            pawns.sort_unstable();
            assert_eq!(pawns, (0..9).collect::<Vec<u8>>(), "{camp}");
        }
    }

    #[test]
    fn most_draws_are_positions_within_the_rules_and_no_two_are_alike() {
        let mut random = Random::new(7);
        let drawn: Vec<String> = (0..400).map(|_| draw(&mut random).to_sfen()).collect();
        let legal = drawn.iter().filter(|sfen| Position::from_sfen(&format!("{sfen} 1")).is_ok()).count();
        assert!(legal >= 360, "{legal} of 400");
        let distinct: std::collections::HashSet<&String> = drawn.iter().collect();
        assert!(distinct.len() >= 395, "{}", distinct.len());
    }
}
