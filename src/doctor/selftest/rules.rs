//! The rules that engines get wrong, each with positions that show it.

use crate::position::{EnteringKingRule, Position, Repetition};
use crate::types::Move;

/// A rule, a position, and what the rule says there.
pub(super) struct Rule {
    pub(super) name: &'static str,
    sfen: &'static str,
    /// Moves that lead from the SFEN to the position meant.
    moves: &'static str,
    says: Says,
}

enum Says {
    /// These moves are legal.
    Legal(&'static str),
    /// These are not.
    Illegal(&'static str),
    /// These are all the legal moves there are; none means that the side to move is mated.
    Only(&'static str),
    /// The game's rule of repetition.
    Repeats(Option<Repetition>),
    /// Whether the win can be declared.
    Declares(EnteringKingRule, bool),
    /// The SFEN is no position.
    Refused,
}

use EnteringKingRule::{CSARule24, CSARule27, CSARule27H, NoEnteringKing, TryRule};
use Says::{Declares, Illegal, Legal, Only, Refused, Repeats};

impl Rule {
    pub(super) fn prove(&self) -> Result<(), String> {
        let mut position = match (Position::from_sfen(self.sfen), &self.says) {
            (Err(_), Refused) => return Ok(()),
            (Ok(_), Refused) => return Err("the position was accepted".into()),
            (Err(error), _) => return Err(error.to_string()),
            (Ok(position), _) => position,
        };
        for mv in moves(self.moves)? {
            position.check_move(mv).map_err(|error| format!("{mv}: {error}"))?;
            position.do_move(mv);
        }
        let list = position.legal_moves();
        let judged = |mv: Move, legal: bool| match (list.contains(&mv), position.is_legal(mv)) {
            (generated, tested) if generated == legal && tested == legal => Ok(()),
            (generated, tested) => {
                Err(format!("{mv} should be legal: {legal}; generated: {generated}, tested: {tested}"))
            }
        };
        match &self.says {
            Legal(text) => moves(text)?.into_iter().try_for_each(|mv| judged(mv, true)),
            Illegal(text) => moves(text)?.into_iter().try_for_each(|mv| judged(mv, false)),
            Only(text) => {
                let mut expected = moves(text)?;
                let mut found = list.to_vec();
                expected.sort();
                found.sort();
                same(&expected, &found)
            }
            Repeats(expected) => same(expected, &position.repetition()),
            Declares(rule, expected) => same(expected, &position.declaration(*rule).is_some()),
            Refused => Ok(()),
        }
    }
}

fn moves(text: &str) -> Result<Vec<Move>, String> {
    text.split_whitespace().map(|mv| mv.parse::<Move>().map_err(|error| error.to_string())).collect()
}

fn same<T: PartialEq + std::fmt::Debug>(expected: &T, found: &T) -> Result<(), String> {
    if expected == found { Ok(()) } else { Err(format!("{expected:?} expected, {found:?} found")) }
}

const fn rule(name: &'static str, sfen: &'static str, says: Says) -> Rule {
    Rule { name, sfen, moves: "", says }
}

const fn game(name: &'static str, sfen: &'static str, moves: &'static str, says: Says) -> Rule {
    Rule { name, sfen, moves, says }
}

/// A rook and kings, for repetitions.
const CHASE: &str = "4k4/9/9/9/9/9/9/9/R3K4 b - 1";

pub(super) static RULES: &[Rule] = &[
    // 打ち歩詰め
    rule("a pawn drop that mates is illegal", "7lk/9/8S/9/9/9/9/7L1/8K b P 1", Illegal("P*1b")),
    rule("a pawn drop that only checks is legal", "8k/9/8S/9/9/9/9/9/8K b P 1", Legal("P*1b")),
    rule("a pawn that can be captured does not mate", "5g1lk/7g1/8S/9/9/9/9/7L1/8K b P 1", Legal("P*1b")),
    rule("a pawn that only a pinned piece attacks does mate", "4R2gk/9/8S/9/9/9/9/9/8K b P 1", Illegal("P*1b")),
    rule("a pawn on the board may mate", "7lk/9/8P/8S/9/9/9/7L1/8K b - 1", Legal("1c1b+")),
    // 二歩
    rule("two pawns on a file", "8k/9/9/9/9/9/4P4/9/4K4 b P 1", Illegal("P*5e P*5b")),
    rule("a promoted pawn does not count", "8k/9/9/9/4+P4/9/9/9/4K4 b P 1", Legal("P*5f P*5d")),
    // 行き所のない駒
    rule("no dead end for Black", "8k/4P4/3N5/9/9/9/9/9/4K4 b NLP 1", Illegal("5b5a P*3a L*3a N*3a N*3b 6c5a 6c7a")),
    rule("no dead end for White", "4k4/9/9/9/9/9/3n5/4p4/K8 w nlp 1", Illegal("5h5i P*3i L*3i N*3i N*3h 6g5i 6g7i")),
    rule("the last ranks that are allowed", "8k/9/9/9/9/9/9/9/4K4 b NLP 1", Legal("P*3b L*3b N*3c")),
    // 不成
    rule(
        "pointless non-promotions are legal",
        "k8/2L6/3P5/6B2/4R4/9/9/9/4K4 b - 1",
        Legal("6c6b 6c6b+ 3d2c 3d2c+ 5e5c 5e5c+"),
    ),
    rule("a lance that stays a lance on the second rank", "k8/9/2L6/9/9/9/9/9/4K4 b - 1", Legal("7c7b 7c7b+")),
    // 王手
    rule("a pinned piece stays on its line", "4r3k/9/9/9/4G4/9/9/9/4K4 b - 1", Illegal("5e4e 5e6e 5e4d")),
    rule("a pinned piece moves along its line", "4r3k/9/9/9/4G4/9/9/9/4K4 b - 1", Legal("5e5d 5e5f")),
    rule(
        "a double check is answered by the king alone",
        "4r3k/9/9/9/9/9/3n5/9/4K4 b GSNLP 1",
        Illegal("P*5f G*5h N*5e"),
    ),
    rule("the king does not step back along a ray", "4r3k/9/9/9/9/4K4/9/9/9 b - 1", Illegal("5f5g 5f5e")),
    rule("the king does not take a guarded piece", "k8/9/9/9/9/9/4l4/4g4/4K4 b - 1", Illegal("5i5h")),
    rule("no move at all is a loss", "8k/8G/8P/9/9/9/9/9/4K4 w - 1", Only("")),
    // 千日手
    game("three times are no repetition", CHASE, "9i8i 5a4a 8i9i 4a5a 9i8i 5a4a 8i9i 4a5a", Repeats(None)),
    game(
        "the fourth occurrence is a draw, and the start counts",
        CHASE,
        "9i8i 5a4a 8i9i 4a5a 9i8i 5a4a 8i9i 4a5a 9i8i 5a4a 8i9i 4a5a",
        Repeats(Some(Repetition::Draw)),
    ),
    game(
        "a perpetual check loses: the chased side is to move",
        CHASE,
        "9i9a 5a5b 9a9b 5b5a 9b9a 5a5b 9a9b 5b5a 9b9a 5a5b 9a9b 5b5a 9b9a",
        Repeats(Some(Repetition::Win)),
    ),
    game(
        "a perpetual check loses: the chasing side is to move",
        CHASE,
        "9i9a 5a5b 9a9b 5b5a 9b9a 5a5b 9a9b 5b5a 9b9a 5a5b 9a9b 5b5a 9b9a 5a5b",
        Repeats(Some(Repetition::Loss)),
    ),
    game(
        "checks now and then are a draw",
        CHASE,
        "9i9a 5a5b 9a9i 5b5a 9i9a 5a5b 9a9i 5b5a 9i9a 5a5b 9a9i 5b5a",
        Repeats(Some(Repetition::Draw)),
    ),
    // 入玉宣言
    rule(
        "27 points are too few for Black",
        "K+P+P+P+P+P+P2/+P+P+P+P5/9/9/9/9/9/9/8k b 2RB2P 1",
        Declares(CSARule27, false),
    ),
    rule(
        "28 points are enough for Black",
        "K+P+P+P+P+P+P2/+P+P+P+P5/9/9/9/9/9/9/8k b 2RB3P 1",
        Declares(CSARule27, true),
    ),
    rule(
        "27 points are enough for White",
        "K8/9/9/9/9/9/9/5+p+p+p+p/2+p+p+p+p+p+pk w 2rb2p 1",
        Declares(CSARule27, true),
    ),
    rule(
        "26 points are too few for White",
        "K8/9/9/9/9/9/9/5+p+p+p+p/2+p+p+p+p+p+pk w 2rbp 1",
        Declares(CSARule27, false),
    ),
    rule("30 points are too few", "K+P+P+P+P+P+P2/+P+P+P+P5/9/9/9/9/9/9/8k b 2RB5P 1", Declares(CSARule24, false)),
    rule("31 points are enough", "K+P+P+P+P+P+P2/+P+P+P+P5/9/9/9/9/9/9/8k b 2RB6P 1", Declares(CSARule24, true)),
    rule(
        "nine pieces in the camp are too few",
        "K+P+P+P+P+P+P2/+P+P+P6/9/9/9/9/9/9/8k b 2R2B8P 1",
        Declares(CSARule27, false),
    ),
    rule("nobody declares in check", "K+P+P+P+P+P+P2/+P1+P+P+P4/9/9/9/9/9/9/7kb b 2RB7P 1", Declares(CSARule27, false)),
    rule(
        "nobody declares from outside",
        "1+P+P+P+P+P+P2/+P+P+P+P5/9/K8/9/9/9/9/8k b 2R2B7P 1",
        Declares(CSARule27, false),
    ),
    rule("a handicap counts for White", "K8/9/9/9/9/9/9/5+p+p+p+p/2+p+p+p+p+p+pk w 2rbp 1", Declares(CSARule27H, true)),
    rule(
        "the rule can be switched off",
        "K+P+P+P+P+P+P2/+P+P+P+P5/9/9/9/9/9/9/8k b 2RB3P 1",
        Declares(NoEnteringKing, false),
    ),
    rule("a try needs a safe square", "r8/4K4/9/9/9/9/9/9/k8 b - 1", Declares(TryRule, false)),
    rule("a try on a safe square wins", "9/4K4/9/9/9/9/9/9/k8 b - 1", Declares(TryRule, true)),
    // What is no position
    rule("two kings of a colour", "4k4/9/9/9/9/9/9/9/3KK4 b - 1", Refused),
    rule("a pawn on the last rank", "P3k4/9/9/9/9/9/9/9/4K4 b - 1", Refused),
    rule("a knight on the last rank but one", "4k4/N8/9/9/9/9/9/9/4K4 b - 1", Refused),
    rule("two pawns of a colour on a file in the SFEN", "4k4/9/P8/P8/9/9/9/9/4K4 b - 1", Refused),
    rule("more pieces than a set has", "4k4/9/9/9/9/9/9/9/4K4 b 3R 1", Refused),
    rule("the side that has just moved in check", "4k4/9/9/9/4R4/9/9/9/4K4 b - 1", Refused),
    rule("a board of eight ranks", "4k4/9/9/9/9/9/9/4K4 b - 1", Refused),
    rule("the attacker's king may be missing", "4k4/9/9/9/9/9/9/9/9 b G 1", Legal("G*5b")),
];
