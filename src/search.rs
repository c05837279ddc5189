//! Alpha-beta search: worker threads that share a transposition table.
//!
//! A [`SearchRequest`] is one search; every thread runs a [`Worker`] on it (Lazy SMP: they talk to one another through the table
//! alone). The first worker, number 0, keeps the clock and reports.
//!
//! # What was measured
//!
//! Matches of the search against itself, in pairs from 24-ply openings of human games, one thread; the K-P network
//! suishopetite unless said. `tests/README.md` has the commands. Steps are those of `negamax`.
//!
//! | change | nodes a move | games | Elo |
//! |---|---|---|---|
//! | all, against the first search (plain alpha-beta with a table; 192-1-7); evaluation made by hand | 0.1 s | 200 | +564 ± 183 |
//! | without late-move reductions (step 20), evaluation made by hand | 4000 | 200 | -34.9 ± 46.9 |
//! | a table entry's kind, a limit's sign, promotions' gain, captures learnt from, mean root scores, steps under a singular test | 3000 | 700 | +39.9 ± 24.9 |
//! | all margins that compare a static value with the window, times 0.74 | 3000 | 500 | +41.2 ± 30.1 |
//! | the same, times 1.35 | 3000 | 500 | -6.9 ± 30.0 |
//! | no quiet checks in quiescence | 3000 | 500 | +26.5 ± 31.1 |
//! | margins times 0.75 and no quiet checks | 12000 | 229 | +66.3 ± 44.8 |
//! | margins times 0.75 once more | 3000 | 420 | +46.6 ± 32.8 |
//! | the same | 12000 | 408 | +44 ± 34 |
//! | threats by cheaper pieces in the order of quiet moves | 3000 | 400 | +43.7 ± 33.6 |
//! | the same | 12000 | 192 | +27.2 ± 51.4 |
//! | 44 margins tuned by SPSA (5900 games at 2500 nodes; left) | 3000 | 500 | +26.5 ± 31.3 |
//! | the same | 12000 | 260 | +5.3 ± 42.6 |
//! | thresholds of steps 7, 8 and 11 on static values, times 0.55 (left) | 3000 | 400 | -8.7 ± 32.6 |
//! | table cut-offs doubted where the next position's entry disagrees (left) | 3000 | 400 | +1.7 ± 5.9 |
//! | reductions 0.3 plies more (left) | 3000 | 500 | +16.7 ± 31.9 |
//! | reductions 0.3 plies less (left) | 3000 | 500 | -6.3 ± 30.6 |
//! | histories that begin below zero (left) | 3000 | 500 | -13.9 ± 31.0 |
//! | static margins times 1.8, as they were once (left) | 60000 | 100 | -20.9 ± 69.7 |
//! | two threads against one, 0.05 s a move, own network | | 200 | +197.9 ± 56.3 |
//! | malus less by 7% from one quiet move to the next, late moves of the principal variation a ply deeper; HalfKP (left) | 60000 | 100 | -66.8 ± 78.1 |
//! | sacrifices and checks never pruned below an even score; HalfKP (left) | 60000 | 63 | 0 ± 84 |
//! | scores divided by 28 instead of 16, so that margins are 1.75 times as wide; HalfKP (left) | 60000 | 94 | +33.4 ± 72.4 |
//! | late-move reductions as large as rshogi-core's, 0.4 to 0.9 plies more (left) | 60000 | 138 | -25.2 ± 49.6 |
//! | scores of suishopetite divided by 36 instead of 24, so that margins are 1.5 times as wide (left) | 30000 | 150 | -49.0 ± 56.7 |
//! | own network (generation 13), values times 0.6 | 30000 | 150 | +68.0 ± 55.9 |
//! | the same | 2000 | 400 | -3.5 ± 34.3 |
//! | the same times 0.67 once more (left; broken off) | 30000 | 99 | -32.0 ± 70.1 |
//! | 41 margins by what chosen moves lose (`hagane tune`); own network (generation 21) | 30000 | 677 | +32.0 ± 26.0 |
//! | a draw at least where the next move brings an earlier position back (upcoming repetition); generation 14 (left) | 4000 | 1617 | -8.8 ± 16.9 |
//! | all quiet moves in the order of their ranks, not only those above a limit (it is simpler) | 2000 | 600 | -5.2 ± 27.7 |
//! | df-pn of 16 to 1024 nodes at the root and after each root move; HalfKP (left) | 0.1 s | 63 | -85.8 ± 72.9 |
//! | the same, from even positions of plies 64 to 100 (left) | 0.1 s | 60 | -23.2 ± 99.0 |
//!
//! That first search reaches depth 16 in none of the 24 positions of `hagane bench` within four times the time that
//! this one takes (256 MiB, 55.6 s for all; this one with its own network, the first one with the evaluation made by
//! hand).
//!
//! Against another engine: the search of the crate rshogi-core 0.8.1, which follows YaneuraOu's, behind a bare USI
//! front, one thread, 64 MiB. Both with suishopetite, FV_SCALE 24 (for the other engine written as the HalfKA network
//! that gives the same values: 20 positions compared, and in a search of it every value with one computed from
//! nothing):
//!
//! | nodes a move | games | Elo | depths |
//! |---|---|---|---|
//! | 60000 | 30 | +175.7 ± 154.5 | 21.2 and 12.2 |
//! | 250000 (0.58 s each on two busy cores) | 30 | +82.6 ± 149.5 | 24.5 and 15.0 |
//!
//! Both with one small HalfKP network made by `hagane train fit --architecture halfkp`, at FV_SCALE 16:
//!
//! | nodes a move | games | Elo |
//! |---|---|---|
//! | 5000 | 200 | +168.4 ± 50.9 |
//! | 20000 | 300 | +39 ± 38 |
//! | 60000 | 100 | -85 ± 71 |
//! | 60000, both forget everything before each move | 91 | +58 ± 75 |
//! | 60000, from even positions of plies 64 to 100 | 120 | -17.4 ± 37.6 |
//! | 0.1 s (50,000 and 70,000 nodes) | 100 | -164.1 ± 78.2 |
//!
//! So with that network this search was the better one where little is searched and the worse one where much is. That
//! network's values were larger: 1000 won 73 % of the games, where 600 is the custom. Margins that are too narrow for
//! the values cost little at 2000 nodes and much at 30000, as the own network's scale above shows.
//!
//! With that network the depth of this search grows more slowly: from 7.6 plies at 5000 nodes to 16.5 at 1,000,000, the
//! other's from 6.0 to 16.6 (43 and 41 positions of games, neither side far ahead, each from nothing). Depth alone is
//! no strength: with the other's reductions it grows to 18.3 plies, and the match above is what came of it; without
//! step 17 to 18.7, without step 7 to 17.8.
//!
//! Single positions do not show it: searched from nothing, 240 get root scores nearer to those of 1,000,000 nodes, to
//! either engine's, from 5000 to 60,000 nodes, at 200,000 to the mean of both only; and of 997 positions of their
//! games, walked through with all that was learnt before, the moves of both are worth the same at 60,000 nodes (the
//! other's 0.05% ± 0.12% more by the mean of both after 150,000 nodes). Of 349 mates of up to 15 plies in their games
//! ours sees 55% and the other 58% with 60,000 nodes; df-pn finds more than 90% of them within 8192 nodes, but what a
//! mate search costs in the tree it has not earned. Our own forgetting costs 96 ± 104 (table) and 191 ± 121 Elo
//! (histories) at 60,000 nodes, the other's its own about as much (6-0-16 and 3-0-17).

mod control;
mod estimate;
mod formulas;
mod history;
mod keys;
mod known;
mod lazy_order;
mod learning;
mod limits;
mod move_picker;
mod move_stack;
mod negamax;
mod node_pruning;
pub mod params;
mod probcut;
mod quiescence;
mod quiet_rank;
mod report;
mod root;
mod rows;
mod rules;
mod selectivity;
mod threats;
mod time;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::hand_crafted;
use crate::mate;
use crate::nnue::{Accumulators, Network};
use crate::position::{Change, CheckInfo, Generate, MoveList, Observer, Position};
use crate::tt::TranspositionTable;
use crate::types::{Bound, Depth, MAX_PLY, Move, Score};

pub use control::Control;
pub use limits::{Limits, SearchOptions};
pub use report::{Choice, Line, Progress};
pub use rules::Rules;

use history::{History, Rows, piece_to};
use keys::{KeyStack, Keys};
use move_stack::MoveStack;
use time::Pace;

/// Receives what a running search reports.
pub type Listener = Arc<dyn Fn(Progress) + Send + Sync>;

/// Who judges a position that is not searched further.
#[derive(Clone)]
pub enum Evaluator {
    /// The hand-crafted evaluation (HCE).
    HandCrafted,
    /// A network.
    Network(Arc<Network>),
}

impl Evaluator {
    /// The static value of a position for the side to move, computed from nothing.
    pub fn evaluate(&self, position: &Position) -> Score {
        match self {
            Self::HandCrafted => hand_crafted::evaluate(position),
            Self::Network(network) => {
                let mut accumulators = Accumulators::new(network);
                accumulators.reset(position);
                Score(network.evaluate(position, &mut accumulators)).clamp_eval()
            }
        }
    }
}

/// One worker's node count, on a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
pub struct Counter(AtomicU64);

/// One search, shared by its workers.
pub struct SearchRequest {
    /// The position to search, with the game that led to it.
    pub position: Position,
    /// The moves to choose from, legal and without doubles.
    pub root_moves: Vec<Move>,
    /// What ends the search.
    pub limits: Limits,
    /// What it looks for and reports.
    pub options: SearchOptions,
    /// The rules beyond the moves.
    pub rules: Rules,
    /// The static evaluation.
    pub evaluator: Evaluator,
    /// The table.
    pub table: Arc<TranspositionTable>,
    /// The switches.
    pub control: Arc<Control>,
    /// Nodes by worker; its length is the number of workers.
    pub counters: Box<[Counter]>,
    /// Who hears of the progress.
    pub listener: Listener,
}

impl SearchRequest {
    /// Counters for a number of workers.
    pub fn counters(workers: usize) -> Box<[Counter]> {
        (0..workers.max(1)).map(|_| Counter::default()).collect()
    }

    /// Nodes visited by all workers.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }
}

/// A move at the root with what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// The line expected after it.
    pub answers: Vec<Move>,
    /// Score in the running iteration; minus infinity where it has not been found better than another move.
    pub score: Score,
    /// Score in the iteration before.
    pub previous_score: Score,
    /// Mean of its scores, the newest with half of the weight.
    pub average_score: Score,
    /// What `score` is.
    pub bound: Bound,
    /// Deepest ply reached below it.
    pub seldepth: usize,
    /// Nodes spent on it in this search.
    pub effort: u64,
    /// Whether the running pass over the root moves has been through it.
    pub searched: bool,
}

impl From<Move> for RootMove {
    fn from(mv: Move) -> Self {
        Self {
            mv,
            answers: Vec::new(),
            score: -Score::INFINITE,
            previous_score: -Score::INFINITE,
            average_score: -Score::INFINITE,
            bound: Bound::Exact,
            seldepth: 0,
            effort: 0,
            searched: false,
        }
    }
}

impl RootMove {
    /// The newest score known, which may be that of the iteration before.
    pub fn known_score(&self) -> Score {
        if self.score > -Score::INFINITE { self.score } else { self.previous_score }
    }

    /// The line that the move begins.
    pub fn line(&self) -> Vec<Move> {
        [&[self.mv], self.answers.as_slice()].concat()
    }
}

/// What a worker has found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The root moves, best first.
    pub root_moves: Vec<RootMove>,
    /// The last iteration that was finished.
    pub depth: Depth,
}

/// Frames before the root, so that every node has six predecessors.
const BASE: usize = 7;

/// The kind of a node, known when it is compiled.
trait Node {
    /// It may be on the principal variation: its window is open.
    const PV: bool;
    /// It is the root.
    const ROOT: bool;
}

struct Root;
struct Pv;
struct NonPv;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl Node for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a node leaves for those below it and beside it; one a ply.
#[derive(Clone, Copy, Default)]
struct Frame {
    /// The move searched now; `None` for a null move.
    mv: Option<Move>,
    /// Its piece and destination, 0 for a null move.
    piece_to: usize,
    /// Its row of continuation history.
    row: usize,
    /// Corrected static evaluation; in check, that of two plies before.
    static_eval: Score,
    /// The history of the move searched now, as the reduction saw it.
    stat_score: i32,
    /// The move left out while it is tested for being singular.
    excluded: Option<Move>,
    move_count: usize,
    /// By how many plies the search below is reduced.
    reduction: Depth,
    /// How often the nodes of this ply failed high since the node two plies above began.
    cutoffs: i32,
    in_check: bool,
    /// The table knew the position.
    hit: bool,
    /// The position is or was on a principal variation.
    on_pv: bool,
}

/// All who follow the moves made.
struct Followers<'a> {
    table: &'a TranspositionTable,
    keys: &'a mut KeyStack,
    accumulators: Option<&'a mut Accumulators>,
}

impl Observer for Followers<'_> {
    #[inline(always)]
    fn heading_for(&mut self, key: u64) {
        self.table.prefetch(key);
    }

    #[inline(always)]
    fn moved(&mut self, change: &Change) {
        self.keys.moved(change);
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.moved(change);
        }
    }
}

/// A search thread's own memory. It learns from search to search until [`Worker::forget`].
pub struct Worker {
    id: usize,
    position: Position,
    nodes: u64,
    seldepth: usize,
    root_moves: Vec<RootMove>,
    /// Some root move is one that the generator leaves out unless told otherwise.
    root_all_moves: bool,
    /// The first root move that is searched now; those before it are better lines (MultiPV).
    pv_index: usize,
    root_depth: Depth,
    completed_depth: Depth,
    /// Width of the window at the root.
    root_window: i32,
    /// Null moves are allowed from this ply on only, while one is being verified.
    null_from_ply: usize,
    frames: Vec<Frame>,
    /// Triangular table of principal variations, one row a ply.
    pv: Vec<Vec<Move>>,
    /// The moves of all open nodes.
    moves: MoveStack,
    keys: KeyStack,
    /// The network's view of the position; made when the first network is used.
    accumulators: Option<Accumulators>,
    history: History,
    /// Logarithms for the late-move reduction.
    reductions: [i32; 256],
    pace: Pace,
    last_report: Duration,
    last_current_line: Duration,
    last_current_move: Duration,
}

impl Worker {
    /// A worker that has learnt nothing. Number 0 keeps the clock and reports.
    pub fn new(id: usize) -> Self {
        Self {
            id,
            position: Position::startpos(),
            nodes: 0,
            seldepth: 0,
            root_moves: Vec::new(),
            root_all_moves: false,
            pv_index: 0,
            root_depth: 0,
            completed_depth: 0,
            root_window: 1,
            null_from_ply: 0,
            frames: vec![Frame::default(); MAX_PLY + BASE + 4],
            pv: vec![Vec::new(); MAX_PLY + 4],
            moves: MoveStack::default(),
            keys: KeyStack::default(),
            accumulators: None,
            history: History::new(),
            reductions: [0; 256],
            pace: Pace::default(),
            last_report: Duration::ZERO,
            last_current_line: Duration::ZERO,
            last_current_move: Duration::ZERO,
        }
    }

    /// Forgets what it learnt, before another game.
    pub fn forget(&mut self) {
        self.history.forget();
        self.pace = Pace::default();
    }

    /// Searches until the request's limits, its clock or its control end it.
    pub fn search(&mut self, request: &SearchRequest) -> Outcome {
        self.position = request.position.clone();
        self.keys.reset(&self.position);
        if let Evaluator::Network(network) = &request.evaluator {
            self.accumulators.get_or_insert_with(|| Accumulators::new(network)).reset(&self.position);
        } else {
            self.accumulators = None;
        }
        self.history.new_search();
        self.nodes = 0;
        self.completed_depth = 0;
        self.null_from_ply = 0;
        self.last_report = Duration::ZERO;
        self.last_current_line = Duration::ZERO;
        self.last_current_move = Duration::ZERO;
        self.frames.fill(Frame::default());
        self.moves.truncate(0);
        self.root_moves = request.root_moves.iter().copied().map(RootMove::from).collect();
        let mut usual = MoveList::new();
        self.position.generate(Generate::Legal, &mut usual);
        self.root_all_moves = request.root_moves.iter().any(|mv| !usual.contains(mv));
        self.reductions = formulas::reduction_logarithms();
        self.deepen(request);
        request.counters[self.id].0.store(self.nodes, Relaxed);
        Outcome { root_moves: std::mem::take(&mut self.root_moves), depth: self.completed_depth }
    }

    /// Counts a node below frame `f` and looks at limits and clock now and then.
    #[inline(always)]
    fn count_node(&mut self, request: &SearchRequest, f: usize) {
        self.nodes += 1;
        if self.nodes & 255 == 0 {
            self.look_up(request, f);
        }
        if self.nodes >= request.limits.nodes {
            request.control.halt();
        }
    }

    #[cold]
    fn look_up(&mut self, request: &SearchRequest, f: usize) {
        request.counters[self.id].0.store(self.nodes, Relaxed);
        if self.id == 0 {
            request.control.check_clock();
            if request.counters.len() > 1 && request.nodes() >= request.limits.nodes {
                request.control.halt();
            }
        }
        if self.nodes & 4095 == 0 {
            self.report_signs_of_life(request, f);
        }
    }

    /// Makes a move at the node of frame `f`, and tells all who follow the position.
    #[inline(always)]
    fn make(&mut self, request: &SearchRequest, f: usize, mv: Move, in_check: bool, noisy: bool) {
        let piece_to = piece_to(&self.position, mv);
        let frame = &mut self.frames[f];
        frame.mv = Some(mv);
        frame.piece_to = piece_to;
        frame.row = History::row(in_check, noisy, piece_to);
        let mut followers =
            Followers { table: &request.table, keys: &mut self.keys, accumulators: self.accumulators.as_mut() };
        self.position.do_move_observed(mv, &mut followers);
        let before = self.frames[f - 1].piece_to;
        self.history.prefetch_correction(&self.position, &self.keys.now(), piece_to, before);
        self.count_node(request, f);
    }

    /// Takes the last move back.
    #[inline(always)]
    fn unmake(&mut self) {
        self.position.undo_move();
        self.keys.pop();
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.pop();
        }
    }

    /// The static value of the position, which is not in check.
    #[inline(always)]
    fn evaluate(&mut self, request: &SearchRequest) -> Score {
        match (&request.evaluator, &mut self.accumulators) {
            (Evaluator::Network(network), Some(accumulators)) => {
                Score(network.evaluate(&self.position, accumulators)).clamp_eval()
            }
            _ => hand_crafted::evaluate(&self.position),
        }
    }

    /// A move that mates at once.
    #[inline(always)]
    fn mate_in_one(&self, checks: &CheckInfo) -> Option<Move> {
        mate::one_ply(&self.position, checks)
    }

    /// What was learnt about errors of the static evaluation in positions like that of frame `f`.
    #[inline(always)]
    fn correction(&self, keys: &Keys, f: usize) -> i32 {
        let (last, before) = (self.frames[f - 1].piece_to, self.frames[f - 2].piece_to);
        self.history.correction(&self.position, keys, last, before)
    }

    /// The rows of continuation history of the moves before frame `f`.
    #[inline(always)]
    fn rows(&self, f: usize) -> Rows {
        std::array::from_fn(|i| self.frames[(f - 1).saturating_sub(i)].row)
    }
}
