//! The engine's own network format: what the trainer writes and the binary carries.
//!
//! # Inputs
//!
//! Those of [`zoned`](crate::nnue::zoned).
//!
//! # Inference
//!
//! With `a` = bias + sum of the rows of the inputs, for the side to move, then for the opponent, `l1 / 2` values each:
//! `x[j] = clamp(a[j], 0, 255) * clamp(a[j + l1/2], 0, 255) >> 9`. Then `y = first(x)` (`h1` values), `z = [min(127,
//! y*y >> 19) .., clamp(y >> 6, 0, 127) ..]` (`2 * h1`), `t = clamp(second(z) >> 6, 0, 127)` (`h2`), `raw = output(t)`,
//! and the value is `raw * centipawns / 8128`, toward zero. So 1.0 is 255 in an accumulator and 127 in an activation
//! (the squared half: 126), a dense weight of 1.0 is 64, a dense bias of 1.0 is 8128, and `centipawns` is what an
//! output of 1.0 is worth. The stack of dense layers is the number of `thresholds` that are ≤ the phase, which counts
//! pieces in hand and promoted pieces of both sides. The shape follows Stockfish (pairwise products, squared and
//! clamped activation) and stoat (mirrored inputs without king planes).
//!
//! # Bytes
//!
//! All integers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `HAGANENN` |
//! | u32 | version, 1 |
//! | u32 × 6 | `l1`, `h1`, `h2`, `stacks`, `zones`, `centipawns` |
//! | u32 | `n`, length of the description |
//! | 45 | zone of each king square |
//! | `stacks - 1` | thresholds, ascending |
//! | `n` | description, UTF-8 |
//! | i16 × `l1` | transformer biases |
//! | i16 × `l1` × `zones * 2344` | transformer weights, a row per input |
//! | per stack | i32 × `h1`, i8 × `h1 * l1` (a row per output); i32 × `h2`, i8 × `h2 * 2 * h1`; i32, i8 × `h2` |
//! | u64 | checksum of everything before it: FNV-1a over 64-bit words, the last one filled up with zeros |

use super::reader::Reader;
use crate::nnue::buckets;
use crate::nnue::error::NetworkError;
use crate::nnue::items::HAND_SLOT;
use crate::nnue::zoned::{INPUTS, board_input, hand_input};
use crate::position::Board;
use crate::types::{Color, Square};

/// The first bytes of a file.
pub const MAGIC: &[u8; 8] = b"HAGANENN";
const VERSION: u32 = 1;
/// The most bytes that a description has.
pub const LONGEST_DESCRIPTION: u32 = 65536;
/// The most centipawns that an output of 1.0 is worth; the fewest are 1.
pub const MOST_CENTIPAWNS: u32 = 10000;

/// The numbers of one set of dense layers.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LayerStackParameters {
    /// `h1` biases of the first layer.
    pub first_biases: Vec<i32>,
    /// `h1` rows of `l1` weights.
    pub first_weights: Vec<i8>,
    /// `h2` biases of the second layer.
    pub second_biases: Vec<i32>,
    /// `h2` rows of `2 * h1` weights.
    pub second_weights: Vec<i8>,
    /// The bias of the output.
    pub output_bias: i32,
    /// `h2` weights of the output.
    pub output_weights: Vec<i8>,
}

impl LayerStackParameters {
    /// Appends each layer's biases, then its weights row by row: the order of this format and of an unpadded nn.bin.
    pub fn write(&self, out: &mut Vec<u8>) {
        for (biases, weights) in [
            (&self.first_biases[..], &self.first_weights),
            (&self.second_biases[..], &self.second_weights),
            (&[self.output_bias][..], &self.output_weights),
        ] {
            out.extend(biases.iter().flat_map(|value| value.to_le_bytes()));
            out.extend(weights.iter().map(|&value| value as u8));
        }
    }
}

/// A network of the engine's own kind, number by number: what the trainer exports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Width of an accumulator: a multiple of 64, 64..=4096.
    pub l1: usize,
    /// Outputs of the first dense layer, a multiple of 8, 8..=128.
    pub h1: usize,
    /// Outputs of the second dense layer, a multiple of 8, 8..=128.
    pub h2: usize,
    /// What an output of 1.0 is worth, 1..=[`MOST_CENTIPAWNS`].
    pub centipawns: u32,
    /// The zone of each own king square after mirroring, numbers from 0 without gaps.
    pub zones: [u8; 45],
    /// The phases from which on the next stack is used: ascending, one fewer than stacks.
    pub thresholds: Vec<u8>,
    /// Free text: origin, date, data.
    pub description: String,
    /// `l1` biases of the transformer.
    pub biases: Vec<i16>,
    /// A row of `l1` weights per input.
    pub weights: Vec<i16>,
    /// The dense layers, 1..=64 of them.
    pub stacks: Vec<LayerStackParameters>,
}

impl Parameters {
    /// The inputs that a board sets for a perspective, in no particular order.
    pub fn active_inputs(&self, board: &Board, perspective: Color) -> Vec<usize> {
        let king = board.king(perspective).map_or(44, |king| king.relative_to(perspective).index());
        let king = Square::from_index_unchecked(king as u8);
        let mirror = king.file() >= 5;
        let view = |square: Square| if mirror { square.mirror() } else { square };
        let zone = usize::from(self.zones[view(king).index()]) * INPUTS;
        let mut inputs = Vec::with_capacity(40);
        for (square, piece) in board.pieces() {
            let own = piece.color() == perspective;
            let seen = view(square.relative_to(perspective));
            inputs.push(zone + usize::from(board_input(own, piece.piece_type(), seen)));
        }
        for color in Color::ALL {
            for (kind, count) in board.held(color) {
                for copy in 0..u16::from(count) {
                    let slot = HAND_SLOT[kind.index()] + copy;
                    inputs.push(zone + usize::from(hand_input(color == perspective, slot)));
                }
            }
        }
        inputs
    }

    /// The bucket of a phase ([`phase`](crate::nnue::phase)): which of the stacks evaluates it.
    pub fn bucket(&self, phase: u32) -> usize {
        buckets::phase_bucket(&self.thresholds, phase)
    }

    /// The file's bytes. The vectors must have the lengths that their descriptions name.
    pub fn to_bytes(&self) -> Vec<u8> {
        let zones = self.zones.iter().max().map_or(1, |&zone| usize::from(zone) + 1);
        assert_eq!(self.biases.len(), self.l1);
        assert_eq!(self.weights.len(), zones * INPUTS * self.l1);
        assert_eq!(self.thresholds.len() + 1, self.stacks.len());
        let mut out = MAGIC.to_vec();
        let sizes = [self.l1, self.h1, self.h2, self.stacks.len(), zones, self.centipawns as usize];
        for number in [VERSION as usize].into_iter().chain(sizes).chain([self.description.len()]) {
            out.extend_from_slice(&(number as u32).to_le_bytes());
        }
        out.extend_from_slice(&self.zones);
        out.extend_from_slice(&self.thresholds);
        out.extend_from_slice(self.description.as_bytes());
        out.extend(self.biases.iter().chain(&self.weights).flat_map(|value| value.to_le_bytes()));
        for stack in &self.stacks {
            assert_eq!(stack.first_weights.len(), self.h1 * self.l1);
            assert_eq!(stack.second_weights.len(), self.h2 * 2 * self.h1);
            assert_eq!((stack.first_biases.len(), stack.second_biases.len()), (self.h1, self.h2));
            assert_eq!(stack.output_weights.len(), self.h2);
            stack.write(&mut out);
        }
        out.extend_from_slice(&checksum(&out).to_le_bytes());
        out
    }

    /// Reads a file's bytes. The length is checked before anything is allocated.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut reader = Reader::new(bytes);
        let magic = reader.take(MAGIC.len(), "the header")?;
        if magic != MAGIC {
            let word = [magic[0], magic[1], magic[2], magic[3]];
            return Err(NetworkError::Version(u32::from_le_bytes(word)));
        }
        let version = reader.u32("the header")?;
        if version != VERSION {
            return Err(NetworkError::OwnVersion(version));
        }
        let mut number = |name: &'static str, allowed: std::ops::RangeInclusive<u32>, step: u32| {
            let at = reader.at();
            let value = reader.u32("the header")?;
            if allowed.contains(&value) && value.is_multiple_of(step) {
                return Ok(value as usize);
            }
            let (low, high) = allowed.into_inner();
            let what = format!("{name} is {value}, not a multiple of {step} in {low}..={high}");
            Err(NetworkError::Malformed { part: "the header", at, what })
        };
        let l1 = number("the width", 64..=4096, 64)?;
        let h1 = number("the first layer", 8..=128, 8)?;
        let h2 = number("the second layer", 8..=128, 8)?;
        let stack_count = number("the number of stacks", 1..=64, 1)?;
        let zone_count = number("the number of king zones", 1..=45, 1)?;
        let centipawns = number("the scale", 1..=MOST_CENTIPAWNS, 1)? as u32;
        let text_length = number("the length of the description", 0..=LONGEST_DESCRIPTION, 1)?;

        let stack_bytes = 4 * h1 + h1 * l1 + 4 * h2 + h2 * 2 * h1 + 4 + h2;
        let rows = zone_count * INPUTS;
        let body = 45 + stack_count - 1 + text_length + 2 * l1 * (1 + rows) + stack_count * stack_bytes;
        let total = reader.at() + body + 8;
        if bytes.len() < total {
            return Err(NetworkError::Truncated {
                length: bytes.len(),
                part: "the parameters".to_owned(),
                missing: total - bytes.len(),
            });
        }
        if bytes.len() > total {
            return Err(NetworkError::Trailing {
                count: bytes.len() - total,
                at: total,
                architecture: format!("Hagane {l1}-{h1}-{h2}"),
            });
        }
        let mut stored = [0; 8];
        stored.copy_from_slice(&bytes[total - 8..]);
        let (stored, computed) = (u64::from_le_bytes(stored), checksum(&bytes[..total - 8]));
        if stored != computed {
            return Err(NetworkError::Checksum { stored, computed });
        }

        let malformed =
            |at: usize, what: &str| Err(NetworkError::Malformed { part: "the header", at, what: what.to_owned() });
        let at = reader.at();
        let zones: [u8; 45] = reader.array("the king zones")?;
        if (0..zone_count).any(|zone| !zones.contains(&(zone as u8)))
            || zones.iter().any(|&zone| usize::from(zone) >= zone_count)
        {
            return malformed(at, "the king zones are not numbered 0 .. without gaps");
        }
        let at = reader.at();
        let thresholds = reader.take(stack_count - 1, "the thresholds")?.to_vec();
        if !thresholds.is_sorted() {
            return malformed(at, "the thresholds do not ascend");
        }
        let at = reader.at();
        let Ok(description) = String::from_utf8(reader.take(text_length, "the description")?.to_vec()) else {
            return malformed(at, "the description is not UTF-8");
        };
        let mut biases = vec![0; l1];
        reader.fill_i16(&mut biases, "the transformer biases")?;
        let mut weights = vec![0; rows * l1];
        reader.fill_i16(&mut weights, "the transformer weights")?;
        let mut stacks = Vec::with_capacity(stack_count);
        for _ in 0..stack_count {
            let part = "the dense layers";
            stacks.push(LayerStackParameters {
                first_biases: reader.i32s(h1, part)?,
                first_weights: reader.i8s(h1 * l1, part)?,
                second_biases: reader.i32s(h2, part)?,
                second_weights: reader.i8s(h2 * 2 * h1, part)?,
                output_bias: reader.u32(part)? as i32,
                output_weights: reader.i8s(h2, part)?,
            });
        }
        Ok(Self { l1, h1, h2, centipawns, zones, thresholds, description, biases, weights, stacks })
    }
}

/// FNV-1a over 64-bit words, the last one filled up with zeros.
fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01B3);
    }
    hash
}
