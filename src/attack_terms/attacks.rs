//! What both sides attack.

use crate::bitboard::{Bitboard, bishop_attacks, bishop_rays, king_attacks, rook_attacks, rook_rays};
use crate::position::Position;
use crate::types::{Color, PieceType, Square};

use super::pair::Pair;

use PieceType::*;

/// All squares but the foremost rank of a colour.
const NOT_FRONT: [Bitboard; 2] = [without_ranks(0, 0), without_ranks(8, 8)];
/// All squares but the rearmost rank.
const NOT_REAR: [Bitboard; 2] = [without_ranks(8, 8), without_ranks(0, 0)];
/// All squares but the two rearmost ranks.
const NOT_TWO_REAR: [Bitboard; 2] = [without_ranks(7, 8), without_ranks(0, 1)];

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
        Self { once: set, twice: P::twin(Bitboard::EMPTY) }
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
    /// Pieces that step the same way are moved in one go, and what goes to either side is counted before it goes there:
    /// fewer sets have to be moved.
    #[inline(always)]
    pub fn of(position: &Position) -> Self {
        let sliders = Sliders::<P>::of(position);
        let (own, not_rear) = (P::new(Color::ALL.map(|color| position.by_color(color))), P::new(NOT_REAR));
        let pieces = |kind| P::twin(position.by_type(kind)).and(own);
        let (silvers, golds) = (pieces(Silver), P::twin(position.gold_movers()).and(own));

        let pawns = pieces(Pawn).ahead::<1>().and(not_rear);
        let metal_ahead = silvers.or(golds).ahead::<1>().and(not_rear);
        let mut to_the_sides = Layers::of(metal_ahead);
        to_the_sides.add(golds);
        to_the_sides.add(silvers.back().and(P::new(NOT_FRONT)));
        to_the_sides.add(pieces(Knight).ahead::<2>().and(P::new(NOT_TWO_REAR)));

        let mut attacks = Layers::of(pawns.or(metal_ahead));
        attacks.add(golds.back().and(P::new(NOT_FRONT)));
        attacks.add(lances(pieces(Lance), P::twin(position.occupied())));
        for side in to_the_sides.beside() {
            attacks.add_layers(side);
        }
        attacks.add_layers(sliders.layers);
        let others = attacks.once;
        let around = |color| position.king(color).map_or(Bitboard::EMPTY, king_attacks);
        attacks.add(P::new(Color::ALL.map(around)));
        Self { once: attacks.once, twice: attacks.twice, pawns, others, reach: sliders.reach }
    }
}

/// All squares but those of some neighbouring ranks.
const fn without_ranks(first: u8, last: u8) -> Bitboard {
    let mut set = Bitboard::FULL.0;
    let mut rank = first;
    while rank <= last {
        set &= !Bitboard::rank(rank).0;
        rank += 1;
    }
    Bitboard(set)
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
        let mut all = Self { layers: Layers::of(P::twin(Bitboard::EMPTY)), reach: [[0; 2]; 2] };
        let occupied = position.occupied();
        // Few pieces in one loop for both sides: the end of a loop is seldom predicted.
        let (horses, dragons) = (position.by_type(Horse), position.by_type(Dragon));
        for from in position.by_type(Bishop) | horses {
            all.add(0, from, bishop_attacks(from, occupied), position);
        }
        for from in position.by_type(Rook) | dragons {
            all.add(1, from, rook_attacks(from, occupied), position);
        }
        for from in horses | dragons {
            let (kind, lines) = if horses.contains(from) { (0, bishop_rays(from)) } else { (1, rook_rays(from)) };
            all.add(kind, from, king_attacks(from) & !lines, position);
        }
        all
    }

    #[inline(always)]
    fn add(&mut self, kind: usize, from: Square, set: Bitboard, position: &Position) {
        const OF: [[Bitboard; 2]; 2] = [[Bitboard::FULL, Bitboard::EMPTY], [Bitboard::EMPTY, Bitboard::FULL]];
        let color = position.piece_on(from).map_or(0, |piece| piece.color().index());
        self.layers.add(P::twin(set).and(P::new(OF[color])));
        self.reach[color][kind] += (set & !position.occupied()).count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitboard::attacks;
    use crate::platform::random::Random;

    /// Square by square and piece by piece.
    #[test]
    fn all_attacks_are_those_of_each_piece() {
        let mut random = Random::new(11);
        for _ in 0..200 {
            let mut position = Position::startpos();
            position.play_out(random.below(120), &mut random, |_| {});
            let found = Attacks::<[Bitboard; 2]>::of(&position);
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
                assert_eq!(found.once[c], times(&all, 1), "{}", position.to_sfen());
                assert_eq!(found.twice[c], times(&all, 2), "{}", position.to_sfen());
                assert_eq!(found.pawns[c], times(&sets(&|kind| kind == Pawn), 1));
                assert_eq!(found.others[c], times(&sets(&|kind| kind != King), 1));
                for (reach, kinds) in found.reach[c].iter().zip([[Bishop, Horse], [Rook, Dragon]]) {
                    let empty = |set: &Bitboard| (*set & !position.occupied()).count();
                    assert_eq!(*reach, sets(&|kind| kinds.contains(&kind)).iter().map(empty).sum::<u32>());
                }
            }
        }
    }
}
