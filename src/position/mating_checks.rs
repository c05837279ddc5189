//! Generating checks that may mate: few are left, and mostly none, when the king's free squares are looked at first.

use crate::bitboard::{
    Bitboard, bishop_attacks, bishop_rays, check_origins, gold_attacks, king_attacks, knight_attacks, lance_attacks,
    lance_rays, pawn_attacks, rook_attacks, rook_rays, silver_attacks,
};
use crate::types::{PieceType, Square};

use super::checks::Wanted;
use super::{CheckInfo, MoveList, Position};

use PieceType::*;

/// What tells which checks may mate.
struct MatingChecks<'a> {
    position: &'a Position,
    king: Square,
    wanted: Wanted<'a>,
}

impl Position {
    /// Appends the checks that may mate, in the order of [`Position::generate_checks`], when the enemy king can go to the
    /// squares `flights` now. Checks that leave one of them unattacked or that a drop can block are left out, as far as
    /// that can be told at little cost; so are drops of pawns, which must not mate.
    pub fn generate_mating_checks(&self, info: &CheckInfo, flights: Bitboard, list: &mut MoveList) {
        let Some(king) = info.king() else { return };
        let squares = self.mating_squares(info, king, flights);
        let wanted =
            Wanted { squares: &squares, open: info.discoverers() | self.line_openers(flights), pawn_drops: false };
        let checks = MatingChecks { position: self, king, wanted };
        if checks.may_exist() {
            self.generate_some_checks::<true>(info, &checks.wanted, list, &self.all_targets());
        }
    }

    /// By kind after the move, the squares on which a piece gives check and attacks all free squares of the king, if no
    /// line is opened. Lines are taken as empty: they may be, once the piece has moved.
    #[inline(always)]
    fn mating_squares(&self, info: &CheckInfo, king: Square, flights: Bitboard) -> [Bitboard; PieceType::TABLE] {
        let them = !self.side_to_move;
        let mut squares = *info.all_squares();
        let hand = self.hand(them);
        if [Silver, Gold, Bishop, Rook].into_iter().any(|kind| hand.has(kind)) {
            // A distant check can be blocked.
            let near = king_attacks(king);
            for kind in [Lance, Bishop, Rook, Horse, Dragon] {
                squares[kind.index()] &= near;
            }
        }
        for square in flights {
            let (bishop, rook, steps) = (bishop_rays(square), rook_rays(square), king_attacks(square));
            for (kind, reach) in [
                (Pawn, pawn_attacks(them, square)),
                (Lance, lance_rays(them, square)),
                (Knight, knight_attacks(them, square)),
                (Silver, silver_attacks(them, square)),
                (Gold, gold_attacks(them, square)),
                (Bishop, bishop),
                (Rook, rook),
                (Horse, bishop | steps),
                (Dragon, rook | steps),
            ] {
                squares[kind.index()] &= reach;
            }
        }
        for kind in [ProPawn, ProLance, ProKnight, ProSilver] {
            squares[kind.index()] = squares[Gold.index()];
        }
        squares
    }

    /// Own pieces that alone stand between a slider and one of some squares.
    #[inline(always)]
    fn line_openers(&self, squares: Bitboard) -> Bitboard {
        let us = self.side_to_move;
        let own = self.by_color(us);
        // Mostly the sliders see no own piece, which is told faster.
        if !self.line_attacks_towards(us, squares, self.occupied()).intersects(own) {
            return Bitboard::EMPTY;
        }
        squares.into_iter().fold(Bitboard::EMPTY, |pieces, square| pieces | self.blockers(us, square)) & own
    }
}

impl MatingChecks<'_> {
    /// Whether some piece may give a check that is wanted. Most often none can, which is told much faster than by
    /// generating.
    #[inline(always)]
    fn may_exist(&self) -> bool {
        let Self { position, ref wanted, .. } = *self;
        let (us, occupied) = (position.side_to_move, position.occupied());
        let pawns = position.pieces(us, Pawn).forward(us);
        wanted.open.any()
            || pawns.intersects(wanted.moves(Pawn) & !position.by_color(us))
            || self.may_move(Gold, |from| gold_attacks(us, from))
            || self.may_move(Silver, |from| silver_attacks(us, from))
            || self.may_move(Knight, |from| knight_attacks(us, from))
            || self.may_move(Lance, |from| lance_attacks(us, from, occupied))
            || self.may_move(Dragon, |from| rook_attacks(from, occupied) | king_attacks(from))
            || self.may_move(Horse, |from| bishop_attacks(from, occupied) | king_attacks(from))
            || self.may_move(Rook, |from| rook_attacks(from, occupied))
            || self.may_move(Bishop, |from| bishop_attacks(from, occupied))
            || self.may_drop(Gold)
            || self.may_drop(Silver)
            || self.may_drop(Rook)
            || self.may_drop(Bishop)
            || self.may_drop(Knight)
            || self.may_drop(Lance)
    }

    #[inline(always)]
    fn may_move(&self, kind: PieceType, reach: impl Fn(Square) -> Bitboard) -> bool {
        let us = self.position.side_to_move;
        let own = self.position.by_color(us);
        let squares = self.wanted.moves(kind) & !own;
        squares.any() && {
            let pieces = if kind == Gold { self.position.gold_movers() } else { self.position.by_type(kind) };
            let pieces = pieces & own & check_origins(us, kind, self.king);
            pieces.into_iter().any(|from| reach(from).intersects(squares))
        }
    }

    #[inline(always)]
    fn may_drop(&self, kind: PieceType) -> bool {
        let hand = self.position.hand(self.position.side_to_move);
        (self.wanted.drops(kind) & !self.position.occupied()).any() && hand.has(kind)
    }
}
