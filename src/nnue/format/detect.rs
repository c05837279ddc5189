//! Which architecture an nn.bin file has: by its size, then by its hashes, and only last by its text, since trainers
//! write the text of other networks into their files.

use std::sync::LazyLock;

use crate::nnue::architecture::{Architecture, Family, FeatureKind};
use crate::nnue::buckets::{HandRule, KingRule};
use crate::nnue::error::NetworkError;

/// Widths of accumulators in use.
const WIDTHS: [usize; 15] = [32, 64, 96, 128, 192, 256, 384, 512, 640, 768, 1024, 1280, 1536, 2048, 3072];
/// Outputs of the first dense layer in use.
const FIRST: [usize; 8] = [8, 16, 32, 64, 128, 256, 24, 48];
/// Outputs of the second dense layer in use.
const SECOND: [usize; 9] = [32, 64, 96, 16, 8, 128, 256, 24, 48];
/// Hidden sizes of SFNN networks; remainder 7 modulo 8 means that one more output goes straight to the result.
const SFNN_FIRST: [usize; 10] = [15, 7, 31, 8, 16, 32, 63, 64, 23, 24];

/// What the header of a file says.
pub(super) struct Header<'a> {
    pub file_hash: u32,
    pub transformer_hash: u32,
    pub text: &'a str,
    /// Bytes of the whole file.
    pub length: usize,
    /// Offset of the transformer.
    pub start: usize,
}

impl Header<'_> {
    /// Whether a word stands in the text, in any case, bounded by other characters than letters and digits.
    pub fn names(&self, word: &str) -> bool {
        let mut words = self.text.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|candidate| candidate.eq_ignore_ascii_case(word))
    }

    /// The number of stacks that the text of an SFNN file names.
    fn named_stacks(&self) -> Option<usize> {
        let after = self.text.split("LayerStack=").nth(1)?;
        after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    }

    /// The whole numbers of the text in order.
    pub fn numbers(&self) -> Vec<usize> {
        let words = self.text.split(|c: char| !c.is_ascii_digit());
        words.filter_map(|word| word.parse().ok()).collect()
    }
}

/// All plain architectures of the usual sizes.
fn plain_architectures() -> impl Iterator<Item = Architecture> {
    FeatureKind::NN_BIN.into_iter().flat_map(|features| {
        WIDTHS.into_iter().flat_map(move |l1| {
            FIRST.into_iter().flat_map(move |h1| {
                SECOND.into_iter().map(move |h2| Architecture {
                    features,
                    family: Family::Plain,
                    l1,
                    h1,
                    h2,
                    stacks: 1,
                })
            })
        })
    })
}

/// A plain architecture with what files of it have.
struct Known {
    architecture: Architecture,
    /// Bytes after the description.
    bytes: usize,
    hashes: [u32; 2],
}

/// Every plain architecture of the usual sizes, in order of bytes, the commoner ones first among equals.
fn known() -> &'static [Known] {
    static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
        let mut known: Vec<_> = plain_architectures()
            .map(|architecture| Known {
                architecture,
                bytes: 8 + architecture.transformer_bytes() + architecture.stack_bytes(),
                hashes: [architecture.file_hash(), architecture.transformer_hash()],
            })
            .collect();
        known.sort_by_key(|known| known.bytes);
        known
    });
    &KNOWN
}

/// The plain architecture of a file, whose transformer is not compressed.
pub(super) fn plain(header: &Header) -> Result<Architecture, NetworkError> {
    // The transformer's hash has been read already.
    let payload = header.length - (header.start - 4);
    let first = known().partition_point(|known| known.bytes < payload);
    let by_size = known()[first..].iter().take_while(|known| known.bytes == payload);
    let hashed = |known: &&Known| known.hashes == [header.file_hash, header.transformer_hash];
    let numbers = header.numbers();
    let worded = |known: &&Known| {
        let Architecture { l1, h1, h2, .. } = known.architecture;
        [l1, h1, h2].iter().all(|size| numbers.contains(size))
    };
    let fitting =
        (by_size.clone().find(hashed)).or_else(|| by_size.clone().find(worded)).or_else(|| by_size.clone().next());
    if let Some(known) = fitting {
        return Ok(known.architecture);
    }
    // No size fits: a file that names its architecture by hash or by text is cut or too long.
    let named = |known: &&Known| {
        let Architecture { features, l1, h1, h2, .. } = known.architecture;
        let words = [features.inputs(), l1, 2 * l1, h1, h2];
        words.iter().all(|word| numbers.contains(word))
            && header.text.contains(&format!("[{}->{l1}x2]", features.inputs()))
            && header.text.contains(&format!("[{h1}<-{}]", 2 * l1))
            && header.text.contains(&format!("[{h2}<-{h1}]"))
    };
    let meant = known().iter().find(hashed).or_else(|| known().iter().find(named));
    match meant {
        Some(Known { architecture, bytes, .. }) if *bytes > payload => Err(NetworkError::Truncated {
            length: header.length,
            part: format!("the parameters of {architecture}"),
            missing: bytes - payload,
        }),
        Some(Known { architecture, bytes, .. }) => Err(NetworkError::Trailing {
            count: payload - bytes,
            at: header.length - (payload - bytes),
            architecture: architecture.to_string(),
        }),
        None => Err(NetworkError::UnknownArchitecture {
            payload,
            length: header.length,
            text: header.text.chars().take(200).collect(),
        }),
    }
}

/// The inputs with a number of rows.
pub(super) fn features_by_inputs(inputs: usize) -> Option<FeatureKind> {
    FeatureKind::NN_BIN.into_iter().find(|kind| kind.inputs() == inputs)
}

/// How an SFNN file's buckets are chosen.
pub(super) struct BucketRules {
    pub hand: Option<HandRule>,
    pub king: Option<KingRule>,
    /// Grades of progress, 1 where the file has no progress table.
    pub grades: usize,
}

/// The bucket rules for a number of stacks: those that the text names if they fit, else the plainest that do.
pub(super) fn bucket_rules(header: &Header, stacks: usize, progress: bool) -> Option<BucketRules> {
    let hands = || std::iter::once(None).chain(HandRule::ALL.map(Some));
    let kings = || std::iter::once(None).chain(KingRule::ALL.map(Some));
    let mut fitting = Vec::new();
    for hand in hands() {
        for king in kings() {
            let count =
                hand.map_or(1, |(rule, _)| rule.classes().pow(2)) * king.map_or(1, |(rule, _)| rule.zones().pow(2));
            let grades = stacks / count;
            if !stacks.is_multiple_of(count) || (grades > 1) != progress || grades > 255 {
                continue;
            }
            let named = [hand.map(|(_, name)| name), king.map(|(_, name)| name)];
            let right = named.iter().flatten().filter(|name| header.names(name)).count();
            let wrong = named.iter().flatten().count() - right;
            let rules = BucketRules { hand: hand.map(|h| h.0), king: king.map(|k| k.0), grades };
            fitting.push((right, wrong, rules));
        }
    }
    fitting.sort_by_key(|&(right, wrong, _)| (usize::MAX - right, wrong));
    fitting.into_iter().next().map(|(_, _, rules)| rules)
}

/// The dense layers of an SFNN file, from the bytes that are left for them: every stack begins with the same hash.
pub(super) fn sfnn(
    header: &Header,
    features: FeatureKind,
    l1: usize,
    rest: &[u8],
    progress: bool,
) -> Option<(Architecture, BucketRules)> {
    let word = |at: usize| rest.get(at..at + 4);
    let numbers = header.numbers();
    // A file cut between two stacks would pass for one with fewer, were it not for the text.
    let named_stacks = header.named_stacks();
    let mut best = None;
    for h1 in SFNN_FIRST {
        for h2 in SECOND {
            let family = Family::Sfnn { shortcut: h1 % 8 == 7 };
            let mut architecture = Architecture { features, family, l1, h1, h2, stacks: 1 };
            let bytes = 4 + architecture.stack_bytes();
            if rest.is_empty() || !rest.len().is_multiple_of(bytes) {
                continue;
            }
            architecture.stacks = rest.len() / bytes;
            if named_stacks.is_some_and(|named| named != architecture.stacks) {
                continue;
            }
            if (1..architecture.stacks).any(|stack| word(stack * bytes) != word(0)) {
                continue;
            }
            let Some(rules) = bucket_rules(header, architecture.stacks, progress) else {
                continue;
            };
            let worded = usize::from(numbers.contains(&h1)) + usize::from(numbers.contains(&h2));
            if best.as_ref().is_none_or(|&(most, _, _)| worded > most) {
                best = Some((worded, architecture, rules));
            }
        }
    }
    best.map(|(_, architecture, rules)| (architecture, rules))
}

/// The number of stacks and the sizes that an SFNN file's text names, to tell what is missing in a cut file.
pub(super) fn sfnn_named(header: &Header, features: FeatureKind, l1: usize) -> Option<Architecture> {
    let numbers = header.numbers();
    let (h1, h2) = if header.text.contains("SFNN-1536") {
        (15, 32)
    } else {
        let at = numbers.iter().position(|&number| number == l1)?;
        let after = numbers[at..]
            .windows(3)
            .find(|sizes| sizes[0] == l1 && SFNN_FIRST.contains(&sizes[1]) && SECOND.contains(&sizes[2]))?;
        (after[1], after[2])
    };
    let stacks = header.named_stacks()?;
    let family = Family::Sfnn { shortcut: h1 % 8 == 7 };
    Some(Architecture { features, family, l1, h1, h2, stacks })
}
