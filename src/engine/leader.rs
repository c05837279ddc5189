//! The leader: the thread that takes the engine's orders one after the other, and searches as worker number 0.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use super::helpers::{self, Helper, STACK};
use super::network_choice::NetworkChoice;
use super::ongoing_search::OngoingSearch;
use super::opening_book::OpeningBook;
use super::options::EngineOptions;
use super::report::{BestMove, EngineError, Report, Sink};
use super::strength::{self, Level, Player};
use super::table::Table;
use super::vote::vote;
use crate::platform::sync::{Condvar, Mutex};
use crate::position::Declaration;
use crate::search::{Evaluator, Line, Listener, Progress, SearchRequest, Worker};
use crate::tt::TranspositionTable;
use crate::types::{Move, Score};

/// How long a new table is populated before `readyok`; some clients wait for five seconds only.
const POPULATE_BEFORE_READY: Duration = Duration::from_secs(4);
/// Populating resumes when no order has come for this long, so that it does not delay the move just reported.
const PAUSE: Duration = Duration::from_millis(20);

/// What the facade asks of the leader.
pub(super) enum Order {
    Prepare(Box<EngineOptions>),
    NewGame,
    Search(Arc<OngoingSearch>),
    Quit,
}

/// The number of orders given and not yet carried out.
#[derive(Default)]
pub(super) struct OrderCount {
    count: Mutex<usize>,
    changed: Condvar,
}

impl OrderCount {
    pub(super) fn add(&self) {
        *self.count.lock() += 1;
    }

    pub(super) fn done(&self) {
        *self.count.lock() -= 1;
        self.changed.notify_all();
    }

    pub(super) fn wait(&self) {
        let mut count = self.count.lock();
        while *count > 0 {
            count = self.changed.wait(count);
        }
    }
}

/// Starts the leader's thread.
///
/// # Panics
/// Where the system refuses a single thread.
pub(super) fn start(
    sink: Sink,
    order_count: Arc<OrderCount>,
    evaluator: Arc<Mutex<Evaluator>>,
) -> (Sender<Order>, JoinHandle<()>) {
    let (sender, orders) = unbounded();
    let thread = std::thread::Builder::new()
        .name("search-0".into())
        .stack_size(STACK)
        .spawn(move || Leader::new(sink, evaluator).run(&orders, &order_count))
        .expect("the system gives the engine a thread");
    (sender, thread)
}

struct Leader {
    sink: Sink,
    table: Table,
    /// The options that `evaluator` was loaded for.
    network_choice: Option<NetworkChoice>,
    evaluator: Arc<Mutex<Evaluator>>,
    book: OpeningBook,
    worker: Worker,
    helpers: Vec<Helper>,
    /// Plays where the options limit the strength.
    player: Player,
}

impl Leader {
    fn new(sink: Sink, evaluator: Arc<Mutex<Evaluator>>) -> Self {
        Self {
            sink,
            table: Table::default(),
            network_choice: None,
            evaluator,
            book: OpeningBook::new(),
            worker: Worker::new(0),
            helpers: Vec::new(),
            player: Player::default(),
        }
    }

    fn run(mut self, orders: &Receiver<Order>, order_count: &OrderCount) {
        while let Some(order) = self.next(orders) {
            match order {
                Order::Prepare(options) => {
                    let result = self.prepare(&options);
                    self.book.prepare(&options, true);
                    self.table.populate(|age| orders.is_empty() && age < POPULATE_BEFORE_READY);
                    for report in self.book.reports(&options) {
                        (self.sink)(Report::Book(report));
                    }
                    (self.sink)(Report::Ready(result));
                }
                Order::NewGame => self.clear(),
                Order::Search(search) => {
                    let choice = self.search(&search);
                    search.finish();
                    if !search.is_cancelled() {
                        (self.sink)(Report::BestMove(choice));
                    }
                }
                Order::Quit => {
                    order_count.done();
                    return;
                }
            }
            order_count.done();
        }
    }

    /// Waits for an order and meanwhile populates a new table.
    fn next(&mut self, orders: &Receiver<Order>) -> Option<Order> {
        if self.table.needs_populating() {
            match orders.recv_timeout(PAUSE) {
                Err(RecvTimeoutError::Timeout) => self.table.populate(|_| orders.is_empty()),
                order => return order.ok(),
            }
        }
        orders.recv().ok()
    }

    /// Clears table and histories.
    fn clear(&mut self) {
        self.table.clear(self.helpers.len() + 1);
        self.worker.clear();
        self.helpers.iter().for_each(Helper::clear);
    }

    /// Brings table, network and threads in line with the options. What fails leaves the engine as it was.
    fn prepare(&mut self, options: &EngineOptions) -> Result<(), EngineError> {
        let mut result = Ok(());
        if let Err(error) = self.table.resize(options.usi_hash) {
            result = Err(EngineError::Table(error, self.table.megabytes()));
        }
        if let Err(message) = self.load_network(options) {
            result = Err(EngineError::Network(message));
        }
        let helpers = options.threads.saturating_sub(1);
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
        if options.clear_hash.0 > 0 {
            self.table.clear(self.helpers.len() + 1);
        }
        result
    }

    /// Loads the network of the options unless it is in use already; the error says why another one is used.
    fn load_network(&mut self, options: &EngineOptions) -> Result<(), String> {
        let choice = NetworkChoice {
            eval_dir: options.eval_dir.clone().into(),
            eval_file: options.eval_file.clone(),
            fv_scale: options.fv_scale,
        };
        if self.network_choice.as_ref() == Some(&choice) {
            return Ok(());
        }
        let loaded = choice.load();
        self.network_choice = Some(choice);
        log::info!("{}", loaded.message);
        *self.evaluator.lock() = loaded.network.map_or(Evaluator::HandCrafted, Evaluator::network);
        // Table and histories belong to the old evaluation.
        self.clear();
        if loaded.failed { Err(loaded.message) } else { Ok(()) }
    }

    /// Carries out one search. Returns its move once it may be reported: not before `stop` or `ponderhit` where the
    /// protocol asks to wait for them.
    fn search(&mut self, search: &OngoingSearch) -> BestMove {
        if let Err(error) = self.prepare(&search.options) {
            log::warn!("{error}");
        }
        self.book.prepare(&search.options, false);
        let listener = self.listener(search);
        let choice = match search.position.declaration(search.options.entering_king_rule) {
            Some(Declaration::Points) if !search.limits.move_only => {
                listener(Progress::Line(search.line_without_search(Score::mate_in(1), Vec::new())));
                BestMove::DeclareWin
            }
            Some(Declaration::Try(mv)) => {
                listener(Progress::Line(search.line_without_search(Score::mate_in(1), vec![mv])));
                BestMove::Move { best: mv, ponder: None }
            }
            _ => match search.root_moves() {
                moves if moves.is_empty() => {
                    listener(Progress::Line(search.line_without_search(Score::mated_in(0), Vec::new())));
                    BestMove::Resign
                }
                moves => {
                    let level = search.level();
                    // A perfect opening before a beginner's game is unnatural.
                    let knows_openings = level.is_none_or(|level| level.is_strong());
                    let book = if knows_openings { Some(&mut self.book) } else { None };
                    let from_book =
                        book.and_then(|book| book.answer(search, |report| (self.sink)(Report::Book(report))));
                    from_book.unwrap_or_else(|| match level {
                        Some(level) => self.play(search, &level, moves, &listener),
                        None => self.think(search, moves, &listener),
                    })
                }
            },
        };
        search.control.wait_for_ponderhit_or_stop();
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
            // A search that was stopped before it had a score reports the static evaluation.
            if let Progress::Line(line) = &mut progress
                && line.score <= -Score::MATE
                && !line.pv.is_empty()
            {
                line.score = evaluator.evaluate(&position).clamp_eval();
            }
            sink(Report::Progress(progress));
        })
    }

    /// Lets a player of a level choose.
    fn play(&mut self, search: &OngoingSearch, level: &Level, moves: Vec<Move>, listener: &Listener) -> BestMove {
        let Some(table) = self.table.for_search() else {
            return BestMove::Resign;
        };
        let options = &search.options;
        let request = self.request(search, moves, listener, table);
        let Some(played) = self.player.play(level, options.level_seed, request) else {
            return BestMove::Resign;
        };
        if is_hopeless(search, played.line.score) {
            return BestMove::Resign;
        }
        if options.human_pace {
            let pace = strength::pace(&search.limits, search.us, &search.position, played.obvious, options.level_seed);
            search.control.wait_for_ponderhit_or_stop();
            search.control.linger(pace);
        }
        let pv = played.line.pv;
        BestMove::Move { best: pv[0], ponder: pv.get(1).copied() }
    }

    fn request(
        &self,
        search: &OngoingSearch,
        root_moves: Vec<Move>,
        listener: &Listener,
        table: Arc<TranspositionTable>,
    ) -> SearchRequest {
        SearchRequest {
            position: search.position.clone(),
            limits: search.limits_with_options(),
            options: search.search_options(),
            rules: search.rules(),
            evaluator: self.evaluator.lock().clone(),
            table,
            control: Arc::clone(&search.control),
            node_counters: SearchRequest::node_counters(self.helpers.len() + 1),
            listener: Arc::clone(listener),
            root_moves,
        }
    }

    /// Lets all workers search, and chooses among their moves.
    fn think(&mut self, search: &OngoingSearch, moves: Vec<Move>, listener: &Listener) -> BestMove {
        let options = &search.options;
        let Some(table) = self.table.for_search() else {
            return BestMove::Resign;
        };
        let request = Arc::new(self.request(search, moves, listener, Arc::clone(&table)));
        for helper in &self.helpers {
            helper.search(&request);
        }
        let own = helpers::search(&mut self.worker, 0, &request);
        // Helpers search until they are stopped.
        search.control.halt();
        // An infinite search that has nothing left to search still ends only by `stop`.
        search.control.wait_for_ponderhit_or_stop();
        let mut outcomes = vec![own];
        outcomes.extend(self.helpers.iter().filter_map(Helper::outcome));
        // Helpers may have searched deeper than `go depth` allows.
        outcomes.retain(|outcome| outcome.depth <= request.limits.depth);

        let best = if options.multi_pv > 1 { 0 } else { vote(&outcomes) };
        let Some(chosen) = outcomes[best].root_moves.first() else {
            return BestMove::Resign;
        };
        if best != 0
            && let Some(last) = outcomes[best].lines.first()
        {
            let (nodes, hashfull, time) = (request.nodes(), table.hashfull(), search.control.elapsed());
            // The iteration in which the helper was stopped may have been beyond the limit.
            let depth = last.depth.min(request.limits.depth);
            listener(Progress::Line(Line { depth, nodes, hashfull, time, ..last.clone() }));
        }
        if is_hopeless(search, chosen.known_score()) {
            return BestMove::Resign;
        }
        let best = chosen.mv;
        let ponder = chosen.answers.first().copied().or_else(|| expected_answer(search, &table, best));
        BestMove::Move { best, ponder }
    }
}

/// Whether a game with a score is resigned.
fn is_hopeless(search: &OngoingSearch, score: Score) -> bool {
    let hopeless = score.0 <= -search.options.resign_value && score > -Score::INFINITE;
    hopeless && !search.options.analyse_mode && !search.limits.infinite && !search.limits.move_only
}

/// The answer that the table expects after a move, if it is legal.
fn expected_answer(search: &OngoingSearch, table: &TranspositionTable, best: Move) -> Option<Move> {
    let mut position = search.position.clone();
    position.do_move(best);
    let mv = table.probe(position.key())?.mv?;
    position.is_legal(mv).then_some(mv)
}
