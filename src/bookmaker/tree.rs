//! What the engines of a maker search.

use super::Collection;
use super::searcher::SearchedMove;
use crate::book::Key;
use crate::position::Position;

/// A position to search.
pub(super) struct Task {
    pub(super) sfen: String,
    pub(super) position: Position,
    /// The smaller of the keys of the position and its twin of exchanged colours.
    pub(super) normal: Key,
}

/// Positions that ask for searches, one after the other.
pub(super) trait Tree {
    /// Takes the result of an earlier search.
    fn remember(&mut self, sfen: &str, moves: Vec<SearchedMove>);

    /// The next position to search, up to so many; `None` where nothing is left, or nothing until a search under way
    /// has ended.
    fn next(&mut self, most: usize) -> Option<Task>;

    /// Takes the result of a task.
    fn finish(&mut self, task: &Task, moves: Vec<SearchedMove>);

    /// How many positions there are.
    fn positions(&self) -> usize;

    /// How many there will be, as far as that is known.
    fn goal(&self, most: usize) -> usize;

    /// The book as it is.
    fn book(&self) -> Collection;
}
