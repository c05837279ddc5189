//! What both sides attack.

use crate::bitboard::{Bitboard, bishop_attacks, king_attacks, lance_attacks, rook_attacks};
use crate::position::Position;
use crate::types::{Color, PieceType};

use PieceType::*;

/// What a side attacks.
#[derive(Clone, Copy)]
pub struct Attacks {
    /// At least once.
    pub once: Bitboard,
    /// At least twice.
    pub twice: Bitboard,
    /// By pawns.
    pub pawns: Bitboard,
    /// By more than the king.
    pub others: Bitboard,
    /// How many empty squares bishops attack, promoted or not, and how many rooks.
    pub reach: [u32; 2],
}

impl Attacks {
    /// The attacks of both sides, by [`Color::index`].
    #[inline(always)]
    pub fn of(position: &Position) -> [Self; 2] {
        let none = Bitboard::EMPTY;
        let mut both = [Self { once: none, twice: none, pawns: none, others: none, reach: [0; 2] }; 2];
        // Few pieces in one loop for both sides: the end of a loop is seldom predicted.
        let (occupied, white) = (position.occupied(), position.by_color(Color::White));
        let (horses, dragons) = (position.by_type(Horse), position.by_type(Dragon));
        for from in position.by_type(Bishop) | horses {
            let mut set = bishop_attacks(from, occupied);
            if horses.contains(from) {
                set |= king_attacks(from);
            }
            both[usize::from(white.contains(from))].add_slider(0, set, occupied);
        }
        for from in position.by_type(Rook) | dragons {
            let mut set = rook_attacks(from, occupied);
            if dragons.contains(from) {
                set |= king_attacks(from);
            }
            both[usize::from(white.contains(from))].add_slider(1, set, occupied);
        }
        let [black, white] = &mut both;
        black.add_steps(position, Color::Black);
        white.add_steps(position, Color::White);
        both
    }

    #[inline(always)]
    fn add(&mut self, set: Bitboard) {
        self.twice |= self.once & set;
        self.once |= set;
    }

    #[inline(always)]
    fn add_slider(&mut self, kind: usize, set: Bitboard, occupied: Bitboard) {
        self.reach[kind] += (set & !occupied).count();
        self.add(set);
    }

    /// Adds the squares on both sides of those of a set.
    #[inline(always)]
    fn add_beside(&mut self, set: Bitboard) {
        let [left, right] = set.beside();
        self.add(left);
        self.add(right);
    }

    /// Adds what all but bishops and rooks attack; the king comes last.
    #[inline(always)]
    fn add_steps(&mut self, position: &Position, color: Color) {
        let own = position.by_color(color);
        self.pawns = (position.by_type(Pawn) & own).forward(color);
        self.add(self.pawns);
        for from in position.by_type(Lance) & own {
            self.add(lance_attacks(color, from, position.occupied()));
        }
        self.add_beside((position.by_type(Knight) & own).forward(color).forward(color));
        let silvers = position.by_type(Silver) & own;
        let front = silvers.forward(color);
        self.add(front);
        self.add_beside(front);
        self.add_beside(silvers.forward(!color));
        let golds = position.gold_movers() & own;
        let front = golds.forward(color);
        self.add(front);
        self.add(golds.forward(!color));
        self.add_beside(front);
        self.add_beside(golds);
        self.others = self.once;
        if let Some(king) = position.king(color) {
            self.add(king_attacks(king));
        }
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
            let both = Attacks::of(&position);
            for color in Color::ALL {
                let found = &both[color.index()];
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
                assert_eq!(found.once, times(&all, 1), "{}", position.to_sfen());
                assert_eq!(found.twice, times(&all, 2), "{}", position.to_sfen());
                assert_eq!(found.pawns, times(&sets(&|kind| kind == Pawn), 1));
                assert_eq!(found.others, times(&sets(&|kind| kind != King), 1));
                for (reach, kinds) in found.reach.iter().zip([[Bishop, Horse], [Rook, Dragon]]) {
                    let empty = |set: &Bitboard| (*set & !position.occupied()).count();
                    assert_eq!(*reach, sets(&|kind| kinds.contains(&kind)).iter().map(empty).sum::<u32>());
                }
            }
        }
    }
}
