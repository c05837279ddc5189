//! Handicaps (手合割).

use super::Diagram;

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
}

/// Handicap, KIF name, JKF preset, White's first two ranks in SFEN.
const TABLE: [(Handicap, &str, &str, &str); 16] = [
    (Handicap::Even, "平手", "HIRATE", "lnsgkgsnl/1r5b1"),
    (Handicap::Lance, "香落ち", "KY", "lnsgkgsn1/1r5b1"),
    (Handicap::RightLance, "右香落ち", "KY_R", "1nsgkgsnl/1r5b1"),
    (Handicap::Bishop, "角落ち", "KA", "lnsgkgsnl/1r7"),
    (Handicap::Rook, "飛車落ち", "HI", "lnsgkgsnl/7b1"),
    (Handicap::RookLance, "飛香落ち", "HIKY", "lnsgkgsn1/7b1"),
    (Handicap::Two, "二枚落ち", "2", "lnsgkgsnl/9"),
    (Handicap::Three, "三枚落ち", "3", "lnsgkgsn1/9"),
    (Handicap::Four, "四枚落ち", "4", "1nsgkgsn1/9"),
    (Handicap::Five, "五枚落ち", "5", "2sgkgsn1/9"),
    (Handicap::FiveLeft, "左五枚落ち", "5_L", "1nsgkgs2/9"),
    (Handicap::Six, "六枚落ち", "6", "2sgkgs2/9"),
    (Handicap::SevenLeft, "左七枚落ち", "7_L", "2sgkg3/9"),
    (Handicap::SevenRight, "右七枚落ち", "7_R", "3gkgs2/9"),
    (Handicap::Eight, "八枚落ち", "8", "3gkg3/9"),
    (Handicap::Ten, "十枚落ち", "10", "4k4/9"),
];

impl Handicap {
    fn row(self) -> &'static (Self, &'static str, &'static str, &'static str) {
        // The table has the order of the enum.
        &TABLE[self as usize]
    }

    /// The handicap that a 手合割 line names.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim();
        let find = |name| TABLE.iter().find(|row| row.1 == name).map(|row| row.0);
        find(name).or(match name {
            "飛落ち" => Some(Self::Rook),
            "左香落ち" => Some(Self::Lance),
            "右五枚落ち" => Some(Self::Five),
            _ => None,
        })
    }

    /// The name for a 手合割 line.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The handicap that a JKF preset names.
    pub fn from_jkf(preset: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.2 == preset).map(|row| row.0)
    }

    /// The JKF preset.
    pub fn jkf(self) -> &'static str {
        self.row().2
    }

    /// The starting position.
    pub fn diagram(self) -> Diagram {
        let turn = if self == Self::Even { 'b' } else { 'w' };
        let sfen = format!("{}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL {turn} - 1", self.row().3);
        // Cannot fail: a test reads every row.
        Diagram::from_sfen(&sfen).map_or_else(|_| Diagram::empty(), |(diagram, _)| diagram)
    }

    /// The handicap with this starting position.
    pub fn of(diagram: &Diagram) -> Option<Self> {
        TABLE.iter().map(|row| row.0).find(|handicap| handicap.diagram() == *diagram)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_handicap_reads_back() {
        let removed = [0, 1, 1, 1, 1, 2, 2, 3, 4, 5, 5, 6, 7, 7, 8, 10];
        for ((handicap, name, preset, _), removed) in TABLE.into_iter().zip(removed) {
            assert_eq!(Handicap::from_name(name), Some(handicap));
            assert_eq!(Handicap::from_jkf(preset), Some(handicap));
            assert_eq!((handicap.name(), handicap.jkf()), (name, preset));
            let diagram = handicap.diagram();
            assert_eq!(Handicap::of(&diagram), Some(handicap));
            assert_eq!(diagram.pieces().count(), 40 - removed, "{name}");
        }
    }
}
