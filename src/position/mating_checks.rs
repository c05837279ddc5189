//! Generating checks that may mate: few are left, and mostly none, when the king's free squares are looked at first.

use crate::bitboard::{
    Bitboard, Kinds, bishop_attacks, bishop_rays, check_origins, covering_kinds, gold_attacks, king_attacks,
    knight_attacks, lance_attacks, lance_rays, pawn_attacks, rook_attacks, rook_rays, silver_attacks,
};
use crate::types::{PieceType, Square};

use super::checks::Wanted;
use super::{CheckInfo, MoveList, Position};

use PieceType::*;

/// What tells which checks may mate.
struct MatingChecks<'a> {
    position: &'a Position,
    info: &'a CheckInfo,
    king: Square,
    /// Where the enemy king can go now.
    flights: Bitboard,
    /// The kinds of which a piece may attack all that.
    kinds: Kinds,
    /// Where sliders must stand: near the king if a drop can block a distant check.
    slider_squares: Bitboard,
    /// Pieces of which every check may mate, since their move may open a line.
    open: Bitboard,
}

impl Position {
    /// Appends the checks that may mate, in the order of [`Position::generate_checks`], when the enemy king can go to the
    /// squares `flights` now and sliders attack `along_lines` near it (see [`Position::attacked_around`]). Checks that
    /// leave one of them unattacked or that a drop can block are left out, as far as that can be told at little cost; so
    /// are drops of pawns, which must not mate.
    pub fn generate_mating_checks(
        &self,
        info: &CheckInfo,
        flights: Bitboard,
        along_lines: Bitboard,
        list: &mut MoveList,
    ) {
        let Some(king) = info.king() else { return };
        let hand = self.hand(!self.side_to_move);
        let blockable = [Silver, Gold, Bishop, Rook].into_iter().any(|kind| hand.has(kind));
        let slider_squares = if blockable { king_attacks(king) } else { Bitboard::FULL };
        let open = info.discoverers() | self.line_openers(flights, along_lines);
        let kinds = covering_kinds(self.side_to_move, king, flights);
        let checks = MatingChecks { position: self, info, king, flights, kinds, slider_squares, open };
        // Most often none exists, which is told much faster than by generating.
        if checks.may_exist() {
            let squares = checks.all_squares();
            let wanted = Wanted { squares: &squares, open, pawn_drops: false };
            self.generate_some_checks::<true>(info, &wanted, list, &self.all_targets());
        }
    }

    /// Own pieces that alone stand between a slider and one of some squares, towards which sliders attack `along_lines`.
    #[inline(always)]
    fn line_openers(&self, squares: Bitboard, along_lines: Bitboard) -> Bitboard {
        let us = self.side_to_move;
        let own = self.by_color(us);
        // Mostly the sliders see no own piece, which is told faster.
        if !along_lines.intersects(own) {
            return Bitboard::EMPTY;
        }
        squares.into_iter().fold(Bitboard::EMPTY, |pieces, square| pieces | self.blockers(us, square)) & own
    }
}

impl MatingChecks<'_> {
    /// The squares on which a piece of a kind gives check and attacks all free squares of the king, if no line is opened.
    /// Lines are taken as empty: they may be, once the piece has moved.
    #[inline(always)]
    fn squares(&self, kind: PieceType) -> Bitboard {
        let them = !self.position.side_to_move();
        let reach = |square: Square| match kind {
            Pawn => pawn_attacks(them, square),
            Lance => lance_rays(them, square),
            Knight => knight_attacks(them, square),
            Silver => silver_attacks(them, square),
            Bishop => bishop_rays(square),
            Rook => rook_rays(square),
            Horse => bishop_rays(square) | king_attacks(square),
            Dragon => rook_rays(square) | king_attacks(square),
            _ => gold_attacks(them, square),
        };
        let checking = match kind {
            Lance | Bishop | Rook | Horse | Dragon => self.info.squares(kind) & self.slider_squares,
            _ => self.info.squares(kind),
        };
        self.flights.into_iter().fold(checking, |squares, flight| squares & reach(flight))
    }

    /// [`MatingChecks::squares`] of all kinds.
    fn all_squares(&self) -> [Bitboard; PieceType::TABLE] {
        let mut squares = [Bitboard::EMPTY; PieceType::TABLE];
        for kind in [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook, Horse, Dragon] {
            squares[kind.index()] = self.squares(kind);
        }
        for kind in [ProPawn, ProLance, ProKnight, ProSilver] {
            squares[kind.index()] = squares[Gold.index()];
        }
        squares
    }

    /// Whether some piece may give a check that is wanted.
    #[inline(always)]
    fn may_exist(&self) -> bool {
        let position = self.position;
        let (us, occupied) = (position.side_to_move(), position.occupied());
        self.open.any()
            || self.kinds.has_any_form(Pawn)
                && self.is_wanted(Pawn, position.pieces(us, Pawn).forward(us) & !position.by_color(us))
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
        if !self.kinds.has_any_form(kind) {
            return false;
        }
        let us = self.position.side_to_move();
        let own = self.position.by_color(us);
        let pieces = if kind == Gold { self.position.gold_movers() } else { self.position.by_type(kind) };
        let pieces = pieces & own & check_origins(us, kind, self.king);
        pieces.into_iter().any(|from| self.is_wanted(kind, reach(from) & !own))
    }

    /// Whether a piece of a kind, which may promote by its move, may mate on one of some squares. Few give check, and the
    /// others need no closer look.
    #[inline(always)]
    fn is_wanted(&self, kind: PieceType, to: Bitboard) -> bool {
        let may_mate = |kind| {
            let checking = to & self.info.squares(kind);
            checking.any() && self.kinds.has(kind) && checking.intersects(self.squares(kind))
        };
        may_mate(kind) || kind.promoted().is_some_and(may_mate)
    }

    #[inline(always)]
    fn may_drop(&self, kind: PieceType) -> bool {
        let hand = self.position.hand(self.position.side_to_move());
        self.kinds.has(kind) && hand.has(kind) && (self.squares(kind) & !self.position.occupied()).any()
    }
}
