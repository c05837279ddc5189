//! The network in training: a sparse layer, dense stacks, and one step of learning over a batch.

use rayon::prelude::*;

use super::batch::Batch;
use super::dense::{Layout, Scratch, Stack, backward, forward, quantise};
use super::loss::Power;
use super::optimiser::Update;
use super::shape::Shape;
use super::simd::{TILE, vectorised};
use super::transformer::{Rows, Tile};
use crate::platform::random::Random;

/// Positions of one stack that are computed together: their sums stay in the cache.
const GROUP: usize = 256;

/// In a row's count of updates: an earlier run has seen the row.
pub(super) const SEEN: u32 = 1 << 31;

/// A network in floating point, with the optimiser's state and room to work.
pub struct Network {
    /// The architecture.
    pub shape: Shape,
    /// The sparse layer, 64 columns a tile.
    pub tiles: Vec<Tile>,
    /// The dense layers by phase.
    pub stacks: Vec<Stack>,
    /// How many updates each row of the sparse layer has had; the highest bit tells that an earlier run has seen it.
    pub row_steps: Vec<u32>,
    /// How many updates each stack has had.
    pub stack_steps: Vec<u32>,
    /// How many batches were learned.
    pub steps: u32,
    groups: Vec<Group>,
}

/// A group of positions of one stack, and the room to compute it.
#[derive(Default)]
struct Group {
    first: usize,
    count: usize,
    stack: usize,
    /// Tile by tile: the sums of the sparse layer, then the derivatives by them.
    sums: Vec<f32>,
    by_outputs: Vec<f32>,
    scratch: Scratch,
    loss: f64,
}

/// The parameters of one step of learning.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The learning rate.
    pub rate: f32,
    /// Weight decay of the dense layers.
    pub decay: f32,
    /// Weight decay of the sparse layer's rows that the batch touches.
    pub row_decay: f32,
    /// The limits of hidden and output weights.
    pub limits: (f32, f32),
    /// The learning rate of the shared rows of [`super::factoriser`] as a factor of the others', 0 for none.
    pub factoriser: f32,
}

impl Network {
    /// A network with random weights.
    ///
    /// About 40 rows are added up, so weights within ±1/sqrt(40) and a bias of 0.2 give sums that spread over 0..=1:
    /// with larger or centred ones most outputs of a wide layer start, and stay, clipped.
    pub fn new(shape: Shape, seed: u64) -> Self {
        let rows = shape.inputs.rows();
        let spread = (1.0f32 / 40.0).sqrt();
        let random_rows = shape.inputs.random_rows();
        let tiles = (0..shape.width / TILE)
            .map(|tile| {
                let mut random = Random::for_item(seed, tile as u64);
                Tile::new(rows, random_rows.clone(), spread, 0.2, &mut random)
            })
            .collect();
        let layout = Layout::of(&shape);
        // All stacks begin alike: what the phases have in common is learned before they part.
        let stacks =
            (0..shape.stacks).map(|_| Stack::new(layout, shape.grid(), &mut Random::for_item(seed, 1 << 32))).collect();
        Self {
            shape,
            tiles,
            stacks,
            row_steps: vec![0; rows],
            stack_steps: vec![0; shape.stacks],
            steps: 0,
            groups: Vec::new(),
        }
    }

    /// Computes the outputs of a batch in units, in the batch's order.
    pub fn outputs(&mut self, batch: &Batch) -> Vec<f32> {
        self.compute(batch, false);
        self.groups.iter().flat_map(|group| group.scratch.outputs[..group.count].iter().copied()).collect()
    }

    /// Learns a batch; returns the mean loss before learning it.
    pub fn learn(&mut self, batch: &Batch, step: Step) -> f64 {
        self.compute(batch, true);
        self.steps += 1;
        let touched = self.touch(batch);
        let update = Update { rate: step.rate, decay: step.row_decay, limit: f32::MAX, step: self.steps };
        let (groups, inputs) = (&self.groups, &self.shape.inputs);
        let stride = inputs.stride();
        self.tiles.par_iter_mut().enumerate().for_each(|(index, tile)| {
            for group in groups {
                let size = group.count * 2 * TILE;
                let rows = &batch.rows[group.first * 2 * stride..][..group.count * 2 * stride];
                tile.backward(Rows { rows, stride }, &group.sums[index * size..][..size]);
            }
            if step.factoriser > 0.0 {
                let rate = step.rate * step.factoriser;
                tile.update_shared_rows(inputs, rate, update.step);
            }
            tile.update(&touched, update);
        });
        let mut gradient = Vec::new();
        for (index, stack) in self.stacks.iter_mut().enumerate() {
            gradient.clear();
            gradient.resize(stack.layout.size(), 0.0f32);
            let mut seen = false;
            for group in self.groups.iter().filter(|group| group.stack == index) {
                seen = true;
                for (sum, part) in gradient.iter_mut().zip(&group.scratch.gradient) {
                    *sum += part;
                }
            }
            if seen {
                self.stack_steps[index] += 1;
                let update = Update { decay: step.decay, step: self.stack_steps[index], ..update };
                stack.update(&mut gradient, update, step.limits);
            }
        }
        self.groups.iter().map(|group| group.loss).sum::<f64>() / batch.len() as f64
    }

    /// All parameters: of the sparse layer tile by tile (weights, biases), then of the dense stacks.
    pub fn parameters(&self) -> impl Iterator<Item = &[f32]> {
        let tiles = self.tiles.iter().flat_map(|tile| [&tile.weights[..], &tile.biases]);
        tiles.chain(self.stacks.iter().map(|stack| &stack.parameters[..]))
    }

    /// Changes the parameters, in the order of [`Network::parameters`].
    pub fn for_each_parameters(&mut self, mut change: impl FnMut(&mut [f32])) {
        for tile in &mut self.tiles {
            change(&mut tile.weights);
            change(&mut tile.biases);
        }
        for stack in &mut self.stacks {
            change(&mut stack.parameters);
            stack.requantise();
        }
    }

    /// Sets the rows that no position has touched to zero: they hold the noise they began with, and perhaps what shared
    /// rows added to it.
    pub fn clear_unseen_rows(&mut self) {
        for (row, _) in self.row_steps.iter().enumerate().filter(|&(_, &steps)| steps == 0) {
            for tile in &mut self.tiles {
                tile.weights[row * TILE..][..TILE].fill(0.0);
            }
        }
    }

    /// The rows a batch uses, with their step counts, which this raises.
    fn touch(&mut self, batch: &Batch) -> Vec<(u32, u32)> {
        let rows = self.row_steps.len();
        let mut seen = vec![false; rows + 1];
        for &row in &batch.rows {
            seen[row as usize] = true;
        }
        let mut touched = Vec::new();
        for (row, steps) in self.row_steps.iter_mut().enumerate() {
            if seen[row] {
                *steps += 1;
                touched.push((row as u32, *steps & !SEEN));
            }
        }
        touched
    }

    /// The forward pass, and for learning the backward pass as far as the sparse layer's sums.
    fn compute(&mut self, batch: &Batch, learning: bool) {
        self.plan(batch);
        let (shape, tiles, stacks) = (self.shape, &self.tiles, &self.stacks);
        self.groups.par_iter_mut().for_each(|group| {
            group.sum(&shape, tiles, batch);
            let stack = &stacks[group.stack];
            let targets = &batch.targets[group.first..][..group.count];
            let terms = &batch.terms[group.first..][..group.count];
            let learning = learning.then_some((batch.len(), batch.power));
            vectorised(
                #[inline(always)]
                || match (shape.hidden, stack.grid) {
                    (16, Some(_)) => group.run::<16, true>(&shape, stack, targets, terms, learning),
                    (16, None) => group.run::<16, false>(&shape, stack, targets, terms, learning),
                    (_, Some(_)) => group.run::<32, true>(&shape, stack, targets, terms, learning),
                    (_, None) => group.run::<32, false>(&shape, stack, targets, terms, learning),
                },
            );
        });
    }

    /// Cuts the batch, which is ordered by stack, into groups.
    fn plan(&mut self, batch: &Batch) {
        let mut count = 0;
        let mut first = 0;
        for (stack, &length) in batch.stack_sizes.iter().enumerate() {
            let end = first + length;
            while first < end {
                if self.groups.len() == count {
                    self.groups.push(Group::default());
                }
                let group = &mut self.groups[count];
                (group.first, group.stack) = (first, stack);
                group.count = (end - first).min(GROUP);
                first += group.count;
                count += 1;
            }
        }
        self.groups.truncate(count);
    }
}

impl Group {
    fn sum(&mut self, shape: &Shape, tiles: &[Tile], batch: &Batch) {
        let stride = shape.inputs.stride();
        let rows = &batch.rows[self.first * 2 * stride..][..self.count * 2 * stride];
        let size = self.count * 2 * TILE;
        self.sums.resize(size * tiles.len(), 0.0);
        for (tile, sums) in tiles.iter().zip(self.sums.chunks_exact_mut(size)) {
            tile.forward(Rows { rows, stride }, sums);
        }
    }

    #[inline(always)]
    fn run<const H: usize, const ROUNDED: bool>(
        &mut self,
        shape: &Shape,
        stack: &Stack,
        targets: &[f32],
        terms: &[f32],
        learning: Option<(usize, Power)>,
    ) {
        self.activate::<ROUNDED>(shape);
        forward::<H, ROUNDED>(stack, &mut self.scratch, self.count);
        let Some((batch_size, power)) = learning else {
            return;
        };
        self.by_outputs.clear();
        self.loss = 0.0;
        for ((&output, &target), &terms) in self.scratch.outputs.iter().zip(targets).zip(terms) {
            let (value, slope) = power.loss(output + terms, target);
            self.loss += value as f64;
            self.by_outputs.push(slope / batch_size as f32);
        }
        backward::<H, ROUNDED>(stack, &mut self.scratch, &self.by_outputs);
        self.deactivate(shape);
    }

    /// The dense inputs: clipped sums, or the products of a perspective's two clipped halves.
    #[inline(always)]
    fn activate<const ROUNDED: bool>(&mut self, shape: &Shape) {
        let inputs = shape.dense_inputs();
        let size = self.count * 2 * TILE;
        let tiles = shape.width / TILE;
        self.scratch.inputs.resize(self.count * inputs, 0.0);
        for position in 0..self.count {
            let out = &mut self.scratch.inputs[position * inputs..][..inputs];
            for (slot, values) in out.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
                if shape.product {
                    let (side, tile) = (slot / (tiles / 2), slot % (tiles / 2));
                    let at = (position * 2 + side) * TILE;
                    let a = &self.sums[tile * size + at..][..TILE];
                    let b = &self.sums[(tile + tiles / 2) * size + at..][..TILE];
                    for k in 0..TILE {
                        values[k] = quantise::<ROUNDED>(a[k].clamp(0.0, 1.0) * b[k].clamp(0.0, 1.0));
                    }
                } else {
                    let (side, tile) = (slot / tiles, slot % tiles);
                    let a = &self.sums[tile * size + (position * 2 + side) * TILE..][..TILE];
                    for k in 0..TILE {
                        values[k] = quantise::<ROUNDED>(a[k].clamp(0.0, 1.0));
                    }
                }
            }
        }
    }

    /// Replaces the sums by the loss's derivatives by them.
    #[inline(always)]
    fn deactivate(&mut self, shape: &Shape) {
        let inputs = shape.dense_inputs();
        let size = self.count * 2 * TILE;
        let tiles = shape.width / TILE;
        for position in 0..self.count {
            let by_inputs = &self.scratch.by_inputs[position * inputs..][..inputs];
            for (slot, slopes) in by_inputs.as_chunks::<TILE>().0.iter().enumerate() {
                if shape.product {
                    let (side, tile) = (slot / (tiles / 2), slot % (tiles / 2));
                    let at = (position * 2 + side) * TILE;
                    let (low, high) = self.sums.split_at_mut((tile + tiles / 2) * size);
                    let a = &mut low[tile * size + at..][..TILE];
                    let b = &mut high[at..][..TILE];
                    for k in 0..TILE {
                        let (x, y) = (a[k], b[k]);
                        let open = |x: f32| (x > 0.0 && x < 1.0) as u32 as f32;
                        a[k] = slopes[k] * y.clamp(0.0, 1.0) * open(x);
                        b[k] = slopes[k] * x.clamp(0.0, 1.0) * open(y);
                    }
                } else {
                    let (side, tile) = (slot / tiles, slot % tiles);
                    let a = &mut self.sums[tile * size + (position * 2 + side) * TILE..][..TILE];
                    for k in 0..TILE {
                        a[k] = slopes[k] * ((a[k] > 0.0 && a[k] < 1.0) as u32 as f32);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Board;
    use crate::training::data::record::{Labelled, Psv};
    use crate::training::fit::batch::Blend;
    use crate::training::fit::inputs::Inputs;
    use crate::types::{Color, Piece, PieceType, Square};

    const BLEND: Blend = Blend { lambda: 0.7, scale: 600.0, power: Power::FiveHalves };
    const STEP: Step = Step { rate: 1e-3, decay: 0.01, row_decay: 0.0, limits: (127.0 / 64.0, 2.8), factoriser: 1.0 };

    /// Full sets strewn over board and hands at random, worth what their big pieces say.
    pub fn strewn(count: usize, seed: u64) -> Vec<Psv> {
        let mut random = Random::new(seed);
        let mut records = Vec::new();
        while records.len() < count {
            let mut position = Board::EMPTY;
            let mut squares: Vec<Square> = Square::all().collect();
            random.shuffle(&mut squares);
            let mut score = 0;
            for color in Color::ALL {
                if let Some(square) = squares.pop() {
                    position.set(square, Some(Piece::new(color, PieceType::King)));
                }
            }
            for kind in PieceType::HAND {
                for _ in 0..kind.count_in_set() {
                    let color = if random.chance(0.5) { Color::Black } else { Color::White };
                    if matches!(kind, PieceType::Rook | PieceType::Bishop) {
                        score += if color == Color::Black { 300 } else { -300 };
                    }
                    if random.chance(0.3) {
                        position.set_hand(color, kind, position.hand(color, kind) + 1);
                    } else if let Some(square) = squares.pop() {
                        let promoted = kind.promoted().filter(|_| random.chance(0.2));
                        position.set(square, Some(Piece::new(color, promoted.unwrap_or(kind))));
                    }
                }
            }
            if random.chance(0.5) {
                position.set_side_to_move(Color::White);
                score = -score;
            }
            let labelled = Labelled { position, score, best: None, ply: 30, result: score.signum() as i8 };
            records.push(Psv::encode(&labelled).expect("a full set fits"));
        }
        records
    }

    fn mean_loss(network: &mut Network, batch: &Batch) -> f64 {
        let outputs = network.outputs(batch);
        let outputs = outputs.iter().zip(&batch.terms).map(|(output, terms)| output + terms);
        let losses = outputs.zip(&batch.targets).map(|(o, &t)| batch.power.loss(o, t).0 as f64);
        losses.sum::<f64>() / batch.len() as f64
    }

    #[test]
    fn gradients_agree_with_difference_quotients() {
        let halfkp = Shape { width: 64, ..Shape::HALFKP };
        for shape in [Shape::own(128), halfkp] {
            let records = strewn(24, 5);
            let batch = Batch::new(&records, &shape, BLEND).expect("records decode");
            let mut network = Network::new(shape, 3);
            // Rounding makes steps, which have no slope.
            for stack in &mut network.stacks {
                stack.grid = None;
                stack.requantise();
            }
            network.compute(&batch, true);
            // Some weights of the stack of the first group, by the quotient and by the backward pass.
            let stack = network.groups[0].stack;
            let layout = network.stacks[stack].layout;
            let places = [0, 17, layout.biases1() + 3, layout.weights2() + 40, layout.weights3() + 5, layout.bias3()];
            for place in places {
                let analytic: f32 = network
                    .groups
                    .iter()
                    .filter(|group| group.stack == stack)
                    .map(|group| group.scratch.gradient[place])
                    .sum();
                let quotient = quotient(&mut network, &batch, |network, shift| {
                    network.stacks[stack].parameters[place] += shift;
                    network.stacks[stack].requantise();
                });
                assert!(
                    (analytic as f64 - quotient).abs() < 2e-5 + 0.03 * quotient.abs(),
                    "{place}: {analytic} {quotient}"
                );
                network.compute(&batch, true);
            }
            // The sparse layer's biases: the sums of the derivatives by the sums.
            for (tile, column) in [(0, 1), (shape.width / TILE - 1, 33)] {
                let analytic: f32 = network
                    .groups
                    .iter()
                    .flat_map(|group| {
                        let size = group.count * 2 * TILE;
                        group.sums[tile * size..][..size].chunks_exact(TILE).map(|sums| sums[column])
                    })
                    .sum();
                let quotient = quotient(&mut network, &batch, |network, shift| {
                    network.tiles[tile].biases[column] += shift;
                });
                assert!(
                    (analytic as f64 - quotient).abs() < 2e-5 + 0.03 * quotient.abs(),
                    "{tile}: {analytic} {quotient}"
                );
                network.compute(&batch, true);
            }
        }
    }

    fn quotient(network: &mut Network, batch: &Batch, shift: impl Fn(&mut Network, f32)) -> f64 {
        const STEP: f32 = 2e-3;
        shift(network, STEP);
        let above = mean_loss(network, batch);
        shift(network, -2.0 * STEP);
        let below = mean_loss(network, batch);
        shift(network, STEP);
        (above - below) / (2.0 * STEP as f64)
    }

    #[test]
    fn learning_is_the_same_on_any_number_of_threads_and_lowers_the_loss() {
        let shape = Shape::own(128);
        let records = strewn(3000, 9);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| {
                let mut network = Network::new(shape, 1);
                let batch = Batch::new(&records, &shape, BLEND).expect("records decode");
                let losses: Vec<f64> = (0..30).map(|_| network.learn(&batch, STEP)).collect();
                (losses, network.tiles[1].weights.clone(), network.stacks[0].parameters.clone())
            })
        };
        let (losses, weights, parameters) = run(1);
        assert!(losses[29] < losses[0] / 3.0, "{losses:?}");
        assert!(losses.iter().all(|loss| loss.is_finite()));
        let twin = run(2);
        assert!(losses == twin.0 && weights == twin.1 && parameters == twin.2);
    }

    /// How fast it is: `cargo test --release -- --ignored --nocapture positions_per_second`.
    #[test]
    #[ignore = "a measurement"]
    fn positions_per_second() {
        let records = strewn(16384, 9);
        for shape in [Shape::own(128), Shape::own(256), Shape::own(512), Shape::HALFKP] {
            let mut network = Network::new(shape, 1);
            let start = std::time::Instant::now();
            let mut loss = 0.0;
            for _ in 0..6 {
                let batch = Batch::new(&records, &shape, BLEND).expect("records decode");
                loss = network.learn(&batch, Step { factoriser: 0.0, ..STEP });
            }
            let rate = 6.0 * 16384.0 / start.elapsed().as_secs_f64();
            println!("{:?} {}: {rate:.0} positions/s, loss {loss}", shape.inputs, shape.width);
        }
        assert_eq!(Inputs::PieceSquare.rows(), 2344);
    }
}
