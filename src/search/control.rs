//! What controls a running search from outside: stop, the clock, ponder hits.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::clock::Budget;
use crate::platform::sync::{Condvar, Mutex, MutexGuard};

/// The control of one search, shared by its workers and its caller.
pub struct Control {
    start: Instant,
    /// Read at every node; set by `stop`, by the clock, and by the search when it has finished.
    stop: AtomicBool,
    /// Microseconds after `start` at which the search must end; `u64::MAX` for never.
    deadline: AtomicU64,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    pondering: bool,
    infinite: bool,
    /// The caller has called `stop`: the move may be reported whatever the search was waiting for.
    stop_requested: bool,
    budget: Budget,
    /// While pondering: the time factor after the last iteration.
    time_factor: Option<f64>,
    /// The search has nothing left to find.
    nothing_left: bool,
}

impl Control {
    /// The control of a search that began at `start`. The clock does not run while pondering, nor in an infinite
    /// search.
    pub fn new(start: Instant, budget: Budget, infinite: bool, pondering: bool) -> Self {
        let control = Self {
            start,
            stop: AtomicBool::new(false),
            deadline: AtomicU64::new(u64::MAX),
            state: Mutex::new(State {
                pondering,
                infinite,
                stop_requested: false,
                budget,
                time_factor: None,
                nothing_left: false,
            }),
            changed: Condvar::new(),
        };
        if !pondering && !infinite {
            control.set_deadline(budget);
        }
        control
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    fn set_deadline(&self, budget: Budget) {
        let micros = u64::try_from(budget.hard.as_micros()).unwrap_or(u64::MAX);
        self.deadline.store(micros, Relaxed);
    }

    /// Time since the search was asked for.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the workers must return at once.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// For work that looks after itself: the flag that ends the search, and the time when it must have ended.
    pub(super) fn limits(&self) -> (&AtomicBool, Option<Instant>) {
        let deadline = self.deadline.load(Relaxed);
        (&self.stop, (deadline != u64::MAX).then(|| self.start + Duration::from_micros(deadline)))
    }

    /// Ends the search, and any wait for a ponder hit or a stop: the caller wants the move now.
    pub fn stop(&self) {
        self.state().stop_requested = true;
        self.stop.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// Stops all workers because the search has reached its limits or its goal. Unlike [`stop`](Self::stop), this does
    /// not end a wait for a ponder hit or a stop: until then the USI protocol allows no `bestmove`.
    pub fn halt(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Stops the search if its time is up. One worker calls this every few hundred nodes.
    #[inline]
    pub fn check_clock(&self) {
        let deadline = self.deadline.load(Relaxed);
        if deadline != u64::MAX && self.elapsed().as_micros() >= u128::from(deadline) {
            self.halt();
        }
    }

    /// The expected move was played: the clock starts, with `budget` counted from now.
    pub fn ponder_hit(&self, budget: Budget) {
        let elapsed = self.elapsed();
        let mut state = self.state();
        if !state.pondering {
            return;
        }
        state.pondering = false;
        state.budget = budget.after_ponder(elapsed);
        if !state.infinite {
            self.set_deadline(state.budget);
            let up = state.time_factor.is_some_and(|factor| state.budget.target(factor) <= elapsed);
            if up || state.nothing_left && state.budget.is_limited() {
                self.halt();
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Whether the time for this move is up, if the ordinary time is multiplied by `factor`.
    pub fn time_is_up(&self, factor: f64) -> bool {
        let elapsed = self.elapsed();
        let mut state = self.state();
        if state.pondering {
            state.time_factor = Some(factor);
        }
        state.budget.target(factor) <= elapsed && !state.pondering && !state.infinite
    }

    /// Whether the search may end by itself now that nothing is left to find (one legal move, a proven mate). While
    /// pondering it may at the ponder hit. Without a clock it goes on to its limits, unless `unclocked` says otherwise.
    pub fn may_end_early(&self, unclocked: bool) -> bool {
        let mut state = self.state();
        state.nothing_left = true;
        !state.pondering && !state.infinite && (unclocked || state.budget.is_limited())
    }

    /// Waits until some time has passed since the search was asked for, as far as the clock of this move allows, or
    /// until `stop`.
    pub fn linger(&self, until: Duration) {
        let mut state = self.state();
        let until = until.min(state.budget.soft);
        while !state.stop_requested {
            let left = until.saturating_sub(self.elapsed());
            if left.is_zero() {
                return;
            }
            state = self.changed.wait_timeout(state, left);
        }
    }

    /// Waits until the move may be reported: while pondering for `ponderhit` or `stop`, in an infinite search for
    /// `stop`.
    pub fn wait_for_ponderhit_or_stop(&self) {
        let mut state = self.state();
        while (state.pondering || state.infinite) && !state.stop_requested {
            state = self.changed.wait(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{ClockOptions, Clocks};
    use crate::types::Color;

    fn budget(ms: u64) -> Budget {
        let limits = Clocks { move_time: Some(Duration::from_millis(ms)), ..Clocks::default() };
        Budget::new(&limits, &ClockOptions::default(), Color::Black, 1, 0)
    }

    #[test]
    fn the_clock_runs_only_after_the_ponder_hit() {
        let control = Control::new(Instant::now(), budget(0), false, true);
        control.check_clock();
        assert!(!control.stopped() && !control.time_is_up(1.0));
        control.ponder_hit(budget(0));
        assert!(control.stopped());
        control.wait_for_ponderhit_or_stop();
    }

    #[test]
    fn a_ponder_that_has_thought_enough_ends_with_its_hit() {
        let stopped = |think: &dyn Fn(&Control)| {
            // A bare `go ponder`: the clocks come with the hit.
            let control = Control::new(Instant::now(), Budget::UNLIMITED, false, true);
            think(&control);
            std::thread::sleep(Duration::from_millis(30));
            assert!(!control.stopped());
            let clocks = Clocks { time: [Some(Duration::from_secs(3600)); 2], ..Clocks::default() };
            control.ponder_hit(Budget::new(&clocks, &ClockOptions::default(), Color::Black, 1, 0));
            control.stopped()
        };
        assert!(!stopped(&|_| {}));
        assert!(stopped(&|control| assert!(!control.time_is_up(1e-9))));
        assert!(!stopped(&|control| assert!(!control.time_is_up(50.0))));
        assert!(stopped(&|control| assert!(!control.may_end_early(false))));
    }

    #[test]
    fn an_infinite_search_ends_only_by_stop() {
        let control = Control::new(Instant::now(), budget(0), true, false);
        control.check_clock();
        assert!(!control.stopped() && !control.time_is_up(0.1) && !control.may_end_early(false));
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| control.wait_for_ponderhit_or_stop());
            control.halt();
            std::thread::sleep(Duration::from_millis(5));
            assert!(!waiter.is_finished());
            control.stop();
        });
        assert!(control.stopped());
    }
}
