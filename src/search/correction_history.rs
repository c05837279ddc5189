//! Correction history: how far the static evaluation was off in positions that share a feature (Stockfish; the idea is
//! Caissa's).

use crate::platform::memory::prefetch;
use crate::position::Position;
use crate::types::{Color, Score};

use super::history::{PIECE_TO, update_entry};
use super::keys::Keys;
use super::params as p;
use super::sparse_table::SparseTable;

/// A correction of one centipawn, see [`CorrectionHistory::get`].
pub(super) const CORRECTION_UNIT: i32 = 131_072;

/// Entries of each table and colour.
const ENTRIES: usize = 1 << 16;

/// The correction tables of one worker, zeros at first.
pub(super) struct CorrectionHistory {
    pawns: Box<[i16]>,
    minor: Box<[i16]>,
    /// By the colour of the pieces.
    pieces: [Box<[i16]>; 2],
    /// By the move two or four plies back: by the last move.
    moves: SparseTable<PIECE_TO, 0>,
}

impl CorrectionHistory {
    pub(super) fn new() -> Self {
        let table = || vec![0; 2 * ENTRIES].into_boxed_slice();
        Self { pawns: table(), minor: table(), pieces: [table(), table()], moves: SparseTable::new(PIECE_TO) }
    }

    pub(super) fn clear(&mut self) {
        let [black, white] = &mut self.pieces;
        for table in [&mut self.pawns, &mut self.minor, black, white] {
            table.fill(0);
        }
        self.moves.clear();
    }

    #[inline]
    fn index(us: Color, key: u64) -> usize {
        us.index() * ENTRIES + (key as usize & (ENTRIES - 1))
    }

    /// Asks the processor to fetch what [`get`](Self::get) will read soon.
    #[inline]
    pub(super) fn prefetch(&self, position: &Position, keys: &Keys, last: usize, earlier: [usize; 2]) {
        let us = position.side_to_move();
        let fetch = |table: &[i16], key: u64| prefetch(&raw const table[Self::index(us, key)]);
        fetch(&self.pawns, keys.pawns);
        fetch(&self.minor, keys.minor);
        for color in Color::ALL {
            fetch(&self.pieces[color.index()], keys.pieces(color));
        }
        for before in earlier {
            self.moves.prefetch(before, last);
        }
    }

    /// The expected error of the static evaluation, a centipawn being [`CORRECTION_UNIT`]. `last` is the last move,
    /// `earlier` those two and four plies back, as pieces on squares, 0 where there is none.
    pub(super) fn get(&self, position: &Position, keys: &Keys, last: usize, earlier: [usize; 2]) -> i32 {
        let us = position.side_to_move();
        let at = |table: &[i16], key: u64| i32::from(table[Self::index(us, key)]);
        let pieces = at(&self.pieces[0], keys.pieces(Color::Black)) + at(&self.pieces[1], keys.pieces(Color::White));
        // Where no move was made nothing is ever recorded.
        let moves: i32 = earlier.into_iter().map(|before| self.moves.get(before, last)).sum();
        p::correction_pawn() * at(&self.pawns, keys.pawns)
            + p::correction_minor() * at(&self.minor, keys.minor)
            + p::correction_pieces() * pieces
            + p::correction_moves() * moves
    }

    /// Records that the static evaluation was off by something like `error`.
    pub(super) fn update(&mut self, position: &Position, keys: &Keys, last: usize, earlier: [usize; 2], error: i32) {
        let us = position.side_to_move();
        let limit = p::correction_limit();
        let error = error.clamp(-limit / 4, limit / 4);
        let update = |table: &mut [i16], key: u64, weight: i32| {
            update_entry(&mut table[Self::index(us, key)], error * weight / 128, limit);
        };
        update(&mut self.pawns, keys.pawns, p::correction_learn_pawn());
        update(&mut self.minor, keys.minor, p::correction_learn_minor());
        for color in Color::ALL {
            update(&mut self.pieces[color.index()], keys.pieces(color), p::correction_learn_pieces());
        }
        for (before, weight) in earlier.into_iter().zip([p::correction_learn_moves(), p::correction_learn_earlier()]) {
            if last != 0 && before != 0 {
                self.moves.update(before, last, error * weight / 128, limit);
            }
        }
    }
}

/// A static evaluation with the correction applied, kept clear of the mate scores.
#[inline]
pub(super) fn corrected(eval: Score, correction: i32) -> Score {
    (eval + correction / CORRECTION_UNIT).clamp_eval()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_seen_again_and_again_is_corrected_and_forgotten_with_the_rest() {
        let mut history = CorrectionHistory::new();
        let position = Position::startpos();
        let keys = Keys::of(&position);
        assert_eq!(history.get(&position, &keys, 5, [7, 9]), 0);
        let mut before = 0;
        for _ in 0..20 {
            history.update(&position, &keys, 5, [7, 9], 200);
            let now = history.get(&position, &keys, 5, [7, 9]);
            assert!(now > before);
            before = now;
        }
        assert!(history.get(&position, &keys, 0, [0, 0]) < before, "the last moves have a share");
        assert_eq!(corrected(Score(-30), before), Score(-30 + before / CORRECTION_UNIT));
        assert_eq!(corrected(Score::MAX_EVAL, before), Score::MAX_EVAL);
        history.clear();
        assert_eq!(history.get(&position, &keys, 5, [7, 9]), 0);
    }

    #[test]
    fn nothing_is_learnt_of_moves_that_were_not_made() {
        let mut history = CorrectionHistory::new();
        let position = Position::startpos();
        let keys = Keys::of(&position);
        history.update(&position, &keys, 0, [7, 9], 200);
        history.update(&position, &keys, 5, [0, 0], 200);
        let known = history.get(&position, &keys, 3, [4, 6]);
        assert!(known > 0);
        assert_eq!(history.get(&position, &keys, 0, [7, 9]), known);
        assert_eq!(history.get(&position, &keys, 5, [0, 0]), known);
    }
}
