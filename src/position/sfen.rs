//! Positions as text: SFEN.

use std::fmt::Write;

use crate::types::{Color, Hand, Piece, PieceType, Square};

use super::{Position, PositionError};

/// Why a text is no position: one sentence that names the culprit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SfenError {
    /// A field is not there.
    #[error("the SFEN '{0}' lacks the {1}")]
    Missing(String, &'static str),
    /// Something follows the move number.
    #[error("the SFEN has '{0}' after its move number")]
    Trailing(String),
    /// The board has too few or too many ranks.
    #[error("the board has {0} ranks instead of 9")]
    Ranks(usize),
    /// A rank has too few or too many squares.
    #[error("rank {0} of the board, '{1}', has {2} squares instead of 9")]
    Squares(char, String, usize),
    /// A character of the board means nothing.
    #[error("'{1}' in rank {0} of the board is neither a piece nor a number of empty squares")]
    Piece(char, String),
    /// The side to move is neither `b` nor `w`.
    #[error("the side to move is '{0}' instead of b or w")]
    Side(String),
    /// The hands cannot be read.
    #[error("'{1}' in the hands '{0}' is neither a piece nor a count from 1 to 18 before one")]
    Hand(String, String),
    /// The move number is no number.
    #[error("the move number is '{0}' instead of a number")]
    MoveNumber(String),
    /// The text is read, but the position breaks a rule.
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// Texts in messages are cut to this many characters.
const QUOTE: usize = 60;

fn quote(text: &str) -> String {
    text.chars().take(QUOTE).collect()
}

impl Position {
    /// The even game's start.
    pub fn startpos() -> Self {
        match Self::from_sfen(Self::STARTPOS) {
            Ok(position) => position,
            Err(error) => unreachable!("{error}"),
        }
    }

    /// Reads an SFEN: board, side to move, hands, and a move number that may be missing.
    ///
    /// Fields may be separated by any blanks or by `_`; hands may come in any order.
    ///
    /// # Errors
    /// The first fault, in words: of the text, or of the position ([`PositionError`]).
    pub fn from_sfen(sfen: &str) -> Result<Self, SfenError> {
        let mut fields = sfen.split(|c: char| c.is_ascii_whitespace() || c == '_').filter(|field| !field.is_empty());
        let missing = |what| SfenError::Missing(quote(sfen), what);
        let board = parse_board(fields.next().ok_or_else(|| missing("board"))?)?;
        let side = match fields.next().ok_or_else(|| missing("side to move"))? {
            "b" => Color::Black,
            "w" => Color::White,
            other => return Err(SfenError::Side(quote(other))),
        };
        let hands = parse_hands(fields.next().ok_or_else(|| missing("hands ('-' if empty)"))?)?;
        let number = match fields.next() {
            None => 1,
            // 0 is common in files that count from the position set up.
            Some(text) if text.bytes().all(|c| c.is_ascii_digit()) => text.parse().unwrap_or(u32::MAX).max(1),
            Some(text) => return Err(SfenError::MoveNumber(quote(text))),
        };
        if let Some(field) = fields.next() {
            return Err(SfenError::Trailing(quote(field)));
        }
        Ok(Self::from_parts(&board, hands, side, number)?)
    }

    /// The position as an SFEN with its move number.
    pub fn to_sfen(&self) -> String {
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
                        // Writing to a String cannot fail.
                        let _ = write!(sfen, "{piece}");
                    }
                }
            }
            push_empty(&mut sfen, empty);
        }
        sfen.push_str(if self.side_to_move() == Color::Black { " b " } else { " w " });
        let (black, white) = (self.hand(Color::Black), self.hand(Color::White));
        if black.is_empty() && white.is_empty() {
            sfen.push('-');
        } else {
            let _ = write!(sfen, "{black}{}", white.to_string().to_lowercase());
        }
        let _ = write!(sfen, " {}", self.move_number());
        sfen
    }
}

fn push_empty(sfen: &mut String, count: u8) {
    if count > 0 {
        sfen.push((b'0' + count) as char);
    }
}

/// Reads the first field of a SFEN: nine ranks from file 9 to file 1. What stands there need not be within the rules.
///
/// # Errors
/// The first fault of the text, in words.
pub fn parse_board(text: &str) -> Result<[Option<Piece>; Square::COUNT], SfenError> {
    let mut board = [None; Square::COUNT];
    let ranks = text.split('/').count();
    if ranks != 9 {
        return Err(SfenError::Ranks(ranks));
    }
    for (rank, text) in text.split('/').enumerate() {
        let name = (b'a' + rank as u8) as char;
        let mut column = 0;
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            if let Some(empty @ 1..=9) = c.to_digit(10) {
                column += empty as usize;
                continue;
            }
            let mut token = String::from(c);
            if c == '+' {
                token.extend(chars.next());
            }
            let piece = Piece::from_sfen(&token).map_err(|_| SfenError::Piece(name, token))?;
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

fn parse_hands(text: &str) -> Result<[Hand; 2], SfenError> {
    let mut hands = [Hand::EMPTY; 2];
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
        let hand = &mut hands[color.index()];
        let sum = hand.count(kind) + count;
        if sum > u32::from(kind.count_in_set()) {
            return Err(SfenError::Position(PositionError::TooMany(kind, sum)));
        }
        *hand = hand.with(kind, sum);
        digits.clear();
    }
    if digits.is_empty() { Ok(hands) } else { Err(SfenError::Hand(quote(text), quote(&digits))) }
}
