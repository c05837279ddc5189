//! The transposition table: what was found about positions, shared by all search threads without locks.
//!
//! A cluster of four 16-byte entries fills one cache line; the high bits of a position's key choose the cluster. An
//! entry is two atomic words, the data and `key ^ data`, so that an entry torn by two writers does not match any key
//! and is simply not found (Hyatt and Mann, *A lock-less transposition table implementation for parallel search*, ICGA
//! Journal 25, 2002). All accesses are relaxed atomics: no data race, no lock, no order needed.

use std::slice::Chunks;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::platform::memory::{self, Memory};
use crate::platform::sync::Mutex;
use crate::types::{Bound, Depth, Move, Score};

/// Depth of entries that hold no search, only a static evaluation.
pub const DEPTH_NONE: Depth = -2;
/// Added to a depth to store it; 0 marks a free entry.
const DEPTH_OFFSET: Depth = 3;
/// A generation's step in the byte that it shares with the bound and the PV mark.
const GENERATION_STEP: u8 = 8;
/// Entries of older searches lose this much depth per search when a place is wanted.
const AGE_PENALTY: i32 = 4;
/// The 16 bits that stand for "no static evaluation".
const NO_EVAL: i16 = i16::MIN;
const CLUSTER: usize = 4;
const CLUSTERS_PER_MIB: usize = (1 << 20) / size_of::<Cluster>();
/// Clusters in what is dealt to a thread at once: 2 MiB, a huge page.
const PART: usize = 2 * CLUSTERS_PER_MIB;
/// Less than so much of a table's memory, in MiB, is nothing to search with while the rest is to come.
const LEAST_MEMORY: usize = 256;

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move found, if any. It may come from a colliding key: test it with `is_legal`.
    pub mv: Option<Move>,
    /// Score from the position's own view, mates counted from it (not from the root).
    pub score: Score,
    /// What `score` means; `None` where only the static evaluation is known.
    pub bound: Option<Bound>,
    /// Uncorrected static evaluation; `None` where it was not computed (in check).
    pub eval: Option<Score>,
    /// Depth of the search that found `score`.
    pub depth: Depth,
    /// Whether the position has been on a principal variation.
    pub is_pv: bool,
}

#[derive(Default)]
struct Slot {
    /// `key ^ data`.
    check: AtomicU64,
    /// From the low end: move 16, score 16, evaluation 16, depth 8, generation 5 + PV 1 + bound 2.
    data: AtomicU64,
}

/// One cache line of entries.
#[derive(Default)]
#[repr(C, align(64))]
struct Cluster([Slot; CLUSTER]);

// SAFETY: nothing but atomic integers, of which zero is a value.
unsafe impl bytemuck::Zeroable for Cluster {}

const _: () = assert!(size_of::<Slot>() == 16 && size_of::<Cluster>() == 64);

/// Why a table could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system has no {0} MiB of memory for the transposition table")]
pub struct TableError(pub usize);

/// The table. All methods take `&self`; share it by `Arc`.
pub struct TranspositionTable {
    clusters: Memory<Cluster>,
    /// So many clusters, from the first on, were given their memory by [`populate`](Self::populate).
    populated: AtomicUsize,
    /// So many clusters are searched with: all, or those that have their memory.
    in_use: AtomicUsize,
    generation: AtomicU8,
    /// Whether something may have been stored since the last clearing.
    used: AtomicBool,
    megabytes: usize,
}

impl TranspositionTable {
    /// An empty table of `megabytes` MiB (at least 1). The system gives the memory when it is first written.
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

    /// The size it was made with, in MiB.
    pub fn megabytes(&self) -> usize {
        self.megabytes
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        let in_use = self.in_use.load(Relaxed);
        // The high 64 bits of the product spread keys evenly over any number of clusters (Lemire 2016).
        let index = ((u128::from(key) * in_use as u128) >> 64) as usize;
        &self.clusters.as_slice()[index]
    }

    /// Asks the processor to fetch the place of a key that will be probed soon.
    #[inline(always)]
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

    /// Stores what was found, over the position's own older entry or over the least valuable one of its cluster.
    ///
    /// A move that is known stays where the new entry has none; a much deeper result of the same search stays
    /// altogether, unless the new one is exact (Stockfish).
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let mut mv = entry.mv.map_or(0, Move::bits);
        let mut place: Option<(&Slot, i32)> = None;
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Relaxed);
            if depth_code(data) == 0 {
                place = Some((slot, 0));
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
                place = Some((slot, 0));
                break;
            }
            let worth = i32::from(depth_code(data)) - AGE_PENALTY * i32::from(age(data, generation));
            if place.is_none_or(|(_, least)| worth < least) {
                place = Some((slot, worth));
            }
        }
        if let Some((slot, _)) = place {
            slot.write(key, encode(&entry, mv, generation));
        }
    }

    /// Begins a search: entries of earlier ones grow old.
    ///
    /// A search that waits for a page of memory (milliseconds, if it is a huge one) is late to stop. So an empty table
    /// of which the system has given a part, and no less than 256 MiB, is searched with as far as that goes, and the
    /// rest is taken into use when all is there, at the price of the entries. Where nobody has asked for the memory,
    /// all is used.
    pub fn new_search(&self) {
        let populated = self.populated.load(Relaxed);
        let complete = populated == self.clusters.as_slice().len();
        let empty = !self.used.swap(true, Relaxed);
        if complete || empty && populated >= LEAST_MEMORY * CLUSTERS_PER_MIB {
            self.in_use.store(populated, Relaxed);
        }
        self.generation.fetch_add(GENERATION_STEP, Relaxed);
    }

    /// Waits no longer for memory: the next search uses all of the table, and takes what is wanted as it goes.
    pub fn use_all(&self) {
        let all = self.clusters.as_slice().len();
        self.populated.store(all, Relaxed);
    }

    /// Has the system give the memory now, to some threads at once, so that a search need not wait for it page by page;
    /// ends early when `go_on`, asked every 2 MiB, says no. Returns whether all is there. Not while a search is
    /// running: an entry might be lost.
    pub fn populate(&self, threads: usize, go_on: impl Fn() -> bool + Sync) -> bool {
        /// Clusters in a page of the smallest usual size.
        const PAGE: usize = 4096 / size_of::<Cluster>();
        let clusters = self.clusters.as_slice();
        let rest = clusters[self.populated.load(Relaxed)..].chunks(PART);
        let parts = clusters.len().div_ceil(PART);
        let left = deal(rest, threads, go_on, |part| {
            for page in part.chunks(PAGE) {
                // A true write: adding nothing would become a read, which the system answers with a page of zeros
                // that all share.
                let data = &page[0].0[0].data;
                data.store(data.load(Relaxed), Relaxed);
            }
        });
        let populated = (parts - left) * PART;
        self.populated.store(populated.min(clusters.len()), Relaxed);
        left == 0
    }

    /// Empties the table with some threads. Costs nothing where nothing was stored.
    pub fn clear(&self, threads: usize) {
        self.generation.store(0, Relaxed);
        if !self.used.swap(false, Relaxed) {
            return;
        }
        let in_use = self.in_use.load(Relaxed);
        let parts = self.clusters.as_slice()[..in_use].chunks(PART);
        let to_the_end = || true;
        deal(parts, threads, to_the_end, |part| {
            for slot in part.iter().flat_map(|cluster| &cluster.0) {
                slot.check.store(0, Relaxed);
                slot.data.store(0, Relaxed);
            }
        });
        // What has been written has its memory.
        self.populated.fetch_max(in_use, Relaxed);
    }

    /// How full the table is with entries of this search, in permille of a sample.
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

/// Deals parts of the table to this thread and others, `threads` in all, until `go_on`, asked before each, says no.
/// Where the system refuses a thread, those that there are do its work. Returns how many parts are left.
fn deal(
    parts: Chunks<Cluster>,
    threads: usize,
    go_on: impl Fn() -> bool + Sync,
    work: impl Fn(&[Cluster]) + Sync,
) -> usize {
    let threads = threads.min(parts.len());
    let parts = Mutex::new(parts);
    let next = || parts.lock().next();
    let work = || {
        while go_on()
            && let Some(part) = next()
        {
            work(part);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            let spawned = std::thread::Builder::new().spawn_scoped(scope, work);
            if spawned.is_err() {
                break;
            }
        }
        work();
    });
    let parts = parts.into_inner();
    parts.len()
}

impl Slot {
    #[inline(always)]
    fn write(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

#[inline(always)]
fn depth_code(data: u64) -> u8 {
    (data >> 48) as u8
}

/// How many searches ago the entry was written, modulo 32.
#[inline(always)]
fn age(data: u64, generation: u8) -> u8 {
    generation.wrapping_sub((data >> 56) as u8 & !(GENERATION_STEP - 1)) / GENERATION_STEP
}

fn encode(entry: &Entry, mv: u16, generation: u8) -> u64 {
    let eval = entry.eval.map_or(NO_EVAL, |eval| eval.0 as i16);
    let depth = (entry.depth + DEPTH_OFFSET).clamp(1, 255) as u8;
    let bound = entry.bound.map_or(0, |bound| bound as u8);
    let mark = generation | u8::from(entry.is_pv) << 2 | bound;
    u64::from(mv)
        | u64::from(entry.score.0 as i16 as u16) << 16
        | u64::from(eval as u16) << 32
        | u64::from(depth) << 48
        | u64::from(mark) << 56
}

#[inline(always)]
fn decode(data: u64) -> Entry {
    let eval = (data >> 32) as i16;
    let mark = (data >> 56) as u8;
    Entry {
        mv: Move::from_bits(data as u16),
        score: Score(i32::from((data >> 16) as i16)),
        bound: match mark & 3 {
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Exact),
            _ => None,
        },
        eval: (eval != NO_EVAL).then_some(Score(i32::from(eval))),
        depth: i32::from(depth_code(data)) - DEPTH_OFFSET,
        is_pv: mark & 4 != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn memory_is_taken_until_told_to_stop_and_entries_stay() {
        let table = TranspositionTable::new(16).unwrap();
        table.store(key(1), entry(20));
        // Eight parts of 2 MiB: after three the search wants to begin.
        let asked = AtomicUsize::new(0);
        assert!(!table.populate(1, || asked.fetch_add(1, Relaxed) < 3));
        assert_eq!(table.populated.load(Relaxed), 3 * PART);
        assert!(table.populate(2, || true));
        assert_eq!(table.probe(key(1)), Some(entry(20)));
    }

    #[test]
    #[cfg_attr(miri, ignore = "millions of stores")]
    fn a_search_makes_do_with_the_memory_that_there_is() {
        let size = LEAST_MEMORY + 101;
        let used = |table: &TranspositionTable| table.in_use.load(Relaxed) / CLUSTERS_PER_MIB;
        let take = |table: &TranspositionTable, megabytes: usize| {
            let asked = AtomicUsize::new(0);
            table.populate(1, || asked.fetch_add(2, Relaxed) < megabytes);
        };
        // Too little to search with: the system gives what is wanted during the search, and the rest in clearing.
        let table = TranspositionTable::new(size).unwrap();
        take(&table, LEAST_MEMORY - 2);
        table.new_search();
        assert_eq!(used(&table), size);
        table.clear(1);
        table.new_search();
        assert_eq!(used(&table), size);

        let table = TranspositionTable::new(size).unwrap();
        take(&table, LEAST_MEMORY + 10);
        table.new_search();
        assert_eq!(used(&table), LEAST_MEMORY + 10);
        // Any key has a place in it, also the last.
        table.store(u64::MAX, entry(20));
        assert_eq!(table.probe(u64::MAX), Some(entry(20)));
        // A little more is not worth the entries; all is.
        take(&table, 20);
        table.new_search();
        assert_eq!(used(&table), LEAST_MEMORY + 10);
        assert_eq!(table.probe(u64::MAX), Some(entry(20)));
        assert!(table.populate(2, || true));
        table.new_search();
        assert_eq!(used(&table), size);

        // An empty table loses nothing, and who waits no longer has all at once.
        let table = TranspositionTable::new(size).unwrap();
        take(&table, LEAST_MEMORY + 10);
        table.new_search();
        take(&table, 20);
        table.clear(1);
        table.new_search();
        assert_eq!(used(&table), LEAST_MEMORY + 30);
        table.use_all();
        table.new_search();
        assert_eq!(used(&table), size);
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
