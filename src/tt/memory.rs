//! The memory of the table: taken from the system, and cleared, by several threads.

use std::slice::Chunks;
use std::sync::atomic::Ordering::Relaxed;

use crate::platform::sync::Mutex;

use super::table::{CLUSTERS_PER_MIB, Cluster, TranspositionTable};

/// Clusters in what a thread takes at once: 2 MiB, a huge page.
pub(super) const PART: usize = 2 * CLUSTERS_PER_MIB;

impl TranspositionTable {
    /// Gives up populating in advance: the next search uses the whole table and gets memory page by page as it writes.
    pub fn use_all(&self) {
        let all = self.clusters.as_slice().len();
        self.populated.store(all, Relaxed);
    }

    /// Takes the memory from the system now, with several threads, so that a search need not wait for it page by page.
    /// Ends early when `go_on`, asked every 2 MiB, returns false. Returns whether all of it is there. Must not be
    /// called during a search: an entry might be lost.
    pub fn populate(&self, threads: usize, go_on: impl Fn() -> bool + Sync) -> bool {
        /// Clusters in a page of the smallest usual size.
        const PAGE: usize = 4096 / size_of::<Cluster>();
        let clusters = self.clusters.as_slice();
        let rest = clusters[self.populated.load(Relaxed)..].chunks(PART);
        let parts = clusters.len().div_ceil(PART);
        let left = for_each_part(rest, threads, go_on, |part| {
            for page in part.chunks(PAGE) {
                // This must be a write: a read would map the shared page of zeros.
                let data = &page[0].0[0].data;
                data.store(data.load(Relaxed), Relaxed);
            }
        });
        let populated = (parts - left) * PART;
        self.populated.store(populated.min(clusters.len()), Relaxed);
        left == 0
    }

    /// Clears the table with several threads. Costs nothing if nothing was stored.
    pub fn clear(&self, threads: usize) {
        self.generation.store(0, Relaxed);
        if !self.used.swap(false, Relaxed) {
            return;
        }
        let in_use = self.in_use.load(Relaxed);
        let parts = self.clusters.as_slice()[..in_use].chunks(PART);
        let to_the_end = || true;
        for_each_part(parts, threads, to_the_end, |part| {
            for slot in part.iter().flat_map(|cluster| &cluster.0) {
                slot.check.store(0, Relaxed);
                slot.data.store(0, Relaxed);
            }
        });
        // Clearing has touched all of these clusters, so the system has provided their memory.
        self.populated.fetch_max(in_use, Relaxed);
    }
}

/// Calls `work` for each part of the table with `threads` threads, this one included, until `go_on`, asked before each
/// part, returns false. If the system refuses a thread, the others do its work. Returns how many parts are left.
fn for_each_part(
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::super::entry::Entry;
    use super::super::table::MIN_POPULATED_MIB;
    use super::*;
    use crate::types::{Bound, Score};

    const KEY: u64 = 5 << 56 | 1;

    fn entry() -> Entry {
        Entry {
            mv: "7g7f".parse().ok(),
            score: Score::mated_in(3),
            bound: Some(Bound::Upper),
            eval: Some(Score(-77)),
            depth: 20,
            is_pv: true,
        }
    }

    #[test]
    fn memory_is_taken_until_told_to_stop_and_entries_stay() {
        let table = TranspositionTable::new(16).unwrap();
        table.store(KEY, entry());
        // Eight parts of 2 MiB: after three the search wants to begin.
        let asked = AtomicUsize::new(0);
        assert!(!table.populate(1, || asked.fetch_add(1, Relaxed) < 3));
        assert_eq!(table.populated.load(Relaxed), 3 * PART);
        assert!(table.populate(2, || true));
        assert_eq!(table.probe(KEY), Some(entry()));
    }

    #[test]
    #[cfg_attr(miri, ignore = "millions of stores")]
    fn a_search_makes_do_with_the_memory_that_there_is() {
        let size = MIN_POPULATED_MIB + 101;
        let used = |table: &TranspositionTable| table.in_use.load(Relaxed) / CLUSTERS_PER_MIB;
        let take = |table: &TranspositionTable, megabytes: usize| {
            let asked = AtomicUsize::new(0);
            table.populate(1, || asked.fetch_add(2, Relaxed) < megabytes);
        };
        // Too little to search with: the system gives what is wanted during the search, and the rest in clearing.
        let table = TranspositionTable::new(size).unwrap();
        take(&table, MIN_POPULATED_MIB - 2);
        table.new_search();
        assert_eq!(used(&table), size);
        table.clear(1);
        table.new_search();
        assert_eq!(used(&table), size);

        let table = TranspositionTable::new(size).unwrap();
        take(&table, MIN_POPULATED_MIB + 10);
        table.new_search();
        assert_eq!(used(&table), MIN_POPULATED_MIB + 10);
        // Any key has a place in it, also the last.
        table.store(u64::MAX, entry());
        assert_eq!(table.probe(u64::MAX), Some(entry()));
        // A little more is not worth the entries; all is.
        take(&table, 20);
        table.new_search();
        assert_eq!(used(&table), MIN_POPULATED_MIB + 10);
        assert_eq!(table.probe(u64::MAX), Some(entry()));
        assert!(table.populate(2, || true));
        table.new_search();
        assert_eq!(used(&table), size);

        // An empty table grows without a loss, and `use_all` puts all of it into use at once.
        let table = TranspositionTable::new(size).unwrap();
        take(&table, MIN_POPULATED_MIB + 10);
        table.new_search();
        take(&table, 20);
        table.clear(1);
        table.new_search();
        assert_eq!(used(&table), MIN_POPULATED_MIB + 30);
        table.use_all();
        table.new_search();
        assert_eq!(used(&table), size);
    }
}
