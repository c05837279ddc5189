//! Buckets: which of its layer stacks a network uses for a position.

use std::borrow::Cow;
use std::fmt;

use super::features::{FeatureSet, NONE};
use super::items::{self, held};
use crate::position::{Board, Position};
use crate::types::{Color, Hand, PieceType, Square};

/// How the kings' squares choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KingRule {
    /// Three groups of ranks each: 9.
    K3,
    /// Nine ranks each: 81.
    K9,
    /// 9 zones each, finer at the back: 81.
    K9z,
    /// 13 zones each: 169.
    K13z,
    /// 21 zones each: 441.
    K21,
    /// 29 zones each: 841.
    K29,
}

impl KingRule {
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::K3, "k3k3"),
        (Self::K9, "k9k9"),
        (Self::K9z, "k9k9z"),
        (Self::K13z, "k13k13z"),
        (Self::K21, "k21k21"),
        (Self::K29, "k29k29"),
    ];

    /// Zones of one king.
    pub const fn zones(self) -> usize {
        match self {
            Self::K3 => 3,
            Self::K9 | Self::K9z => 9,
            Self::K13z => 13,
            Self::K21 => 21,
            Self::K29 => 29,
        }
    }

    /// The zone of a king's square seen from its owner.
    fn zone(self, square: Square) -> usize {
        let (file, rank) = (usize::from(square.file()), usize::from(square.rank()));
        match (self, rank) {
            (Self::K3, _) => rank / 3,
            (Self::K9, _) => rank,
            (Self::K9z, 0..=6) => [0, 0, 0, 1, 1, 1, 2][rank],
            (Self::K9z, _) => 3 + (rank - 7) * 3 + file / 3,
            (Self::K13z, 0..=6) => rank,
            (Self::K13z, _) => 7 + (rank - 7) * 3 + file / 3,
            (Self::K21, 0..=6) => [0, 0, 0, 1, 1, 1, 2][rank],
            (Self::K21, _) => 3 + (rank - 7) * 9 + file,
            (Self::K29, 0..=5) => [0, 0, 0, 1, 1, 1][rank],
            (Self::K29, _) => 2 + (rank - 6) * 9 + file,
        }
    }
}

/// How the pieces in hand choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HandRule {
    /// Bishop or none.
    Hand4,
    /// Pawn, bishop.
    Hand16,
    /// Small pieces, generals and rook, bishop.
    Hand64,
    /// Eight grades of the total.
    Hand64z,
    /// Small pieces, generals, bishop, rook.
    Hand256,
    /// Pawn, lance or knight, generals, bishop, rook.
    Hand1024,
}

impl HandRule {
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Hand4, "hand4"),
        (Self::Hand16, "hand16"),
        (Self::Hand64, "hand64"),
        (Self::Hand64z, "hand64z"),
        (Self::Hand256, "hand256"),
        (Self::Hand1024, "hand1024"),
    ];

    /// Classes of one hand.
    pub const fn classes(self) -> usize {
        match self {
            Self::Hand4 => 2,
            Self::Hand16 => 4,
            Self::Hand64 | Self::Hand64z => 8,
            Self::Hand256 => 16,
            Self::Hand1024 => 32,
        }
    }

    fn class(self, hand: Hand) -> usize {
        use PieceType::*;
        let any = |kinds: &[PieceType], bit: usize| usize::from(kinds.iter().any(|&kind| hand.has(kind))) << bit;
        let n = |kind: PieceType| hand.count(kind) as usize;
        match self {
            Self::Hand4 => any(&[Bishop], 0),
            Self::Hand16 => any(&[Pawn], 0) | any(&[Bishop], 1),
            Self::Hand64 => any(&[Pawn, Lance, Knight], 0) | any(&[Gold, Silver, Rook], 1) | any(&[Bishop], 2),
            Self::Hand64z => {
                let worth =
                    n(Pawn) + 2 * (n(Lance) + n(Knight)) + 3 * (n(Silver) + n(Gold)) + 5 * (n(Bishop) + n(Rook));
                (worth.div_ceil(4)).min(7)
            }
            Self::Hand256 => {
                any(&[Pawn, Lance, Knight], 0) | any(&[Silver, Gold], 1) | any(&[Bishop], 2) | any(&[Rook], 3)
            }
            Self::Hand1024 => {
                any(&[Pawn], 0)
                    | any(&[Lance, Knight], 1)
                    | any(&[Silver, Gold], 2)
                    | any(&[Bishop], 3)
                    | any(&[Rook], 4)
            }
        }
    }
}

/// The learned measure of progress that some networks carry.
pub(super) struct ProgressTable {
    pub bias: i32,
    /// By own king square and BonaPiece number.
    pub weights: Vec<i32>,
    /// How many grades choose.
    pub grades: usize,
    /// Where the 255 steps of progress begin, ascending.
    thresholds: Vec<i64>,
}

/// The magic word before a progress table.
pub(super) const PROGRESS_MAGIC: u32 = 0x6F50_524F;
/// Entries of a progress table.
pub(super) const PROGRESS_WEIGHTS: usize = 81 * 1548;

impl ProgressTable {
    pub fn new(bias: i32, weights: Vec<i32>, grades: usize) -> Self {
        // The logits of i/256 in 16-bit fixed point.
        let threshold = |i: i32| {
            let p = f64::from(i) / 256.0;
            ((p / (1.0 - p)).ln() * 65536.0).round() as i64
        };
        Self { bias, weights, grades, thresholds: (1..256).map(threshold).collect() }
    }

    /// The grade of a board; `tables` must number the pieces by BonaPiece.
    fn grade(&self, board: &Board, tables: &FeatureSet) -> usize {
        let mut sum = i64::from(self.bias);
        for perspective in Color::ALL {
            let king = board.king(perspective).map_or(44, |king| king.relative_to(perspective).index());
            let row = &self.weights[king * 1548..][..1548];
            let mut men = 0;
            for item in items::items(board) {
                let index = tables.index[perspective.index()][0][item.index()];
                if index != NONE && index < 1548 {
                    sum += i64::from(row[usize::from(index)]);
                    men += 1;
                }
            }
            sum += i64::from(row[0]) * (38 - men);
        }
        let progress = self.thresholds.partition_point(|&threshold| threshold <= sum);
        (progress * self.grades / 256).min(self.grades - 1)
    }
}

/// What chooses a network's bucket.
pub(super) enum BucketRule {
    /// There is one.
    Single,
    /// The rules of SFNN files, combined in this order.
    Sfnn { hand: Option<HandRule>, king: Option<KingRule>, progress: Option<ProgressTable> },
    /// The engine's own: phases from which on the next stack is used.
    Phase(Vec<u8>),
}

impl BucketRule {
    /// The number of buckets.
    pub fn count(&self) -> usize {
        match self {
            Self::Single => 1,
            Self::Sfnn { hand, king, progress } => {
                hand.map_or(1, |rule| rule.classes().pow(2))
                    * king.map_or(1, |rule| rule.zones().pow(2))
                    * progress.as_ref().map_or(1, |progress| progress.grades)
            }
            Self::Phase(thresholds) => thresholds.len() + 1,
        }
    }

    /// The bucket of a position.
    #[inline(always)]
    pub fn bucket(&self, view: &impl View, side: Color, tables: &FeatureSet) -> usize {
        match self {
            Self::Single => 0,
            Self::Phase(thresholds) => phase_bucket(thresholds, view.phase()),
            Self::Sfnn { hand, king, progress } => {
                let mut index = 0;
                if let Some(rule) = hand {
                    let class = |color: Color| rule.class(view.hand(color));
                    index = class(side) * rule.classes() + class(!side);
                }
                if let Some(rule) = king {
                    let zone = |color: Color| {
                        let square = view.king(color).map_or(44, |king| king.relative_to(color).index());
                        rule.zone(Square::from_index_unchecked(square as u8))
                    };
                    let zones = rule.zones();
                    index = index * zones * zones + zone(side) * zones + zone(!side);
                }
                if let Some(progress) = progress {
                    index = index * progress.grades + progress.grade(&view.board(), tables);
                }
                index
            }
        }
    }
}

/// What the choice looks at.
pub(super) trait View {
    fn king(&self, color: Color) -> Option<Square>;
    fn hand(&self, color: Color) -> Hand;
    /// As [`items::phase`].
    fn phase(&self) -> u32;
    fn board(&self) -> Cow<'_, Board>;
}

impl View for Board {
    fn king(&self, color: Color) -> Option<Square> {
        Board::king(self, color)
    }
    fn hand(&self, color: Color) -> Hand {
        self.held(color).fold(Hand::EMPTY, |hand, (kind, count)| hand.with(kind, count.into()))
    }
    fn phase(&self) -> u32 {
        items::phase(self)
    }
    fn board(&self) -> Cow<'_, Board> {
        Cow::Borrowed(self)
    }
}

impl View for Position {
    #[inline(always)]
    fn king(&self, color: Color) -> Option<Square> {
        Position::king(self, color)
    }
    #[inline(always)]
    fn hand(&self, color: Color) -> Hand {
        Position::hand(self, color)
    }
    #[inline(always)]
    fn phase(&self) -> u32 {
        let promoted = PieceType::ALL[8..].iter().map(|&kind| self.by_type(kind).count()).sum::<u32>();
        promoted + Color::ALL.into_iter().map(|color| held(Position::hand(self, color))).sum::<u32>()
    }
    fn board(&self) -> Cow<'_, Board> {
        Cow::Owned(Board::from(self))
    }
}

/// The number of thresholds that are at most the phase.
pub(super) fn phase_bucket(thresholds: &[u8], phase: u32) -> usize {
    thresholds.iter().filter(|&&threshold| u32::from(threshold) <= phase).count()
}

/// In words: `one`, `hand64z k9k9z progress8`, `phase 2 4 7`.
impl fmt::Display for BucketRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        match self {
            Self::Single => words.push("one".to_owned()),
            Self::Phase(thresholds) => {
                words.push("phase".to_owned());
                words.extend(thresholds.iter().map(u8::to_string));
            }
            Self::Sfnn { hand, king, progress } => {
                let name = HandRule::ALL.iter().find(|(rule, _)| Some(*rule) == *hand);
                words.extend(name.map(|(_, name)| (*name).to_owned()));
                let name = KingRule::ALL.iter().find(|(rule, _)| Some(*rule) == *king);
                words.extend(name.map(|(_, name)| (*name).to_owned()));
                words.extend(progress.as_ref().map(|progress| format!("progress{}", progress.grades)));
            }
        }
        f.write_str(&words.join(" "))
    }
}
