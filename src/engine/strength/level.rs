//! What makes a level.

use crate::types::Depth;

/// The part of taste, error and temperature that is put aside in the opening.
const CALM: f64 = 0.9;

/// The numbers of a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Nodes that it looks at.
    pub nodes: f64,
    /// Plies that it looks ahead with all moves; 0: as far as its nodes reach, by the engine's own search.
    pub depth: Depth,
    /// Plies of captures beyond them.
    pub captures: Depth,
    /// The part of its judgement that is by hand-crafted rules, 0 to 1; the rest is the network's.
    pub simplicity: f64,
    /// Spread of its taste for squares, in centipawns.
    pub taste: f64,
    /// How much it plays by a plan, 0 to 1.
    pub plan: f64,
    /// Spread of its error about single positions, in centipawns.
    pub error: f64,
    /// How likely it does not see a quiet answer of the opponent, nor a chance of its own that it has left before.
    pub oversight: f64,
    /// By how much of a win, in an even game, a move may seem worse and be played a third as often as the best.
    pub temperature: f64,
    /// Plies of the mates that it sees whatever else it sees.
    pub mate: usize,
}

impl Level {
    /// Whether it looks with the engine's own search.
    pub fn is_strong(&self) -> bool {
        self.depth == 0
    }

    /// The level where so much of the opening is left, 1 to 0: weak players know how to begin a game, and err when the
    /// pieces meet.
    pub(super) fn calmed(self, opening: f64) -> Self {
        let rest = 1.0 - CALM * opening;
        Self { taste: self.taste * rest, error: self.error * rest, temperature: self.temperature * rest, ..self }
    }
}
