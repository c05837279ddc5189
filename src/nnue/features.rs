//! From pieces on squares to rows of the feature transformer.
//!
//! Every kind of inputs becomes the same three tables: for each own king square a plane (first row) and whether the
//! board is mirrored, and for each item of a placement its row within the plane. Where the plane or the mirroring
//! changes, an accumulator must be built anew (or taken from the cache); all other moves exchange one or two rows.

use super::architecture::FeatureKind;
use super::items::{HAND_SLOT, Item};
use super::zoned;
use crate::types::{BySquare, Color, Piece, PieceType, Square};

/// No row: the kind has no input for the item.
pub(super) const NONE: u16 = u16::MAX;

/// BonaPiece number of the first copy in hand, own and enemy's, by [`PieceType::index`]. The numbering is Bonanza's.
const HAND: [(u16, u16); 8] = [(0, 0), (1, 20), (39, 44), (49, 54), (59, 64), (79, 82), (85, 88), (69, 74)];

/// BonaPiece number of a piece on square 0, own and enemy's: small promoted pieces count as gold.
const fn board_base(kind: PieceType) -> (u16, u16) {
    match kind {
        PieceType::Pawn => (90, 171),
        PieceType::Lance => (252, 333),
        PieceType::Knight => (414, 495),
        PieceType::Silver => (576, 657),
        PieceType::Gold | PieceType::ProPawn | PieceType::ProLance | PieceType::ProKnight | PieceType::ProSilver => {
            (738, 819)
        }
        PieceType::Bishop => (900, 981),
        PieceType::Horse => (1062, 1143),
        PieceType::Rook => (1224, 1305),
        PieceType::Dragon => (1386, 1467),
        PieceType::King => (KINGS, KINGS + 81),
    }
}

/// First BonaPiece number on the board; those before it are in hand.
const BOARD: u16 = 90;
/// First BonaPiece number of kings.
const KINGS: u16 = 1548;

/// One perspective's king square sorted: what stays the same lets an accumulator be updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Slot(pub u8);

/// The tables.
pub(super) struct FeatureSet {
    /// Rows of the transformer in memory.
    pub rows: usize,
    /// Slot of each own king square, seen from its owner.
    pub slots: BySquare<Slot>,
    /// First row of each slot's plane.
    pub planes: Vec<u32>,
    /// Whether each slot mirrors the board.
    pub mirrored: Vec<bool>,
    /// The row within the plane by perspective, mirroring and item, or [`NONE`].
    pub index: Box<[[[u16; Item::COUNT]; 2]; 2]>,
    /// Row within the plane that stands for each missing piece.
    pub filler: Option<u16>,
    /// Rows between the planes of different numbers of attacks, where the kind has them.
    pub attacks: Option<u32>,
}

impl FeatureSet {
    /// The tables of a kind; `zones` sorts the own king's 45 mirrored squares and is read for [`FeatureKind::Zoned`]
    /// only.
    pub fn new(kind: FeatureKind, zones: &[u8; 45]) -> Self {
        let mirrors = matches!(
            kind,
            FeatureKind::HalfKpVm | FeatureKind::HalfKaHm1 | FeatureKind::HalfKaHm2 | FeatureKind::Zoned { .. }
        );
        let plane_rows = match kind {
            FeatureKind::HalfKp | FeatureKind::HalfKpVm | FeatureKind::HalfKpE9 => 1548,
            FeatureKind::HalfKa1 | FeatureKind::HalfKaHm1 => 1710,
            FeatureKind::HalfKa2 | FeatureKind::HalfKaHm2 => 1629,
            FeatureKind::KP | FeatureKind::KA2 => 0,
            FeatureKind::Zoned { .. } => zoned::INPUTS as u32,
        };
        let (mut slots, mut planes, mut mirrored) = ([Slot(0); Square::COUNT], Vec::new(), Vec::new());
        for square in Square::all() {
            let mirror = mirrors && square.file() >= 5;
            let king = if mirror { square.mirror() } else { square }.index();
            let plane = plane_rows
                * match kind {
                    FeatureKind::Zoned { .. } => u32::from(zones[king]),
                    _ => king as u32,
                };
            let known = (0..planes.len()).find(|&i| (planes[i], mirrored[i]) == (plane, mirror));
            slots[square.index()] = Slot(known.unwrap_or(planes.len()) as u8);
            if known.is_none() {
                planes.push(plane);
                mirrored.push(mirror);
            }
        }
        let mut index = Box::new([[[NONE; Item::COUNT]; 2]; 2]);
        for perspective in Color::ALL {
            for mirror in [false, true] {
                let table = &mut index[perspective.index()][usize::from(mirror)];
                fill(kind, perspective, mirror, table);
            }
        }
        Self {
            // K+A2's two inputs of a king are added up when the file is read, which leaves the rows of K+P.
            rows: if kind == FeatureKind::KA2 { 1710 } else { kind.inputs() },
            slots,
            planes,
            mirrored,
            index,
            filler: (!matches!(kind, FeatureKind::Zoned { .. })).then_some(0),
            attacks: (kind == FeatureKind::HalfKpE9).then_some(81 * 1548),
        }
    }

    /// The slot of a perspective whose king stands on `king`; a missing king counts as standing on 5九.
    pub fn slot(&self, perspective: Color, king: Option<Square>) -> Slot {
        self.slots[king.map_or(44, |king| king.relative_to(perspective).index())]
    }
}

/// Writes the rows of all items for one perspective.
fn fill(kind: FeatureKind, perspective: Color, mirror: bool, table: &mut [u16; Item::COUNT]) {
    for color in Color::ALL {
        let own = color == perspective;
        for piece_type in PieceType::ALL {
            let piece = Piece::new(color, piece_type);
            for square in Square::all() {
                let seen = square.relative_to(perspective);
                let seen = if mirror { seen.mirror() } else { seen };
                table[Item::on_board(piece, square).index()] = match kind {
                    FeatureKind::Zoned { .. } => zoned::board_input(own, piece_type, seen),
                    _ => board_row(kind, own, piece_type, seen),
                };
            }
        }
        for hand_kind in PieceType::HAND {
            for copy in 0..u32::from(hand_kind.count_in_set()) {
                let (mine, theirs) = HAND[hand_kind.index()];
                table[Item::in_hand(color, hand_kind, copy).index()] = match kind {
                    FeatureKind::Zoned { .. } => zoned::hand_input(own, HAND_SLOT[hand_kind.index()] + copy as u16),
                    _ => (if own { mine } else { theirs }) + copy as u16,
                };
            }
        }
    }
}

/// The row within the plane of a piece on a square as the perspective sees it.
fn board_row(kind: FeatureKind, own: bool, piece_type: PieceType, seen: Square) -> u16 {
    let (mine, theirs) = board_base(piece_type);
    let bona = (if own { mine } else { theirs }) + seen.index() as u16;
    debug_assert!(bona >= BOARD);
    if bona < KINGS {
        return bona;
    }
    match kind {
        FeatureKind::HalfKp | FeatureKind::HalfKpVm | FeatureKind::HalfKpE9 => NONE,
        FeatureKind::HalfKa2 | FeatureKind::HalfKaHm2 if !own => bona - 81,
        _ => bona,
    }
}
