//! The engine's threads: one that takes orders and leads the search, and its helpers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use crate::nnue::{FvScale, Selection};
use crate::platform::sync::Mutex;
use crate::position::{Declaration, EnteringKingRule, Generate, MoveList, Position};
use crate::search::{
    Choice, Control, Evaluator, Limits, Line, Listener, Outcome, Progress, Rules, SearchOptions, SearchRequest, Worker,
};
use crate::tt::TranspositionTable;
use crate::types::{Bound, Color, Depth, MAX_DEPTH, Move, Score};

use super::{EngineError, Pending, Report, Settings, Sink};

/// Enough for the deepest line, each node with its list of moves.
const STACK: usize = 32 << 20;
/// A new table takes its memory for so long before `readyok`, and nobody waits twice; some clients wait five seconds.
const POPULATE_BEFORE_READY: Duration = Duration::from_secs(4);
/// It goes on when no search has been ordered for so long: whoever passes a move on to the client comes first.
const PAUSE: Duration = Duration::from_millis(20);
/// A client that leaves no such pauses, since it lets the engine ponder, has all of the table after so long.
const PATIENCE: Duration = Duration::from_secs(60);
/// Where not even the wanted table's memory is there, the sizes that are tried, in MiB.
const SMALL_TABLES: [usize; 3] = [64, 16, 1];

/// What the leading thread is told.
pub(super) enum Order {
    Prepare(Box<Settings>),
    NewGame,
    Search(Arc<OngoingSearch>),
    Quit,
}

/// A search from `go` to its `bestmove`, shared by the facade and the leading thread.
pub(super) struct OngoingSearch {
    pub(super) control: Arc<Control>,
    pub(super) limits: Limits,
    pub(super) position: Position,
    /// The colour that the engine plays.
    pub(super) us: Color,
    settings: Settings,
    /// Nobody shall hear of its progress.
    silent: bool,
    /// Nobody waits for its move any more.
    cancelled: AtomicBool,
    finished: AtomicBool,
}

impl OngoingSearch {
    pub(super) fn new(
        control: Control,
        limits: Limits,
        position: Position,
        us: Color,
        settings: Settings,
        silent: bool,
    ) -> Self {
        Self {
            control: Arc::new(control),
            limits,
            position,
            us,
            settings,
            silent,
            cancelled: AtomicBool::new(false),
            finished: AtomicBool::new(false),
        }
    }

    /// Ends the search without a report.
    pub(super) fn cancel(&self) {
        self.cancelled.store(true, SeqCst);
        self.control.stop();
    }

    pub(super) fn is_finished(&self) -> bool {
        self.finished.load(SeqCst)
    }
}

/// Starts the leading thread.
pub(super) fn start(
    sink: Sink,
    pending: Arc<Pending>,
    evaluator: Arc<Mutex<Evaluator>>,
) -> (Sender<Order>, JoinHandle<()>) {
    let (sender, orders) = unbounded();
    let thread = std::thread::Builder::new()
        .name("search-0".into())
        .stack_size(STACK)
        .spawn(move || Leader::new(sink, evaluator).run(&orders, &pending))
        .expect("the system gives the engine a thread");
    (sender, thread)
}

struct Leader {
    sink: Sink,
    table: Option<Arc<TranspositionTable>>,
    /// When the table was made, while the system has yet to give some of its memory.
    fresh: Option<Instant>,
    /// The network options that made `evaluator`.
    selection: Option<Selection>,
    evaluator: Arc<Mutex<Evaluator>>,
    worker: Worker,
    helpers: Vec<Helper>,
}

/// What a helper is told.
enum Call {
    Search(Arc<SearchRequest>),
    Forget,
}

struct Helper {
    calls: Option<Sender<Call>>,
    outcomes: Receiver<Outcome>,
    thread: Option<JoinHandle<()>>,
}

impl Helper {
    fn start(id: usize) -> std::io::Result<Self> {
        let (calls, receiver) = unbounded();
        let (sender, outcomes) = unbounded();
        let thread = std::thread::Builder::new().name(format!("search-{id}")).stack_size(STACK).spawn(move || {
            let mut worker = Worker::new(id);
            for call in receiver {
                match call {
                    Call::Forget => worker.forget(),
                    Call::Search(request) => {
                        let outcome = run(&mut worker, id, &request);
                        if sender.send(outcome).is_err() {
                            return;
                        }
                    }
                }
            }
        })?;
        Ok(Self { calls: Some(calls), outcomes, thread: Some(thread) })
    }

    fn call(&self, call: Call) {
        if let Some(calls) = &self.calls
            && calls.send(call).is_err()
        {
            log::error!("a search thread is gone");
        }
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.calls = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Runs a worker; if it fails, the engine lives on with a fresh one and the moves as they were.
fn run(worker: &mut Worker, id: usize, request: &SearchRequest) -> Outcome {
    catch_unwind(AssertUnwindSafe(|| worker.search(request))).unwrap_or_else(|_| {
        log::error!("a search thread failed and was set up again");
        *worker = Worker::new(id);
        Outcome { root_moves: request.root_moves.iter().copied().map(Into::into).collect(), depth: 0 }
    })
}

impl Leader {
    fn new(sink: Sink, evaluator: Arc<Mutex<Evaluator>>) -> Self {
        Self { sink, table: None, fresh: None, selection: None, evaluator, worker: Worker::new(0), helpers: Vec::new() }
    }

    fn run(mut self, orders: &Receiver<Order>, pending: &Pending) {
        while let Some(order) = self.next(orders) {
            match order {
                Order::Prepare(settings) => {
                    let result = self.prepare(&settings);
                    self.populate(|age| orders.is_empty() && age < POPULATE_BEFORE_READY);
                    (self.sink)(Report::Ready(result));
                }
                Order::NewGame => self.forget(),
                Order::Search(search) => {
                    let choice = self.search(&search);
                    search.finished.store(true, SeqCst);
                    if !search.cancelled.load(SeqCst) {
                        (self.sink)(Report::BestMove(choice));
                    }
                }
                Order::Quit => {
                    pending.done();
                    return;
                }
            }
            pending.done();
        }
    }

    /// Waits for an order; a table that lacks memory takes some in the meantime.
    fn next(&mut self, orders: &Receiver<Order>) -> Option<Order> {
        if self.fresh.is_some() {
            match orders.recv_timeout(PAUSE) {
                Err(RecvTimeoutError::Timeout) => self.populate(|_| orders.is_empty()),
                order => return order.ok(),
            }
        }
        orders.recv().ok()
    }

    /// A new table takes its memory before the engine is ready and while the engine has no other order, rather than on
    /// the clock of the first move, as long as `go_on`, told how old the table is, says so. On all processors, for a
    /// search that has to wait for pages is late to stop as well.
    fn populate(&mut self, go_on: impl Fn(Duration) -> bool + Sync) {
        if let (Some(made), Some(table)) = (self.fresh, &self.table) {
            let processors = std::thread::available_parallelism().map_or(1, usize::from);
            if table.populate(processors, || go_on(made.elapsed())) {
                self.fresh = None;
            }
        }
    }

    /// The size of the table in MiB, where there is one.
    fn table_size(&self) -> Option<usize> {
        self.table.as_ref().map(|table| table.megabytes())
    }

    /// Forgets all that was learnt from searches.
    fn forget(&mut self) {
        if let Some(table) = &self.table {
            table.clear(self.helpers.len() + 1);
        }
        self.worker.forget();
        for helper in &self.helpers {
            helper.call(Call::Forget);
        }
    }

    /// Makes table and threads as the settings want them. What cannot be had leaves the engine as it was.
    fn prepare(&mut self, settings: &Settings) -> Result<(), EngineError> {
        let megabytes = usize::try_from(settings.usi_hash).unwrap_or(1);
        let mut result = Ok(());
        if self.table_size() != Some(megabytes) {
            match TranspositionTable::new(megabytes) {
                Ok(table) => {
                    self.table = Some(Arc::new(table));
                    self.fresh = Some(Instant::now());
                }
                Err(error) => {
                    if self.table.is_none() {
                        self.table =
                            SMALL_TABLES.into_iter().find_map(|size| TranspositionTable::new(size).ok()).map(Arc::new);
                        self.fresh = Some(Instant::now());
                    }
                    result = Err(EngineError::Table(error, self.table_size().unwrap_or(0)));
                }
            }
        }
        let selection = Selection {
            eval_dir: settings.eval_dir.clone().into(),
            eval_file: settings.eval_file.clone(),
            fv_scale: FvScale::from_option(settings.fv_scale.try_into().unwrap_or(0)),
        };
        if self.selection.as_ref() != Some(&selection) {
            let selected = selection.load();
            self.selection = Some(selection);
            log::info!("{}", selected.message);
            let chosen =
                selected.network.map_or(Evaluator::HandCrafted, |network| Evaluator::Network(Arc::new(network)));
            *self.evaluator.lock() = chosen;
            // What was stored and learnt belongs to another evaluation.
            self.forget();
            if selected.failed {
                result = Err(EngineError::Network(selected.message));
            }
        }
        let helpers = usize::try_from(settings.threads).unwrap_or(1).saturating_sub(1);
        self.helpers.truncate(helpers);
        while self.helpers.len() < helpers {
            match Helper::start(self.helpers.len() + 1) {
                Ok(helper) => self.helpers.push(helper),
                Err(error) => {
                    log::warn!("{error}");
                    result = Err(EngineError::Threads(self.helpers.len() + 1));
                    break;
                }
            }
        }
        if let (1.., Some(table)) = (settings.clear_hash.0, &self.table) {
            table.clear(self.helpers.len() + 1);
        }
        result
    }

    /// Carries one order out, and returns its move when it may be told.
    fn search(&mut self, search: &OngoingSearch) -> Choice {
        if let Err(error) = self.prepare(&search.settings) {
            log::warn!("{error}");
        }
        let rule: EnteringKingRule = search.settings.entering_king_rule.parse().unwrap_or_default();
        let listener = self.listener(search);
        let choice = match search.position.declaration(rule) {
            Some(Declaration::Points) => {
                listener(Progress::Line(line(search, Score::mate_in(1), Vec::new())));
                Choice::DeclareWin
            }
            Some(Declaration::Try(mv)) => {
                listener(Progress::Line(line(search, Score::mate_in(1), vec![mv])));
                Choice::Move { best: mv, ponder: None }
            }
            None => match root_moves(search) {
                moves if moves.is_empty() => {
                    listener(Progress::Line(line(search, Score::mated_in(0), Vec::new())));
                    Choice::Resign
                }
                moves => self.think(search, moves, rule, listener),
            },
        };
        search.control.wait_for_release();
        choice
    }

    fn listener(&self, search: &OngoingSearch) -> Listener {
        if search.silent {
            return Arc::new(|_| {});
        }
        let sink = Arc::clone(&self.sink);
        let evaluator = self.evaluator.lock().clone();
        let position = search.position.clone();
        Arc::new(move |mut progress| {
            // A search that was stopped before it knew anything of its move tells what the position looks like.
            if let Progress::Line(line) = &mut progress
                && line.score <= -Score::MATE
                && !line.pv.is_empty()
            {
                line.score = evaluator.evaluate(&position).clamp_eval();
            }
            sink(Report::Progress(progress));
        })
    }

    /// Lets all workers search, and chooses among their moves.
    fn think(
        &mut self,
        search: &OngoingSearch,
        moves: Vec<Move>,
        rule: EnteringKingRule,
        listener: Listener,
    ) -> Choice {
        let settings = &search.settings;
        let Some(table) = self.table.clone() else {
            return Choice::Resign;
        };
        if self.fresh.is_some_and(|made| made.elapsed() > PATIENCE) {
            table.use_all();
            self.fresh = None;
        }
        table.new_search();
        let request = Arc::new(SearchRequest {
            position: search.position.clone(),
            limits: limits(search),
            options: search_options(search),
            rules: rules(search, rule),
            evaluator: self.evaluator.lock().clone(),
            table: Arc::clone(&table),
            control: Arc::clone(&search.control),
            counters: SearchRequest::counters(self.helpers.len() + 1),
            listener: Arc::clone(&listener),
            root_moves: moves,
        });
        for helper in &self.helpers {
            helper.call(Call::Search(Arc::clone(&request)));
        }
        let own = run(&mut self.worker, 0, &request);
        // The others have no end of their own.
        search.control.halt();
        // An infinite search that has nothing left to look at still ends only by order.
        search.control.wait_for_release();
        let mut outcomes = vec![own];
        outcomes.extend(self.helpers.iter().filter_map(|helper| helper.outcomes.recv().ok()));
        // Who asked for a depth is told what was found within it; helpers may have gone deeper.
        outcomes.retain(|outcome| outcome.depth <= request.limits.depth);

        let best = if settings.multi_pv > 1 { 0 } else { vote(&outcomes) };
        let Some(chosen) = outcomes[best].root_moves.first() else {
            return Choice::Resign;
        };
        if best != 0 {
            listener(Progress::Line(Line {
                depth: outcomes[best].depth.max(1),
                seldepth: chosen.seldepth,
                nodes: request.nodes(),
                hashfull: table.hashfull(),
                ..line(search, chosen.known_score(), chosen.line())
            }));
        }
        let resign_at = -i32::try_from(settings.resign_value).unwrap_or(i32::MAX);
        let score = chosen.known_score().0;
        if score <= resign_at && score > -Score::INFINITE.0 && !settings.analyse_mode && !search.limits.infinite {
            return Choice::Resign;
        }
        let best = chosen.mv;
        let ponder = chosen.answers.first().copied().or_else(|| expected_answer(search, &table, best));
        Choice::Move { best, ponder }
    }
}

/// A report of a line that no iteration made.
fn line(search: &OngoingSearch, score: Score, pv: Vec<Move>) -> Line {
    Line {
        depth: 1,
        seldepth: 1,
        multipv: 1,
        score,
        bound: Bound::Exact,
        nodes: 0,
        hashfull: 0,
        time: search.control.elapsed(),
        pv,
    }
}

/// The legal moves, or those of them that were asked for.
fn root_moves(search: &OngoingSearch) -> Vec<Move> {
    let mut list = MoveList::new();
    let kind = if search.settings.generate_all_legal_moves { Generate::LegalAll } else { Generate::Legal };
    search.position.generate(kind, &mut list);
    let asked = &search.limits.search_moves;
    let mut wanted: Vec<Move> = Vec::new();
    for &mv in asked {
        // A pointless non-promotion that is asked for by name is searched too.
        if search.position.is_legal(mv) && !wanted.contains(&mv) {
            wanted.push(mv);
        }
    }
    if wanted.is_empty() { list.to_vec() } else { wanted }
}

/// The limits of `go`, tightened by those of the options.
fn limits(search: &OngoingSearch) -> Limits {
    let settings = &search.settings;
    let optional = |value: i64| u64::try_from(value).ok().filter(|&value| value > 0);
    let mut limits = search.limits.clone();
    if let Some(depth) = optional(settings.depth_limit) {
        limits.depth = limits.depth.min(depth as Depth);
    }
    if let Some(nodes) = optional(settings.nodes_limit) {
        limits.nodes = limits.nodes.min(nodes);
    }
    limits.depth = limits.depth.clamp(1, MAX_DEPTH);
    limits.nodes = limits.nodes.max(1);
    limits
}

fn search_options(search: &OngoingSearch) -> SearchOptions {
    let settings = &search.settings;
    let every_line = settings.consideration_mode || settings.analyse_mode;
    SearchOptions {
        multi_pv: usize::try_from(settings.multi_pv).unwrap_or(1),
        report_interval: if every_line {
            Duration::ZERO
        } else {
            Duration::from_millis(settings.pv_interval.try_into().unwrap_or(0))
        },
        report_bounds: settings.output_fail_lh_pv,
        report_refutations: settings.show_refutations,
        report_current_line: settings.show_curr_line,
    }
}

fn rules(search: &OngoingSearch, entering_king: EnteringKingRule) -> Rules {
    let settings = &search.settings;
    let draw = match search.us {
        Color::Black => settings.draw_value_black,
        Color::White => settings.draw_value_white,
    };
    let max_moves = settings.max_moves_to_draw.try_into().unwrap_or(0);
    let draw = Score(i32::try_from(draw).unwrap_or(0)).clamp_eval();
    Rules { all_moves: settings.generate_all_legal_moves, ..Rules::new(entering_king, max_moves, search.us, draw) }
}

/// The worker whose first move most of them agree on, weighed by score and depth (after Stockfish's thread voting).
fn vote(outcomes: &[Outcome]) -> usize {
    let score = |outcome: &Outcome| outcome.root_moves.first().map_or(-Score::INFINITE, |root| root.known_score());
    let Some(least) = outcomes.iter().map(score).min() else {
        return 0;
    };
    let weight = |outcome: &Outcome| i64::from(score(outcome) - least + 14) * i64::from(outcome.depth);
    let votes = |outcome: &Outcome| {
        let mv = outcome.root_moves.first().map(|root| root.mv);
        outcomes.iter().filter(|other| other.root_moves.first().map(|root| root.mv) == mv).map(weight).sum::<i64>()
    };
    let mut best = 0;
    for (index, outcome) in outcomes.iter().enumerate().skip(1) {
        let (this, other) = (score(outcome), score(&outcomes[best]));
        let better = if other.is_decisive() || this.is_win() {
            // The shortest mate, or the longest resistance.
            this > other
        } else {
            let key = |outcome: &Outcome| (votes(outcome), weight(outcome));
            !this.is_loss() && key(outcome) > key(&outcomes[best])
        };
        if better && outcome.depth > 0 {
            best = index;
        }
    }
    best
}

/// The answer that the table expects after a move, if it is legal.
fn expected_answer(search: &OngoingSearch, table: &TranspositionTable, best: Move) -> Option<Move> {
    let mut position = search.position.clone();
    position.do_move(best);
    let mv = table.probe(position.key())?.mv?;
    position.is_legal(mv).then_some(mv)
}
