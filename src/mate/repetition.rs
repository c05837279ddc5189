//! Disproofs that hold on one path only (the graph-history interaction problem; Kishimoto and Müller, A general
//! solution to the graph history interaction problem, AAAI 2004).
//!
//! ```text
//!   root - A - B - C - D        D's only check can be answered by a return to B (ply 2):
//!              ^       |        C and D are disproven on this path only, and stored by path
//!              +-- E --+        with repetition_start = 2. B itself is disproven on every path.
//! ```
//!
//! Where an attack fails because it leads back to a position of its own path, it may succeed on another path. Such a
//! disproof is stored under the key of the path, with the ply of the position that it leads back to; from that position
//! upwards it is an ordinary disproof.

use super::mate_len::MateLen;

/// A disproof that depends on the path from the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Zeroable)]
pub(super) struct PathDisproof {
    /// No mate within this many plies.
    pub(super) len: u16,
    /// The smallest ply of the path that a line of the disproof leads back to.
    pub(super) repetition_start: u16,
}

#[derive(Clone, Copy, bytemuck::Zeroable)]
struct Slot {
    path: u64,
    disproof: PathDisproof,
}

/// Slots of a new table and of the largest.
const SLOTS: std::ops::RangeInclusive<usize> = 1 << 8..=1 << 20;

/// Disproofs by path; newer ones replace older ones. The table grows with what is stored, so that a small problem does
/// not pay for a large table.
pub(super) struct RepetitionTable {
    slots: Vec<Slot>,
    stored: usize,
}

impl RepetitionTable {
    /// An empty table.
    pub(super) fn new() -> Self {
        Self { slots: bytemuck::zeroed_vec(*SLOTS.start()), stored: 0 }
    }

    #[inline(always)]
    fn place(&self, path: u64) -> usize {
        path as usize & (self.slots.len() - 2)
    }

    /// Whether the node at the end of this path is known to have no mate within `len`.
    #[inline]
    pub(super) fn probe(&self, path: u64, len: MateLen) -> Option<PathDisproof> {
        let place = self.place(path);
        self.slots[place..place + 2]
            .iter()
            .find(|slot| slot.path == path && slot.disproof.len >= len.0)
            .map(|slot| slot.disproof)
    }

    /// Stores a disproof; the older one of two slots is lost.
    #[inline]
    pub(super) fn store(&mut self, path: u64, len: MateLen, repetition_start: u16) {
        self.stored += 1;
        if self.stored > self.slots.len() / 2 && self.slots.len() < *SLOTS.end() {
            self.grow();
        }
        self.put(path, len, repetition_start);
    }

    fn grow(&mut self) {
        let larger = bytemuck::zeroed_vec(self.slots.len() * 4);
        let old = std::mem::replace(&mut self.slots, larger);
        // The newer of two slots is the first one.
        for slot in old.iter().rev().filter(|slot| slot.path != 0) {
            self.put(slot.path, MateLen(slot.disproof.len), slot.disproof.repetition_start);
        }
    }

    fn put(&mut self, path: u64, len: MateLen, repetition_start: u16) {
        let place = self.place(path);
        if self.slots[place].path != path {
            self.slots[place + 1] = self.slots[place];
        }
        self.slots[place] = Slot { path, disproof: PathDisproof { len: len.0, repetition_start } };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disproof_answers_for_its_path_and_for_shorter_mates() {
        let mut table = RepetitionTable::new();
        table.store(77, MateLen(9), 3);
        assert_eq!(table.probe(77, MateLen(9)), Some(PathDisproof { len: 9, repetition_start: 3 }));
        assert!(table.probe(77, MateLen(5)).is_some());
        assert!(table.probe(77, MateLen(11)).is_none());
        assert!(table.probe(78, MateLen(9)).is_none());
    }

    #[test]
    fn growing_loses_nothing_recent() {
        let mut table = RepetitionTable::new();
        let path = |number: u64| crate::platform::random::mix(number);
        for number in 0..2000 {
            table.store(path(number), MateLen(7), number as u16);
        }
        let kept = (0..2000).filter(|&number| {
            table.probe(path(number), MateLen(7)).is_some_and(|disproof| disproof.repetition_start == number as u16)
        });
        assert!(kept.count() > 1700);
    }
}
