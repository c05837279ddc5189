//! The interface of the engine: options, position, `go`, `stop` and `ponderhit`.

use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::Sender;

use super::leader::{self, Order, OrderCount};
use super::ongoing_search::OngoingSearch;
use super::option_value::{OptionError, Presses};
use super::options::EngineOptions;
use super::report::{EngineError, Report, Sink};
use super::strength::{elo_of_grade, grade_of_elo};
use crate::clock::{Budget, ClockOptions, Clocks};
use crate::platform::random::unpredictable;
use crate::platform::sync::Mutex;
use crate::position::Position;
use crate::search::{Control, Evaluator, Limits};
use crate::types::{Color, Score};

/// The search that was started last.
struct RunningSearch {
    search: Arc<OngoingSearch>,
    /// Set while a stochastic ponder searches the position before the expected move: the limits of `go ponder`, and the
    /// position after that move, which a `ponderhit` or `stop` must answer.
    ponder_target: Option<(Limits, Position)>,
}

/// The engine.
pub struct Engine {
    options: EngineOptions,
    /// The seed of a level's game, where the options have none.
    seed: u64,
    position: Position,
    current: Option<RunningSearch>,
    orders: Sender<Order>,
    pending: Arc<OrderCount>,
    /// The evaluator that the last preparation loaded.
    evaluator: Arc<Mutex<Evaluator>>,
    thread: Option<std::thread::JoinHandle<()>>,
    sink: Sink,
}

impl Engine {
    /// An engine at the start of a game. Nothing large is allocated before [`Engine::ready`] or [`Engine::go`].
    ///
    /// # Panics
    /// Where the system refuses a single thread.
    pub fn new(sink: impl Fn(Report) + Send + Sync + 'static) -> Self {
        let sink: Sink = Arc::new(sink);
        let pending = Arc::new(OrderCount::default());
        let evaluator = Arc::new(Mutex::new(Evaluator::HandCrafted));
        let (orders, thread) = leader::start(Arc::clone(&sink), Arc::clone(&pending), Arc::clone(&evaluator));
        Self {
            options: EngineOptions::default(),
            seed: unpredictable(),
            position: Position::startpos(),
            current: None,
            orders,
            pending,
            evaluator,
            thread: Some(thread),
            sink,
        }
    }

    /// The options as they are now.
    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Sets an option from its USI name and value; it takes effect at the next [`Engine::ready`] or [`Engine::go`].
    ///
    /// # Errors
    /// Where there is no such option, or the value does not fit it.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let result = self.options.set(name, value);
        // One strength with two scales.
        if !matches!(result, Ok(()) | Err(OptionError::Clamped { .. })) {
            return result;
        }
        let options = &mut self.options;
        if name.eq_ignore_ascii_case("USI_Strength") {
            options.elo = elo_of_grade(options.strength);
        } else if name.eq_ignore_ascii_case("UCI_Elo") {
            options.strength = grade_of_elo(options.elo);
        }
        result
    }

    /// The position that [`Engine::go`] will search.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Sets the position for the next [`Engine::go`]; a running search keeps its own.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
    }

    /// Prepares table, threads and evaluation for the options in the background; [`Report::Ready`] follows, at
    /// once if a search is running (the options then wait for its end).
    pub fn ready(&mut self) {
        if self.is_searching() {
            (self.sink)(Report::Ready(Ok(())));
            return;
        }
        let options = self.take_options();
        self.send(Order::Prepare(Box::new(options)));
    }

    /// Clears table and histories before another game.
    pub fn new_game(&mut self) {
        self.seed = unpredictable();
        self.send(Order::NewGame);
    }

    /// Begins to search the position; exactly one [`Report::BestMove`] follows.
    ///
    /// # Errors
    /// [`EngineError::Searching`] while a search is running.
    pub fn go(&mut self, limits: Limits) -> Result<(), EngineError> {
        if self.is_searching() {
            return Err(EngineError::Searching);
        }
        let mut ponder_target = None;
        let mut position = self.position.clone();
        if limits.ponder && self.options.stochastic_ponder && position.last_move().is_some() {
            ponder_target = Some((limits.clone(), position.clone()));
            position.undo_move();
        }
        self.start(limits, position, ponder_target);
        Ok(())
    }

    fn start(&mut self, mut limits: Limits, position: Position, ponder_target: Option<(Limits, Position)>) {
        let start = limits.received.unwrap_or_else(Instant::now);
        let silent = ponder_target.is_some();
        if silent {
            limits.search_moves.clear();
        }
        let us = if silent { !position.side_to_move() } else { position.side_to_move() };
        let budget = self.budget(&limits.clocks, us, position.move_number());
        let search = Arc::new(OngoingSearch::new(
            Control::new(start, budget, limits.infinite, limits.ponder),
            limits,
            position,
            us,
            self.take_options(),
            silent,
        ));
        self.current = Some(RunningSearch { search: Arc::clone(&search), ponder_target });
        self.send(Order::Search(search));
    }

    /// Ends the running search: it reports its move at once. Nothing happens where none is running.
    pub fn stop(&mut self) {
        let Some(current) = self.running() else {
            return;
        };
        match current.ponder_target.take() {
            // What was searched is another position: answer with a quick look at the right one.
            Some((limits, position)) => {
                current.search.cancel();
                let quick = Limits { depth: 1, ponder: false, infinite: false, received: None, ..limits };
                self.start(quick, position, None);
            }
            None => current.search.control.stop(),
        }
    }

    /// The expected move was played: the ponder search becomes a normal one whose clock starts now, with the clocks
    /// given here or, where there are none, with those of its `go`.
    pub fn ponder_hit(&mut self, clocks: Option<Clocks>) {
        let Some(current) = self.running() else {
            return;
        };
        match current.ponder_target.take() {
            Some((limits, position)) => {
                current.search.cancel();
                let clocks = clocks.unwrap_or(limits.clocks);
                let limits = Limits { ponder: false, received: None, clocks, ..limits };
                self.start(limits, position, None);
            }
            None => {
                let search = Arc::clone(&current.search);
                let clocks = clocks.unwrap_or(search.limits.clocks);
                let budget = self.budget(&clocks, search.us, search.position.move_number());
                search.control.ponder_hit(budget);
            }
        }
    }

    /// The static evaluation of the position from the side to move's view, by what the last finished preparation
    /// loaded.
    pub fn evaluate(&self) -> Score {
        let evaluator = self.evaluator.lock().clone();
        evaluator.evaluate(&self.position)
    }

    /// The search, unless it has ended.
    fn running(&mut self) -> Option<&mut RunningSearch> {
        if self.is_searching() { self.current.as_mut() } else { None }
    }

    /// Whether a search is running: from `go` until its [`Report::BestMove`].
    pub fn is_searching(&self) -> bool {
        self.current.as_ref().is_some_and(|current| !current.search.is_finished())
    }

    /// Blocks until no search or preparation is under way. An infinite or ponder search must be stopped first.
    pub fn wait(&self) {
        self.pending.wait();
    }

    fn send(&self, order: Order) {
        self.pending.add();
        if self.orders.send(order).is_err() {
            self.pending.done();
        }
    }

    /// The options for an order; a pressed button is passed on once.
    fn take_options(&mut self) -> EngineOptions {
        let mut options = self.options.clone();
        if options.level_seed == 0 {
            options.level_seed = self.seed;
        }
        self.options.clear_hash = Presses::default();
        options
    }

    fn budget(&self, clocks: &Clocks, us: Color, move_number: u32) -> Budget {
        let options = &self.options;
        let options = ClockOptions {
            network_delay: options.network_delay,
            network_delay2: options.network_delay2,
            minimum_thinking_time: options.minimum_thinking_time,
            slow_mover: options.slow_mover,
            round_up_to_full_second: options.round_up_to_full_second,
            max_moves: options.max_moves_to_draw,
            ponder: options.usi_ponder,
        };
        Budget::new(clocks, &options, us, move_number, unpredictable())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(current) = &self.current {
            current.search.cancel();
        }
        self.send(Order::Quit);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the engine's thread ended by a panic");
        }
    }
}
