//! The ranks of quiet moves: sums of histories, and bonuses for checks and for large pieces that escape.
//!
//! The drops of one piece type lie side by side in every history, destination by destination, so their sums are
//! computed for the whole board at once, with SIMD: they are most of the work of a node with pieces in hand.

use crate::bitboard::Bitboard;
use crate::position::{CheckInfo, MoveSink, Position, pawn_origin};
use crate::types::{BySquare, Color, Move, Piece, PieceType, Square};

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

    /// Appends the moves to each square of a set but the table's, with their ranks; `checking`: from where they give
    /// check.
    #[inline(always)]
    fn push_all(
        &mut self,
        mut to: Bitboard,
        checking: Bitboard,
        mv: impl Fn(Square) -> Move,
        rank: impl Fn(Square) -> i32,
    ) {
        if let Some(tt_move) = self.tt_move
            && to.contains(tt_move.to())
            && mv(tt_move.to()) == tt_move
        {
            to ^= Bitboard::from_square(tt_move.to());
        }
        let start = self.moves.len();
        self.moves.push_each(to, &mv, rank);
        // Few moves give check, so that these are looked for afterwards.
        for square in to & checking {
            if self.is_safe_check(mv(square)) {
                let at = start + to.before(square).count() as usize;
                self.moves.ranks_mut(at..at + 1)[0] += p::quiet_check();
            }
        }
    }

    /// Whether a move that gives check does not lose too much material. Few moves give check: inlined, it slows the others.
    #[inline(never)]
    fn is_safe_check(&self, mv: Move) -> bool {
        is_out_of_reach(mv, self.attacked) || self.context.position.see_ge(mv, -p::quiet_check_see())
    }
}

impl MoveSink for QuietRank<'_> {
    #[inline(always)]
    fn attacked(&self) -> Option<Bitboard> {
        Some(self.attacked)
    }

    #[inline]
    fn board(&mut self, from: Square, to: Bitboard, promote: bool) {
        let Some(piece) = self.context.position.piece_on(from) else {
            return;
        };
        let promoted = if promote { piece.promoted() } else { None };
        let placed = promoted.unwrap_or(piece);
        let checking = self.context.checks.checking(placed.piece_type(), Some(from));
        let large =
            matches!(piece.piece_type(), PieceType::Bishop | PieceType::Rook | PieceType::Horse | PieceType::Dragon);
        let lost = large && to.any() && self.attacked.contains(from) && self.context.position.loss_on(from) > 0;
        let escape = if lost { p::quiet_escape() } else { 0 };
        let origin = self.histories.origin(from.index() * Square::COUNT);
        let row = self.histories.row(placed.index() * Square::COUNT);
        self.push_all(
            to,
            checking,
            |to| Move::board(from, to, promote),
            |to| origin.sum(to.index()) + row.sum(to.index()) + escape,
        );
    }

    #[inline]
    fn pawns(&mut self, color: Color, to: Bitboard, promote: bool) {
        let kind = if promote { PieceType::ProPawn } else { PieceType::Pawn };
        let histories = self.histories;
        let row = histories.row(Piece::new(color, kind).index() * Square::COUNT);
        let checks = self.context.checks;
        // A pawn may open a line to the king, which depends on its file.
        let opening = checks.discoverers().forward(color) & to;
        let opened = opening.iter().filter(|&to| checks.checking(kind, Some(pawn_origin(color, to))).contains(to));
        let checking = checks.squares(kind) | opened.collect();
        self.push_all(
            to,
            checking,
            |to| Move::board(pawn_origin(color, to), to, promote),
            |to| histories.origin(pawn_origin(color, to).index() * Square::COUNT).sum(to.index()) + row.sum(to.index()),
        );
    }

    #[inline]
    fn drops(&mut self, kind: PieceType, to: Bitboard) {
        let us = self.context.position.side_to_move();
        let ranks = self.histories.board_sums(drop_butterfly(kind), Piece::new(us, kind).index() * Square::COUNT);
        let checking = self.context.checks.checking(kind, None);
        self.push_all(to, checking, |to| Move::drop(kind, to), |to| ranks[to.index()]);
    }
}

/// Whether nothing can take a quiet move's piece: the opponent, who attacks the squares `attacked` before the move,
/// attacks neither the new square nor the old one, through which a line could open towards the new one.
#[inline]
pub(super) fn is_out_of_reach(mv: Move, attacked: Bitboard) -> bool {
    !attacked.contains(mv.to()) && mv.from().is_none_or(|from| !attacked.contains(from))
}

/// The histories that quiet moves of one node are ranked by.
#[derive(Clone, Copy)]
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

    /// The part of the sums that the origin decides, by destination; the index of the first.
    #[inline(always)]
    fn origin(&self, butterfly: usize) -> Origin<'a> {
        Origin {
            butterfly: part(self.butterfly, butterfly),
            low_ply: self.low_ply.map(|(table, divisor)| (part(table, butterfly), divisor)),
        }
    }

    /// The part of the sums that the piece decides, by destination; the index of the first.
    #[inline(always)]
    fn row(&self, piece_to: usize) -> Row<'a> {
        Row { pawn: part(self.pawn, piece_to), continuations: self.continuations.map(|row| part(row, piece_to)) }
    }

    /// The sums for moves to all squares, from these indices on.
    #[inline]
    fn board_sums(&self, butterfly: usize, piece_to: usize) -> BySquare<i32> {
        #[inline(always)]
        fn plain(origin: &Origin, row: &Row) -> BySquare<i32> {
            let mut sums = std::array::from_fn(|i| origin.butterfly(i) + row.sum(i));
            if origin.low_ply.is_some() {
                for (i, sum) in sums.iter_mut().enumerate() {
                    *sum += origin.low_ply(i);
                }
            }
            sums
        }
        let (origin, row) = (self.origin(butterfly), self.row(piece_to));
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            fn avx2(origin: &Origin, row: &Row) -> BySquare<i32> {
                plain(origin, row)
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has AVX2, as just asked.
                return unsafe { avx2(&origin, &row) };
            }
        }
        plain(&origin, &row)
    }
}

/// The histories of one origin, by the index of the destination.
struct Origin<'a> {
    butterfly: &'a BySquare<i16>,
    /// Low-ply history with its divisor, near the root.
    low_ply: Option<(&'a BySquare<i16>, i32)>,
}

impl Origin<'_> {
    #[inline(always)]
    fn sum(&self, to: usize) -> i32 {
        self.butterfly(to) + self.low_ply(to)
    }

    #[inline(always)]
    fn butterfly(&self, to: usize) -> i32 {
        p::quiet_butterfly_weight() * i32::from(self.butterfly[to])
    }

    #[inline(always)]
    fn low_ply(&self, to: usize) -> i32 {
        self.low_ply.map_or(0, |(table, divisor)| p::quiet_low_ply() * i32::from(table[to]) / divisor)
    }
}

/// The histories of one piece, by the index of the destination, each less its first value.
struct Row<'a> {
    pawn: &'a BySquare<i16>,
    continuations: [&'a BySquare<i16>; 5],
}

impl Row<'_> {
    #[inline(always)]
    fn sum(&self, to: usize) -> i32 {
        let [nearest, earlier @ ..] = self.continuations;
        let (pawn_weight, nearest_weight) = (p::quiet_pawn_weight(), p::quiet_nearest_weight());
        let initial = pawn_weight * i32::from(PAWN_INITIAL)
            + (nearest_weight + earlier.len() as i32) * i32::from(CONTINUATION_INITIAL);
        initial
            + pawn_weight * i32::from(self.pawn[to])
            + nearest_weight * i32::from(nearest[to])
            + earlier.iter().map(|row| i32::from(row[to])).sum::<i32>()
    }
}

/// The entries of a table that belong to the squares of the board, from an index on.
#[inline(always)]
fn part(table: &[i16], from: usize) -> &BySquare<i16> {
    let Some(part) = table[from..].first_chunk() else {
        unreachable!("moves that lie side by side do so within the table")
    };
    part
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::history::{History, butterfly, piece_to};
    use super::super::keys::Keys;
    use super::*;
    use crate::platform::random::Random;
    use crate::position::{CheckInfo, Generate, MoveList, Position};

    /// The quiet moves of a position, but for the table's: each once, in the order of generation, ranked by its own
    /// histories and whether it is a safe check. Returns the moves with their sums and whether they are such checks.
    fn ranked(position: &Position, ply: usize, tt_move: Option<Move>, history: &History) -> Vec<(Move, i32, bool)> {
        let (keys, checks) = (Keys::of(position), CheckInfo::new(position));
        let context =
            RankContext { position, history, keys: &keys, checks: &checks, continuation: &ROWS, ply, all_moves: false };
        let us = position.side_to_move();
        let mut moves = MoveStack::default();
        let mut rank = QuietRank::new(&context, position.attacked_squares(!us), tt_move, &mut moves);
        position.generate_quiets(false, &mut rank);
        let mut expected = MoveList::new();
        position.generate(Generate::Quiets, &mut expected);
        let expected: Vec<Move> = expected.iter().copied().filter(|&mv| Some(mv) != tt_move).collect();
        assert_eq!((0..moves.len()).map(|at| moves.mv(at)).collect::<Vec<_>>(), expected, "{}", position.to_sfen());

        let rank = |(at, mv): (usize, Move)| {
            let placed = piece_to(position, mv);
            let [nearest, earlier @ ..] = [0, 1, 2, 3, 5].map(|i| history.continuation(ROWS[i], placed));
            // The rank of a large piece that leaves a square where it is lost is tested below.
            let lost = mv.from().is_some_and(|from| position.loss_on(from) > 0);
            let mut sum = p::quiet_butterfly_weight() * history.butterfly(us, mv)
                + p::quiet_pawn_weight() * history.pawn(&keys, placed)
                + p::quiet_nearest_weight() * nearest
                + earlier.iter().sum::<i32>();
            if ply < LOW_PLIES {
                let number = i32::from(history.low_ply_table(ply)[butterfly(mv)]);
                sum += p::quiet_low_ply() * number / (1 + ply as i32);
            }
            let check = position.gives_check(mv) && position.see_ge(mv, -p::quiet_check_see());
            let known = sum + if check { p::quiet_check() } else { 0 };
            let rank = moves.rank(at);
            assert!(rank == known || lost && rank == known + p::quiet_escape(), "{mv} {}", position.to_sfen());
            (mv, sum, check)
        };
        expected.into_iter().enumerate().map(rank).collect()
    }

    const ROWS: ContinuationIndices = [400, 800, 1200, 1600, 2000, 2400];

    /// Gives every legal move of a position histories of its own.
    fn learn(history: &mut History, position: &Position) {
        let keys = Keys::of(position);
        for (i, &mv) in position.legal_moves().iter().enumerate() {
            let bonus = (i as i32 * 7919) % 5000 - 2500;
            history.update_quiet(position, &keys, &ROWS, false, 2, mv, bonus);
        }
    }

    #[test]
    fn moves_are_ranked_one_by_one_as_together() {
        let sfen = "lnsgkg1nl/9/pppppp1pp/9/9/9/PPPPPP2P/9/LNSGKG1NL b RB2SPrbp 1";
        let position = Position::from_sfen(sfen).unwrap();
        let mut history = History::new();
        learn(&mut history, &position);
        for ply in [2, 9] {
            let moves = ranked(&position, ply, "R*5e".parse().ok(), &history);
            let sums: HashSet<i32> = moves.iter().map(|&(_, sum, _)| sum).collect();
            let checks = moves.iter().filter(|&&(.., check)| check).count();
            assert!(sums.len() > 50 && checks > 0, "the moves must differ");
        }
        // The pawns open the lines of rook and bishop to the king.
        let sfen = "9/1k1P4R/9/9/4P4/9/6B2/9/4K4 b rb4g4s4n4l16p 1";
        let position = Position::from_sfen(sfen).unwrap();
        let checks = ranked(&position, 9, None, &history).into_iter().filter(|&(.., check)| check);
        let checks: Vec<String> = checks.map(|(mv, ..)| mv.to_string()).collect();
        assert!(["6b6a+", "5e5d"].iter().all(|mv| checks.iter().any(|check| check == mv)), "{checks:?}");
    }

    #[test]
    fn all_quiet_moves_of_games_are_ranked() {
        let mut random = Random::new(8);
        let mut history = History::new();
        let (mut seen, mut checks) = (0, 0);
        for _ in 0..20 {
            Position::startpos().play_out(150, &mut random, |position| {
                learn(&mut history, position);
                if position.in_check() {
                    return;
                }
                let legal = position.legal_moves();
                seen += 1;
                let tt_move = legal.get(seen % (legal.len() + 1)).copied();
                checks += ranked(position, 9, tt_move, &history).iter().filter(|&&(.., check)| check).count();
            });
        }
        assert!(checks > 300, "{checks}");
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
        let mut random = Random::new(5);
        let mut counts = [0; 2];
        for _ in 0..20 {
            Position::startpos().play_out(150, &mut random, |position| {
                if position.in_check() {
                    return;
                }
                let attacked = position.attacked_squares(!position.side_to_move());
                let mut list = MoveList::new();
                position.generate(Generate::Quiets, &mut list);
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
