//! Attackers of a square.

use crate::bitboard::{
    Bitboard, between, bishop_attacks, bishop_rays, gold_attacks, king_attacks, knight_attacks, lance_attacks,
    lance_rays, pawn_attacks, rook_attacks, rook_rays, silver_attacks, step_attacks, step_origins,
};
use crate::types::{Color, PieceType, Square};

use super::Position;

use PieceType::*;

impl Position {
    /// The pieces of both colours that attack a square; only the `occupied` squares block sliders.
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let [black, white] = Color::ALL.map(|color| self.forward_attackers(color, square, occupied));
        black | white | self.wide_attackers(square, occupied)
    }

    /// The pieces of one colour that attack a square.
    #[inline]
    pub fn attackers_of(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        self.forward_attackers(color, square, occupied) | self.wide_attackers(square, occupied) & self.by_color(color)
    }

    /// The pieces of one colour that attack a square, but for those that [`Position::wide_attackers`] has: by a step, and
    /// lances.
    #[inline(always)]
    pub(super) fn forward_attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let lances = lance_attacks(!color, square, occupied) & self.by_type(Lance);
        (self.step_attackers(color, square) | lances) & self.by_color(color)
    }

    /// Bishops and rooks of both colours, promoted or not, that attack a square along their lines.
    #[inline(always)]
    pub(super) fn wide_attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let bishops = self.by_type(Bishop) | self.by_type(Horse);
        let rooks = self.by_type(Rook) | self.by_type(Dragon);
        // Most sliders do not point at the square, which the rays on the empty board tell at once.
        let mut attackers = Bitboard::EMPTY;
        if bishop_rays(square).intersects(bishops) {
            attackers |= bishop_attacks(square, occupied) & bishops;
        }
        if rook_rays(square).intersects(rooks) {
            attackers |= rook_attacks(square, occupied) & rooks;
        }
        attackers
    }

    /// Whether a colour attacks a square; faster than computing the set.
    #[inline]
    pub fn is_attacked_by(&self, color: Color, square: Square, occupied: Bitboard) -> bool {
        self.is_attacked_by_some(self.by_color(color), color, square, occupied)
    }

    /// Whether some of a colour's pieces, those in the set `own`, attack a square.
    #[inline]
    pub fn is_attacked_by_some(&self, own: Bitboard, color: Color, square: Square, occupied: Bitboard) -> bool {
        if (self.step_attackers(color, square) & own).any() {
            return true;
        }
        let rooks = (self.by_type(Rook) | self.by_type(Dragon)) & own;
        let bishops = (self.by_type(Bishop) | self.by_type(Horse)) & own;
        let lances = self.by_type(Lance) & own;
        // Most sliders do not point at the square, which the rays on the empty board tell at once.
        (rook_rays(square) & rooks).any() && (rook_attacks(square, occupied) & rooks).any()
            || (bishop_rays(square) & bishops).any() && (bishop_attacks(square, occupied) & bishops).any()
            || (lance_rays(!color, square) & lances).any() && (lance_attacks(!color, square, occupied) & lances).any()
    }

    /// The squares that a colour attacks, those of its own pieces included.
    pub fn attacked_squares(&self, color: Color) -> Bitboard {
        let (own, occupied) = (self.by_color(color), self.occupied());
        let pawns = self.by_type(Pawn) & own;
        let mut attacked = pawns.forward(color) | self.line_attacks_towards(color, Bitboard::FULL, occupied);
        for from in own & !pawns {
            if let Some(piece) = self.piece_on(from) {
                attacked |= step_attacks(piece, from);
            }
        }
        attacked
    }

    /// The squares that a colour attacks when the enemy king on `king` is taken away, exact for the king's neighbours
    /// only; and those of them that sliders attack along lines.
    #[inline]
    pub fn attacked_around(&self, color: Color, king: Square) -> (Bitboard, Bitboard) {
        let own = self.by_color(color);
        let occupied = self.occupied() ^ Bitboard::from_square(king);
        let mut attacked = Bitboard::EMPTY;
        for from in own & step_origins(king) {
            if let Some(piece) = self.piece_on(from) {
                attacked |= step_attacks(piece, from);
            }
        }
        let along_lines = self.line_attacks_towards(color, king_attacks(king), occupied);
        (attacked | along_lines, along_lines)
    }

    /// What a colour's sliders attack along their lines, of those whose lines meet some squares when the board is
    /// empty.
    #[inline(always)]
    pub(super) fn line_attacks_towards(&self, color: Color, squares: Bitboard, occupied: Bitboard) -> Bitboard {
        let own = self.by_color(color);
        let mut attacked = Bitboard::EMPTY;
        for from in (self.by_type(Bishop) | self.by_type(Horse)) & own {
            if bishop_rays(from).intersects(squares) {
                attacked |= bishop_attacks(from, occupied);
            }
        }
        for from in (self.by_type(Rook) | self.by_type(Dragon)) & own {
            if rook_rays(from).intersects(squares) {
                attacked |= rook_attacks(from, occupied);
            }
        }
        for from in self.by_type(Lance) & own {
            if lance_rays(color, from).intersects(squares) {
                attacked |= lance_attacks(color, from, occupied);
            }
        }
        attacked
    }

    /// The pieces that would attack a square by a step if they belonged to `color` (the caller masks them with its
    /// own).
    #[inline(always)]
    fn step_attackers(&self, color: Color, square: Square) -> Bitboard {
        let them = !color;
        let big_steps = self.by_type(King) | self.by_type(Horse) | self.by_type(Dragon);
        pawn_attacks(them, square) & self.by_type(Pawn)
            | knight_attacks(them, square) & self.by_type(Knight)
            | silver_attacks(them, square) & self.by_type(Silver)
            | gold_attacks(them, square) & self.gold_movers()
            | king_attacks(square) & big_steps
    }

    /// Sliders of `color` that would attack `square` on an empty board.
    #[inline(always)]
    pub(crate) fn snipers(&self, color: Color, square: Square) -> Bitboard {
        let rooks = rook_rays(square) & (self.by_type(Rook) | self.by_type(Dragon));
        let bishops = bishop_rays(square) & (self.by_type(Bishop) | self.by_type(Horse));
        let lances = lance_rays(!color, square) & self.by_type(Lance);
        (rooks | bishops | lances) & self.by_color(color)
    }

    /// The pieces of either colour that alone stand between a slider of `attacker` and `square`.
    pub fn blockers(&self, attacker: Color, square: Square) -> Bitboard {
        let mut blockers = Bitboard::EMPTY;
        for sniper in self.snipers(attacker, square) {
            let obstacles = between(sniper, square) & self.occupied();
            if !obstacles.many() {
                blockers |= obstacles;
            }
        }
        blockers
    }
}
