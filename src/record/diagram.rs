//! A board, two hands and a side to move, without rules.

use std::fmt;

use crate::types::{Color, Move, Piece, PieceType, Square};

/// A position as a diagram shows it (局面図), legal or not: any number of pieces, pawns on the last rank, no king. Only
/// physically impossible moves are refused.
#[derive(Clone, PartialEq, Eq)]
pub struct Diagram {
    squares: [Option<Piece>; Square::COUNT],
    /// By colour and [`PieceType::index`].
    hands: [[u8; 8]; 2],
    turn: Color,
}

/// Why a move is impossible.
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
    /// The piece is not in hand.
    #[error("there is no {} in hand", .0.name())]
    NotInHand(PieceType),
    /// The piece does not promote.
    #[error("a {} cannot promote", .0.name())]
    CannotPromote(PieceType),
}

impl Diagram {
    /// An empty board, empty hands, Black to move.
    pub fn empty() -> Self {
        Self { squares: [None; Square::COUNT], hands: [[0; 8]; 2], turn: Color::Black }
    }

    /// The piece on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// Sets the contents of a square.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.squares[square.index()] = piece;
    }

    /// How many pieces of a type a side has in hand.
    pub fn hand(&self, color: Color, kind: PieceType) -> u8 {
        *self.hands[color.index()].get(kind.index()).unwrap_or(&0)
    }

    /// Sets how many pieces of a type a side has in hand; ignored for types that cannot be in hand.
    pub fn set_hand(&mut self, color: Color, kind: PieceType, count: u8) {
        if let Some(held) = self.hands[color.index()].get_mut(kind.index()) {
            *held = count;
        }
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Sets the side to move.
    pub fn set_turn(&mut self, turn: Color) {
        self.turn = turn;
    }

    /// The pieces on the board with their squares, in square order.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        Square::all().filter_map(|square| Some((square, self.piece(square)?)))
    }

    /// Makes a move of the side to move. Nothing changes on error.
    pub fn apply(&mut self, mv: Move) -> Result<(), Impossible> {
        let (turn, to) = (self.turn, mv.to());
        let placed = match (mv.from(), mv.dropped()) {
            (Some(from), _) => {
                let piece = self.piece(from).ok_or(Impossible::NoPiece(from))?;
                if piece.color() != turn {
                    return Err(Impossible::NotYours(from));
                }
                if self.piece(to).is_some_and(|piece| piece.color() == turn) {
                    return Err(Impossible::OwnPiece(to));
                }
                let placed = if mv.is_promotion() {
                    piece.promoted().ok_or(Impossible::CannotPromote(piece.piece_type()))?
                } else {
                    piece
                };
                self.set(from, None);
                if let Some(captured) = self.piece(to) {
                    let kind = captured.piece_type().unpromoted();
                    let held = self.hand(turn, kind);
                    self.set_hand(turn, kind, held.saturating_add(1));
                }
                placed
            }
            (None, Some(kind)) => {
                if self.piece(to).is_some() {
                    return Err(Impossible::Occupied(to));
                }
                let held = self.hand(turn, kind).checked_sub(1).ok_or(Impossible::NotInHand(kind))?;
                self.set_hand(turn, kind, held);
                Piece::new(turn, kind)
            }
            (None, None) => return Ok(()),
        };
        self.set(to, Some(placed));
        self.turn = !turn;
        Ok(())
    }

    /// Whether the piece on `from` reaches `to` by its way of moving; whatever is on `to` does not matter.
    pub fn reaches(&self, from: Square, to: Square) -> bool {
        let Some(piece) = self.piece(from) else {
            return false;
        };
        let black = piece.color() == Color::Black;
        // Seen from the mover: `forward` ranks towards the enemy, `right` files to its right.
        let (forward, right) = {
            let ranks = i32::from(from.rank()) - i32::from(to.rank());
            let files = i32::from(from.file()) - i32::from(to.file());
            if black { (ranks, files) } else { (-ranks, -files) }
        };
        let step = forward.abs().max(right.abs()) == 1;
        let gold = step && !(forward == -1 && right != 0);
        let straight = (forward == 0) != (right == 0) && self.clear_between(from, to);
        let diagonal = forward.abs() == right.abs() && forward != 0 && self.clear_between(from, to);
        match piece.piece_type() {
            PieceType::Pawn => forward == 1 && right == 0,
            PieceType::Lance => forward > 0 && right == 0 && straight,
            PieceType::Knight => forward == 2 && right.abs() == 1,
            PieceType::Silver => step && forward != 0 && !(forward == -1 && right == 0),
            PieceType::Gold
            | PieceType::ProPawn
            | PieceType::ProLance
            | PieceType::ProKnight
            | PieceType::ProSilver => gold,
            PieceType::King => step,
            PieceType::Bishop => diagonal,
            PieceType::Rook => straight,
            PieceType::Horse => diagonal || step,
            PieceType::Dragon => straight || step,
        }
    }

    /// Whether all squares between two squares of a line are empty.
    fn clear_between(&self, from: Square, to: Square) -> bool {
        let (mut file, mut rank) = (from.file() as i32, from.rank() as i32);
        let (to_file, to_rank) = (to.file() as i32, to.rank() as i32);
        let (df, dr) = ((to_file - file).signum(), (to_rank - rank).signum());
        loop {
            file += df;
            rank += dr;
            if (file, rank) == (to_file, to_rank) {
                return true;
            }
            if self.squares[(file * 9 + rank) as usize].is_some() {
                return false;
            }
        }
    }

    /// Whether a side's king is attacked; `false` if it has none.
    pub fn in_check(&self, color: Color) -> bool {
        let king = Piece::new(color, PieceType::King);
        self.pieces().any(|(square, piece)| {
            piece == king && self.pieces().any(|(from, piece)| piece.color() != color && self.reaches(from, square))
        })
    }

    /// Whether a possible move leaves the mover's king attacked.
    pub fn exposes_king(&self, mv: Move) -> bool {
        let mut after = self.clone();
        after.apply(mv).is_ok() && after.in_check(self.turn)
    }

    /// SFEN with a move number.
    pub fn to_sfen(&self, move_number: u32) -> String {
        let mut text = String::with_capacity(80);
        for rank in 0..9 {
            if rank > 0 {
                text.push('/');
            }
            let mut empty = 0;
            for file in (0..9).rev() {
                match self.piece(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            text.push_str(&empty.to_string());
                        }
                        empty = 0;
                        text.push_str(&piece.to_string());
                    }
                }
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
        }
        text.push_str(match self.turn {
            Color::Black => " b ",
            Color::White => " w ",
        });
        let board = text.len();
        for color in Color::ALL {
            for kind in PieceType::HAND.into_iter().rev() {
                match self.hand(color, kind) {
                    0 => continue,
                    1 => {}
                    count => text.push_str(&count.to_string()),
                }
                text.push_str(&Piece::new(color, kind).to_string());
            }
        }
        if text.len() == board {
            text.push('-');
        }
        format!("{text} {move_number}")
    }

    /// Reads SFEN (board, side, hands, move number; the last two may be missing) without validating the position.
    pub fn from_sfen(sfen: &str) -> Result<(Self, u32), String> {
        let mut fields = sfen.split_whitespace();
        let mut diagram = Self::empty();
        let board = fields.next().ok_or("the SFEN is empty")?;
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != 9 {
            return Err(format!("the board '{board}' has {} ranks, not 9", rows.len()));
        }
        for (rank, row) in (0u8..).zip(rows) {
            let (mut file, mut promoted) = (9i32, "");
            for c in row.chars() {
                if let (Some(count @ 1..), "") = (c.to_digit(10), promoted) {
                    file -= count as i32;
                } else if c == '+' && promoted.is_empty() {
                    promoted = "+";
                    continue;
                } else {
                    file -= 1;
                    let piece = Piece::from_sfen(&format!("{promoted}{c}"))
                        .map_err(|error| format!("{error} in rank '{row}'"))?;
                    if file >= 0 {
                        diagram.set(Square::new(file as u8, rank), Some(piece));
                    }
                    promoted = "";
                }
            }
            if file != 0 || !promoted.is_empty() {
                return Err(format!("rank '{row}' does not have 9 squares"));
            }
        }
        diagram.turn = match fields.next() {
            Some("b") => Color::Black,
            Some("w") => Color::White,
            Some(other) => return Err(format!("'{other}' is no side to move (expected b or w)")),
            None => return Err("the side to move is missing".to_owned()),
        };
        let hands = fields.next().unwrap_or("-");
        let mut count = String::new();
        for c in hands.chars().filter(|&c| c != '-') {
            if c.is_ascii_digit() {
                count.push(c);
                continue;
            }
            let kind = PieceType::from_letter(c).filter(|&kind| kind != PieceType::King);
            let number = if count.is_empty() { Ok(1) } else { count.parse::<u8>() };
            let (Some(kind), Ok(number)) = (kind, number) else {
                return Err(format!("'{count}{c}' in hand '{hands}' is no piece"));
            };
            let color = if c.is_ascii_uppercase() { Color::Black } else { Color::White };
            let held = diagram.hand(color, kind).saturating_add(number);
            diagram.set_hand(color, kind, held);
            count.clear();
        }
        if !count.is_empty() {
            return Err(format!("hand '{hands}' ends in a number"));
        }
        let number = match fields.next() {
            None => 1,
            Some(text) => text.parse().map_err(|_| format!("'{text}' is no move number"))?,
        };
        Ok((diagram, number))
    }
}

impl fmt::Debug for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_sfen(1))
    }
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
            let (diagram, number) = Diagram::from_sfen(sfen).unwrap();
            assert_eq!(diagram.to_sfen(number), sfen);
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
            assert!(Diagram::from_sfen(sfen).is_err(), "{sfen}");
        }
    }

    #[test]
    fn pieces_reach_what_the_rules_say() {
        let reach = |letter: &str, from: &str| {
            let mut diagram = Diagram::empty();
            let from: Square = from.parse().unwrap();
            diagram.set(from, Some(Piece::from_sfen(letter).unwrap()));
            Square::all().filter(|&to| diagram.reaches(from, to)).count()
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
        let (diagram, _) = Diagram::from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -").unwrap();
        for (mv, why) in [
            ("5e5d", "there is no piece on 5e"),
            ("3c3d", "the piece on 3c is the opponent's"),
            ("5i5h+", "a king cannot promote"),
            ("8h7g", "7g holds a piece of the same side"),
            ("P*5e", "there is no pawn in hand"),
            ("P*5c", "5c is not empty, nothing can be dropped there"),
        ] {
            let mut after = diagram.clone();
            let result = after.apply(mv.parse().unwrap());
            assert_eq!(result.unwrap_err().to_string(), why);
            assert_eq!(after, diagram);
        }
    }
}
