//! A game without rules (USI-X): moves are appended as they come, and the engines' words end it.

use crate::types::Color;

use super::super::openings::Opening;
use super::super::result::{Ending, Reason};
use super::referee::Referee;

/// A referee that accepts every move.
pub struct Opaque {
    text: String,
    has_moves: bool,
    mover: Color,
    plies: u32,
    max_moves: Option<u32>,
}

impl Opaque {
    /// Starts from an opening. The first to move is Black, unless the second field of the start position's text is `w`.
    pub fn new(opening: &Opening, max_moves: Option<u32>) -> Self {
        let white_starts = opening.base.starts_with("sfen ") && opening.base.split_whitespace().nth(2) == Some("w");
        let plies = opening.moves.len() as u32;
        let mover = if white_starts == plies.is_multiple_of(2) { Color::White } else { Color::Black };
        Self { text: opening.text(), has_moves: plies > 0, mover, plies, max_moves }
    }

    /// Appends a token that is not a move, such as the next piece of a solo game.
    pub fn append(&mut self, token: &str) {
        self.text += if self.has_moves { " " } else { " moves " };
        self.text += token;
        self.has_moves = true;
    }
}

impl Referee for Opaque {
    fn mover(&self) -> Color {
        self.mover
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn before_move(&self) -> Option<Ending> {
        (self.max_moves.is_some_and(|limit| self.plies >= limit)).then(|| Ending::draw(Reason::MoveLimit))
    }

    fn line_fault(&self, _: &[String]) -> Option<String> {
        None
    }

    fn answer(&mut self, best: &str) -> Option<Ending> {
        match best {
            "" | "(none)" => {
                return Some(Ending::win(self.mover.flip(), Reason::NoMove));
            }
            "resign" => return Some(Ending::win(self.mover.flip(), Reason::Resign)),
            "win" => return Some(Ending::win(self.mover, Reason::Claim)),
            "draw" => return Some(Ending::draw(Reason::DrawClaim)),
            token => self.append(token),
        }
        self.mover = self.mover.flip();
        self.plies += 1;
        self.before_move()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_appended_as_they_are() {
        let opening = Opening::parse("sfen 8/8/8/3wb3/3bw3/8/8/8 b - 1").unwrap();
        let mut game = Opaque::new(&opening, Some(3));
        assert_eq!(game.mover(), Color::Black);
        assert_eq!(game.answer("f5"), None);
        assert_eq!(game.answer("B12>W10,B12>W11"), None);
        assert_eq!(game.text(), "sfen 8/8/8/3wb3/3bw3/8/8/8 b - 1 moves f5 B12>W10,B12>W11");
        assert_eq!(game.answer("pass"), Some(Ending::draw(Reason::MoveLimit)));
    }

    #[test]
    fn words_end_the_game() {
        let game = || Opaque::new(&Opening::start(), None);
        assert_eq!(game().answer("resign"), Some(Ending::win(Color::White, Reason::Resign)));
        assert_eq!(game().answer("win"), Some(Ending::win(Color::Black, Reason::Claim)));
        assert_eq!(game().answer("draw"), Some(Ending::draw(Reason::DrawClaim)));
        assert_eq!(game().answer(""), Some(Ending::win(Color::White, Reason::NoMove)));
        let opening = Opening::parse("sfen X w - 1 moves a").unwrap();
        assert_eq!(Opaque::new(&opening, None).mover(), Color::Black);
        let opening = Opening::parse("sfen X w - 1").unwrap();
        assert_eq!(Opaque::new(&opening, None).mover(), Color::White);
    }
}
