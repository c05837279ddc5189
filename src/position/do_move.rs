//! Making moves and taking them back.

use crate::bitboard::{Bitboard, between, step_attacks};
use crate::types::{Color, Move, Piece, Square};

use super::{Position, State, zobrist};

/// What one move changed on the board and in the mover's hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where the piece came from; `None` for a drop.
    pub from: Option<Square>,
    /// Where the piece went.
    pub to: Square,
    /// The piece before the move.
    pub moved: Piece,
    /// The piece after the move: promoted or not.
    pub placed: Piece,
    /// The piece that stood on `to`.
    pub captured: Option<Piece>,
    /// How many pieces of the kind captured (unpromoted) or dropped the mover holds after the move; 0 for other moves.
    pub hand_after: u32,
}

/// An observer of the moves made on a position, such as an incrementally updated evaluation.
///
/// Null moves change neither board nor hands and are not announced. Undoing is not announced either: the caller that
/// undoes a move can tell its observer.
pub trait Observer {
    /// A move was made.
    fn moved(&mut self, change: &Change);
}

/// The null observer.
impl Observer for () {
    #[inline(always)]
    fn moved(&mut self, _: &Change) {}
}

impl Position {
    /// Makes a move, which must be legal here.
    #[inline]
    pub fn do_move(&mut self, mv: Move) {
        self.do_move_observed(mv, &mut ());
    }

    /// Makes a legal move and tells an observer.
    #[inline]
    pub fn do_move_observed<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        let us = self.side_to_move;
        let to = mv.to();
        let last = self.state();
        let mut board_key = last.board_key ^ zobrist::SIDE;
        let mut hand_key = last.hand_key;
        // Saturated: a game of 65,535 plies may come from outside and must not fail.
        let plies_from_null = last.plies_from_null.saturating_add(1);
        let mut continuous_checks = last.continuous_checks;

        let captured = self.piece_on(to);
        let (moved, placed, mut hand_after) = match (mv.from(), mv.dropped()) {
            (Some(from), _) => {
                let Some(moved) = self.piece_on(from) else { unreachable!("no piece on {from}") };
                let placed = if mv.is_promotion() { moved.promoted().unwrap_or(moved) } else { moved };
                self.toggle(moved, from);
                self.board[from.index()] = None;
                board_key ^= zobrist::board(moved, from);
                (moved, placed, 0)
            }
            (None, Some(kind)) => {
                let hand = &mut self.hands[us.index()];
                hand.remove(kind);
                hand_key = hand_key.wrapping_sub(zobrist::hand(us, kind));
                let piece = Piece::new(us, kind);
                (piece, piece, hand.count(kind))
            }
            (None, None) => unreachable!("a move has an origin or a kind to drop"),
        };
        if let Some(captured) = captured {
            self.toggle(captured, to);
            board_key ^= zobrist::board(captured, to);
            let kind = captured.piece_type().unpromoted();
            let hand = &mut self.hands[us.index()];
            hand.add(kind);
            hand_key = hand_key.wrapping_add(zobrist::hand(us, kind));
            hand_after = hand.count(kind);
        }
        self.toggle(placed, to);
        self.board[to.index()] = Some(placed);
        board_key ^= zobrist::board(placed, to);
        if moved.piece_type() == crate::types::PieceType::King {
            self.kings[us.index()] = Some(to);
        }

        self.side_to_move = !us;
        let (checkers, pinned) = self.checks_and_pins(placed, to);
        continuous_checks[us.index()] =
            if checkers.any() { continuous_checks[us.index()].saturating_add(2) } else { 0 };
        self.push(State {
            board_key,
            hand_key,
            checkers,
            pinned,
            hand: self.hands[(!us).index()],
            last_move: Some(mv),
            captured,
            plies_from_null,
            continuous_checks,
        });
        observer.moved(&Change { from: mv.from(), to, moved, placed, captured, hand_after });
    }

    /// The [key](Position::key) of the position after a legal move, so that what belongs to it can be prefetched before
    /// the move is made.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let (us, to) = (self.side_to_move, mv.to());
        let State { mut board_key, mut hand_key, .. } = *self.state();
        board_key ^= zobrist::SIDE;
        let placed = match (mv.from(), mv.dropped()) {
            (Some(from), _) => {
                let Some(moved) = self.piece_on(from) else { unreachable!("no piece on {from}") };
                board_key ^= zobrist::board(moved, from);
                if mv.is_promotion() { moved.promoted().unwrap_or(moved) } else { moved }
            }
            (None, Some(kind)) => {
                hand_key = hand_key.wrapping_sub(zobrist::hand(us, kind));
                Piece::new(us, kind)
            }
            (None, None) => unreachable!("a move has an origin or a kind to drop"),
        };
        board_key ^= zobrist::board(placed, to);
        if let Some(captured) = self.piece_on(to) {
            board_key ^= zobrist::board(captured, to);
            hand_key = hand_key.wrapping_add(zobrist::hand(us, captured.piece_type().unpromoted()));
        }
        board_key ^ hand_key
    }

    /// Takes the last move back.
    ///
    /// # Panics
    /// Where no move was made, or the last one was a null move.
    #[inline]
    pub fn undo_move(&mut self) {
        let state = *self.state();
        let Some(mv) = state.last_move else { panic!("no move to take back") };
        self.pop();
        let us = !self.side_to_move;
        self.side_to_move = us;
        let to = mv.to();
        let Some(placed) = self.piece_on(to) else { unreachable!("no piece on {to}") };
        self.toggle(placed, to);
        self.board[to.index()] = state.captured;
        if let Some(captured) = state.captured {
            self.toggle(captured, to);
            self.hands[us.index()].remove(captured.piece_type().unpromoted());
        }
        match (mv.from(), mv.dropped()) {
            (Some(from), _) => {
                let moved = if mv.is_promotion() { Piece::new(us, placed.piece_type().unpromoted()) } else { placed };
                self.toggle(moved, from);
                self.board[from.index()] = Some(moved);
                if moved.piece_type() == crate::types::PieceType::King {
                    self.kings[us.index()] = Some(from);
                }
            }
            (None, Some(kind)) => self.hands[us.index()].add(kind),
            (None, None) => {}
        }
    }

    /// Passes the move; the side to move must not be in check.
    pub fn do_null_move(&mut self) {
        debug_assert!(!self.in_check());
        let last = *self.state();
        self.side_to_move = !self.side_to_move;
        let us = self.side_to_move;
        let pinned = self.king(us).map_or(Bitboard::EMPTY, |king| self.blockers(!us, king) & self.by_color(us));
        self.push(State {
            board_key: last.board_key ^ zobrist::SIDE,
            checkers: Bitboard::EMPTY,
            pinned,
            hand: self.hands[us.index()],
            last_move: None,
            captured: None,
            plies_from_null: 0,
            continuous_checks: [0; 2],
            ..last
        });
    }

    /// Takes back a null move, which must have been the last move made.
    pub fn undo_null_move(&mut self) {
        debug_assert!(self.states.len() > 1 && self.state().last_move.is_none());
        self.pop();
        self.side_to_move = !self.side_to_move;
    }

    /// Checkers and pinned pieces of the side to move, after the enemy placed a piece on a square.
    ///
    /// Only the piece just placed can give check by a step; all sliders are examined, for checks and pins at once.
    #[inline(always)]
    fn checks_and_pins(&self, placed: Piece, to: Square) -> (Bitboard, Bitboard) {
        let us = self.side_to_move;
        let Some(king) = self.king(us) else {
            return (Bitboard::EMPTY, Bitboard::EMPTY);
        };
        let mut checkers = step_attacks(placed, to) & Bitboard::from_square(king);
        if checkers.any() {
            checkers = Bitboard::from_square(to);
        }
        let mut pinned = Bitboard::EMPTY;
        let occupied = self.occupied();
        for sniper in self.snipers(!us, king) {
            let obstacles = between(sniper, king) & occupied;
            if obstacles.is_empty() {
                checkers |= Bitboard::from_square(sniper);
            } else if !obstacles.many() {
                pinned |= obstacles;
            }
        }
        (checkers, pinned & self.by_color(us))
    }

    /// The state of a position that was just set up.
    pub(super) fn first_state(&self) -> State {
        let us = self.side_to_move;
        let mut board_key = if us == Color::White { zobrist::SIDE } else { 0 };
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                board_key ^= zobrist::board(piece, square);
            }
        }
        let mut hand_key = 0u64;
        for color in Color::ALL {
            for (kind, count) in self.hand(color).iter() {
                hand_key = hand_key.wrapping_add(zobrist::hand(color, kind).wrapping_mul(u64::from(count)));
            }
        }
        let (mut checkers, mut pinned) = (Bitboard::EMPTY, Bitboard::EMPTY);
        if let Some(king) = self.king(us) {
            checkers = self.attackers_of(!us, king, self.occupied());
            pinned = self.blockers(!us, king) & self.by_color(us);
        }
        State {
            board_key,
            hand_key,
            checkers,
            pinned,
            hand: self.hand(us),
            last_move: None,
            captured: None,
            plies_from_null: 0,
            continuous_checks: [0; 2],
        }
    }
}
