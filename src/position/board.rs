//! A board, two hands and a side to move, without the rules of a game; reading and writing them as SFEN.

use std::fmt::{self, Write};

use crate::bitboard::{Bitboard, attacks};
use crate::types::{BySquare, Color, Move, Piece, PieceType, Square};

use super::{Position, SfenError};

/// What stands where. It may hold what no game may: any number of pieces, pawns on the last rank, no king. It moves
/// pieces as told and refuses only what cannot be carried out with the hands.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    squares: BySquare<Option<Piece>>,
    /// By colour and [`PieceType::index`] of the kinds that can be held.
    hands: [[u8; 8]; 2],
    side_to_move: Color,
}

/// Why a move cannot be carried out on a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Impossible {
    /// The origin is empty.
    #[error("there is no piece on {0}")]
    NoPiece(Square),
    /// The piece on the origin is the opponent's.
    #[error("the piece on {0} is the opponent's")]
    NotYours(Square),
    /// The destination holds an own piece.
    #[error("{0} holds a piece of the same side")]
    OwnPiece(Square),
    /// A drop on a piece.
    #[error("{0} is not empty, nothing can be dropped there")]
    Occupied(Square),
    /// The kind is not in hand.
    #[error("there is no {} in hand", .0.name())]
    NotInHand(PieceType),
    /// The kind does not promote.
    #[error("a {} cannot promote", .0.name())]
    CannotPromote(PieceType),
}

/// Texts in messages are cut to this many characters.
const QUOTE: usize = 60;

pub(super) fn quote(text: &str) -> String {
    text.chars().take(QUOTE).collect()
}

/// The fields of an SFEN.
pub(super) fn sfen_fields(sfen: &str) -> impl Iterator<Item = &str> {
    sfen.split(|c: char| c.is_ascii_whitespace() || c == '_').filter(|field| !field.is_empty())
}

impl Board {
    /// No piece anywhere, Black to move.
    pub const EMPTY: Self = Self { squares: [None; Square::COUNT], hands: [[0; 8]; 2], side_to_move: Color::Black };

    /// The piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// Puts a piece on a square, or empties it.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.squares[square.index()] = piece;
    }

    /// How many pieces of a kind a side holds; 0 for a kind that cannot be held.
    pub fn hand(&self, color: Color, kind: PieceType) -> u8 {
        *self.hands[color.index()].get(kind.index()).unwrap_or(&0)
    }

    /// Sets how many pieces of a kind a side holds; nothing happens for a kind that cannot be held.
    pub fn set_hand(&mut self, color: Color, kind: PieceType, count: u8) {
        if let Some(held) = self.hands[color.index()].get_mut(kind.index()) {
            *held = count;
        }
    }

    /// The kinds that a side holds with their numbers, cheapest first.
    pub fn held(&self, color: Color) -> impl Iterator<Item = (PieceType, u8)> {
        let count = move |kind: PieceType| (kind, self.hand(color, kind));
        PieceType::HAND.into_iter().map(count).filter(|&(_, count)| count > 0)
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Sets the side to move.
    pub fn set_side_to_move(&mut self, color: Color) {
        self.side_to_move = color;
    }

    /// The pieces on the board with their squares, in square order.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        Square::all().filter_map(|square| Some((square, self.piece_on(square)?)))
    }

    /// The square of a side's king, the first one where it has several.
    pub fn king(&self, color: Color) -> Option<Square> {
        let king = Some(Piece::new(color, PieceType::King));
        Square::all().find(|&square| self.piece_on(square) == king)
    }

    /// The same position with the colours exchanged and the board turned by 180 degrees.
    pub fn turned(&self) -> Self {
        let mut turned = Self { side_to_move: !self.side_to_move, hands: self.hands, ..Self::EMPTY };
        turned.hands.swap(0, 1);
        for (square, piece) in self.pieces() {
            turned.set(square.rotate(), Some(Piece::new(!piece.color(), piece.piece_type())));
        }
        turned
    }

    fn occupied(&self) -> Bitboard {
        self.pieces().fold(Bitboard::EMPTY, |set, (square, _)| set | Bitboard::from_square(square))
    }

    /// Carries a move of the side to move out and passes the turn. On error nothing changes.
    pub fn apply(&mut self, mv: Move) -> Result<(), Impossible> {
        let (us, to) = (self.side_to_move, mv.to());
        let placed = match (mv.from(), mv.dropped()) {
            (Some(from), _) => {
                let piece = self.piece_on(from).ok_or(Impossible::NoPiece(from))?;
                if piece.color() != us {
                    return Err(Impossible::NotYours(from));
                }
                if self.piece_on(to).is_some_and(|piece| piece.color() == us) {
                    return Err(Impossible::OwnPiece(to));
                }
                let placed = if mv.is_promotion() {
                    piece.promoted().ok_or(Impossible::CannotPromote(piece.piece_type()))?
                } else {
                    piece
                };
                self.set(from, None);
                if let Some(captured) = self.piece_on(to) {
                    let kind = captured.piece_type().unpromoted();
                    let held = self.hand(us, kind);
                    self.set_hand(us, kind, held.saturating_add(1));
                }
                placed
            }
            (None, Some(kind)) => {
                if self.piece_on(to).is_some() {
                    return Err(Impossible::Occupied(to));
                }
                let held = self.hand(us, kind).checked_sub(1).ok_or(Impossible::NotInHand(kind))?;
                self.set_hand(us, kind, held);
                Piece::new(us, kind)
            }
            (None, None) => return Ok(()),
        };
        self.set(to, Some(placed));
        self.side_to_move = !us;
        Ok(())
    }

    /// Whether the piece on `from` moves to `to` by its kind's way of moving, blocked by pieces between; what stands
    /// on `to` does not matter.
    pub fn reaches(&self, from: Square, to: Square) -> bool {
        self.piece_on(from).is_some_and(|piece| attacks(piece, from, self.occupied()).contains(to))
    }

    /// Whether a side's king stands attacked; `false` where it has none.
    pub fn in_check(&self, color: Color) -> bool {
        let king = Piece::new(color, PieceType::King);
        let occupied = self.occupied();
        let attacked = |square| {
            let mut enemies = self.pieces().filter(|(_, piece)| piece.color() != color);
            enemies.any(|(from, piece)| attacks(piece, from, occupied).contains(square))
        };
        self.pieces().any(|(square, piece)| piece == king && attacked(square))
    }

    /// Whether a move that can be carried out leaves the mover's king attacked.
    pub fn exposes_king(&self, mv: Move) -> bool {
        let mut after = self.clone();
        after.apply(mv).is_ok() && after.in_check(self.side_to_move)
    }

    /// SFEN with a move number.
    pub fn to_sfen(&self, move_number: u32) -> String {
        let mut sfen = String::with_capacity(100);
        for rank in 0..9 {
            if rank > 0 {
                sfen.push('/');
            }
            let mut empty = 0;
            for file in (0..9).rev() {
                match self.piece_on(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        push_empty(&mut sfen, empty);
                        empty = 0;
                        push(&mut sfen, piece);
                    }
                }
            }
            push_empty(&mut sfen, empty);
        }
        sfen.push_str(if self.side_to_move == Color::Black { " b " } else { " w " });
        if self.hands == [[0; 8]; 2] {
            sfen.push('-');
        }
        for color in Color::ALL {
            for kind in PieceType::HAND.into_iter().rev() {
                let count = self.hand(color, kind);
                if count > 1 {
                    push(&mut sfen, count);
                }
                if count > 0 {
                    push(&mut sfen, Piece::new(color, kind));
                }
            }
        }
        push(&mut sfen, format_args!(" {move_number}"));
        sfen
    }

    /// Reads SFEN (board, side, hands, move number; the last two may be missing) without judging the position.
    ///
    /// Fields may be separated by any blanks or by `_`; hands may come in any order.
    ///
    /// # Errors
    /// The first fault of the text, in words.
    pub fn from_sfen(sfen: &str) -> Result<(Self, u32), SfenError> {
        let mut fields = sfen_fields(sfen);
        let missing = |what| SfenError::Missing(quote(sfen), what);
        let mut board = Self::EMPTY;
        board.squares = parse_squares(fields.next().ok_or_else(|| missing("board"))?)?;
        board.side_to_move = match fields.next().ok_or_else(|| missing("side to move"))? {
            "b" => Color::Black,
            "w" => Color::White,
            other => return Err(SfenError::Side(quote(other))),
        };
        board.hands = parse_hands(fields.next().unwrap_or("-"))?;
        let number = match fields.next() {
            None => 1,
            Some(text) if text.bytes().all(|c| c.is_ascii_digit()) => text.parse().unwrap_or(u32::MAX),
            Some(text) => return Err(SfenError::MoveNumber(quote(text))),
        };
        match fields.next() {
            None => Ok((board, number)),
            Some(field) => Err(SfenError::Trailing(quote(field))),
        }
    }
}

impl From<&Position> for Board {
    fn from(position: &Position) -> Self {
        let mut board = Self::EMPTY;
        for square in position.occupied() {
            board.squares[square.index()] = position.piece_on(square);
        }
        for color in Color::ALL {
            for (kind, count) in position.hand(color).iter() {
                board.set_hand(color, kind, count as u8);
            }
        }
        board.side_to_move = position.side_to_move();
        board
    }
}

/// Writing to a String cannot fail.
fn push(text: &mut String, what: impl fmt::Display) {
    let _ = write!(text, "{what}");
}

fn push_empty(sfen: &mut String, count: u8) {
    if count > 0 {
        push(sfen, count);
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_sfen(1))
    }
}

/// Reads the first field of an SFEN: nine ranks from file 9 to file 1.
fn parse_squares(text: &str) -> Result<BySquare<Option<Piece>>, SfenError> {
    let mut board = [None; Square::COUNT];
    let ranks = text.split('/').count();
    if ranks != 9 {
        return Err(SfenError::Ranks(quote(text), ranks));
    }
    for (rank, text) in text.split('/').enumerate() {
        let name = (b'a' + rank as u8) as char;
        let mut column = 0;
        let mut chars = text.char_indices();
        while let Some((at, c)) = chars.next() {
            if let Some(empty @ 1..=9) = c.to_digit(10) {
                column += empty as usize;
                continue;
            }
            let last = if c == '+' { chars.next() } else { None };
            let (end, c) = last.unwrap_or((at, c));
            let token = &text[at..end + c.len_utf8()];
            let piece = Piece::from_sfen(token).map_err(|_| SfenError::Piece(name, token.to_owned()))?;
            if column < 9 {
                board[Square::new(8 - column as u8, rank as u8).index()] = Some(piece);
            }
            column += 1;
        }
        if column != 9 {
            return Err(SfenError::Squares(name, quote(text), column));
        }
    }
    Ok(board)
}

fn parse_hands(text: &str) -> Result<[[u8; 8]; 2], SfenError> {
    let mut hands = [[0u8; 8]; 2];
    if text == "-" {
        return Ok(hands);
    }
    let mut digits = String::new();
    for c in text.chars() {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        let error = || SfenError::Hand(quote(text), quote(&format!("{digits}{c}")));
        let kind = PieceType::from_letter(c).filter(|&kind| kind != PieceType::King).ok_or_else(error)?;
        let count = match digits.as_str() {
            "" => 1,
            digits => digits.parse().ok().filter(|count| (1..=18).contains(count)).ok_or_else(error)?,
        };
        let color = if c.is_ascii_uppercase() { Color::Black } else { Color::White };
        let held = &mut hands[color.index()][kind.index()];
        *held = held.saturating_add(count);
        digits.clear();
    }
    if digits.is_empty() { Ok(hands) } else { Err(SfenError::Hand(quote(text), quote(&digits))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sfen_reads_back_even_where_no_game_can_stand() {
        for sfen in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "7pk/7p1/7p1/7p1/7p1/7p1/7p1/7p1/7p1 b 2R4L4s4n 7",
            "9/9/9/9/9/9/9/9/9 w 18P 120",
            "4k4/9/4+P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
        ] {
            let (board, number) = Board::from_sfen(sfen).unwrap();
            assert_eq!(board.to_sfen(number), sfen);
        }
        for sfen in [
            "",
            "9/9",
            "9/9/9/9/9/9/9/9/8 b -",
            "9/9/9/9/9/9/9/9/9 x -",
            "9/9/9/9/9/9/9/9/9 b K",
            "9/9/9/9/9/9/9/9/9 b 3",
            "9/9/9/9/9/9/9/9/10 b -",
            "9/9/9/9/9/9/9/9/8+ b -",
            "9/9/9/9/9/9/9/9/9 b - x",
            "9/9/9/9/9/9/9/9/9 b 999P",
        ] {
            assert!(Board::from_sfen(sfen).is_err(), "{sfen}");
        }
    }

    #[test]
    fn a_position_turned_twice_is_itself() {
        for (sfen, turned) in [
            (Position::STARTPOS, "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
            ("8k/9/9/9/9/9/9/9/+P7K b Rb2p 1", "k7+p/9/9/9/9/9/9/9/K8 w B2Pr 1"),
        ] {
            let (board, number) = Board::from_sfen(sfen).unwrap();
            assert_eq!(board.turned().to_sfen(number), turned);
            assert_eq!(board.turned().turned(), board);
        }
    }

    #[test]
    fn pieces_reach_what_the_rules_say() {
        let reach = |letter: &str, from: &str| {
            let mut board = Board::EMPTY;
            let from: Square = from.parse().unwrap();
            board.set(from, Some(Piece::from_sfen(letter).unwrap()));
            Square::all().filter(|&to| board.reaches(from, to)).count()
        };
        let counts = [
            ("P", 1),
            ("L", 4),
            ("N", 2),
            ("S", 5),
            ("G", 6),
            ("K", 8),
            ("B", 16),
            ("R", 16),
            ("+B", 20),
            ("+R", 20),
            ("+P", 6),
            ("n", 2),
            ("s", 5),
            ("l", 4),
            ("+n", 6),
        ];
        for (letter, count) in counts {
            assert_eq!(reach(letter, "5e"), count, "{letter}");
        }
        assert_eq!(reach("p", "5i"), 0);
    }

    #[test]
    fn impossible_moves_change_nothing() {
        let (board, _) = Board::from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -").unwrap();
        for (mv, why) in [
            ("5e5d", "there is no piece on 5e"),
            ("3c3d", "the piece on 3c is the opponent's"),
            ("5i5h+", "a king cannot promote"),
            ("8h7g", "7g holds a piece of the same side"),
            ("P*5e", "there is no pawn in hand"),
            ("P*5c", "5c is not empty, nothing can be dropped there"),
        ] {
            let mut after = board.clone();
            let result = after.apply(mv.parse().unwrap());
            assert_eq!(result.unwrap_err().to_string(), why);
            assert_eq!(after, board);
        }
    }
}
