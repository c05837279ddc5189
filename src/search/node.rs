//! What the search knows of a node: its type, its entry on the stack and its [`NodeInfo`].

use crate::types::{Color, Depth, Move, Score};

use super::history::ContinuationIndices;
use super::tt_data::TtData;

/// Entries of the stack above the root, so that every node has six predecessors.
pub(super) const STACK_OFFSET: usize = 7;

/// The type of a node, known at compile time (the idea of a trait with `Next` is from viridithas).
pub(super) trait NodeType {
    /// The node may be on the principal variation: its window is open.
    const PV: bool;
    /// The node is the root.
    const ROOT: bool;
    /// The type of its first child.
    type Next: NodeType;
}

pub(super) struct Root;
pub(super) struct Pv;
pub(super) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Next = Pv;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Next = Self;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Next = Self;
}

/// What nodes above and below read of a node; one entry a ply (Stockfish's `Stack`).
#[derive(Clone, Copy, Default)]
pub(super) struct StackEntry {
    /// The move being searched; `None` for a null move.
    pub(super) mv: Option<Move>,
    /// Its piece and destination; 0 for a null move.
    pub(super) piece_to: usize,
    /// Its row of continuation history.
    pub(super) row: usize,
    /// The corrected static evaluation; in check, that of two plies before.
    pub(super) static_eval: Score,
    /// The history of the move being searched, as the reduction saw it.
    pub(super) stat_score: i32,
    /// The move left out while it is tested for being singular.
    pub(super) excluded: Option<Move>,
    /// Number of the move being searched, from 1.
    pub(super) move_count: usize,
    /// By how many plies the search below is reduced.
    pub(super) reduction: Depth,
    /// How often nodes of this ply have failed high since the node two plies above began.
    pub(super) cutoff_count: i32,
    pub(super) in_check: bool,
    /// The line to the position is the beginning of the last iteration's principal variation.
    pub(super) follows_pv: bool,
    /// The table knew the position.
    pub(super) tt_hit: bool,
    /// The position is or was on a principal variation. A node that fails low takes this over from its parent, after
    /// its own steps have used [`NodeInfo::tt_pv`].
    pub(super) tt_pv: bool,
}

/// What the steps of one node share. What neighbours read too is in its [`StackEntry`].
pub(super) struct NodeInfo {
    pub(super) ply: usize,
    /// Index of its entry on the stack.
    pub(super) ss: usize,
    pub(super) us: Color,
    /// A score above beta is expected.
    pub(super) cut_node: bool,
    /// What the table knows of it.
    pub(super) tt: TtData,
    /// The position was on a principal variation when the node began.
    pub(super) tt_pv: bool,
    /// The expected error of the static evaluation, see
    /// [`CorrectionHistory::get`](super::correction_history::CorrectionHistory::get).
    pub(super) correction: i32,
    /// The static evaluation before its correction; `None` where it was not asked for.
    pub(super) raw_eval: Option<Score>,
    /// The best estimate: the static evaluation, or the table's score where that says more.
    pub(super) eval: Score,
    /// The side to move is better off than at its previous turn.
    pub(super) improving: bool,
    /// The opponent is worse off than at its previous turn.
    pub(super) opponent_worsening: bool,
    /// The previous move was a capture.
    pub(super) prior_capture: bool,
    /// By how many plies the search of the previous move was reduced.
    pub(super) prior_reduction: Depth,
    /// The rows of continuation history of the previous moves.
    pub(super) continuation: ContinuationIndices,
}

/// What a move loses in exchanges, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loss {
    Unknown,
    Nothing,
    /// No more than [`p::losing`](super::params::losing), perhaps nothing.
    Little,
    /// More than that.
    Much,
}

/// A move of a node and what is known of it before it is made.
#[derive(Clone, Copy)]
pub(super) struct MoveInfo {
    pub(super) mv: Move,
    pub(super) piece_to: usize,
    /// It is a capture.
    pub(super) capture: bool,
    pub(super) gives_check: bool,
    pub(super) loss: Loss,
    /// Its number among the node's moves, from 1.
    pub(super) number: usize,
}

/// Quiet moves, or captures, remembered for the malus when another move proves best.
const REMEMBERED: usize = 32;

/// Moves that were searched without proving best.
pub(super) struct SearchedMoves {
    moves: [Option<Move>; REMEMBERED],
    len: usize,
}

impl SearchedMoves {
    pub(super) const fn new() -> Self {
        Self { moves: [None; REMEMBERED], len: 0 }
    }

    pub(super) fn push(&mut self, mv: Move) {
        if self.len < REMEMBERED {
            self.moves[self.len] = Some(mv);
            self.len += 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().flatten().copied()
    }
}

/// The state of a node's move loop.
pub(super) struct MoveLoop {
    pub(super) alpha: Score,
    pub(super) beta: Score,
    /// Plies left at the node. Raising alpha lowers it, a singular move raises it.
    pub(super) depth: Depth,
    /// The best score so far.
    pub(super) best: Score,
    /// The move that raised alpha last.
    pub(super) best_move: Option<Move>,
    pub(super) move_count: usize,
    pub(super) quiets: SearchedMoves,
    pub(super) captures: SearchedMoves,
}

impl MoveLoop {
    pub(super) fn new(alpha: Score, beta: Score, depth: Depth) -> Self {
        Self {
            alpha,
            beta,
            depth,
            best: -Score::INFINITE,
            best_move: None,
            move_count: 0,
            quiets: SearchedMoves::new(),
            captures: SearchedMoves::new(),
        }
    }
}
