//! Which pieces stand where: what a network sees of a position, and the numbering of its items.

use crate::bitboard::{Bitboard, attacks};
use crate::position::{Board, Position};
use crate::types::{Color, Hand, Piece, PieceType, Square};

/// The pieces on the board and in the hands, without anything else that a position knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The piece on each square, by [`Square::index`].
    pub squares: [Option<Piece>; Square::COUNT],
    /// The hands, by [`Color::index`].
    pub hands: [Hand; 2],
}

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

impl Placement {
    /// No piece anywhere.
    pub const EMPTY: Self = Self { squares: [None; Square::COUNT], hands: [Hand::EMPTY; 2] };

    /// The square of a colour's king.
    pub fn king(&self, color: Color) -> Option<Square> {
        let king = Some(Piece::new(color, PieceType::King));
        Square::all().find(|square| self.squares[square.index()] == king)
    }

    /// The items that are there.
    pub(super) fn items(&self) -> impl Iterator<Item = Item> {
        let board = Square::all().filter_map(|square| Some(Item::on_board(self.squares[square.index()]?, square)));
        let hands = Color::ALL.into_iter().flat_map(|color| {
            let counts = self.hands[color.index()].iter();
            counts.flat_map(move |(kind, count)| (0..count).map(move |n| Item::in_hand(color, kind, n)))
        });
        board.chain(hands)
    }

    /// How many pieces there are besides the kings.
    pub(super) fn men(&self) -> usize {
        let men = self.squares.iter().flatten().filter(|piece| piece.piece_type() != PieceType::King);
        men.count() + self.hands.iter().map(|&hand| held(hand) as usize).sum::<usize>()
    }

    /// How far the game has gone, as the engine's own networks measure it: pieces in hand and promoted pieces, of both
    /// sides.
    pub fn phase(&self) -> u32 {
        let promoted = self.squares.iter().flatten().filter(|piece| piece.piece_type().is_promoted());
        promoted.count() as u32 + self.hands.iter().map(|&hand| held(hand)).sum::<u32>()
    }

    /// For each piece how often its square is attacked: three times the attacks by `perspective` (at most 2) plus those
    /// by the opponent (at most 2); 0 on empty squares. Pieces attack through nothing and whether pinned or not.
    pub(super) fn attack_classes(&self, perspective: Color) -> [u8; Square::COUNT] {
        let pieces = || Square::all().filter_map(|square| Some((self.squares[square.index()]?, square)));
        let occupied = pieces().fold(Bitboard::EMPTY, |set, (_, square)| set | Bitboard::from_square(square));
        let mut counts = [[0u8; Square::COUNT]; 2];
        for (piece, square) in pieces() {
            for target in attacks(piece, square, occupied) & occupied {
                counts[piece.color().index()][target.index()] += 1;
            }
        }
        let [own, enemy] = [perspective, !perspective].map(|color| &counts[color.index()]);
        let mut classes = [0; Square::COUNT];
        for (_, square) in pieces() {
            let at = square.index();
            classes[at] = 3 * own[at].min(2) + enemy[at].min(2);
        }
        classes
    }
}

impl From<&Board> for Placement {
    fn from(board: &Board) -> Self {
        let mut placement = Self::EMPTY;
        for (square, piece) in board.pieces() {
            placement.squares[square.index()] = Some(piece);
        }
        for color in Color::ALL {
            let hand = &mut placement.hands[color.index()];
            *hand = board.held(color).fold(Hand::EMPTY, |hand, (kind, count)| hand.with(kind, count.into()));
        }
        placement
    }
}

impl From<&Position> for Placement {
    fn from(position: &Position) -> Self {
        let mut squares = [None; Square::COUNT];
        for square in Square::all() {
            squares[square.index()] = position.piece_on(square);
        }
        Self { squares, hands: Color::ALL.map(|color| position.hand(color)) }
    }
}

/// The number of pieces in a hand.
pub(super) fn held(hand: Hand) -> u32 {
    PieceType::HAND.into_iter().map(|kind| hand.count(kind)).sum()
}
