//! Setting up positions, and the rules that every position keeps.

use crate::bitboard::Bitboard;
use crate::types::{Color, Hand, Piece, PieceType, Square};

use super::legality::is_dead_end;
use super::{Position, Visits};

/// Which rule a position breaks: one sentence that names piece and square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// More pieces of a kind than a set has.
    #[error("there are {1} {name}s, but a set has only {count}", name = .0.name(), count = .0.count_in_set())]
    TooMany(PieceType, u32),
    /// Two kings of a colour.
    #[error("{0} has two kings, on {1} and {2}")]
    TwoKings(Color, Square, Square),
    /// No king at all.
    #[error("there is no king on the board")]
    NoKing,
    /// A piece that could never move.
    #[error("{0}'s {name} on {2} could never move (dead-end square)", name = .1.name())]
    DeadEnd(Color, PieceType, Square),
    /// 二歩
    #[error("{0} has two unpromoted pawns on one file, on {1} and {2} (two pawns, nifu)")]
    TwoPawns(Color, Square, Square),
    /// The king of the side that is not to move could be captured.
    #[error("{0} is to move, but {1}'s king on {2} is in check from {3}")]
    CanCaptureKing(Color, Color, Square, Square),
}

impl Position {
    /// Sets up a position. `board` is indexed by [`Square::index`], `hands` by [`Color::index`].
    ///
    /// # Errors
    /// The first rule that the position breaks. A missing king is allowed on one side: tsume problems have no king of
    /// the attacker.
    pub fn from_parts(
        board: &[Option<Piece>; Square::COUNT],
        hands: [Hand; 2],
        side_to_move: Color,
        move_number: u32,
    ) -> Result<Self, PositionError> {
        let mut position = Self {
            board: *board,
            by_color: [Bitboard::EMPTY; 2],
            by_type: [Bitboard::EMPTY; PieceType::TABLE],
            hands,
            kings: [None; 2],
            side_to_move,
            first_move_number: move_number,
            states: Vec::with_capacity(512),
            visits: Visits::new(),
        };
        for square in Square::all() {
            let Some(piece) = position.piece_on(square) else {
                continue;
            };
            position.toggle(piece, square);
            if piece.piece_type() == PieceType::King {
                let king = &mut position.kings[piece.color().index()];
                if let Some(other) = *king {
                    return Err(PositionError::TwoKings(piece.color(), other, square));
                }
                *king = Some(square);
            }
        }
        position.check_rules()?;
        let state = position.first_state();
        position.push(state);
        Ok(position)
    }

    fn check_rules(&self) -> Result<(), PositionError> {
        if self.kings == [None; 2] {
            return Err(PositionError::NoKing);
        }
        for kind in PieceType::HAND {
            let promoted = kind.promoted().map_or(0, |promoted| self.by_type(promoted).count());
            let in_hands: u32 = self.hands.iter().map(|hand| hand.count(kind)).sum();
            let count = self.by_type(kind).count() + promoted + in_hands;
            if count > u32::from(kind.count_in_set()) {
                return Err(PositionError::TooMany(kind, count));
            }
        }
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square)
                && is_dead_end(piece.color(), piece.piece_type(), square)
            {
                return Err(PositionError::DeadEnd(piece.color(), piece.piece_type(), square));
            }
        }
        for color in Color::ALL {
            for file in 0..9 {
                let mut pawns = self.pieces(color, PieceType::Pawn) & Bitboard::file(file);
                if let (Some(first), Some(second)) = (pawns.pop(), pawns.pop()) {
                    return Err(PositionError::TwoPawns(color, first, second));
                }
            }
        }
        let (us, them) = (self.side_to_move, !self.side_to_move);
        if let Some(king) = self.king(them)
            && let Some(attacker) = self.attackers_of(us, king, self.occupied()).first()
        {
            return Err(PositionError::CanCaptureKing(us, them, king, attacker));
        }
        Ok(())
    }
}
