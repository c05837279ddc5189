//! The ranks of quiet moves: sums of histories, and bonuses for checks and for large pieces that escape.
//!
//! The drops of one piece type lie side by side in every history, destination by destination, so their sums are
//! computed for the whole board at once, with SIMD: they are most of the work of a node with pieces in hand.

use crate::bitboard::Bitboard;
use crate::position::{CheckInfo, MoveSink, Position, pawn_origin};
use crate::types::{Color, Move, Piece, PieceType, Square};

use super::history::{
    CONTINUATION_INITIAL, ContinuationIndices, History, LOW_PLIES, PAWN_INITIAL, PIECE_TO, drop_butterfly,
};
use super::keys::Keys;
use super::move_stack::MoveStack;
use super::params as p;

/// A node as the ranking of its moves sees it.
#[derive(Clone, Copy)]
pub(super) struct RankContext<'a> {
    pub(super) position: &'a Position,
    pub(super) history: &'a History,
    pub(super) keys: &'a Keys,
    pub(super) checks: &'a CheckInfo,
    /// The rows of continuation history of the previous moves.
    pub(super) continuation: &'a ContinuationIndices,
    pub(super) ply: usize,
    /// Generate pointless non-promotions too.
    pub(super) all_moves: bool,
}

/// Ranks the quiet moves of a node as they are generated.
pub(super) struct QuietRank<'a> {
    context: &'a RankContext<'a>,
    /// What the opponent attacks.
    attacked: Bitboard,
    histories: Histories<'a>,
    /// Skipped: the picker has already returned it.
    tt_move: Option<Move>,
    moves: &'a mut MoveStack,
}

impl<'a> QuietRank<'a> {
    /// Ranked moves are appended to `moves`.
    pub(super) fn new(
        context: &'a RankContext<'a>,
        attacked: Bitboard,
        tt_move: Option<Move>,
        moves: &'a mut MoveStack,
    ) -> Self {
        Self { context, attacked, histories: Histories::new(context), tt_move, moves }
    }

    #[inline(always)]
    fn push(&mut self, mv: Move, rank: i32, checking: Bitboard) {
        if Some(mv) == self.tt_move {
            return;
        }
        let safe_check = checking.contains(mv.to()) && self.is_safe_check(mv);
        let rank = rank + if safe_check { p::quiet_check() } else { 0 };
        self.moves.push(mv, rank);
    }

    /// Whether a move that gives check does not lose too much material. Few moves give check: inlined, it slows the others.
    #[inline(never)]
    fn is_safe_check(&self, mv: Move) -> bool {
        is_out_of_reach(mv, self.attacked) || self.context.position.see_ge(mv, -p::quiet_check_see())
    }
}

impl MoveSink for QuietRank<'_> {
    #[inline]
    fn board(&mut self, from: Square, to: Bitboard, promote: bool) {
        let Some(piece) = self.context.position.piece_on(from) else {
            return;
        };
        let promoted = if promote { piece.promoted() } else { None };
        let placed = promoted.unwrap_or(piece);
        let checking = self.context.checks.checking(placed.piece_type(), Some(from));
        let butterfly = from.index() * Square::COUNT;
        let piece_to = placed.index() * Square::COUNT;
        let large =
            matches!(piece.piece_type(), PieceType::Bishop | PieceType::Rook | PieceType::Horse | PieceType::Dragon);
        let lost = large && to.any() && self.attacked.contains(from) && self.context.position.loss_on(from) > 0;
        let escape = if lost { p::quiet_escape() } else { 0 };
        for to in to {
            let i = to.index();
            let rank = self.histories.sum(butterfly + i, piece_to + i) + escape;
            self.push(Move::board(from, to, promote), rank, checking);
        }
    }

    #[inline]
    fn pawns(&mut self, color: Color, to: Bitboard, promote: bool) {
        let kind = if promote { PieceType::ProPawn } else { PieceType::Pawn };
        let piece_to = Piece::new(color, kind).index() * Square::COUNT;
        for to in to {
            let from = pawn_origin(color, to);
            let rank = self.histories.sum(from.index() * Square::COUNT + to.index(), piece_to + to.index());
            self.push(Move::board(from, to, promote), rank, self.context.checks.checking(kind, Some(from)));
        }
    }

    #[inline]
    fn drops(&mut self, kind: PieceType, to: Bitboard) {
        let us = self.context.position.side_to_move();
        let piece_to = Piece::new(us, kind).index() * Square::COUNT;
        let ranks = self.histories.board_sums(drop_butterfly(kind), piece_to);
        let to = match self.tt_move {
            Some(mv) if mv.dropped() == Some(kind) => to & !Bitboard::from_square(mv.to()),
            _ => to,
        };
        let start = self.moves.len();
        for square in to {
            self.moves.push(Move::drop(kind, square), ranks[square.index()]);
        }
        // Few drops give check, so that these are looked for afterwards.
        for square in to & self.context.checks.checking(kind, None) {
            if self.is_safe_check(Move::drop(kind, square)) {
                let at = start + to.before(square).count() as usize;
                self.moves.ranks_mut(at..at + 1)[0] += p::quiet_check();
            }
        }
    }
}

/// Whether nothing can take a quiet move's piece: the opponent, who attacks the squares `attacked` before the move,
/// attacks neither the new square nor the old one, through which a line could open towards the new one.
#[inline]
pub(super) fn is_out_of_reach(mv: Move, attacked: Bitboard) -> bool {
    !attacked.contains(mv.to()) && mv.from().is_none_or(|from| !attacked.contains(from))
}

/// The histories that quiet moves of one node are ranked by.
struct Histories<'a> {
    butterfly: &'a [i16],
    pawn: &'a [i16; PIECE_TO],
    continuations: [&'a [i16; PIECE_TO]; 5],
    /// Low-ply history with its divisor, near the root.
    low_ply: Option<(&'a [i16], i32)>,
}

impl<'a> Histories<'a> {
    fn new(context: &RankContext<'a>) -> Self {
        let history = context.history;
        Self {
            butterfly: history.butterfly_table(context.position.side_to_move()),
            pawn: history.pawn_table(context.keys),
            continuations: [0, 1, 2, 3, 5].map(|i| history.continuation_table(context.continuation[i])),
            low_ply: (context.ply < LOW_PLIES).then(|| (history.low_ply_table(context.ply), 1 + context.ply as i32)),
        }
    }

    #[inline]
    fn sum(&self, butterfly: usize, piece_to: usize) -> i32 {
        let [sum] = self.sums(butterfly, piece_to);
        sum
    }

    /// The sums for moves to all squares, from these indices on.
    #[inline]
    fn board_sums(&self, butterfly: usize, piece_to: usize) -> [i32; Square::COUNT] {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            fn avx2(histories: &Histories, butterfly: usize, piece_to: usize) -> [i32; Square::COUNT] {
                histories.sums(butterfly, piece_to)
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has AVX2, as just asked.
                return unsafe { avx2(self, butterfly, piece_to) };
            }
        }
        self.sums(butterfly, piece_to)
    }

    /// The sums for `N` moves that lie side by side in the histories, from these indices on.
    #[inline(always)]
    fn sums<const N: usize>(&self, butterfly: usize, piece_to: usize) -> [i32; N] {
        let butterfly_row: &[i16; N] = part(self.butterfly, butterfly);
        let pawn: &[i16; N] = part(self.pawn, piece_to);
        let [nearest, earlier @ ..]: [&[i16; N]; 5] = self.continuations.map(|row| part(row, piece_to));
        let weights = [p::quiet_butterfly_weight(), p::quiet_pawn_weight(), p::quiet_nearest_weight()];
        // The rows are less their first values.
        let initial = weights[1] * i32::from(PAWN_INITIAL)
            + (weights[2] + earlier.len() as i32) * i32::from(CONTINUATION_INITIAL);
        let mut sums: [i32; N] = std::array::from_fn(|i| {
            let [butterfly, pawn, nearest] = [butterfly_row, pawn, nearest].map(|row| i32::from(row[i]));
            initial
                + weights[0] * butterfly
                + weights[1] * pawn
                + weights[2] * nearest
                + earlier.iter().map(|row| i32::from(row[i])).sum::<i32>()
        });
        if let Some((low_ply, divisor)) = self.low_ply {
            let part: &[i16; N] = part(low_ply, butterfly);
            for (sum, &number) in sums.iter_mut().zip(part) {
                *sum += p::quiet_low_ply() * i32::from(number) / divisor;
            }
        }
        sums
    }
}

/// `N` entries of a table from an index on, as an array, so that the compiler unrolls and vectorises the sums.
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

    /// Every quiet move is ranked by its own histories, whatever is summed side by side.
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
            let context = RankContext {
                position: &position,
                history: &history,
                keys: &keys,
                checks: &checks,
                continuation: &rows,
                ply,
                all_moves: false,
            };
            let tt_move = "R*5e".parse().ok();
            let attacked = position.attacked_squares(Color::White);
            let mut moves = MoveStack::default();
            let mut rank = QuietRank::new(&context, attacked, tt_move, &mut moves);
            position.generate_quiets(false, &mut rank);
            let histories = Histories::new(&context);
            let (mut ranks, mut safe_checks) = (std::collections::HashSet::new(), 0);
            for at in 0..moves.len() {
                let mv = moves.mv(at);
                assert_ne!(Some(mv), tt_move);
                let sum = histories.sum(butterfly(mv), piece_to(&position, mv));
                let check = position.gives_check(mv) && position.see_ge(mv, -p::quiet_check_see());
                safe_checks += u32::from(check);
                let bonus = if check { p::quiet_check() } else { 0 };
                assert_eq!(moves.ranks_mut(at..at + 1), [sum + bonus], "{mv}");
                ranks.insert(sum);
            }
            let mut list = crate::position::MoveList::new();
            position.generate(crate::position::Generate::Quiets, &mut list);
            assert_eq!(moves.len() + 1, list.len());
            assert!(ranks.len() > 50 && safe_checks > 0, "the moves must differ");
        }
    }

    #[test]
    fn a_rook_that_is_lost_leaves_early() {
        // White's gold attacks the rook at 2e, nothing attacks the rook at 9h.
        let position = Position::from_sfen("4k4/9/9/7g1/7R1/9/9/R8/4K4 b 2b3g4s4n4l18p 1").unwrap();
        let (keys, history, checks) = (Keys::of(&position), History::new(), CheckInfo::new(&position));
        let context = RankContext {
            position: &position,
            history: &history,
            keys: &keys,
            checks: &checks,
            continuation: &[0; 6],
            ply: 9,
            all_moves: false,
        };
        let mut moves = MoveStack::default();
        let attacked = position.attacked_squares(Color::White);
        position.generate_quiets(false, &mut QuietRank::new(&context, attacked, None, &mut moves));
        let rank = |name: &str, moves: &mut MoveStack| {
            let at = (0..moves.len()).find(|&at| moves.mv(at).to_string() == name).unwrap();
            moves.ranks_mut(at..at + 1)[0]
        };
        let usual = rank("9h9g", &mut moves);
        assert_eq!(rank("2e3e", &mut moves), usual + p::quiet_escape());
        assert_eq!(rank("5i5h", &mut moves), usual);
    }

    #[test]
    fn moves_out_of_reach_lose_nothing() {
        let mut random = crate::platform::random::Random::new(5);
        let mut counts = [0; 2];
        for _ in 0..20 {
            Position::startpos().play_out(150, &mut random, |position| {
                if position.in_check() {
                    return;
                }
                let attacked = position.attacked_squares(!position.side_to_move());
                let mut list = crate::position::MoveList::new();
                position.generate(crate::position::Generate::Quiets, &mut list);
                for &mv in list.iter() {
                    let safe = is_out_of_reach(mv, attacked);
                    assert!(!safe || position.see_ge(mv, 0), "{mv} {}", position.to_sfen());
                    counts[usize::from(safe)] += 1;
                }
            });
        }
        assert!(counts.iter().all(|&times| times > 10_000), "{counts:?}");
    }
}
