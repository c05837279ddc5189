//! From accumulators to a value: activation, dense layers, output.

use super::aligned::Aligned;
use super::architecture::{Architecture, Family};
use super::simd::Vector;

/// Outputs are stored in multiples of this, so that 256-bit registers are filled.
const OUTPUT_STEP: usize = 8;

/// A dense layer, its weights arranged for the vector kernels: `[inputs / 4][padded outputs][4]`.
#[derive(Clone)]
pub(super) struct Dense {
    groups: usize,
    padded: usize,
    biases: Aligned<i32>,
    weights: Aligned<i8>,
}

impl Dense {
    /// Arranges rows of weights, one row of `stride` bytes per output, of which the first `inputs` count.
    pub fn new(biases: &[i32], rows: &[i8], inputs: usize, stride: usize) -> Self {
        let (outputs, groups) = (biases.len(), inputs.div_ceil(4));
        let padded = outputs.next_multiple_of(OUTPUT_STEP);
        let mut layer =
            Self { groups, padded, biases: Aligned::zeroed(padded), weights: Aligned::zeroed(groups * padded * 4) };
        layer.biases[..outputs].copy_from_slice(biases);
        for (output, row) in rows.chunks_exact(stride).enumerate() {
            for (input, &weight) in row[..inputs].iter().enumerate() {
                layer.weights[(input / 4 * padded + output) * 4 + input % 4] = weight;
            }
        }
        layer
    }
}

/// The dense layers of one bucket.
#[derive(Clone)]
pub(super) struct LayerStack {
    pub first: Dense,
    pub second: Dense,
    pub output_bias: i32,
    pub output: Aligned<i8>,
}

impl LayerStack {
    pub fn new(first: Dense, second: Dense, output_bias: i32, output_weights: &[i8]) -> Self {
        let mut output = Aligned::zeroed(output_weights.len());
        output.copy_from_slice(output_weights);
        Self { first, second, output_bias, output }
    }
}

/// Working memory of one evaluation.
#[derive(Clone)]
pub(super) struct Scratch {
    inputs: Aligned<u8>,
    nonzero: Vec<u16>,
    sums: Aligned<i32>,
    hidden: Aligned<u8>,
}

impl Scratch {
    pub fn new(architecture: &Architecture) -> Self {
        let inputs = architecture.first_inputs();
        let widest = architecture.first_outputs().max(architecture.h2).next_multiple_of(32);
        Self {
            inputs: Aligned::zeroed(inputs),
            nonzero: vec![0; inputs / 4 + 8],
            sums: Aligned::zeroed(widest),
            hidden: Aligned::zeroed(2 * widest),
        }
    }
}

/// Which groups of four inputs a kernel visits, all below the layer's number of groups.
trait Groups: Copy {
    /// `N` at a time, and those that are left over.
    fn chunks<const N: usize>(self) -> (impl Iterator<Item = [usize; N]>, impl Iterator<Item = usize>);
}

/// All groups in order.
#[derive(Clone, Copy)]
struct AllGroups(usize);

impl Groups for AllGroups {
    #[inline(always)]
    fn chunks<const N: usize>(self) -> (impl Iterator<Item = [usize; N]>, impl Iterator<Item = usize>) {
        let whole = self.0 / N * N;
        let chunks = (0..whole).step_by(N).map(|n| std::array::from_fn(|i| n + i));
        (chunks, whole..self.0)
    }
}

/// The groups in a list.
#[derive(Clone, Copy)]
struct ListedGroups<'a>(&'a [u16]);

impl Groups for ListedGroups<'_> {
    #[inline(always)]
    fn chunks<const N: usize>(self) -> (impl Iterator<Item = [usize; N]>, impl Iterator<Item = usize>) {
        let (chunks, rest) = self.0.as_chunks();
        let chunks = chunks.iter().map(|chunk| chunk.map(usize::from));
        (chunks, rest.iter().map(|&group| usize::from(group)))
    }
}

/// The value before scaling, from the accumulators of the side to move and of its opponent.
#[inline(always)]
pub(super) fn propagate<V: Vector>(
    v: V,
    architecture: &Architecture,
    stack: &LayerStack,
    own: &[i16],
    enemy: &[i16],
    scratch: &mut Scratch,
) -> i32 {
    let Scratch { inputs, nonzero, sums, hidden } = scratch;
    let l1 = architecture.l1;
    assert!(own.len() == l1 && enemy.len() == l1 && inputs.len() == architecture.first_inputs());
    let count = match architecture.family {
        // Most groups of a clamped accumulator are not zero.
        Family::Plain if V::FAST_DOT => {
            clip::<V, false>(v, own, &mut inputs[..l1], nonzero, 0, 0);
            clip::<V, false>(v, enemy, &mut inputs[l1..], nonzero, 0, 0);
            None
        }
        Family::Plain => {
            let count = clip::<V, true>(v, own, &mut inputs[..l1], nonzero, 0, 0);
            Some(clip::<V, true>(v, enemy, &mut inputs[l1..], nonzero, count, l1 / 4))
        }
        Family::Sfnn { .. } => {
            let count = products::<V, 7>(v, own, &mut inputs[..l1 / 2], nonzero, 0, 0);
            Some(products::<V, 7>(v, enemy, &mut inputs[l1 / 2..], nonzero, count, l1 / 8))
        }
        Family::Own => {
            let count = products::<V, 9>(v, own, &mut inputs[..l1 / 2], nonzero, 0, 0);
            Some(products::<V, 9>(v, enemy, &mut inputs[l1 / 2..], nonzero, count, l1 / 8))
        }
    };
    // SAFETY: these are groups of the inputs, of which the layer has as many.
    unsafe {
        match count {
            Some(count) => affine(v, &stack.first, inputs, ListedGroups(&nonzero[..count]), sums),
            None => affine(v, &stack.first, inputs, AllGroups(stack.first.groups), sums),
        }
    }
    let h1 = architecture.h1;
    let mut raw = stack.output_bias;
    match architecture.family {
        Family::Plain => clamp(&sums[..h1], hidden),
        Family::Sfnn { .. } | Family::Own => {
            for (to, &y) in hidden.iter_mut().zip(&sums[..h1]) {
                // 8191 is the first magnitude whose square goes beyond the limit.
                let magnitude = y.unsigned_abs().min(8191);
                *to = ((magnitude * magnitude) >> 19) as u8;
            }
            clamp(&sums[..h1], &mut hidden[h1..]);
            if let Family::Sfnn { shortcut: true } = architecture.family {
                raw = raw.wrapping_add(sums[h1]);
            }
        }
    }
    // The last group may reach beyond the inputs by up to three bytes; the weights there are zero.
    // SAFETY: these are all groups of the layer.
    unsafe { affine(v, &stack.second, hidden, AllGroups(stack.second.groups), sums) };
    for (&y, &weight) in sums.iter().zip(&stack.output[..architecture.h2]) {
        raw = raw.wrapping_add((y >> 6).clamp(0, 127) * i32::from(weight));
    }
    raw
}

/// Activation of a hidden layer: `clamp(y / 64, 0, 127)`.
#[inline(always)]
fn clamp(from: &[i32], to: &mut [u8]) {
    for (to, &y) in to.iter_mut().zip(from) {
        *to = (y >> 6).clamp(0, 127) as u8;
    }
}

/// Writes the clamped accumulator to `to` and, if `LIST`, appends the groups of it that are not zero, counted from
/// `base`, to the list of `count` entries; returns the new count.
#[inline(always)]
fn clip<V: Vector, const LIST: bool>(
    v: V,
    from: &[i16],
    to: &mut [u8],
    nonzero: &mut [u16],
    mut count: usize,
    base: usize,
) -> usize {
    let lanes = V::LANES;
    assert!(from.len() == to.len() && from.len().is_multiple_of(2 * lanes));
    let mut mask = Mask::starting_at(base);
    for at in (0..from.len()).step_by(2 * lanes) {
        // SAFETY: `at + 2 * lanes` is within both slices.
        let groups = unsafe {
            let a = v.load16(from.as_ptr().add(at));
            let b = v.load16(from.as_ptr().add(at + lanes));
            v.clip(a, b, to.as_mut_ptr().add(at))
        };
        if LIST {
            mask.push(groups, lanes / 2, nonzero, &mut count);
        }
    }
    if LIST {
        mask.flush(nonzero, &mut count);
    }
    count
}

/// As [`clip`], for the products of an accumulator's halves.
#[inline(always)]
fn products<V: Vector, const SHIFT: i32>(
    v: V,
    from: &[i16],
    to: &mut [u8],
    nonzero: &mut [u16],
    mut count: usize,
    base: usize,
) -> usize {
    let (lanes, half) = (V::LANES, to.len());
    assert!(from.len() == 2 * half && half.is_multiple_of(2 * lanes));
    let mut mask = Mask::starting_at(base);
    for at in (0..half).step_by(2 * lanes) {
        // SAFETY: `at + 2 * lanes` is at most `half`, which both halves of `from` and `to` have.
        let groups = unsafe {
            let (a, b) = (from.as_ptr().add(at), from.as_ptr().add(half + at));
            let a = [v.load16(a), v.load16(a.add(lanes))];
            let b = [v.load16(b), v.load16(b.add(lanes))];
            v.product::<SHIFT>(a, b, to.as_mut_ptr().add(at))
        };
        mask.push(groups, lanes / 2, nonzero, &mut count);
    }
    mask.flush(nonzero, &mut count);
    count
}

/// For each byte the numbers of its set bits, in order.
static BITS: [[u16; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Turns the bits of groups into list entries, eight at a time and without branches: whole rows of a table are written,
/// of which the next overwrites what does not count (as Stockfish does).
struct Mask {
    bits: u32,
    filled: usize,
    base: usize,
}

impl Mask {
    #[inline(always)]
    fn starting_at(base: usize) -> Self {
        Self { bits: 0, filled: 0, base }
    }

    #[inline(always)]
    fn push(&mut self, groups: u32, width: usize, list: &mut [u16], count: &mut usize) {
        self.bits |= groups << self.filled;
        self.filled += width;
        while self.filled >= 8 {
            self.write(list, count);
            self.bits >>= 8;
            self.filled -= 8;
        }
    }

    #[inline(always)]
    fn write(&mut self, list: &mut [u16], count: &mut usize) {
        let byte = self.bits as u8;
        let (row, base) = (&BITS[usize::from(byte)], self.base as u16);
        // Eight at once: an array, not a slice, lets one vector instruction do it.
        let Some(to) = list[*count..].first_chunk_mut::<8>() else { unreachable!("the list has room for a whole row") };
        *to = std::array::from_fn(|i| base + row[i]);
        *count += byte.count_ones() as usize;
        self.base += 8;
    }

    #[inline(always)]
    fn flush(&mut self, list: &mut [u16], count: &mut usize) {
        if self.filled > 0 {
            self.write(list, count);
        }
    }
}

/// `sums[o] = bias[o] + sum of weight[o][i] * input[i]` over the groups given.
///
/// # Safety
///
/// Every group is below the layer's number of groups.
#[inline(always)]
unsafe fn affine<V: Vector>(v: V, layer: &Dense, inputs: &[u8], groups: impl Groups, sums: &mut [i32]) {
    let lanes = V::LANES / 2;
    assert!(inputs.len() >= 4 * layer.groups && sums.len() >= layer.padded);
    assert!(layer.padded.is_multiple_of(lanes));
    let registers = layer.padded / lanes;
    let mut done = 0;
    // SAFETY: the tiles follow one another up to the number of registers; the caller vouches for the groups.
    unsafe {
        while registers - done >= 8 {
            tile::<V, 8, 1>(v, layer, inputs, groups, sums, done);
            done += 8;
        }
        if registers - done >= 4 {
            tile::<V, 4, 2>(v, layer, inputs, groups, sums, done);
            done += 4;
        }
        if registers - done >= 2 {
            tile::<V, 2, 4>(v, layer, inputs, groups, sums, done);
            done += 2;
        }
        if registers > done {
            tile::<V, 1, 8>(v, layer, inputs, groups, sums, done);
        }
    }
}

/// `REGISTERS` registers of outputs, from register number `first` on; `WAYS` groups at a time have sums of their own,
/// so that a few outputs do not wait for one another.
///
/// # Safety
///
/// Every group is below the layer's number of groups, which the inputs hold, and the registers are within the layer's
/// outputs, which `sums` holds.
#[inline(always)]
unsafe fn tile<V: Vector, const REGISTERS: usize, const WAYS: usize>(
    v: V,
    layer: &Dense,
    inputs: &[u8],
    groups: impl Groups,
    sums: &mut [i32],
    first: usize,
) {
    let lanes = V::LANES / 2;
    let (inputs, weights) = (inputs.as_ptr(), layer.weights.as_ptr());
    // SAFETY: as said above.
    unsafe {
        let mut ways = [[v.zero32(); REGISTERS]; WAYS];
        for (r, sum) in ways[0].iter_mut().enumerate() {
            *sum = v.load32(layer.biases.as_ptr().add((first + r) * lanes));
        }
        let (chunks, rest) = groups.chunks::<WAYS>();
        for chunk in chunks {
            for (way, group) in ways.iter_mut().zip(chunk) {
                let input = v.splat4(inputs.add(4 * group));
                let row = weights.add((group * layer.padded + first * lanes) * 4);
                for (r, sum) in way.iter_mut().enumerate() {
                    *sum = v.dot(*sum, input, row.add(r * lanes * 4));
                }
            }
        }
        for group in rest {
            let input = v.splat4(inputs.add(4 * group));
            let row = weights.add((group * layer.padded + first * lanes) * 4);
            for (r, sum) in ways[0].iter_mut().enumerate() {
                *sum = v.dot(*sum, input, row.add(r * lanes * 4));
            }
        }
        for r in 0..REGISTERS {
            let mut sum = ways[0][r];
            for way in &ways[1..] {
                sum = v.add32(sum, way[r]);
            }
            v.store32(sums.as_mut_ptr().add((first + r) * lanes), sum);
        }
    }
}
