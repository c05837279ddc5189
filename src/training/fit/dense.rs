//! The dense layers behind the sparse one: `inputs -> hidden -> 32 -> 1`, and their gradient.
//!
//! A stack's parameters lie in one slice (weights input by input, then biases, layer after layer), so the optimiser,
//! the checkpoints and the sums over groups need not know the layers.

// Indexed loops over fixed widths are vectorised most reliably.
#![allow(clippy::needless_range_loop)]

use super::optimiser::{Update, adam_w};
use super::shape::{ACTIVATION_ONE, Grid, Shape};
use crate::platform::random::Random;

const SECOND: usize = Shape::SECOND;

/// Where each layer's parameters lie in a stack's slice.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Inputs of the first layer.
    pub inputs: usize,
    /// Outputs of the first layer.
    pub hidden: usize,
}

impl Layout {
    /// The layout of a shape's stacks.
    pub const fn of(shape: &Shape) -> Self {
        Self { inputs: shape.dense_inputs(), hidden: shape.hidden }
    }
    /// First layer's biases; its weights start at 0.
    pub const fn biases1(&self) -> usize {
        self.inputs * self.hidden
    }
    /// Second layer's weights, input by input.
    pub const fn weights2(&self) -> usize {
        self.biases1() + self.hidden
    }
    /// Second layer's biases.
    pub const fn biases2(&self) -> usize {
        self.weights2() + SECOND * SECOND
    }
    /// Output weights.
    pub const fn weights3(&self) -> usize {
        self.biases2() + SECOND
    }
    /// The output's bias.
    pub const fn bias3(&self) -> usize {
        self.weights3() + SECOND
    }
    /// The number of parameters.
    pub const fn size(&self) -> usize {
        self.bias3() + 1
    }
}

/// An activation as the exported integers have it.
///
/// The forward pass rounds what the export will round, so that the network learns to live with it; the backward pass
/// ignores it (quantisation-aware training with a straight-through gradient, Jacob et al. 2018).
#[inline(always)]
pub(super) fn quantise<const ROUNDED: bool>(x: f32) -> f32 {
    if ROUNDED { (x * ACTIVATION_ONE).floor() * (1.0 / ACTIVATION_ONE) } else { x }
}

/// One dense stack with its state of training.
pub struct Stack {
    /// Where the layers lie.
    pub layout: Layout,
    /// All parameters.
    pub parameters: Vec<f32>,
    /// First and second moments.
    pub moments: [Vec<f32>; 2],
    /// How the parameters are rounded for the forward pass, if they are.
    pub(super) grid: Option<Grid>,
    /// The parameters that the forward pass uses.
    rounded: Vec<f32>,
    /// The first two layers' weights output by output, for the backward pass.
    transposed1: Vec<f32>,
    transposed2: Vec<f32>,
}

impl Stack {
    /// A stack with random weights within ±1/sqrt(inputs), and small positive biases.
    pub fn new(layout: Layout, grid: Grid, random: &mut Random) -> Self {
        let mut parameters = vec![0.0; layout.size()];
        let mut fill = |range: std::ops::Range<usize>, fan_in: usize| {
            let spread = (1.0 / fan_in as f32).sqrt();
            for parameter in &mut parameters[range] {
                *parameter = (2.0 * random.unit() - 1.0) * spread;
            }
        };
        fill(0..layout.biases1(), layout.inputs);
        fill(layout.weights2()..layout.biases2(), SECOND);
        fill(layout.weights3()..layout.bias3(), SECOND);
        parameters[layout.biases1()..layout.weights2()].fill(0.1);
        parameters[layout.biases2()..layout.weights3()].fill(0.1);
        let moments = [vec![0.0; layout.size()], vec![0.0; layout.size()]];
        Self::with(layout, grid, parameters, moments)
    }

    /// A stack with given parameters and moments, each `layout.size()` long.
    pub fn with(layout: Layout, grid: Grid, parameters: Vec<f32>, moments: [Vec<f32>; 2]) -> Self {
        let mut stack = Self {
            layout,
            rounded: parameters.clone(),
            parameters,
            moments,
            grid: Some(grid),
            transposed1: vec![0.0; layout.biases1()],
            transposed2: vec![0.0; SECOND * SECOND],
        };
        stack.requantise();
        stack
    }

    /// Brings the rounded and the transposed copies up to date after a change of the parameters.
    pub(super) fn requantise(&mut self) {
        let layout = self.layout;
        self.rounded.copy_from_slice(&self.parameters);
        if let Some((hidden, output)) = self.grid {
            let mut round = |range: std::ops::Range<usize>, one: f32| {
                for weight in &mut self.rounded[range] {
                    *weight = (*weight * one).round() / one;
                }
            };
            round(0..layout.biases1(), hidden);
            round(layout.weights2()..layout.biases2(), hidden);
            round(layout.weights3()..layout.bias3(), output);
        }
        let Layout { inputs, hidden } = layout;
        for input in 0..inputs {
            for output in 0..hidden {
                self.transposed1[output * inputs + input] = self.rounded[input * hidden + output];
            }
        }
        let weights2 = &self.rounded[layout.weights2()..];
        for input in 0..SECOND {
            for output in 0..SECOND {
                self.transposed2[output * SECOND + input] = weights2[input * SECOND + output];
            }
        }
    }

    /// One step of the optimiser; `limits` cut hidden and output weights to what the exported integers can hold.
    pub fn update(&mut self, gradient: &mut [f32], update: Update, limits: (f32, f32)) {
        let layout = self.layout;
        let [first, second] = &mut self.moments;
        let mut part = |range: std::ops::Range<usize>, decay: f32, limit: f32| {
            adam_w(
                &mut self.parameters[range.clone()],
                &mut gradient[range.clone()],
                &mut first[range.clone()],
                &mut second[range],
                Update { decay, limit, ..update },
            );
        };
        part(0..layout.biases1(), update.decay, limits.0);
        part(layout.biases1()..layout.weights2(), 0.0, f32::MAX);
        part(layout.weights2()..layout.biases2(), update.decay, limits.0);
        part(layout.biases2()..layout.weights3(), 0.0, f32::MAX);
        part(layout.weights3()..layout.bias3(), update.decay, limits.1);
        part(layout.bias3()..layout.size(), 0.0, f32::MAX);
        self.requantise();
    }
}

/// The intermediate values of a group of positions, reused between groups.
#[derive(Default)]
pub struct Scratch {
    /// Inputs of the first layer, position by position.
    pub inputs: Vec<f32>,
    /// The derivatives by them, after [`backward`].
    pub by_inputs: Vec<f32>,
    /// The outputs in units, one a position.
    pub outputs: Vec<f32>,
    /// The gradient by the stack's parameters, summed over the group.
    pub gradient: Vec<f32>,
    hidden: Vec<f32>,
    by_hidden: Vec<f32>,
    activated: Vec<f32>,
    second: Vec<f32>,
}

/// What 1.0 squared is as an activation of our own networks: `(127 * 64)^2 >> 19` of 127.
const SQUARE_ONE: f32 = 8128.0 * 8128.0 / 524_288.0 / ACTIVATION_ONE;

#[inline(always)]
fn clip(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

#[inline(always)]
fn inside(x: f32) -> f32 {
    (x > 0.0 && x < 1.0) as u32 as f32
}

/// Computes the outputs of the positions whose inputs are in the scratch. `H` is the number of hidden outputs; 16 of
/// them are activated twice (their squares cut at 1, then themselves clipped to 0..=1), 32 once.
#[inline(always)]
pub fn forward<const H: usize, const ROUNDED: bool>(stack: &Stack, scratch: &mut Scratch, count: usize) {
    let layout = stack.layout;
    let inputs = layout.inputs;
    scratch.hidden.resize(count * H, 0.0);
    scratch.activated.resize(count * SECOND, 0.0);
    scratch.second.resize(count * SECOND, 0.0);
    scratch.outputs.resize(count, 0.0);
    let (weights1, rest) = stack.rounded.split_at(layout.biases1());
    let biases1 = &rest[..H];
    let mut position = 0;
    while position + 4 <= count {
        first_layer::<H, 4>(weights1, biases1, inputs, &scratch.inputs, &mut scratch.hidden, position);
        position += 4;
    }
    while position < count {
        first_layer::<H, 1>(weights1, biases1, inputs, &scratch.inputs, &mut scratch.hidden, position);
        position += 1;
    }
    let weights2 = &stack.rounded[layout.weights2()..layout.biases2()];
    let biases2 = &stack.rounded[layout.biases2()..layout.weights3()];
    let weights3 = &stack.rounded[layout.weights3()..layout.bias3()];
    for position in 0..count {
        let hidden = &scratch.hidden[position * H..][..H];
        let activated = &mut scratch.activated[position * SECOND..][..SECOND];
        if H < SECOND {
            for k in 0..H {
                // In integers the square is shifted by 19: 1.0 becomes 126 of 127.
                activated[k] = quantise::<ROUNDED>(hidden[k] * hidden[k] * SQUARE_ONE).min(1.0);
                activated[H + k] = clip(quantise::<ROUNDED>(hidden[k]));
            }
        } else {
            for k in 0..SECOND {
                activated[k] = clip(quantise::<ROUNDED>(hidden[k]));
            }
        }
        let mut sums = [0.0; SECOND];
        sums.copy_from_slice(biases2);
        for input in 0..SECOND {
            let x = activated[input];
            let weights = &weights2[input * SECOND..][..SECOND];
            for k in 0..SECOND {
                sums[k] += x * weights[k];
            }
        }
        scratch.second[position * SECOND..][..SECOND].copy_from_slice(&sums);
        let mut terms = [0.0; SECOND];
        for k in 0..SECOND {
            terms[k] = clip(quantise::<ROUNDED>(sums[k])) * weights3[k];
        }
        scratch.outputs[position] = stack.rounded[layout.bias3()] + terms.iter().sum::<f32>();
    }
}

#[inline(always)]
fn first_layer<const H: usize, const GROUP: usize>(
    weights: &[f32],
    biases: &[f32],
    inputs: usize,
    x: &[f32],
    hidden: &mut [f32],
    position: usize,
) {
    let x: [&[f32]; GROUP] = std::array::from_fn(|r| &x[(position + r) * inputs..][..inputs]);
    let mut sums = [[0.0f32; H]; GROUP];
    for sum in &mut sums {
        sum.copy_from_slice(biases);
    }
    for input in 0..inputs {
        let weights = &weights[input * H..][..H];
        for r in 0..GROUP {
            let value = x[r][input];
            for k in 0..H {
                sums[r][k] += value * weights[k];
            }
        }
    }
    for r in 0..GROUP {
        hidden[(position + r) * H..][..H].copy_from_slice(&sums[r]);
    }
}

/// Computes the derivatives by the inputs and adds up the gradient, after [`forward`]; `by_outputs` are the loss's
/// derivatives by the outputs. The gradient is cleared first.
#[inline(always)]
pub fn backward<const H: usize, const ROUNDED: bool>(stack: &Stack, scratch: &mut Scratch, by_outputs: &[f32]) {
    let layout = stack.layout;
    let inputs = layout.inputs;
    let count = by_outputs.len();
    scratch.gradient.clear();
    scratch.gradient.resize(layout.size(), 0.0);
    scratch.by_hidden.resize(count * H, 0.0);
    scratch.by_inputs.resize(count * inputs, 0.0);
    let weights3 = &stack.rounded[layout.weights3()..layout.bias3()];
    let (gradient1, rest) = scratch.gradient.split_at_mut(layout.biases1());
    let (bias_gradient1, rest) = rest.split_at_mut(H);
    let (gradient2, rest) = rest.split_at_mut(SECOND * SECOND);
    let (bias_gradient2, rest) = rest.split_at_mut(SECOND);
    let (gradient3, bias_gradient3) = rest.split_at_mut(SECOND);
    for position in 0..count {
        let by_output = by_outputs[position];
        let second = &scratch.second[position * SECOND..][..SECOND];
        let activated = &scratch.activated[position * SECOND..][..SECOND];
        let hidden = &scratch.hidden[position * H..][..H];
        bias_gradient3[0] += by_output;
        let mut by_second = [0.0f32; SECOND];
        for k in 0..SECOND {
            gradient3[k] += by_output * clip(quantise::<ROUNDED>(second[k]));
            by_second[k] = by_output * weights3[k] * inside(second[k]);
            bias_gradient2[k] += by_second[k];
        }
        let mut by_activated = [0.0f32; SECOND];
        for output in 0..SECOND {
            let y = by_second[output];
            let weights = &stack.transposed2[output * SECOND..][..SECOND];
            for k in 0..SECOND {
                by_activated[k] += y * weights[k];
            }
        }
        for input in 0..SECOND {
            let x = activated[input];
            let gradient = &mut gradient2[input * SECOND..][..SECOND];
            for k in 0..SECOND {
                gradient[k] += x * by_second[k];
            }
        }
        let by_hidden = &mut scratch.by_hidden[position * H..][..H];
        for k in 0..H {
            by_hidden[k] = if H < SECOND {
                let square = (hidden[k].abs() < 1.0) as u32 as f32 * 2.0 * SQUARE_ONE * hidden[k];
                by_activated[k] * square + by_activated[H + k] * inside(hidden[k])
            } else {
                by_activated[k] * inside(hidden[k])
            };
            bias_gradient1[k] += by_hidden[k];
        }
    }
    // By the inputs: 64 columns at a time stay in registers.
    for position in 0..count {
        let by_hidden = &scratch.by_hidden[position * H..][..H];
        let by_inputs = &mut scratch.by_inputs[position * inputs..][..inputs];
        for (tile, by_input) in by_inputs.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            let mut sums = [0.0f32; 64];
            for output in 0..H {
                let y = by_hidden[output];
                let weights = &stack.transposed1[output * inputs + tile * 64..][..64];
                for k in 0..64 {
                    sums[k] += y * weights[k];
                }
            }
            *by_input = sums;
        }
    }
    // By the first weights: four positions a pass over the gradient.
    let mut position = 0;
    while position < count {
        let group = (count - position).min(4);
        let mut y = [[0.0f32; H]; 4];
        for r in 0..group {
            y[r].copy_from_slice(&scratch.by_hidden[(position + r) * H..][..H]);
        }
        let x: [&[f32]; 4] =
            std::array::from_fn(|r| &scratch.inputs[(position + r.min(group - 1)) * inputs..][..inputs]);
        for input in 0..inputs {
            let values = [x[0][input], x[1][input], x[2][input], x[3][input]];
            let gradient = &mut gradient1[input * H..][..H];
            for k in 0..H {
                gradient[k] +=
                    (values[0] * y[0][k] + values[1] * y[1][k]) + (values[2] * y[2][k] + values[3] * y[3][k]);
            }
        }
        position += group;
    }
}
