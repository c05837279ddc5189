//! The rules of shogi: a position, its moves, its end.
//!
//! A [`Position`] holds the board, both hands, and the states of the whole game since the position it was set up with,
//! so that moves can be taken back and repetitions seen. It knows neither scores nor networks: an [`Observer`] can
//! follow what each move changes.

mod attackers;
mod bits;
mod board;
mod check_info;
mod checks;
mod declaration;
mod diagram;
mod do_move;
mod error;
mod legality;
mod mating_checks;
mod move_list;
mod movegen;
pub mod packed;
mod perft;
mod play_out;
mod repetition;
mod see;
mod sfen;
mod validate;
mod visits;
mod zobrist;

use crate::bitboard::Bitboard;
use crate::types::{BySquare, Color, Hand, Move, Piece, PieceType, Square};

pub use board::{Board, Impossible};
pub use check_info::CheckInfo;
pub use declaration::{Declaration, EnteringKingRule, ParseEnteringKingRuleError};
pub use do_move::{Change, Observer};
pub use error::{PositionError, SfenError};
pub use legality::IllegalMove;
pub use move_list::MoveList;
pub use movegen::{Generate, MoveSink, pawn_origin};
pub use perft::{perft, perft_divide};
pub use repetition::Repetition;
pub use see::exchange_value;
use visits::Visits;

/// A position with the game that led to it.
#[derive(Clone)]
pub struct Position {
    board: BySquare<Option<Piece>>,
    by_color: [Bitboard; 2],
    /// By kind; the entry [`GOLD_MOVERS`] holds the golds and all that move like them.
    by_type: [Bitboard; PieceType::TABLE],
    hands: [Hand; 2],
    kings: [Option<Square>; 2],
    side_to_move: Color,
    /// The move number of the position that was set up.
    first_move_number: u32,
    /// One entry for the position set up and one for every move and null move since; never empty.
    states: Vec<State>,
    visits: Visits,
}

/// The otherwise unused index of the tables by kind, for the union of golds and promoted small pieces.
const GOLD_MOVERS: usize = 15;

/// What belongs to one position of the game and cannot be restored from the move alone.
#[derive(Clone, Copy)]
struct State {
    /// Zobrist key of board and side to move.
    board_key: u64,
    /// Zobrist key of both hands.
    hand_key: u64,
    /// Enemy pieces that give check to the side to move.
    checkers: Bitboard,
    /// Pieces of the side to move that may move only along the line through their king.
    pinned: Bitboard,
    /// The hand of the side to move.
    hand: Hand,
    /// The move that led here; `None` for the position set up and after a null move.
    last_move: Option<Move>,
    captured: Option<Piece>,
    /// Moves made since the position set up or the last null move.
    plies_from_null: u16,
    /// By colour: for how many plies all its moves have been checks (2 for each check).
    continuous_checks: [u16; 2],
}

impl Position {
    /// The SFEN of the even game's start.
    pub const STARTPOS: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    /// The side to move.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The number of the move to be played next; 1 at the start of a game unless the SFEN said otherwise.
    pub fn move_number(&self) -> u32 {
        self.first_move_number.saturating_add(self.states.len() as u32 - 1)
    }

    /// How many moves (null moves included) were made since the position was set up.
    #[inline(always)]
    pub fn game_length(&self) -> usize {
        self.states.len() - 1
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The pieces in hand of a colour.
    #[inline(always)]
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color.index()]
    }

    /// Where the king of a colour stands; `None` where it has none (a tsume problem's attacker).
    #[inline(always)]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.kings[color.index()]
    }

    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The squares occupied by a colour.
    #[inline(always)]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The squares occupied by a kind, of both colours.
    #[inline(always)]
    pub fn by_type(&self, kind: PieceType) -> Bitboard {
        self.by_type[kind.index()]
    }

    /// The squares of golds and of promoted pawns, lances, knights and silvers, of both colours.
    #[inline(always)]
    pub fn gold_movers(&self) -> Bitboard {
        self.by_type[GOLD_MOVERS]
    }

    /// The squares occupied by a kind of a colour.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.by_type[kind.index()] & self.by_color[color.index()]
    }

    /// The enemy pieces that give check to the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.state().checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.state().checkers.any()
    }

    /// The pieces of the side to move that may move only along the line through their king.
    #[inline(always)]
    pub fn pinned(&self) -> Bitboard {
        self.state().pinned
    }

    /// Zobrist key of the whole position: board, hands and side to move.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        let state = self.state();
        state.board_key ^ state.hand_key
    }

    /// Zobrist key of the board and the side to move, without the hands.
    #[inline(always)]
    pub fn board_key(&self) -> u64 {
        self.state().board_key
    }

    /// Zobrist key of the hands alone.
    #[inline(always)]
    pub fn hand_key(&self) -> u64 {
        self.state().hand_key
    }

    /// The move that led to this position; `None` for the position set up and after a null move.
    #[inline(always)]
    pub fn last_move(&self) -> Option<Move> {
        self.state().last_move
    }

    /// The piece that the last move captured, as it stood on the board.
    #[inline(always)]
    pub fn last_captured(&self) -> Option<Piece> {
        self.state().captured
    }

    /// The moves made since the position was set up, without null moves.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + '_ {
        self.states.iter().filter_map(|state| state.last_move)
    }

    /// The piece that a move moves or drops, as it is before the move.
    ///
    /// The move must fit the position: a move from an empty square gives `None`.
    #[inline(always)]
    pub fn moved_piece(&self, mv: Move) -> Option<Piece> {
        match (mv.from(), mv.dropped()) {
            (Some(from), _) => self.piece_on(from),
            (None, kind) => kind.map(|kind| Piece::new(self.side_to_move, kind)),
        }
    }

    /// The piece that stands on a move's destination after it: [`Position::moved_piece`], promoted where it promotes.
    #[inline(always)]
    pub fn placed_piece(&self, mv: Move) -> Option<Piece> {
        let piece = self.moved_piece(mv)?;
        let promoted = if mv.is_promotion() { piece.promoted() } else { None };
        Some(promoted.unwrap_or(piece))
    }

    /// Whether a move takes a piece.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.piece_on(mv.to()).is_some()
    }

    /// Enters a position's state; every state but the first is left again by [`Position::pop`].
    #[inline(always)]
    fn push(&mut self, state: State) {
        self.visits.enter(state.board_key);
        self.states.push(state);
    }

    /// Leaves the newest state.
    #[inline(always)]
    fn pop(&mut self) {
        self.visits.leave(self.state().board_key);
        self.states.pop();
    }

    #[inline(always)]
    fn state(&self) -> &State {
        // SAFETY: `states` is created with one entry and `undo` never removes it.
        unsafe { self.states.last().unwrap_unchecked() }
    }

    /// Puts a piece on an empty square or takes it from its square: the sets are toggled.
    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        /// Where a kind is counted besides its own entry; entry 0 is never read.
        const ALSO: [u8; PieceType::TABLE] = {
            let mut table = [0; PieceType::TABLE];
            table[PieceType::Gold.index()] = GOLD_MOVERS as u8;
            table[PieceType::ProPawn.index()] = GOLD_MOVERS as u8;
            table[PieceType::ProLance.index()] = GOLD_MOVERS as u8;
            table[PieceType::ProKnight.index()] = GOLD_MOVERS as u8;
            table[PieceType::ProSilver.index()] = GOLD_MOVERS as u8;
            table
        };
        let set = Bitboard::from_square(square);
        let kind = piece.piece_type().index();
        self.by_color[piece.color().index()] ^= set;
        self.by_type[kind] ^= set;
        self.by_type[ALSO[kind] as usize & 15] ^= set;
    }
}
