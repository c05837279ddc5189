//! Handicaps (手合割).

use super::notation::{digit, rank_kanji};
use crate::position::Board;

/// A handicap, named by the pieces that White (上手) plays without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handicap {
    /// 平手: none.
    Even,
    /// 香落ち: the left lance.
    Lance,
    /// 右香落ち: the right lance.
    RightLance,
    /// 角落ち
    Bishop,
    /// 飛車落ち
    Rook,
    /// 飛香落ち
    RookLance,
    /// 二枚落ち: rook and bishop.
    Two,
    /// 三枚落ち: also a lance.
    Three,
    /// 四枚落ち: also both lances.
    Four,
    /// 五枚落ち: also the right knight.
    Five,
    /// 左五枚落ち: also the left knight.
    FiveLeft,
    /// 六枚落ち: also both knights.
    Six,
    /// 左七枚落ち: six pieces and the left silver.
    SevenLeft,
    /// 右七枚落ち: six pieces and the right silver.
    SevenRight,
    /// 八枚落ち: also both silvers.
    Eight,
    /// 十枚落ち: also both golds.
    Ten,
    /// 両香落ち: both lances.
    BothLances,
    /// 左九枚落ち: eight pieces and the left gold.
    NineLeft,
    /// 右九枚落ち: eight pieces and the right gold.
    NineRight,
    /// 歩三兵: everything but the king, and three pawns in hand.
    ThreePawns,
    /// 裸玉: everything but the king.
    NakedKing,
    /// トンボ (dragonfly): the king, rook, bishop and pawns are left.
    Dragonfly,
    /// トンボ＋香: also the lances are left.
    DragonflyLances,
    /// トンボ＋桂香: also the knights and lances are left.
    DragonflyKnights,
}

/// Handicap, KIF name, JKF preset (empty if there is none), White's half of the board and hand in SFEN.
const TABLE: [(Handicap, &str, &str, &str, &str); 24] = [
    (Handicap::Even, "平手", "HIRATE", "lnsgkgsnl/1r5b1/ppppppppp", "-"),
    (Handicap::Lance, "香落ち", "KY", "lnsgkgsn1/1r5b1/ppppppppp", "-"),
    (Handicap::RightLance, "右香落ち", "KY_R", "1nsgkgsnl/1r5b1/ppppppppp", "-"),
    (Handicap::Bishop, "角落ち", "KA", "lnsgkgsnl/1r7/ppppppppp", "-"),
    (Handicap::Rook, "飛車落ち", "HI", "lnsgkgsnl/7b1/ppppppppp", "-"),
    (Handicap::RookLance, "飛香落ち", "HIKY", "lnsgkgsn1/7b1/ppppppppp", "-"),
    (Handicap::Two, "二枚落ち", "2", "lnsgkgsnl/9/ppppppppp", "-"),
    (Handicap::Three, "三枚落ち", "3", "lnsgkgsn1/9/ppppppppp", "-"),
    (Handicap::Four, "四枚落ち", "4", "1nsgkgsn1/9/ppppppppp", "-"),
    (Handicap::Five, "五枚落ち", "5", "2sgkgsn1/9/ppppppppp", "-"),
    (Handicap::FiveLeft, "左五枚落ち", "5_L", "1nsgkgs2/9/ppppppppp", "-"),
    (Handicap::Six, "六枚落ち", "6", "2sgkgs2/9/ppppppppp", "-"),
    (Handicap::SevenLeft, "左七枚落ち", "7_L", "2sgkg3/9/ppppppppp", "-"),
    (Handicap::SevenRight, "右七枚落ち", "7_R", "3gkgs2/9/ppppppppp", "-"),
    (Handicap::Eight, "八枚落ち", "8", "3gkg3/9/ppppppppp", "-"),
    (Handicap::Ten, "十枚落ち", "10", "4k4/9/ppppppppp", "-"),
    (Handicap::BothLances, "両香落ち", "", "1nsgkgsn1/1r5b1/ppppppppp", "-"),
    (Handicap::NineLeft, "左九枚落ち", "", "3gk4/9/ppppppppp", "-"),
    (Handicap::NineRight, "右九枚落ち", "", "4kg3/9/ppppppppp", "-"),
    (Handicap::ThreePawns, "歩三兵", "", "4k4/9/9", "3p"),
    (Handicap::NakedKing, "裸玉", "", "4k4/9/9", "-"),
    (Handicap::Dragonfly, "トンボ", "", "4k4/1r5b1/ppppppppp", "-"),
    (Handicap::DragonflyLances, "トンボ＋香", "", "l3k3l/1r5b1/ppppppppp", "-"),
    (Handicap::DragonflyKnights, "トンボ＋桂香", "", "ln2k2nl/1r5b1/ppppppppp", "-"),
];

/// Other names, as [`normalized`] gives them.
const ALIASES: [(&str, Handicap); 6] = [
    ("左香", Handicap::Lance),
    ("右五枚", Handicap::Five),
    ("飛角", Handicap::Two),
    // The name does not say which silver or gold; the right one, as in 五枚落ち.
    ("七枚", Handicap::SevenRight),
    ("九枚", Handicap::NineRight),
    ("裸王", Handicap::NakedKing),
];

/// The name with 飛 for 飛車 and the like, kanji digits, and without 落ち.
fn normalized(name: &str) -> String {
    let mut name: String = name.chars().filter(|c| !c.is_whitespace()).collect();
    for (long, short) in
        [("飛車", "飛"), ("角行", "角"), ("香車", "香"), ("桂馬", "桂"), ("+", "＋"), ("10", "十"), ("１０", "十")]
    {
        name = name.replace(long, short);
    }
    let name: String = name
        .chars()
        .map(|c| match digit(c) {
            Some(digit) => rank_kanji(digit - 1),
            None => c,
        })
        .collect();
    ["落ち", "落", "おち"].iter().find_map(|tail| name.strip_suffix(tail)).unwrap_or(&name).to_owned()
}

impl Handicap {
    fn row(self) -> &'static (Self, &'static str, &'static str, &'static str, &'static str) {
        // The table has the order of the enum.
        &TABLE[self as usize]
    }

    /// The handicap that a 手合割 line names.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = normalized(name);
        let alias = || ALIASES.iter().find(|alias| alias.0 == name).map(|alias| alias.1);
        TABLE.iter().find(|row| normalized(row.1) == name).map(|row| row.0).or_else(alias)
    }

    /// What has to be said about a name that does not make clear which pieces are missing: one sentence, and whether
    /// the handicap is a guess.
    pub(super) fn ambiguity(name: &str) -> Option<(&'static str, bool)> {
        match normalized(name).as_str() {
            "三枚" => Some(("三枚落ち is read as rook, bishop and the lance on 1a", false)),
            "七枚" => {
                Some(("七枚落ち does not say which silver is missing; read as 右七枚落ち (the silver on 7a)", true))
            }
            "九枚" => {
                Some(("九枚落ち does not say which gold is missing; read as 右九枚落ち (the gold on 6a)", true))
            }
            _ => None,
        }
    }

    /// The known presets of JKF, for messages.
    pub(super) fn known_presets() -> String {
        let presets: Vec<&str> = TABLE.iter().map(|row| row.2).filter(|preset| !preset.is_empty()).collect();
        presets.join(" ")
    }

    /// The known names, for messages.
    pub(super) fn known_names() -> String {
        TABLE.iter().map(|row| row.1).collect::<Vec<_>>().join(" ")
    }

    /// The name for a 手合割 line.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Whether every program that reads KIF knows the name: those that tsshogi knows.
    pub(super) fn is_known_everywhere(self) -> bool {
        use Handicap::{Bishop, Eight, Even, Four, Lance, RightLance, Rook, RookLance, Six, Ten, Two};
        matches!(self, Even | Lance | RightLance | Bishop | Rook | RookLance | Two | Four | Six | Eight | Ten)
    }

    /// The handicap that a JKF preset names.
    pub fn from_jkf(preset: &str) -> Option<Self> {
        TABLE.iter().find(|row| !row.2.is_empty() && row.2 == preset).map(|row| row.0)
    }

    /// The JKF preset; `None` if JKF has none.
    pub fn jkf(self) -> Option<&'static str> {
        Some(self.row().2).filter(|preset| !preset.is_empty())
    }

    /// The starting position.
    pub fn diagram(self) -> Board {
        let turn = if self == Self::Even { 'b' } else { 'w' };
        let (.., board, hand) = *self.row();
        let sfen = format!("{board}/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL {turn} {hand} 1");
        // Cannot fail: a test reads every row.
        Board::from_sfen(&sfen).map_or_else(|_| Board::EMPTY, |(diagram, _)| diagram)
    }

    /// The handicap with this starting position.
    pub fn of(diagram: &Board) -> Option<Self> {
        TABLE.iter().map(|row| row.0).find(|handicap| handicap.diagram() == *diagram)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_handicap_reads_back() {
        let removed = [0, 1, 1, 1, 1, 2, 2, 3, 4, 5, 5, 6, 7, 7, 8, 10, 2, 9, 9, 19, 19, 8, 6, 4];
        for ((handicap, name, preset, ..), removed) in TABLE.into_iter().zip(removed) {
            assert_eq!(Handicap::from_name(name), Some(handicap));
            if preset.is_empty() {
                assert_eq!(handicap.jkf(), None);
            } else {
                assert_eq!(Handicap::from_jkf(preset), Some(handicap));
                assert_eq!(handicap.jkf(), Some(preset));
            }
            assert_eq!(handicap.name(), name);
            let diagram = handicap.diagram();
            assert_eq!(Handicap::of(&diagram), Some(handicap));
            assert_eq!(diagram.pieces().count(), 40 - removed, "{name}");
            assert_eq!(Handicap::from_name(name.trim_end_matches('ち')), Some(handicap));
        }
        assert_eq!(Handicap::from_jkf(""), None);
    }

    #[test]
    fn names_of_all_spellings() {
        for (name, handicap) in [
            (" 平手　　", Handicap::Even),
            ("香落", Handicap::Lance),
            ("左香落ち", Handicap::Lance),
            ("香車落ち", Handicap::Lance),
            ("右香車落", Handicap::RightLance),
            ("角行落ち", Handicap::Bishop),
            ("飛落ち", Handicap::Rook),
            ("飛車落", Handicap::Rook),
            ("飛車香車落ち", Handicap::RookLance),
            ("飛角落ち", Handicap::Two),
            ("2枚落ち", Handicap::Two),
            ("６枚落", Handicap::Six),
            ("右五枚落ち", Handicap::Five),
            ("10枚落ち", Handicap::Ten),
            ("トンボ+香", Handicap::DragonflyLances),
            ("両香落", Handicap::BothLances),
            ("七枚落ち", Handicap::SevenRight),
            ("九枚落ち", Handicap::NineRight),
        ] {
            assert_eq!(Handicap::from_name(name), Some(handicap), "{name}");
        }
        for name in ["", "猫落ち", "右四枚落ち", "落ち", "その他"] {
            assert_eq!(Handicap::from_name(name), None, "{name}");
        }
        for name in ["三枚落ち", "七枚落", "9枚落ち"] {
            assert!(Handicap::ambiguity(name).is_some(), "{name}");
        }
        assert_eq!(Handicap::ambiguity("右七枚落ち"), None);
    }
}
