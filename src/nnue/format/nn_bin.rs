//! Reads files of the nn.bin family.

use super::detect::{self, Header};
use super::reader::{Leb128, Reader};
use crate::nnue::aligned::Aligned;
use crate::nnue::architecture::{Architecture, FeatureKind, pad32};
use crate::nnue::buckets::{BucketRule, PROGRESS_MAGIC, PROGRESS_WEIGHTS, ProgressTable};
use crate::nnue::error::NetworkError;
use crate::nnue::features::FeatureSet;
use crate::nnue::layers::{Dense, LayerStack};

/// The only version word in use.
const VERSION: u32 = 0x7AF3_2F16;
/// How much of a description may name the architecture, in bytes.
const LONGEST_NAME: usize = 4096;
/// The widest accumulator that is read.
const MAX_WIDTH: usize = 8192;

/// A file taken apart.
pub(in crate::nnue) struct Parsed {
    pub architecture: Architecture,
    pub features: FeatureSet,
    pub biases: Aligned<i16>,
    pub weights: Aligned<i16>,
    pub stacks: Vec<LayerStack>,
    pub buckets: BucketRule,
    pub description: String,
    /// The hashes of file, transformer and first stack as the file has them.
    pub hashes: [u32; 3],
}

/// Reads a whole file. Nothing is allocated for which the file does not hold the bytes.
pub(in crate::nnue) fn parse(bytes: &[u8]) -> Result<Parsed, NetworkError> {
    let mut reader = Reader::new(bytes);
    let version = reader.u32("the header")?;
    if version != VERSION {
        return Err(NetworkError::Version(version));
    }
    let file_hash = reader.u32("the header")?;
    let text_length = reader.u32("the header")? as usize;
    let text = reader.take(text_length, "the description")?;
    let name = String::from_utf8_lossy(&text[..text.len().min(LONGEST_NAME)]);
    let transformer_hash = reader.u32("the transformer's hash")?;
    let header = Header { file_hash, transformer_hash, text: &name, length: bytes.len(), start: reader.at() };

    let compressed = reader.at_leb128();
    let layered = compressed || (header.names("SFNN") || name.contains("SFNN"));
    let (architecture, biases, weights, buckets);
    if layered {
        let transformer = Transformer::find(&mut reader, &header, compressed)?;
        let progress = read_progress(&mut reader)?;
        let (kind, l1, rest) = (transformer.features, transformer.l1, reader.rest());
        let found = detect::sfnn(&header, kind, l1, rest, progress.is_some());
        let Some((found, rules)) = found else {
            return Err(sfnn_mismatch(&header, kind, l1, &reader));
        };
        (biases, weights) = transformer.decode()?;
        architecture = found;
        buckets = BucketRule::Sfnn {
            hand: rules.hand,
            king: rules.king,
            progress: progress.map(|(bias, weights)| ProgressTable::new(bias, weights, rules.grades)),
        };
    } else {
        architecture = detect::plain(&header)?;
        let Architecture { features, l1, .. } = architecture;
        (biases, weights) = Transformer::raw(&mut reader, features, l1)?.decode()?;
        buckets = BucketRule::Single;
    }
    let shard = shard_rule(&header, &architecture);
    let mut stacks = Vec::with_capacity(architecture.stacks);
    let mut stack_hash = None;
    for _ in 0..architecture.stacks {
        let hash = reader.u32("the dense layers")?;
        stack_hash.get_or_insert(hash);
        stacks.push(read_stack(&mut reader, &architecture, shard)?);
    }
    if !reader.rest().is_empty() {
        return Err(NetworkError::Trailing {
            count: reader.rest().len(),
            at: reader.at(),
            architecture: architecture.to_string(),
        });
    }
    let weights = match architecture.features {
        FeatureKind::KA2 => fold_kings(&weights, architecture.l1),
        _ => weights,
    };
    Ok(Parsed {
        features: FeatureSet::new(architecture.features, &[0; 45]),
        architecture,
        biases,
        weights,
        stacks,
        buckets,
        hashes: [file_hash, transformer_hash, stack_hash.unwrap_or(0)],
        description: String::from_utf8_lossy(text).into_owned(),
    })
}

/// The feature transformer as the file has it.
struct Transformer<'a> {
    features: FeatureKind,
    l1: usize,
    biases: Numbers<'a>,
    weights: Numbers<'a>,
}

/// 16-bit numbers of a file.
enum Numbers<'a> {
    Raw(&'a [u8]),
    Compressed(Leb128<'a>),
}

impl Numbers<'_> {
    fn decode(&self, count: usize) -> Result<Aligned<i16>, NetworkError> {
        let mut numbers = Aligned::zeroed(count);
        match self {
            Self::Raw(bytes) => Reader::new(bytes).fill_i16(&mut numbers, "the transformer")?,
            Self::Compressed(block) => block.decode(&mut numbers)?,
        }
        Ok(numbers)
    }
}

impl<'a> Transformer<'a> {
    /// The transformer of an SFNN file.
    fn find(reader: &mut Reader<'a>, header: &Header, compressed: bool) -> Result<Self, NetworkError> {
        if compressed { Self::compressed(reader) } else { Self::raw_sfnn(reader, header) }
    }

    fn raw(reader: &mut Reader<'a>, features: FeatureKind, l1: usize) -> Result<Self, NetworkError> {
        let biases = Numbers::Raw(reader.take(2 * l1, "the transformer biases")?);
        let weights = Numbers::Raw(reader.take(2 * l1 * features.inputs(), "the transformer weights")?);
        Ok(Self { features, l1, biases, weights })
    }

    /// Two compressed blocks, whose lengths tell the width and the inputs.
    fn compressed(reader: &mut Reader<'a>) -> Result<Self, NetworkError> {
        let at = reader.at();
        let malformed = |what: String| NetworkError::Malformed { part: "the transformer", at, what };
        let biases = reader.leb128_block("the transformer biases")?;
        let l1 = biases.count();
        if l1 == 0 || l1 > MAX_WIDTH || !l1.is_multiple_of(32) {
            return Err(malformed(format!("its width is {l1}, not a multiple of 32 in 32..={MAX_WIDTH}")));
        }
        if !reader.at_leb128() {
            let (part, what) = ("the transformer weights", "the magic COMPRESSED_LEB128 is missing");
            return Err(NetworkError::Malformed { part, at: reader.at(), what: what.to_owned() });
        }
        let weights = reader.leb128_block("the transformer weights")?;
        let count = weights.count();
        let features = detect::features_by_inputs(count / l1)
            .filter(|_| count.is_multiple_of(l1))
            .ok_or_else(|| malformed(format!("{count} weights of width {l1} belong to no known inputs")))?;
        let (biases, weights) = (Numbers::Compressed(biases), Numbers::Compressed(weights));
        Ok(Self { features, l1, biases, weights })
    }

    /// An SFNN file without compression: its text must tell inputs and width.
    fn raw_sfnn(reader: &mut Reader<'a>, header: &Header) -> Result<Self, NetworkError> {
        let numbers = header.numbers();
        let mut from_inputs = numbers.into_iter().skip_while(|&number| detect::features_by_inputs(number).is_none());
        let features = from_inputs.next().and_then(detect::features_by_inputs);
        match (features, from_inputs.next()) {
            (Some(features), Some(l1)) if (32..=MAX_WIDTH).contains(&l1) && l1.is_multiple_of(32) => {
                Self::raw(reader, features, l1)
            }
            _ => Err(NetworkError::UnknownArchitecture {
                payload: reader.rest().len(),
                length: header.length,
                text: header.text.chars().take(200).collect(),
            }),
        }
    }

    /// Biases and weights.
    fn decode(&self) -> Result<(Aligned<i16>, Aligned<i16>), NetworkError> {
        Ok((self.biases.decode(self.l1)?, self.weights.decode(self.l1 * self.features.inputs())?))
    }
}

/// The progress table, where its magic word is next.
fn read_progress(reader: &mut Reader) -> Result<Option<(i32, Vec<i32>)>, NetworkError> {
    if !reader.rest().starts_with(&PROGRESS_MAGIC.to_le_bytes()) {
        return Ok(None);
    }
    reader.u32("the progress table")?;
    let bias = reader.u32("the progress table")? as i32;
    Ok(Some((bias, reader.i32s(PROGRESS_WEIGHTS, "the progress table")?)))
}

/// What is wrong with an SFNN file whose dense layers have no possible size.
fn sfnn_mismatch(header: &Header, kind: FeatureKind, l1: usize, reader: &Reader) -> NetworkError {
    let rest = reader.rest().len();
    match detect::sfnn_named(header, kind, l1) {
        Some(meant) => {
            let needed = meant.stacks.saturating_mul(4 + meant.stack_bytes());
            if needed > rest {
                NetworkError::Truncated {
                    length: header.length,
                    part: format!("the dense layers of {meant}"),
                    missing: needed - rest,
                }
            } else {
                NetworkError::Trailing {
                    count: rest - needed,
                    at: reader.at() + needed,
                    architecture: meant.to_string(),
                }
            }
        }
        None => NetworkError::UnknownArchitecture {
            payload: rest,
            length: header.length,
            text: header.text.chars().take(200).collect(),
        },
    }
}

/// The columns of the first layer that each output uses, where a text of the form `cC_sSxG` restricts them: `(C, S,
/// G)`.
fn shard_rule(header: &Header, architecture: &Architecture) -> Option<(usize, usize, usize)> {
    let words: Vec<_> = header.text.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    words.windows(2).find_map(|pair| {
        let common = pair[0].strip_prefix(['c', 'C'])?.parse().ok()?;
        let (size, count) = pair[1].strip_prefix(['s', 'S'])?.split_once(['x', 'X'])?;
        let (size, count): (usize, usize) = (size.parse().ok()?, count.parse().ok()?);
        let fits = count > 0
            && architecture.first_outputs().is_multiple_of(count)
            && size.checked_mul(count)?.checked_add(common)? == architecture.first_inputs();
        fits.then_some((common, size, count))
    })
}

fn read_stack(
    reader: &mut Reader,
    architecture: &Architecture,
    shard: Option<(usize, usize, usize)>,
) -> Result<LayerStack, NetworkError> {
    let mut layer = |inputs: usize, outputs: usize| -> Result<_, NetworkError> {
        let biases = reader.i32s(outputs, "the dense layers")?;
        let rows = reader.i8s(outputs * pad32(inputs), "the dense layers")?;
        Ok((biases, rows))
    };
    let (inputs, outputs) = (architecture.first_inputs(), architecture.first_outputs());
    let (biases, mut rows) = layer(inputs, outputs)?;
    if let Some((common, size, count)) = shard {
        for (output, row) in rows.chunks_exact_mut(pad32(inputs)).enumerate() {
            let own = common + output / (outputs / count) * size;
            for (column, weight) in row.iter_mut().enumerate().skip(common) {
                if !(own..own + size).contains(&column) {
                    *weight = 0;
                }
            }
        }
    }
    let first = Dense::new(&biases, &rows, inputs, pad32(inputs));
    let inputs = architecture.second_inputs();
    let (biases, rows) = layer(inputs, architecture.h2)?;
    let second = Dense::new(&biases, &rows, inputs, pad32(inputs));
    let (biases, rows) = layer(architecture.h2, 1)?;
    Ok(LayerStack::new(first, second, biases[0], &rows[..architecture.h2]))
}

/// K+A2 has two inputs for each king, always set together: their rows are added up, which leaves K+P's numbering.
fn fold_kings(weights: &[i16], l1: usize) -> Aligned<i16> {
    let mut folded = Aligned::zeroed(1710 * l1);
    folded[..1548 * l1].copy_from_slice(&weights[..1548 * l1]);
    for king in 0..162 {
        // Both kings share the plane of A2; K has a plane each.
        let (shared, single) = (1548 + king % 81, 1629 + king);
        for j in 0..l1 {
            folded[(1548 + king) * l1 + j] = weights[shared * l1 + j].wrapping_add(weights[single * l1 + j]);
        }
    }
    folded
}
