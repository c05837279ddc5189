//! Work that several workers share, and that comes back when a worker fails.

use std::collections::VecDeque;

use super::sync::{Condvar, Mutex};

/// A queue of items. Whoever takes one says afterwards whether it is done or comes back; until then nobody goes home:
/// the rest may be needed.
#[derive(Debug)]
pub struct WorkQueue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<T> {
    waiting: VecDeque<T>,
    /// Items that are being worked on.
    out: usize,
    closed: bool,
}

impl<T> WorkQueue<T> {
    /// A queue of items, the first one first.
    pub fn new(items: impl IntoIterator<Item = T>) -> Self {
        let state = State { waiting: items.into_iter().collect(), out: 0, closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The next item; waits while there is none but one may come back. `None` when all is done, or after
    /// [`Self::close`].
    pub fn take(&self) -> Option<T> {
        let mut state = self.state.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some(item) = state.waiting.pop_front() {
                state.out += 1;
                return Some(item);
            }
            if state.out == 0 {
                return None;
            }
            state = self.changed.wait(state);
        }
    }

    /// An item that was taken is done.
    pub fn done(&self) {
        self.state.lock().out -= 1;
        self.changed.notify_all();
    }

    /// An item that was taken goes back to the front of the queue.
    pub fn give_back(&self, item: T) {
        let mut state = self.state.lock();
        state.out -= 1;
        state.waiting.push_front(item);
        drop(state);
        self.changed.notify_all();
    }

    /// Sends all workers home.
    pub fn close(&self) {
        self.state.lock().closed = true;
        self.changed.notify_all();
    }

    /// How many items nobody has taken.
    pub fn waiting(&self) -> usize {
        self.state.lock().waiting.len()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn what_comes_back_is_done_by_others() {
        let queue = WorkQueue::new(0..100);
        let sum = AtomicU32::new(0);
        std::thread::scope(|scope| {
            // One worker that fails at its third item, and others that are idle by then.
            scope.spawn(|| {
                for count in 0.. {
                    let Some(item) = queue.take() else {
                        break;
                    };
                    if count == 2 {
                        std::thread::sleep(std::time::Duration::from_millis(50));
                        queue.give_back(item);
                        break;
                    }
                    sum.fetch_add(item, Ordering::Relaxed);
                    queue.done();
                }
            });
            for _ in 0..3 {
                scope.spawn(|| {
                    while let Some(item) = queue.take() {
                        sum.fetch_add(item, Ordering::Relaxed);
                        queue.done();
                    }
                });
            }
        });
        assert_eq!((sum.into_inner(), queue.waiting()), (99 * 100 / 2, 0));
    }

    #[test]
    fn a_closed_queue_sends_everybody_home() {
        let queue = WorkQueue::new([1, 2]);
        assert_eq!(queue.take(), Some(1));
        std::thread::scope(|scope| {
            scope.spawn(|| while queue.take().is_some() {});
            std::thread::sleep(std::time::Duration::from_millis(10));
            queue.close();
        });
        assert_eq!(queue.take(), None);
    }
}
