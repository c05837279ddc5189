//! Positions in 32 bytes: the two Huffman codes that training data and opening books use.
//!
//! Both write the side to move, the two kings' squares, the other squares and the hands as a string of 256 bits with
//! the same code lengths; they differ in two codes, in the order of the colour and promotion bits and in what they do
//! with pieces that are missing from the set. PackedSfen is the engine YaneuraOu's, HuffmanCodedPos Apery's.

use super::Board;
use super::bits::{BitReader, BitWriter};
use crate::types::{Color, Hand, Piece, PieceType, Square};

/// Which of the two codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// PackedSfen (YaneuraOu, nnue-pytorch, ...): can hold positions with missing pieces.
    PackedSfen,
    /// HuffmanCodedPos (Apery, dlshogi, cshogi): full sets only.
    Huffman,
}

/// Why 32 bytes cannot be decoded, or a position cannot be encoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackError {
    /// A king square above 81 or both kings on one square.
    #[error("a packed position names impossible king squares ({0} and {1})")]
    Kings(u32, u32),
    /// The bits end inside a piece, or hold a piece that does not exist.
    #[error("a packed position has a broken code at bit {0}")]
    BrokenCode(usize),
    /// More pieces of a kind than a set has.
    #[error("a packed position has too many pieces of the kind {0}")]
    TooMany(&'static str),
    /// A position that the code cannot hold.
    #[error("the position does not fit: {0}")]
    DoesNotFit(&'static str),
}

/// Prefix code and its length for the squares of the board, by kind; the hands use it without its first bit.
const fn prefix(code: Code, kind: PieceType) -> (u32, u32) {
    let packed_sfen = matches!(code, Code::PackedSfen);
    match kind.unpromoted() {
        PieceType::Pawn => (0b01, 2),
        PieceType::Lance => (0b0011, 4),
        PieceType::Knight if packed_sfen => (0b1011, 4),
        PieceType::Knight => (0b0111, 4),
        PieceType::Silver if packed_sfen => (0b0111, 4),
        PieceType::Silver => (0b1011, 4),
        PieceType::Gold => (0b01111, 5),
        PieceType::Bishop => (0b011111, 6),
        _ => (0b111111, 6),
    }
}

/// The code of a kind in a hand.
const fn hand_prefix(code: Code, kind: PieceType) -> (u32, u32) {
    let (value, length) = prefix(code, kind);
    match (code, kind) {
        // Apery's bishop and rook keep the bit that the promotion leaves free.
        (Code::Huffman, PieceType::Bishop) => (0b011111, 6),
        (Code::Huffman, PieceType::Rook) => (0b111111, 6),
        _ => (value >> 1, length - 1),
    }
}

/// Packs a position into 32 bytes.
pub fn pack(position: &Board, code: Code) -> Result<[u8; 32], PackError> {
    let mut writer = BitWriter::default();
    writer.bits(position.side_to_move().index() as u32, 1);
    for color in Color::ALL {
        let square = position.king(color).map_or(81, Square::index);
        if square == 81 && code == Code::Huffman {
            return Err(PackError::DoesNotFit("a king is missing"));
        }
        writer.bits(square as u32, 7);
    }
    let mut on_board = [0; PieceType::TABLE];
    for square in Square::all() {
        match position.piece_on(square) {
            None => writer.bits(0, 1),
            Some(piece) if piece.piece_type() == PieceType::King => {}
            Some(piece) => {
                on_board[piece.piece_type().unpromoted().index()] += 1;
                let (value, length) = prefix(code, piece.piece_type());
                writer.bits(value, length);
                let color = piece.color().index() as u32;
                let promoted = piece.piece_type().is_promoted() as u32;
                match (piece.piece_type(), code) {
                    (PieceType::Gold, _) => writer.bits(color, 1),
                    (_, Code::PackedSfen) => writer.bits(promoted | color << 1, 2),
                    (_, Code::Huffman) => writer.bits(color | promoted << 1, 2),
                }
            }
        }
    }
    let mut missing = Hand::EMPTY;
    for kind in PieceType::HAND {
        let on_board: u32 = on_board[kind.index()];
        let held = u32::from(position.hand(Color::Black, kind)) + u32::from(position.hand(Color::White, kind));
        let in_set = kind.count_in_set() as u32;
        let absent = in_set.checked_sub(on_board + held).ok_or(PackError::TooMany(kind.name()))?;
        missing = missing.with(kind, absent);
    }
    if !missing.is_empty() && code == Code::Huffman {
        return Err(PackError::DoesNotFit(
            "pieces are missing from the set (a handicap or a problem), which this format cannot say",
        ));
    }
    for color in Color::ALL {
        for kind in PieceType::HAND {
            for _ in 0..position.hand(color, kind) {
                hand_piece(&mut writer, code, kind, color);
            }
        }
    }
    for kind in PieceType::HAND {
        for _ in 0..missing.count(kind) {
            // Outside the set: a held piece of Black that is "promoted"; gold, which cannot be, is a silver of White.
            let gold = kind == PieceType::Gold;
            let (value, length) = hand_prefix(code, if gold { PieceType::Silver } else { kind });
            writer.bits(value, length);
            writer.bits(1 | (gold as u32) << 1, 2);
        }
    }
    writer.finish().ok_or(PackError::DoesNotFit("it is no set of 40 pieces with two kings"))
}

fn hand_piece(writer: &mut BitWriter, code: Code, kind: PieceType, color: Color) {
    let (value, length) = hand_prefix(code, kind);
    writer.bits(value, length);
    let keeps_no_bit = kind == PieceType::Gold || code == Code::Huffman && length == 6;
    writer.bits(0, if keeps_no_bit { 0 } else { 1 });
    writer.bits(color.index() as u32, 1);
}

/// Unpacks 32 bytes. The position need not be legal; its piece counts are those of a set at most.
pub fn unpack(bytes: &[u8; 32], code: Code) -> Result<Board, PackError> {
    let mut reader = Decoder { bits: BitReader::new(bytes), code };
    let mut position = Board::EMPTY;
    let mut left = [0u8; PieceType::TABLE];
    for kind in PieceType::HAND {
        left[kind.index()] = kind.count_in_set();
    }
    position.set_side_to_move(reader.color()?);
    let kings = [reader.number(7)?, reader.number(7)?];
    if kings[0] > 81 || kings[1] > 81 || kings[0] == kings[1] && kings[0] != 81 {
        return Err(PackError::Kings(kings[0], kings[1]));
    }
    for color in Color::ALL {
        if let Some(square) = Square::from_index(kings[color.index()] as usize) {
            position.set(square, Some(Piece::new(color, PieceType::King)));
        }
    }
    for square in Square::all() {
        if position.piece_on(square).is_some() || !reader.bit()? {
            continue;
        }
        let kind = reader.kind(false)?;
        let (promoted, color) = match (kind, code) {
            (PieceType::Gold, _) => (false, reader.color()?),
            (_, Code::PackedSfen) => (reader.bit()?, reader.color()?),
            (_, Code::Huffman) => {
                let color = reader.color()?;
                (reader.bit()?, color)
            }
        };
        take(&mut left, kind)?;
        let placed = if promoted { kind.promoted().unwrap_or(kind) } else { kind };
        position.set(square, Some(Piece::new(color, placed)));
    }
    while !reader.bits.at_end() {
        let start = reader.bits.position();
        let kind = reader.kind(true)?;
        let outside = match (kind, code) {
            (PieceType::Gold, _) => false,
            (PieceType::Bishop | PieceType::Rook, Code::Huffman) => false,
            _ => reader.bit()?,
        };
        let color = reader.color()?;
        if outside && code == Code::Huffman {
            return Err(PackError::BrokenCode(start));
        }
        if outside {
            let gold = kind == PieceType::Silver && color == Color::White;
            take(&mut left, if gold { PieceType::Gold } else { kind })?;
        } else {
            take(&mut left, kind)?;
            position.set_hand(color, kind, position.hand(color, kind) + 1);
        }
    }
    Ok(position)
}

fn take(left: &mut [u8; PieceType::TABLE], kind: PieceType) -> Result<(), PackError> {
    let count = &mut left[kind.index()];
    *count = count.checked_sub(1).ok_or(PackError::TooMany(kind.name()))?;
    Ok(())
}

struct Decoder<'a> {
    bits: BitReader<'a>,
    code: Code,
}

impl Decoder<'_> {
    fn bit(&mut self) -> Result<bool, PackError> {
        let at = self.bits.position();
        self.bits.bit().ok_or(PackError::BrokenCode(at))
    }

    fn number(&mut self, count: u32) -> Result<u32, PackError> {
        let at = self.bits.position();
        self.bits.bits(count).ok_or(PackError::BrokenCode(at))
    }

    fn color(&mut self) -> Result<Color, PackError> {
        Ok(if self.bit()? { Color::White } else { Color::Black })
    }

    /// The kind, whose first bit is already read on the board and not written in the hands.
    fn kind(&mut self, in_hand: bool) -> Result<PieceType, PackError> {
        let start = self.bits.position();
        let (mut value, mut length) = (0, 0);
        while length < 6 {
            value |= (self.bit()? as u32) << length;
            length += 1;
            for kind in PieceType::HAND {
                let (code, bits) = if in_hand {
                    hand_prefix(self.code, kind)
                } else {
                    let (code, bits) = prefix(self.code, kind);
                    (code >> 1, bits - 1)
                };
                if bits == length && code == value {
                    return Ok(kind);
                }
            }
        }
        Err(PackError::BrokenCode(start))
    }
}
