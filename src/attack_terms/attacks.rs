//! What both sides attack.

use crate::bitboard::{Bitboard, bishop_attacks, bishop_rays, king_attacks, rook_attacks, rook_rays};
use crate::position::Position;
use crate::types::{Color, PieceType, Square};

use super::pair::Pair;

use PieceType::*;

/// All squares but the foremost rank of a colour.
const NOT_FRONT: [Bitboard; 2] = [without_far_ranks(Color::Black, 1), without_far_ranks(Color::White, 1)];
/// All squares but the rearmost rank.
const NOT_REAR: [Bitboard; 2] = [without_far_ranks(Color::White, 1), without_far_ranks(Color::Black, 1)];
/// All squares but the two rearmost ranks.
const NOT_TWO_REAR: [Bitboard; 2] = [without_far_ranks(Color::White, 2), without_far_ranks(Color::Black, 2)];

const fn without_far_ranks(color: Color, count: u8) -> Bitboard {
    Bitboard(Bitboard::FULL.0 & !Bitboard::far_ranks(color, count).0)
}

/// What the sides attack.
#[derive(Clone, Copy)]
pub struct Attacks<P> {
    /// At least once.
    pub once: P,
    /// At least twice.
    pub twice: P,
    /// By pawns.
    pub pawns: P,
    /// By more than the king.
    pub others: P,
    /// By the king: its neighbours.
    pub kings: P,
    /// How many empty squares bishops of a colour attack, promoted or not, and how many rooks.
    pub reach: [[u32; 2]; 2],
}

/// Squares that some attacks of a side meet at least once, and at least twice.
#[derive(Clone, Copy)]
struct Layers<P> {
    once: P,
    twice: P,
}

impl<P: Pair> Layers<P> {
    #[inline(always)]
    fn of(set: P) -> Self {
        Self { once: set, twice: P::splat(Bitboard::EMPTY) }
    }

    #[inline(always)]
    fn add(&mut self, set: P) {
        self.twice = self.twice.or(self.once.and(set));
        self.once = self.once.or(set);
    }

    #[inline(always)]
    fn add_layers(&mut self, other: Self) {
        self.add(other.once);
        self.twice = self.twice.or(other.twice);
    }

    /// These squares moved to the next file on either side.
    #[inline(always)]
    fn beside(self) -> [Self; 2] {
        let ([once, once_too], [twice, twice_too]) = (self.once.beside(), self.twice.beside());
        [Self { once, twice }, Self { once: once_too, twice: twice_too }]
    }
}

impl<P: Pair> Attacks<P> {
    /// The attacks in a position.
    ///
    /// Pieces of a side that step the same way never meet on a square, so that one set holds them all. What goes to
    /// either side is counted before it goes there: fewer sets have to be moved.
    #[inline(always)]
    pub fn of(position: &Position) -> Self {
        let sliders = Sliders::<P>::of(position);
        let (own, not_rear) = (P::new(Color::ALL.map(|color| position.by_color(color))), P::new(NOT_REAR));
        let pieces = |set| P::splat(set).and(own);
        let (silvers, golds) = (pieces(position.by_type(Silver)), pieces(position.gold_movers()));

        let pawns = pieces(position.by_type(Pawn)).ahead::<1>().and(not_rear);
        let metal_ahead = silvers.or(golds).ahead::<1>().and(not_rear);
        let mut to_the_sides = Layers::of(metal_ahead);
        to_the_sides.add(golds);
        to_the_sides.add(silvers.back().and(P::new(NOT_FRONT)));
        to_the_sides.add(pieces(position.by_type(Knight)).ahead::<2>().and(P::new(NOT_TWO_REAR)));

        let mut attacks = Layers::of(pawns.or(metal_ahead));
        attacks.add(golds.back().and(P::new(NOT_FRONT)));
        // Two lances of a side never meet either: the rear one stops at the other.
        attacks.add(lances(pieces(position.by_type(Lance)), P::splat(position.occupied())));
        for side in to_the_sides.beside() {
            attacks.add_layers(side);
        }
        attacks.add_layers(sliders.layers);
        let others = attacks.once;
        let kings = P::new(Color::ALL.map(|color| position.king(color).map_or(Bitboard::EMPTY, king_attacks)));
        attacks.add(kings);
        Self { once: attacks.once, twice: attacks.twice, pawns, others, kings, reach: sliders.reach }
    }
}

/// What lances attack: they run over empty squares, one, two and four at a time (the Kogge-Stone fill of chess
/// programming, <https://www.chessprogramming.org/Kogge-Stone_Algorithm>).
#[inline(always)]
fn lances<P: Pair>(lances: P, occupied: P) -> P {
    let not_rear = P::new(NOT_REAR);
    // No lance comes to a rear rank: that keeps each on its file.
    let mut empty = not_rear.without(occupied);
    let mut run = lances;
    run = run.or(run.ahead::<1>().and(empty));
    empty = empty.and(empty.ahead::<1>());
    run = run.or(run.ahead::<2>().and(empty));
    empty = empty.and(empty.ahead::<2>());
    run = run.or(run.ahead::<4>().and(empty));
    run.ahead::<1>().and(not_rear)
}

/// What bishops and rooks attack, promoted or not, and how many empty squares.
struct Sliders<P> {
    layers: Layers<P>,
    reach: [[u32; 2]; 2],
}

impl<P: Pair> Sliders<P> {
    #[inline(always)]
    fn of(position: &Position) -> Self {
        let mut all = Self { layers: Layers::of(P::splat(Bitboard::EMPTY)), reach: [[0; 2]; 2] };
        let occupied = position.occupied();
        // Few pieces in one loop for both sides: the end of a loop is seldom predicted.
        let (horses, dragons) = (position.by_type(Horse), position.by_type(Dragon));
        for from in position.by_type(Bishop) | horses {
            all.add(0, from, bishop_attacks(from, occupied), position);
        }
        for from in position.by_type(Rook) | dragons {
            all.add(1, from, rook_attacks(from, occupied), position);
        }
        // Few are promoted. These steps share no square with the lines, and may be added on their own.
        for from in horses | dragons {
            let (kind, lines) = if horses.contains(from) { (0, bishop_rays(from)) } else { (1, rook_rays(from)) };
            all.add(kind, from, king_attacks(from) & !lines, position);
        }
        all
    }

    #[inline(always)]
    fn add(&mut self, kind: usize, from: Square, set: Bitboard, position: &Position) {
        const OF: [[Bitboard; 2]; 2] = [[Bitboard::FULL, Bitboard::EMPTY], [Bitboard::EMPTY, Bitboard::FULL]];
        let color = usize::from(position.by_color(Color::White).contains(from));
        self.layers.add(P::splat(set).and(P::new(OF[color])));
        self.reach[color][kind] += (set & !position.occupied()).count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitboard::attacks;
    use crate::platform::random::Random;

    /// What is attacked, square by square and piece by piece.
    fn check<P: Pair>(position: &Position) {
        let found = Attacks::<P>::of(position);
        for color in Color::ALL {
            let c = color.index();
            let sets = |wanted: &dyn Fn(PieceType) -> bool| -> Vec<Bitboard> {
                let of = |from| {
                    let piece = position.piece_on(from).expect("a piece");
                    wanted(piece.piece_type()).then(|| attacks(piece, from, position.occupied()))
                };
                position.by_color(color).into_iter().filter_map(of).collect()
            };
            let times = |sets: &[Bitboard], least: usize| -> Bitboard {
                Bitboard::FULL
                    .into_iter()
                    .filter(|&at| sets.iter().filter(|set| set.contains(at)).count() >= least)
                    .collect()
            };
            let all = sets(&|_| true);
            assert_eq!(found.once.sets()[c], times(&all, 1), "{}", position.to_sfen());
            assert_eq!(found.twice.sets()[c], times(&all, 2), "{}", position.to_sfen());
            assert_eq!(found.pawns.sets()[c], times(&sets(&|kind| kind == Pawn), 1));
            assert_eq!(found.others.sets()[c], times(&sets(&|kind| kind != King), 1));
            assert_eq!(found.kings.sets()[c], times(&sets(&|kind| kind == King), 1));
            for (reach, kinds) in found.reach[c].iter().zip([[Bishop, Horse], [Rook, Dragon]]) {
                let empty = |set: &Bitboard| (*set & !position.occupied()).count();
                assert_eq!(*reach, sets(&|kind| kinds.contains(&kind)).iter().map(empty).sum::<u32>());
            }
        }
    }

    #[test]
    fn all_attacks_are_those_of_each_piece() {
        // Lances from their rear ranks over empty files, one behind another, face to face; knights and metal on the two
        // squares of a set between which its words part (8a, 8b) and on edges; promoted sliders in corners, beside
        // pieces; a side without a king.
        let corners = [
            "llll4k/9/9/9/9/9/9/9/4K4 b - 1",
            "1l2k4/9/9/9/9/9/9/9/1L2K3L b - 1",
            "l3k2l1/9/l8/9/9/9/8L/9/4K4 b - 1",
            "l3k4/9/9/9/L8/9/9/L7L/4K4 b - 1",
            "1S2k4/1g7/1N5n1/9/9/9/1n5N1/1G7/1s2K4 b - 1",
            "g3k2g1/1S7/9/4s4/4S4/9/9/1s7/G3K2G1 w - 1",
            "+B2pk3+r/1p7/9/9/3+bp4/9/9/1P7/+R3K4 b - 1",
            "4k4/9/4+B4/3P5/4p+R3/9/9/9/9 b - 1",
        ];
        let mut positions: Vec<Position> = corners.map(|sfen| Position::from_sfen(sfen).expect(sfen)).into();
        let mut random = Random::new(11);
        for _ in 0..200 {
            let mut position = Position::startpos();
            position.play_out(random.below(120), &mut random, |_| {});
            positions.push(position);
        }
        for position in &positions {
            check::<[Bitboard; 2]>(position);
            #[cfg(target_arch = "x86_64")]
            if crate::platform::machine::has_avx2_and_bits() {
                check::<crate::attack_terms::pair::avx2::Avx2Pair>(position);
            }
        }
    }
}
