//! Large tables of which one game uses few rows.

use crate::platform::memory::{Memory, prefetch};

/// Numbers by row and column, `INITIAL` at first.
///
/// They are stored less that value, so that a new row is zeros. A row gets its place when it is first written, next to
/// the last one that did: what a game uses of a table of tens of megabytes lies together on a few huge pages, and
/// clearing costs no more than that. All other rows share one of zeros.
pub(super) struct SparseTable<const COLUMNS: usize, const INITIAL: i16> {
    /// By place; the first row stays zero.
    numbers: Memory<i16>,
    /// The place of each row; 0 for one that has not been written.
    places: Box<[u16]>,
    /// How many places are taken.
    taken: usize,
}

impl<const COLUMNS: usize, const INITIAL: i16> SparseTable<COLUMNS, INITIAL> {
    /// A new table. The system provides the memory as rows are written.
    ///
    /// # Panics
    /// Where there is not even room for it to be reserved, or for more than 65,535 rows.
    pub(super) fn new(rows: usize) -> Self {
        assert!(u16::try_from(rows).is_ok(), "{rows} rows");
        let Some(numbers) = Memory::zeroed((rows + 1) * COLUMNS, 0) else { panic!("no memory for {rows} rows") };
        Self { numbers, places: vec![0; rows].into_boxed_slice(), taken: 1 }
    }

    #[inline]
    fn index(&self, row: usize, column: usize) -> usize {
        usize::from(self.places[row]) * COLUMNS + column
    }

    #[inline]
    pub(super) fn get(&self, row: usize, column: usize) -> i32 {
        i32::from(self.numbers.as_slice()[self.index(row, column)]) + i32::from(INITIAL)
    }

    /// The numbers of a row, each less `INITIAL`.
    #[inline]
    pub(super) fn row(&self, row: usize) -> &[i16; COLUMNS] {
        &self.numbers.as_slice().as_chunks().0[usize::from(self.places[row])]
    }

    /// Asks the processor to fetch a number that will be read soon.
    #[inline]
    pub(super) fn prefetch(&self, row: usize, column: usize) {
        prefetch(&raw const self.numbers.as_slice()[self.index(row, column)]);
    }

    /// Moves a number towards a bonus, see [`adjusted`].
    #[inline]
    pub(super) fn update(&mut self, row: usize, column: usize, bonus: i32, limit: i32) {
        if self.places[row] == 0 {
            self.take_place(row);
        }
        let index = self.index(row, column);
        let number = &mut self.numbers.as_mut_slice()[index];
        let initial = i32::from(INITIAL);
        *number = (adjusted(i32::from(*number) + initial, bonus, limit) - initial) as i16;
    }

    #[cold]
    fn take_place(&mut self, row: usize) {
        self.places[row] = self.taken as u16;
        self.taken += 1;
    }

    /// Sets all numbers to `INITIAL`.
    pub(super) fn clear(&mut self) {
        self.numbers.as_mut_slice()[..self.taken * COLUMNS].fill(0);
        self.places.fill(0);
        self.taken = 1;
    }
}

/// A number moved towards a bonus, the less the nearer it is to its limit (Stockfish's "gravity").
#[inline]
pub(super) fn adjusted(old: i32, bonus: i32, limit: i32) -> i32 {
    let bonus = bonus.clamp(-limit, limit);
    old + bonus - old * bonus.abs() / limit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clearing_leaves_nothing_of_any_row() {
        let mut table = SparseTable::<5, -7>::new(7);
        assert_eq!(table.get(6, 4), -7);
        for (row, column) in [(0, 0), (0, 4), (6, 4), (3, 2)] {
            table.update(row, column, 16, 1000);
        }
        assert_eq!((table.get(6, 4), table.row(6)[4]), (9, 16));
        table.clear();
        assert!(table.numbers.as_slice().iter().all(|&number| number == 0));
        table.update(3, 1, 8, 1000);
        table.clear();
        assert_eq!(table.get(3, 1), -7);
    }

    #[test]
    fn a_number_never_passes_its_limit() {
        let mut table = SparseTable::<1, -523>::new(1);
        for _ in 0..100 {
            table.update(0, 0, -40_000, 30_000);
        }
        assert_eq!(table.get(0, 0), -30_000);
        for _ in 0..100 {
            table.update(0, 0, 40_000, 30_000);
        }
        assert_eq!(table.get(0, 0), 30_000);
    }
}
