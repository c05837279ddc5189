//! Move histories: how often moves have turned out well.
//!
//! An entry moves towards the sign of a bonus, the less the nearer it is to its limit (Stockfish's "gravity"), so it is
//! an average in which recent results weigh most. Most tables begin below zero: a move is taken for a bad one until it
//! has proved itself.

use crate::position::Position;
use crate::types::{Color, Move, Piece, PieceType, Square};

use super::keys::Keys;
use super::params as p;
use super::sparse_table::{SparseTable, adjusted};

/// Origins of moves: squares, then piece types dropped.
const ORIGINS: usize = Square::COUNT + 8;
/// Moves by origin and destination.
const BUTTERFLY: usize = ORIGINS * Square::COUNT;
/// Pieces on squares: a table for 32 pieces, so that the index needs no arithmetic on colours.
pub(super) const PIECE_TO: usize = 32 * Square::COUNT;
/// Rows of pawn history; pawn structures share them by the low bits of their key.
const PAWN_STRUCTURES: usize = 2048;
/// Plies from the root that have a history of their own.
pub(super) const LOW_PLIES: usize = 5;

/// The piece that a move puts on a square: an index below [`PIECE_TO`].
#[inline]
pub(super) fn piece_to(position: &Position, mv: Move) -> usize {
    let piece = position.placed_piece(mv).map_or(0, Piece::index);
    piece * Square::COUNT + mv.to().index()
}

/// The origin and destination of a move: an index below [`BUTTERFLY`].
#[inline]
pub(super) fn butterfly(mv: Move) -> usize {
    let origin = match (mv.from(), mv.dropped()) {
        (Some(from), _) => from.index() * Square::COUNT,
        (None, Some(kind)) => drop_butterfly(kind),
        (None, None) => Square::COUNT * Square::COUNT,
    };
    origin + mv.to().index()
}

/// The index of a piece type's drop on the first square; those on the other squares follow.
#[inline]
pub(super) fn drop_butterfly(kind: PieceType) -> usize {
    (Square::COUNT + kind.index()) * Square::COUNT
}

/// First values of the tables that do not begin at zero (Stockfish's and YaneuraOu's, 2026).
const LOW_PLY_INITIAL: i16 = 98;
const CAPTURE_INITIAL: i16 = -678;
pub(super) const CONTINUATION_INITIAL: i16 = -523;
pub(super) const PAWN_INITIAL: i16 = -1238;

/// Moves an entry towards a bonus, see [`adjusted`].
#[inline]
pub(super) fn update_entry(entry: &mut i16, bonus: i32, limit: i32) {
    *entry = adjusted(i32::from(*entry), bonus, limit) as i16;
}

/// The rows of continuation history that belong to the moves 1 to 6 plies back; 0 where no move was made.
pub(super) type ContinuationIndices = [usize; 6];

/// The move histories of one worker.
pub(super) struct History {
    /// By colour, origin and destination.
    butterfly: Box<[i16]>,
    /// By ply near the root, origin and destination.
    low_ply: Box<[i16]>,
    /// By piece, destination and captured piece type.
    capture: Box<[i16]>,
    /// By an earlier move (in check or not, capture or not, piece, destination): by piece and destination.
    continuation: SparseTable<PIECE_TO, CONTINUATION_INITIAL>,
    /// By pawn structure: by piece and destination.
    pawn: SparseTable<PIECE_TO, PAWN_INITIAL>,
}

fn filled(initial: i16, len: usize) -> Box<[i16]> {
    vec![initial; len].into_boxed_slice()
}

impl History {
    pub(super) fn new() -> Self {
        Self {
            butterfly: filled(0, 2 * BUTTERFLY),
            low_ply: filled(LOW_PLY_INITIAL, LOW_PLIES * BUTTERFLY),
            capture: filled(CAPTURE_INITIAL, PIECE_TO * PieceType::TABLE),
            continuation: SparseTable::new(4 * PIECE_TO),
            pawn: SparseTable::new(PAWN_STRUCTURES),
        }
    }

    pub(super) fn clear(&mut self) {
        self.butterfly.fill(0);
        self.low_ply.fill(LOW_PLY_INITIAL);
        self.capture.fill(CAPTURE_INITIAL);
        self.continuation.clear();
        self.pawn.clear();
    }

    /// Low-ply history is about the plies below one root; another root starts it afresh.
    pub(super) fn new_search(&mut self) {
        self.low_ply.fill(LOW_PLY_INITIAL);
    }

    /// The row of continuation history of a move, by whether its side was in check and whether it is a capture.
    #[inline]
    pub(super) fn row(in_check: bool, capture: bool, piece_to: usize) -> usize {
        (usize::from(in_check) * 2 + usize::from(capture)) * PIECE_TO + piece_to
    }

    #[inline]
    pub(super) fn butterfly(&self, us: Color, mv: Move) -> i32 {
        i32::from(self.butterfly[us.index() * BUTTERFLY + butterfly(mv)])
    }

    /// Butterfly history of one side's moves.
    #[inline]
    pub(super) fn butterfly_table(&self, us: Color) -> &[i16] {
        &self.butterfly[us.index() * BUTTERFLY..][..BUTTERFLY]
    }

    /// Low-ply history of one ply.
    #[inline]
    pub(super) fn low_ply_table(&self, ply: usize) -> &[i16] {
        &self.low_ply[ply * BUTTERFLY..][..BUTTERFLY]
    }

    /// A row of continuation history, less the entries' first value.
    #[inline]
    pub(super) fn continuation_table(&self, row: usize) -> &[i16; PIECE_TO] {
        self.continuation.row(row)
    }

    /// Pawn history of one pawn structure, less the entries' first value.
    #[inline]
    pub(super) fn pawn_table(&self, keys: &Keys) -> &[i16; PIECE_TO] {
        self.pawn.row(Self::pawn_row(keys))
    }

    #[inline]
    fn capture_index(piece_to: usize, captured: Option<Piece>) -> usize {
        let captured = captured.map_or(0, |piece| piece.piece_type().index());
        piece_to * PieceType::TABLE + captured
    }

    #[inline]
    pub(super) fn capture(&self, position: &Position, mv: Move) -> i32 {
        let captured = position.piece_on(mv.to());
        i32::from(self.capture[Self::capture_index(piece_to(position, mv), captured)])
    }

    #[inline]
    pub(super) fn continuation(&self, row: usize, piece_to: usize) -> i32 {
        self.continuation.get(row, piece_to)
    }

    #[inline]
    fn pawn_row(keys: &Keys) -> usize {
        keys.pawns as usize & (PAWN_STRUCTURES - 1)
    }

    #[inline]
    pub(super) fn pawn(&self, keys: &Keys, piece_to: usize) -> i32 {
        self.pawn.get(Self::pawn_row(keys), piece_to)
    }

    pub(super) fn update_butterfly(&mut self, us: Color, mv: Move, bonus: i32) {
        let entry = &mut self.butterfly[us.index() * BUTTERFLY + butterfly(mv)];
        update_entry(entry, bonus, p::butterfly_limit());
    }

    pub(super) fn update_pawn(&mut self, keys: &Keys, piece_to: usize, bonus: i32) {
        self.pawn.update(Self::pawn_row(keys), piece_to, bonus, p::pawn_limit());
    }

    pub(super) fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        let captured = position.piece_on(mv.to());
        self.update_capture_made(piece_to(position, mv), captured, bonus);
    }

    /// Updates the history of a capture that has been made: the piece on its destination, and what it took.
    pub(super) fn update_capture_made(&mut self, piece_to: usize, captured: Option<Piece>, bonus: i32) {
        let entry = &mut self.capture[Self::capture_index(piece_to, captured)];
        update_entry(entry, bonus, p::capture_limit());
    }

    /// Updates continuation history for a piece on a square after the moves of `rows`. In check only the last two moves
    /// count.
    pub(super) fn update_continuation(
        &mut self,
        rows: &ContinuationIndices,
        in_check: bool,
        piece_to: usize,
        bonus: i32,
    ) {
        let weights = [
            p::continuation_weight_1(),
            p::continuation_weight_2(),
            p::continuation_weight_3(),
            p::continuation_weight_4(),
            p::continuation_weight_5(),
            p::continuation_weight_6(),
        ];
        let count = if in_check { 2 } else { rows.len() };
        for (back, (&row, weight)) in rows.iter().zip(weights).enumerate().take(count) {
            if row == 0 {
                continue;
            }
            let nearest = if back == 0 { p::continuation_nearest() } else { 0 };
            self.continuation.update(row, piece_to, bonus * weight / 1024 + nearest, p::continuation_limit());
        }
    }

    /// Updates all tables of quiet moves.
    #[expect(
        clippy::too_many_arguments,
        reason = "the node's context of one move; a struct for it would have one user"
    )]
    pub(super) fn update_quiet(
        &mut self,
        position: &Position,
        keys: &Keys,
        rows: &ContinuationIndices,
        in_check: bool,
        ply: usize,
        mv: Move,
        bonus: i32,
    ) {
        let piece_to = piece_to(position, mv);
        self.update_butterfly(position.side_to_move(), mv, bonus);
        if ply < LOW_PLIES {
            let entry = &mut self.low_ply[ply * BUTTERFLY + butterfly(mv)];
            update_entry(entry, bonus * p::quiet_low_ply_weight() / 1024, p::butterfly_limit());
        }
        self.update_continuation(rows, in_check, piece_to, bonus * p::quiet_continuation_weight() / 1024);
        let weight = if bonus > 0 { p::quiet_pawn_bonus_weight() } else { p::quiet_pawn_malus_weight() };
        self.update_pawn(keys, piece_to, bonus * weight / 1024);
    }
}

/// The bonus of a move that proved best at a depth.
#[inline]
pub(super) fn bonus(depth: i32) -> i32 {
    (p::bonus_slope() * depth - p::bonus_offset()).min(p::bonus_limit())
}

/// The malus of the moves tried before it.
#[inline]
pub(super) fn malus(depth: i32) -> i32 {
    (p::malus_slope() * depth - p::malus_offset()).min(p::malus_limit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_within_their_limits_and_follow_the_bonus() {
        let mut entry = 0;
        for _ in 0..1000 {
            update_entry(&mut entry, 3000, 7200);
            assert!((1..=7200).contains(&entry));
        }
        update_entry(&mut entry, -3000, 7200);
        assert!(entry < 4300);
        update_entry(&mut entry, i32::MIN / 2, 7200);
        assert_eq!(entry, -7200);
    }

    #[test]
    fn moves_have_indices_of_their_own() {
        let position = Position::startpos();
        let mut seen = std::collections::HashSet::new();
        for &mv in position.legal_moves().iter() {
            assert!(seen.insert(butterfly(mv)));
            assert!(butterfly(mv) < BUTTERFLY && piece_to(&position, mv) < PIECE_TO);
        }
        assert!(butterfly("R*9i".parse().unwrap()) < BUTTERFLY);
    }
}
