//! The recursion: a node is searched until one of its numbers reaches its threshold.

use super::super::expansion::{ChildSummary, HARD_PROMOTION, Node};
use super::super::key::{NodeKey, path_after};
use super::super::mate_len::MateLen;
use super::super::path::MAX_DEPTH;
use super::super::pn_dn::{INFINITE, PnDn, UNIT, sum};
use super::super::search_result::{ANY_PATH, SearchResult};
use super::super::table::UnknownData;
use super::expand::LEAF_MAX_LEN;
use super::worker::DfPnWorker;

impl DfPnWorker<'_> {
    /// Searches the position for a mate within `len` until it is decided or the control stops the search.
    pub(in crate::mate) fn search(&mut self, len: MateLen) -> SearchResult {
        let key = self.key();
        let known = self.table.probe(key, key, 0, len, || (UNIT, UNIT));
        if let Some(decided) = known.decided() {
            return decided;
        }
        self.reset_stack(key, u64::from(len.0));
        let mut inc_flag = 0;
        let mut thresholds = (known.pn.max(UNIT), known.dn.max(UNIT));
        loop {
            let root = Node { key, path: self.path_seed, len, max_mask: known.max_mask };
            let result = self.visit(root, thresholds, &mut inc_flag);
            if result.is_disproven() && self.too_deep {
                // A line was cut: neither the table nor the other workers may take this for a disproof.
                return result;
            }
            self.store(key, 0, &result, self.path_seed, None);
            let result = self.exchange_root_decision(key, len, result);
            if result.is_proven() || result.is_disproven() || self.halted {
                return result;
            }
            // Double counting takes the numbers of some problems as far as they go, probably those of 明日香 (Asuka) after
            // 1.2 billion nodes. Such a number says nothing any more, and the other one leads the search.
            let next = |number: PnDn, threshold: PnDn| {
                if number < threshold {
                    threshold
                } else if number >= INFINITE - 1 {
                    INFINITE
                } else {
                    sum(number, number / 2 + 1)
                }
            };
            thresholds = (next(result.pn, thresholds.0), next(result.dn, thresholds.1));
        }
    }

    /// Whether the table knows a mate within `len`, or a search of a few plies finds one.
    pub(in crate::mate) fn is_known_mate_within(&mut self, len: MateLen) -> bool {
        let key = self.key();
        let known = self.table.probe(key, key, 0, len, || (UNIT, UNIT));
        if known.pn == 0 || known.dn == 0 || len > LEAF_MAX_LEN {
            return known.pn == 0;
        }
        self.search(len).is_proven()
    }

    /// Searches the node of the current position until one of its numbers reaches its threshold.
    ///
    /// Where a child's numbers come from a visit nearer to the root, the line may lead back to where it came from, and
    /// each pass would return at once with the same numbers. `inc_flag` then raises the thresholds until a new leaf is
    /// reached (threshold controlling algorithm, TCA; Kishimoto 2010).
    fn visit(&mut self, node: Node, thresholds: (PnDn, PnDn), inc_flag: &mut u32) -> SearchResult {
        let nodes_before = self.nodes;
        self.count_nodes(1);
        let depth = self.expansions.len();
        if depth >= MAX_DEPTH {
            self.too_deep = true;
            return SearchResult::disproven(node.key.hand, node.len, 0, 1, None);
        }
        self.path.push(node.key);
        if let Some(team) = self.team {
            team.enter(self.number, depth, node.key);
        }
        let expansion = self.expand(node, depth as u16);
        let (start, end) = (expansion.start, expansion.end);
        self.expansions.push(expansion);
        let entered_with = *inc_flag;
        if expansion.old_child {
            *inc_flag += 1;
        }
        let mut summary = expansion.summary(&mut self.children[start..end]);
        loop {
            let (pn, dn) = expansion.numbers(&summary);
            if pn == 0 || dn == 0 || self.halted {
                break;
            }
            let mut limits = thresholds;
            if *inc_flag > 0 {
                limits = (limits.0.max(pn + 1), limits.1.max(dn + 1));
            }
            if pn >= limits.0 || dn >= limits.1 {
                break;
            }
            let mut choice = summary;
            if let Some(team) = self.team {
                if self.is_overtaken(team) {
                    break;
                }
                let phi_limit = if expansion.attacker_to_move { limits.0 } else { limits.1 };
                match self.divide(team, &node, &expansion, summary, phi_limit) {
                    Ok(other) => choice = other,
                    Err(changed) => {
                        summary = self.summarise_after(changed, &node);
                        continue;
                    }
                }
            }
            let place = start + choice.best;
            let child = &self.children[place];
            let (mv, key, first_visit, shared) = (child.mv, child.key, child.result.first_visit, child.other_parent);
            let (max_mask, amount) = (child.result.max_mask, child.result.amount);
            self.expansions[depth].current = choice.best;
            if first_visit {
                *inc_flag = inc_flag.saturating_sub(1);
            } else if shared {
                self.eliminate_double_count(node.key, key);
            }
            let child_limits = self.expansions[depth].thresholds(&choice, limits);
            let path = path_after(node.path, mv);
            self.pos.do_move(mv);
            let child_node = Node { key, path, len: node.len.previous(), max_mask };
            let mut child_result = self.visit(child_node, child_limits, inc_flag);
            self.pos.undo_move();
            child_result.first_visit = false;
            child_result.amount = child_result.amount.max(amount);
            self.store(key, depth as u16 + 1, &child_result, path, Some(node.key));
            let child = &mut self.children[place];
            child.result = child_result;
            child.other_parent = false;
            self.exchange_decisions(place, &node, &expansion);
            summary = self.summarise_after(place, &node);
        }
        *inc_flag = (*inc_flag).min(entered_with);
        let mut result = self.expansions[depth].result(&self.pos, &self.children[start..end], &summary);
        self.expansions.pop();
        self.children.truncate(start);
        self.path.pop();
        if let Some(team) = self.team {
            team.leave(self.number, depth);
        }
        let searched = (self.nodes - nodes_before).min(u64::from(u32::MAX / 2)) as u32;
        result.amount = result.amount.max(searched);
        result
    }

    /// Puts the children of the last node of the path together again, after the numbers of the child at a place have
    /// changed.
    #[inline(always)]
    fn summarise_after(&mut self, place: usize, node: &Node) -> ChildSummary {
        let last = self.expansions.len() - 1;
        // A lost move's number is infinite.
        if self.children[place].result.phi(self.expansions[last].attacker_to_move) >= HARD_PROMOTION {
            let mut expansion = self.expansions[last];
            self.release(place, node, &mut expansion);
        }
        let expansion = &self.expansions[last];
        expansion.summary(&mut self.children[expansion.start..expansion.end])
    }

    /// Stores what was found of a node.
    pub(super) fn store(
        &mut self,
        key: NodeKey,
        depth: u16,
        result: &SearchResult,
        path: u64,
        parent: Option<NodeKey>,
    ) {
        if result.is_proven() {
            self.table.store_proven(key.board, result.hand, result.len, result.amount, result.best);
        } else if result.is_disproven() {
            if result.repetition_start == ANY_PATH {
                self.table.store_disproven(key.board, result.hand, result.len, result.amount, result.best);
            } else {
                self.repetitions.store(path, result.len, result.repetition_start);
                self.table.store_repetition(key, depth);
            }
        } else {
            let unknown =
                UnknownData { pn: result.pn, dn: result.dn, amount: result.amount, max_mask: result.max_mask };
            self.table.store_unknown(key, depth, unknown, parent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::worker::with_worker;
    use super::*;

    #[test]
    fn a_disproof_with_lines_cut_is_not_kept() {
        with_worker("4k4/9/9/9/9/9/9/9/4K4 b G2r2b3g4s4n4l18p 1", None, |worker| {
            let (key, table) = (worker.key(), worker.table);
            let known = || table.probe(key, key, 0, MateLen::UNLIMITED, || (UNIT, UNIT)).decided();
            worker.too_deep = true;
            assert!(worker.search(MateLen::UNLIMITED).is_disproven());
            assert!(known().is_none());
            worker.too_deep = false;
            assert!(worker.search(MateLen::UNLIMITED).is_disproven());
            assert!(known().is_some());
        });
    }

    #[test]
    fn numbers_that_have_reached_their_end_do_not_end_the_search() {
        with_worker("4k4/9/9/9/9/9/9/9/4K4 b G2r2b3g4s4n4l18p 1", None, |worker| {
            let (root, _) = worker.open_root();
            for child in &worker.children {
                let unknown = UnknownData { pn: UNIT, dn: INFINITE - 1, amount: 1, max_mask: 0 };
                worker.table.store_unknown(child.key, 1, unknown, Some(root.key));
            }
            assert!(worker.search(MateLen::UNLIMITED).is_disproven());
            assert!(!worker.too_deep);
        });
    }

    #[test]
    fn a_declined_promotion_waits_until_the_promotion_is_hard() {
        with_worker("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1", None, |worker| {
            let (node, _) = worker.open_root();
            let place = |worker: &DfPnWorker, mv: &str| {
                worker.children.iter().position(|child| child.mv.to_string() == mv).unwrap()
            };
            let (promotes, declines) = (place(worker, "5c5b+"), place(worker, "5c5b"));
            for (pn, waits) in [(HARD_PROMOTION - 1, true), (HARD_PROMOTION, false)] {
                (worker.children[promotes].result.pn, worker.children[promotes].result.dn) = (pn, 5);
                worker.summarise_after(promotes, &node);
                assert_eq!(worker.children[declines].unseen, waits);
                assert_eq!(worker.children[declines].active, !waits);
            }
        });
    }
}
