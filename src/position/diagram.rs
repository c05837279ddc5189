//! A position as an ASCII diagram.

use std::fmt;

use crate::types::{Color, Square};

use super::Position;

/// The board from Black's side with both hands, in ASCII: Black's pieces are capitals, a promoted piece has a `+`.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_hand(f, Color::White)?;
        writeln!(f, "  9  8  7  6  5  4  3  2  1")?;
        for rank in 0..9 {
            for file in (0..9).rev() {
                let square = self.piece_on(Square::new(file, rank)).map_or(".".into(), |piece| piece.to_string());
                write!(f, "{square:>3}")?;
            }
            writeln!(f, "  {}", char::from(b'a' + rank))?;
        }
        self.fmt_hand(f, Color::Black)?;
        write!(f, "move {}, {} to move", self.move_number(), self.side_to_move())
    }
}

impl Position {
    fn fmt_hand(&self, f: &mut fmt::Formatter<'_>, color: Color) -> fmt::Result {
        write!(f, "{color} in hand:")?;
        if self.hand(color).is_empty() {
            write!(f, " -")?;
        }
        for (kind, count) in self.hand(color).iter() {
            write!(f, " {}", kind.letter())?;
            if count > 1 {
                write!(f, "{count}")?;
            }
        }
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_with_a_hand() {
        let text = Position::from_sfen("lnsgkgsnl/1r7/9/9/9/9/9/1+B7/4K4 b P2g 5").unwrap().to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "white in hand: G2");
        assert_eq!(lines[2], "  l  n  s  g  k  g  s  n  l  a");
        assert_eq!(lines[9], "  . +B  .  .  .  .  .  .  .  h");
        assert_eq!(lines[11..], ["black in hand: P", "move 5, black to move"]);
    }
}
