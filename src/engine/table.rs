//! The leader's transposition table: its size, and when its memory is populated.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::platform::scheduling;
use crate::tt::{TableError, TranspositionTable};

/// A search uses the whole table after this time even if it is not populated: an engine that ponders is never idle.
const POPULATE_TIMEOUT: Duration = Duration::from_secs(60);
/// Sizes in MiB to try if the first table cannot be allocated.
const SMALL_TABLES: [usize; 3] = [64, 16, 1];

/// The table, none before the first preparation.
#[derive(Default)]
pub(super) struct Table {
    table: Option<Arc<TranspositionTable>>,
    /// When the table was allocated; `None` once all of its memory is populated.
    unpopulated_since: Option<Instant>,
}

impl Table {
    /// The size in MiB, 0 where there is no table.
    pub(super) fn megabytes(&self) -> usize {
        self.table.as_ref().map_or(0, |table| table.megabytes())
    }

    /// Changes the size. If the allocation fails, the old table stays; if there is none, a small one is allocated.
    pub(super) fn resize(&mut self, megabytes: usize) -> Result<(), TableError> {
        if self.table.is_some() && self.megabytes() == megabytes {
            return Ok(());
        }
        let error = match TranspositionTable::new(megabytes) {
            Ok(table) => {
                self.replace(Some(table));
                return Ok(());
            }
            Err(error) => error,
        };
        if self.table.is_none() {
            self.replace(SMALL_TABLES.into_iter().find_map(|size| TranspositionTable::new(size).ok()));
        }
        Err(error)
    }

    fn replace(&mut self, table: Option<TranspositionTable>) {
        self.table = table.map(Arc::new);
        self.unpopulated_since = Some(Instant::now());
    }

    pub(super) fn clear(&self, threads: usize) {
        if let Some(table) = &self.table {
            table.clear(threads);
        }
    }

    /// Whether some of the memory is not populated yet.
    pub(super) fn needs_populating(&self) -> bool {
        self.unpopulated_since.is_some()
    }

    /// Populates the memory of a new table as long as `go_on`, given the age of the table, returns true: before the
    /// engine is ready and while it is idle, not on the clock of the first move. All processors take part, since a
    /// search that waits for pages also stops late.
    pub(super) fn populate(&mut self, go_on: impl Fn(Duration) -> bool + Sync) {
        if let (Some(made), Some(table)) = (self.unpopulated_since, &self.table) {
            let processors = scheduling::processors();
            if table.populate(processors, || go_on(made.elapsed())) {
                self.unpopulated_since = None;
            }
        }
    }

    /// The table for a search that begins now.
    pub(super) fn for_search(&mut self) -> Option<Arc<TranspositionTable>> {
        let table = self.table.as_ref()?;
        if self.unpopulated_since.is_some_and(|made| made.elapsed() > POPULATE_TIMEOUT) {
            table.use_all();
            self.unpopulated_since = None;
        }
        table.new_search();
        Some(Arc::clone(table))
    }
}
