//! The division of the work among several workers: virtual proof numbers.
//!
//! ```text
//!         attacker to move           Worker 1 is in A. For worker 2, A counts as if its number had risen to 11,
//!        /        |       \          so it searches B, up to what B would be searched to beside that 11.
//!     A: pn 6  B: pn 7  C: pn 20     Had B 12, both would search A, and part further down.
//! ```
//!
//! Without it all workers search the same node, because it is the best one for all of them. (Kaneko, Parallel depth
//! first proof number search, AAAI 2010.) The workers see each other's paths, so that nothing has to be taken back in
//! the table, whatever ends a search. Before a child is searched, what others have found of it is taken from the table.

use super::super::expansion::{ChildSummary, LocalExpansion, Node};
use super::super::key::NodeKey;
use super::super::mate_len::MateLen;
use super::super::pn_dn::{PnDn, UNIT, sum};
use super::super::search_result::{ANY_PATH, SearchResult};
use super::team::{Team, tag};
use super::worker::DfPnWorker;

/// What a number of the side to move counts as for the others while a worker is in the node.
const fn virtual_number(phi: PnDn) -> PnDn {
    sum(phi, phi / 2 + UNIT)
}

impl DfPnWorker<'_> {
    /// The child of an expanded node that this worker searches, while the others are where they are; or the place of a
    /// child whose numbers another worker has changed, so that the children must be put together again.
    ///
    /// `phi_limit` is what the node's phi must reach for the worker to leave it.
    pub(super) fn divide(
        &mut self,
        team: &Team,
        node: &Node,
        expansion: &LocalExpansion,
        best: ChildSummary,
        phi_limit: PnDn,
    ) -> Result<ChildSummary, usize> {
        let mut choice = best;
        self.busy.clear();
        self.busy.extend(team.nodes_of_others(self.number, expansion.depth + 1));
        let or = expansion.attacker_to_move;
        let children = &mut self.children[expansion.start..expansion.end];
        let is_busy = |key| self.busy.contains(&tag(key));
        if is_busy(children[best.best].key) {
            let other = expansion.summary_by(children, |child| {
                let phi = child.result.phi(or);
                if is_busy(child.key) { virtual_number(phi) } else { phi }
            });
            // A visit to a child beyond the limit would change nothing.
            if children[other.best].result.phi(or) < phi_limit {
                choice = other;
            }
        }
        let place = expansion.start + choice.best;
        if self.refresh(place, node, expansion) { Err(place) } else { Ok(choice) }
    }

    /// Takes from the table what other workers have found of an undecided child; returns whether it is new.
    fn refresh(&mut self, place: usize, node: &Node, expansion: &LocalExpansion) -> bool {
        let child = &mut self.children[place];
        if child.result.pn == 0 || child.result.dn == 0 {
            return false;
        }
        let (depth, len) = (expansion.depth + 1, node.len.previous());
        let known = self.table.probe(child.key, node.key, depth, len, || (UNIT, UNIT));
        let new = !known.first_visit && (known.pn, known.dn) != (child.result.pn, child.result.dn);
        if new {
            child.other_parent = known.other_parent;
            child.result = known.result(child.key.hand, len);
        }
        new
    }

    /// Whether another worker has decided a node of the path, so that what is below it need not be searched.
    pub(super) fn is_overtaken(&self, team: &Team) -> bool {
        let decided = team.decided_by_others(self.number);
        let Some(node) = decided.and_then(|ply| self.expansions.get(usize::from(ply))) else {
            return false;
        };
        let known = self.table.probe(node.key, node.key, node.depth, node.len, || (UNIT, UNIT));
        if known.decided().is_none() {
            team.forget_decision(self.number, node.depth);
        }
        known.decided().is_some()
    }

    /// After a child was searched: tells those below it that it is decided, or takes over the decision of another
    /// worker.
    pub(super) fn exchange_decisions(&mut self, place: usize, node: &Node, expansion: &LocalExpansion) {
        let Some(team) = self.team else { return };
        let ply = expansion.depth + 1;
        let child = self.children[place];
        if child.result.is_proven() || child.result.is_disproven() && child.result.repetition_start == ANY_PATH {
            team.announce_decision(self.number, ply, child.key);
        }
        if team.decided_by_others(self.number) == Some(ply) {
            team.forget_decision(self.number, ply);
            self.refresh(place, node, expansion);
        }
    }

    /// The same for the root: its result, by another worker if this one has not decided it.
    pub(super) fn exchange_root_decision(&self, key: NodeKey, len: MateLen, result: SearchResult) -> SearchResult {
        let Some(team) = self.team else { return result };
        if result.is_proven() || result.is_disproven() {
            team.announce_decision(self.number, 0, key);
            return result;
        }
        if team.decided_by_others(self.number) == Some(0) {
            team.forget_decision(self.number, 0);
            return self.table.probe(key, key, 0, len, || (UNIT, UNIT)).decided().unwrap_or(result);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::pn_dn::INFINITE;
    use super::super::super::table::UnknownData;
    use super::super::worker::with_worker;
    use super::*;

    /// Four squares for a lance's check, nothing decided at once.
    const LANCE_CHECKS: &str = "4k4/9/9/9/9/9/4G4/9/9 b L2r2b3g4s4n3l18p 1";

    /// Calls `work` with the first of two workers at the root, with its node, the root's expansion, and the keys of the
    /// first three children, whose proof numbers are 6, 7 and 20; the others' are larger.
    fn at_the_root(work: impl FnOnce(&mut DfPnWorker, &Team, Node, LocalExpansion, [NodeKey; 3])) {
        let team = Team::new(2);
        with_worker(LANCE_CHECKS, Some(&team), |worker| {
            let (node, expansion) = worker.open_root();
            assert!(worker.children.len() >= 4);
            for (child, pn) in worker.children.iter_mut().zip([6, 7, 20].into_iter().chain(std::iter::repeat(50))) {
                assert!(child.result.pn != 0 && child.result.dn != 0);
                (child.result.pn, child.result.dn) = (pn, 5);
            }
            let keys = [0, 1, 2].map(|place| worker.children[place].key);
            work(worker, &team, node, expansion, keys);
        });
    }

    fn divide(worker: &mut DfPnWorker, node: Node, expansion: LocalExpansion, pn_limit: PnDn) -> Result<usize, usize> {
        let team = worker.team.unwrap();
        let best = expansion.summary(&mut worker.children);
        worker.divide(team, &node, &expansion, best, pn_limit).map(|choice| choice.best)
    }

    #[test]
    fn a_worker_leaves_a_node_to_the_other_one_unless_it_is_much_better() {
        at_the_root(|worker, team, node, expansion, keys| {
            assert_eq!(divide(worker, node, expansion, INFINITE), Ok(0));
            team.enter(0, 1, keys[0]);
            assert_eq!(divide(worker, node, expansion, INFINITE), Ok(0), "its own path does not count");
            team.enter(1, 1, keys[0]);
            assert_eq!(divide(worker, node, expansion, INFINITE), Ok(1));
            assert_eq!(divide(worker, node, expansion, 7), Ok(0), "a visit to B would change nothing");
            worker.children[1].result.pn = 12;
            assert_eq!(divide(worker, node, expansion, INFINITE), Ok(0));
            worker.children[1].result.pn = 7;
            team.leave(1, 1);
            assert_eq!(divide(worker, node, expansion, INFINITE), Ok(0));
        });
    }

    #[test]
    fn the_other_one_s_node_counts_for_the_thresholds() {
        at_the_root(|worker, team, node, expansion, keys| {
            team.enter(1, 1, keys[0]);
            let best = expansion.summary(&mut worker.children);
            let choice = worker.divide(team, &node, &expansion, best, INFINITE).unwrap();
            assert_eq!(choice.best, 1);
            // A's virtual number is 11, the margin a quarter and one.
            assert_eq!(expansion.thresholds(&choice, (INFINITE, INFINITE)).0, 11 + 2 + 1);
        });
    }

    #[test]
    fn what_others_found_of_a_child_counts() {
        at_the_root(|worker, _, node, expansion, keys| {
            let numbers = UnknownData { pn: 9, dn: 4, amount: 70, max_mask: 0 };
            worker.table.store_unknown(keys[0], 1, numbers, Some(node.key));
            assert_eq!(divide(worker, node, expansion, INFINITE), Err(0));
            assert_eq!((worker.children[0].result.pn, worker.children[0].result.dn), (9, 4));
            assert_eq!(divide(worker, node, expansion, INFINITE), Ok(1));
            worker.table.store_disproven(keys[1].board, keys[1].hand, MateLen::UNLIMITED, 1, None);
            assert_eq!(divide(worker, node, expansion, INFINITE), Err(1));
            assert!(worker.children[1].is_lost(true));
        });
    }

    #[test]
    fn a_decision_overtakes_those_below_it() {
        at_the_root(|worker, team, node, expansion, keys| {
            team.enter(0, 1, keys[0]);
            team.announce_decision(1, 1, keys[1]);
            assert_eq!(team.decided_by_others(0), None, "it is in another node");
            worker.expansions.push(LocalExpansion { key: keys[0], depth: 1, ..expansion });
            team.announce_decision(1, 1, keys[0]);
            assert!(!worker.is_overtaken(team), "the table knows of no decision");
            assert_eq!(team.decided_by_others(0), None);
            worker.table.store_proven(keys[0].board, keys[0].hand, MateLen(8), 1, None);
            team.announce_decision(1, 1, keys[0]);
            assert!(worker.is_overtaken(team));
            team.enter(0, 0, node.key);
            team.announce_decision(1, 0, node.key);
            team.forget_decision(0, 1);
            assert_eq!(team.decided_by_others(0), Some(0), "told while it followed the other one");
            team.forget_decision(0, 0);
            team.announce_decision(1, 1, keys[0]);
            worker.expansions.pop();
            worker.exchange_decisions(0, &node, &expansion);
            assert!(worker.children[0].result.is_proven());
            assert_eq!(team.decided_by_others(0), None);
        });
    }
}
