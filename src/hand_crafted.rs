//! The hand-crafted evaluation (HCE): lets the engine play without a network, and starts the training of the first.
//!
//! Four terms, all in centipawns: material on the board and in hand, distance of each piece to both kings, attack and
//! defence of the squares around each king, and slider mobility. Pieces in hand are worth more than on the board, and
//! add to an attack on a king whose surrounding squares are already attacked.

use crate::bitboard::{Bitboard, attacks, king_attacks};
use crate::position::Position;
use crate::types::{Color, PieceType, Score, Square};

use PieceType::*;

/// Value on the board, by [`PieceType::index`]; the king has none.
pub const MATERIAL: [i32; PieceType::TABLE] =
    [0, 100, 290, 330, 500, 820, 960, 560, 0, 480, 490, 510, 560, 1070, 1320, 0];

/// Bonus for being in hand instead of on the board, by index of the unpromoted piece type.
const IN_HAND: [i32; 8] = [0, 15, 40, 40, 45, 70, 80, 50];

/// How much a piece defends its own king when adjacent; falls off with distance.
const GUARD: [i32; PieceType::TABLE] = [0, 6, 4, 6, 18, 6, -4, 24, 0, 14, 14, 14, 16, 22, 10, 0];

/// How much a piece threatens the enemy king when adjacent; falls off with distance.
const THREAT: [i32; PieceType::TABLE] = [0, 5, 6, 10, 16, 10, 12, 20, 0, 26, 24, 24, 22, 28, 34, 0];

/// Weight of an attack on a square next to the enemy king.
const ASSAULT: [i32; PieceType::TABLE] = [0, 5, 6, 8, 10, 10, 12, 11, 0, 11, 11, 11, 11, 15, 17, 0];

/// Weight of the defence of a square next to the own king.
const DEFENCE: [i32; PieceType::TABLE] = [0, 2, 2, 3, 6, 5, 4, 7, 0, 6, 6, 6, 6, 8, 6, 0];

/// Weight of a piece in hand in an attack on the enemy king, by index of the unpromoted piece type.
const RESERVE: [i32; 8] = [0, 1, 3, 4, 7, 6, 9, 9];

/// Centipawns for each square that a slider attacks (mobility).
const REACH: [i32; PieceType::TABLE] = [0, 0, 2, 0, 0, 5, 6, 0, 0, 0, 0, 0, 0, 4, 4, 0];

/// Bonus for the side to move.
const TEMPO: i32 = 25;

/// Static evaluation for the side to move. Meaningless in check, where the search must go on.
pub fn evaluate(position: &Position) -> Score {
    let us = position.side_to_move();
    let value = side(position, us) - side(position, !us) + TEMPO;
    Score(value).clamp_eval()
}

/// The score of one side.
fn side(position: &Position, us: Color) -> i32 {
    let them = !us;
    let occupied = position.occupied();
    let own_king = position.king(us);
    let their_king = position.king(them);
    let ring = |king: Option<Square>| king.map_or(Bitboard::EMPTY, king_attacks);
    let (own_ring, their_ring) = (ring(own_king), ring(their_king));

    let mut value = 0;
    let mut assault = 0;
    let mut defence = 0;
    let mut struck = Bitboard::EMPTY;
    for square in position.by_color(us) {
        let Some(piece) = position.piece_on(square) else {
            continue;
        };
        let kind = piece.piece_type();
        let k = kind.index();
        let reach = attacks(piece, square, occupied);
        if kind != King {
            value += MATERIAL[k] + REACH[k] * reach.count() as i32;
            value += GUARD[k] * nearness(own_king, square) / 4;
            value += THREAT[k] * nearness(their_king, square) / 4;
            let strikes = reach & their_ring;
            assault += ASSAULT[k] * strikes.count() as i32;
            struck |= strikes;
            defence += DEFENCE[k] * (reach & own_ring).count() as i32;
        }
    }
    let mut reserve = 0;
    for (kind, count) in position.hand(us).iter() {
        let (k, count) = (kind.index(), count as i32);
        value += (MATERIAL[k] + IN_HAND[k]) * count;
        reserve += RESERVE[k] * count.min(3);
    }
    // An attack is worth more than the sum of its parts; pieces in hand count once there are squares to drop them on.
    let force = assault + reserve * struck.count() as i32 / 2;
    value += force + force * force / 160;
    value += 2 * defence;
    value + own_king.map_or(0, |king| shelter(us, king))
}

/// 8 next to the king, falling to 1 eight squares away; 0 without a king.
fn nearness(king: Option<Square>, square: Square) -> i32 {
    king.map_or(0, |king| {
        let files = i32::from(king.file()).abs_diff(i32::from(square.file()));
        let ranks = i32::from(king.rank()).abs_diff(i32::from(square.rank()));
        9 - (files.max(ranks) as i32).max(1)
    })
}

/// A king is safest on its back ranks and away from the centre files; far advanced it heads for a declaration win.
fn shelter(us: Color, king: Square) -> i32 {
    const BY_RANK: [i32; 9] = [120, 90, 40, -60, -120, -110, -60, 10, 0];
    const BY_FILE: [i32; 9] = [-5, 40, 40, 15, -35, 15, 40, 40, -5];
    let rank = usize::from(king.relative_rank(us));
    let file = if rank > 5 { BY_FILE[usize::from(king.file())] } else { 0 };
    BY_RANK[rank] + file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_even_but_for_the_move() {
        let start = Position::startpos();
        assert_eq!(evaluate(&start), Score(TEMPO));
    }

    #[test]
    fn the_colours_are_alike() {
        for sfen in [
            "lnsgk2nl/1r4gb1/p1pppp1pp/6p2/1p7/2P3P2/PP1PPP1PP/1B2G2R1/LNSGK2NL b Ss 1",
            "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
        ] {
            let value = |sfen: &str| evaluate(&Position::from_sfen(sfen).unwrap());
            assert_eq!(value(sfen), value(&turned(sfen)), "{sfen}");
        }
    }

    /// The position with the board turned by 180 degrees and the colours exchanged.
    fn turned(sfen: &str) -> String {
        let swap = |letter: char| {
            if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
        };
        let fields: Vec<&str> = sfen.split(' ').collect();
        let mut board = String::new();
        for letter in fields[0].chars().rev() {
            if letter == '+' {
                // The mark stands before its piece, which has just been written.
                let piece = board.pop().unwrap();
                board.push('+');
                board.push(piece);
            } else {
                board.push(swap(letter));
            }
        }
        let side = if fields[1] == "b" { "w" } else { "b" };
        let hands: String = fields[2].chars().map(swap).collect();
        format!("{board} {side} {hands} 1")
    }

    #[test]
    fn a_rook_in_hand_is_worth_having() {
        let with = |hand| {
            let sfen = format!("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B7/LNSGKGSNL b {hand} 1");
            evaluate(&Position::from_sfen(&sfen).unwrap()).0
        };
        assert!(with("R") > with("-") + MATERIAL[Rook.index()] / 2);
    }

    #[test]
    fn a_missing_king_is_no_obstacle() {
        let tsume = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1").unwrap();
        assert!(!evaluate(&tsume).is_decisive());
    }
}
