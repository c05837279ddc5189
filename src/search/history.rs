//! What the search remembers of moves: how often they refuted a position.

use crate::types::{Color, Move, PieceType, Square};

/// No entry leaves ±LIMIT.
const LIMIT: i32 = 8192;
const ORIGINS: usize = Square::COUNT + PieceType::TABLE;

/// Butterfly history: by colour, origin (or dropped kind) and destination.
pub(super) struct History {
    butterfly: [[[i16; Square::COUNT]; ORIGINS]; 2],
}

fn origin(mv: Move) -> usize {
    match (mv.from(), mv.dropped()) {
        (Some(from), _) => from.index(),
        (None, kind) => Square::COUNT + kind.map_or(0, PieceType::index),
    }
}

impl History {
    pub(super) fn new() -> Box<Self> {
        Box::new(Self {
            butterfly: [[[0; Square::COUNT]; ORIGINS]; 2],
        })
    }

    pub(super) fn clear(&mut self) {
        *self = *Self::new();
    }

    #[inline(always)]
    pub(super) fn quiet(&self, color: Color, mv: Move) -> i32 {
        i32::from(self.butterfly[color.index()][origin(mv)][mv.to().index()])
    }

    /// Moves an entry towards the sign of `bonus`, the less the nearer to the limit it is (gravity; Stockfish).
    pub(super) fn update_quiet(&mut self, color: Color, mv: Move, bonus: i32) {
        let entry = &mut self.butterfly[color.index()][origin(mv)][mv.to().index()];
        let old = i32::from(*entry);
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        *entry = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }
}
