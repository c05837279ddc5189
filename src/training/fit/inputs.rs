//! From positions to the rows of the sparse layer.

use crate::position::Board;
use crate::types::{Color, PieceType, Square};

/// A set of input features.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Inputs {
    /// Each piece on its square by owner and kind, each copy in hand; left and right exchanged so that the own king
    /// stands on files 1 to 5. 2344 rows, at most 40 active.
    PieceSquare,
    /// HalfKP (YaneuraOu's nn.bin): own king's square times piece on square; behind them one row per piece on square
    /// for all kings, which is added into every king's rows on export: rare kings learn from the others
    /// ("factoriser", nnue-pytorch).
    HalfKp,
}

/// Rows of one owner in [`Inputs::PieceSquare`]: 14 kinds on 81 squares, then 38 copies in hand.
const OWNER_ROWS: usize = 14 * 81 + 38;
/// First row of each kind's copies in hand, by [`PieceType::index`].
const HAND_ROW: [usize; 8] = [0, 0, 18, 22, 26, 34, 36, 30];
/// BonaPieces of HalfKP: indices per king square.
const BONA_PIECES: usize = 1548;

impl Inputs {
    /// The number of rows.
    pub const fn rows(self) -> usize {
        match self {
            Self::PieceSquare => 2 * OWNER_ROWS,
            Self::HalfKp => 82 * BONA_PIECES,
        }
    }

    /// The rows that begin with random weights; what a king adds to the common rows of HalfKP begins with nothing.
    pub const fn random_rows(self) -> std::ops::Range<usize> {
        match self {
            Self::PieceSquare => 0..2 * OWNER_ROWS,
            Self::HalfKp => 81 * BONA_PIECES..82 * BONA_PIECES,
        }
    }

    /// The first row of each piece, by owner and kind, whose rows for the squares follow each other: those of which a
    /// square's neighbours may learn.
    pub fn pieces(self) -> impl ExactSizeIterator<Item = usize> {
        let count = match self {
            Self::PieceSquare => 2 * 14,
            Self::HalfKp => 0,
        };
        (0..count).map(|piece| piece / 14 * OWNER_ROWS + piece % 14 * 81)
    }

    /// The most rows that one perspective can have active.
    pub const fn stride(self) -> usize {
        match self {
            Self::PieceSquare => 40,
            Self::HalfKp => 76,
        }
    }

    /// Writes the active rows of one perspective; places left over get the zero row's number, [`Inputs::rows`].
    pub fn active(self, position: &Board, perspective: Color, rows: &mut [u32]) {
        rows.fill(self.rows() as u32);
        let mut places = rows.iter_mut();
        let mut put = |row: usize| {
            if let Some(place) = places.next() {
                *place = row as u32;
            }
        };
        let king = position.king(perspective).map(|square| square.relative_to(perspective));
        match self {
            Self::PieceSquare => {
                let mirrored = king.is_some_and(|square| square.file() > 4);
                for (square, piece) in position.pieces() {
                    let square = square.relative_to(perspective);
                    let square = if mirrored { square.mirror() } else { square };
                    let enemy = piece.color() != perspective;
                    let kind = piece.piece_type().index() - 1;
                    put(enemy as usize * OWNER_ROWS + kind * 81 + square.index());
                }
                for color in Color::ALL {
                    let enemy = color != perspective;
                    for (kind, count) in position.held(color) {
                        for copy in 0..count as usize {
                            put(enemy as usize * OWNER_ROWS + 14 * 81 + HAND_ROW[kind.index()] + copy);
                        }
                    }
                }
            }
            Self::HalfKp => {
                let base = king.map_or(0, Square::index) * BONA_PIECES;
                let mut both = |bona: usize| {
                    put(base + bona);
                    put(81 * BONA_PIECES + bona);
                };
                for (square, piece) in position.pieces() {
                    if piece.piece_type() != PieceType::King {
                        let square = square.relative_to(perspective);
                        let enemy = piece.color() != perspective;
                        both(bona_on_board(piece.piece_type()) + enemy as usize * 81 + square.index());
                    }
                }
                for color in Color::ALL {
                    for (kind, count) in position.held(color) {
                        let first = bona_in_hand(kind, color != perspective);
                        for copy in 0..count as usize {
                            both(first + copy);
                        }
                    }
                }
            }
        }
    }
}

/// The first BonaPiece of a friendly kind on the board; promoted small pieces count as gold. The enemy's follow.
const fn bona_on_board(kind: PieceType) -> usize {
    90 + 162
        * match kind {
            PieceType::Pawn => 0,
            PieceType::Lance => 1,
            PieceType::Knight => 2,
            PieceType::Silver => 3,
            PieceType::Bishop => 5,
            PieceType::Horse => 6,
            PieceType::Rook => 7,
            PieceType::Dragon => 8,
            _ => 4,
        }
}

/// The first BonaPiece of a kind in hand.
const fn bona_in_hand(kind: PieceType, enemy: bool) -> usize {
    let (friend_first, enemy_first) = match kind {
        PieceType::Pawn => (1, 20),
        PieceType::Lance => (39, 44),
        PieceType::Knight => (49, 54),
        PieceType::Silver => (59, 64),
        PieceType::Gold => (69, 74),
        PieceType::Bishop => (79, 82),
        _ => (85, 88),
    };
    if enemy { enemy_first } else { friend_first }
}
