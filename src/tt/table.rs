//! The table: probing and storing.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering::Relaxed};

use crate::platform::memory::{self, Memory};
use crate::types::{Bound, Move};

use super::entry::{DEPTH_OFFSET, Entry, GENERATION_STEP, Slot, age, decode, depth_code, encode};

/// Entries of older searches lose this much depth per search when a slot is wanted.
const AGE_PENALTY: i32 = 8;
const CLUSTER: usize = 4;
pub(super) const CLUSTERS_PER_MIB: usize = (1 << 20) / size_of::<Cluster>();
/// A search may start on the populated part of an empty table from this size on, in MiB; a smaller part would fill up
/// too soon.
pub(super) const MIN_POPULATED_MIB: usize = 256;

/// One cache line of entries.
#[derive(Default)]
#[repr(C, align(64))]
pub(super) struct Cluster(pub(super) [Slot; CLUSTER]);

// SAFETY: nothing but atomic integers, of which zero is a value.
unsafe impl bytemuck::Zeroable for Cluster {}

const _: () = assert!(size_of::<Cluster>() == 64);

/// The memory for a table is not available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system has no {0} MiB of memory for the transposition table")]
pub struct TableError(pub usize);

/// The transposition table. All methods take `&self`; share it by `Arc`.
pub struct TranspositionTable {
    pub(super) clusters: Memory<Cluster>,
    /// How many clusters, from the first on, have been given memory by [`populate`](Self::populate).
    pub(super) populated: AtomicUsize,
    /// How many clusters are in use: all, or those that have memory.
    pub(super) in_use: AtomicUsize,
    pub(super) generation: AtomicU8,
    /// Something may have been stored since the last clearing.
    pub(super) used: AtomicBool,
    megabytes: usize,
}

impl TranspositionTable {
    /// An empty table of `megabytes` MiB (at least 1). The system provides the memory when it is first written.
    pub fn new(megabytes: usize) -> Result<Self, TableError> {
        let megabytes = megabytes.max(1);
        let bytes = megabytes.checked_mul(1 << 20).ok_or(TableError(megabytes))?;
        let count = bytes / size_of::<Cluster>();
        let clusters = Memory::zeroed(count, 0).ok_or(TableError(megabytes))?;
        Ok(Self {
            clusters,
            populated: AtomicUsize::new(0),
            in_use: AtomicUsize::new(count),
            generation: AtomicU8::new(0),
            used: AtomicBool::new(false),
            megabytes,
        })
    }

    /// Its size in MiB.
    pub fn megabytes(&self) -> usize {
        self.megabytes
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let in_use = self.in_use.load(Relaxed);
        // The high 64 bits of the product spread keys evenly over any number of clusters (Lemire 2016).
        let index = ((u128::from(key) * in_use as u128) >> 64) as usize;
        &self.clusters.as_slice()[index]
    }

    /// Asks the processor to fetch the cluster of a key that will be probed soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        memory::prefetch::<Cluster>(self.cluster(key));
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.check.load(Relaxed) ^ data == key && depth_code(data) != 0).then(|| decode(data))
        })
    }

    /// Stores what was found, over the position's older entry or over the least valuable one of its cluster.
    ///
    /// A known move is kept where the new entry has none; a much deeper result of the same search is kept altogether,
    /// unless the new one is exact (Stockfish).
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let mut mv = entry.mv.map_or(0, Move::bits);
        let mut target: Option<(&Slot, i32)> = None;
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Relaxed);
            if depth_code(data) == 0 {
                target = Some((slot, 0));
                break;
            }
            if slot.check.load(Relaxed) ^ data == key {
                if mv == 0 {
                    mv = data as u16;
                }
                let old_depth = i32::from(depth_code(data)) - DEPTH_OFFSET;
                let keep = entry.bound != Some(Bound::Exact)
                    && entry.depth + if entry.is_pv { 2 } else { 0 } <= old_depth - 4
                    && age(data, generation) == 0;
                if keep {
                    if mv != data as u16 {
                        let data = data & !0xffff | u64::from(mv);
                        slot.write(key, data);
                    }
                    return;
                }
                target = Some((slot, 0));
                break;
            }
            let worth = i32::from(depth_code(data)) - AGE_PENALTY * i32::from(age(data, generation));
            if target.is_none_or(|(_, least)| worth < least) {
                target = Some((slot, worth));
            }
        }
        if let Some((slot, _)) = target {
            slot.write(key, encode(&entry, mv, generation));
        }
    }

    /// Starts a search: entries of earlier ones age.
    ///
    /// A search that waits for a page of memory (milliseconds, if it is a huge one) is late to stop. So an empty table
    /// that has been given part of its memory, and at least 256 MiB, uses that part only. The rest comes into use once
    /// all of it is there, at the price of the entries. If memory was not asked for in advance, all is used.
    pub fn new_search(&self) {
        let populated = self.populated.load(Relaxed);
        let complete = populated == self.clusters.as_slice().len();
        let empty = !self.used.swap(true, Relaxed);
        if complete || empty && populated >= MIN_POPULATED_MIB * CLUSTERS_PER_MIB {
            self.in_use.store(populated, Relaxed);
        }
        self.generation.fetch_add(GENERATION_STEP, Relaxed);
    }

    /// Share of slots with entries of this search, in permille of a sample.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = &self.clusters.as_slice()[..250];
        let count = sample
            .iter()
            .flat_map(|cluster| &cluster.0)
            .map(|slot| slot.data.load(Relaxed))
            .filter(|&data| depth_code(data) != 0 && age(data, generation) == 0)
            .count();
        count as u32
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::DEPTH_NONE;
    use super::*;
    use crate::types::{Depth, Score};

    fn entry(depth: Depth) -> Entry {
        Entry {
            mv: "7g7f".parse().ok(),
            score: Score::mated_in(3),
            bound: Some(Bound::Upper),
            eval: Some(Score(-77)),
            depth,
            is_pv: true,
        }
    }

    /// Keys of one cluster: the high bits choose it.
    fn key(number: u64) -> u64 {
        5 << 56 | number
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.probe(key(1)), None);
        for depth in [DEPTH_NONE, -1, 0, 1, 30, 245] {
            table.clear(1);
            table.new_search();
            table.store(key(1), entry(depth));
            assert_eq!(table.probe(key(1)), Some(entry(depth)));
            assert_eq!(table.probe(key(2)), None);
        }
        let bare = Entry { mv: None, score: Score::ZERO, bound: None, eval: None, depth: DEPTH_NONE, is_pv: false };
        table.store(key(2), bare);
        assert_eq!(table.probe(key(2)), Some(bare));
        table.clear(3);
        assert_eq!((table.probe(key(1)), table.hashfull()), (None, 0));
    }

    #[test]
    fn a_move_and_a_deep_result_survive_a_shallow_one() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(key(1), entry(20));
        let shallow = Entry { mv: None, ..entry(2) };
        table.store(key(1), shallow);
        assert_eq!(table.probe(key(1)), Some(entry(20)));
        let deeper = Entry { mv: None, ..entry(21) };
        table.store(key(1), deeper);
        assert_eq!(table.probe(key(1)), Some(entry(21)));
    }

    #[test]
    fn the_shallow_and_the_old_make_place() {
        let table = TranspositionTable::new(1).unwrap();
        for number in 0..4 {
            table.store(key(number), entry(10 + number as i32));
        }
        table.store(key(9), entry(5));
        assert_eq!(table.probe(key(0)), None);
        assert!((1..4).all(|number| table.probe(key(number)).is_some()));
        for _ in 0..3 {
            table.new_search();
        }
        table.store(key(10), entry(5));
        table.store(key(11), entry(0));
        assert!(table.probe(key(10)).is_some() && table.probe(key(11)).is_some());
        assert_eq!(table.probe(key(9)), None);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        let size = usize::MAX >> 21;
        assert_eq!(TranspositionTable::new(size).err(), Some(TableError(size)));
        assert_eq!(TranspositionTable::new(usize::MAX).err(), Some(TableError(usize::MAX)));
    }

    /// Many threads write and read the same few clusters; an entry that is found is one that was written for its key.
    #[test]
    fn entries_are_never_torn() {
        let table = TranspositionTable::new(1).unwrap();
        let rounds = if cfg!(miri) { 200 } else { 200_000 };
        std::thread::scope(|scope| {
            for thread in 0..8u64 {
                let table = &table;
                scope.spawn(move || {
                    let mut state = thread + 1;
                    for _ in 0..rounds {
                        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                        let number = state >> 60;
                        let value = (state >> 33) as i16;
                        // Every field follows from the score and the key, so that a mixture shows.
                        let made = |number: u64, value: i16| Entry {
                            mv: Move::from_bits(((number + 1) % 81) as u16 | (81 + 7) << 7).or("P*5e".parse().ok()),
                            score: Score(i32::from(value)),
                            bound: Some(Bound::Exact),
                            eval: Some(Score(i32::from(value.saturating_neg().max(-32767)))),
                            depth: i32::from(value & 63),
                            is_pv: value & 1 == 0,
                        };
                        table.store(key(number), made(number, value));
                        let other = state >> 40 & 15;
                        if let Some(found) = table.probe(key(other)) {
                            assert_eq!(found, made(other, found.score.0 as i16));
                        }
                    }
                });
            }
        });
    }
}
