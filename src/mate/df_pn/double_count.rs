//! Double counting: one position that two lines reach must not count twice.
//!
//! ```text
//!          A            A sums the numbers of B and C, but both lead to X:
//!         / \           X would count twice. Once X is found to hang from both,
//!        B   C          B and C count by their maximum in A.
//!         \ /
//!          X
//! ```
//!
//! (Nagai 2002; Kishimoto, Dealing with infinite loops, underestimation, and overestimation of depth-first proof-number
//! search, AAAI 2010. The walk along the table's parents is KomoringHeights'.)

use super::super::key::NodeKey;
use super::super::pn_dn::{INFINITE, PnDn, UNIT, sum};
use super::worker::DfPnWorker;

/// A parent in the table whose number exceeds its child's by more than this has its numbers from other lines too:
/// the shared child no longer decides them.
const MAX_EXCESS: PnDn = 2 * UNIT;

impl DfPnWorker<'_> {
    /// Checks whether the child about to be searched was last reached from another node, and whether that other line
    /// branches off the current path. If so, both of the branching node's children count by maximum from now on.
    pub(super) fn eliminate_double_count(&mut self, node: NodeKey, child: NodeKey) {
        let mut key = child;
        let mut last = (INFINITE, INFINITE);
        let (mut pn_shared, mut dn_shared) = (true, true);
        for step in 0..self.expansions.len() {
            let Some((parent, pn, dn)) = self.table.parent(key) else {
                return;
            };
            if step == 0 && parent == node {
                return;
            }
            pn_shared &= pn <= sum(last.0, MAX_EXCESS);
            dn_shared &= dn <= sum(last.1, MAX_EXCESS);
            if !pn_shared && !dn_shared {
                return;
            }
            if let Some(ply) = self.path.find_exact(parent) {
                let branching = self.expansions[ply];
                let current = branching.start + branching.current;
                let shared = if branching.attacker_to_move { dn_shared } else { pn_shared };
                if !shared || current >= branching.end || self.children[current].key == key {
                    return;
                }
                let other = (branching.start..branching.end).find(|&place| self.children[place].key == key);
                for place in [Some(current), other].into_iter().flatten() {
                    self.children[place].by_maximum = true;
                    let bit = place - branching.start;
                    if bit < 64 {
                        self.expansions[ply].max_mask |= 1 << bit;
                    }
                }
                return;
            }
            key = parent;
            last = (pn, dn);
        }
    }
}
