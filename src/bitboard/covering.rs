//! Kinds of pieces that can attack a king together with some of its neighbours.

use crate::types::{BySquare, Color, PieceType, Square};

use super::Bitboard;
use super::{attacks, rays};

/// A set of kinds.
#[derive(Clone, Copy)]
pub struct Kinds(u16);

impl Kinds {
    /// Whether a kind, or what it promotes to, belongs to the set.
    #[inline(always)]
    pub const fn has_any_form(self, kind: PieceType) -> bool {
        let promoted = match kind.promoted() {
            Some(promoted) => bit(promoted),
            None => 0,
        };
        self.0 & (bit(kind) | promoted) != 0
    }

    /// Whether a kind belongs to the set.
    #[inline(always)]
    pub const fn has(self, kind: PieceType) -> bool {
        self.0 & bit(kind) != 0
    }
}

const fn bit(kind: PieceType) -> u16 {
    1 << kind.index()
}

/// The kinds of which one piece of `color` on a suitable square attacks a king on `king` and all of some of its
/// neighbours, were the board empty and without edges.
#[inline(always)]
pub fn covering_kinds(color: Color, king: Square, neighbours: Bitboard) -> Kinds {
    debug_assert!((neighbours & !attacks::king_attacks(king)).is_empty());
    Kinds(COVERING[color.index()][pattern(king.index(), neighbours.0)])
}

/// The numbers of the patterns that neighbours of a square make.
const PATTERNS: usize = 1 << 9;

/// The number of the pattern that neighbours of a square make around it: three bits for each file.
#[inline(always)]
const fn pattern(square: usize, neighbours: u128) -> usize {
    // The neighbour of the lowest index, ten before the square, becomes bit 0.
    let around = ((neighbours << 10) >> square) as usize;
    around & 0o7 | around >> 6 & 0o70 | around >> 12 & 0o700
}

static COVERING: [[u16; PATTERNS]; 2] = [covering(0), covering(1)];

/// The table of one colour, from the attacks on the middle of the board, where nothing is near the edge.
const fn covering(color: usize) -> [u16; PATTERNS] {
    const MIDDLE: usize = Square::COUNT / 2;
    let mut table = [0; PATTERNS];
    let mut kind = 0;
    while kind < PieceType::ALL.len() {
        let mut from = 0;
        while from < Square::COUNT {
            let reach = reach(color, PieceType::ALL[kind], from);
            if reach >> MIDDLE & 1 != 0 {
                // Every subset of the neighbours that are attacked.
                let all = pattern(MIDDLE, reach & attacks::KING[MIDDLE].0);
                let mut some = all;
                loop {
                    table[some] |= bit(PieceType::ALL[kind]);
                    if some == 0 {
                        break;
                    }
                    some = (some - 1) & all;
                }
            }
            from += 1;
        }
        kind += 1;
    }
    table
}

/// What a piece attacks on the empty board.
const fn reach(color: usize, kind: PieceType, from: usize) -> u128 {
    const fn of(table: &BySquare<Bitboard>, from: usize) -> u128 {
        table[from].0
    }
    match kind {
        PieceType::Pawn => of(&attacks::PAWN[color], from),
        PieceType::Lance => of(&rays::LANCE_RAYS[color], from),
        PieceType::Knight => of(&attacks::KNIGHT[color], from),
        PieceType::Silver => of(&attacks::SILVER[color], from),
        PieceType::Bishop => of(&rays::BISHOP_RAYS, from),
        PieceType::Rook => of(&rays::ROOK_RAYS, from),
        PieceType::Horse => of(&rays::BISHOP_RAYS, from) | of(&attacks::KING, from),
        PieceType::Dragon => of(&rays::ROOK_RAYS, from) | of(&attacks::KING, from),
        PieceType::King => 0,
        _ => of(&attacks::GOLD[color], from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitboard::{attacks, king_attacks};
    use crate::types::Piece;

    /// All patterns of all kings, against the attacks on the board itself: a kind is in the set if one of its squares
    /// will do, and, where the king is not near the edge, only then.
    #[test]
    fn kinds_that_cover_are_those_with_a_square_that_does() {
        for color in Color::ALL {
            for kind in PieceType::ALL.into_iter().filter(|&kind| kind != PieceType::King) {
                let reach = Square::all().map(|from| attacks(Piece::new(color, kind), from, Bitboard::EMPTY));
                let reach: Vec<Bitboard> = reach.collect();
                for king in Square::all() {
                    let central = (2..=6).contains(&king.file()) && (2..=6).contains(&king.rank());
                    let near: Vec<Square> = king_attacks(king).iter().collect();
                    for subset in 0..1usize << near.len() {
                        let flights = near.iter().enumerate().filter(|&(i, _)| subset >> i & 1 != 0);
                        let flights: Bitboard = flights.map(|(_, &square)| square).collect();
                        let wanted = flights | Bitboard::from_square(king);
                        let some = reach.iter().any(|&reach| (wanted & !reach).is_empty());
                        let told = covering_kinds(color, king, flights).has(kind);
                        assert!(if central { told == some } else { told || !some }, "{kind:?} {king} {flights:?}");
                    }
                }
            }
        }
    }
}
