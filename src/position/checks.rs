//! Generating moves that give check.

use crate::bitboard::{
    Bitboard, bishop_rays, check_origins, gold_attacks, king_attacks, knight_attacks, lance_rays, pawn_attacks,
    rook_rays, silver_attacks,
};
use crate::types::{Color, PieceType, Square};

use super::movegen::{Targets, pawn_origin};
use super::{CheckInfo, MoveList, MoveSink, Position};

use PieceType::*;

/// A filter that passes on the moves that give check, or some of them.
struct Checks<'a> {
    info: &'a CheckInfo,
    us: Color,
    king: Square,
    /// By kind after the move: squares on which a check is wanted.
    squares: &'a [Bitboard; PieceType::TABLE],
    /// Pieces of which every check is wanted, among them those that can give a discovered check.
    open: Bitboard,
    list: &'a mut MoveList,
}

impl MoveSink for Checks<'_> {
    #[inline(always)]
    fn wanted(&self, kind: PieceType, from: Option<Square>) -> Bitboard {
        match from {
            Some(from) if self.open.contains(from) => self.info.checking(kind, Some(from)),
            _ => self.squares[kind.index()],
        }
    }

    #[inline(always)]
    fn origins(&self, kind: PieceType) -> Bitboard {
        let squares = |kind: PieceType| self.squares[kind.index()];
        let promoted = kind.promoted().map_or(Bitboard::EMPTY, squares);
        if (squares(kind) | promoted).any() { check_origins(self.us, kind, self.king) | self.open } else { self.open }
    }

    #[inline(always)]
    fn board(&mut self, from: Square, to: Bitboard, promote: bool) {
        self.list.board(from, to, promote);
    }

    fn pawns(&mut self, color: Color, to: Bitboard, promote: bool) {
        let kind = if promote { ProPawn } else { Pawn };
        let open = (self.open.forward(color) & to)
            .iter()
            .filter(|&to| {
                let from = pawn_origin(color, to);
                self.info.checking(kind, Some(from)).contains(to)
            })
            .collect();
        let wanted = self.squares[kind.index()] | open;
        self.list.pawns(color, to & wanted, promote);
    }

    #[inline(always)]
    fn drops(&mut self, kind: PieceType, to: Bitboard) {
        self.list.drops(kind, to & self.squares[kind.index()]);
    }
}

impl Position {
    /// Appends all legal moves that give check, as [`Generate::Checks`](super::Generate::Checks) does, by a
    /// [`CheckInfo`] of this position.
    #[inline]
    pub fn generate_checks(&self, info: &CheckInfo, list: &mut MoveList) {
        let (squares, open) = (info.all_squares(), info.discoverers());
        self.generate_some_checks(info, squares, open, list, &self.all_targets());
    }

    /// Appends the checks that may mate, in the order of [`Position::generate_checks`], when the enemy king can go to
    /// the squares `flights` now: checks that leave one of them unattacked or that a drop can block are left out, as
    /// far as that can be told at little cost.
    pub fn generate_mating_checks(&self, info: &CheckInfo, flights: Bitboard, list: &mut MoveList) {
        let Some(king) = info.king() else { return };
        let (squares, open) = self.mating_squares(info, king, flights);
        if open.any() || squares.iter().any(|squares| squares.any()) {
            self.generate_some_checks(info, &squares, open, list, &self.all_targets());
        }
    }

    /// The squares by kind on which a check may mate, and own pieces of which this does not tell, because lines are
    /// opened when they leave.
    #[inline(always)]
    fn mating_squares(
        &self,
        info: &CheckInfo,
        king: Square,
        flights: Bitboard,
    ) -> ([Bitboard; PieceType::TABLE], Bitboard) {
        let us = self.side_to_move;
        let mut squares = *info.all_squares();
        let hand = self.hand(!us);
        if [Silver, Gold, Bishop, Rook].into_iter().any(|kind| hand.has(kind)) {
            // A distant check can be blocked.
            let near = king_attacks(king);
            for kind in [Lance, Bishop, Rook, Horse, Dragon] {
                squares[kind.index()] &= near;
            }
        }
        for square in flights {
            // Lines are taken as empty: they may be, once the piece has moved.
            let (bishop, rook) = (bishop_rays(square), rook_rays(square));
            let (gold, king) = (gold_attacks(!us, square), king_attacks(square));
            for (kind, reach) in [
                (Pawn, pawn_attacks(!us, square)),
                (Lance, lance_rays(!us, square)),
                (Knight, knight_attacks(!us, square)),
                (Silver, silver_attacks(!us, square)),
                (Gold, gold),
                (Bishop, bishop),
                (Rook, rook),
                (Horse, bishop | king),
                (Dragon, rook | king),
            ] {
                squares[kind.index()] &= reach;
            }
        }
        for kind in [ProPawn, ProLance, ProKnight, ProSilver] {
            squares[kind.index()] = squares[Gold.index()];
        }
        // Own pieces that a slider sees before a free square of the king.
        let seen = self.line_attacks_towards(us, flights, self.occupied());
        (squares, info.discoverers() | seen & self.by_color(us))
    }

    /// Appends the drops that give check, for [`Generate::CheckDrops`](super::Generate::CheckDrops).
    pub(super) fn generate_check_drops(&self, list: &mut MoveList) {
        let targets = Targets { pieces: Bitboard::EMPTY, pawns: Bitboard::EMPTY, drops: !self.occupied() };
        let info = CheckInfo::new(self);
        let (squares, open) = (info.all_squares(), info.discoverers());
        self.generate_some_checks(&info, squares, open, list, &targets);
    }

    #[inline(always)]
    fn generate_some_checks(
        &self,
        info: &CheckInfo,
        squares: &[Bitboard; PieceType::TABLE],
        open: Bitboard,
        list: &mut MoveList,
        targets: &Targets,
    ) {
        if let Some(king) = info.king() {
            let us = self.side_to_move;
            let mut checks = Checks { info, us, king, squares, open, list };
            self.generate_into::<_, true>(&mut checks, targets);
        }
    }
}
