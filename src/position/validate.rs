//! Setting up positions, and the rules that every position keeps.

use crate::bitboard::Bitboard;
use crate::types::{Color, Hand, PieceType, Square};

use super::legality::is_dead_end;
use super::{Board, Position, PositionError, Visits};

impl Position {
    /// Sets up a position.
    ///
    /// # Errors
    /// The first rule that the position breaks. A missing king is allowed on one side: tsume problems have no king of
    /// the attacker.
    pub fn from_board(board: &Board, move_number: u32) -> Result<Self, PositionError> {
        let mut hands = [Hand::EMPTY; 2];
        for color in Color::ALL {
            for (kind, count) in board.held(color) {
                if count > kind.count_in_set() {
                    return Err(PositionError::TooMany(kind, count.into()));
                }
                hands[color.index()] = hands[color.index()].with(kind, count.into());
            }
        }
        let mut position = Self {
            board: std::array::from_fn(|square| Square::from_index(square).and_then(|square| board.piece_on(square))),
            by_color: [Bitboard::EMPTY; 2],
            by_type: [Bitboard::EMPTY; PieceType::TABLE],
            hands,
            kings: [None; 2],
            side_to_move: board.side_to_move(),
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
