//! Kinds of pieces, and pieces with an owner.

use std::fmt;
use std::num::NonZeroU8;

use super::Color;

/// A kind of piece. The number of a promoted kind is that of its unpromoted kind plus 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceType {
    /// 歩
    Pawn = 1,
    /// 香
    Lance = 2,
    /// 桂
    Knight = 3,
    /// 銀
    Silver = 4,
    /// 角
    Bishop = 5,
    /// 飛
    Rook = 6,
    /// 金
    Gold = 7,
    /// 玉
    King = 8,
    /// と
    ProPawn = 9,
    /// 成香
    ProLance = 10,
    /// 成桂
    ProKnight = 11,
    /// 成銀
    ProSilver = 12,
    /// 馬
    Horse = 13,
    /// 竜
    Dragon = 14,
}

use PieceType::*;

impl PieceType {
    /// The length of tables indexed by [`PieceType::index`]; index 0 and 15 are never used.
    pub const TABLE: usize = 16;

    /// Every kind, in number order.
    pub const ALL: [Self; 14] =
        [Pawn, Lance, Knight, Silver, Bishop, Rook, Gold, King, ProPawn, ProLance, ProKnight, ProSilver, Horse, Dragon];

    /// The seven kinds that can be held in hand, cheapest first.
    pub const HAND: [Self; 7] = [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook];

    /// 1..=14: the index of tables by kind.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind with a number 1..=14.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index >= 1 && index <= 14 { Some(Self::ALL[index - 1]) } else { None }
    }

    /// The kind after promotion; `None` for gold, king and what is promoted already.
    #[inline(always)]
    pub const fn promoted(self) -> Option<Self> {
        match self {
            Pawn => Some(ProPawn),
            Lance => Some(ProLance),
            Knight => Some(ProKnight),
            Silver => Some(ProSilver),
            Bishop => Some(Horse),
            Rook => Some(Dragon),
            _ => None,
        }
    }

    /// The unpromoted kind, as it is held in hand after a capture.
    #[inline(always)]
    pub const fn unpromoted(self) -> Self {
        match self {
            ProPawn => Pawn,
            ProLance => Lance,
            ProKnight => Knight,
            ProSilver => Silver,
            Horse => Bishop,
            Dragon => Rook,
            other => other,
        }
    }

    /// Whether this is a promoted kind.
    #[inline(always)]
    pub const fn is_promoted(self) -> bool {
        self as u8 > King as u8
    }

    /// How many pieces of this (unpromoted) kind a set holds: 18 pawns, 2 rooks, ... 2 kings.
    pub const fn count_in_set(self) -> u8 {
        match self.unpromoted() {
            Pawn => 18,
            Lance | Knight | Silver | Gold => 4,
            _ => 2,
        }
    }

    /// The upper-case SFEN letter of the unpromoted kind.
    pub const fn letter(self) -> char {
        match self.unpromoted() {
            Pawn => 'P',
            Lance => 'L',
            Knight => 'N',
            Silver => 'S',
            Bishop => 'B',
            Rook => 'R',
            Gold => 'G',
            _ => 'K',
        }
    }

    /// The unpromoted kind of an SFEN letter of either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            'P' => Pawn,
            'L' => Lance,
            'N' => Knight,
            'S' => Silver,
            'B' => Bishop,
            'R' => Rook,
            'G' => Gold,
            'K' => King,
            _ => return None,
        })
    }

    /// The English name, in lower case, as messages use it.
    pub const fn name(self) -> &'static str {
        match self {
            Pawn => "pawn",
            Lance => "lance",
            Knight => "knight",
            Silver => "silver",
            Bishop => "bishop",
            Rook => "rook",
            Gold => "gold",
            King => "king",
            ProPawn => "promoted pawn",
            ProLance => "promoted lance",
            ProKnight => "promoted knight",
            ProSilver => "promoted silver",
            Horse => "horse",
            Dragon => "dragon",
        }
    }
}

/// SFEN: `P`, `+P`, ...
impl fmt::Display for PieceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_promoted() {
            f.write_str("+")?;
        }
        write!(f, "{}", self.letter())
    }
}

/// A piece with its owner; `Option<Piece>` is one byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(NonZeroU8);

/// The error for text that is not a piece.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a piece (expected a letter of PLNSGBRK in either case, '+' before it if promoted)")]
pub struct ParsePieceError(pub String);

impl Piece {
    /// The length of tables indexed by [`Piece::index`].
    pub const TABLE: usize = 32;

    /// A piece of a kind and an owner.
    #[inline(always)]
    pub const fn new(color: Color, piece_type: PieceType) -> Self {
        match NonZeroU8::new(piece_type as u8 | (color as u8) << 4) {
            Some(code) => Self(code),
            None => unreachable!(),
        }
    }

    /// 1..=14 for Black's pieces, 17..=30 for White's: the index of tables by piece.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0.get() as usize
    }

    /// The kind.
    #[inline(always)]
    pub const fn piece_type(self) -> PieceType {
        // SAFETY: `new` is the only constructor, so the low four bits are those of a PieceType.
        unsafe { std::mem::transmute::<u8, PieceType>(self.0.get() & 15) }
    }

    /// The owner.
    #[inline(always)]
    pub const fn color(self) -> Color {
        if self.0.get() & 16 == 0 { Color::Black } else { Color::White }
    }

    /// The piece after promotion; `None` where its kind has none.
    #[inline(always)]
    pub const fn promoted(self) -> Option<Self> {
        match self.piece_type().promoted() {
            Some(kind) => Some(Self::new(self.color(), kind)),
            None => None,
        }
    }

    /// The piece of an SFEN token such as `P`, `+b`.
    pub fn from_sfen(token: &str) -> Result<Self, ParsePieceError> {
        let error = || ParsePieceError(token.to_owned());
        let (promoted, letter) = match token.strip_prefix('+') {
            Some(rest) => (true, rest),
            None => (false, token),
        };
        let mut chars = letter.chars();
        let (Some(letter), None) = (chars.next(), chars.next()) else {
            return Err(error());
        };
        let kind = PieceType::from_letter(letter).ok_or_else(error)?;
        let kind = if promoted { kind.promoted().ok_or_else(error)? } else { kind };
        let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
        Ok(Self::new(color, kind))
    }
}

/// SFEN: upper case for Black, lower case for White, `+` before a promoted piece.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.piece_type();
        if kind.is_promoted() {
            f.write_str("+")?;
        }
        let letter = kind.letter();
        let letter = match self.color() {
            Color::Black => letter,
            Color::White => letter.to_ascii_lowercase(),
        };
        write!(f, "{letter}")
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_reads_back() {
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let piece = Piece::new(color, kind);
                assert_eq!((piece.color(), piece.piece_type()), (color, kind));
                assert_eq!(Piece::from_sfen(&piece.to_string()), Ok(piece));
                assert_eq!(PieceType::from_index(kind.index()), Some(kind));
            }
        }
        assert_eq!(std::mem::size_of::<Option<Piece>>(), 1);
        for token in ["", "+", "x", "+K", "+G", "PP", "++P", "歩"] {
            assert!(Piece::from_sfen(token).is_err(), "{token}");
        }
    }
}
