//! Generating moves that give check.

use crate::bitboard::{Bitboard, check_origins};
use crate::types::{Color, PieceType, Square};

use super::movegen::{Targets, pawn_origin};
use super::{CheckInfo, MoveList, MoveSink, Position};

use PieceType::*;

/// Which checks are wanted.
pub(super) struct Wanted<'a> {
    /// By kind after the move: the squares on which a check is wanted.
    pub(super) squares: &'a [Bitboard; PieceType::TABLE],
    /// Pieces of which every check is wanted, among them those that can give a discovered check.
    pub(super) open: Bitboard,
    pub(super) pawn_drops: bool,
}

impl<'a> Wanted<'a> {
    fn all(info: &'a CheckInfo) -> Self {
        Self { squares: info.all_squares(), open: info.discoverers(), pawn_drops: true }
    }

    #[inline(always)]
    fn drops(&self, kind: PieceType) -> Bitboard {
        if kind == Pawn && !self.pawn_drops { Bitboard::EMPTY } else { self.squares[kind.index()] }
    }

    /// The squares that are wanted of a kind that may promote by its move.
    #[inline(always)]
    fn moves(&self, kind: PieceType) -> Bitboard {
        let squares = |kind: PieceType| self.squares[kind.index()];
        squares(kind) | kind.promoted().map_or(Bitboard::EMPTY, squares)
    }
}

/// A filter that passes on the moves that give check, or some of them.
struct Checks<'a> {
    info: &'a CheckInfo,
    us: Color,
    king: Square,
    wanted: &'a Wanted<'a>,
    list: &'a mut MoveList,
}

impl MoveSink for Checks<'_> {
    #[inline(always)]
    fn wanted(&self, kind: PieceType, from: Option<Square>) -> Bitboard {
        match from {
            Some(from) if self.wanted.open.contains(from) => self.info.checking(kind, Some(from)),
            Some(_) => self.wanted.squares[kind.index()],
            None => self.wanted.drops(kind),
        }
    }

    #[inline(always)]
    fn origins(&self, kind: PieceType) -> Bitboard {
        let open = self.wanted.open;
        if self.wanted.moves(kind).any() { check_origins(self.us, kind, self.king) | open } else { open }
    }

    #[inline(always)]
    fn board(&mut self, from: Square, to: Bitboard, promote: bool) {
        self.list.board(from, to, promote);
    }

    fn pawns(&mut self, color: Color, to: Bitboard, promote: bool) {
        let kind = if promote { ProPawn } else { Pawn };
        let open = (self.wanted.open.forward(color) & to)
            .iter()
            .filter(|&to| {
                let from = pawn_origin(color, to);
                self.info.checking(kind, Some(from)).contains(to)
            })
            .collect();
        let wanted = self.wanted.squares[kind.index()] | open;
        self.list.pawns(color, to & wanted, promote);
    }

    #[inline(always)]
    fn drops(&mut self, kind: PieceType, to: Bitboard) {
        self.list.drops(kind, to & self.wanted.drops(kind));
    }
}

impl Position {
    /// Appends all legal moves that give check, as [`Generate::Checks`](super::Generate::Checks) does, by a
    /// [`CheckInfo`] of this position.
    #[inline]
    pub fn generate_checks(&self, info: &CheckInfo, list: &mut MoveList) {
        self.generate_some_checks::<true>(info, &Wanted::all(info), list, &self.all_targets());
    }

    /// Appends the quiet moves that give check, with `all` also pointless non-promotions.
    pub fn generate_quiet_checks(&self, info: &CheckInfo, all: bool, list: &mut MoveList) {
        let (wanted, targets) = (Wanted::all(info), self.quiet_targets());
        if all {
            self.generate_some_checks::<true>(info, &wanted, list, &targets);
        } else {
            self.generate_some_checks::<false>(info, &wanted, list, &targets);
        }
    }

    /// Appends the drops that give check, for [`Generate::CheckDrops`](super::Generate::CheckDrops).
    pub(super) fn generate_check_drops(&self, list: &mut MoveList) {
        let targets = Targets { pieces: Bitboard::EMPTY, pawns: Bitboard::EMPTY, drops: !self.occupied() };
        let info = CheckInfo::new(self);
        self.generate_some_checks::<true>(&info, &Wanted::all(&info), list, &targets);
    }

    #[inline(always)]
    pub(super) fn generate_some_checks<const ALL: bool>(
        &self,
        info: &CheckInfo,
        wanted: &Wanted,
        list: &mut MoveList,
        targets: &Targets,
    ) {
        if let Some(king) = info.king() {
            let us = self.side_to_move;
            let mut checks = Checks { info, us, king, wanted, list };
            self.generate_into::<_, ALL>(&mut checks, targets);
        }
    }
}
