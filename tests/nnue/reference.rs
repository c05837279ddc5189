#![allow(dead_code, missing_docs)]
//! Network files made of pseudo-random numbers by a fixed rule, so that values can be compared with other programs
//! without any real network.
//!
//! Every parameter of a file, in file order and padding columns included, has a number i = 0, 1, 2, ...; its value is
//! `lo + (splitmix64(SEED + (i + 1) * G) >> 33) % (hi - lo + 1)` with the range of its section, and padding is written
//! as zero.

use hagane::nnue::hagane_nn::{LayerStackParameters, Parameters};
use hagane::nnue::zoned::INPUTS;
use hagane::nnue::{Architecture, Family, FeatureKind};

/// The numbers of a file in order.
pub struct Stream(u64);

impl Stream {
    pub fn new() -> Self {
        Self(0)
    }

    /// The next number of a section's range.
    pub fn next(&mut self, (low, high): (i64, i64)) -> i64 {
        self.0 += 1;
        let mut x = 20261121u64.wrapping_add(self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^= x >> 31;
        low + ((x >> 33) % (high - low + 1) as u64) as i64
    }

    fn vec<T: TryFrom<i64>>(&mut self, count: usize, range: (i64, i64)) -> Vec<T> {
        (0..count).map(|_| T::try_from(self.next(range)).ok().unwrap()).collect()
    }
}

const BIAS: (i64, i64) = (-60, 140);
const WEIGHT: (i64, i64) = (-36, 36);

/// Ranges of a dense layer's biases and weights.
fn dense_ranges(inputs: usize) -> ((i64, i64), (i64, i64)) {
    if inputs >= 256 { ((-8000, 9000), (-24, 24)) } else { ((-3000, 6000), (-60, 60)) }
}

/// A plain architecture.
pub fn plain(features: FeatureKind, l1: usize, h1: usize, h2: usize) -> Architecture {
    Architecture { features, family: Family::Plain, l1, h1, h2, stacks: 1 }
}

/// An SFNN architecture.
pub fn sfnn(features: FeatureKind, l1: usize, h1: usize, h2: usize, stacks: usize) -> Architecture {
    let family = Family::Sfnn { shortcut: h1 % 8 == 7 };
    Architecture { features, family, l1, h1, h2, stacks }
}

/// A whole nn.bin file; `progress` adds a table of progress, `compressed` chooses LEB128.
pub fn file(architecture: &Architecture, text: &str, compressed: bool, progress: bool) -> Vec<u8> {
    let Architecture { features, l1, h2, .. } = *architecture;
    let mut stream = Stream::new();
    let mut out = Vec::new();
    let word = |out: &mut Vec<u8>, word: u32| out.extend_from_slice(&word.to_le_bytes());
    word(&mut out, 0x7AF3_2F16);
    word(&mut out, architecture.file_hash());
    word(&mut out, text.len() as u32);
    out.extend_from_slice(text.as_bytes());
    word(&mut out, architecture.transformer_hash());
    for (count, range) in [(l1, BIAS), (l1 * features.inputs(), WEIGHT)] {
        if compressed {
            out.extend_from_slice(b"COMPRESSED_LEB128");
            let at = out.len();
            word(&mut out, 0);
            for _ in 0..count {
                leb128(&mut out, stream.next(range));
            }
            let length = (out.len() - at - 4) as u32;
            out[at..at + 4].copy_from_slice(&length.to_le_bytes());
        } else {
            out.reserve(2 * count);
            for _ in 0..count {
                out.extend_from_slice(&(stream.next(range) as i16).to_le_bytes());
            }
        }
    }
    if progress {
        word(&mut out, 0x6F50_524F);
        for _ in 0..1 + 81 * 1548 {
            out.extend_from_slice(&(stream.next((-9000, 9000)) as i32).to_le_bytes());
        }
    }
    for _ in 0..architecture.stacks {
        word(&mut out, architecture.stack_hash());
        for (inputs, outputs) in
            [(architecture.first_inputs(), architecture.first_outputs()), (architecture.second_inputs(), h2), (h2, 1)]
        {
            let (bias, weight) = dense_ranges(inputs);
            for _ in 0..outputs {
                out.extend_from_slice(&(stream.next(bias) as i32).to_le_bytes());
            }
            for _ in 0..outputs {
                for column in 0..inputs.next_multiple_of(32) {
                    let value = stream.next(weight) as i8;
                    out.push(if column < inputs { value as u8 } else { 0 });
                }
            }
        }
    }
    out
}

fn leb128(out: &mut Vec<u8>, mut value: i64) {
    loop {
        let byte = (value & 0x7f) as u8;
        value >>= 7;
        let sign = byte & 0x40 != 0;
        if (value == 0 && !sign) || (value == -1 && sign) {
            return out.push(byte);
        }
        out.push(byte | 0x80);
    }
}

/// The four networks whose values are known, by name; `None` for another name.
#[allow(dead_code)]
pub fn known(name: &str) -> Option<Vec<u8>> {
    let text = format!("reference net {name}");
    Some(match name {
        "kp256" => file(&plain(FeatureKind::KP, 256, 32, 32), &text, false, false),
        "halfkp256" => file(&plain(FeatureKind::HalfKp, 256, 32, 32), &text, false, false),
        "halfkp1024_8_32" => file(&plain(FeatureKind::HalfKp, 1024, 8, 32), &text, false, false),
        "sfnn1536" => {
            let text =
                "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[73305->1536x2],Network=SFNN-1536{LayerStack=9}";
            file(&sfnn(FeatureKind::HalfKaHm2, 1536, 15, 32, 9), text, true, false)
        }
        _ => return None,
    })
}

/// A network of the engine's own kind.
pub fn own(l1: usize, h1: usize, h2: usize, zones: u8, thresholds: &[u8]) -> Parameters {
    let mut stream = Stream::new();
    // Own networks multiply values up to 255.
    let (bias, weight) = ((-100, 240), (-70, 70));
    let biases = stream.vec(l1, bias);
    let weights = stream.vec(l1 * INPUTS * usize::from(zones), weight);
    let stacks = (0..thresholds.len() + 1).map(|_| {
        let ((first_bias, first), (second_bias, second)) = (dense_ranges(l1), dense_ranges(2 * h1));
        LayerStackParameters {
            first_biases: stream.vec(h1, first_bias),
            first_weights: stream.vec(h1 * l1, first),
            second_biases: stream.vec(h2, second_bias),
            second_weights: stream.vec(h2 * 2 * h1, second),
            output_bias: stream.next(second_bias) as i32,
            output_weights: stream.vec(h2, second),
        }
    });
    let stacks = stacks.collect();
    let mut zone_of_king = [0; 45];
    for (square, zone) in zone_of_king.iter_mut().enumerate() {
        *zone = square as u8 % zones;
    }
    Parameters {
        l1,
        h1,
        h2,
        centipawns: 400,
        zones: zone_of_king,
        thresholds: thresholds.to_vec(),
        description: "reference".to_owned(),
        biases,
        weights,
        stacks,
    }
}
