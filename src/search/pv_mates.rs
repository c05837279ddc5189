//! Mate searches at nodes of the principal variation (step 5 of [`negamax`](super::negamax)).
//!
//! Alpha-beta prunes and reduces the sacrifices and quiet-looking checks that long mates are made of. A proof-number
//! search of a few thousand nodes finds most of them, so every position of an expected line is shown to it once, and
//! again as the search goes on: is the side to move mated, or does it mate? A move becomes the best one only through
//! such a node, so that none is played into a mate that the solver sees. The price is a fixed share of all nodes; quiet
//! positions, which are refuted at once, leave theirs to the others.
//!
//! An iteration may take most of a search. The solver is asked in its midst as well, of the root and of the position
//! after its first move, and with what it finds the iteration begins anew.

use crate::mate::QuickVerdict;
use crate::tt::Entry;
use crate::types::{Bound, Depth, MAX_DEPTH, MAX_PLY, Move, Score};

use super::mate_tests::Test;
use super::node::{NodeInfo, NodeType};
use super::params as p;
use super::request::SearchRequest;
use super::tt_data::to_table;
use super::worker::Worker;

/// By how many nodes the solver may overrun its limit.
const SOLVER_OVERRUN: u64 = 128;

impl Worker {
    /// The score of a node of the principal variation where the side to move mates or is mated, and the line to the
    /// mate in [`Worker::pv`].
    pub(super) fn mate_test<N: NodeType>(
        &mut self,
        request: &SearchRequest,
        node: &NodeInfo,
        depth: Depth,
    ) -> Option<Score> {
        if !N::PV || self.id != 0 || depth < p::mate_test_depth() {
            return None;
        }
        let key = self.position.key();
        self.run_mate_test(request, key, node.ply);
        let Some(Test::Mate { wins, plies, line }) = self.mate_tests.tested.get(&key) else {
            return None;
        };
        let mated_at = node.ply + plies;
        if mated_at >= MAX_PLY {
            return None;
        }
        let score = if *wins { Score::mate_in(mated_at) } else { Score::mated_in(mated_at) };
        self.pv[node.ply].clone_from(line);
        let entry = Entry {
            mv: if *wins { line.first().copied() } else { None },
            score: to_table(score, node.ply),
            bound: Some(Bound::Exact),
            eval: None,
            depth: MAX_DEPTH,
            is_pv: true,
        };
        request.table.store(key, entry);
        Some(score)
    }

    /// A move of the root position that begins a mate.
    pub(super) fn root_mate(&mut self, request: &SearchRequest) -> Option<Move> {
        let key = self.position.key();
        self.run_mate_test(request, key, 0);
        match self.mate_tests.tested.get(&key) {
            Some(Test::Mate { wins: true, line, .. }) => line.first().copied(),
            _ => None,
        }
    }

    /// Whether the solver finds a mate now, in the midst of an iteration: at the root, or after its first move. One
    /// iteration may take most of a search, and most of it at nodes that are no principal variation.
    pub(super) fn finds_mate(&mut self, request: &SearchRequest) -> bool {
        if self.id != 0 || self.pv_index > 0 {
            return false;
        }
        let after = request.position.key_after(self.root_moves[0].mv);
        [(request.position.key(), 0), (after, 1)].into_iter().any(|(key, ply)| {
            if self.allowance_of_test(request, key, ply).is_none() {
                return false;
            }
            let here = std::mem::replace(&mut self.position, request.position.clone());
            if ply > 0 {
                self.position.do_move(self.root_moves[0].mv);
            }
            self.run_mate_test(request, key, ply);
            self.position = here;
            matches!(self.mate_tests.tested.get(&key), Some(Test::Mate { .. }))
        })
    }

    /// How many nodes the solver may spend on a position, and how many it has spent there, if it is to see it now.
    fn allowance_of_test(&self, request: &SearchRequest, key: u64, ply: usize) -> Option<(u64, u64)> {
        let limit = request.limits.nodes.saturating_sub(self.nodes + SOLVER_OVERRUN);
        let allowance = self.mate_tests.allowance(self.nodes, ply).min(limit);
        let before = match self.mate_tests.tested.get(&key) {
            None => 0,
            Some(Test::Open(nodes)) => *nodes,
            Some(Test::NoMate | Test::Mate { .. }) => return None,
        };
        // The solver goes on where it stopped; a little more than before is not worth its way back there.
        (allowance >= p::mate_test_nodes() as u64 && 2 * allowance >= before).then_some((allowance, before))
    }

    /// Shows the position to the solver if that is worth its nodes.
    fn run_mate_test(&mut self, request: &SearchRequest, key: u64, ply: usize) {
        let Some((allowance, before)) = self.allowance_of_test(request, key, ply) else {
            return;
        };
        let us = self.position.side_to_move();
        let wins = !self.position.in_check();
        let attacker = if wins { us } else { !us };
        if self.position.king(!attacker).is_none() {
            return;
        }
        let (stop, deadline) = request.control.limits();
        let (verdict, nodes) = self.mate_tests.solver.solve(&self.position, attacker, allowance, stop, deadline);
        self.mate_tests.spent[usize::from(ply > 0)] += nodes;
        self.nodes += nodes;
        let test = match verdict {
            QuickVerdict::Mate { plies, line } if self.mate_is_in_time(request, plies) => {
                self.remember_mate(wins, usize::from(plies), &line);
                return;
            }
            QuickVerdict::NoMate => Test::NoMate,
            QuickVerdict::Mate { .. } | QuickVerdict::Unknown => Test::Open(before + nodes),
        };
        self.mate_tests.tested.insert(key, test);
    }

    /// Remembers a mate for the position and for those of its line, so that a search that follows it need not ask.
    fn remember_mate(&mut self, mut wins: bool, plies: usize, line: &[Move]) {
        for done in 0..=line.len() {
            let rest = line[done..].to_vec();
            let test = Test::Mate { wins, plies: plies.saturating_sub(done), line: rest };
            self.mate_tests.tested.insert(self.position.key(), test);
            if let Some(&mv) = line.get(done) {
                self.position.do_move(mv);
            }
            wins = !wins;
        }
        for _ in line {
            self.position.undo_move();
        }
    }

    /// Whether a mate of so many plies comes before the move limit.
    fn mate_is_in_time(&self, request: &SearchRequest, plies: u16) -> bool {
        let limit = request.rules.max_moves;
        limit == 0 || self.position.move_number() + u32::from(plies) <= limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn request(sfen: &str) -> SearchRequest {
        SearchRequest::for_tests(Position::from_sfen(sfen).unwrap())
    }

    /// Whether a mate is found after so many nodes of a search, somewhere in its tree.
    fn finds(worker: &mut Worker, request: &SearchRequest, nodes: u64) -> bool {
        worker.nodes = nodes;
        worker.position = Position::startpos();
        let found = worker.finds_mate(request);
        assert_eq!(worker.position.key(), Position::startpos().key(), "the search goes on where it was");
        found
    }

    #[test]
    fn an_iteration_begins_anew_with_a_mate_once_there_are_nodes_for_the_solver() {
        let request = request("l8/3R1n3/p1g1p1Gpp/2s1k1L2/Pp1p5/2pPP2P1/1PS2P2P/1KG1g4/LNPs1b1NL b SN3Prb 105");
        let mut worker = Worker::new(0);
        worker.root_moves = vec![request.position.legal_moves()[0].into()];
        assert!(!finds(&mut worker, &request, 3000), "a share of 3000 nodes is too small");
        assert!(finds(&mut worker, &request, 10_000_000));
        assert!(!finds(&mut worker, &request, 20_000_000), "an iteration has begun with it");
        worker.pv_index = 1;
        worker.mate_tests.new_search();
        assert!(!finds(&mut worker, &request, 20_000_000), "the lines after the best are others");
    }

    #[test]
    fn an_iteration_begins_anew_when_its_first_move_is_seen_to_lose() {
        let request = request("4k4/9/4P4/9/9/9/9/9/4K4 w Gp 1");
        let mut worker = Worker::new(0);
        for (first, is_mated) in [("5a5b", false), ("P*1e", true), ("P*1e", false)] {
            worker.root_moves = vec![first.parse::<Move>().unwrap().into()];
            assert_eq!(finds(&mut worker, &request, 1_000_000), is_mated, "{first}");
        }
    }
}
