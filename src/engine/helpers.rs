//! The threads that search beside the leader.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::search::{SearchOutcome, SearchRequest, Worker};

/// Stack of a searching thread: enough for the deepest line, each node with its list of moves.
pub(super) const STACK: usize = 32 << 20;

/// What the leader asks of a helper.
enum HelperOrder {
    Search(Arc<SearchRequest>),
    Clear,
}

/// A thread with a [`Worker`] of its own. It ends when this is dropped.
pub(super) struct Helper {
    orders: Option<Sender<HelperOrder>>,
    outcomes: Receiver<SearchOutcome>,
    thread: Option<JoinHandle<()>>,
}

impl Helper {
    /// Starts the thread of worker number `id`.
    pub(super) fn start(id: usize) -> io::Result<Self> {
        let (orders, receiver) = unbounded();
        let (sender, outcomes) = unbounded();
        let thread = thread::Builder::new().name(format!("search-{id}")).stack_size(STACK).spawn(move || {
            let mut worker = Worker::new(id);
            for order in receiver {
                match order {
                    HelperOrder::Clear => worker.clear(),
                    HelperOrder::Search(request) => {
                        if sender.send(search(&mut worker, id, &request)).is_err() {
                            return;
                        }
                    }
                }
            }
        })?;
        Ok(Self { orders: Some(orders), outcomes, thread: Some(thread) })
    }

    /// Begins a search, which ends when the control of the request says so.
    pub(super) fn search(&self, request: &Arc<SearchRequest>) {
        self.order(HelperOrder::Search(Arc::clone(request)));
    }

    /// Waits for the outcome of the search.
    pub(super) fn outcome(&self) -> Option<SearchOutcome> {
        self.outcomes.recv().ok()
    }

    /// Clears the histories, before another game.
    pub(super) fn clear(&self) {
        self.order(HelperOrder::Clear);
    }

    fn order(&self, order: HelperOrder) {
        if let Some(orders) = &self.orders
            && orders.send(order).is_err()
        {
            log::error!("a search thread is gone");
        }
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Runs a worker; if it panics, the engine goes on with a new one and the root moves as they were.
pub(super) fn search(worker: &mut Worker, id: usize, request: &SearchRequest) -> SearchOutcome {
    catch_unwind(AssertUnwindSafe(|| worker.search(request))).unwrap_or_else(|_| {
        log::error!("a search thread failed and was set up again");
        *worker = Worker::new(id);
        SearchOutcome {
            root_moves: request.root_moves.iter().copied().map(Into::into).collect(),
            depth: 0,
            lines: Vec::new(),
        }
    })
}
