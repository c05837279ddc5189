//! The rules of shogi over a whole game.

use crate::position::{Declaration, EnteringKingRule, Position, Repetition};
use crate::types::{Color, Move};

use super::super::openings::Opening;
use super::super::result::{Ending, Reason};
use super::referee::Referee;

/// Rules that differ between events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShogiRules {
    /// The game is drawn after this many moves.
    pub max_moves: Option<u32>,
    /// Whether a mate by the last allowed move wins (WCSC) or is a draw (Floodgate).
    pub mate_at_limit: bool,
    /// The entering-king rule.
    pub entering_king: EnteringKingRule,
    /// Whether a side that could declare wins without doing so.
    pub adjudicate_declaration: bool,
}

impl Default for ShogiRules {
    fn default() -> Self {
        Self {
            max_moves: Some(512),
            mate_at_limit: true,
            entering_king: EnteringKingRule::CSARule27,
            adjudicate_declaration: false,
        }
    }
}

/// A referee that enforces the rules of shogi.
pub struct Shogi {
    rules: ShogiRules,
    position: Position,
    text: String,
}

impl Shogi {
    /// Starts from an opening.
    ///
    /// # Errors
    /// The opening is not legal.
    pub fn new(opening: &Opening, rules: ShogiRules) -> Result<Self, String> {
        Ok(Self { rules, position: opening.position()?, text: opening.text() })
    }

    fn loss(&self, reason: Reason, detail: String) -> Option<Ending> {
        let winner = self.mover().flip();
        let place = self.position.to_sfen();
        Some(Ending::win(winner, reason).because(format!("{detail}; position sfen {place}")))
    }

    fn declare(&self) -> Option<Ending> {
        if self.position.declaration(self.rules.entering_king).is_some() {
            return Some(Ending::win(self.mover(), Reason::Declaration));
        }
        let detail = format!("'win' under {}", self.rules.entering_king);
        self.loss(Reason::FalseDeclaration, detail)
    }

    fn limit_reached(&self) -> bool {
        self.rules.max_moves.is_some_and(|limit| self.plies() >= limit)
    }

    /// Makes a move: judges mate, then repetition, then the move limit, which comes first if the rules say so.
    fn make(&mut self, mv: Move) -> Option<Ending> {
        let mover = self.mover();
        let tries = self.position.declaration(self.rules.entering_king) == Some(Declaration::Try(mv));
        self.text += if self.position.game_length() == 0 { " moves " } else { " " };
        self.position.do_move(mv);
        self.text += &mv.to_string();
        if tries {
            return Some(Ending::win(mover, Reason::Declaration));
        }
        if self.limit_reached() && !self.rules.mate_at_limit {
            return Some(Ending::draw(Reason::MoveLimit));
        }
        if !self.position.has_legal_move() {
            return Some(Ending::win(mover, Reason::Checkmate));
        }
        match self.position.repetition() {
            Some(Repetition::Draw) => return Some(Ending::draw(Reason::Repetition)),
            Some(Repetition::Win) => {
                return Some(Ending::win(mover.flip(), Reason::PerpetualCheck));
            }
            Some(Repetition::Loss) => return Some(Ending::win(mover, Reason::PerpetualCheck)),
            _ => {}
        }
        if self.limit_reached() {
            return Some(Ending::draw(Reason::MoveLimit));
        }
        None
    }
}

impl Referee for Shogi {
    fn mover(&self) -> Color {
        self.position.side_to_move()
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn plies(&self) -> u32 {
        self.position.move_number().saturating_sub(1)
    }

    fn before_move(&self) -> Option<Ending> {
        if !self.position.has_legal_move() {
            return Some(Ending::win(self.mover().flip(), Reason::Checkmate));
        }
        if self.limit_reached() {
            return Some(Ending::draw(Reason::MoveLimit));
        }
        (self.rules.adjudicate_declaration
            && self.position.declaration(self.rules.entering_king) == Some(Declaration::Points))
        .then(|| Ending::win(self.mover(), Reason::Declaration).because("adjudicated"))
    }

    /// A word that is not a move ends the line: engines append `resign`, `rep_draw` and the like.
    fn line_fault(&self, line: &[String]) -> Option<String> {
        let mut position = self.position.clone();
        let mut shown = "pv".to_owned();
        for mv in line.iter().map_while(|word| word.parse::<Move>().ok()) {
            shown += &format!(" {mv}");
            if let Err(error) = position.check_move(mv) {
                let place = self.position.to_sfen();
                return Some(format!("{shown}: {error}; position sfen {place}"));
            }
            position.do_move(mv);
        }
        None
    }

    fn answer(&mut self, best: &str) -> Option<Ending> {
        match best {
            "resign" => return Some(Ending::win(self.mover().flip(), Reason::Resign)),
            "win" => return self.declare(),
            _ => {}
        }
        let mv: Move = match best.parse() {
            Ok(mv) => mv,
            Err(_) => return self.loss(Reason::NoMove, format!("bestmove '{best}'")),
        };
        if let Err(error) = self.position.check_move(mv) {
            return self.loss(Reason::IllegalMove, format!("{best}: {error}"));
        }
        self.make(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(opening: &str, rules: ShogiRules, moves: &[&str]) -> (Shogi, Option<Ending>) {
        let mut game = Shogi::new(&Opening::parse(opening).unwrap(), rules).unwrap();
        assert_eq!(game.before_move(), None);
        for (index, token) in moves.iter().enumerate() {
            if let Some(ending) = game.answer(token) {
                assert_eq!(index + 1, moves.len(), "{ending:?} too early");
                return (game, Some(ending));
            }
        }
        (game, None)
    }

    fn shuffle(times: usize) -> Vec<&'static str> {
        ["2h1h", "8b9b", "1h2h", "9b8b"].repeat(times)
    }

    #[test]
    fn the_fourth_occurrence_draws() {
        let (game, ending) = play("startpos", ShogiRules::default(), &shuffle(3));
        assert_eq!(ending, Some(Ending::draw(Reason::Repetition)));
        assert!(game.text().starts_with("startpos moves 2h1h 8b9b"));
        let (_, ending) = play("startpos", ShogiRules::default(), &shuffle(3)[..11]);
        assert_eq!(ending, None);
    }

    #[test]
    fn perpetual_check_loses_whoever_moves_last() {
        // A dragon checks from 5b and 5c in turn; the king shuttles.
        let start = "sfen k8/9/9/9/9/9/9/1r7/K8 w - 1";
        let cycle = ["8h9h", "9i8i", "9h8h", "8i9i"];
        let (_, ending) = play(start, ShogiRules::default(), &cycle.repeat(3));
        // After the escaper's move the first position stands for the fourth time.
        assert_eq!(ending, Some(Ending::win(Color::Black, Reason::PerpetualCheck)));
        let start = "sfen k8/9/9/9/9/9/9/r8/K8 b - 1";
        let cycle = ["9i8i", "9h8h", "8i9i", "8h9h"];
        let (_, ending) = play(start, ShogiRules::default(), &cycle.repeat(3));
        assert_eq!(ending, Some(Ending::win(Color::Black, Reason::PerpetualCheck)));
    }

    #[test]
    fn illegal_moves_are_written_down_with_the_position() {
        for (answer, reason, words) in [
            ("7g7e", Reason::IllegalMove, "7g7e"),
            ("P*5e", Reason::IllegalMove, "P*5e"),
            ("e2e4", Reason::NoMove, "'e2e4'"),
            ("", Reason::NoMove, "''"),
            ("win", Reason::FalseDeclaration, "CSARule27"),
        ] {
            let (_, ending) = play("startpos moves 7g7f", ShogiRules::default(), &["3c3d", answer]);
            let ending = ending.expect("the game is over");
            assert_eq!((ending.winner.color(), ending.reason), (Some(Color::White), reason));
            assert!(ending.detail.contains(words), "{}", ending.detail);
            assert!(ending.detail.contains("position sfen lnsgkgsnl/1r5b1/"), "{}", ending.detail);
        }
    }

    #[test]
    fn lines_are_followed_to_the_first_word_that_is_no_move() {
        let (game, _) = play("startpos", ShogiRules::default(), &["7g7f"]);
        let fault = |line: &str| {
            let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
            game.line_fault(&words)
        };
        for line in ["3c3d 8h2b+ 3a2b", "3c3d rep_draw 9i9a", "resign"] {
            assert_eq!(fault(line), None, "{line}");
        }
        let words = fault("3c3d 8h2b+ B*5e 5a4b x").expect("the bishop is not in that hand");
        assert!(words.starts_with("pv 3c3d 8h2b+ B*5e: ") && words.contains("sfen lnsg"), "{words}");
    }

    #[test]
    fn mate_and_the_limit_of_moves() {
        let mate_in_one = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
        let (_, ending) = play(mate_in_one, ShogiRules::default(), &["G*5b"]);
        assert_eq!(ending, Some(Ending::win(Color::Black, Reason::Checkmate)));
        let limit = ShogiRules { max_moves: Some(1), ..ShogiRules::default() };
        let (_, ending) = play(mate_in_one, limit, &["G*5b"]);
        assert_eq!(ending, Some(Ending::win(Color::Black, Reason::Checkmate)));
        let strict = ShogiRules { mate_at_limit: false, ..limit };
        let (_, ending) = play(mate_in_one, strict, &["G*5b"]);
        assert_eq!(ending, Some(Ending::draw(Reason::MoveLimit)));
        let (_, ending) = play("startpos", limit, &["7g7f"]);
        assert_eq!(ending, Some(Ending::draw(Reason::MoveLimit)));
    }

    #[test]
    fn declarations() {
        // King and ten pieces in the camp, 28 points and more.
        let camp = "sfen 1K1GGGGSS/1SS6/2+P+P+P+P3/9/9/9/9/9/4k4 b 2R2B 1";
        let (_, ending) = play(camp, ShogiRules::default(), &["win"]);
        assert_eq!(ending, Some(Ending::win(Color::Black, Reason::Declaration)));
        let adjudicated = ShogiRules { adjudicate_declaration: true, ..ShogiRules::default() };
        let game = Shogi::new(&Opening::parse(camp).unwrap(), adjudicated).unwrap();
        assert_eq!(game.before_move().map(|ending| ending.reason), Some(Reason::Declaration));
        let try_rule = ShogiRules { entering_king: EnteringKingRule::TryRule, ..ShogiRules::default() };
        let (_, ending) = play("sfen 9/4K4/9/9/9/9/9/9/k8 b - 1", try_rule, &["5b5a"]);
        assert_eq!(ending, Some(Ending::win(Color::Black, Reason::Declaration)));
    }
}
