//! Mate in one, exactly.
//!
//! Whether a check mates is decided from the board as it will be, without making the move: where the king can go, what
//! can capture the checker, what can be interposed.

use crate::bitboard::{Bitboard, attacks, between, king_attacks, line};
use crate::position::{CheckInfo, MoveList, Position};
use crate::types::{Color, Move, Piece, PieceType, Square};

/// A move that mates at once, if there is one; `info` must be of this position. The side to move may be in check, and
/// may have no king; if the opponent has none there is no mate.
pub fn one_ply(pos: &Position, info: &CheckInfo) -> Option<Move> {
    let (flights, along_lines) = flights_and_lines(pos);
    let mut checks = MoveList::new();
    pos.generate_mating_checks(info, flights, along_lines, &mut checks);
    without_escape(pos, &checks, flights).find(|&mv| mates(pos, mv))
}

/// The escape squares of the king that is not to move, if it were its turn now.
pub(super) fn flights(pos: &Position) -> Bitboard {
    flights_and_lines(pos).0
}

/// [`flights`], and what sliders attack along lines near the king.
#[inline]
fn flights_and_lines(pos: &Position) -> (Bitboard, Bitboard) {
    let us = pos.side_to_move();
    let Some(king) = pos.king(!us) else {
        return (Bitboard::EMPTY, Bitboard::EMPTY);
    };
    let neighbours = king_attacks(king) & !pos.by_color(!us);
    let (attacked, along_lines) = pos.attacked_around(us, king);
    (neighbours & !attacked, along_lines)
}

/// The first of some checks that mates.
pub(super) fn find(pos: &Position, checks: &[Move]) -> Option<Move> {
    if checks.is_empty() {
        return None;
    }
    without_escape(pos, checks, flights(pos)).find(|&mv| mates(pos, mv))
}

/// Those of some checks that leave the king none of `flights`, its escape squares now.
#[inline]
fn without_escape(pos: &Position, checks: &[Move], flights: Bitboard) -> impl Iterator<Item = Move> {
    let us = pos.side_to_move();
    let without_king = pos.occupied() ^ pos.king(!us).map_or(Bitboard::EMPTY, Bitboard::from_square);
    checks.iter().copied().filter(move |&mv| {
        // An escape square stays one unless the moved piece attacks it from its new square, or has opened the line of
        // a slider. (The destination of a move on the board is no escape square now: the piece attacks it.)
        let Some(piece) = pos.placed_piece(mv) else {
            return false;
        };
        let occupied = without_king | Bitboard::from_square(mv.to());
        let covered = match mv.from() {
            None => attacks(piece, mv.to(), occupied),
            Some(from) => {
                let occupied = occupied & !Bitboard::from_square(from);
                let sliders = pos.snipers(us, from).iter();
                sliders.fold(attacks(piece, mv.to(), occupied), |covered, slider| covered | line(slider, from))
            }
        };
        (flights & !covered).is_empty()
    })
}

/// The board after a move, as far as the opponent's evasions need it.
struct AfterMove<'a> {
    pos: &'a Position,
    us: Color,
    king: Square,
    to: Square,
    placed: Piece,
    occupied: Bitboard,
    /// The squares whose pieces have left or were replaced: origin and destination.
    stale: Bitboard,
}

impl AfterMove<'_> {
    /// The mover's pieces that attack a square, except the one that moved.
    #[inline]
    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.pos.attackers_of(self.us, square, occupied) & !self.stale
    }

    /// Whether the king is attacked by another piece than the one on `checker`.
    #[inline]
    fn exposed(&self, checker: Square, occupied: Bitboard) -> bool {
        (self.attackers(self.king, occupied) & !Bitboard::from_square(checker)).any()
            || self.to != checker && attacks(self.placed, self.to, occupied).contains(self.king)
    }

    /// Whether the king itself can move out of check.
    #[inline]
    fn king_escapes(&self) -> bool {
        let theirs = self.pos.by_color(!self.us) & !Bitboard::from_square(self.to);
        let without_king = self.occupied ^ Bitboard::from_square(self.king);
        let others = self.pos.by_color(self.us) & !self.stale;
        let covered = attacks(self.placed, self.to, without_king);
        (king_attacks(self.king) & !theirs & !covered)
            .iter()
            .any(|square| !self.pos.is_attacked_by_some(others, self.us, square, without_king))
    }

    /// Whether a piece other than the king can go to a square on which it captures or blocks `checker`.
    #[inline]
    fn reachable(&self, square: Square, checker: Square) -> bool {
        let theirs = self.pos.attackers_of(!self.us, square, self.occupied)
            & !Bitboard::from_square(self.king)
            & !Bitboard::from_square(self.to);
        theirs.iter().any(|from| {
            let occupied = (self.occupied ^ Bitboard::from_square(from)) | Bitboard::from_square(square);
            !self.exposed(checker, occupied)
        })
    }

    /// Whether a piece can be dropped between the checker and the king.
    fn droppable(&self, between: Bitboard, mv: Move) -> bool {
        let them = !self.us;
        let hand = self.pos.hand(them);
        if hand.is_empty() {
            return false;
        }
        if [PieceType::Silver, PieceType::Gold, PieceType::Bishop, PieceType::Rook]
            .into_iter()
            .any(|kind| hand.has(kind))
        {
            return true;
        }
        let beyond = |ranks: u8| between.iter().any(|square| square.relative_rank(them) >= ranks);
        if hand.has(PieceType::Lance) && beyond(1) || hand.has(PieceType::Knight) && beyond(2) {
            return true;
        }
        if !hand.has(PieceType::Pawn) {
            return false;
        }
        let pawns = self.pos.pieces(them, PieceType::Pawn) & !Bitboard::from_square(self.to);
        let own_king = self.pos.king(self.us);
        between.iter().any(|square| {
            if square.relative_rank(them) == 0 || (pawns & Bitboard::file(square.file())).any() {
                return false;
            }
            let pawn = Piece::new(them, PieceType::Pawn);
            if own_king.is_some_and(|king| attacks(pawn, square, self.occupied).contains(king)) {
                // The interposed pawn gives check: it must not mate. Rare, so the moves are made.
                let mut pos = self.pos.clone();
                pos.do_move(mv);
                return pos.is_legal(Move::drop(PieceType::Pawn, square));
            }
            true
        })
    }
}

/// The board after a legal move that gives check, the checker, and the squares between it and the king; `None` if the
/// king can escape, or the checker can be captured. Of two checkers neither can be captured or interposed against.
#[inline]
fn confined(pos: &Position, mv: Move) -> Option<(AfterMove<'_>, Square, Bitboard)> {
    let us = pos.side_to_move();
    let king = pos.king(!us)?;
    let to = mv.to();
    let moved = match mv.dropped() {
        Some(kind) => Piece::new(us, kind),
        None => pos.piece_on(mv.from()?)?,
    };
    let placed = if mv.is_promotion() { moved.promoted().unwrap_or(moved) } else { moved };
    let origin = mv.from().map_or(Bitboard::EMPTY, Bitboard::from_square);
    let target = Bitboard::from_square(to);
    let occupied = (pos.occupied() & !origin) | target;
    let after = AfterMove { pos, us, king, to, placed, occupied, stale: origin | target };
    if after.king_escapes() {
        return None;
    }
    let mut checkers = after.attackers(king, occupied);
    if attacks(placed, to, occupied).contains(king) {
        checkers |= target;
    }
    let checker = checkers.first()?;
    if checkers.many() {
        return Some((after, checker, Bitboard::EMPTY));
    }
    if after.reachable(checker, checker) {
        return None;
    }
    Some((after, checker, between(king, checker)))
}

/// Whether a legal move that gives check mates.
#[inline]
pub(super) fn mates(pos: &Position, mv: Move) -> bool {
    confined(pos, mv).is_some_and(|(after, checker, between)| {
        between.is_empty()
            || !after.droppable(between, mv) && !between.iter().any(|square| after.reachable(square, checker))
    })
}

/// Those of some checks after which the defender has at most interpositions.
pub(super) fn answered_by_interpositions(pos: &Position, checks: &[Move]) -> Vec<Move> {
    let open = |mv| confined(pos, mv).is_some_and(|(_, _, between)| between.any());
    without_escape(pos, checks, flights(pos)).filter(|&mv| open(mv)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::moves;
    use super::*;
    use crate::platform::random::Random;

    /// What `mates` says, by making the move.
    fn mates_by_playing(pos: &Position, mv: Move) -> bool {
        let mut pos = pos.clone();
        pos.do_move(mv);
        pos.in_check() && !pos.has_legal_move()
    }

    /// What `flights` says, one square at a time.
    fn flights_one_by_one(pos: &Position) -> Bitboard {
        let us = pos.side_to_move();
        let Some(king) = pos.king(!us) else {
            return Bitboard::EMPTY;
        };
        let without_king = pos.occupied() ^ Bitboard::from_square(king);
        (king_attacks(king) & !pos.by_color(!us))
            .iter()
            .filter(|&square| !pos.is_attacked_by(us, square, without_king))
            .collect()
    }

    #[test]
    fn every_check_of_many_random_positions_is_judged_as_by_playing_it() {
        let mut random = Random::new(11);
        let (mut judged, mut mating) = (0, 0);
        for start in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
            "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
            "8k/6+R2/9/9/9/9/9/9/9 b RB2G2S2N2L9Pb2g2s2n2l9p 1",
        ] {
            for _ in 0..40 {
                let mut pos = Position::from_sfen(start).unwrap();
                pos.play_out(120, &mut random, |pos| {
                    let checks = moves::attacks(pos);
                    let info = CheckInfo::new(pos);
                    let first = checks.iter().copied().find(|&mv| mates_by_playing(pos, mv));
                    assert_eq!(one_ply(pos, &info), first, "{}", pos.to_sfen());
                    assert_eq!(flights(pos), flights_one_by_one(pos), "{}", pos.to_sfen());
                    for &mv in checks.iter() {
                        assert_eq!(mates(pos, mv), mates_by_playing(pos, mv), "{} {mv}", pos.to_sfen());
                        judged += 1;
                        mating += u32::from(mates(pos, mv));
                    }
                });
            }
        }
        assert!(judged > 10_000 && mating > 100, "{judged} {mating}");
    }

    #[test]
    fn a_pinned_defender_cannot_take() {
        // The gold on 5b is pinned by the lance on 5d: it cannot capture a gold dropped on 4b.
        let pinned = Position::from_sfen("3sk1n2/3pg4/5P3/4L4/9/9/9/9/9 b G2r2b2g3s3n3l16p 1").unwrap();
        assert!(mates(&pinned, "G*4b".parse().unwrap()));
        let free = Position::from_sfen("3sksn2/4g4/4P4/4L4/9/9/9/9/9 b G2r2b2g2s3n3l17p 1").unwrap();
        for pos in [pinned, free] {
            for &mv in moves::attacks(&pos).iter() {
                assert_eq!(mates(&pos, mv), mates_by_playing(&pos, mv), "{mv}");
            }
        }
    }
}
