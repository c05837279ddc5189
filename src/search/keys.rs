//! Keys of parts of a position, for histories of positions that share such a part.

use crate::platform::random::Random;
use crate::position::{Change, Observer, Position};
use crate::types::{Color, Piece, PieceType, Square};

use PieceType::*;

/// Zobrist keys of parts of the board.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(super) struct Keys {
    /// Pawns of both colours.
    pub(super) pawns: u64,
    /// Kings and minor pieces (lance to gold, promoted ones too) of both colours: castles and what attacks them.
    pub(super) minor: u64,
    /// Everything but pawns, by colour.
    pub(super) pieces: [u64; 2],
}

/// Random numbers by piece and square.
static NUMBERS: [u64; Piece::TABLE * Square::COUNT] = Random::table(0x6861_6761_6e65_2d6b);

/// By piece: all ones for the keys that it is a part of, zeros for the others. Branches on the kind of piece would often
/// be predicted wrongly.
static MASKS: [Keys; Piece::TABLE] = {
    let mut table = [Keys::NONE; Piece::TABLE];
    let mut color = 0;
    while color < 2 {
        let mut i = 0;
        while i < PieceType::ALL.len() {
            let kind = PieceType::ALL[i];
            let part = &mut table[Piece::new(Color::ALL[color], kind).index()];
            if matches!(kind, Pawn) {
                part.pawns = u64::MAX;
            } else {
                part.pieces[color] = u64::MAX;
                if !matches!(kind, Bishop | Rook | Horse | Dragon) {
                    part.minor = u64::MAX;
                }
            }
            i += 1;
        }
        color += 1;
    }
    table
};

impl Keys {
    const NONE: Self = Self { pawns: 0, minor: 0, pieces: [0; 2] };

    pub(super) fn of(position: &Position) -> Self {
        let mut keys = Self::default();
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                keys.toggle(piece, square);
            }
        }
        keys
    }

    /// Adds a piece on a square, or takes it away.
    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let number = NUMBERS[piece.index() * Square::COUNT + square.index()];
        let masks = &MASKS[piece.index()];
        self.pawns ^= number & masks.pawns;
        self.minor ^= number & masks.minor;
        for (key, mask) in self.pieces.iter_mut().zip(masks.pieces) {
            *key ^= number & mask;
        }
    }

    /// The keys after a move.
    #[inline]
    pub(super) fn after(mut self, change: &Change) -> Self {
        if let Some(from) = change.from {
            self.toggle(change.moved, from);
        }
        if let Some(captured) = change.captured {
            self.toggle(captured, change.to);
        }
        self.toggle(change.placed, change.to);
        self
    }

    /// The key of one colour's pieces.
    #[inline]
    pub(super) fn pieces(&self, color: Color) -> u64 {
        self.pieces[color.index()]
    }
}

/// The keys of every position on the current line, the newest last.
#[derive(Default)]
pub(super) struct KeyStack(Vec<Keys>);

impl KeyStack {
    pub(super) fn reset(&mut self, position: &Position) {
        self.0.clear();
        self.0.push(Keys::of(position));
    }

    /// The keys of the position.
    #[inline]
    pub(super) fn current(&self) -> &Keys {
        self.0.last().unwrap_or(&Keys::NONE)
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.0.pop();
    }
}

impl Observer for KeyStack {
    #[inline]
    fn moved(&mut self, change: &Change) {
        let keys = self.current().after(change);
        self.0.push(keys);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_followed_are_keys_computed() {
        let mut position = Position::startpos();
        let mut stack = KeyStack::default();
        stack.reset(&position);
        let mut random = Random::new(7);
        for _ in 0..400 {
            let Some(mv) = position.random_move(&mut random) else {
                break;
            };
            position.do_move_observed(mv, &mut stack);
            assert_eq!(*stack.current(), Keys::of(&position));
        }
        stack.pop();
        position.undo_move();
        assert_eq!(*stack.current(), Keys::of(&position));
    }

    #[test]
    fn a_piece_changes_the_keys_of_its_parts() {
        let changes = |color: Color, kind: PieceType| {
            let mut keys = Keys::NONE;
            keys.toggle(Piece::new(color, kind), Square::new(4, 4));
            [keys.pawns, keys.minor, keys.pieces(Color::Black), keys.pieces(Color::White)].map(|key| key != 0)
        };
        assert_eq!(changes(Color::Black, Pawn), [true, false, false, false]);
        assert_eq!(changes(Color::White, ProPawn), [false, true, false, true]);
        assert_eq!(changes(Color::Black, King), [false, true, true, false]);
        for kind in [Bishop, Rook, Horse, Dragon] {
            assert_eq!(changes(Color::White, kind), [false, false, false, true]);
        }
        for kind in [Lance, Knight, Silver, Gold] {
            assert_eq!(changes(Color::Black, kind), [false, true, true, false]);
        }
    }
}
