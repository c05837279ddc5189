//! A list of moves on the stack.

use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

use crate::types::Move;

/// Up to [`MoveList::CAPACITY`] moves; no allocation. It reads like a slice.
pub struct MoveList {
    moves: [MaybeUninit<Move>; Self::CAPACITY],
    len: usize,
}

impl MoveList {
    /// No position has more than 593 legal moves.
    pub const CAPACITY: usize = 600;

    /// An empty list.
    #[inline(always)]
    pub const fn new() -> Self {
        Self {
            // A constant expression, so that the array is not initialised.
            moves: [const { MaybeUninit::uninit() }; Self::CAPACITY],
            len: 0,
        }
    }

    /// Appends a move.
    ///
    /// # Panics
    /// Where the list is full.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len].write(mv);
        self.len += 1;
    }

    /// Removes all moves.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Keeps the moves for which a test holds, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for i in 0..self.len {
            let mv = self[i];
            if keep(mv) {
                self[kept] = mv;
                kept += 1;
            }
        }
        self.len = kept;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        // SAFETY: `push` has written the first `len` entries, and `Move` and `MaybeUninit<Move>` have one layout.
        unsafe { std::slice::from_raw_parts(self.moves.as_ptr().cast(), self.len) }
    }
}

impl DerefMut for MoveList {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Move] {
        // SAFETY: as in `deref`.
        unsafe { std::slice::from_raw_parts_mut(self.moves.as_mut_ptr().cast(), self.len) }
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
