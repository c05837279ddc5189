//! What a worker remembers of moves and evaluations, and how it learns.
//!
//! Every entry moves towards the sign of a bonus, the less the nearer it is to its limit ("gravity", Stockfish): an
//! average in which the recent weighs most. The tables are zeros at first.

use crate::platform::memory::prefetch;
use crate::position::Position;
use crate::types::{Color, Move, Piece, PieceType, Score, Square};

use super::keys::Keys;
use super::params as p;
use super::sparse_table::SparseTable;

/// Origins of moves: squares, then kinds dropped.
const ORIGINS: usize = Square::COUNT + 8;
/// Moves by origin and destination.
const BUTTERFLY: usize = ORIGINS * Square::COUNT;
/// Pieces on squares: 32 pieces, so that the index needs no arithmetic on colours.
pub(super) const PIECE_TO: usize = 32 * Square::COUNT;
/// Pawn structures that are told apart.
const PAWN_STRUCTURES: usize = 1024;
/// Plies from the root that have a history of their own.
pub(super) const LOW_PLIES: usize = 5;
/// Entries of each correction table and colour.
const CORRECTIONS: usize = 1 << 14;

/// A piece and where it went: an index below [`PIECE_TO`].
#[inline(always)]
pub(super) fn piece_to(position: &Position, mv: Move) -> usize {
    let piece = position.placed_piece(mv).map_or(0, Piece::index);
    piece * Square::COUNT + mv.to().index()
}

/// A move by origin and destination: an index below `BUTTERFLY`.
#[inline(always)]
pub(super) fn butterfly(mv: Move) -> usize {
    let origin = match (mv.from(), mv.dropped()) {
        (Some(from), _) => from.index() * Square::COUNT,
        (None, Some(kind)) => drop_butterfly(kind),
        (None, None) => Square::COUNT * Square::COUNT,
    };
    origin + mv.to().index()
}

/// The index of a kind's drop on the first square; those on the others follow.
#[inline(always)]
pub(super) fn drop_butterfly(kind: PieceType) -> usize {
    (Square::COUNT + kind.index()) * Square::COUNT
}

#[inline(always)]
fn learn(entry: &mut i16, bonus: i32, limit: i32) {
    let old = i32::from(*entry);
    let bonus = bonus.clamp(-limit, limit);
    *entry = (old + bonus - old * bonus.abs() / limit) as i16;
}

/// The rows of continuation history that belong to the moves 1, 2, ... 6 plies back.
pub(super) type ContinuationIndices = [usize; 6];

/// All tables of one worker.
pub(super) struct History {
    /// By colour, origin and destination.
    butterfly: Box<[i16]>,
    /// By ply near the root, origin and destination.
    low_ply: Box<[i16]>,
    /// By piece, destination and captured kind.
    capture: Box<[i16]>,
    /// By an earlier move (in check or not, capture or not, piece, destination): by piece and destination.
    continuation: SparseTable<PIECE_TO>,
    /// By pawn structure: by piece and destination.
    pawn: SparseTable<PIECE_TO>,
    corrections: Corrections,
}

/// How far the static evaluation has been off in positions alike in some part.
struct Corrections {
    pawns: Box<[i16]>,
    minor: Box<[i16]>,
    /// By whose pieces.
    pieces: [Box<[i16]>; 2],
    hands: Box<[i16]>,
    /// By the last move but one: by the last.
    moves: SparseTable<PIECE_TO>,
}

fn zeros(len: usize) -> Box<[i16]> {
    vec![0; len].into_boxed_slice()
}

impl History {
    pub(super) fn new() -> Self {
        let table = || zeros(2 * CORRECTIONS);
        Self {
            butterfly: zeros(2 * BUTTERFLY),
            low_ply: zeros(LOW_PLIES * BUTTERFLY),
            capture: zeros(PIECE_TO * PieceType::TABLE),
            continuation: SparseTable::new(4 * PIECE_TO),
            pawn: SparseTable::new(PAWN_STRUCTURES),
            corrections: Corrections {
                pawns: table(),
                minor: table(),
                pieces: [table(), table()],
                hands: table(),
                moves: SparseTable::new(PIECE_TO),
            },
        }
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        for table in [&mut self.butterfly, &mut self.low_ply, &mut self.capture] {
            table.fill(0);
        }
        self.continuation.clear();
        self.pawn.clear();
        let tables = &mut self.corrections;
        let [black, white] = &mut tables.pieces;
        for table in [&mut tables.pawns, &mut tables.minor, &mut tables.hands, black, white] {
            table.fill(0);
        }
        tables.moves.clear();
    }

    /// What was learnt near the last root says little of the next one.
    pub(super) fn new_search(&mut self) {
        self.low_ply.fill(0);
    }

    /// The row of continuation history of a move: given in check or not, a capture or not.
    #[inline(always)]
    pub(super) fn row(in_check: bool, capture: bool, piece_to: usize) -> usize {
        (usize::from(in_check) * 2 + usize::from(capture)) * PIECE_TO + piece_to
    }

    #[inline(always)]
    pub(super) fn butterfly(&self, us: Color, mv: Move) -> i32 {
        i32::from(self.butterfly[us.index() * BUTTERFLY + butterfly(mv)])
    }

    #[inline(always)]
    pub(super) fn low_ply(&self, ply: usize, mv: Move) -> i32 {
        i32::from(self.low_ply[ply * BUTTERFLY + butterfly(mv)])
    }

    /// Butterfly history of one side's moves.
    #[inline(always)]
    pub(super) fn butterflies(&self, us: Color) -> &[i16] {
        &self.butterfly[us.index() * BUTTERFLY..][..BUTTERFLY]
    }

    /// Low-ply history of one ply.
    #[inline(always)]
    pub(super) fn low_plies(&self, ply: usize) -> &[i16] {
        &self.low_ply[ply * BUTTERFLY..][..BUTTERFLY]
    }

    /// A row of continuation history.
    #[inline(always)]
    pub(super) fn continuations(&self, row: usize) -> &[i16; PIECE_TO] {
        self.continuation.row(row)
    }

    /// Pawn history of one pawn structure.
    #[inline(always)]
    pub(super) fn pawn_histories(&self, keys: &Keys) -> &[i16; PIECE_TO] {
        self.pawn.row(Self::pawn_row(keys))
    }

    #[inline(always)]
    fn capture_index(piece_to: usize, captured: Option<Piece>) -> usize {
        let captured = captured.map_or(0, |piece| piece.piece_type().index());
        piece_to * PieceType::TABLE + captured
    }

    #[inline(always)]
    pub(super) fn capture(&self, position: &Position, mv: Move) -> i32 {
        let captured = position.piece_on(mv.to());
        i32::from(self.capture[Self::capture_index(piece_to(position, mv), captured)])
    }

    #[inline(always)]
    pub(super) fn continuation(&self, row: usize, piece_to: usize) -> i32 {
        i32::from(self.continuation.get(row, piece_to))
    }

    #[inline(always)]
    fn pawn_row(keys: &Keys) -> usize {
        keys.pawns as usize & (PAWN_STRUCTURES - 1)
    }

    #[inline(always)]
    pub(super) fn pawn(&self, keys: &Keys, piece_to: usize) -> i32 {
        i32::from(self.pawn.get(Self::pawn_row(keys), piece_to))
    }

    pub(super) fn update_butterfly(&mut self, us: Color, mv: Move, bonus: i32) {
        let entry = &mut self.butterfly[us.index() * BUTTERFLY + butterfly(mv)];
        learn(entry, bonus, p::butterfly_limit());
    }

    pub(super) fn update_pawn(&mut self, keys: &Keys, piece_to: usize, bonus: i32) {
        learn(self.pawn.get_mut(Self::pawn_row(keys), piece_to), bonus, p::pawn_limit());
    }

    pub(super) fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        let captured = position.piece_on(mv.to());
        self.update_capture_made(piece_to(position, mv), captured, bonus);
    }

    /// Teaches that a capture already made was good (or bad): the piece on its destination, and what it took.
    pub(super) fn update_capture_made(&mut self, piece_to: usize, captured: Option<Piece>, bonus: i32) {
        let entry = &mut self.capture[Self::capture_index(piece_to, captured)];
        learn(entry, bonus, p::capture_limit());
    }

    /// Teaches continuation history that a piece on a square was good or bad after the moves of `rows`. In check only
    /// the last two moves count.
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
        for (&row, weight) in rows.iter().zip(weights).take(count) {
            if row == 0 {
                // No move was made there.
                continue;
            }
            learn(self.continuation.get_mut(row, piece_to), bonus * weight / 1024, p::continuation_limit());
        }
    }

    /// Teaches all tables of quiet moves.
    #[allow(clippy::too_many_arguments)]
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
            learn(entry, bonus * p::quiet_low_ply_weight() / 1024, p::butterfly_limit());
        }
        self.update_continuation(rows, in_check, piece_to, bonus * p::quiet_continuation_weight() / 1024);
        let weight = if bonus > 0 { p::quiet_pawn_bonus_weight() } else { p::quiet_pawn_malus_weight() };
        self.update_pawn(keys, piece_to, bonus * weight / 1024);
    }

    #[inline(always)]
    fn correction_index(us: Color, key: u64) -> usize {
        us.index() * CORRECTIONS + (key as usize & (CORRECTIONS - 1))
    }

    /// Asks the processor to fetch what [`History::correction`] will read soon.
    #[inline(always)]
    pub(super) fn prefetch_correction(&self, position: &Position, keys: &Keys, last: usize, before: usize) {
        let us = position.side_to_move();
        let tables = &self.corrections;
        let fetch = |table: &[i16], key: u64| prefetch(&raw const table[Self::correction_index(us, key)]);
        fetch(&tables.pawns, keys.pawns);
        fetch(&tables.minor, keys.minor);
        fetch(&tables.hands, hand_key(position));
        for color in Color::ALL {
            fetch(&tables.pieces[color.index()], keys.pieces(color));
        }
        tables.moves.prefetch(before, last);
    }

    /// How far the static evaluation is likely to be off, in 1/131072 centipawns. `last` and `before` are the last move
    /// and the one before it as pieces on squares, 0 where there is none.
    pub(super) fn correction(&self, position: &Position, keys: &Keys, last: usize, before: usize) -> i32 {
        let us = position.side_to_move();
        let at = |table: &[i16], key: u64| i32::from(table[Self::correction_index(us, key)]);
        let tables = &self.corrections;
        let pieces =
            at(&tables.pieces[0], keys.pieces(Color::Black)) + at(&tables.pieces[1], keys.pieces(Color::White));
        let moves = if last != 0 && before != 0 { i32::from(tables.moves.get(before, last)) } else { 0 };
        p::correction_pawn() * at(&tables.pawns, keys.pawns)
            + p::correction_minor() * at(&tables.minor, keys.minor)
            + p::correction_pieces() * pieces
            + p::correction_hand() * at(&tables.hands, hand_key(position))
            + p::correction_moves() * moves
    }

    /// Teaches that the static evaluation was off by something of the size of `bonus`.
    pub(super) fn update_correction(
        &mut self,
        position: &Position,
        keys: &Keys,
        last: usize,
        before: usize,
        bonus: i32,
    ) {
        let us = position.side_to_move();
        let bonus = bonus.clamp(-p::correction_limit() / 4, p::correction_limit() / 4);
        let tables = &mut self.corrections;
        let teach = |table: &mut [i16], key: u64, weight: i32| {
            let entry = &mut table[Self::correction_index(us, key)];
            learn(entry, bonus * weight / 128, p::correction_limit());
        };
        teach(&mut tables.pawns, keys.pawns, p::correction_learn_pawn());
        teach(&mut tables.minor, keys.minor, p::correction_learn_minor());
        teach(&mut tables.hands, hand_key(position), p::correction_learn_hand());
        for color in Color::ALL {
            teach(&mut tables.pieces[color.index()], keys.pieces(color), p::correction_learn_pieces());
        }
        if last != 0 && before != 0 {
            let entry = tables.moves.get_mut(before, last);
            learn(entry, bonus * p::correction_learn_moves() / 128, p::correction_limit());
        }
    }
}

/// The hands' key with its high bits mixed in: sums of few numbers differ little in the low ones.
#[inline(always)]
fn hand_key(position: &Position) -> u64 {
    let key = position.hand_key();
    key ^ key >> 32
}

/// A static evaluation with the correction applied, kept off the mate scores.
#[inline(always)]
pub(super) fn corrected(eval: Score, correction: i32) -> Score {
    (eval + correction / 131_072).clamp_eval()
}

/// The bonus of a move that proved best at a depth.
#[inline(always)]
pub(super) fn bonus(depth: i32) -> i32 {
    (p::bonus_slope() * depth - p::bonus_offset()).min(p::bonus_limit())
}

/// What the moves tried before it lose.
#[inline(always)]
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
            learn(&mut entry, 3000, 7200);
            assert!((1..=7200).contains(&entry));
        }
        learn(&mut entry, -3000, 7200);
        assert!(entry < 4300);
        learn(&mut entry, i32::MIN / 2, 7200);
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
