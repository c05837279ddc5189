//! Random moves: for varied openings, and for tests that want many positions.

use crate::platform::random::Random;
use crate::types::Move;

use super::Position;

impl Position {
    /// One of the legal moves, each as likely; `None` where there is none.
    pub fn random_move(&self, random: &mut Random) -> Option<Move> {
        let moves = self.legal_moves();
        (!moves.is_empty()).then(|| moves[random.below(moves.len())])
    }

    /// Makes random moves until there are so many or the game is over; returns them. `visit` sees every position, the
    /// first and the last one too.
    pub fn play_out(&mut self, plies: usize, random: &mut Random, mut visit: impl FnMut(&mut Self)) -> Vec<Move> {
        let mut made = Vec::new();
        visit(self);
        while made.len() < plies
            && let Some(mv) = self.random_move(random)
        {
            self.do_move(mv);
            made.push(mv);
            visit(self);
        }
        made
    }
}
