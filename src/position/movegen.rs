//! Generating legal moves.
//!
//! Checks and pins are known before the first move is generated, so that all generated moves are legal and none needs
//! to be tested. The generator passes sets of destinations to a [`MoveSink`]: a list expands them to moves, a counter
//! only counts them, and a filter for checks reduces them before they are expanded.

use crate::bitboard::{
    Bitboard, attacks, between, bishop_attacks, gold_attacks, king_attacks, knight_attacks, lance_attacks, line,
    pawn_attacks, rook_attacks, silver_attacks,
};
use crate::types::{Color, Move, PieceType, Square};

use super::{CheckInfo, MoveList, Position};

use PieceType::*;

/// Which moves to generate. All are legal.
///
/// A pointless non-promotion is a move that could promote and loses nothing by it but does not: of a pawn, bishop or
/// rook always, of a lance on the last rank but one. They matter in tsume only (to avoid a pawn drop mate).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generate {
    /// Captures.
    Captures,
    /// What [`Generate::Captures`] leaves out, without pointless non-promotions.
    Quiets,
    /// All moves without pointless non-promotions.
    Legal,
    /// All moves.
    LegalAll,
    /// All moves that give check.
    Checks,
    /// All drops that give check, a part of [`Generate::Checks`].
    CheckDrops,
}

/// The origin of a pawn of a colour that steps to a square.
#[inline(always)]
pub fn pawn_origin(color: Color, to: Square) -> Square {
    let from = match color {
        Color::Black => to.index() + 1,
        Color::White => to.index() - 1,
    };
    Square::from_index_unchecked(from as u8)
}

/// The receiver of the generated moves.
pub trait MoveSink {
    /// The destinations that are wanted of a piece that will be of a kind after its move; `from` is `None` for a drop, of
    /// which the sink may be given others all the same.
    #[inline(always)]
    fn wanted(&self, _kind: PieceType, _from: Option<Square>) -> Bitboard {
        Bitboard::FULL
    }

    /// What the opponent attacks, if the sink knows it.
    #[inline(always)]
    fn attacked(&self) -> Option<Bitboard> {
        None
    }

    /// The squares from which a piece of a kind may have moves that are wanted.
    #[inline(always)]
    fn origins(&self, _kind: PieceType) -> Bitboard {
        Bitboard::FULL
    }

    /// Moves of one piece to each square of a set.
    fn board(&mut self, from: Square, to: Bitboard, promote: bool);

    /// Moves of unpinned pawns, each to its square of a set.
    fn pawns(&mut self, color: Color, to: Bitboard, promote: bool);

    /// Drops on each square of a set.
    fn drops(&mut self, kind: PieceType, to: Bitboard);
}

impl MoveSink for MoveList {
    #[inline(always)]
    fn board(&mut self, from: Square, to: Bitboard, promote: bool) {
        for to in to {
            self.push(Move::board(from, to, promote));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, color: Color, to: Bitboard, promote: bool) {
        for to in to {
            self.push(Move::board(pawn_origin(color, to), to, promote));
        }
    }

    #[inline(always)]
    fn drops(&mut self, kind: PieceType, to: Bitboard) {
        for to in to {
            self.push(Move::drop(kind, to));
        }
    }
}

/// Counts moves without expanding them.
struct Counter(u64);

impl MoveSink for Counter {
    #[inline(always)]
    fn board(&mut self, _: Square, to: Bitboard, _: bool) {
        self.0 += u64::from(to.count());
    }

    #[inline(always)]
    fn pawns(&mut self, _: Color, to: Bitboard, _: bool) {
        self.0 += u64::from(to.count());
    }

    #[inline(always)]
    fn drops(&mut self, _: PieceType, to: Bitboard) {
        self.0 += u64::from(to.count());
    }
}

/// The side to move as a type, so that forward and zones are constants in the generator.
trait Side {
    const COLOR: Color;
}
struct BlackSide;
struct WhiteSide;
impl Side for BlackSide {
    const COLOR: Color = Color::Black;
}
impl Side for WhiteSide {
    const COLOR: Color = Color::White;
}

/// Squares that moves may go to, by the kind of move.
pub(super) struct Targets {
    pub(super) pieces: Bitboard,
    pub(super) pawns: Bitboard,
    pub(super) drops: Bitboard,
}

impl Position {
    /// All legal moves, pointless non-promotions included.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Generate::LegalAll, &mut list);
        list
    }

    /// The number of legal moves, pointless non-promotions included.
    #[inline]
    pub fn count_legal_moves(&self) -> u64 {
        let mut counter = Counter(0);
        self.generate_into::<_, true>(&mut counter, &self.all_targets());
        counter.0
    }

    /// Whether the side to move has a legal move; it has lost if not.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() != 0
    }

    /// Appends the legal moves of some kind to a list.
    pub fn generate(&self, kind: Generate, list: &mut MoveList) {
        let enemy = self.by_color(!self.side_to_move);
        match kind {
            Generate::Captures => {
                let targets = Targets { pieces: enemy, pawns: enemy, drops: Bitboard::EMPTY };
                self.generate_into::<_, false>(list, &targets);
            }
            Generate::Quiets => self.generate_quiets(false, list),
            Generate::Legal => self.generate_into::<_, false>(list, &self.all_targets()),
            Generate::LegalAll => self.generate_into::<_, true>(list, &self.all_targets()),
            Generate::Checks => self.generate_checks(&CheckInfo::new(self), list),
            Generate::CheckDrops => self.generate_check_drops(list),
        }
    }

    /// Passes the quiet moves ([`Generate::Quiets`]) to a sink, with `all` also pointless non-promotions.
    #[inline]
    pub fn generate_quiets<S: MoveSink>(&self, all: bool, sink: &mut S) {
        let targets = self.quiet_targets();
        if all {
            self.generate_into::<_, true>(sink, &targets);
        } else {
            self.generate_into::<_, false>(sink, &targets);
        }
    }

    #[inline(always)]
    pub(super) fn quiet_targets(&self) -> Targets {
        let empty = !self.occupied();
        Targets { pieces: empty, pawns: empty, drops: empty }
    }

    #[inline(always)]
    pub(super) fn all_targets(&self) -> Targets {
        Targets { pieces: Bitboard::FULL, pawns: Bitboard::FULL, drops: !self.occupied() }
    }

    #[inline(always)]
    pub(super) fn generate_into<S: MoveSink, const ALL: bool>(&self, sink: &mut S, targets: &Targets) {
        match self.side_to_move {
            Color::Black => self.generate_for::<S, BlackSide, ALL>(sink, targets),
            Color::White => self.generate_for::<S, WhiteSide, ALL>(sink, targets),
        }
    }

    fn generate_for<S: MoveSink, C: Side, const ALL: bool>(&self, sink: &mut S, targets: &Targets) {
        let us = C::COLOR;
        let own = self.by_color(us);
        let occupied = self.occupied();
        let king = self.king(us);
        let mut allowed = !own;
        if let Some(king) = king {
            let to = king_attacks(king) & allowed & targets.pieces & sink.wanted(King, Some(king));
            let checkers = self.checkers();
            let safe = match sink.attacked() {
                // No slider attacks the king, so none attacks a square through it.
                Some(attacked) if checkers.is_empty() => to & !attacked,
                _ => self.safe_king_squares(us, king, to),
            };
            sink.board(king, safe, false);
            if let Some(checker) = checkers.first() {
                if checkers.many() {
                    return;
                }
                allowed = between(king, checker) | checkers;
            }
        }
        let pinned = self.pinned();
        let free = own & !pinned;
        let pieces = targets.pieces & allowed;

        let pawns = (self.by_type(Pawn) & free).forward(us) & targets.pawns & allowed;
        self.emit_pawns::<S, C, ALL>(sink, pawns);
        for from in self.by_type(Lance) & free & sink.origins(Lance) {
            emit::<S, C, ALL>(sink, Lance, from, lance_attacks(us, from, occupied) & pieces);
        }
        for from in self.by_type(Knight) & free & sink.origins(Knight) {
            emit::<S, C, ALL>(sink, Knight, from, knight_attacks(us, from) & pieces);
        }
        for from in self.by_type(Silver) & free & sink.origins(Silver) {
            emit::<S, C, ALL>(sink, Silver, from, silver_attacks(us, from) & pieces);
        }
        for from in self.gold_movers() & free & sink.origins(Gold) {
            emit::<S, C, ALL>(sink, Gold, from, gold_attacks(us, from) & pieces);
        }
        for from in self.by_type(Bishop) & free & sink.origins(Bishop) {
            emit::<S, C, ALL>(sink, Bishop, from, bishop_attacks(from, occupied) & pieces);
        }
        for from in self.by_type(Rook) & free & sink.origins(Rook) {
            emit::<S, C, ALL>(sink, Rook, from, rook_attacks(from, occupied) & pieces);
        }
        for from in self.by_type(Horse) & free & sink.origins(Horse) {
            let to = (bishop_attacks(from, occupied) | king_attacks(from)) & pieces;
            emit::<S, C, ALL>(sink, Horse, from, to);
        }
        for from in self.by_type(Dragon) & free & sink.origins(Dragon) {
            let to = (rook_attacks(from, occupied) | king_attacks(from)) & pieces;
            emit::<S, C, ALL>(sink, Dragon, from, to);
        }
        if let (Some(king), true) = (king, pinned.any()) {
            self.generate_pinned::<S, C, ALL>(sink, king, pinned, targets, allowed);
        }
        if !self.hand(us).is_empty() {
            self.generate_drops::<S, C>(sink, targets.drops & allowed & !occupied);
        }
    }

    /// Pinned pieces move along the line to their king.
    #[cold]
    fn generate_pinned<S: MoveSink, C: Side, const ALL: bool>(
        &self,
        sink: &mut S,
        king: Square,
        pinned: Bitboard,
        targets: &Targets,
        allowed: Bitboard,
    ) {
        for from in pinned {
            let Some(piece) = self.piece_on(from) else {
                continue;
            };
            let to = attacks(piece, from, self.occupied()) & line(king, from) & allowed;
            match piece.piece_type() {
                Pawn => self.emit_pawns::<S, C, ALL>(sink, to & targets.pawns),
                kind => emit::<S, C, ALL>(sink, kind, from, to & targets.pieces),
            }
        }
    }

    #[inline(always)]
    fn emit_pawns<S: MoveSink, C: Side, const ALL: bool>(&self, sink: &mut S, to: Bitboard) {
        let us = C::COLOR;
        let zone = Bitboard::promotion_zone(us);
        let stay = if ALL { !Bitboard::far_ranks(us, 1) } else { !zone };
        sink.pawns(us, to & zone, true);
        sink.pawns(us, to & stay, false);
    }

    #[inline(always)]
    fn generate_drops<S: MoveSink, C: Side>(&self, sink: &mut S, empty: Bitboard) {
        let us = C::COLOR;
        let hand = self.hand(us);
        // Asked beforehand for pawns only: whether a drop would mate is costly to find out.
        let wanted = empty & sink.wanted(Pawn, None);
        if hand.has(Pawn) && wanted.any() {
            let to = wanted & self.pieces(us, Pawn).free_files() & !Bitboard::far_ranks(us, 1);
            sink.drops(Pawn, to & !self.pawn_drop_mates(to));
        }
        if hand.only_pawns() {
            return;
        }
        if hand.has(Lance) {
            sink.drops(Lance, empty & !Bitboard::far_ranks(us, 1));
        }
        if hand.has(Knight) {
            sink.drops(Knight, empty & !Bitboard::far_ranks(us, 2));
        }
        for kind in [Silver, Gold, Bishop, Rook] {
            if hand.has(kind) {
                sink.drops(kind, empty);
            }
        }
    }

    /// Of the squares on which a pawn could be dropped, the one where that would be mate (打ち歩詰め).
    #[inline(always)]
    fn pawn_drop_mates(&self, to: Bitboard) -> Bitboard {
        let them = !self.side_to_move;
        let Some(king) = self.king(them) else {
            return Bitboard::EMPTY;
        };
        let checking = pawn_attacks(them, king) & to;
        match checking.first() {
            Some(square) if self.is_pawn_drop_mate(square) => checking,
            _ => Bitboard::EMPTY,
        }
    }

    /// The squares of a set on which the king of `us` is not attacked.
    #[inline(always)]
    fn safe_king_squares(&self, us: Color, king: Square, to: Bitboard) -> Bitboard {
        let without_king = self.occupied() ^ Bitboard::from_square(king);
        let mut safe = to;
        for square in to {
            if self.is_attacked_by(!us, square, without_king) {
                safe ^= Bitboard::from_square(square);
            }
        }
        safe
    }
}

/// Moves of one piece that is no pawn and no king: with promotion, without, or both.
#[inline(always)]
fn emit<S: MoveSink, C: Side, const ALL: bool>(sink: &mut S, kind: PieceType, from: Square, to: Bitboard) {
    if to.any() {
        emit_some::<S, C, ALL>(sink, kind, from, to);
    }
}

/// [`emit`] where there is something. Once for all kinds: copies for each would drive other code from the processor's
/// instruction cache, which costs more than they save.
#[inline(never)]
fn emit_some<S: MoveSink, C: Side, const ALL: bool>(sink: &mut S, kind: PieceType, from: Square, to: Bitboard) {
    let us = C::COLOR;
    let wanted = sink.wanted(kind, Some(from));
    let Some(promoted) = kind.promoted() else {
        sink.board(from, to & wanted, false);
        return;
    };
    let zone = Bitboard::promotion_zone(us);
    let promoting = if zone.contains(from) { to } else { to & zone };
    let stay = match kind {
        Knight => to & !Bitboard::far_ranks(us, 2),
        Lance if ALL => to & !Bitboard::far_ranks(us, 1),
        Lance => to & !Bitboard::far_ranks(us, 2),
        Bishop | Rook if !ALL => to & !promoting,
        _ => to,
    };
    if promoting.any() {
        sink.board(from, promoting & sink.wanted(promoted, Some(from)), true);
    }
    sink.board(from, stay & wanted, false);
}

impl Position {
    /// Whether a pawn of the side to move dropped on `square`, which gives check, would mate.
    pub(super) fn is_pawn_drop_mate(&self, square: Square) -> bool {
        let us = self.side_to_move;
        let them = !us;
        let Some(king) = self.king(them) else {
            return false;
        };
        let pawn = Bitboard::from_square(square);
        let king_set = Bitboard::from_square(king);
        let pinned = self.blockers(us, king);
        let takers = self.attackers_of(them, square, self.occupied()) & !king_set;
        if takers.iter().any(|taker| !pinned.contains(taker) || line(king, taker).contains(square)) {
            return false;
        }
        let occupied = (self.occupied() ^ king_set) | pawn;
        let escapes = king_attacks(king) & !self.by_color(them);
        !escapes.iter().any(|escape| !self.is_attacked_by(us, escape, occupied))
    }
}
