//! Winning by declaration with an entered king (入玉宣言勝ち).

use std::fmt;
use std::str::FromStr;

use crate::bitboard::{Bitboard, king_attacks};
use crate::types::{Color, Move, PieceType, Square};

use super::{Position, legality::missing_pieces};

/// The rule by which a player whose king has entered the enemy's camp may claim the win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum EnteringKingRule {
    /// No declaration.
    NoEnteringKing,
    /// 31 points for either side (24点法: fewer points only draw, which is no win to declare).
    CSARule24,
    /// As [`EnteringKingRule::CSARule24`]; in handicap games White is credited with the missing pieces.
    CSARule24H,
    /// 28 points for Black, 27 for White (27点法): the rule of computer shogi events and of Floodgate.
    #[default]
    CSARule27,
    /// As [`EnteringKingRule::CSARule27`]; in handicap games White is credited with the missing pieces.
    CSARule27H,
    /// A king that reaches the square where the enemy king stood at the start of a game wins.
    TryRule,
}

/// How the game can be won by declaration now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declaration {
    /// The side to move may declare.
    Points,
    /// The move that carries the king to the winning square of the try rule.
    Try(Move),
}

/// The error for text that is not a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a declaration rule (expected one of NoEnteringKing, CSARule24, CSARule24H, CSARule27, CSARule27H, TryRule)"
)]
pub struct ParseEnteringKingRuleError(pub String);

impl EnteringKingRule {
    /// Every rule.
    pub const ALL: [Self; 6] =
        [Self::NoEnteringKing, Self::CSARule24, Self::CSARule24H, Self::CSARule27, Self::CSARule27H, Self::TryRule];
}

impl fmt::Display for EnteringKingRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Case does not matter.
impl FromStr for EnteringKingRule {
    type Err = ParseEnteringKingRuleError;

    fn from_str(text: &str) -> Result<Self, ParseEnteringKingRuleError> {
        Self::ALL
            .into_iter()
            .find(|rule| rule.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseEnteringKingRuleError(text.to_owned()))
    }
}

/// Points of a piece: 5 for a rook or bishop, promoted or not, 1 for any other, the king none.
const fn points(kind: PieceType) -> u32 {
    match kind.unpromoted() {
        PieceType::King => 0,
        PieceType::Bishop | PieceType::Rook => 5,
        _ => 1,
    }
}

impl Position {
    /// Whether and how the side to move can win by declaration.
    pub fn declaration(&self, rule: EnteringKingRule) -> Option<Declaration> {
        let us = self.side_to_move();
        let (black, white) = match rule {
            EnteringKingRule::NoEnteringKing => return None,
            EnteringKingRule::TryRule => return self.try_move().map(Declaration::Try),
            EnteringKingRule::CSARule24 | EnteringKingRule::CSARule24H => (31, 31),
            EnteringKingRule::CSARule27 | EnteringKingRule::CSARule27H => (28, 27),
        };
        let zone = Bitboard::promotion_zone(us);
        let king = self.king(us)?;
        let entered = self.by_color(us) & zone;
        // Ten pieces besides the king.
        if !zone.contains(king) || self.in_check() || entered.count() < 11 {
            return None;
        }
        let big = PieceType::ALL
            .into_iter()
            .filter(|&kind| points(kind) == 5)
            .fold(Bitboard::EMPTY, |set, kind| set | self.by_type(kind));
        let mut sum = entered.count() - 1 + 4 * (entered & big).count();
        sum += self.hand(us).iter().map(|(kind, count)| points(kind) * count).sum::<u32>();
        let handicap = matches!(rule, EnteringKingRule::CSARule24H | EnteringKingRule::CSARule27H);
        if handicap
            && us == Color::White
            && let Some(missing) = missing_pieces(self)
        {
            sum += missing.iter().map(|(kind, count)| points(kind) * count).sum::<u32>();
        }
        let needed = if us == Color::Black { black } else { white };
        (sum >= needed).then_some(Declaration::Points)
    }

    /// The king's move to the enemy king's first square, if it is legal now.
    fn try_move(&self) -> Option<Move> {
        let us = self.side_to_move();
        let goal = Square::new(4, 0).relative_to(us);
        let king = self.king(us)?;
        if !king_attacks(king).contains(goal) {
            return None;
        }
        let mv = Move::board(king, goal, false);
        self.is_legal(mv).then_some(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declares(sfen: &str, rule: EnteringKingRule) -> bool {
        Position::from_sfen(sfen).unwrap().declaration(rule).is_some()
    }

    use EnteringKingRule::*;

    #[test]
    fn points_and_pieces_are_counted_exactly() {
        // King and ten pieces in the zone; in hand 2 rooks and 1 bishop: 10 + 15 = 25, then pawns.
        let sfen = |hand: &str| format!("K+P+P+P+P+P+P2/+P+P+P+P5/9/9/9/9/9/9/8k b {hand} 1");
        assert!(!declares(&sfen("2RB2P"), CSARule27));
        assert!(declares(&sfen("2RB3P"), CSARule27));
        assert!(!declares(&sfen("2RB5P"), CSARule24));
        assert!(declares(&sfen("2RB6P"), CSARule24));
        assert!(!declares(&sfen("2RB3P"), NoEnteringKing));
        // Nine pieces are too few whatever they are worth.
        assert!(!declares("K+P+P+P+P+P+P2/+P+P+P6/9/9/9/9/9/9/8k b 2R2B8P 1", CSARule27));
    }

    #[test]
    fn white_needs_one_point_less() {
        let sfen = |hand: &str| format!("K8/9/9/9/9/9/9/5+p+p+p+p/2+p+p+p+p+p+pk w {hand} 1");
        assert!(declares(&sfen("2rb2p"), CSARule27));
        assert!(!declares(&sfen("2rbp"), CSARule27));
        // The second bishop, seven generals and knights and what else is missing is credited.
        assert!(declares(&sfen("2rbp"), CSARule27H));
    }

    #[test]
    fn in_check_or_outside_the_zone_nobody_declares() {
        let sfen = |board: &str, hand: &str| format!("{board} b {hand} 1");
        let quiet = "K+P+P+P+P+P+P2/1+P+P+P+P4/9/9/9/9/9/9/7k1";
        assert!(declares(&sfen(quiet, "2R2B7P"), CSARule27));
        let in_check = "K+P+P+P+P+P+P2/+P1+P+P+P4/9/9/9/9/9/9/7kb";
        assert!(!declares(&sfen(in_check, "2RB7P"), CSARule27));
        let outside = "1+P+P+P+P+P+P2/+P+P+P+P5/9/K8/9/9/9/9/8k";
        assert!(!declares(&sfen(outside, "2R2B7P"), CSARule27));
    }

    #[test]
    fn the_try_needs_a_safe_square() {
        let position = Position::from_sfen("9/4K4/9/9/9/9/9/9/k8 b - 1").unwrap();
        assert_eq!(position.declaration(TryRule), Some(Declaration::Try("5b5a".parse().unwrap())));
        let position = Position::from_sfen("r8/4K4/9/9/9/9/9/9/k8 b - 1").unwrap();
        assert_eq!(position.declaration(TryRule), None);
        let position = Position::from_sfen("9/4K4/9/9/9/9/9/9/k8 w - 1").unwrap();
        assert_eq!(position.declaration(TryRule), None);
    }

    #[test]
    fn names_read_back() {
        for rule in EnteringKingRule::ALL {
            assert_eq!(rule.to_string().to_lowercase().parse(), Ok(rule));
        }
        assert!("CSARule28".parse::<EnteringKingRule>().is_err());
    }
}
