//! A search thread's own memory, and the steps that every part of the search takes with it.

use std::time::Duration;

use crate::hand_crafted;
use crate::mate;
use crate::nnue::Accumulators;
use crate::position::{Change, CheckInfo, Generate, MoveList, Observer, Position};
use crate::types::{Depth, MAX_PLY, Move, Score};

use super::correction_history::CorrectionHistory;
use super::counters::Counters;
use super::evaluator::Evaluator;
use super::history::{ContinuationIndices, History, piece_to};
use super::keys::KeyStack;
use super::mate_tests::MateTests;
use super::move_picker::MovePicker;
use super::move_stack::MoveStack;
use super::node::{STACK_OFFSET, StackEntry};
use super::params as p;
use super::quiet_rank::RankContext;
use super::request::SearchRequest;
use super::root_move::{RootMove, SearchOutcome};
use super::time_manager::TimeManager;

/// What a worker keeps in step with its position.
struct MoveObservers<'a> {
    keys: &'a mut KeyStack,
    accumulators: Option<&'a mut Accumulators>,
}

impl Observer for MoveObservers<'_> {
    #[inline]
    fn moved(&mut self, change: &Change) {
        self.keys.moved(change);
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.moved(change);
        }
    }
}

/// A search thread's own memory. Histories stay from search to search until [`Worker::clear`].
pub struct Worker {
    pub(super) id: usize,
    pub(super) position: Position,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    pub(super) root_moves: Vec<RootMove>,
    /// The best lines as the last finished iteration left them.
    pub(super) finished_lines: Vec<RootMove>,
    /// Some root move is a pointless non-promotion, which is generated only when asked for.
    pub(super) root_all_moves: bool,
    /// The first root move that is searched now; those before it are better lines (MultiPV).
    pub(super) pv_index: usize,
    pub(super) root_depth: Depth,
    pub(super) completed_depth: Depth,
    /// Width of the window at the root.
    pub(super) root_window: i32,
    /// Null moves are allowed from this ply on only, while one is being verified.
    pub(super) null_min_ply: usize,
    /// One entry a ply, the root's at [`STACK_OFFSET`].
    pub(super) stack: Vec<StackEntry>,
    /// Triangular table of principal variations, one row a ply.
    pub(super) pv: Vec<Vec<Move>>,
    /// The principal variation of the last finished iteration.
    pub(super) previous_pv: Vec<Move>,
    /// The moves of all open nodes.
    pub(super) moves: MoveStack,
    pub(super) keys: KeyStack,
    /// The network's accumulators; created when a network is first used.
    accumulators: Option<Accumulators>,
    pub(super) history: History,
    pub(super) corrections: CorrectionHistory,
    /// Whether the table's move has proved best lately: a running balance.
    pub(super) table_record: i32,
    pub(super) mate_tests: MateTests,
    /// Whether the iteration is left to begin anew, because the solver has found a mate meanwhile.
    pub(super) begins_anew: bool,
    /// Scaled logarithms of depths and move numbers, for the late-move reduction.
    pub(super) reductions: [i32; 256],
    pub(super) counters: Counters,
    pub(super) time_manager: TimeManager,
    pub(super) last_report: Duration,
    pub(super) last_current_line: Duration,
    pub(super) last_current_move: Duration,
}

impl Worker {
    /// A worker with empty histories. Number 0 watches the clock and reports.
    pub fn new(id: usize) -> Self {
        Self {
            id,
            position: Position::startpos(),
            nodes: 0,
            seldepth: 0,
            root_moves: Vec::new(),
            finished_lines: Vec::new(),
            root_all_moves: false,
            pv_index: 0,
            root_depth: 0,
            completed_depth: 0,
            root_window: 1,
            null_min_ply: 0,
            stack: vec![StackEntry::default(); MAX_PLY + STACK_OFFSET + 4],
            pv: vec![Vec::new(); MAX_PLY + 4],
            previous_pv: Vec::new(),
            moves: MoveStack::default(),
            keys: KeyStack::default(),
            accumulators: None,
            history: History::new(),
            corrections: CorrectionHistory::new(),
            table_record: 0,
            mate_tests: MateTests::default(),
            begins_anew: false,
            reductions: [0; 256],
            counters: Counters::default(),
            time_manager: TimeManager::default(),
            last_report: Duration::ZERO,
            last_current_line: Duration::ZERO,
            last_current_move: Duration::ZERO,
        }
    }

    /// Clears what was learnt: a new game must not depend on the games before it.
    pub fn clear(&mut self) {
        self.history.clear();
        self.corrections.clear();
        self.table_record = 0;
        self.mate_tests.clear();
        self.time_manager = TimeManager::default();
    }

    /// Searches until the request's limits, its clock or its control end it.
    pub fn search(&mut self, request: &SearchRequest) -> SearchOutcome {
        self.position = request.position.clone();
        self.keys.reset(&self.position);
        if let Evaluator::Network(evaluator) = &request.evaluator {
            let network = evaluator.network();
            let accumulators = self.accumulators.get_or_insert_with(|| Accumulators::new(network));
            accumulators.reset(&self.position);
            // Every later position starts from the root's sums, and the table may spare the root its evaluation.
            network.update(&self.position, accumulators);
        } else {
            self.accumulators = None;
        }
        self.history.new_search();
        self.mate_tests.new_search();
        self.nodes = 0;
        self.completed_depth = 0;
        self.null_min_ply = 0;
        self.last_report = Duration::ZERO;
        self.last_current_line = Duration::ZERO;
        self.last_current_move = Duration::ZERO;
        self.stack.fill(StackEntry::default());
        // Before the root nothing is known: no side improves on it.
        for before in &mut self.stack[..STACK_OFFSET] {
            before.static_eval = Score::INFINITE;
        }
        self.moves.truncate(0);
        self.finished_lines.clear();
        self.root_moves = request.root_moves.iter().copied().map(RootMove::from).collect();
        let mut generated = MoveList::new();
        self.position.generate(Generate::Legal, &mut generated);
        self.root_all_moves = request.root_moves.iter().any(|mv| !generated.contains(mv));
        self.reductions = reduction_logarithms();
        let lines = self.deepen(request);
        request.node_counters[self.id].set(self.nodes);
        #[cfg(feature = "tune")]
        self.counters.publish();
        SearchOutcome { root_moves: std::mem::take(&mut self.root_moves), depth: self.completed_depth, lines }
    }

    /// Counts a node below stack entry `ss` and checks limits and clock now and then.
    #[inline]
    fn count_node(&mut self, request: &SearchRequest, ss: usize) {
        self.nodes += 1;
        if self.nodes & 255 == 0 {
            self.check_limits(request, ss);
        }
        if self.nodes >= request.limits.nodes {
            request.control.halt();
        }
    }

    #[cold]
    fn check_limits(&mut self, request: &SearchRequest, ss: usize) {
        request.node_counters[self.id].set(self.nodes);
        if self.id == 0 {
            request.control.check_clock();
            if request.node_counters.len() > 1 && request.nodes() >= request.limits.nodes {
                request.control.halt();
            }
        }
        if self.nodes & 4095 == 0 {
            self.report_long_iteration(request, ss);
            self.begins_anew |= self.finds_mate(request);
        }
    }

    /// Whether the search must return from its nodes at once.
    #[inline]
    pub(super) fn stopped(&self, request: &SearchRequest) -> bool {
        self.begins_anew || request.control.stopped()
    }

    /// Asks the processor to fetch the table's entries for the position after a move. It takes longer than to make the
    /// move, so that this is worth calling as soon as a move is likely to be made.
    #[inline]
    pub(super) fn prefetch_after(&self, request: &SearchRequest, mv: Move) {
        request.table.prefetch(self.position.key_after(mv));
    }

    /// Makes a move at the node of stack entry `ss` and updates what depends on the position.
    #[inline]
    pub(super) fn do_move(&mut self, request: &SearchRequest, ss: usize, mv: Move, capture: bool) {
        let piece_to = piece_to(&self.position, mv);
        let entry = &mut self.stack[ss];
        entry.mv = Some(mv);
        entry.piece_to = piece_to;
        entry.row = History::row(entry.in_check, capture, piece_to);
        let mut observers = MoveObservers { keys: &mut self.keys, accumulators: self.accumulators.as_mut() };
        self.position.do_move_observed(mv, &mut observers);
        let earlier = [self.stack[ss - 1].piece_to, self.stack[ss - 3].piece_to];
        self.corrections.prefetch(&self.position, self.keys.current(), piece_to, earlier);
        self.count_node(request, ss);
    }

    /// Takes the last move back.
    #[inline]
    pub(super) fn undo_move(&mut self) {
        self.position.undo_move();
        self.keys.pop();
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.pop();
        }
    }

    /// The next move of a picker for the node at `ply`.
    #[inline]
    pub(super) fn next_move(
        &mut self,
        picker: &mut MovePicker,
        checks: &CheckInfo,
        continuation: &ContinuationIndices,
        ply: usize,
        all_moves: bool,
    ) -> Option<Move> {
        let context = RankContext {
            position: &self.position,
            history: &self.history,
            keys: self.keys.current(),
            checks,
            continuation,
            ply,
            all_moves,
        };
        picker.next(&mut self.moves, &context)
    }

    /// The static value of the position, which is not in check.
    #[inline]
    pub(super) fn evaluate(&mut self, request: &SearchRequest) -> Score {
        match (&request.evaluator, &mut self.accumulators) {
            (Evaluator::Network(evaluator), Some(accumulators)) => evaluator.evaluate(&self.position, accumulators),
            _ => hand_crafted::evaluate(&self.position),
        }
    }

    /// A move that mates at once.
    #[inline]
    pub(super) fn mate_in_one(&self, checks: &CheckInfo) -> Option<Move> {
        mate::one_ply(&self.position, checks)
    }

    /// The expected error of the static evaluation at the node of stack entry `ss`.
    #[inline]
    pub(super) fn correction(&self, ss: usize) -> i32 {
        let (last, earlier) = self.moves_before(ss);
        self.corrections.get(&self.position, self.keys.current(), last, earlier)
    }

    /// The last move before stack entry `ss`, and the moves two and four plies back, as correction history knows them.
    #[inline]
    pub(super) fn moves_before(&self, ss: usize) -> (usize, [usize; 2]) {
        let piece_to = |back: usize| self.stack[ss - back].piece_to;
        (piece_to(1), [piece_to(2), piece_to(4)])
    }

    /// The rows of continuation history of the moves before stack entry `ss`.
    #[inline]
    pub(super) fn continuation_indices(&self, ss: usize) -> ContinuationIndices {
        std::array::from_fn(|i| self.stack[(ss - 1).saturating_sub(i)].row)
    }

    /// Sets the principal variation at `ply` to `mv` and the line below it.
    pub(super) fn update_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.pv.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }
}

/// The late-move reduction's table: logarithms of depths and of move numbers, scaled.
fn reduction_logarithms() -> [i32; 256] {
    let factor = f64::from(p::reduction_factor()) / 128.0;
    std::array::from_fn(|i| (factor * (i.max(1) as f64).ln()) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Network;
    use crate::search::limits::Limits;

    /// A root without sums costs some 5 to 10 % of the speed of a game: lines that the table evaluates begin from nothing.
    #[test]
    fn every_line_starts_from_the_sums_of_the_root() {
        let check = "4k4/9/9/9/9/9/4r4/9/4K4 b Gr2b3g4s4n4l18p 1";
        for position in [Position::startpos(), Position::from_sfen(check).unwrap()] {
            let request = SearchRequest {
                root_moves: position.legal_moves().to_vec(),
                limits: Limits { depth: 3, ..Limits::default() },
                evaluator: Evaluator::network(Network::internal().expect("the program has a network")),
                ..SearchRequest::for_tests(position)
            };
            let mut worker = Worker::new(0);
            for known in [false, true] {
                assert_eq!(request.table.probe(request.position.key()).is_some(), known);
                worker.search(&request);
                assert!(worker.accumulators.as_ref().unwrap().root_is_computed());
            }
        }
    }
}
