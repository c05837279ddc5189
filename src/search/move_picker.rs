//! The order in which a node tries its moves, generated in stages so that a cut-off spares the rest.
//!
//! Stages as in Stockfish: table move, good captures, good quiet moves, bad captures, bad quiet moves; in check all
//! evasions together. Besides, where late quiet moves are left out, checks that do not lose material.

use crate::bitboard::Bitboard;
use crate::position::{Generate, MoveList, Position, exchange_value};
use crate::types::Move;

use super::history::piece_to;
use super::lazy_sort::LazySort;
use super::move_stack::{MoveStack, Ranked};
use super::node::Loss;
use super::params as p;
use super::quiet_rank::{QuietRank, RankContext, is_out_of_reach};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TtMove,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    GoodQuiets,
    GenerateLateChecks,
    LateChecks,
    BadCaptures,
    BadQuiets,
    EvasionTtMove,
    GenerateEvasions,
    Evasions,
    QuiescenceTtMove,
    GenerateQuiescenceCaptures,
    QuiescenceCaptures,
    ProbCutTtMove,
    GenerateProbCut,
    ProbCut,
    Done,
}

use Stage::*;

/// Added to the rank of evasions that capture, so that they come before all others.
const EVASION_CAPTURE_BONUS: i32 = 1 << 28;

/// Picks the moves of one node, best first.
pub(super) struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    /// ProbCut: what a capture must gain in exchanges.
    threshold: i32,
    skip_quiets: bool,
    /// But give quiet checks that do not lose material.
    keep_checks: bool,
    /// See [`MovePicker::loss`].
    loss: Loss,
    /// What the opponent attacks; known once quiet moves are generated.
    attacked: Bitboard,
    /// Where this node's moves begin on the move stack; bad captures gather there.
    start: usize,
    bad_captures: usize,
    current: usize,
    end: usize,
    quiets: LazySort,
}

impl MovePicker {
    fn new(stage: Stage, after: Stage, tt_move: Option<Move>, moves: &MoveStack) -> Self {
        let start = moves.len();
        Self {
            stage: if tt_move.is_some() { stage } else { after },
            tt_move,
            threshold: 0,
            skip_quiets: false,
            keep_checks: false,
            loss: Loss::Unknown,
            attacked: Bitboard::EMPTY,
            start,
            bad_captures: start,
            current: start,
            end: start,
            quiets: LazySort::default(),
        }
    }

    /// For a node of the main search. The table's move must be legal, here and below.
    pub(super) fn main(in_check: bool, tt_move: Option<Move>, moves: &MoveStack) -> Self {
        if in_check {
            Self::new(EvasionTtMove, GenerateEvasions, tt_move, moves)
        } else {
            Self::new(TtMove, GenerateCaptures, tt_move, moves)
        }
    }

    /// For quiescence.
    pub(super) fn quiescence(in_check: bool, tt_move: Option<Move>, moves: &MoveStack) -> Self {
        if in_check {
            Self::new(EvasionTtMove, GenerateEvasions, tt_move, moves)
        } else {
            Self::new(QuiescenceTtMove, GenerateQuiescenceCaptures, tt_move, moves)
        }
    }

    /// For ProbCut: captures that gain at least `threshold`.
    pub(super) fn probcut(position: &Position, tt_move: Option<Move>, threshold: i32, moves: &MoveStack) -> Self {
        let tt_move = tt_move.filter(|&mv| position.is_capture(mv) && position.see_ge(mv, threshold));
        let picker = Self::new(ProbCutTtMove, GenerateProbCut, tt_move, moves);
        Self { threshold, ..picker }
    }

    /// Leaves out all further quiet moves, but for checks that do not lose material if these are wanted and the good quiet
    /// moves are not over. Returns whether this is the first call.
    pub(super) fn skip_quiets(&mut self, keep_checks: bool) -> bool {
        self.keep_checks = keep_checks;
        !std::mem::replace(&mut self.skip_quiets, true)
    }

    /// What is known of the material that the last move loses.
    pub(super) fn loss(&self) -> Loss {
        self.loss
    }

    /// The next move; none is returned twice.
    pub(super) fn next(&mut self, moves: &mut MoveStack, context: &RankContext) -> Option<Move> {
        // Nodes below that were cut off have left moves behind.
        moves.truncate(self.end);
        self.loss = Loss::Unknown;
        loop {
            match self.stage {
                TtMove => {
                    self.stage = GenerateCaptures;
                    return self.tt_move;
                }
                EvasionTtMove => {
                    self.stage = GenerateEvasions;
                    return self.tt_move;
                }
                QuiescenceTtMove => {
                    self.stage = GenerateQuiescenceCaptures;
                    return self.tt_move;
                }
                ProbCutTtMove => {
                    self.stage = GenerateProbCut;
                    return self.tt_move;
                }
                GenerateCaptures | GenerateQuiescenceCaptures | GenerateProbCut => {
                    self.generate_captures(moves, context);
                    self.stage = match self.stage {
                        GenerateCaptures => GoodCaptures,
                        GenerateProbCut => ProbCut,
                        _ => QuiescenceCaptures,
                    };
                }
                GoodCaptures => {
                    let Some(ranked) = self.best(moves) else {
                        self.stage = GenerateQuiets;
                        continue;
                    };
                    // A capture with a bad history must win more to count as good.
                    if context.position.see_ge(ranked.mv, -ranked.rank / p::good_capture_rank()) {
                        return Some(ranked.mv);
                    }
                    moves.set(self.bad_captures, ranked);
                    self.bad_captures += 1;
                }
                GenerateQuiets => {
                    if !self.skip_quiets {
                        self.generate_quiets(moves, context);
                    }
                    self.stage = GoodQuiets;
                }
                GoodQuiets => {
                    if !self.skip_quiets
                        && let Some(ranked) = self.best_quiet(moves, context, -p::good_quiet())
                    {
                        self.quiets.take();
                        return Some(ranked.mv);
                    }
                    self.current = self.start;
                    self.stage = if self.skip_quiets && self.keep_checks { GenerateLateChecks } else { BadCaptures };
                }
                GenerateLateChecks => {
                    self.generate_late_checks(moves, context);
                    self.stage = LateChecks;
                }
                LateChecks => match self.best(moves) {
                    Some(ranked) if self.is_late_check(ranked.mv, moves, context) => {
                        self.loss = Loss::Little;
                        return Some(ranked.mv);
                    }
                    Some(_) => {}
                    None => {
                        self.current = self.start;
                        self.stage = BadCaptures;
                    }
                },
                BadCaptures => {
                    if self.current < self.bad_captures {
                        self.current += 1;
                        return Some(moves.mv(self.current - 1));
                    }
                    self.stage = BadQuiets;
                }
                BadQuiets => {
                    if !self.skip_quiets
                        && let Some(ranked) = self.best_quiet(moves, context, i32::MIN)
                    {
                        self.quiets.take();
                        return Some(ranked.mv);
                    }
                    self.stage = Done;
                }
                GenerateEvasions => {
                    self.generate_evasions(moves, context);
                    self.stage = Evasions;
                }
                Evasions | QuiescenceCaptures => match self.best(moves) {
                    Some(ranked) => return Some(ranked.mv),
                    None => self.stage = Done,
                },
                ProbCut => match self.best(moves) {
                    Some(ranked) if context.position.see_ge(ranked.mv, self.threshold) => {
                        return Some(ranked.mv);
                    }
                    Some(_) => {}
                    None => self.stage = Done,
                },
                Done => return None,
            }
        }
    }

    /// The best of the remaining quiet moves if its rank is above `least`. One that loses material is worth less than its
    /// history says (measured: as a step of 1.8 in the logarithm of its chances to raise alpha). Those that their history
    /// does not speak against are asked when their turn comes, and go back with a lower rank if they do.
    #[inline]
    fn best_quiet(&mut self, moves: &mut MoveStack, context: &RankContext, least: i32) -> Option<Ranked> {
        loop {
            let ranked = self.quiets.peek(moves).filter(|ranked| ranked.rank > least)?;
            if self.quiets.was_put_back() {
                self.loss = Loss::Much;
                return Some(ranked);
            }
            if is_out_of_reach(ranked.mv, self.attacked) {
                self.loss = Loss::Nothing;
                return Some(ranked);
            }
            if ranked.rank <= -p::losing_asked() {
                return Some(ranked);
            }
            if context.position.see_ge(ranked.mv, -p::losing()) {
                self.loss = Loss::Little;
                return Some(ranked);
            }
            self.quiets.put_back(moves, ranked.rank - p::losing_rank());
        }
    }

    /// Takes the best of the remaining moves.
    #[inline]
    fn best(&mut self, moves: &mut MoveStack) -> Option<Ranked> {
        let best = moves.bring_best(self.current..self.end)?;
        self.current += 1;
        Some(best)
    }

    fn push_all(
        &mut self,
        moves: &mut MoveStack,
        list: &MoveList,
        keep: impl Fn(Move) -> bool,
        mut rank: impl FnMut(Move) -> i32,
    ) {
        for &mv in list.iter() {
            if Some(mv) != self.tt_move && keep(mv) {
                moves.push(mv, rank(mv));
            }
        }
        self.end = moves.len();
    }

    fn generate_captures(&mut self, moves: &mut MoveStack, context: &RankContext) {
        let position = context.position;
        let mut list = MoveList::new();
        let rank = |mv| p::capture_rank_value() * gain(position, mv) + context.history.capture(position, mv);
        if context.all_moves {
            position.generate(Generate::LegalAll, &mut list);
            self.push_all(moves, &list, |mv| position.is_capture(mv), rank);
        } else {
            position.generate(Generate::Captures, &mut list);
            self.push_all(moves, &list, |_| true, rank);
        }
    }

    fn generate_quiets(&mut self, moves: &mut MoveStack, context: &RankContext) {
        self.attacked = context.position.attacked_squares(!context.position.side_to_move());
        let mut rank = QuietRank::new(context, self.attacked, self.tt_move, moves);
        context.position.generate_quiets(context.all_moves, &mut rank);
        let captures_end = self.end;
        self.end = moves.len();
        self.quiets = LazySort::new(moves, captures_end..self.end);
    }

    fn generate_late_checks(&mut self, moves: &mut MoveStack, context: &RankContext) {
        let position = context.position;
        let mut list = MoveList::new();
        position.generate_quiet_checks(context.checks, context.all_moves, &mut list);
        self.current = self.end;
        self.push_all(moves, &list, |_| true, |mv| nearest_histories(context, mv));
    }

    /// Whether a check does not lose material and has not been given among the quiet moves.
    fn is_late_check(&self, mv: Move, moves: &MoveStack, context: &RankContext) -> bool {
        context.position.see_ge(mv, -p::losing()) && !self.quiets.has_taken(moves, mv)
    }

    fn generate_evasions(&mut self, moves: &mut MoveStack, context: &RankContext) {
        let position = context.position;
        let mut list = MoveList::new();
        let kind = if context.all_moves { Generate::LegalAll } else { Generate::Legal };
        position.generate(kind, &mut list);
        let rank = |mv| {
            if position.is_capture(mv) {
                return EVASION_CAPTURE_BONUS + gain(position, mv);
            }
            nearest_histories(context, mv)
        };
        self.push_all(moves, &list, |_| true, rank);
    }
}

/// The history of a quiet move, and as an answer to the last one.
#[inline]
fn nearest_histories(context: &RankContext, mv: Move) -> i32 {
    let (position, history) = (context.position, context.history);
    history.butterfly(position.side_to_move(), mv)
        + history.continuation(context.continuation[0], piece_to(position, mv))
}

/// What a move gains at once: the captured piece, and what a promotion adds.
#[inline]
pub(super) fn gain(position: &Position, mv: Move) -> i32 {
    let promotion = if mv.is_promotion() {
        position.moved_piece(mv).map_or(0, |piece| {
            let kind = piece.piece_type();
            kind.promoted().map_or(0, |promoted| exchange_value(promoted) - exchange_value(kind))
        })
    } else {
        0
    };
    position.exchange_value_on(mv.to()) + promotion
}

#[cfg(test)]
mod tests {
    use super::super::history::History;
    use super::super::keys::Keys;
    use super::*;
    use crate::position::CheckInfo;

    fn context<'a>(
        position: &'a Position,
        history: &'a History,
        keys: &'a Keys,
        checks: &'a CheckInfo,
        all_moves: bool,
    ) -> RankContext<'a> {
        RankContext { position, history, keys, checks, continuation: &[0; 6], ply: 9, all_moves }
    }

    /// Every legal move comes once, whatever the table's move.
    #[test]
    fn every_move_is_given_once() {
        let history = History::new();
        for sfen in [
            Position::STARTPOS,
            "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
            "4k4/4G4/9/9/9/9/9/9/4K4 w RBrb3g4s4n4l18p 1",
            "ln1gkg1nl/6+P2/2sppps1p/2p3p2/p8/P1P1P3P/2NP1PP2/3s1KSR1/L1+b2G1NL w R2Pbgp 42",
        ] {
            let Ok(position) = Position::from_sfen(sfen) else {
                continue;
            };
            let keys = Keys::of(&position);
            let checks = CheckInfo::new(&position);
            for all_moves in [false, true] {
                let context = context(&position, &history, &keys, &checks, all_moves);
                let mut expected = MoveList::new();
                let kind = if all_moves { Generate::LegalAll } else { Generate::Legal };
                position.generate(kind, &mut expected);
                let mut expected = expected.to_vec();
                expected.sort();
                for tt_move in expected.iter().copied().map(Some).chain([None]).step_by(7).collect::<Vec<_>>() {
                    let mut moves = MoveStack::default();
                    let mut picker = MovePicker::main(position.in_check(), tt_move, &moves);
                    let mut given = Vec::new();
                    while let Some(mv) = picker.next(&mut moves, &context) {
                        given.push(mv);
                    }
                    if tt_move.is_some() {
                        assert_eq!(given.first().copied(), tt_move);
                    }
                    given.sort();
                    assert_eq!(given, expected, "{sfen} {tt_move:?}");
                }
            }
        }
    }

    #[test]
    fn losing_quiet_moves_come_late_and_are_told() {
        // Pawns would take the silver at 4e and 6e, and the pawns at 2e and 8e.
        let position = Position::from_sfen("4k4/9/9/1p1p1p1p1/9/1P2S2P1/9/9/4K4 b 2r2b4g3s4n4l12p 1").unwrap();
        let (mut history, keys, checks) = (History::new(), Keys::of(&position), CheckInfo::new(&position));
        // All have been good but for one, which nobody asks.
        for &mv in position.legal_moves().iter() {
            let bonus = if mv.to_string() == "8f8e" { -4000 } else { 4000 };
            history.update_quiet(&position, &keys, &[0; 6], false, 9, mv, bonus);
        }
        let context = context(&position, &history, &keys, &checks, false);
        let mut moves = MoveStack::default();
        let mut picker = MovePicker::main(false, None, &moves);
        let mut given = Vec::new();
        while let Some(mv) = picker.next(&mut moves, &context) {
            given.push((mv.to_string(), picker.loss()));
        }
        let told = |answer: Loss| {
            let moves = given.iter().filter(move |(_, loss)| *loss == answer);
            moves.map(|(name, _)| name.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(told(Loss::Much), ["5f4e", "5f6e"], "{given:?}");
        assert_eq!(told(Loss::Unknown), ["8f8e"], "{given:?}");
        assert_eq!(told(Loss::Little), ["2f2e"], "{given:?}");
        assert_eq!(told(Loss::Nothing).len() + 4, given.len());
        let early = [Loss::Nothing, Loss::Little];
        assert!(given[..given.len() - 3].iter().all(|(_, loss)| early.contains(loss)), "{given:?}");
    }

    #[test]
    fn late_checks_do_not_lose() {
        // The knight gives check at 4c and 6c, where a pawn takes it at 6c; golds would be taken by the king.
        let position = Position::from_sfen("4k4/3p5/9/9/4N4/9/9/9/4K4 b G2r2b3g4s3n4l17p 1").unwrap();
        let (history, keys, checks) = (History::new(), Keys::of(&position), CheckInfo::new(&position));
        let context = context(&position, &history, &keys, &checks, false);
        let given_after = |quiets: usize, keep_checks: bool| {
            let mut moves = MoveStack::default();
            let mut picker = MovePicker::main(false, None, &moves);
            let mut given: Vec<_> = (0..quiets).map(|_| picker.next(&mut moves, &context)).collect();
            assert!(picker.skip_quiets(keep_checks));
            assert!(!picker.skip_quiets(keep_checks));
            while let Some(mv) = picker.next(&mut moves, &context) {
                assert_eq!(picker.loss(), Loss::Little);
                given.push(Some(mv));
            }
            given.into_iter().flatten().map(|mv| mv.to_string()).collect::<Vec<_>>()
        };
        assert!(given_after(0, false).is_empty());
        assert_eq!(given_after(0, true), ["5e4c"]);
        // The check is the first of the quiet moves, and not given again.
        for quiets in 1..5 {
            let given = given_after(quiets, true);
            assert_eq!((given.len(), given[0].as_str()), (quiets, "5e4c"));
        }
    }
}
