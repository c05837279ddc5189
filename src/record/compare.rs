//! Whether two records mean the same.

use std::time::Duration;

use super::{Clock, NodeId, Record};

impl Record {
    /// The first difference in meaning between two records, in words; `None` where they mean the same.
    ///
    /// Compared are the start, headers with a value (in any order), the whole tree with moves, ends, comments and
    /// bookmarks, and clocks (a missing total counts as the sum). Spacing, remarks at the top and the file's encoding
    /// are no meaning.
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
        self.node_difference(other, NodeId::ROOT, NodeId::ROOT)
    }

    fn node_difference(&self, other: &Self, mine: NodeId, theirs: NodeId) -> Option<String> {
        // An explicit stack: records of thousands of moves are normal.
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
            let clock = |clock: Option<Clock>, total: Option<Duration>| clock.map(|clock| (clock.spent, total));
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
