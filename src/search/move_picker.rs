//! The order in which a node tries its moves: table move, captures by victim and attacker, killers, history.

use crate::position::{Generate, MoveList, Position, exchange_value};
use crate::types::{Move, PieceType};

use super::history::History;

/// Moves with their ranks; the best of the rest is picked one by one.
pub(super) struct MovePicker {
    moves: MoveList,
    ranks: Vec<i32>,
    next: usize,
}

const TABLE_MOVE: i32 = 1 << 30;
const CAPTURE: i32 = 1 << 20;
const KILLER: i32 = 1 << 18;

impl MovePicker {
    pub(super) fn new(
        position: &Position,
        kind: Generate,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        history: &History,
    ) -> Self {
        let mut moves = MoveList::new();
        position.generate(kind, &mut moves);
        let us = position.side_to_move();
        let rank = |mv: Move| {
            if Some(mv) == table_move {
                return TABLE_MOVE;
            }
            let mover = position
                .moved_piece(mv)
                .map_or(PieceType::Pawn, |piece| piece.piece_type());
            if let Some(victim) = position.piece_on(mv.to()) {
                let promotion = if mv.is_promotion() { 100 } else { 0 };
                return CAPTURE + 16 * exchange_value(victim.piece_type()) + promotion
                    - exchange_value(mover).min(2000);
            }
            if mv.is_promotion()
                && matches!(mover, PieceType::Pawn | PieceType::Bishop | PieceType::Rook)
            {
                return CAPTURE;
            }
            if killers.contains(&Some(mv)) {
                return KILLER;
            }
            history.quiet(us, mv)
        };
        let ranks = moves.iter().map(|&mv| rank(mv)).collect();
        Self {
            moves,
            ranks,
            next: 0,
        }
    }

    pub(super) fn next(&mut self) -> Option<Move> {
        let rest = &self.ranks[self.next..];
        let (best, _) = rest
            .iter()
            .enumerate()
            .max_by_key(|&(i, &rank)| (rank, usize::MAX - i))?;
        let best = self.next + best;
        self.ranks.swap(self.next, best);
        self.moves.swap(self.next, best);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }

    pub(super) fn count(&self) -> usize {
        self.moves.len()
    }
}
