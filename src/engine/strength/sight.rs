//! How far a level looks: a plain alpha-beta search of a few plies, with captures beyond them, through the level's own
//! eyes. No table and no pruning: its mistakes are to come from what it is told not to see.

use crate::position::{Generate, MoveList, Position, exchange_value};
use crate::search::{Control, Rules};
use crate::types::{Color, Depth, Move, PieceType, Score};

use super::judgement::Judgement;
use super::level::Level;
use super::oversight::overlooks;

/// Plies below the root that are looked at however many checks there are.
const DEEPEST: usize = 24;
/// Moves that seem worse by more centipawns are not told apart.
const MARGIN: i32 = 500;

/// A root move with what the level thinks of it.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) mv: Move,
    pub(super) score: Score,
    /// The line expected after it.
    pub(super) answers: Vec<Move>,
}

/// A look at a position.
pub(super) struct Sight<'a> {
    pub(super) level: &'a Level,
    pub(super) judgement: Judgement,
    pub(super) rules: &'a Rules,
    pub(super) control: &'a Control,
    pub(super) seed: u64,
    pub(super) position: Position,
    pub(super) us: Color,
    pub(super) nodes: u64,
    pub(super) node_limit: u64,
    /// The iteration that is given up is not the first.
    interruptible: bool,
    pv: Vec<Vec<Move>>,
}

impl<'a> Sight<'a> {
    pub(super) fn new(
        level: &'a Level,
        judgement: Judgement,
        rules: &'a Rules,
        control: &'a Control,
        seed: u64,
        position: Position,
    ) -> Self {
        let us = position.side_to_move();
        Self {
            level,
            judgement,
            rules,
            control,
            seed,
            position,
            us,
            nodes: 0,
            node_limit: level.nodes as u64,
            interruptible: false,
            pv: vec![Vec::new(); DEEPEST + 2],
        }
    }

    /// Looks at the root moves, ply by ply, and returns them best first, with the depth reached. The first ply is
    /// always finished, whatever nodes it takes, unless the search is stopped. It looks at a bishop's drops into holes as
    /// far as the `last` ply does, for the level's nodes seldom suffice to finish a second one.
    pub(super) fn look(&mut self, moves: &[Move], last: Depth) -> (Vec<Seen>, Depth) {
        let unseen = |&mv: &Move| Seen { mv, score: -Score::INFINITE, answers: Vec::new() };
        let mut seen: Vec<Seen> = moves.iter().map(unseen).collect();
        let mut reached = 0;
        for depth in 1..=last {
            let mut next = seen.clone();
            if !self.iterate(&mut next, depth, last) {
                break;
            }
            next.sort_by_key(|seen| std::cmp::Reverse(seen.score));
            seen = next;
            reached = depth;
            self.interruptible = true;
        }
        (seen, reached)
    }

    /// One iteration; `false` where it was given up.
    fn iterate(&mut self, seen: &mut [Seen], depth: Depth, last: Depth) -> bool {
        let mut best = -Score::INFINITE;
        for root in seen {
            let depth = if self.fills_hole(root.mv) { last } else { depth };
            let alpha = if best.is_decisive() { -Score::INFINITE } else { (best - MARGIN).max(-Score::INFINITE) };
            let mv = root.mv;
            self.judgement.do_move(&mut self.position, mv);
            root.score = -self.search(-Score::INFINITE, -alpha, depth - 1, 1);
            self.judgement.undo_move(&mut self.position);
            if self.gives_up() {
                return false;
            }
            root.answers.clone_from(&self.pv[1]);
            best = best.max(root.score);
        }
        true
    }

    /// Whether a move drops a bishop safely into the opponent's camp: everybody looks for such holes, and what it wins
    /// there is taken only a move later.
    fn fills_hole(&self, mv: Move) -> bool {
        let kind = self.position.moved_piece(mv).map(|piece| piece.piece_type());
        mv.is_drop()
            && kind == Some(PieceType::Bishop)
            && mv.to().in_promotion_zone(self.us)
            && !self.position.is_attacked_by(!self.us, mv.to(), self.position.occupied())
    }

    fn gives_up(&self) -> bool {
        self.control.stopped() || self.interruptible && self.nodes >= self.node_limit
    }

    fn search(&mut self, mut alpha: Score, beta: Score, depth: Depth, ply: usize) -> Score {
        self.pv[ply].clear();
        self.nodes += 1;
        if self.nodes & 63 == 0 {
            self.control.check_clock();
        }
        if let Some(score) = self.rules.decided(&self.position, ply) {
            return score;
        }
        let in_check = self.position.in_check();
        if ply >= DEEPEST || depth <= -self.level.captures && !in_check || self.gives_up() {
            return if in_check { Score::ZERO } else { self.judgement.evaluate(&self.position) };
        }
        // Beyond the horizon only captures are looked at, and every answer to a check.
        let quiet = depth <= 0 && !in_check;
        let mut best = Score::mated_in(ply);
        if quiet {
            best = self.judgement.evaluate(&self.position);
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let theirs = self.position.side_to_move() != self.us;
        let mut found = 0;
        for mv in self.moves(quiet) {
            if theirs && !in_check && overlooks(self.level.oversight, &self.position, mv, self.seed) {
                continue;
            }
            if quiet && !self.position.see_ge(mv, 0) {
                continue;
            }
            found += 1;
            self.judgement.do_move(&mut self.position, mv);
            let score = -self.search(-beta, -alpha, depth - 1, ply + 1);
            self.judgement.undo_move(&mut self.position);
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    let (upper, lower) = self.pv.split_at_mut(ply + 1);
                    upper[ply].clear();
                    upper[ply].push(mv);
                    upper[ply].extend_from_slice(&lower[0]);
                }
                if score >= beta {
                    break;
                }
            }
        }
        // It has overlooked all of them.
        if found == 0 && !quiet && !in_check { self.judgement.evaluate(&self.position) } else { best }
    }

    /// The moves of the position, captures of the most valuable pieces first.
    fn moves(&self, quiet: bool) -> Vec<Move> {
        let mut list = MoveList::new();
        self.position.generate(if quiet { Generate::Captures } else { Generate::Legal }, &mut list);
        let mut moves = list.to_vec();
        let last = self.position.last_move().map(Move::to);
        let rank = |&mv: &Move| {
            let value = |piece: crate::types::Piece| exchange_value(piece.piece_type());
            let captured = self.position.piece_on(mv.to()).map_or(0, value);
            let moved = self.position.moved_piece(mv).map_or(0, value);
            let gain = if captured > 0 { 10 * captured - moved.min(1000) } else { 0 };
            let forward = i32::from(mv.is_promotion()) * 500 + i32::from(last == Some(mv.to())) * 1000;
            std::cmp::Reverse(gain + forward)
        };
        moves.sort_by_cached_key(rank);
        moves
    }
}
