//! Reads files of the nn.bin family.

use super::NetworkError;
use super::aligned::Aligned;
use super::architecture::{Architecture, FeatureKind, pad32};
use super::features::FeatureSet;
use super::layers::{Dense, Stack};
use super::reader::Reader;
use super::recognise::{self, Header};
use super::stacks::{PROGRESS_MAGIC, PROGRESS_WEIGHTS, Progress, StackChoice};

/// The only version word in use.
pub(super) const VERSION: u32 = 0x7AF3_2F16;
/// The widest accumulator that is read.
const MAX_WIDTH: usize = 8192;

/// A file taken apart.
pub(super) struct Parsed {
    pub architecture: Architecture,
    pub features: FeatureSet,
    pub biases: Aligned<i16>,
    pub weights: Aligned<i16>,
    pub stacks: Vec<Stack>,
    pub choice: StackChoice,
    pub description: String,
    /// The hashes of file, transformer and first stack as the file has them.
    pub hashes: [u32; 3],
}

/// Reads a whole file. Nothing is allocated for which the file does not hold the bytes.
pub(super) fn parse(bytes: &[u8]) -> Result<Parsed, NetworkError> {
    let mut reader = Reader::new(bytes);
    let version = reader.u32("the header")?;
    if version != VERSION {
        return Err(NetworkError::Version(version));
    }
    let file_hash = reader.u32("the header")?;
    let text_length = reader.u32("the header")? as usize;
    let text = String::from_utf8_lossy(reader.take(text_length, "the description")?);
    let transformer_hash = reader.u32("the transformer's hash")?;
    let header = Header {
        file_hash,
        transformer_hash,
        text: &text,
        length: bytes.len(),
        start: reader.at(),
    };

    let compressed = reader.at_leb128();
    let layered = compressed || (header.names("SFNN") || text.contains("SFNN"));
    let (architecture, biases, weights, choice);
    if layered {
        let (kind, transformer) = if compressed {
            read_compressed(&mut reader)?
        } else {
            read_raw_sfnn(&mut reader, &header)?
        };
        (biases, weights) = transformer;
        let progress = read_progress(&mut reader)?;
        let l1 = biases.len();
        let rest = reader.rest();
        let Some((found, rules)) = recognise::sfnn(&header, kind, l1, rest, progress.is_some())
        else {
            return Err(sfnn_mismatch(&header, kind, l1, &reader));
        };
        architecture = found;
        choice = StackChoice::Sfnn {
            hand: rules.hand,
            king: rules.king,
            progress: progress.map(|(bias, weights)| Progress::new(bias, weights, rules.grades)),
        };
    } else {
        architecture = recognise::plain(&header)?;
        (biases, weights) = read_raw(&mut reader, architecture.l1, architecture.features.inputs())?;
        choice = StackChoice::Single;
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
        choice,
        hashes: [file_hash, transformer_hash, stack_hash.unwrap_or(0)],
        description: text.into_owned(),
    })
}

type Transformer = (Aligned<i16>, Aligned<i16>);

fn read_raw(reader: &mut Reader, l1: usize, inputs: usize) -> Result<Transformer, NetworkError> {
    let missing = (2 * l1 * (1 + inputs)).saturating_sub(reader.rest().len());
    if missing > 0 {
        let part = "the transformer weights".to_owned();
        return Err(NetworkError::Truncated {
            length: reader.at() + reader.rest().len(),
            part,
            missing,
        });
    }
    let mut biases = Aligned::zeroed(l1);
    reader.fill_i16(&mut biases, "the transformer biases")?;
    let mut weights = Aligned::zeroed(l1 * inputs);
    reader.fill_i16(&mut weights, "the transformer weights")?;
    Ok((biases, weights))
}

/// The two compressed blocks, whose lengths tell the width and the inputs.
fn read_compressed(reader: &mut Reader) -> Result<(FeatureKind, Transformer), NetworkError> {
    let at = reader.at();
    let malformed = |what: String| NetworkError::Malformed {
        part: "the transformer",
        at,
        what,
    };
    let block = reader.leb128_block("the transformer biases")?;
    let l1 = block.count();
    if l1 == 0 || l1 > MAX_WIDTH || !l1.is_multiple_of(32) {
        return Err(malformed(format!(
            "its width is {l1}, not a multiple of 32 in 32..={MAX_WIDTH}"
        )));
    }
    let mut biases = Aligned::zeroed(l1);
    block.decode(&mut biases)?;
    if !reader.at_leb128() {
        return Err(NetworkError::Malformed {
            part: "the transformer weights",
            at: reader.at(),
            what: "the magic COMPRESSED_LEB128 is missing".to_owned(),
        });
    }
    let block = reader.leb128_block("the transformer weights")?;
    let count = block.count();
    let kind = recognise::features_by_inputs(count / l1)
        .filter(|_| count.is_multiple_of(l1))
        .ok_or_else(|| {
            malformed(format!(
                "{count} weights of width {l1} belong to no known inputs"
            ))
        })?;
    let mut weights = Aligned::zeroed(count);
    block.decode(&mut weights)?;
    Ok((kind, (biases, weights)))
}

/// An SFNN file without compression: its text must tell width and inputs.
fn read_raw_sfnn(
    reader: &mut Reader,
    header: &Header,
) -> Result<(FeatureKind, Transformer), NetworkError> {
    let numbers = header.numbers();
    let inputs = numbers
        .iter()
        .find_map(|&number| recognise::features_by_inputs(number));
    let width = numbers
        .iter()
        .copied()
        .skip_while(|&n| recognise::features_by_inputs(n).is_none())
        .nth(1);
    match (inputs, width) {
        (Some(kind), Some(l1)) if (32..=MAX_WIDTH).contains(&l1) && l1.is_multiple_of(32) => {
            Ok((kind, read_raw(reader, l1, kind.inputs())?))
        }
        _ => Err(NetworkError::UnknownArchitecture {
            payload: reader.rest().len(),
            length: header.length,
            text: header.text.chars().take(200).collect(),
        }),
    }
}

/// The progress table, where its magic word is next.
fn read_progress(reader: &mut Reader) -> Result<Option<(i32, Vec<i32>)>, NetworkError> {
    if !reader.rest().starts_with(&PROGRESS_MAGIC.to_le_bytes()) {
        return Ok(None);
    }
    reader.u32("the progress table")?;
    let bias = reader.u32("the progress table")? as i32;
    Ok(Some((
        bias,
        reader.i32s(PROGRESS_WEIGHTS, "the progress table")?,
    )))
}

/// What is wrong with an SFNN file whose dense layers have no possible size.
fn sfnn_mismatch(header: &Header, kind: FeatureKind, l1: usize, reader: &Reader) -> NetworkError {
    let rest = reader.rest().len();
    match recognise::sfnn_named(header, kind, l1) {
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

/// The columns of the first layer that each output uses, where a text of the form `cC_sSxG` restricts them: `(C, S, G)`.
fn shard_rule(header: &Header, architecture: &Architecture) -> Option<(usize, usize, usize)> {
    let words: Vec<_> = header
        .text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .collect();
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
) -> Result<Stack, NetworkError> {
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
    Ok(Stack::new(
        first,
        second,
        biases[0],
        &rows[..architecture.h2],
    ))
}

/// K+A2 has two inputs for each king, always set together: their rows are added up, which leaves K+P's numbering.
fn fold_kings(weights: &[i16], l1: usize) -> Aligned<i16> {
    let mut folded = Aligned::zeroed(1710 * l1);
    folded[..1548 * l1].copy_from_slice(&weights[..1548 * l1]);
    for king in 0..162 {
        // Both kings share the plane of A2; K has a plane each.
        let (shared, single) = (1548 + king % 81, 1629 + king);
        for j in 0..l1 {
            folded[(1548 + king) * l1 + j] =
                weights[shared * l1 + j].wrapping_add(weights[single * l1 + j]);
        }
    }
    folded
}
