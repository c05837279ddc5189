//! Attack terms: what a network of pieces on squares hardly sees, as a number that is added to its value.
//!
//! A linear sum of three kinds of terms, for either side: pieces that are attacked, by whom and by how many; how the
//! neighbours of the king stand; how far bishops and rooks reach. The weights are fitted to what became of games of deep
//! searches (`hagane train terms`), given the network's value. How much that is worth is in `docs/network-history.md`.

mod attacks;
mod pair;

use std::sync::LazyLock;

use crate::bitboard::Bitboard;
#[cfg(target_arch = "x86_64")]
use crate::platform::machine::has_avx2_and_bits;
use crate::position::Position;
use crate::types::{Color, Piece, PieceType, Square};

use attacks::Attacks;
use pair::Pair;

/// A piece that is attacked, by [`PieceType::index`] and eight ways: 1 if nothing defends it, 2 if a pawn attacks it, 4
/// if it is attacked twice or more and not defended so.
const ATTACKED: usize = 8 * PieceType::TABLE;
/// How many neighbours of the king (0 to 8) are attacked, attacked twice or more, attacked and defended by the king at
/// most, and free to go to.
const RING: usize = 4 * 9;
/// Empty squares that bishops attack, and rooks.
const REACH: usize = 2;
/// The terms of one side.
const SIDE: usize = ATTACKED + RING + REACH;

/// How many terms there are: those of the side to move, those of the other side, and one that is always there.
pub const TERMS: usize = 2 * SIDE + 1;

/// Parts of a centipawn that a weight counts.
pub const PARTS: i32 = 16;

/// Neighbouring weights as a text shows them: rows of so many columns.
pub struct Section {
    /// What they are.
    pub title: &'static str,
    /// What each row is.
    pub rows: &'static [&'static str],
    /// Weights in a row.
    pub columns: usize,
}

/// All weights in their order.
pub const SECTIONS: [Section; 7] = {
    const KINDS: &[&str] = &[
        "-",
        "pawn",
        "lance",
        "knight",
        "silver",
        "bishop",
        "rook",
        "gold",
        "king",
        "promoted pawn",
        "promoted lance",
        "promoted knight",
        "promoted silver",
        "horse",
        "dragon",
        "-",
    ];
    const RINGS: &[&str] = &["attacked", "attacked twice", "attacked, not defended", "free"];
    const fn attacked(title: &'static str) -> Section {
        Section { title, rows: KINDS, columns: 8 }
    }
    const NEIGHBOURS: Section = Section { title: "its king's neighbours, 0 to 8 of them", rows: RINGS, columns: 9 };
    const SQUARES: Section =
        Section { title: "an empty square that its bishops attack, and its rooks", rows: &[""], columns: 2 };
    [
        attacked("attacked pieces of the side to move: 1 undefended + 2 by a pawn + 4 outnumbered"),
        NEIGHBOURS,
        SQUARES,
        attacked("attacked pieces of the other side: 1 undefended + 2 by a pawn + 4 outnumbered"),
        NEIGHBOURS,
        SQUARES,
        Section { title: "always", rows: &[""], columns: 1 },
    ]
};

/// Where the terms of a side begin.
const fn first(us: Color, color: Color) -> usize {
    if us.index() == color.index() { 0 } else { SIDE }
}

/// Where the terms of an attacked piece begin, by the side to move and the piece: one load in the innermost loop.
static FIRST_ATTACKED: [[u16; Piece::TABLE]; 2] = {
    let mut table = [[0; Piece::TABLE]; 2];
    let mut k = 0;
    while k < 4 * PieceType::ALL.len() {
        let (us, color, kind) = (Color::ALL[k % 2], Color::ALL[k / 2 % 2], PieceType::ALL[k / 4]);
        table[us.index()][Piece::new(color, kind).index()] = (first(us, color) + 8 * kind.index()) as u16;
        k += 1;
    }
    table
};

/// The terms of a position, by index, and how often each is there. Most are not.
pub fn visit(position: &Position, tell: impl FnMut(usize, u32)) {
    visit_by::<[Bitboard; 2]>(position, tell);
}

#[inline(always)]
fn visit_by<P: Pair>(position: &Position, mut tell: impl FnMut(usize, u32)) {
    let us = position.side_to_move();
    let first_attacked = &FIRST_ATTACKED[us.index()];
    let attacks = Attacks::<P>::of(position);
    let (their_once, their_twice) = (attacks.once.swapped(), attacks.twice.swapped());
    let own = P::new(Color::ALL.map(|color| position.by_color(color)));

    let attacked = own.and(their_once);
    let undefended = attacked.without(attacks.once);
    let by_pawns = attacked.and(attacks.pawns.swapped());
    let outnumbered = attacked.and(their_twice).without(attacks.twice);
    // Both halves of a board in words: what holds of a square is then told by one shift.
    let words = |pair: P| {
        let [black, white] = pair.sets();
        (black | white).halves()
    };
    let ways = [undefended, by_pawns, outnumbered].map(words);
    for (word, mut squares) in words(attacked).into_iter().enumerate() {
        while squares != 0 {
            let bit = squares.trailing_zeros();
            squares &= squares - 1;
            let way = (0..3).fold(0, |way, k| way | (ways[k][word] >> bit & 1) << k) as usize;
            let square = Square::from_index_unchecked((64 * word as u32 + bit) as u8);
            let Some(piece) = position.piece_on(square) else { continue };
            tell(usize::from(first_attacked[piece.index()]) + way, 1);
        }
    }

    let around = attacks.kings;
    let rings = [
        around.and(their_once),
        around.and(their_twice),
        around.and(their_once).without(attacks.others),
        around.without(their_once).without(own),
    ]
    .map(Pair::counts_around);
    for color in Color::ALL {
        let ring = first(us, color) + ATTACKED;
        if position.king(color).is_some() {
            for (k, counts) in rings.iter().enumerate() {
                tell(ring + 9 * k + counts[color.index()] as usize, 1);
            }
        }
        for (k, &squares) in attacks.reach[color.index()].iter().enumerate() {
            tell(ring + RING + k, squares);
        }
    }
    tell(2 * SIDE, 1);
}

/// The weights of attack terms for one network.
pub struct AttackTerms {
    /// In 1/[`PARTS`] centipawn, for the side to move.
    weights: [i16; TERMS],
    sum: unsafe fn(&[i16; TERMS], &Position) -> i32,
}

impl AttackTerms {
    /// Those for networks of our own: fitted to generation 21; generation 22 learned beside them.
    pub fn own() -> &'static Self {
        static OWN: LazyLock<AttackTerms> =
            LazyLock::new(|| AttackTerms::parse(include_str!("attack_terms/own.txt")).expect("the text is whole"));
        &OWN
    }

    /// Those for networks of the nn.bin family without products, fitted to suishopetite (K+P).
    pub fn nn_bin() -> &'static Self {
        static NN_BIN: LazyLock<AttackTerms> =
            LazyLock::new(|| AttackTerms::parse(include_str!("attack_terms/nn_bin.txt")).expect("the text is whole"));
        &NN_BIN
    }

    /// Reads [`TERMS`] weights between blanks; what follows a `#` in a line is a comment.
    ///
    /// # Errors
    /// A sentence that names what is no weight, or says how many there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        let words = text.lines().flat_map(|line| line.split('#').next().unwrap_or_default().split_whitespace());
        let weight = |word: &str| word.parse().map_err(|_| format!("not a weight: {word}"));
        let weights: Vec<i16> = words.map(weight).collect::<Result<_, _>>()?;
        let count = weights.len();
        let weights = weights.try_into().map_err(|_| format!("{count} weights instead of {TERMS}"))?;
        Ok(Self { weights, sum: fastest() })
    }

    /// The same for values of another size.
    #[must_use]
    pub fn times(&self, factor: f64) -> Self {
        Self { weights: self.weights.map(|weight| (f64::from(weight) * factor).round() as i16), sum: self.sum }
    }

    /// The weights, in 1/[`PARTS`] centipawn.
    pub fn weights(&self) -> &[i16; TERMS] {
        &self.weights
    }

    /// What the terms add to the value of a position, which is not in check, in centipawns for the side to move.
    #[inline]
    pub fn value(&self, position: &Position) -> i32 {
        // SAFETY: `fastest` chose what this processor can do.
        unsafe { (self.sum)(&self.weights, position) }
    }
}

/// The sum as this processor does it fastest: with both sides' sets in one register and squares counted by one
/// instruction where it can.
fn fastest() -> unsafe fn(&[i16; TERMS], &Position) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if has_avx2_and_bits() {
        return sum_avx2;
    }
    sum
}

#[inline(always)]
fn sum_by<P: Pair>(weights: &[i16; TERMS], position: &Position) -> i32 {
    let mut sum = 0;
    visit_by::<P>(position, |term, times| sum += i32::from(weights[term]) * times as i32);
    sum / PARTS
}

fn sum(weights: &[i16; TERMS], position: &Position) -> i32 {
    sum_by::<[Bitboard; 2]>(weights, position)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn sum_avx2(weights: &[i16; TERMS], position: &Position) -> i32 {
    sum_by::<pair::avx2::Avx2Pair>(weights, position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).expect("a legal position")
    }

    #[test]
    fn both_sets_of_weights_are_whole() {
        for terms in [AttackTerms::own(), AttackTerms::nn_bin()] {
            assert!(terms.weights.iter().filter(|&&weight| weight != 0).count() > 200);
        }
    }

    #[test]
    fn a_wrong_text_says_what_is_wrong() {
        let zeros = "0 ".repeat(TERMS);
        assert!(AttackTerms::parse(&zeros).is_ok());
        let error = |text: &str| AttackTerms::parse(text).err().expect("an error");
        assert_eq!(error(&zeros[2..]), format!("{} weights instead of {TERMS}", TERMS - 1));
        assert_eq!(error(&format!("1 2x # 3\n{zeros}")), "not a weight: 2x");
        assert_eq!(error("40000"), "not a weight: 40000");
    }

    /// The terms of positions in which they can be counted by hand.
    #[test]
    fn terms_are_counted() {
        let told = |sfen: &str| {
            let mut told = Vec::new();
            visit(&position(sfen), |term, times| {
                if times > 0 {
                    told.push((term, times));
                }
            });
            told.sort_unstable();
            told
        };
        let piece = |kind: PieceType, way| (8 * kind.index() + way, 1);
        let ring =
            |first: usize, numbers: [usize; 4]| std::array::from_fn(|k| (first + ATTACKED + 9 * k + numbers[k], 1));
        let expected = |pieces: &[(usize, u32)], rings: [[(usize, u32); 4]; 2], reach| {
            let mut expected = [pieces, &rings[0], &rings[1], &[reach, (2 * SIDE, 1)]].concat();
            expected.sort_unstable();
            expected
        };
        // The bishop on 5e is attacked by the pawn on 5d and by nothing else, and defended by nothing. Of the neighbours of
        // the kings on the edge all five are free.
        let alone = [ring(0, [0, 0, 0, 5]), ring(SIDE, [0, 0, 0, 5])];
        let bishop = expected(&[piece(PieceType::Bishop, 1 + 2)], alone, (ATTACKED + RING, 16));
        assert_eq!(told("4k4/9/9/4p4/4B4/9/9/9/4K4 b - 1"), bishop);
        // White moves. Black's silver on 5h is attacked by pawn and rook and defended by the king; the pawn on 5g by the
        // silver. The rook attacks 4h, too: neither 4h nor 5h is defended by more than the king.
        let (silver, way) = piece(PieceType::Silver, 2 + 4);
        let pieces = [piece(PieceType::Pawn, 1), (SIDE + silver, way)];
        let rings = [ring(0, [0, 0, 0, 5]), ring(SIDE, [2, 1, 2, 3])];
        let rook = expected(&pieces, rings, (ATTACKED + RING + 1, 11));
        assert_eq!(told("4k4/9/9/9/9/9/4p4/4S3r/4K4 w - 1"), rook);
    }

    #[test]
    fn values_of_another_size_have_terms_of_that_size() {
        let position = position("4k4/9/9/4p4/4B4/9/9/9/4K4 b - 1");
        let value = AttackTerms::own().value(&position);
        let doubled = AttackTerms::own().times(2.0).value(&position);
        assert!(value < -30 && (doubled - 2 * value).abs() <= 1, "{value} {doubled}");
    }

    #[test]
    fn both_colours_are_alike_and_every_processor_agrees() {
        let mut random = crate::platform::random::Random::new(3);
        for _ in 0..300 {
            let mut position = Position::startpos();
            position.play_out(random.below(160), &mut random, |_| {});
            let board = crate::position::Board::from(&position);
            let turned = Position::from_board(&board.turned(), 1).expect("the same with colours exchanged");
            for terms in [AttackTerms::own(), AttackTerms::nn_bin()] {
                assert_eq!(terms.value(&position), sum(&terms.weights, &position));
                assert_eq!(terms.value(&position), terms.value(&turned), "{}", position.to_sfen());
            }
        }
    }
}
