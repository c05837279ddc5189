//! Compares the meaning of two records.

use std::time::Duration;

use super::{NodeId, Record, TimeUsed};

impl Record {
    /// Describes the first difference in meaning; `None` if there is none.
    ///
    /// Compares the starting position, headers with a value (in any order), and the tree with its moves, ends,
    /// comments, bookmarks and times (a missing total counts as the sum), and what was not understood. Spacing, remarks
    /// above the headers and the encoding do not matter.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self.start.diagram != other.start.diagram {
            return Some(format!("start: {:?} and {:?}", self.start.diagram, other.start.diagram));
        }
        let headers = |record: &Self| {
            let mut headers = record.headers.clone();
            headers.retain(|(_, value)| !value.is_empty());
            headers.sort();
            headers
        };
        let (mine, theirs) = (headers(self), headers(other));
        if mine != theirs {
            let odd = mine
                .iter()
                .find(|header| !theirs.contains(header))
                .or_else(|| theirs.iter().find(|header| !mine.contains(header)));
            return Some(format!("header: {odd:?}"));
        }
        let unknown =
            |record: &Self| record.unknown_lines.iter().map(|unknown| unknown.line.clone()).collect::<Vec<_>>();
        let (mine, theirs) = (unknown(self), unknown(other));
        if mine != theirs {
            return Some(format!("lines that were not understood: {mine:?} and {theirs:?}"));
        }
        self.node_difference(other, NodeId::ROOT, NodeId::ROOT)
    }

    fn node_difference(&self, other: &Self, mine: NodeId, theirs: NodeId) -> Option<String> {
        // No recursion: a line may have thousands of moves.
        let mut stack = vec![(mine, theirs)];
        while let Some((mine, theirs)) = stack.pop() {
            let (a, b) = (self.node(mine), other.node(theirs));
            let place = || format!("at ply {} ({:?})", self.ply(mine), a.action());
            if a.action() != b.action() {
                return Some(format!("{}: {:?}", place(), b.action()));
            }
            if a.comments != b.comments {
                return Some(format!("{}: comments {:?} and {:?}", place(), a.comments, b.comments));
            }
            if a.bookmark != b.bookmark {
                return Some(format!("{}: bookmarks {:?} and {:?}", place(), a.bookmark, b.bookmark));
            }
            let clock = |clock: Option<TimeUsed>, total: Option<Duration>| clock.map(|clock| (clock.spent, total));
            let (a_clock, b_clock) = (clock(a.clock, self.total_time(mine)), clock(b.clock, other.total_time(theirs)));
            if a_clock != b_clock {
                return Some(format!("{}: clocks {a_clock:?} and {b_clock:?}", place()));
            }
            if a.children().len() != b.children().len() {
                return Some(format!("{}: {} and {} continuations", place(), a.children().len(), b.children().len()));
            }
            stack.extend(a.children().iter().copied().zip(b.children().iter().copied()));
        }
        None
    }
}
