//! What a network sees of a board: its pieces as numbered items, the phase of the game, attacks.

use crate::bitboard::{Bitboard, attacks};
use crate::position::Board;
use crate::types::{BySquare, Color, Hand, Piece, PieceType, Square};

/// One thing that can be there or not: a piece on a square, or the n-th copy of a kind in a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item(pub u16);

/// First item number of a hand; before it are the pieces on squares.
const HANDS: usize = Piece::TABLE * Square::COUNT;
/// Most pieces a hand can hold: every piece but the kings.
pub(super) const HAND_SLOTS: usize = 38;
/// First slot of each kind within a hand, by [`PieceType::index`].
pub(super) const HAND_SLOT: [u16; 8] = [0, 0, 18, 22, 26, 34, 36, 30];

impl Item {
    /// The number of item numbers.
    pub const COUNT: usize = HANDS + 2 * HAND_SLOTS;

    #[inline(always)]
    pub fn on_board(piece: Piece, square: Square) -> Self {
        Self((piece.index() * Square::COUNT + square.index()) as u16)
    }

    /// The copy number `copy` (from 0) of a kind in a hand.
    #[inline(always)]
    pub fn in_hand(color: Color, kind: PieceType, copy: u32) -> Self {
        let slot = HAND_SLOT[kind.index() & 7] + copy as u16;
        Self((HANDS + color.index() * HAND_SLOTS) as u16 + slot)
    }

    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Where the piece stands, `None` in hand.
    pub fn square(self) -> Option<Square> {
        if self.index() < HANDS { Square::from_index(self.index() % Square::COUNT) } else { None }
    }
}

/// The items that are there.
pub(super) fn items(board: &Board) -> impl Iterator<Item = Item> {
    let on_board = board.pieces().map(|(square, piece)| Item::on_board(piece, square));
    let hands = Color::ALL.into_iter().flat_map(|color| {
        let held = board.held(color);
        held.flat_map(move |(kind, count)| (0..u32::from(count)).map(move |n| Item::in_hand(color, kind, n)))
    });
    on_board.chain(hands)
}

/// How many pieces there are besides the kings.
pub(super) fn men(board: &Board) -> usize {
    let men = board.pieces().filter(|(_, piece)| piece.piece_type() != PieceType::King);
    men.count() + in_hands(board) as usize
}

/// How far the game has gone, as the engine's own networks measure it: pieces in hand and promoted pieces, of both
/// sides.
pub fn phase(board: &Board) -> u32 {
    let promoted = board.pieces().filter(|(_, piece)| piece.piece_type().is_promoted());
    promoted.count() as u32 + in_hands(board)
}

/// For each piece how often its square is attacked: three times the attacks by `perspective` (at most 2) plus those
/// by the opponent (at most 2); 0 on empty squares. Pieces attack through nothing and whether pinned or not.
pub(super) fn attack_classes(board: &Board, perspective: Color) -> BySquare<u8> {
    let occupied = board.pieces().fold(Bitboard::EMPTY, |set, (square, _)| set | Bitboard::from_square(square));
    let mut counts = [[0u8; Square::COUNT]; 2];
    for (square, piece) in board.pieces() {
        for target in attacks(piece, square, occupied) & occupied {
            counts[piece.color().index()][target.index()] += 1;
        }
    }
    let [own, enemy] = [perspective, !perspective].map(|color| &counts[color.index()]);
    let mut classes = [0; Square::COUNT];
    for (square, _) in board.pieces() {
        let at = square.index();
        classes[at] = 3 * own[at].min(2) + enemy[at].min(2);
    }
    classes
}

fn in_hands(board: &Board) -> u32 {
    Color::ALL.into_iter().flat_map(|color| board.held(color)).map(|(_, count)| u32::from(count)).sum()
}

/// The number of pieces in a hand.
pub(super) fn held(hand: Hand) -> u32 {
    PieceType::HAND.into_iter().map(|kind| hand.count(kind)).sum()
}
