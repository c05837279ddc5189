//! Legality of a single move that was not generated, such as one from the hash table or from the user.

use crate::bitboard::{Bitboard, attacks, between, line, pawn_attacks};
use crate::types::{Color, Hand, Move, Piece, PieceType, Square};

use super::Position;

use PieceType::*;

/// Why a move is illegal: each message is one sentence that names the square, the piece and the rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The square of origin is empty.
    #[error("there is no piece on {0} to move")]
    EmptySquare(Square),
    /// The piece belongs to the opponent.
    #[error("the {name} on {0} belongs to {owner}, but it is {turn}'s turn", name = .1.piece_type().name(), owner = .1.color(), turn = !.1.color())]
    NotOwn(Square, Piece),
    /// The piece does not move that way, or something stands in its way.
    #[error("the {name} on {0} cannot reach {2}", name = .1.name())]
    Unreachable(Square, PieceType, Square),
    /// The destination holds an own piece.
    #[error("{0} is occupied by {owner}'s own {name}", owner = .1.color(), name = .1.piece_type().name())]
    OwnPiece(Square, Piece),
    /// The kind has no promoted side, or the piece is promoted already.
    #[error("the {name} on {0} cannot promote", name = .1.name())]
    NoPromotion(Square, PieceType),
    /// Neither end of the move lies in the promotion zone.
    #[error("the {name} cannot promote from {0} to {2}: neither square is in the promotion zone", name = .1.name())]
    OutsideZone(Square, PieceType, Square),
    /// The piece would never be able to move again.
    #[error("a {name} on {1} could never move again (dead-end square)", name = .0.name())]
    DeadEnd(PieceType, Square),
    /// The kind is not in hand.
    #[error("{0} has no {name} in hand to drop", name = .1.name())]
    NotInHand(Color, PieceType),
    /// A drop on an occupied square.
    #[error("a {name} cannot be dropped on {1}: the square is occupied", name = .0.name())]
    DropOnPiece(PieceType, Square),
    /// 二歩: a second unpromoted pawn on the file.
    #[error("a pawn cannot be dropped on {0}: {1} already has an unpromoted pawn on that file (two pawns, nifu)")]
    TwoPawns(Square, Color),
    /// 打ち歩詰め: mate by a dropped pawn.
    #[error("a pawn dropped on {0} would be mate, which is forbidden (pawn drop mate, uchifuzume)")]
    PawnDropMate(Square),
    /// The move leaves the own king in check.
    #[error("after {0} the king on {1} could be captured")]
    KingInCheck(Move, Square),
}

impl Position {
    /// Whether a move (any value of the type) is legal here; pointless non-promotions count as legal.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        match (mv.from(), mv.dropped()) {
            (Some(from), _) => self.is_legal_board(from, mv),
            (None, Some(kind)) => self.is_legal_drop(kind, mv.to()),
            (None, None) => false,
        }
    }

    fn is_legal_board(&self, from: Square, mv: Move) -> bool {
        let us = self.side_to_move;
        let to = mv.to();
        let Some(piece) = self.piece_on(from) else {
            return false;
        };
        let kind = piece.piece_type();
        if piece.color() != us || self.by_color(us).contains(to) || !attacks(piece, from, self.occupied()).contains(to)
        {
            return false;
        }
        let promotion_fits = if mv.is_promotion() {
            kind.promoted().is_some() && (from.in_promotion_zone(us) || to.in_promotion_zone(us))
        } else {
            !is_dead_end(us, kind, to)
        };
        promotion_fits && self.is_king_safe_after(from, kind, to)
    }

    fn is_legal_drop(&self, kind: PieceType, to: Square) -> bool {
        let us = self.side_to_move;
        if !self.hand(us).has(kind) || self.piece_on(to).is_some() || is_dead_end(us, kind, to) {
            return false;
        }
        if let (Some(king), Some(checker)) = (self.king(us), self.checkers().first())
            && (self.checkers().many() || !between(king, checker).contains(to))
        {
            return false;
        }
        kind != Pawn || !(self.is_two_pawns(to) || self.is_pawn_drop_mate_on(to))
    }

    /// Whether the own king is safe after a move on the board that the piece can make.
    fn is_king_safe_after(&self, from: Square, kind: PieceType, to: Square) -> bool {
        let us = self.side_to_move;
        let Some(king) = self.king(us) else {
            return true;
        };
        if kind == King {
            return !self.is_attacked_by(!us, to, self.occupied() ^ Bitboard::from_square(king));
        }
        if self.pinned().contains(from) && !line(king, from).contains(to) {
            return false;
        }
        match self.checkers().first() {
            None => true,
            Some(checker) => !self.checkers().many() && (to == checker || between(king, checker).contains(to)),
        }
    }

    fn is_two_pawns(&self, to: Square) -> bool {
        self.pieces(self.side_to_move, Pawn).intersects(Bitboard::file(to.file()))
    }

    fn is_pawn_drop_mate_on(&self, to: Square) -> bool {
        let gives_check =
            self.king(!self.side_to_move).is_some_and(|king| pawn_attacks(self.side_to_move, to).contains(king));
        gives_check && self.is_pawn_drop_mate(to)
    }

    /// Why a move is illegal here, in words.
    ///
    /// # Errors
    /// The first rule that the move breaks.
    pub fn check_move(&self, mv: Move) -> Result<(), IllegalMove> {
        let us = self.side_to_move;
        let to = mv.to();
        let king_error = || match self.king(us) {
            Some(king) => IllegalMove::KingInCheck(mv, if mv.from() == Some(king) { to } else { king }),
            None => unreachable!("no king can be captured where none is"),
        };
        let (from, dropped) = (mv.from(), mv.dropped());
        if let Some(kind) = dropped {
            if !self.hand(us).has(kind) {
                return Err(IllegalMove::NotInHand(us, kind));
            }
            if self.piece_on(to).is_some() {
                return Err(IllegalMove::DropOnPiece(kind, to));
            }
            if is_dead_end(us, kind, to) {
                return Err(IllegalMove::DeadEnd(kind, to));
            }
            if kind == Pawn && self.is_two_pawns(to) {
                return Err(IllegalMove::TwoPawns(to, us));
            }
            if self.is_legal(mv) {
                return Ok(());
            }
            return Err(if self.in_check() && !self.blocks_check(to) {
                king_error()
            } else {
                IllegalMove::PawnDropMate(to)
            });
        }
        let Some(from) = from else { unreachable!("a move has an origin or a kind to drop") };
        let piece = self.piece_on(from).ok_or(IllegalMove::EmptySquare(from))?;
        let kind = piece.piece_type();
        if piece.color() != us {
            return Err(IllegalMove::NotOwn(from, piece));
        }
        if !attacks(piece, from, self.occupied()).contains(to) {
            return Err(IllegalMove::Unreachable(from, kind, to));
        }
        if let Some(own) = self.piece_on(to).filter(|other| other.color() == us) {
            return Err(IllegalMove::OwnPiece(to, own));
        }
        if mv.is_promotion() {
            if kind.promoted().is_none() {
                return Err(IllegalMove::NoPromotion(from, kind));
            }
            if !from.in_promotion_zone(us) && !to.in_promotion_zone(us) {
                return Err(IllegalMove::OutsideZone(from, kind, to));
            }
        } else if is_dead_end(us, kind, to) {
            return Err(IllegalMove::DeadEnd(kind, to));
        }
        if self.is_king_safe_after(from, kind, to) { Ok(()) } else { Err(king_error()) }
    }

    fn blocks_check(&self, to: Square) -> bool {
        match (self.king(self.side_to_move), self.checkers().first()) {
            (Some(king), Some(checker)) => !self.checkers().many() && between(king, checker).contains(to),
            _ => true,
        }
    }
}

/// Whether a piece of a kind could never move again from a square (行き所のない駒).
pub(super) fn is_dead_end(color: Color, kind: PieceType, square: Square) -> bool {
    match kind {
        Pawn | Lance => square.relative_rank(color) == 0,
        Knight => square.relative_rank(color) <= 1,
        _ => false,
    }
}

/// What is left of a full set without the pieces of a position; `None` if there are too many.
pub(super) fn missing_pieces(position: &Position) -> Option<Hand> {
    let mut missing = Hand::EMPTY;
    for kind in PieceType::HAND {
        let mut count = position.by_type(kind).count();
        if let Some(promoted) = kind.promoted() {
            count += position.by_type(promoted).count();
        }
        count += Color::ALL.iter().map(|&color| position.hand(color).count(kind)).sum::<u32>();
        missing = missing.with(kind, u32::from(kind.count_in_set()).checked_sub(count)?);
    }
    Some(missing)
}
