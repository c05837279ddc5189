//! The first layer, kept up to date move by move.
//!
//! A move is only recorded ([`Observer`]); sums are computed when a position is evaluated, for each perspective from
//! its nearest ancestor that has them. If the own king has left its plane, the sums come from a cache: for each
//! perspective and king slot it holds the sums of the last placement seen there, so that only the difference is added.
//! Lazy updates are as in Reckless and stoat; the cache is Koivisto's "finny table".

use super::aligned::Aligned;
use super::features::{FeatureSet, NONE, Slot};
use super::items::{Item, attack_classes, held};
use super::layers::Scratch;
use super::model::Model;
use super::simd::Vector;
use crate::position::{Board, Change, Observer, Position};
use crate::types::{BySquare, Color, Hand, PieceType, Square};

/// The accumulators of one search: a stack that follows `do_move` and `undo_move`, and the cache.
#[derive(Clone)]
pub struct Accumulators {
    /// The model they were made for.
    model: u64,
    l1: usize,
    slots: BySquare<Slot>,
    plies: Vec<Ply>,
    /// By ply and perspective.
    values: Aligned<i16>,
    cache: Cache,
    /// Pieces that are missing from a full set, kings not counted.
    missing: usize,
    pub(super) scratch: Scratch,
}

/// What one move exchanged, and which perspectives are computed after it.
#[derive(Clone, Copy)]
struct Ply {
    removed: [Item; 2],
    added: [Item; 2],
    /// Number of items removed, and as many added: 1, with a capture 2.
    exchanged: u8,
    current: [bool; 2],
    slots: [Slot; 2],
}

/// Sums and placements last seen, by perspective and slot.
#[derive(Clone)]
struct Cache {
    values: Aligned<i16>,
    seen: Vec<Seen>,
    slots: usize,
}

/// A placement as the cache compares it: one byte a square, in whole words.
#[derive(Clone, Copy)]
struct Seen {
    /// [`crate::types::Piece::index`], 0 for an empty square.
    pieces: [u8; 88],
    /// Attack classes for inputs that have them, otherwise zeros.
    attacks: [u8; 88],
    hands: [Hand; 2],
    missing: usize,
}

impl Seen {
    const EMPTY: Self = Self { pieces: [0; 88], attacks: [0; 88], hands: [Hand::EMPTY; 2], missing: 0 };
}

impl Accumulators {
    /// Accumulators for a model. Call [`Accumulators::reset`] before the first move.
    pub(super) fn for_model(model: &Model) -> Self {
        let l1 = model.architecture.l1;
        let slots = model.features.planes.len();
        let mut values = Aligned::zeroed(2 * slots * l1);
        for entry in values.chunks_exact_mut(l1) {
            entry.copy_from_slice(&model.biases);
        }
        let mut new = Self {
            model: model.id,
            l1,
            slots: model.features.slots,
            plies: Vec::with_capacity(256),
            values: Aligned::zeroed(0),
            cache: Cache { values, seen: vec![Seen::EMPTY; 2 * slots], slots },
            missing: 0,
            scratch: Scratch::new(&model.architecture),
        };
        new.plies.push(Ply::root([Slot::default(); 2]));
        new.values.resize(64 * 2 * l1);
        new
    }

    /// Starts again at a position; the cache stays.
    pub fn reset(&mut self, position: &Position) {
        let slot = |color: Color| self.slots[position.king(color).map_or(44, |king| king.relative_to(color).index())];
        let root = Ply::root([slot(Color::Black), slot(Color::White)]);
        self.plies.clear();
        self.plies.push(root);
        let board = position.occupied().count()
            - Color::ALL.into_iter().filter(|&color| position.king(color).is_some()).count() as u32;
        let held: u32 = Color::ALL.into_iter().map(|color| held(position.hand(color))).sum();
        self.missing = 38usize.saturating_sub((board + held) as usize);
    }

    /// Takes the last move back.
    #[inline]
    pub fn pop(&mut self) {
        if self.plies.len() > 1 {
            self.plies.pop();
        } else {
            // There is nothing before the root.
            self.plies[0].current = [false; 2];
        }
    }

    /// Forgets the cache.
    pub(super) fn empty_cache(&mut self, model: &Model) {
        self.cache.seen.fill(Seen::EMPTY);
        for entry in self.cache.values.chunks_exact_mut(self.l1) {
            entry.copy_from_slice(&model.biases);
        }
    }

    /// Starts over if the accumulators were made for another model.
    #[inline(always)]
    pub(super) fn belong_to(&mut self, model: &Model, position: &Position) {
        if self.model != model.id {
            self.start_over(model, position);
        }
    }

    #[cold]
    fn start_over(&mut self, model: &Model, position: &Position) {
        *self = Self::for_model(model);
        self.reset(position);
    }

    /// Whether the sums of the root are computed, from which those of later plies can start.
    #[cfg(test)]
    pub(crate) fn root_is_computed(&self) -> bool {
        self.plies[0].current == [true; 2]
    }

    /// The sums of a perspective at the current ply; [`update`] computes them.
    #[inline(always)]
    pub(super) fn top(&mut self, side: Color) -> (&[i16], &[i16], &mut Scratch) {
        let at = (self.plies.len() - 1) * 2 * self.l1;
        let (black, white) = self.values[at..at + 2 * self.l1].split_at(self.l1);
        match side {
            Color::Black => (black, white, &mut self.scratch),
            Color::White => (white, black, &mut self.scratch),
        }
    }
}

impl Ply {
    fn root(slots: [Slot; 2]) -> Self {
        Self { removed: [Item(0); 2], added: [Item(0); 2], exchanged: 0, current: [false; 2], slots }
    }
}

impl Observer for Accumulators {
    #[inline]
    fn moved(&mut self, change: &Change) {
        let Some(&last) = self.plies.last() else {
            return;
        };
        let Change { from, to, moved, placed, captured, hand_after } = *change;
        let mover = moved.color();
        let gone = match from {
            Some(from) => Item::on_board(moved, from),
            None => Item::in_hand(mover, moved.piece_type(), hand_after),
        };
        let mut ply = Ply {
            removed: [gone; 2],
            added: [Item::on_board(placed, to); 2],
            exchanged: 1,
            current: [false; 2],
            slots: last.slots,
        };
        if let Some(captured) = captured {
            let kind = captured.piece_type().unpromoted();
            ply.removed[1] = Item::on_board(captured, to);
            ply.added[1] = Item::in_hand(mover, kind, hand_after.saturating_sub(1));
            ply.exchanged = 2;
        }
        if moved.piece_type() == PieceType::King {
            ply.slots[mover.index()] = self.slots[to.relative_to(mover).index()];
        }
        self.plies.push(ply);
        let needed = self.plies.len() * 2 * self.l1;
        if needed > self.values.len() {
            self.values.resize(2 * needed);
        }
    }
}

/// Brings one perspective's sums of the current position up to date.
#[inline(always)]
pub(super) fn update<V: Vector>(
    v: V,
    model: &Model,
    position: &Position,
    accumulators: &mut Accumulators,
    perspective: Color,
) {
    let p = perspective.index();
    let top = accumulators.plies.len() - 1;
    let mut start = top;
    while !accumulators.plies[start].current[p] {
        let left_plane = start > 0 && accumulators.plies[start].slots[p] != accumulators.plies[start - 1].slots[p];
        if start == 0 || left_plane || model.features.attacks.is_some() {
            refresh(v, model, position, accumulators, perspective);
            return;
        }
        start -= 1;
    }
    for ply in start + 1..=top {
        advance(v, model, accumulators, perspective, ply);
    }
}

/// Computes a ply's sums from those of the ply before it, in the same plane.
#[inline(always)]
fn advance<V: Vector>(v: V, model: &Model, accumulators: &mut Accumulators, perspective: Color, ply: usize) {
    let (p, l1) = (perspective.index(), accumulators.l1);
    let note = &mut accumulators.plies[ply];
    note.current[p] = true;
    let slot = usize::from(note.slots[p].0);
    let table = &model.features.index[p][usize::from(model.features.mirrored[slot])];
    let plane = model.features.planes[slot] as usize;
    let row = |item: Item| match table[item.index()] {
        NONE => None,
        index => Some(&model.weights[(plane + usize::from(index)) * l1..][..l1]),
    };
    let (gone, come) = (row(note.removed[0]), row(note.added[0]));
    let (before, rest) = accumulators.values.split_at_mut((2 * ply + p) * l1);
    let from = &before[(2 * ply + p - 2) * l1..][..l1];
    let to = &mut rest[..l1];
    match (gone, come) {
        (Some(gone), Some(come)) if note.exchanged == 1 => exchange(v, from, to, [come], [gone]),
        (Some(gone), Some(come)) => {
            let (Some(gone2), Some(come2)) = (row(note.removed[1]), row(note.added[1])) else {
                unreachable!("a captured piece has inputs");
            };
            exchange(v, from, to, [come, come2], [gone, gone2]);
        }
        // A king without inputs of its own; what it captures may have some.
        _ if note.exchanged == 1 => to.copy_from_slice(from),
        _ => {
            let (Some(gone2), Some(come2)) = (row(note.removed[1]), row(note.added[1])) else {
                unreachable!("a captured piece has inputs");
            };
            exchange(v, from, to, [come2], [gone2]);
        }
    }
}

/// `to = from + sum of added - sum of removed`.
#[inline(always)]
fn exchange<V: Vector, const N: usize>(v: V, from: &[i16], to: &mut [i16], added: [&[i16]; N], removed: [&[i16]; N]) {
    let l1 = to.len();
    assert!(from.len() == l1 && l1.is_multiple_of(V::LANES));
    assert!(added.iter().chain(&removed).all(|row| row.len() == l1));
    for at in (0..l1).step_by(V::LANES) {
        // SAFETY: `at + LANES` is within every slice.
        unsafe {
            let mut sum = v.load16(from.as_ptr().add(at));
            for row in added {
                sum = v.add16(sum, v.load16(row.as_ptr().add(at)));
            }
            for row in removed {
                sum = v.sub16(sum, v.load16(row.as_ptr().add(at)));
            }
            v.store16(to.as_mut_ptr().add(at), sum);
        }
    }
}

/// Most rows that can differ between two placements: 40 pieces and 38 fillers.
const MOST_ROWS: usize = 80;

/// First rows of weights to add or to subtract.
struct Rows {
    starts: [usize; MOST_ROWS],
    count: usize,
}

impl Rows {
    #[inline(always)]
    fn push(&mut self, start: usize) {
        self.starts[self.count] = start;
        self.count += 1;
    }

    fn as_slice(&self) -> &[usize] {
        &self.starts[..self.count]
    }
}

/// Computes the current position's sums from the cache.
#[inline(always)]
fn refresh<V: Vector>(v: V, model: &Model, position: &Position, accumulators: &mut Accumulators, perspective: Color) {
    let (p, l1, features) = (perspective.index(), accumulators.l1, &model.features);
    let top = accumulators.plies.len() - 1;
    let slot = features.slot(perspective, position.king(perspective));
    let at = p * accumulators.cache.slots + usize::from(slot.0);
    let old = accumulators.cache.seen[at];
    let new = see(position, features, perspective, accumulators.missing);
    let mut added = Rows { starts: [0; MOST_ROWS], count: 0 };
    let mut removed = Rows { starts: [0; MOST_ROWS], count: 0 };
    difference(features, perspective, slot, &old, &new, l1, &mut added);
    difference(features, perspective, slot, &new, &old, l1, &mut removed);
    accumulators.cache.seen[at] = new;
    let cached = &mut accumulators.cache.values[at * l1..][..l1];
    let to = &mut accumulators.values[(2 * top + p) * l1..][..l1];
    sum_rows(v, &model.weights, added.as_slice(), removed.as_slice(), cached, to);
    let ply = &mut accumulators.plies[top];
    ply.current[p] = true;
    ply.slots[p] = slot;
}

/// A position as the cache compares it.
#[inline(always)]
fn see(position: &Position, features: &FeatureSet, perspective: Color, missing: usize) -> Seen {
    let mut seen = Seen { hands: Color::ALL.map(|color| position.hand(color)), missing, ..Seen::EMPTY };
    for square in Square::all() {
        seen.pieces[square.index()] = position.piece_on(square).map_or(0, |piece| piece.index() as u8);
    }
    if features.attacks.is_some() {
        seen.attacks[..81].copy_from_slice(&attack_classes(&Board::from(position), perspective));
    }
    seen
}

/// Appends the rows of what is in `new` and not in `old`.
#[inline(always)]
fn difference(
    features: &FeatureSet,
    perspective: Color,
    slot: Slot,
    old: &Seen,
    new: &Seen,
    l1: usize,
    rows: &mut Rows,
) {
    let slot = usize::from(slot.0);
    let table = &features.index[perspective.index()][usize::from(features.mirrored[slot])];
    let plane = features.planes[slot] as usize;
    let word = |bytes: &[u8; 88], n: usize| {
        let mut word = [0; 8];
        word.copy_from_slice(&bytes[8 * n..8 * n + 8]);
        u64::from_le_bytes(word)
    };
    for n in 0..11 {
        let mut differing =
            (word(&old.pieces, n) ^ word(&new.pieces, n)) | (word(&old.attacks, n) ^ word(&new.attacks, n));
        while differing != 0 {
            let byte = differing.trailing_zeros() as usize / 8;
            differing &= !(0xff << (8 * byte));
            let square = 8 * n + byte;
            let piece = usize::from(new.pieces[square]);
            // An empty square's items come before those of the first piece and have no row.
            let index = table[piece * Square::COUNT + square];
            if index != NONE {
                let attacks = features.attacks.map_or(0, |step| step as usize * usize::from(new.attacks[square]));
                rows.push((plane + attacks + usize::from(index)) * l1);
            }
        }
    }
    if old.hands != new.hands {
        for color in Color::ALL {
            let (before, after) = (old.hands[color.index()], new.hands[color.index()]);
            for kind in PieceType::HAND {
                for copy in before.count(kind)..after.count(kind) {
                    let index = table[Item::in_hand(color, kind, copy).index()];
                    rows.push((plane + usize::from(index)) * l1);
                }
            }
        }
    }
    if let Some(filler) = features.filler {
        for _ in old.missing..new.missing {
            rows.push((plane + usize::from(filler)) * l1);
        }
    }
}

/// Adds and subtracts rows of weights, writing the sums to the cache and to an accumulator. Works through tiles of
/// eight registers, so that each sum is read and written once.
#[inline(always)]
fn sum_rows<V: Vector>(v: V, weights: &[i16], added: &[usize], removed: &[usize], cached: &mut [i16], to: &mut [i16]) {
    let l1 = to.len();
    assert!(cached.len() == l1 && l1.is_multiple_of(V::LANES));
    assert!(added.iter().chain(removed).all(|&start| start + l1 <= weights.len()));
    let mut at = 0;
    // SAFETY: tiles end within the rows' width, and rows within the weights.
    unsafe {
        while at + 8 * V::LANES <= l1 {
            sum_tile::<V, 8>(v, weights, added, removed, cached, to, at);
            at += 8 * V::LANES;
        }
        while at < l1 {
            sum_tile::<V, 1>(v, weights, added, removed, cached, to, at);
            at += V::LANES;
        }
    }
}

/// # Safety
///
/// `N` registers from `at` on are within both sums and, from each start, within the weights.
#[inline(always)]
unsafe fn sum_tile<V: Vector, const N: usize>(
    v: V,
    weights: &[i16],
    added: &[usize],
    removed: &[usize],
    cached: &mut [i16],
    to: &mut [i16],
    at: usize,
) {
    // SAFETY: as said above.
    unsafe {
        let mut sums: [V::I16; N] = std::array::from_fn(|i| v.load16(cached.as_ptr().add(at + i * V::LANES)));
        for &start in added {
            let row = weights.as_ptr().add(start + at);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = v.add16(*sum, v.load16(row.add(i * V::LANES)));
            }
        }
        for &start in removed {
            let row = weights.as_ptr().add(start + at);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = v.sub16(*sum, v.load16(row.add(i * V::LANES)));
            }
        }
        for (i, &sum) in sums.iter().enumerate() {
            v.store16(cached.as_mut_ptr().add(at + i * V::LANES), sum);
            v.store16(to.as_mut_ptr().add(at + i * V::LANES), sum);
        }
    }
}
