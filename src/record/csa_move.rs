//! CSA's squares, pieces and moves (`+7776FU`); JKF has the same codes.

use crate::position::Board;
use crate::types::{Color, Move, PieceType, Square};

const KINDS: [(PieceType, &str); 14] = [
    (PieceType::Pawn, "FU"),
    (PieceType::Lance, "KY"),
    (PieceType::Knight, "KE"),
    (PieceType::Silver, "GI"),
    (PieceType::Gold, "KI"),
    (PieceType::Bishop, "KA"),
    (PieceType::Rook, "HI"),
    (PieceType::King, "OU"),
    (PieceType::ProPawn, "TO"),
    (PieceType::ProLance, "NY"),
    (PieceType::ProKnight, "NK"),
    (PieceType::ProSilver, "NG"),
    (PieceType::Horse, "UM"),
    (PieceType::Dragon, "RY"),
];

/// The two letters of a piece type.
pub(super) fn code(kind: PieceType) -> &'static str {
    KINDS.iter().find(|(other, _)| *other == kind).map_or("OU", |&(_, code)| code)
}

/// The piece type of two letters.
pub(super) fn kind_of(code: &str) -> Option<PieceType> {
    KINDS.iter().find(|&&(_, other)| other == code).map(|&(kind, _)| kind)
}

/// A move in CSA notation with its side: `+7776FU`.
pub fn csa_move(before: &Board, mv: Move) -> String {
    let kind = mv
        .dropped()
        .or_else(|| {
            let kind = before.piece_on(mv.from()?)?.piece_type();
            if mv.is_promotion() { kind.promoted() } else { Some(kind) }
        })
        .unwrap_or(PieceType::King);
    let digits = |square: Square| format!("{}{}", square.file() + 1, square.rank() + 1);
    format!(
        "{}{}{}{}",
        sign(before.side_to_move()),
        mv.from().map_or_else(|| "00".to_owned(), digits),
        digits(mv.to()),
        code(kind)
    )
}

pub(super) fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

/// Reads a move in CSA notation; `None` if the side to move cannot make it.
pub fn read_csa_move(diagram: &Board, text: &str) -> Option<Move> {
    read_move(diagram, text).ok()
}

/// Reads a move in CSA notation.
pub(super) fn read_move(diagram: &Board, text: &str) -> Result<Move, String> {
    let bad = || format!("'{text}' is not a move (expected +7776FU)");
    if !text.is_ascii() || text.len() < 7 {
        return Err(bad());
    }
    let side = if text.starts_with('+') { Color::Black } else { Color::White };
    if side != diagram.side_to_move() {
        return Err(format!("'{text}': it is {}'s move", diagram.side_to_move()));
    }
    let to = read_square(&text[3..5]).ok_or_else(bad)?;
    let kind = kind_of(&text[5..7]).ok_or_else(bad)?;
    if &text[1..3] == "00" {
        if kind.is_promoted() || kind == PieceType::King {
            return Err(format!("'{text}': a {} cannot be dropped", kind.name()));
        }
        return Ok(Move::drop(kind, to));
    }
    let from = read_square(&text[1..3]).ok_or_else(bad)?;
    let before = diagram.piece_on(from).ok_or_else(|| format!("'{text}': there is no piece on {from}"))?.piece_type();
    let promote = before != kind;
    if promote && before.promoted() != Some(kind) || from == to {
        return Err(format!("'{text}': the piece on {from} is a {}", before.name()));
    }
    Ok(Move::board(from, to, promote))
}

pub(super) fn read_square(text: &str) -> Option<Square> {
    match *text.as_bytes() {
        [file @ b'1'..=b'9', rank @ b'1'..=b'9'] => Some(Square::new(file - b'1', rank - b'1')),
        _ => None,
    }
}
