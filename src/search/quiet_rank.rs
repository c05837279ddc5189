//! What quiet moves are worth by the histories.
//!
//! The drops of one kind lie side by side in every history, destination by destination: their sums are made for the
//! whole board at once, eight squares at a time, which is most of the work of a node with pieces in hand.

use crate::bitboard::Bitboard;
use crate::position::{MoveSink, pawn_origin};
use crate::types::{Color, Move, Piece, PieceType, Square};

use super::history::{LOW_PLIES, PIECE_TO, drop_butterfly};
use super::move_picker::View;
use super::move_stack::MoveStack;
use super::threats::Threats;

/// Bonus of a quiet move that gives check without losing material.
const CHECK_BONUS: i32 = 16_384;

/// Takes the quiet moves of a node as they are generated and ranks them.
pub(super) struct QuietRank<'a> {
    view: &'a View<'a>,
    histories: Histories<'a>,
    threats: Threats,
    /// Not taken: it has had its turn.
    table_move: Option<Move>,
    moves: &'a mut MoveStack,
}

impl<'a> QuietRank<'a> {
    /// Ranked moves are appended to `moves`.
    pub(super) fn new(view: &'a View<'a>, table_move: Option<Move>, moves: &'a mut MoveStack) -> Self {
        Self { view, histories: Histories::new(view), threats: Threats::new(view.position), table_move, moves }
    }

    #[inline(always)]
    fn push(&mut self, mv: Move, rank: i32, checking: Bitboard) {
        if Some(mv) == self.table_move {
            return;
        }
        let safe_check = checking.contains(mv.to()) && self.view.position.see_ge(mv, -75);
        let rank = rank + if safe_check { CHECK_BONUS } else { 0 };
        self.moves.push(mv, rank);
    }
}

impl MoveSink for QuietRank<'_> {
    #[inline(always)]
    fn board(&mut self, from: Square, to: Bitboard, promote: bool) {
        let Some(piece) = self.view.position.piece_on(from) else {
            return;
        };
        let promoted = if promote { piece.promoted() } else { None };
        let placed = promoted.unwrap_or(piece);
        let threat = self.threats.to(piece.piece_type(), from);
        let checking = self.view.checks.checking(placed.piece_type(), Some(from));
        let butterfly = from.index() * Square::COUNT;
        let piece_to = placed.index() * Square::COUNT;
        for to in to {
            let i = to.index();
            let rank = self.histories.sum(butterfly + i, piece_to + i) + threat.rank(to);
            self.push(Move::board(from, to, promote), rank, checking);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, color: Color, to: Bitboard, promote: bool) {
        // A pawn's promotion is no quiet move.
        if !promote {
            for to in to {
                self.board(pawn_origin(color, to), Bitboard::from_square(to), false);
            }
        }
    }

    #[inline(always)]
    fn drops(&mut self, kind: PieceType, to: Bitboard) {
        let us = self.view.position.side_to_move();
        let piece_to = Piece::new(us, kind).index() * Square::COUNT;
        let ranks: [i32; Square::COUNT] = self.histories.sums(drop_butterfly(kind), piece_to);
        let checking = self.view.checks.checking(kind, None);
        for to in to {
            self.push(Move::drop(kind, to), ranks[to.index()], checking);
        }
    }
}

/// The histories that quiet moves of one node are ranked by.
struct Histories<'a> {
    butterfly: &'a [i16],
    structure: &'a [i16; PIECE_TO],
    continuations: [&'a [i16; PIECE_TO]; 5],
    /// Near the root, with its divisor.
    low_ply: Option<(&'a [i16], i32)>,
}

impl<'a> Histories<'a> {
    fn new(view: &View<'a>) -> Self {
        let history = view.history;
        Self {
            butterfly: history.butterflies(view.position.side_to_move()),
            structure: history.structures(view.keys),
            continuations: [0, 1, 2, 3, 5].map(|i| history.continuations(view.rows[i])),
            low_ply: (view.ply < LOW_PLIES).then(|| (history.low_plies(view.ply), 1 + view.ply as i32)),
        }
    }

    #[inline(always)]
    fn sum(&self, butterfly: usize, piece_to: usize) -> i32 {
        let [sum] = self.sums(butterfly, piece_to);
        sum
    }

    /// The ranks of moves that lie side by side in the histories, from these places on.
    #[inline(always)]
    fn sums<const N: usize>(&self, butterfly: usize, piece_to: usize) -> [i32; N] {
        let twice: [&[i16; N]; 2] = [part(self.butterfly, butterfly), part(self.structure, piece_to)];
        let once: [&[i16; N]; 5] = self.continuations.map(|row| part(row, piece_to));
        let mut sums: [i32; N] = std::array::from_fn(|i| {
            let twice: i32 = twice.iter().map(|part| i32::from(part[i])).sum();
            2 * twice + once.iter().map(|part| i32::from(part[i])).sum::<i32>()
        });
        if let Some((low_ply, divisor)) = self.low_ply {
            let part: &[i16; N] = part(low_ply, butterfly);
            for (sum, &number) in sums.iter_mut().zip(part) {
                *sum += 8 * i32::from(number) / divisor;
            }
        }
        sums
    }
}

/// `N` numbers of a table from a place on.
#[inline(always)]
fn part<const N: usize>(table: &[i16], from: usize) -> &[i16; N] {
    let Some(part) = table[from..].first_chunk() else {
        unreachable!("moves that lie side by side do so within the table")
    };
    part
}

#[cfg(test)]
mod tests {
    use super::super::history::{History, butterfly, piece_to};
    use super::super::keys::Keys;
    use super::*;
    use crate::position::{CheckInfo, Position};

    /// Every quiet move is ranked by the histories at its own place, whatever is summed side by side.
    #[test]
    fn moves_are_ranked_one_by_one_as_together() {
        let sfen = "lnsgkg1nl/9/pppppp1pp/9/9/9/PPPPPP2P/9/LNSGKG1NL b RB2SPrbp 1";
        let position = Position::from_sfen(sfen).unwrap();
        let keys = Keys::of(&position);
        let mut history = History::new();
        let rows = [1, 2, 3, 4, 5, 6].map(|i| 400 * i);
        for (i, &mv) in position.legal_moves().iter().enumerate() {
            let bonus = (i as i32 * 7919) % 5000 - 2500;
            history.update_quiet(&position, &keys, &rows, false, 2, mv, bonus);
        }
        let checks = CheckInfo::new(&position);
        for ply in [2, 9] {
            let view = View {
                position: &position,
                history: &history,
                keys: &keys,
                checks: &checks,
                rows: &rows,
                ply,
                all_moves: false,
            };
            let table_move = "R*5e".parse().ok();
            let mut moves = MoveStack::default();
            let mut rank = QuietRank::new(&view, table_move, &mut moves);
            position.generate_quiets(false, &mut rank);
            let histories = Histories::new(&view);
            let (mut ranks, mut safe_checks) = (std::collections::HashSet::new(), 0);
            for at in 0..moves.len() {
                let mv = moves.mv(at);
                assert_ne!(Some(mv), table_move);
                let sum = histories.sum(butterfly(mv), piece_to(&position, mv));
                let check = position.gives_check(mv) && position.see_ge(mv, -75);
                safe_checks += u32::from(check);
                let bonus = if check { CHECK_BONUS } else { 0 };
                assert_eq!(moves.ranks_mut(at..at + 1), [sum + bonus], "{mv}");
                ranks.insert(sum);
            }
            let mut list = crate::position::MoveList::new();
            position.generate(crate::position::Generate::Quiets, &mut list);
            assert_eq!(moves.len() + 1, list.len());
            assert!(ranks.len() > 50 && safe_checks > 0, "nothing to tell apart");
        }
    }
}
