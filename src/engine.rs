//! The engine as a component: options, a position, `go` and `stop`; no text, no globals, any number of them side by
//! side.
//!
//! Results arrive as [`Report`] values at the sink given to the constructor, from the engine's own threads. Every call
//! returns at once (but for [`Engine::wait`]): the work is done by a thread that takes one order after the other.

pub mod bench;
mod options;
pub mod suite;
mod workers;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::clock::{Budget, ClockOptions, Clocks};
use crate::platform::sync::{Condvar, Mutex};
use crate::position::Position;
use crate::search::{Choice, Control, Evaluator, Limits, Progress};
use crate::tt::TableError;
use crate::types::{Color, Score};

pub use options::{ENTERING_KING_RULES, Kind, OptionError, OptionSpec, Presses, Settings};

use workers::{OngoingSearch, Order};

/// What the engine has to say.
#[derive(Debug)]
pub enum Report {
    /// From a running search.
    Progress(Progress),
    /// The end of a search: exactly one for each `go`.
    BestMove(Choice),
    /// The engine is ready for `go`, or why it cannot be as the options want it (it then works on as before).
    Ready(Result<(), EngineError>),
}

/// Why the engine did not do what it was told.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A search is running already.
    #[error("a search is already running")]
    Searching,
    /// The table could not be made as large as wanted; the old one stays.
    #[error("{0}; the table keeps its size of {1} MiB")]
    Table(TableError, usize),
    /// The network that was asked for could not be used.
    #[error("{0}")]
    Network(String),
    /// The system refused a thread.
    #[error("the system gives no more than {0} threads")]
    Threads(usize),
}

/// Receives reports on the engine's own threads; it should hand them on and return.
pub type Sink = Arc<dyn Fn(Report) + Send + Sync>;

/// Orders given and not yet done.
#[derive(Default)]
struct Pending {
    count: Mutex<usize>,
    changed: Condvar,
}

impl Pending {
    fn add(&self) {
        *self.count.lock() += 1;
    }

    fn done(&self) {
        *self.count.lock() -= 1;
        self.changed.notify_all();
    }

    fn wait(&self) {
        let mut count = self.count.lock();
        while *count > 0 {
            count = self.changed.wait(count);
        }
    }
}

/// A search under way, as the facade remembers it.
struct Current {
    search: Arc<OngoingSearch>,
    /// What a stochastic ponder stands for: the limits as they came, with the position after the expected move.
    instead_of: Option<(Limits, Position)>,
}

/// The engine.
pub struct Engine {
    settings: Settings,
    position: Position,
    current: Option<Current>,
    orders: Sender<Order>,
    pending: Arc<Pending>,
    /// What evaluates since the last preparation.
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
        let pending = Arc::new(Pending::default());
        let evaluator = Arc::new(Mutex::new(Evaluator::HandCrafted));
        let (orders, thread) = workers::start(Arc::clone(&sink), Arc::clone(&pending), Arc::clone(&evaluator));
        Self {
            settings: Settings::default(),
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
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets an option from its USI name and value; it takes effect at the next [`Engine::ready`] or [`Engine::go`].
    ///
    /// # Errors
    /// Where there is no such option, or the value does not fit it.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.settings.set(name, value)
    }

    /// The position that [`Engine::go`] will search.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Sets the position for the next [`Engine::go`]; a running search keeps its own.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
    }

    /// Makes table, threads and evaluation as the options want them, in the background; [`Report::Ready`] follows, at
    /// once if a search is running (the options then wait for its end).
    pub fn ready(&mut self) {
        if self.is_searching() {
            (self.sink)(Report::Ready(Ok(())));
            return;
        }
        let settings = self.take_settings();
        self.send(Order::Prepare(Box::new(settings)));
    }

    /// Forgets what was learnt from earlier positions, before another game.
    pub fn new_game(&mut self) {
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
        let mut instead_of = None;
        let mut position = self.position.clone();
        if limits.ponder && self.settings.stochastic_ponder && position.last_move().is_some() {
            instead_of = Some((limits.clone(), position.clone()));
            position.undo_move();
        }
        self.start(limits, position, instead_of);
        Ok(())
    }

    fn start(&mut self, mut limits: Limits, position: Position, instead_of: Option<(Limits, Position)>) {
        let start = limits.received.unwrap_or_else(Instant::now);
        let silent = instead_of.is_some();
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
            self.take_settings(),
            silent,
        ));
        self.current = Some(Current { search: Arc::clone(&search), instead_of });
        self.send(Order::Search(search));
    }

    /// Ends the running search: it reports its move at once. Nothing happens where none is running.
    pub fn stop(&mut self) {
        if !self.is_searching() {
            return;
        }
        let Some(current) = &mut self.current else {
            return;
        };
        match current.instead_of.take() {
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
        if !self.is_searching() {
            return;
        }
        let Some(current) = &mut self.current else {
            return;
        };
        match current.instead_of.take() {
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

    /// The settings for an order; a pressed button is handed on once.
    fn take_settings(&mut self) -> Settings {
        let settings = self.settings.clone();
        self.settings.clear_hash = Presses::default();
        settings
    }

    fn budget(&self, clocks: &Clocks, us: Color, move_number: u32) -> Budget {
        let ms = |value: i64| Duration::from_millis(value.try_into().unwrap_or(0));
        let options = ClockOptions {
            network_delay: ms(self.settings.network_delay),
            network_delay2: ms(self.settings.network_delay2),
            minimum_thinking_time: ms(self.settings.minimum_thinking_time),
            slow_mover: self.settings.slow_mover.try_into().unwrap_or(100),
            round_up_to_full_second: self.settings.round_up_to_full_second,
            max_moves: self.settings.max_moves_to_draw.try_into().unwrap_or(0),
            ponder: self.settings.usi_ponder,
        };
        Budget::new(clocks, &options, us, move_number, random())
    }
}

/// A number that differs from run to run, for thinking times meant to vary.
fn random() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
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
